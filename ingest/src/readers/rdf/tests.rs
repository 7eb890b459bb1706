//! RDF to facts, with the bytes of each statement.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use super::{Format, Malformed, Reader, Syntax};
use crate::draft::{Draft, Reading};
use crate::names::Names;
use crate::text::Decoded;
use factmask_graph::Value;
use factmask_schema::{Iri, Schema, local_name};

const PREFIXES: &str = "@prefix ex: <http://e/> .\n@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n";
const SCHEMA: &str = r#"
@prefix fm: <urn:factmask:schema#> .
ex:Company a rdfs:Class . ex:City a rdfs:Class .
ex:year a fm:Qualifier ; rdfs:range xsd:gYear ; fm:calendar "fiscal" .
ex:revenue a rdf:Property ; rdfs:domain ex:Company ; rdfs:range xsd:decimal ; fm:unit "USD" ; fm:functionalPer ex:year .
ex:seat a rdf:Property ; rdfs:domain ex:Company ; rdfs:range ex:City .
ex:motto a rdf:Property ; rdfs:domain ex:Company ; rdfs:range rdf:langString .
"#;

pub(super) fn read(syntax: Syntax, text: &str) -> Result<Reading, Malformed> {
    let schema = Schema::parse(&format!("{PREFIXES}{SCHEMA}"), "test.ttl").unwrap_or_else(|faults| panic!("{faults}"));
    let reader = Reader::new(&schema, None);
    let mut names = Names::new(&schema);
    let mut draft = Draft::new(&schema, &mut names);
    let decoded = Decoded::new(text.to_owned(), 0, None);
    reader.read(Format::Rdf(syntax), &decoded, None, &mut draft)?;
    Ok(draft.finish())
}

/// Each fact as `subject relation object @qualifier [quoted evidence]`.
pub(super) fn facts(text: &str, reading: &Reading) -> Vec<String> {
    let shown = |iri: &Iri| local_name(iri.as_str()).to_owned();
    let value = |value: &Value| match value {
        Value::Entity(iri) => shown(iri),
        Value::Text { text, lang } => {
            format!("{text:?}{}", lang.as_ref().map(|lang| format!("@{lang}")).unwrap_or_default())
        }
        Value::Number(number) => {
            format!("{}e-{}{}", number.mantissa, number.scale, number.unit.as_deref().unwrap_or_default())
        }
        Value::Date(date) => date.iso(),
        Value::Boolean(value) => value.to_string(),
    };
    let fact = |fact: &factmask_graph::NewFact| {
        let statement = &fact.statement;
        let qualifiers: String = statement.qualifiers.iter().map(|(_, year)| format!("@{} ", value(year))).collect();
        let span = usize::try_from(fact.span.start).unwrap()..usize::try_from(fact.span.end).unwrap();
        let quoted = text.get(span).unwrap();
        format!(
            "{} {} {} {qualifiers}[{quoted}]",
            shown(&statement.subject),
            shown(&statement.relation),
            value(&statement.object)
        )
    };
    reading.facts.iter().map(fact).collect()
}

#[test]
fn turtle() {
    for (body, expected) in [
        ("ex:a ex:seat ex:rome .", &["a seat rome [ex:a ex:seat ex:rome]"][..]),
        (
            "ex:a ex:revenue 12.50 {| ex:year 2023 |} .",
            &["a revenue 1250e-2USD @2023 [ex:a ex:revenue 12.50 {| ex:year 2023 |}]"],
        ),
        (
            "ex:a ex:revenue 5 {| ex:year \"2022\"^^xsd:gYear |} {| ex:year 2023 |} .",
            &[
                "a revenue 5e-0USD @2022 [ex:a ex:revenue 5 {| ex:year \"2022\"^^xsd:gYear |} {| ex:year 2023 |}]",
                "a revenue 5e-0USD @2023 [ex:a ex:revenue 5 {| ex:year \"2022\"^^xsd:gYear |} {| ex:year 2023 |}]",
            ],
        ),
        ("<< ex:a ex:revenue 5 >> ex:year 2023 .", &["a revenue 5e-0USD @2023 [ex:a ex:revenue 5 >> ex:year 2023]"]),
        ("<< ex:a ex:revenue 5 >> ex:deniedBy ex:b .", &[]),
        (
            "ex:a ex:motto \"eins\"@de , \"\"\"two\nlines\"\"\" .",
            &["a motto \"eins\"@de [ex:a ex:motto \"eins\"@de]", "a motto \"two\\nlines\" [\"\"\"two\nlines\"\"\"]"],
        ),
        (
            "ex:a ex:revenue \"$5 million\" ; ex:seat \"Rome\" .",
            &["a revenue 5000000e-0USD [ex:a ex:revenue \"$5 million\"]", "a seat rome [ex:seat \"Rome\"]"],
        ),
        (
            "ex:a ex:other true ; ex:when \"2020-02-29\"^^xsd:date .",
            &["a other true [ex:a ex:other true]", "a when 2020-02-29 [ex:when \"2020-02-29\"^^xsd:date]"],
        ),
        ("ex:a a ex:Company ; rdfs:label \"A\"@en .", &[]),
        ("ex:p a rdf:Property ; ex:seat ex:rome .", &[]),
    ] {
        let text = format!("{PREFIXES}{body}");
        let reading = read(Syntax::Turtle, &text).unwrap();
        assert_eq!(facts(&text, &reading), expected, "{body} {:?}", reading.warnings);
    }
}

#[test]
fn ntriples() {
    let text = "<http://e/a> <http://e/seat> <http://e/rome> .\n# note\n<http://e/a> <http://e/motto> \"hi\" .\n_:r <http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies> <<( <http://e/a> <http://e/revenue> \"5\" )>> .\n_:r <http://e/year> \"2023\" .";
    let reading = read(Syntax::NTriples, text).unwrap();
    assert_eq!(
        facts(text, &reading),
        [
            "a seat rome [<http://e/a> <http://e/seat> <http://e/rome> .]",
            "a motto \"hi\" [<http://e/a> <http://e/motto> \"hi\" .]",
            "a revenue 5e-0USD @2023 [_:r <http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies> <<( <http://e/a> <http://e/revenue> \"5\" )>> .\n_:r <http://e/year> \"2023\" .]",
        ]
    );
}

#[test]
fn descriptions_and_classes() {
    let text = format!(
        "{PREFIXES}ex:a a ex:Company ; rdfs:label \"A Ltd\"@en , \"甲\"@zh ; <http://www.w3.org/2004/02/skos/core#altLabel> \"A\" ; ex:seat ex:rome ."
    );
    let reading = read(Syntax::Turtle, &text).unwrap();
    let shown: Vec<String> = reading
        .entities
        .iter()
        .map(|entity| {
            format!(
                "{} {:?} {} {}",
                local_name(entity.iri.as_str()),
                entity.classes.iter().map(|class| local_name(class.as_str())).collect::<Vec<_>>(),
                entity.labels.len(),
                entity.aliases.len()
            )
        })
        .collect();
    assert_eq!(shown, ["a [\"Company\"] 2 1"]);
}

#[test]
fn faults_and_warnings_have_their_line() {
    for (syntax, text, line, column) in [
        (Syntax::Turtle, "@prefix ex: <http://e/> .\nex:a ex:b \"open .\n", 2, true),
        (Syntax::Turtle, "ex:a ex:b ex:c .", 1, true),
        (Syntax::NTriples, "<http://e/a> <http://e/b> <http://e/c> .\n<http://e/a> oops .\n", 2, true),
    ] {
        let fault = read(syntax, text).unwrap_err();
        assert_eq!((fault.line, fault.column.is_some()), (line, column), "{text}: {fault:?}");
    }
    for (body, expected) in [
        ("ex:a ex:revenue \"much\" .", "line 5: \"much\" is no value for revenue"),
        ("ex:a ex:revenue ex:b .", "line 5: revenue takes a value"),
        ("ex:a ex:revenue 5 {| ex:year \"soon\" |} .", "line 5: \"soon\" is no value for the qualifier year"),
        ("[] ex:seat ex:rome .", "1 triples about blank nodes"),
        ("ex:a ex:seat [] .", "line 5: a blank node or triple as the object of seat is left out"),
        ("ex:C a rdfs:Class .", "1 classes, relations or qualifiers are declared here"),
    ] {
        let warnings: Vec<String> = read(Syntax::Turtle, &format!("{PREFIXES}{body}"))
            .unwrap()
            .warnings
            .iter()
            .map(ToString::to_string)
            .collect();
        assert!(warnings.iter().any(|warning| warning.starts_with(expected)), "{body}: {warnings:?}");
    }
}
