//! Whatever bytes come: no panic, and every span lies in the source on character boundaries.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use crate::draft::Draft;
use crate::names::Names;
use crate::readers::{Format, Reader};
use crate::text::decode;
use factmask_schema::Schema;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

const FORMATS: [Format; 6] =
    [Format::Turtle, Format::NTriples, Format::Csv, Format::Tsv, Format::Markdown, Format::Plain];

fn schema() -> Schema {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/schema.ttl");
    Schema::parse(&std::fs::read_to_string(path).unwrap(), "data/schema.ttl").unwrap()
}

fn check(reader: &Reader<'_>, bytes: Vec<u8>) -> Result<(), TestCaseError> {
    let Ok(decoded) = decode(bytes) else { return Ok(()) };
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

fn run<S: Strategy>(cases: u32, strategy: &S, bytes: impl Fn(S::Value) -> Vec<u8>) {
    let schema = schema();
    let reader = Reader::new(&schema);
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
