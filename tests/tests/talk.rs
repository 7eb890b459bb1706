//! How people talk, over the sample corpus: later questions go on from earlier ones, names are written otherwise, answers are wanted in
//! sentences. What was understood is said.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use factmask_engine::{Answer, AskOptions, Engine, EngineOptions, Status, Turn, answer::Mode};
use factmask_graph::Snapshot;
use factmask_server::{Settings, models::Cache};
use std::sync::Arc;

struct World {
    engine: Engine,
    snapshot: Arc<Snapshot>,
}

impl World {
    fn new() -> Self {
        let store = factmask_tests::sample("talk").unwrap();
        let cache = Cache::new(Settings::load(None, &Default::default()).unwrap().models);
        let encoders = [("en".to_owned(), cache.encoder("all-minilm-l6-v2").unwrap())].into();
        let engine = Engine::open(&EngineOptions { encoders, ..EngineOptions::default() }).unwrap();
        Self { engine, snapshot: store.snapshot().unwrap() }
    }

    fn ask(&self, question: &str, history: Vec<Turn>) -> Answer {
        let tenant = "talk".to_owned();
        let options = AskOptions { tenant, mode: Mode::GraphOnly, history, ..AskOptions::default() };
        self.engine.answer(&self.snapshot, question, &options).unwrap()
    }
}

fn turns(questions: &[&str]) -> Vec<Turn> {
    questions.iter().map(|question| Turn { question: (*question).to_owned(), answer: None }).collect()
}

/// What a question comes to: its answer, or "?" and how it was understood where there is none, or what is asked back.
fn told(answer: &Answer) -> String {
    match answer.status {
        Status::Answered | Status::FromText => answer.text.clone(),
        Status::NotInKb => format!("? {}", answer.understood_as.as_deref().unwrap_or_default()),
        Status::Ambiguous => answer.choices.join(" | "),
    }
}

#[test]
fn later_questions_go_on_from_earlier_ones() {
    let world = World::new();
    let table: &[(&[&str], &str, &str)] = &[
        // The thing that was asked about, and what was answered.
        (&["Who is the chief executive of Microsoft?"], "Which company does he lead?", "Microsoft Corporation"),
        // The same of another thing, another year.
        (&["Who is the chief executive of Apple?"], "What about Microsoft?", "Satya Nadella"),
        (&["How much did Apple spend on research and development in 2023?"], "And in 2024?", "$31.370 billion"),
        (&["What was Microsoft's revenue in fiscal year 2023?"], "and 2022?", "$198.27 billion"),
        // Chinese.
        (&["微软的首席执行官是谁？"], "那苹果公司呢？", "蒂姆·库克"),
        (&["苹果公司2023年研发投入是多少？"], "2024年呢？", "313.7亿美元"),
        // Of what the graph does not know nothing is answered, least of all the earlier question again.
        (
            &["Who is the chief executive of Apple?"],
            "What about Zorblax Industries?",
            "? Who is the chief executive of Zorblax Industries?",
        ),
        (&["Who is the chief executive of Apple?"], "And in 1815?", "? Who is the chief executive of Apple in 1815?"),
        // Nothing before it.
        (&[], "Where is its headquarters?", "? "),
        // What stands by itself takes nothing over.
        (&["Who is the chief executive of Apple?"], "Who is the chief executive of Microsoft?", "Satya Nadella"),
    ];
    let mut faults = Vec::new();
    for (before, question, expected) in table {
        let answer = world.ask(question, turns(before));
        if told(&answer) != *expected {
            faults.push(format!(
                "{before:?} {question}: {} ({:?}), not {expected}",
                told(&answer),
                answer.understood_as
            ));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn what_was_answered_counts_before_what_would_be() {
    let world = World::new();
    let history =
        |answer: &str| vec![Turn { question: "Which company is meant?".to_owned(), answer: Some(answer.to_owned()) }];
    let table = [("Microsoft", "Redmond"), ("Apple Inc.", "Cupertino")];
    for (given, expected) in table {
        assert_eq!(told(&world.ask("In which city is it based?", history(given))), expected, "{given}");
    }
}

#[test]
fn names_are_read_as_the_graph_writes_them() {
    let world = World::new();
    let table: &[(&str, &str, Option<&str>)] = &[
        ("Who is the chief executive of Mircosoft?", "Satya Nadella", Some("Microsoft")),
        ("What was Microsft's revenue in fiscal year 2023?", "$211.915 billion", Some("Microsoft")),
        ("Who is the chief executive of Microsoft?", "Satya Nadella", None),
        ("Who is the chief executive of Minisoft?", "? ", None),
    ];
    for (question, expected, meant) in table {
        let answer = world.ask(question, Vec::new());
        let read: Vec<&str> = answer.read_as.iter().map(|read_as| read_as.meant.as_str()).collect();
        assert_eq!((told(&answer).as_str(), read), (*expected, meant.iter().copied().collect()), "{question}");
    }
}

#[test]
fn answers_in_sentences_cite_each_fact() {
    let world = World::new();
    let table: &[(&str, &str)] = &[
        ("Where is the headquarters of Microsoft?", "The headquarters of Microsoft Corporation is in Redmond [1]."),
        (
            "What was Microsoft's revenue in fiscal year 2023?",
            "Microsoft Corporation's revenue in fiscal year 2023 was $211.915 billion [1].",
        ),
        ("微软的首席执行官是谁？", "微软公司的首席执行官是萨提亚·纳德拉[1]。"),
        ("What is the revenue of Zorblax Industries?", "Not in the knowledge base."),
    ];
    for (question, expected) in table {
        let answer = world.ask(question, Vec::new());
        let said = answer.in_sentences(&world.snapshot);
        assert_eq!(said.text, *expected, "{question}");
        let cited: Vec<usize> = said.clauses.iter().flat_map(|clause| clause.facts.clone()).collect();
        let all: Vec<usize> = (1..=answer.facts.len()).collect();
        assert_eq!(cited, all, "{question}");
        for value in &answer.values {
            assert!(said.text.contains(&world.snapshot.said(value, &answer.lang)), "{question}: {}", said.text);
        }
    }
}
