//! The golden questions: every answerable one right with citations that hold the value, no value for the others.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use factmask_engine::{AskOptions, Engine, EngineOptions, Status};
use factmask_graph::{Store, Value};
use factmask_schema::normal;
use factmask_server::{Settings, models::Cache};
use serde::Deserialize;
use std::{collections::BTreeSet, fs};

#[derive(Deserialize)]
struct Question {
    id: String,
    question: String,
    answers: Vec<String>,
    answerable: bool,
}

/// Questions that are refused although the corpus holds the answer, each with its cause. One that is answered must leave the list.
const REFUSED: &[(&str, &str)] = &[
    ("adm-11", "the words do not say which relation is meant, and the readings part"),
    ("fin-11", "\"ring up\" is said by nothing in the schema or the language's synonyms, so it is passed over"),
    ("fin-12", "two steps, and words that stand for nothing on the path: what speaks for it is below the bar"),
    (
        "onc-09",
        "\"kind\" and \"take\" stand for nothing that the schema says: what speaks for the path is below the bar",
    ),
];

/// In Chinese in other words than the schema's: the path is found and not safe enough.
const UNSAFE_IN_CHINESE: &[&str] = &["onc-06", "onc-10"];
/// Found only with an encoder for Chinese.
const BY_MEANING_ALONE: &[&str] = &["fin-06"];

fn models() -> Cache {
    Cache::new(Settings::load(None, &Default::default()).unwrap().models)
}

#[test]
fn golden_questions() {
    check(&["all-minilm-l6-v2"], &[UNSAFE_IN_CHINESE, BY_MEANING_ALONE].concat());
}

#[test]
fn golden_questions_with_the_encoder_for_chinese() {
    let chinese = "multilingual-e5-small";
    if models().encoder(chinese).is_err() {
        println!("skipped: `factmask model pull {chinese}` fetches it");
        return;
    }
    check(&["all-minilm-l6-v2", chinese], UNSAFE_IN_CHINESE);
}

/// Asks every golden question of an engine with these encoders, English first; those of [`REFUSED`] and `also` are refused.
fn check(encoders: &[&str], also: &[&str]) {
    let refused: BTreeSet<&str> = REFUSED.iter().map(|(id, _)| *id).chain(also.iter().copied()).collect();
    let data = factmask_tests::data();
    let store = factmask_tests::sample("golden").unwrap();

    let cache = models();
    let engine = Engine::open(&EngineOptions {
        model: Some(cache.language_model("smollm2-135m-instruct").unwrap().path),
        encoders: ["en", "zh"]
            .iter()
            .zip(encoders)
            .map(|(lang, encoder)| ((*lang).to_owned(), cache.encoder(encoder).unwrap()))
            .collect(),
        ..EngineOptions::default()
    })
    .unwrap();
    let snapshot = store.snapshot().unwrap();
    let options = AskOptions { tenant: "golden".to_owned(), ..AskOptions::default() };
    let questions = fs::read_to_string(data.join("golden/questions.jsonl")).unwrap();
    let mut faults = Vec::new();
    let mut count = 0;
    for line in questions.lines() {
        let question: Question = serde_json::from_str(line).unwrap();
        count += 1;
        let answer = engine.answer(&snapshot, &question.question, &options).unwrap();
        let right = match answer.status {
            Status::Answered => {
                let plain = |value: &Value| value.as_number().map(factmask_graph::Number::plain);
                let said: Vec<String> = answer
                    .values
                    .iter()
                    .filter_map(plain)
                    .chain([answer.text.clone()])
                    .map(|s| normal::fold(&s))
                    .collect();
                question.answerable && question.answers.iter().any(|right| said.contains(&normal::fold(right)))
            }
            // The graph alone is asked.
            Status::FromText => false,
            Status::NotInKb | Status::Ambiguous => !question.answerable || refused.contains(question.id.as_str()),
        };
        if !right {
            faults.push(format!("{}: {} => {:?} {}", question.id, question.question, answer.status, answer.text));
        }
        if answer.status == Status::Answered {
            if refused.contains(question.id.as_str()) {
                faults.push(format!("{}: answered now; take it off the list", question.id));
            }
            faults.extend(unresolved(&store, &answer.facts).map(|fault| format!("{}: {fault}", question.id)));
        }
    }
    assert_eq!(count, 60);
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// Citations whose bytes cannot be read or are not text. That they hold the value is tested where they are made, in `ingest`.
fn unresolved<'a>(store: &'a Store, facts: &'a [factmask_graph::Fact]) -> impl Iterator<Item = String> + 'a {
    facts.iter().flat_map(|fact| &fact.evidence).filter_map(|evidence| {
        let source = store.source(&evidence.document).unwrap();
        let bytes = source.get(evidence.span.start as usize..evidence.span.end as usize);
        let quote = bytes.and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default();
        quote.is_empty().then(|| format!("{}: bytes {:?} are no text", evidence.document.as_str(), evidence.span))
    })
}
