#!/usr/bin/env python3
"""Writes `second.jsonl`: 40 pairs by another logic than the first set, which was made up pair by pair.

A record with some true attributes is drawn, and a document states a part of them under the record's name. Its partner is either
the same record, stated in another part and under a name that was changed in one of seven ways, or another record under the same
or a changed name. What a document states is drawn, so that some pairs hold little that tells. The seed is fixed; the set was
written once, after the rules had settled, and is not drawn again.
"""

import json
import random
from pathlib import Path

random.seed(20261201)

PEOPLE = [("Amara", "Nwosu"), ("Bjorn", "Halvorsen"), ("Camille", "Béraud"), ("Dario", "Fontana"), ("Elif", "Yıldız"),
          ("Farid", "Rahmani"), ("Greta", "Lindqvist"), ("Henry", "Ashdown"), ("Ines", "Carvalho"), ("Jonas", "Petersen")]
HAN = [("周", "文博", "Zhou", "Wenbo"), ("吴", "晓彤", "Wu", "Xiaotong"), ("徐", "建国", "Xu", "Jianguo"), ("孙", "丽", "Sun", "Li"),
       ("何", "雨桐", "He", "Yutong"), ("高", "翔", "Gao", "Xiang")]
FIRMS = ["Lakeshore Textiles", "Orbital Dynamics", "Pinecrest Foods", "Quartz Hill Mining", "Riverbend Paper", "Solstice Optics",
         "Tidewater Shipping", "Umbra Lighting", "Verdant Farms", "Westhaven Steel"]
HAN_FIRMS = ["云峰机械", "海棠医药", "金桥玻璃", "松林纸业"]
CITIES = ["Aldermoor", "Brackwater", "Coldhaven", "Dunsmere", "Eastleigh Bay", "Fernhollow"]
HAN_CITIES = ["临川", "云溪", "海门"]
LEGAL = ["Inc.", "Ltd", "GmbH", "LLC"]


def person(han=False):
    return {"kind": "person", "employer": random.choice(HAN_FIRMS if han else FIRMS),
            "born": f"{random.randint(1940, 1999)}-{random.randint(1, 12):02}-{random.randint(1, 28):02}",
            "residence": random.choice(HAN_CITIES if han else CITIES), "award": f"Prize {random.randint(100, 999)}"}


def firm(han=False):
    return {"kind": "company", "seat": random.choice(HAN_CITIES if han else CITIES), "founded": str(random.randint(1850, 2015)),
            "chief": " ".join(random.choice(PEOPLE)), "product": f"Model {random.randint(100, 999)}"}


HEAD = {"person": "person", "company": "company", "employer": "employer", "born": "date of birth", "residence": "residence", "award": "award",
        "seat": "headquarters", "founded": "founded", "chief": "chief executive", "product": "product"}
SAID = {"employer": "{s} works for {o}.", "born": "The date of birth of {s} is {o}.", "residence": "{s} lives in {o}.",
        "award": "An award of {s} is \"{o}\".", "seat": "{s} is headquartered in {o}.", "founded": "{s} was founded in {o}.",
        "chief": "The chief executive of {s} is {o}.", "product": "A product of {s} is \"{o}\"."}


def document(name, record, keys):
    if random.random() < 0.5 and name.isascii():
        return "txt", " ".join(SAID[key].format(s=name, o=record[key]) for key in keys) + "\n"
    cell = lambda text: f'"{text}"' if "," in text else text
    return "csv", ",".join([record["kind"]] + [HEAD[key] for key in keys]) + "\n" + ",".join([cell(name)] + [record[key] for key in keys]) + "\n"


def facts(record, least):
    keys = [key for key in record if key != "kind"]
    return random.sample(keys, random.randint(least, len(keys)))


rows = []


def add(same, one, other, first, second, least):
    number = len(rows)
    keys = facts(first, least)
    # The partner states at least one thing of the same kind: else no reader could tell.
    others = facts(second, least)
    if not set(keys) & set(others):
        others.append(keys[0])
    docs = {}
    names = []
    for side, name, record, said in [("a", one, first, keys), ("b", other, second, others)]:
        ending, text = document(name, record, said)
        file = f"s{number:02}-{side}.{ending}"
        docs[file] = text
        names.append([file, name])
    rows.append({"id": f"s{number:02}", "same": same, "one": names[0], "other": names[1], "documents": docs})


def plain(text):
    return text.translate(str.maketrans("éıäö", "eiao"))


people, hans, firms, hanfirms = iter(PEOPLE), iter(HAN), iter(FIRMS), iter(HAN_FIRMS)
# 20 the same: the name as it is, without accents, turned, with an initial, in Latin letters, with a legal form, as an acronym.
for change in ["as it is", "accents", "turned", "accents", "initial", "initial", "as it is"]:
    first, last = next(people)
    record, name = person(), f"{first} {last}"
    other = {"as it is": name, "accents": plain(name), "turned": f"{last}, {first}", "initial": f"{first[0]}. {last}"}[change]
    add(True, name, other, record, record, 3 if change == "initial" else 2)
for change in ["latin", "latin", "as it is"]:
    family, given, latin_family, latin_given = next(hans)
    record = person(True)
    add(True, family + given, f"{latin_given} {latin_family}" if change == "latin" else family + given, record, record,
        3 if change == "latin" else 2)
for change in ["legal", "legal", "legal", "acronym", "acronym", "as it is"]:
    name, record = next(firms), firm()
    long = name + " Works Association"
    acronym = "".join(word[0] for word in long.split())
    one, other = (long, acronym) if change == "acronym" else (name, f"{name} {random.choice(LEGAL)}" if change == "legal" else name)
    add(True, one, other, record, record, 3 if change == "acronym" else 2)
for change in ["legal", "legal", "as it is", "short"]:
    name, record = next(hanfirms), firm(True)
    other = {"legal": name + "有限公司", "as it is": name, "short": name + "集团有限公司"}[change]
    add(True, name, other, record, record, 3 if change == "short" else 2)
# 20 different: the same name, or one that could be a changed one, of another record.
people, hans, firms, hanfirms = iter(PEOPLE[::-1]), iter(HAN[::-1]), iter(FIRMS[::-1]), iter(HAN_FIRMS[::-1])
SECOND = ["Okonjo", "Haraldsen", "Moreau", "Ricci", "Demir", "Karimi", "Nyberg", "Blackwood", "Almeida", "Madsen"]
for change in ["as it is", "as it is", "as it is", "as it is", "initial", "initial", "brother"]:
    (first, _), last = next(people), SECOND.pop()
    name = f"{first} {last}"
    other = {"as it is": name, "initial": f"{first[0]}. {last}", "brother": f"{first[0]}nton {last}"}[change]
    add(False, name, other, person(), person(), 2)
for change in ["as it is", "as it is", "latin", "latin"]:
    family, given, latin_family, latin_given = next(hans)
    name = "马" + given
    add(False, name, name if change == "as it is" else f"Ma {latin_given}", person(True), person(True), 2)
WORDS = ["Cobalt Ridge", "Ember Lane", "Falcon Point", "Granite Pass", "Hollow Creek", "Ivory Coast Trading"]
for change in ["as it is", "as it is", "legal forms", "daughter", "acronym", "group"]:
    name = WORDS.pop()
    one, other = {"as it is": (name, name), "legal forms": (name + " Inc.", name + " GmbH"), "daughter": (name, name + " Energy"),
                  "acronym": ("".join(word[0] for word in (name + " Farmers Union").split()), name + " Farmers Union"),
                  "group": (name, name + " Group")}[change]
    add(False, one, other, firm(), firm(), 2)
for change in ["as it is", "legal forms", "daughter"]:
    name = next(hanfirms)[::-1]
    one, other = {"as it is": (name, name), "legal forms": (name + "有限公司", name + "股份有限公司"), "daughter": (name, name + "能源")}[change]
    add(False, one, other, firm(True), firm(True), 2)

assert len(rows) == 40 and sum(row["same"] for row in rows) == 20
Path(__file__).with_name("second.jsonl").write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
