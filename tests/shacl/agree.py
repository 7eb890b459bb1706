#!/usr/bin/env python3
"""Compares what `factmask schema validate` finds with pyshacl and with what a SHACL test suite expects.

    tests/shacl/agree.py SUITE/core [--factmask PATH] [--verbose]

A test is *offered* where the import of its shapes keeps no constraint and no target: everything that it asks is then a rule of a class.
Of the others, some ask only what rules ask, but of single nodes or of nodes themselves. They are *carried over* where that can be done
without changing what is asked: the target nodes get a class of their own, and a constraint on a node becomes one on the only value of a
node that is added for it. What is expected is carried over with them, and pyshacl is given the same files.

Compared are focus node, path, constraint component and value of each result, nodes without names by their being such. Exit status 1 where
anything differs.
"""

import argparse
import collections
import json
import logging
import pathlib
import subprocess
import sys
import tempfile
import warnings

import pyshacl
import rdflib
from rdflib import BNode, Graph, Literal, Namespace, OWL, RDF, RDFS, URIRef

# A literal is what it is written as, here as there: `"1"^^xsd:boolean` is not `true`.
rdflib.NORMALIZE_LITERALS = False

SH = Namespace("http://www.w3.org/ns/shacl#")
MF = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#")
SHT = Namespace("http://www.w3.org/ns/shacl-test#")
KEEPS = URIRef("urn:factmask:schema#keeps")
HERE = Namespace("urn:carried-over:")

# Properties that ask nothing.
NOTES = {SH.name, SH.description, SH.order, SH.group, SH.defaultValue}
# Those that ask nothing where they are false.
OFF = {SH.deactivated, SH.closed, SH.uniqueLang}
# What a rule asks of a value, as a node shape may ask it of a node.
OF_VALUES = {
    SH["class"], SH.datatype, SH.nodeKind, SH.pattern, SH.flags, SH.minLength, SH.maxLength, SH.minInclusive, SH.maxInclusive,
    SH.minExclusive, SH.maxExclusive, SH["in"], SH.hasValue, SH.languageIn, SH.severity, SH.message,
}
TARGETS = {SH.targetNode, SH.targetClass, SH.targetSubjectsOf, SH.targetObjectsOf}


class Test:
    """A test with its two graphs and the results that it expects."""

    def __init__(self, file, manifest, node):
        self.name = f"{file.parent.name}/{file.stem}"
        action = manifest.value(node, MF.action)
        result = manifest.value(node, MF.result)
        self.expected = None if (result, RDF.type, SH.ValidationReport) not in manifest else results(manifest, result)
        graphs = {}
        for part in (SHT.dataGraph, SHT.shapesGraph):
            where = str(manifest.value(action, part))
            if where not in graphs:
                same = where == file.resolve().as_uri()
                graphs[where] = without_test(manifest) if same else parsed(pathlib.Path(where.removeprefix("file://")))
        self.data = graphs[str(manifest.value(action, SHT.dataGraph))]
        self.shapes = graphs[str(manifest.value(action, SHT.shapesGraph))]


def parsed(file):
    return Graph().parse(file, format="turtle", publicID=file.resolve().as_uri())


def without_test(manifest):
    """The graph less what says the test itself."""
    gone, open_ = set(), [*manifest.subjects(RDF.type, MF.Manifest), *manifest.subjects(RDF.type, SHT.Validate)]
    while open_:
        node = open_.pop()
        if node in gone:
            continue
        gone.add(node)
        for predicate, value in manifest.predicate_objects(node):
            of_the_data = predicate in (SH.focusNode, SH.value, SH.sourceShape)
            if isinstance(value, BNode) and not of_the_data:
                open_.append(value)
    kept = Graph()
    for triple in manifest:
        if triple[0] not in gone:
            kept.add(triple)
    return kept


def named(term):
    """A term so that it can be compared between parsers."""
    if term is None:
        return None
    return "_:" if isinstance(term, BNode) else term.n3()


def path_of(graph, path):
    if path is None:
        return None
    inverse = graph.value(path, SH.inversePath) if isinstance(path, BNode) else None
    return f"^{inverse.n3()}" if inverse is not None else named(path)


def results(graph, report):
    found = collections.Counter()
    for result in graph.objects(report, SH.result):
        found[(
            named(graph.value(result, SH.focusNode)),
            path_of(graph, graph.value(result, SH.resultPath)),
            str(graph.value(result, SH.sourceConstraintComponent)),
            named(graph.value(result, SH.value)),
        )] += 1
    return found


def tests(folder):
    for file in sorted(folder.rglob("*.ttl")):
        manifest = parsed(file)
        for node in manifest.subjects(RDF.type, SHT.Validate):
            yield Test(file, manifest, node)


class Factmask:
    """The program, over files in a folder that goes again."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, *arguments):
        return subprocess.run([self.program, "--data", str(self.folder / "data"), *arguments], capture_output=True, text=True)

    def imported(self, shapes):
        """The shapes as a schema file, and which constraints and targets it only carries along."""
        file, own = self.folder / "shapes.ttl", self.folder / "own.ttl"
        # The N-Triples of the graph are Turtle too, and write each literal as it is.
        shapes.serialize(file, format="nt", encoding="utf-8")
        own.unlink(missing_ok=True)
        done = self.run("schema", "import", str(file), "-o", str(own))
        if done.returncode != 0:
            sys.exit(f"import: {done.stderr}")
        kept = Graph()
        for line in Graph().parse(own, format="turtle").objects(None, KEEPS):
            kept.parse(data=str(line), format="nt")
        asked = set()
        for subject, predicate, value in kept:
            harmless = predicate in NOTES or (predicate in OFF and not value.toPython()) or (predicate == SH.targetClass and subject == value)
            if str(predicate).startswith(str(SH)) and not harmless:
                asked.add(str(predicate).removeprefix(str(SH)))
        return own, asked

    def validated(self, own, data):
        file, report = self.folder / "data.nt", self.folder / "report.json"
        data.serialize(file, format="nt", encoding="utf-8")
        report.unlink(missing_ok=True)
        done = self.run("schema", "validate", str(file), "--schema", str(own), "--json", str(report))
        if not report.is_file():
            sys.exit(f"validate: {done.stderr}")
        found = collections.Counter()
        for result in json.loads(report.read_text())["results"]:
            terms = Graph().parse(data=f"<urn:s> <urn:focus> {result['focus']} .\n", format="nt")
            if result["value"] is not None:
                terms.parse(data=f"<urn:s> <urn:value> {result['value']} .\n", format="nt")
            relation = URIRef(result["relation"]).n3()
            found[(
                named(terms.value(URIRef("urn:s"), URIRef("urn:focus"))),
                f"^{relation}" if result["inverse"] else relation,
                result["component"],
                named(terms.value(URIRef("urn:s"), URIRef("urn:value"))),
            )] += 1
        return found


def oracle(data, shapes):
    _, report, _ = pyshacl.validate(data, shacl_graph=shapes, inference="none", advanced=False)
    # It sets this anew.
    rdflib.NORMALIZE_LITERALS = False
    return results(report, report.value(None, RDF.type, SH.ValidationReport))


def focus_nodes(shape, shapes, data):
    """The nodes that a shape is about, as the specification has its five targets."""
    def below(target):
        seen, open_ = {target}, [target]
        while open_:
            for child in data.subjects(RDFS.subClassOf, open_.pop()):
                if child not in seen:
                    seen.add(child)
                    open_.append(child)
        return seen

    classes = set(shapes.objects(shape, SH.targetClass))
    if any((shape, RDF.type, kind) in shapes for kind in (RDFS.Class, OWL.Class)):
        classes.add(shape)
    found = set(shapes.objects(shape, SH.targetNode))
    for target in classes:
        for kind in below(target):
            found.update(data.subjects(RDF.type, kind))
    for relation in shapes.objects(shape, SH.targetSubjectsOf):
        found.update(data.subjects(relation, None))
    for relation in shapes.objects(shape, SH.targetObjectsOf):
        found.update(data.objects(None, relation))
    return sorted(found, key=lambda node: node.n3())


def carry_over(test):
    """The test in terms of classes: shapes, data and expected results; None where something else is asked."""
    shapes, data = Graph(), Graph()
    shapes += test.shapes
    data += test.data
    expected = collections.Counter(test.expected)
    owners = {*shapes.subjects(SH.property, None), *(s for t in TARGETS for s in shapes.subjects(t, None))}
    owners.update(s for s in shapes.subjects(RDF.type, SH.NodeShape) if isinstance(s, URIRef))
    for number, shape in enumerate(sorted(owners, key=lambda node: node.n3())):
        if isinstance(shape, BNode):
            return None
        focus = focus_nodes(shape, shapes, data)
        about = HERE[f"class-{number}"]
        if (shape, SH.path, None) in shapes:
            # A property shape with targets of its own gets a node shape around it.
            around = HERE[f"around-{number}"]
            shapes.add((around, RDF.type, SH.NodeShape))
            shapes.add((around, SH.property, shape))
            for target in TARGETS:
                shapes.remove((shape, target, None))
            shape, said = around, []
        else:
            said = [(p, o) for p, o in shapes.predicate_objects(shape) if p in OF_VALUES]
        whole = [node for node in focus if not isinstance(node, Literal)]
        for triple in [(shape, t, None) for t in TARGETS] + [(shape, RDF.type, RDFS.Class), (shape, RDF.type, OWL.Class)]:
            shapes.remove(triple)
        if (shape, SH.property, None) in shapes or (shape, SH.closed, None) in shapes:
            shapes.add((shape, SH.targetClass, about))
            for node in whole:
                data.add((node, RDF.type, about))
        else:
            shapes.remove((shape, RDF.type, SH.NodeShape))
        if said:
            several = collections.Counter(p for p, _ in said)
            holder, holders = HERE[f"shape-{number}"], HERE[f"holders-{number}"]
            shapes.add((holder, RDF.type, SH.NodeShape))
            shapes.add((holder, SH.targetClass, holders))
            groups = [said] if several[SH["class"]] < 2 else [[one] for one in said]
            for group in groups:
                rule = BNode()
                shapes.add((holder, SH.property, rule))
                shapes.add((rule, SH.path, HERE.value))
                for predicate, value in group:
                    shapes.remove((shape, predicate, value))
                    shapes.add((rule, predicate, value))
            for at, node in enumerate(focus):
                added = HERE[f"holder-{number}-{at}"]
                data.add((added, RDF.type, holders))
                data.add((added, HERE.value, node))
                for key in [key for key in expected if key[0] == named(node) and key[1] is None]:
                    # Of a value that is missing a property shape names none.
                    value = None if key[2] == str(SH.HasValueConstraintComponent) else key[3]
                    expected[(named(added), named(HERE.value), key[2], value)] += expected.pop(key)
    return shapes, data, expected


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("suite", type=pathlib.Path)
    parser.add_argument("--factmask", default="factmask")
    parser.add_argument("--verbose", action="store_true", help="say why a test is not offered")
    arguments = parser.parse_args()
    # Of literals that are written wrongly the suite has several, on purpose.
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    counts, differ = collections.Counter(), []
    with tempfile.TemporaryDirectory() as folder:
        program = Factmask(arguments.factmask, pathlib.Path(folder))
        for test in tests(arguments.suite):
            counts["tests"] += 1
            if test.expected is None:
                print(f"no report is expected: {test.name}")
                continue
            own, asked = program.imported(test.shapes)
            shapes, data, expected, way = test.shapes, test.data, test.expected, "as they are"
            if asked:
                carried = carry_over(test)
                if carried is not None:
                    shapes, data, expected = carried
                    own, left = program.imported(shapes)
                    way = "carried over"
                if carried is None or left:
                    if arguments.verbose:
                        print(f"not offered: {test.name}: {', '.join(sorted(asked))}")
                    continue
            counts[way] += 1
            counts["results"] += sum(expected.values())
            ours, theirs = program.validated(own, data), oracle(data, shapes)
            for who, other in (("the suite", expected), ("pyshacl", theirs)):
                if ours == other:
                    counts[f"{way}, as {who}"] += 1
                else:
                    differ.append(f"{test.name} ({way}): unlike {who}: ours alone {list(ours - other)}, theirs alone {list(other - ours)}")
    for one in differ:
        print(one)
    print(f"{counts['tests']} tests")
    for way in ("as they are", "carried over"):
        agree = ", ".join(f"{counts[f'{way}, as {who}']} as {who}" for who in ("the suite", "pyshacl"))
        print(f"{counts[way]} offered {way}: {agree}")
    print(f"{counts['results']} results expected")
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
