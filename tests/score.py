#!/usr/bin/env python3
"""Score the answers that `factmask eval --dump` wrote a second time, and say where the two scorings part.

    score.py DUMP QUESTIONS.jsonl [--json]

DUMP holds one JSON object a line (see `factmask eval --help`), QUESTIONS.jsonl the set it was asked from. What is right
is computed from the set's own gold answers and the values given, by the rules the sets publish; nothing is taken from
the dump's `score` and `verdict` but to compare. Nothing here shares code or tables with the scorer in `server`.
Exit code: 0 when all rows agree, 1 when a row does not, 2 when a file cannot be read.
"""

import json
import math
import re
import string
import sys
import unicodedata
from collections import Counter
from decimal import Decimal
from functools import cache

FIELDS = ("right", "hit", "exact", "precision", "recall", "f1")

# Sets whose gold is one full set of answers, by how their name begins; in the others each gold answer is a way to say it.
FULL_SET = ("metaqa", "geo880", "pathq", "pql", "wc2014", "nlpcc", "ccks", "qald", "wikitablequestions")
# Sets that score the longest common run of tokens instead of the tokens in common.
LONGEST_RUN = ("cmrc2018",)

MONTHS = "january february march april may june july august september october november december".split()
NUMBER = re.compile(r"(?<![a-z\d.])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![.,]?\d)")
WHOLE_NUMBER = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d+)?")
MONTH = r"(?P<m>[a-z]{3,9})\.?"
DATES = [
    re.compile(r"(?P<y>\d{4})(?:-|/|\.|年)(?P<m>\d{1,2})(?:(?:-|/|\.|月)(?P<d>\d{1,2})[日号]?|月)"),
    re.compile(r"(?P<y>\d{4})年?"),
    re.compile(rf"(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\.? (?:of )?{MONTH},? (?P<y>\d{{4}})"),
    re.compile(rf"{MONTH} (?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y>\d{{4}})"),
    re.compile(rf"{MONTH},? (?P<y>\d{{4}})"),
    re.compile(rf"(?P<y>\d{{4}}),? {MONTH} (?P<d>\d{{1,2}})"),
]
HAN = "[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"  # written without spaces, kana among it
POINT, MARK = "\ue000", "\ue001"  # stand for a point between digits, and for any other mark


def lower(text):
    """NFKC, lower case, one space between words."""
    return " ".join(unicodedata.normalize("NFKC", text).lower().split())


def decimal(text):
    """`1,200.50` as `1200.5`: the shortest way to write the same number."""
    value = format(Decimal(text.replace(",", "")), "f")
    return (value.rstrip("0").rstrip(".") if "." in value else value) or "0"


def punctuation(char):
    return char in string.punctuation or unicodedata.category(char)[0] == "P"


@cache
def plain(text):
    """The words of a text: no marks, no articles, no spaces beside Chinese, each number in its shortest writing.

    A mark within a word falls away, as in the sets' own scripts; one between two numbers keeps them two.
    """
    bare = NUMBER.sub(lambda found: decimal(found[0]), lower(text))
    bare = re.sub(r"(?<=\d)\.(?=\d)", POINT, bare)
    bare = "".join(MARK if punctuation(c) else c for c in bare)
    bare = re.sub(rf"(?<=\d){MARK}+(?=\d)", " ", bare).replace(MARK, "").replace(POINT, ".").split()
    bare = " ".join(word for word in bare if word not in ("a", "an", "the"))
    bare = re.sub(rf"(?<={HAN}) | (?={HAN})", "", bare)
    return bare or lower(text)  # a title may be nothing but marks


@cache
def number(text):
    text = lower(text)
    return Decimal(text.replace(",", "")) if WHOLE_NUMBER.fullmatch(text) else None


@cache
def iso(text):
    """A text that is a date and nothing else, as YYYY[-MM[-DD]]; None for any other text."""
    for pattern in DATES:
        found = pattern.fullmatch(lower(text).rstrip("."))
        if not found:
            continue
        year, month, day = (found.groupdict().get(part) for part in "ymd")
        if month and month.isalpha():
            month = next((i for i, name in enumerate(MONTHS, 1) if name.startswith(month)), 0)
        if month is None or 1 <= int(month) <= 12:
            return "-".join([year] + [f"{int(part):02}" for part in (month, day) if part])
    return None


def same_number(a, b):
    """Equal; where one has a fraction, to six places (two programs add in different order)."""
    return a == b or (a % 1 or b % 1) and math.isclose(a, b, rel_tol=1e-6)


@cache
def equal(a, b):
    for read, same in ((number, same_number), (iso, str.__eq__)):
        one, other = read(a), read(b)
        if one is not None and other is not None:
            return bool(same(one, other))
    return plain(a) == plain(b)


@cache
def contains(text, part):
    """Whether `text` says `part` as words: not within a longer word or number. Chinese characters are words."""
    text, part = plain(text), plain(part)
    glued = lambda a, b: all(c == "." or c.isalnum() and not re.match(HAN, c) for c in (a, b))
    start = text.find(part) if part else -1
    while start >= 0:
        end = start + len(part)
        if not (start and glued(text[start - 1], part[0]) or end < len(text) and glued(part[-1], text[end])):
            return True
        start = text.find(part, start + 1)
    return False


def tokens(text):
    """Words, and single characters of Chinese."""
    return re.findall(rf"{HAN}|(?:(?!{HAN})\S)+", plain(text))


def longest_run(a, b):
    best, lengths = 0, [0] * (len(b) + 1)
    for x in a:
        lengths = [0] + [lengths[j] + 1 if x == y else 0 for j, y in enumerate(b)]
        best = max(best, *lengths)
    return best


def balanced(precision, recall):
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def unlike(items, like):
    """The items without those that are like an earlier one."""
    return [item for i, item in enumerate(items) if not any(like(item, earlier) for earlier in items[:i])]


def named(forms, wanted, free_text):
    """Which of the gold answers a value is; a free text may hold several, where the longer counts and not what it holds."""
    own = {i for i, answer in enumerate(wanted) if any(equal(form, answer) for form in forms)}
    if own or not free_text:
        return own
    held = {i for i, answer in enumerate(wanted) if any(contains(form, answer) for form in forms)}
    return {i for i in held if not any(j != i and contains(wanted[j], wanted[i]) for j in held)}


def by_set(values, gold, free_text):
    """The gold answers are one set, and so are the values given."""
    given = unlike(values, lambda a, b: list(map(plain, a)) == list(map(plain, b)))
    wanted = unlike(gold, equal)
    fits = [named(forms, wanted, free_text) for forms in given]
    good, found = sum(map(bool, fits)), len(set().union(*fits))
    precision, recall = good / len(given), found / len(wanted)
    return {
        "right": good == len(given),
        "hit": bool(fits[0]),
        "exact": good == len(given) and found == len(wanted),
        "precision": precision,
        "recall": recall,
        "f1": balanced(precision, recall),
    }


def said(values):
    """What was given as one text, once in each way to say it."""
    ways = max(len(forms) for forms in values)
    return [", ".join(forms[min(way, len(forms) - 1)] for forms in values) for way in range(ways)]


def by_slot(values, slots):
    """Each slot wants one of its alternatives, contained anywhere, within a word too, as the set's authors have it."""
    texts = [plain(form) for forms in values for form in forms]
    share = sum(any(plain(way) in text for way in slot for text in texts) for slot in slots) / len(slots)
    whole = share == 1
    return {"right": whole, "hit": whole, "exact": whole, "precision": share, "recall": share, "f1": share}


def by_alternative(values, gold, free_text, run):
    """Each gold answer is a way to say the one answer: the best of them counts."""
    texts, best = said(values), (0.0, 0.0, 0.0)
    fits = lambda text: any(equal(text, answer) or contains(text, answer) for answer in gold)
    exact = any(equal(text, answer) for text in texts for answer in gold)
    for a, b in ((tokens(text), tokens(answer)) for text in texts for answer in gold):
        common = longest_run(a, b) if run else sum((Counter(a) & Counter(b)).values())
        precision, recall = common / (len(a) or 1), common / (len(b) or 1)
        best = max(best, (balanced(precision, recall), precision, recall), key=lambda shares: shares[0])
    f1, precision, recall = (1.0, 1.0, 1.0) if exact else best
    right = any(map(fits, texts))
    if free_text:  # one answer, whatever its commas
        hit = right
    else:  # no value may be wrong, unless together they are the answer
        named = [any(map(fits, forms)) for forms in values]
        hit, right = named[0], exact or all(named)
    return {"right": right, "hit": hit, "exact": exact, "precision": precision, "recall": recall, "f1": f1}


def score(line, row):
    """The score of one dumped line against the set's own row."""
    values = line["forms"]
    if not values or not answerable(row):
        return {"right": False, "hit": False, "exact": False, "precision": 0.0, "recall": 0.0, "f1": 0.0}
    if row.get("answer_slots"):
        return by_slot(values, row["answer_slots"])
    if line["set"].startswith(FULL_SET):
        return by_set(values, row["answers"], line["free_text"])
    return by_alternative(values, row["answers"], line["free_text"], line["set"].startswith(LONGEST_RUN))


def answerable(row):
    return bool(row.get("answerable", True) and row["answers"])


def verdict(line, right):
    """A line with no bar has no confidence to hold against one."""
    bar, confidence = line.get("bar"), line.get("confidence")
    below = bar is not None and confidence is not None and confidence < bar
    return "refused" if below or not line["given"] else "right" if right else "wrong"


def disagreements(line, row):
    """Pairs that part, as (field, what was dumped, what it is)."""
    if row is None:
        return [("id", line["id"], "no such question")]
    mine = score(line, row)
    theirs = line["score"]
    pairs = [(field, theirs.get(field), mine[field]) for field in FIELDS]
    pairs += [("verdict", line["verdict"], verdict(line, mine["right"])), ("answerable", line["answerable"], answerable(row))]
    pairs += [("gold", sorted(line["gold"]), sorted(row["answers"]))]
    return [(field, a, b) for field, a, b in pairs if not agree(a, b)]


def agree(a, b):
    if isinstance(b, float) and isinstance(a, (int, float)) and not isinstance(a, bool):
        return math.isclose(a, b, abs_tol=1e-6)
    return type(a) is type(b) and a == b


def read(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def by_id(rows):
    """Rows by id; one that stands again is `id#2`, as in the dump."""
    times, named = Counter(), {}
    for row in rows:
        times[row["id"]] += 1
        named[row["id"] if times[row["id"]] == 1 else f"{row['id']}#{times[row['id']]}"] = row
    return named


def check(lines, rows):
    """All disagreements, and the totals as they are."""
    faults, totals = [], Counter(rows=len(lines))
    for (mode, id), count in Counter((line["mode"], line["id"]) for line in lines).items():
        if count > 1:
            faults.append({"id": id, "mode": mode, "field": "id", "dumped": f"{count} lines", "scored": "1 line"})
    for line in lines:
        row = rows.get(line["id"])
        for field, dumped, scored in disagreements(line, row):
            where = {key: line[key] for key in ("id", "mode", "forms", "gold")}
            faults.append(where | {"field": field, "dumped": dumped, "scored": scored})
        if row:
            mine = score(line, row)
            totals.update(mine | {verdict(line, mine["right"]): 1, "answerable": answerable(row)})
    return faults, totals


def main(arguments):
    paths = [argument for argument in arguments if argument != "--json"]
    if len(paths) != 2 or any(path.startswith("-") for path in paths):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        lines, rows = read(paths[0]), by_id(read(paths[1]))
        # Twins without an answer are other questions than the set's.
        lines = [line for line in lines if "twin" not in line]
        faults, totals = check(lines, rows)
    except (OSError, ValueError) as error:
        print(f"score.py: {error}", file=sys.stderr)
        return 2
    except (KeyError, TypeError, AttributeError) as error:
        print(f"score.py: {paths[0]} or {paths[1]}: a line lacks {error}; was the dump written by this version?", file=sys.stderr)
        return 2
    report(faults, totals, "--json" in arguments)
    return 1 if faults else 0


def report(faults, totals, as_json):
    if as_json:
        print(json.dumps({"totals": totals, "disagreements": faults}, ensure_ascii=False, indent=1))
        return
    print("  ".join(f"{name} {value:g}" for name, value in totals.items()))
    for fault in faults:
        print(", ".join(f"{key} {value}" for key, value in fault.items()))
    print(f"{len(faults)} disagreements")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
