//! Whatever bytes come: no panic, and every span lies in the source on character boundaries.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use crate::convert::Container;
use crate::draft::Draft;
use crate::names::Names;
use crate::readers::{Format, JsonLayout, Reader, Syntax};
use crate::text::{Controls, decode};
use factmask_schema::Schema;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

const FORMATS: [Format; 13] = [
    Format::Rdf(Syntax::Turtle),
    Format::Rdf(Syntax::TriG),
    Format::Rdf(Syntax::NTriples),
    Format::Rdf(Syntax::NQuads),
    Format::Rdf(Syntax::RdfXml),
    Format::Rdf(Syntax::JsonLd),
    Format::Csv,
    Format::Tsv,
    Format::Json(JsonLayout::Whole),
    Format::Json(JsonLayout::Lines),
    Format::Converted(Container::Html),
    Format::Markdown,
    Format::Plain,
];

fn schema() -> Schema {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/schema.ttl");
    Schema::parse(&std::fs::read_to_string(path).unwrap(), "data/schema.ttl").unwrap()
}

fn check(reader: &Reader<'_>, bytes: Vec<u8>) -> Result<(), TestCaseError> {
    let Ok(decoded) = decode(bytes, Controls::Judged) else { return Ok(()) };
    for format in FORMATS {
        let mut names = Names::new(reader.schema);
        let mut draft = Draft::new(reader.schema, &mut names);
        let declared = reader.declare(format, &decoded, None, &mut draft);
        let read = reader.read(format, &decoded, None, &mut draft);
        prop_assert_eq!(declared.is_ok(), read.is_ok());
        for fact in draft.finish().facts {
            let range = usize::try_from(fact.span.start).unwrap()..usize::try_from(fact.span.end).unwrap();
            prop_assert!(
                decoded.text.get(range.clone()).is_some_and(|quoted| !quoted.is_empty()),
                "{:?} {:?}",
                format,
                range
            );
        }
    }
    Ok(())
}

/// Pieces that the readers and the extractor look for, so that chance brings them together.
const PIECES: &[&str] = &[
    "Apple",
    "苹果公司",
    "'s revenue was ",
    "$",
    "29.9",
    " billion",
    "亿",
    "美元",
    "的首都是",
    "巴黎",
    "。",
    ".",
    ",",
    "，",
    " in fiscal year ",
    "2023",
    "财年",
    "营业收入为",
    "\n",
    "\n\n",
    "# ",
    "- ",
    "| ",
    "|---|---|\n",
    "Company,Revenue\n",
    "\"",
    "'",
    "\t",
    ";",
    "ex:a ex:b ",
    "<http://e/a> ",
    "<http://e/b> ",
    "\"5\"",
    " .\n",
    "{| ",
    " |}",
    "<< ",
    " >> ",
    "@prefix ex: <http://e/> .\n",
    "`",
    "**",
    "&amp;",
    "The capital of ",
    " is ",
    "France",
    "\u{feff}",
    "é",
    "e\u{301}",
    "ß",
    "İ",
    "ﬁ",
    "½",
    "㎞",
    "\u{200b}",
    "-",
    "(",
    ")",
    "百分之",
    "一千二百",
    "万",
    "年",
    "月",
    "3",
    "日",
    "May ",
    " and ",
    "was founded by ",
    "人",
];

/// Pieces of RDF/XML.
const XML: &[&str] = &[
    "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:ex=\"http://e/\">",
    "</rdf:RDF>",
    "<rdf:Description rdf:about=\"http://e/a\">",
    "<rdf:Description>",
    "</rdf:Description>",
    "<ex:C rdf:nodeID=\"n\" ex:p=\"v\"/>",
    "<ex:p>",
    "<ex:p rdf:parseType=\"Literal\">",
    "<ex:p rdf:parseType=\"Collection\">",
    "<ex:p rdf:parseType=\"Resource\">",
    "<ex:p rdf:parseType=\"Triple\">",
    "</ex:p>",
    "<ex:p rdf:resource=\"b\" rdf:ID=\"i\"/>",
    "<ex:p rdf:annotation=\"http://e/r\">",
    "<!DOCTYPE x [<!ENTITY e \"&e;\"><!ENTITY f \"&e;&e;\">]>",
    "<?xml version=\"1.0\" encoding=\"latin1\"?>",
    "<!-- c -->",
    "<![CDATA[d]]>",
    "&e;",
    "&f;",
    "&amp;",
    "text",
    " ",
    "<",
    "]]>",
];

/// Pieces of JSON-LD.
const JSON: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"a\"",
    "\"http://e/b\"",
    "\"ex:c\"",
    "1",
    "2.5e3",
    "true",
    "null",
    "{}",
    "[]",
    "\"@context\":",
    "\"@id\":",
    "\"@type\":",
    "\"@value\":",
    "\"@language\":",
    "\"@graph\":",
    "\"@list\":",
    "\"@set\":",
    "\"@reverse\":",
    "\"@index\":",
    "\"@nest\":",
    "\"@included\":",
    "\"@json\"",
    "\"@vocab\":",
    "\"@container\":",
    "\"@import\":",
    "{\"@context\":{\"ex\":\"http://e/\",\"p\":\"ex:p\"},",
    "\"p\":",
    "\"ex:q\":",
    "\"@direction\":",
    "\"@none\"",
    "\"@version\":",
];

/// A JSON value with keywords in odd places: texts that the JSON-LD parser has to work through.
fn json() -> impl Strategy<Value = String> {
    let pieces = || JSON.iter().map(|piece| piece.trim_end_matches(':'));
    let words: Vec<_> =
        pieces().filter(|piece| !piece.contains(['{', '}', '[', ']', ',']) && !piece.is_empty()).collect();
    let keys: Vec<_> = words.iter().copied().filter(|word| word.starts_with('"')).collect();
    let word = prop::sample::select(words).prop_map(str::to_owned);
    let key = prop::sample::select(keys);
    word.prop_recursive(5, 40, 5, move |inner| {
        let members = prop::collection::vec((key.clone(), inner.clone()), 0..5);
        let object = members.prop_map(|members| {
            let members: Vec<String> = members.into_iter().map(|(key, value)| format!("{key}:{value}")).collect();
            format!("{{{}}}", members.join(","))
        });
        let array = prop::collection::vec(inner, 0..4).prop_map(|values| format!("[{}]", values.join(",")));
        prop_oneof![3 => object, 1 => array]
    })
}

fn run<S: Strategy>(cases: u32, strategy: &S, bytes: impl Fn(S::Value) -> Vec<u8>) {
    let schema = schema();
    let reader = Reader::new(&schema, None);
    let mut runner = TestRunner::new(ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() });
    runner.run(strategy, |value| check(&reader, bytes(value))).unwrap_or_else(|fault| panic!("{fault}"));
}

#[test]
fn any_bytes() {
    run(1_000, &prop::collection::vec(any::<u8>(), 0..400), |bytes| bytes);
}

#[test]
fn any_text() {
    run(1_000, &"\\PC{0,200}", String::into_bytes);
}

#[test]
fn likely_text() {
    run(2_000, &prop::collection::vec(prop::sample::select(PIECES), 0..60), |pieces| pieces.concat().into_bytes());
}

#[test]
fn likely_xml() {
    run(2_000, &prop::collection::vec(prop::sample::select(XML), 0..20), |pieces| pieces.concat().into_bytes());
}

#[test]
fn likely_json() {
    run(1_000, &prop::collection::vec(prop::sample::select(JSON), 0..30), |pieces| pieces.concat().into_bytes());
    run(3_000, &json(), String::into_bytes);
}
