//! A question is answered from a document in the other language as from one in its own.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use factmask_engine::{Answer, AskOptions, Engine, EngineOptions, Status};
use factmask_graph::{Date, Number, Store, TenantId, Value};
use factmask_ingest::{Pipeline, PipelineOptions};
use factmask_schema::{Schema, local_name};
use factmask_server::{Settings, models::Cache};
use std::{collections::BTreeSet, fs};

/// The two golden questions about Apple, with how each language says the answer.
const QUESTIONS: [(&str, &str); 2] = [
    ("苹果公司2023年研发投入是多少?", "299.15亿美元"),
    ("How much did Apple spend on research and development in 2023?", "$29.915 billion"),
];
/// Beside the names, the only document that is read, and the words in it that state the fact.
const DOCUMENTS: [(&str, &str); 2] = [
    ("finance/苹果公司年度业绩.md", "苹果公司2023财年研发投入为299.15亿美元"),
    (
        "finance/apple-annual-results.md",
        "In fiscal year 2023 Apple's research and development expense was $29.915 billion",
    ),
];
const NAMES: &str = "entities/companies-and-people.ttl";

#[test]
fn both_apple_questions_from_either_document() {
    let cache = Cache::new(Settings::load(None, &Default::default()).unwrap().models);
    let engine = Engine::open(&EngineOptions {
        model: Some(cache.language_model("smollm2-135m-instruct").unwrap().path),
        encoders: [("en".to_owned(), cache.encoder("all-minilm-l6-v2").unwrap())].into(),
        ..EngineOptions::default()
    })
    .unwrap();
    let mut faults = Vec::new();
    for (document, words) in DOCUMENTS {
        let store = holding(document);
        let snapshot = store.snapshot().unwrap();
        for (question, said) in QUESTIONS {
            let options = AskOptions { tenant: "apple".to_owned(), explain: true, ..AskOptions::default() };
            let answer = engine.answer(&snapshot, question, &options).unwrap();
            let found = check(&store, &answer, document, words, said);
            faults.extend(found.err().map(|fault| format!("{document}: {question}: {fault}\n{:#?}", answer)));
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// A store of the names and one document.
fn holding(document: &str) -> Store {
    let data = factmask_tests::data();
    let schema = Schema::parse(&fs::read_to_string(data.join("schema.ttl")).unwrap(), "schema.ttl").unwrap();
    let store = Store::in_memory(&TenantId::new("apple").unwrap()).unwrap();
    store.put_schema(&schema).unwrap();
    let jobs = tempfile::tempdir().unwrap();
    let pipeline = Pipeline::new(&store, &schema, PipelineOptions::new(jobs.path())).unwrap();
    let paths = [NAMES, document].map(|path| data.join("corpus").join(path));
    let report = pipeline.ingest_paths(&paths, &mut |_| {}).unwrap();
    assert!(report.failures().is_empty() && report.added.len() == 2, "{document}: {report:?}");
    store
}

fn check(store: &Store, answer: &Answer, document: &str, words: &str, said: &str) -> Result<(), String> {
    let expected = Value::Number(Number::new(29_915_000_000, 0).with_unit("USD"));
    if answer.status != Status::Answered || answer.values != [expected] {
        return Err(format!("{:?} {}", answer.status, answer.text));
    }
    if answer.text != said {
        return Err(format!("said as {}", answer.text));
    }
    let [fact] = answer.facts.as_slice() else { return Err(format!("{} facts", answer.facts.len())) };
    let qualifiers: Vec<_> =
        fact.statement.qualifiers.iter().map(|(iri, value)| (local_name(iri.as_str()), value)).collect();
    if qualifiers != [("fiscalYear", &Value::Date(Date::fiscal_year(2023)))] {
        return Err(format!("qualified with {qualifiers:?}"));
    }
    let name = document.rsplit('/').next().unwrap();
    let quotes: BTreeSet<String> = fact
        .evidence
        .iter()
        .filter(|evidence| evidence.document.as_str() == name)
        .map(|evidence| {
            String::from_utf8(store.source_range(&evidence.document, evidence.span.clone()).unwrap()).unwrap()
        })
        .collect();
    let quoted = quotes.len() == fact.evidence.len()
        && quotes.iter().all(|quote| words.contains(quote.trim_end_matches(['.', '。'])));
    if quotes.is_empty() || !quoted { Err(format!("quotes {quotes:?}")) } else { Ok(()) }
}
