//! Every fault of a schema file is reported, on its line, with its term.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use factmask_schema::Schema;

const HEAD: &str = "@prefix fm: <urn:factmask:schema#> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . \
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> . \
@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> . \
@prefix ex: <http://example.com/> . ex:Person a rdfs:Class . ex:Place a rdfs:Class . \
ex:fiscalYear a fm:Qualifier ; rdfs:range xsd:gYear .\n";

/// Parses `body` behind [`HEAD`] (so it begins on line 2) and compares what is found: `line term: start of the message`.
fn check(body: &str, expected: &[&str]) {
    let found: Vec<String> = match Schema::parse(&format!("{HEAD}{body}"), "s.ttl") {
        Ok(_) => Vec::new(),
        Err(error) => {
            error.faults.iter().map(|fault| format!("{} {}: {}", fault.line, fault.term, fault.message)).collect()
        }
    };
    let fits =
        found.len() == expected.len() && found.iter().zip(expected).all(|(found, start)| found.starts_with(start));
    assert!(fits, "{body}\nexpected {expected:#?}\nfound {found:#?}");
}

#[test]
fn sound_schemas() {
    for body in [
        "",
        "ex:knows a rdf:Property, owl:SymmetricProperty ; rdfs:domain ex:Person ; rdfs:range ex:Person .",
        "ex:spouse a rdf:Property, owl:FunctionalProperty, owl:SymmetricProperty ; rdfs:range ex:Person .",
        "ex:in a owl:ObjectProperty .",
        "ex:in a rdf:Property ; rdfs:range owl:Thing ; rdfs:comment \"notes are passed over\" ; ex:note 1 .",
        "ex: a owl:Ontology ; rdfs:label \"a heading\" .",
        "ex:pay a rdf:Property ; rdfs:range xsd:decimal ; fm:unit \"USD\" ; fm:functionalPer ex:fiscalYear ;
            fm:statement \"{s} got {o}[ in {fiscalYear}].\"@en ; fm:question \"What did {s} get[ in {fiscalYear}]?\"@en .",
        "ex:a a rdf:Property ; rdfs:label \"same\" ; rdfs:range ex:Person . ex:b a rdf:Property ; rdfs:label \"same\" ; rdfs:range ex:Person .",
        "ex:has a rdf:Property ; rdfs:domain ex:Person ; rdfs:range ex:Place . ex:of a rdf:Property ; rdfs:domain ex:Place ;
            rdfs:range ex:Person ; owl:inverseOf ex:has .",
    ] {
        check(body, &[]);
    }
}

#[test]
fn syntax() {
    check("ex:a a rdf:Property\nex:b a rdf:Property .\n", &["3 syntax: "]);
    check(
        "ex:a nope:b ex:c .\nex:d a rdf:Property ; rdfs:range ex:Person .\nex:e \"no predicate\" .",
        &["2 syntax: ", "4 syntax: "],
    );
    check("ex:a rdfs:label \"open .\n", &["2 syntax: "]);
    check(
        "<> a owl:Ontology .",
        &["2 syntax: No scheme found in an absolute IRI; write the IRI in full or declare @base"],
    );
}

#[test]
fn terms() {
    check(
        "ex:a a rdf:Property ;\n  rdfs:range ex:Person ;\n  fm:statment \"{s} {o}\" .",
        &["4 fm:statment: is not a property that a schema knows; did you mean fm:statement?"],
    );
    check("ex:a a fm:Qualifer ; rdfs:range xsd:gYear .", &["2 fm:Qualifer: is not a type that a schema knows"]);
    check("ex:a\n  rdfs:label \"x\" .", &["3 <http://example.com/a>: is described but not declared"]);
    check("ex:Person\n  fm:question \"{s}?\" .", &["3 fm:question: stands on a class; it belongs to a relation"]);
    check(
        "ex:Person a\n  rdf:Property ; rdfs:range ex:Person .",
        &["3 <http://example.com/Person>: is declared as a "],
    );
    check(
        "ex:a a rdf:Property ; rdfs:range ex:Person ; rdfs:label ex:b .",
        &["2 <http://example.com/b>: is not words"],
    );
    check("ex:a a rdf:Property ; rdfs:range ex:Person ; rdfs:domain \"Person\" .", &["2 \"Person\": is not an IRI"]);
    check("ex:Person rdfs:label \" \" .", &["2 rdfs:label: is empty"]);
    check("[] a rdfs:Class .", &["2 []: a node without a name"]);
    check("ex:Person owl:disjointWith ex:Place .", &["2 owl:disjointWith: is not a property that a schema knows"]);
}

#[test]
fn ends() {
    check(
        "ex:a a rdf:Property ;\n  rdfs:domain ex:Persn ;\n  rdfs:range ex:Thing .",
        &[
            "3 <http://example.com/Persn>: is not a declared class; declare it with `a rdfs:Class`; did you mean",
            "4 <http://example.com/Thing>: is not a declared class",
        ],
    );
    check("ex:a a rdf:Property .", &["2 <http://example.com/a>: has no rdfs:range"]);
    check("ex:q a fm:Qualifier .", &["2 <http://example.com/q>: has no rdfs:range"]);
    check("ex:q a fm:Qualifier ; rdfs:range ex:Person .", &["2 <http://example.com/Person>: is not a datatype"]);
    check("ex:a a rdf:Property ; rdfs:range xsd:dat .", &["2 xsd:dat: is not a datatype that a schema knows"]);
    check("ex:a a owl:ObjectProperty ; rdfs:range xsd:date .", &["2 xsd:date: is a datatype, but"]);
    check(
        "ex:a a owl:DatatypeProperty ; rdfs:range ex:Person .",
        &["2 <http://example.com/Person>: is not a datatype, but"],
    );
    check("ex:a a rdf:Property ; rdfs:range ex:Person, ex:Place .", &["2 rdfs:range: is said 2 times"]);
    check(
        "ex:a a rdf:Property ; rdfs:range ex:Person ; fm:unit \"USD\" .",
        &["2 fm:unit: stands on something that is not"],
    );
    check("ex:q a fm:Qualifier ; rdfs:range xsd:date ; fm:calendar \"fiscal\" .", &["2 fm:calendar: stands on"]);
    check(
        "ex:q a fm:Qualifier ; rdfs:range xsd:gYear ; fm:calendar \"fiscall\" .",
        &["2 \"fiscall\": is not a calendar"],
    );
}

#[test]
fn cycles() {
    check(
        "ex:A a rdfs:Class ;\n  rdfs:subClassOf ex:B .\nex:B a rdfs:Class ;\n  rdfs:subClassOf ex:A .",
        &["3 <http://example.com/A>: is a subclass of itself", "5 <http://example.com/B>: is a subclass of itself"],
    );
    check("ex:A a rdfs:Class ; rdfs:subClassOf ex:A .", &["2 <http://example.com/A>: is a subclass of itself"]);
    check("ex:A a rdfs:Class ; rdfs:subClassOf ex:Nope .", &["2 <http://example.com/Nope>: is not a declared class"]);
}

#[test]
fn wordings() {
    let relation = |wordings: &str| format!("ex:a a rdf:Property ; rdfs:range ex:Person ;\n{wordings} .");
    for (wordings, expected) in [
        ("fm:statement \"The a of {s} is.\"@en", "3 fm:statement: \"The a of {s} is.\" has no object slot {o}"),
        ("fm:statement \"It is {o}.\"@en", "3 fm:statement: \"It is {o}.\" has no subject slot {s}"),
        ("fm:statement \"{s} {o} {o}\"@en", "3 fm:statement: \"{s} {o} {o}\" has 2 object slots"),
        ("fm:question \"What is it?\"@en", "3 fm:question: \"What is it?\" has no subject slot"),
        ("fm:question \"{s} and {s}?\"@en", "3 fm:question: \"{s} and {s}?\" has 2 subject slots"),
        ("fm:question \"Is {s} {o}?\"@en", "3 fm:question: \"Is {s} {o}?\" has an object slot"),
        (
            "fm:statement \"{s} [ in {fiscalYear} {o}\"@en",
            "3 fm:statement: \"{s} [ in {fiscalYear} {o}\" `[` has no partner",
        ),
        ("fm:statement \"{s} ] {o}\"@en", "3 fm:statement: \"{s} ] {o}\" `]` has no partner"),
        ("fm:statement \"{s {o}\"@en", "3 fm:statement: \"{s {o}\" `{` has no partner"),
        ("fm:statement \"{s} {o}}\"@en", "3 fm:statement: \"{s} {o}}\" `}` has no partner"),
        (
            "fm:statement \"{s} [[ {o} [a [b {fiscalYear}]]\"@en",
            "3 fm:statement: \"{s} [[ {o} [a [b {fiscalYear}]]\" a bracketed",
        ),
        ("fm:statement \"{s} {} {o}\"@en", "3 fm:statement: \"{s} {} {o}\" an empty slot"),
        ("fm:statement \"{s} [very] {o}\"@en", "3 fm:statement: \"{s} [very] {o}\" a bracketed part without"),
        ("fm:statement \"[{s} in {fiscalYear}] {o}\"@en", "3 fm:statement: \"[{s} in {fiscalYear}] {o}\" `{s}` inside"),
        (
            "fm:statement \"{s} {o}[ in {fiscalYer}]\"@en",
            "3 {fiscalYer}: in \"{s} {o}[ in {fiscalYer}]\" of <http://example.com/a> is not a declared qualifier; did you mean fiscalYear?",
        ),
        ("fm:question \"What is {subject}?\"@en", "3 fm:question: \"What is {subject}?\" has no subject slot"),
    ] {
        check(&relation(wordings), &[expected]);
    }
}

#[test]
fn functional() {
    check(
        "ex:a a rdf:Property ; rdfs:range ex:Person ;\n  fm:functionalPer ex:fiscalYer .",
        &["3 <http://example.com/fiscalYer>: is not a declared qualifier"],
    );
    check(
        "ex:a a rdf:Property, owl:FunctionalProperty ; rdfs:range ex:Person ;\n  fm:functionalPer ex:fiscalYear .",
        &["3 fm:functionalPer: contradicts owl:FunctionalProperty"],
    );
    check("ex:s a fm:Qualifier ; rdfs:range xsd:gYear .", &["2 <http://example.com/s>: would be written {s}"]);
    check(
        "<http://example.org/fiscalYear> a fm:Qualifier ; rdfs:range xsd:gYear .",
        &["2 <http://example.org/fiscalYear>: has the same local name"],
    );
}

#[test]
fn symmetric_and_inverse() {
    for (body, expected) in [
        (
            "ex:a a rdf:Property, owl:SymmetricProperty ; rdfs:range xsd:date .",
            "2 <http://example.com/a>: is symmetric, but its objects",
        ),
        (
            "ex:a a rdf:Property, owl:SymmetricProperty ; rdfs:domain ex:Person ; rdfs:range ex:Place .",
            "2 <http://example.com/a>: is symmetric, but its domain",
        ),
        (
            "ex:a a rdf:Property ; rdfs:range ex:Person ;\n owl:inverseOf ex:b .",
            "3 <http://example.com/b>: is not a declared relation",
        ),
        (
            "ex:a a rdf:Property ; rdfs:range ex:Person ;\n owl:inverseOf ex:a .",
            "3 <http://example.com/a>: is its own inverse",
        ),
        (
            "ex:a a rdf:Property ; rdfs:range ex:Person ;\n owl:inverseOf ex:b . ex:b a rdf:Property ; rdfs:range xsd:date .",
            "3 <http://example.com/b>: cannot be an inverse here",
        ),
        (
            "ex:a a rdf:Property ; rdfs:domain ex:Person ; rdfs:range ex:Place ;\n owl:inverseOf ex:b .
             ex:b a rdf:Property ; rdfs:domain ex:Person ; rdfs:range ex:Place .",
            "3 <http://example.com/b>: does not run the other way round",
        ),
        (
            "ex:b a rdf:Property, owl:SymmetricProperty ; rdfs:range ex:Person ; owl:inverseOf ex:c . ex:c a rdf:Property ; rdfs:range ex:Person .",
            "2 <http://example.com/b>: is symmetric, so it is its own inverse",
        ),
    ] {
        check(body, &[expected]);
    }
    check(
        "ex:a a rdf:Property ; rdfs:range ex:Person ;\n owl:inverseOf ex:b .\nex:b a rdf:Property ; rdfs:range ex:Person ;\n\
         owl:inverseOf ex:c .\nex:c a rdf:Property ; rdfs:range ex:Person ;\n owl:inverseOf ex:b .",
        &["3 <http://example.com/b>: has <http://example.com/c> as its inverse"],
    );
    check(
        "ex:a a rdf:Property ; rdfs:range ex:Person ;\n owl:inverseOf ex:b .\nex:b a rdf:Property ; rdfs:range ex:Person .\n\
         ex:c a rdf:Property ; rdfs:range ex:Person ;\n owl:inverseOf ex:b .",
        &["3 <http://example.com/b>: is claimed as inverse by", "6 <http://example.com/b>: is claimed as inverse by"],
    );
}

#[test]
fn lines_are_those_of_the_term() {
    // Values on lines of their own, a long text, and nothing behind the value for some lines.
    check(
        "ex:a\n  a rdf:Property\n  ;\n  rdfs:range\n    ex:Nope\n\n\n  ;\n  fm:statement\n    \"\"\"{s}\n  is\n  here\"\"\"@en\n\n  .\n",
        &["6 <http://example.com/Nope>", "11 fm:statement"],
    );
}

#[test]
fn one_line_a_fault() {
    let error = Schema::parse(&format!("{HEAD}ex:a a rdf:Property .\nex:b a rdf:Property ."), "dir/s.ttl").unwrap_err();
    let text = error.to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(
        lines.iter().zip(2..).all(|(line, number)| line.starts_with(&format!("dir/s.ttl:{number}: <http"))),
        "{text}"
    );
}

#[test]
fn hostile_input() {
    let deep = "[".repeat(100_000);
    let long =
        format!("ex:a a rdf:Property ; rdfs:range ex:Person ; fm:statement \"{}\" .", "{s} {o} [".repeat(20_000));
    for text in ["\u{0}", "@prefix", "<", "\"\"\"", &deep, &long] {
        assert!(Schema::parse(&format!("{HEAD}{text}"), "s").is_err());
    }
}
