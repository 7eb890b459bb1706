//! Files that are no text, through the program: each in a process of its own, told one by one, cited by page.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

#[path = "../../ingest/tests/made/mod.rs"]
mod made;

use made::{docx, paragraph, pdf, vast_xlsx};
use serde_json::Value;
use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

const SCHEMA: &str = r#"
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix fm: <urn:factmask:schema#> .
@prefix ex: <urn:test:> .
ex:Land a rdfs:Class ; rdfs:label "land"@en .
ex:City a rdfs:Class ; rdfs:label "city"@en .
ex:seat a rdf:Property ; rdfs:domain ex:Land ; rdfs:range ex:City ; rdfs:label "seat of government"@en ;
    fm:question "What is the seat of government of {s}?"@en ; fm:statement "The seat of government of {s} is {o}."@en .
"#;

fn factmask(work: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(factmask_tests::program().unwrap());
    command.current_dir(work).args(arguments).args(["--data", "data"]).output().unwrap()
}

fn json(work: &Path, arguments: &[&str]) -> Value {
    let out = factmask(work, arguments);
    serde_json::from_slice(&out.stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&out.stderr)))
}

#[test]
fn a_bad_file_costs_only_itself_and_a_good_one_is_cited_by_its_page() {
    let folder = tempfile::tempdir().unwrap();
    let work = folder.path();
    fs::create_dir(work.join("docs")).unwrap();
    fs::write(work.join("schema.ttl"), SCHEMA).unwrap();
    let page = |words| vec![(72.0, 700.0, 11.0, words)];
    let report = pdf(&[
        page("A first page."),
        page("The seat of government of Arcadia is Tegea."),
        page("The harvest was poor in the year of the flood."),
    ]);
    fs::write(work.join("docs/report.pdf"), report).unwrap();
    fs::write(work.join("docs/note.docx"), docx(&paragraph("The seat of government of Elis is Olympia."))).unwrap();
    fs::write(work.join("docs/vast.xlsx"), vast_xlsx()).unwrap();
    fs::write(work.join("docs/broken.pdf"), "%PDF-1.4 and no more").unwrap();

    let out = factmask(work, &["ingest", "docs", "--schema", "schema.ttl", "--report", "report.json"]);
    let told = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(!out.status.success(), "two files gave nothing");
    assert!(told.contains("vast.xlsx: needs more than 1024 MiB of memory"), "{told}");
    assert!(told.contains("broken.pdf: is damaged"), "{told}");
    let report: Value = serde_json::from_str(&fs::read_to_string(work.join("report.json")).unwrap()).unwrap();
    let files: Vec<(&str, &str, u64)> = report["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| (file["path"].as_str().unwrap(), file["status"].as_str().unwrap(), file["facts"].as_u64().unwrap()))
        .collect();
    assert_eq!(
        files,
        [
            ("docs/broken.pdf", "rejected", 0),
            ("docs/note.docx", "ingested", 1),
            ("docs/report.pdf", "ingested", 1),
            ("docs/vast.xlsx", "rejected", 0),
        ]
    );
    assert_eq!((report["totals"]["ingested"].as_u64(), report["totals"]["rejected"].as_u64()), (Some(2), Some(2)));

    let answer = json(work, &["ask", "--json", "--no-model", "What is the seat of government of Arcadia?"]);
    let evidence = &answer["facts"][0]["evidence"][0];
    assert_eq!(
        (evidence["document"].as_str(), evidence["page"].as_u64(), evidence["quote"].as_str()),
        (Some("report.pdf"), Some(2), Some("The seat of government of Arcadia is Tegea.")),
        "{answer:#}"
    );
    let read = factmask(work, &["read", "docs/report.pdf"]);
    assert!(String::from_utf8_lossy(&read.stdout).contains("\u{c}\n\nThe seat of government of Arcadia is Tegea.\n"));
}
