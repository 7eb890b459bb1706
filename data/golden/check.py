"""Checks questions.jsonl against corpus.jsonl: the shape of each row, and that the answers stand in the documents they name.

An answer stands in a document when its words do, or when a number with the same significant digits does: 29.915 billion,
299.15亿 and 29915 (in a column of millions) are one figure. In a two-hop question each supporting document holds the answer
or the entity between the hops (`bridge`). Exit code 1 and one line a fault.
"""

import json
import re
import sys
import unicodedata
from collections import Counter
from pathlib import Path

GOLDEN = Path(__file__).resolve().parent
FIELDS = {"id", "question", "answers", "supporting", "answerable", "lang", "area", "hops"}
REASONS = {"year", "relation", "entity", "schema"}
# A comma groups thousands only where three digits follow: in a CSV file it also parts the cells.
NUMBER = re.compile(r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?")


def rows(name: str) -> list[dict]:
    """The rows of one JSON Lines file."""
    return [json.loads(line) for line in (GOLDEN / name).read_text(encoding="utf-8").splitlines()]


def words(text: str) -> str:
    """Lower case letters and digits with single spaces, so that e:rafael-grossi holds "Rafael Grossi"."""
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFKC", text).lower().replace("_", " ")))


def digits(text: str) -> set[str]:
    """The significant digits of each number in a text: 29.915, 299.15 and 29,915,000,000 all give 29915."""
    stripped = {re.sub(r"[,.]", "", number).lstrip("0").rstrip("0") for number in NUMBER.findall(text)}
    return stripped - {""}


def stands(forms: list[str], text: str) -> bool:
    """Whether any of the forms stands in the text."""
    plain, numbers = words(text), digits(text)
    for form in forms:
        wanted = words(form)
        if re.search(r"[^\W\d]", wanted) and wanted in plain:
            return True
        # A form such as "KRAS G12C" has digits that mean nothing by themselves: only figures are compared as numbers.
        if form.lstrip("$")[:1].isdigit() and digits(form) & numbers:
            return True
    return False


def faults_of(row: dict, corpus: dict[str, str]) -> list[str]:
    """What is wrong with one question."""
    missing = FIELDS - row.keys()
    if missing:
        return [f"lacks {', '.join(sorted(missing))}"]
    faults = []
    if not row["answerable"]:
        if row["answers"] or row["supporting"]:
            faults.append("is unanswerable and yet has answers or documents")
        if row.get("reason") not in REASONS:
            faults.append(f"needs a reason out of {sorted(REASONS)}")
        return faults
    if not row["answers"] or not row["supporting"]:
        faults.append("has no answers or no supporting documents")
    if row["hops"] > 1 and not row.get("bridge"):
        faults.append("has two hops and no bridge")
    held = 0
    for document in row["supporting"]:
        text = corpus.get(document)
        if text is None:
            faults.append(f"names the unknown document {document}")
        elif stands(row["answers"], text):
            held += 1
        elif not stands(row.get("bridge", []), text):
            faults.append(f"has neither answer nor bridge in {document}")
    if not held:
        faults.append("has its answer in none of its documents")
    return faults


def main() -> int:
    corpus = {row["doc_id"]: row["text"] for row in rows("corpus.jsonl")}
    questions = rows("questions.jsonl")
    faults = [f"{row.get('id')}: {fault}" for row in questions for fault in faults_of(row, corpus)]
    faults += [f"{name}: the id stands twice" for name, n in Counter(row["id"] for row in questions).items() if n > 1]
    for fault in faults:
        print(fault, file=sys.stderr)
    counts = Counter((row["area"], row["answerable"]) for row in questions)
    parts = [f"{area} {'answerable' if known else 'unanswerable'} {n}" for (area, known), n in sorted(counts.items())]
    print(f"{len(corpus)} documents, {len(questions)} questions ({', '.join(parts)}), {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
