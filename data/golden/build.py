"""Writes corpus.jsonl from the documents in ../corpus: one line a document, in the order of the paths.

Text is taken as it stands in the file, tables and RDF included, so that byte offsets of citations stay true.
Run `python3 data/golden/build.py` after any change to a document; with `--check` it only says whether the file is up to date.
"""

import json
import sys
from pathlib import Path

GOLDEN = Path(__file__).resolve().parent
CORPUS = GOLDEN.parent / "corpus"


def title_of(path: Path, text: str) -> str:
    """The first heading of a Markdown file, the first line of a plain text, the file name of anything else."""
    first = text.split("\n", 1)[0].strip()
    if path.suffix == ".md":
        return first.lstrip("#").strip()
    return first if path.suffix == ".txt" else path.name


def build() -> str:
    """The whole of corpus.jsonl."""
    lines = []
    for path in sorted(file for file in CORPUS.rglob("*") if file.is_file()):
        text = path.read_bytes().decode("utf-8")
        document = {"doc_id": path.relative_to(CORPUS).as_posix(), "title": title_of(path, text), "text": text}
        lines.append(json.dumps(document, ensure_ascii=False) + "\n")
    return "".join(lines)


def main() -> int:
    target = GOLDEN / "corpus.jsonl"
    built = build()
    if "--check" in sys.argv[1:]:
        if target.is_file() and target.read_text(encoding="utf-8") == built:
            return 0
        print(f"{target} is out of date: run python3 data/golden/build.py", file=sys.stderr)
        return 1
    target.write_text(built, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
