//! Each constraint against values that keep it and values that break it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use super::{Graph, Triples, Violation, validate};
use crate::Schema;
use oxttl::TurtleParser;

const PREFIXES: &str = "@prefix e: <http://example.com/> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
";

/// A class with one rule on `e:p`.
fn schema(rule: &str) -> Schema {
    let declared =
        "e:C a rdfs:Class , sh:NodeShape . e:Town a rdfs:Class . e:City a rdfs:Class ; rdfs:subClassOf e:Town .
        e:p a rdf:Property ; rdfs:range rdfs:Resource .";
    let rule = if rule.contains("sh:path") { rule.to_owned() } else { format!("sh:path e:p ; {rule}") };
    Schema::parse(&format!("{PREFIXES}{declared} e:C sh:property [ {rule} ] ."), "s")
        .unwrap_or_else(|error| panic!("{rule}: {error}"))
}

fn data(turtle: &str, schema: &Schema) -> Triples {
    let text = format!("{PREFIXES}{turtle}");
    let graph: Graph = TurtleParser::new().for_slice(text.as_bytes()).map(Result::unwrap).collect();
    Triples::new(graph, schema)
}

/// What is broken and by which value.
fn told(found: &[Violation<'_>]) -> Vec<String> {
    let value = |violation: &Violation<'_>| violation.value.as_ref().map(ToString::to_string).unwrap_or_default();
    let mut told: Vec<String> = found
        .iter()
        .map(|violation| format!("{} {}", violation.constraint.name(), value(violation)).trim().to_owned())
        .collect();
    told.sort();
    told
}

/// Of some values in Turtle those that break a rule are told, each with what it breaks.
fn broken(rule: &str, values: &str) -> Vec<String> {
    let schema = schema(rule);
    let said = if values.is_empty() { String::new() } else { format!(" ; e:p {values}") };
    told(&validate(&schema, &data(&format!("e:x a e:C{said} . e:rome a e:City . e:y e:p 1 , 2 , 3 ."), &schema)))
}

#[test]
fn numbers_of_values() {
    for (rule, values, expected) in [
        ("sh:minCount 1", "", vec!["min_count"]),
        ("sh:minCount 1", "1", vec![]),
        ("sh:minCount 0", "", vec![]),
        ("sh:maxCount 1", "1 , 2", vec!["max_count"]),
        // A value that is said twice is one.
        ("sh:maxCount 1", "1 , 1", vec![]),
        ("sh:maxCount 0", "1", vec!["max_count"]),
        ("sh:minCount 3 ; sh:maxCount 3", "1 , 2", vec!["min_count"]),
        ("sh:hasValue 1", "1 , 2", vec![]),
        ("sh:hasValue 1", "01 , 1.0", vec!["has_value"]),
        ("sh:hasValue 1 , e:rome", "2", vec!["has_value", "has_value"]),
        (
            "sh:uniqueLang true",
            "\"a\"@en , \"b\"@EN , \"c\"@de , \"d\"@de , \"e\"@fr , \"f\" , \"g\"",
            vec!["unique_lang", "unique_lang"],
        ),
        ("sh:uniqueLang true", "\"a\"@en , \"b\"@en-GB , 1", vec![]),
    ] {
        assert_eq!(broken(rule, values), expected, "{rule}: {values}");
    }
}

#[test]
fn what_each_value_must_be() {
    let rome = "<http://example.com/rome>";
    let xsd = |text: &str, kind: &str| format!("\"{text}\"^^<http://www.w3.org/2001/XMLSchema#{kind}>");
    // The rule, its name, values that keep it, and each value that breaks it with how it is told.
    type Broken<'a> = Vec<(&'a str, String)>;
    let table: Vec<(&str, &str, &str, Broken<'_>)> = vec![
        (
            "sh:class e:Town",
            "class",
            "e:rome",
            vec![("e:paris", "<http://example.com/paris>".to_owned()), ("\"rome\"", "\"rome\"".to_owned())],
        ),
        (
            "sh:datatype xsd:integer",
            "datatype",
            "1 , -01",
            vec![
                ("1.5", xsd("1.5", "decimal")),
                ("\"x\"^^xsd:integer", xsd("x", "integer")),
                ("e:rome", rome.to_owned()),
            ],
        ),
        (
            "sh:datatype xsd:byte",
            "datatype",
            "\"-128\"^^xsd:byte",
            vec![("\"300\"^^xsd:byte", xsd("300", "byte")), ("55", xsd("55", "integer"))],
        ),
        (
            "sh:datatype xsd:date",
            "datatype",
            "\"2024-02-29\"^^xsd:date , \"2024-01-01Z\"^^xsd:date",
            vec![
                ("\"2023-02-29\"^^xsd:date", xsd("2023-02-29", "date")),
                ("\"2023-01-01\"", "\"2023-01-01\"".to_owned()),
            ],
        ),
        ("sh:datatype rdf:langString", "datatype", "\"a\"@en", vec![("\"a\"", "\"a\"".to_owned())]),
        ("sh:datatype xsd:string", "datatype", "\"a\"", vec![("\"a\"@en", "\"a\"@en".to_owned())]),
        (
            "sh:datatype xsd:boolean",
            "datatype",
            "true , \"0\"^^xsd:boolean",
            vec![("\"yes\"^^xsd:boolean", xsd("yes", "boolean"))],
        ),
        ("sh:datatype e:shoe", "datatype", "\"anything\"^^e:shoe", vec![("42", xsd("42", "integer"))]),
        ("sh:nodeKind sh:IRI", "node_kind", "e:rome", vec![("1", xsd("1", "integer"))]),
        ("sh:nodeKind sh:Literal", "node_kind", "1", vec![("e:rome", rome.to_owned())]),
        ("sh:nodeKind sh:BlankNode", "node_kind", "[]", vec![("e:rome", rome.to_owned())]),
        ("sh:nodeKind sh:BlankNodeOrIRI", "node_kind", "e:rome , []", vec![("1", xsd("1", "integer"))]),
        ("sh:nodeKind sh:BlankNodeOrLiteral", "node_kind", "1 , []", vec![("e:rome", rome.to_owned())]),
        ("sh:nodeKind sh:IRIOrLiteral", "node_kind", "1 , e:rome", vec![("_:b", "_:b".to_owned())]),
        (
            "sh:pattern \"^http://example\"",
            "pattern",
            "e:rome , \"http://example\"@en",
            vec![("\"x\"", "\"x\"".to_owned()), ("_:b", "_:b".to_owned())],
        ),
        ("sh:pattern \"^1\"", "pattern", "12 , 1.5", vec![("21", xsd("21", "integer"))]),
        (
            "sh:minLength 3",
            "min_length",
            "\"äöü\"@de , 123 , e:rome",
            vec![("\"ab\"", "\"ab\"".to_owned()), ("_:b", "_:b".to_owned())],
        ),
        (
            "sh:maxLength 2",
            "max_length",
            "\"äö\" , 12",
            vec![("123", xsd("123", "integer")), ("_:b", "_:b".to_owned())],
        ),
        (
            "sh:minInclusive 4",
            "min_inclusive",
            "4 , 4.0 , 1e9 , \"5\"^^xsd:byte",
            vec![
                ("3.9", xsd("3.9", "decimal")),
                ("\"5\"", "\"5\"".to_owned()),
                ("e:rome", rome.to_owned()),
                ("\"x\"^^xsd:integer", xsd("x", "integer")),
            ],
        ),
        (
            "sh:maxInclusive 4",
            "max_inclusive",
            "4.0 , -99999999999999999999999999",
            vec![("99999999999999999999999999", xsd("99999999999999999999999999", "integer"))],
        ),
        ("sh:minExclusive 4", "min_exclusive", "4.1", vec![("4", xsd("4", "integer"))]),
        ("sh:maxExclusive 4", "max_exclusive", "3.9", vec![("4.0", xsd("4.0", "decimal"))]),
        (
            "sh:minInclusive \"2020-01-01\"^^xsd:date",
            "min_inclusive",
            "\"2020-01-01\"^^xsd:date",
            vec![
                ("\"2019-12-31\"^^xsd:date", xsd("2019-12-31", "date")),
                ("\"2021\"^^xsd:gYear", xsd("2021", "gYear")),
            ],
        ),
        // A time without a zone lies neither before nor after one with a zone that is near.
        (
            "sh:minInclusive \"2002-10-10T12:00:00-05:00\"^^xsd:dateTime",
            "min_inclusive",
            "\"2002-10-10T12:00:01-05:00\"^^xsd:dateTime",
            vec![("\"2002-10-10T12:00:00\"^^xsd:dateTime", xsd("2002-10-10T12:00:00", "dateTime"))],
        ),
        (
            "sh:maxInclusive \"m\"",
            "max_inclusive",
            "\"a\" , \"m\"",
            vec![("\"n\"", "\"n\"".to_owned()), ("\"a\"@en", "\"a\"@en".to_owned())],
        ),
        (
            "sh:maxInclusive \"P1Y\"^^xsd:duration",
            "max_inclusive",
            "\"P11M\"^^xsd:duration",
            vec![("\"P13M\"^^xsd:duration", xsd("P13M", "duration"))],
        ),
        (
            "sh:in ( 1 e:rome \"a\"@en )",
            "one_of",
            "1 , e:rome , \"a\"@en",
            vec![("01", xsd("01", "integer")), ("\"a\"", "\"a\"".to_owned())],
        ),
        (
            "sh:languageIn ( \"en\" \"zh-Hans\" )",
            "language_in",
            "\"a\"@en-GB , \"a\"@EN , \"a\"@zh-hans",
            vec![
                ("\"a\"@zh", "\"a\"@zh".to_owned()),
                ("\"a\"@eng", "\"a\"@eng".to_owned()),
                ("\"a\"", "\"a\"".to_owned()),
                ("1", xsd("1", "integer")),
            ],
        ),
    ];
    for (rule, name, kept, breaking) in table {
        assert_eq!(broken(rule, kept), [] as [String; 0], "{rule}: {kept}");
        for (value, shown) in breaking {
            assert_eq!(broken(rule, value), [format!("{name} {shown}")], "{rule}: {value}");
        }
        assert_eq!(broken(rule, ""), [] as [String; 0], "{rule}: of no values every one is right");
    }
}

#[test]
fn the_other_way_round_and_of_subclasses() {
    let schema = Schema::parse(
        &format!("{PREFIXES}e:C a rdfs:Class , sh:NodeShape ; sh:property [ sh:path [ sh:inversePath e:p ] ; sh:maxCount 1 ; sh:class e:D ] .
            e:D a rdfs:Class ; rdfs:subClassOf e:C . e:p a rdf:Property ; rdfs:range rdfs:Resource ."),
        "s",
    )
    .unwrap();
    // `e:E` is a subclass in the data alone, and `e:D` in the schema.
    let data = data(
        "e:E rdfs:subClassOf e:D . e:a a e:E . e:b a e:E , e:C ; e:p e:a . e:c e:p e:a , e:o . e:o a e:Other .",
        &schema,
    );
    let found = validate(&schema, &data);
    assert_eq!(told(&found), ["class <http://example.com/c>", "max_count"]);
    assert!(found.iter().all(|violation| violation.focus.to_string() == "<http://example.com/a>"), "{found:?}");
}

#[test]
fn closed_classes() {
    let schema = Schema::parse(
        &format!(
            "{PREFIXES}e:C a rdfs:Class , sh:NodeShape ; sh:closed true ; sh:ignoredProperties ( rdf:type ) ;
            sh:property [ sh:path e:p ] , [ sh:path [ sh:inversePath e:q ] ] .
            e:p a rdf:Property ; rdfs:range rdfs:Resource . e:q a rdf:Property ; rdfs:range rdfs:Resource ."
        ),
        "s",
    )
    .unwrap();
    let data = data("e:x a e:C ; e:p 1 ; e:q 2 ; rdfs:label \"x\" . e:y e:r 1 .", &schema);
    let found = validate(&schema, &data);
    assert_eq!(told(&found), ["closed \"2\"^^<http://www.w3.org/2001/XMLSchema#integer>", "closed \"x\""]);
    let relations: Vec<&str> = found.iter().map(|violation| violation.relation.as_str()).collect();
    assert!(relations.contains(&"http://example.com/q"), "{relations:?}");
}

#[test]
fn what_is_broken_is_said_in_sentences() {
    for (rule, lang, expected) in [
        ("sh:minCount 2", "en", "“p” must have at least 2 values."),
        ("sh:minCount 2", "zh", "“p”至少要有 2 个值。"),
        (
            "sh:path [ sh:inversePath e:p ] ; sh:minCount 1",
            "en",
            "“p” the other way round must have at least 1 values.",
        ),
        ("sh:minCount 2 ; sh:message \"Two!\"@en , \"两个！\"@zh", "zh", "两个！"),
        ("sh:hasValue e:rome , 1", "en", "“p” must have <http://example.com/rome>, 1 among its values."),
    ] {
        let schema = schema(rule);
        let data = data("e:x a e:C .", &schema);
        let found = validate(&schema, &data);
        assert_eq!(found[0].message(&schema, lang), expected, "{rule}");
    }
}
