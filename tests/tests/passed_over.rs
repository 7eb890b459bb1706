//! What a question says beside what the graph answers is never passed over: of each pair the first is answered, the second asks for
//! something that the sample corpus does not hold.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use factmask_engine::{Answer, AskOptions, Engine, EngineOptions, Status, answer::Mode};
use factmask_graph::Snapshot;
use factmask_server::{Settings, models::Cache};
use serde::Deserialize;
use std::{fs, sync::Arc};

/// A question, one that says more, and the words that must be named.
const PAIRS: &[(&str, &str, &str)] = &[
    ("Who is the chief executive officer of Apple?", "Who is the chief financial officer of Apple?", "financial"),
    ("what was the revenue of apple in 2023", "what was the revenue of apple records in 2023", "records"),
    ("How many employees did Apple have in 2023?", "How many part-time employees did Apple have in 2023?", "part-time"),
    ("What was Apple's revenue in 2023?", "What was Apple's iPhone revenue in 2023?", "iphone"),
    ("What was Apple's revenue in dollars in 2023?", "What was Apple's revenue in euros in 2023?", "euros"),
    ("When was Tesla established?", "When was Tesla renamed?", "renamed"),
    ("What is the capital of France?", "What is the capital of Paris?", "capital"),
    ("What does erlotinib target?", "What does erlotinib zuranolone target?", "zuranolone"),
    ("苹果公司的首席执行官是谁？", "苹果公司的首席财务官是谁？", "财务官"),
    ("苹果公司2023年的员工人数是多少？", "苹果公司2023年的女员工人数是多少？", "女"),
    ("腾讯的创始人是谁？", "腾讯大学的创始人是谁？", "大学"),
];

/// Questions of another kind than what is found.
const OTHERS: &[&str] = &[
    "Is the headquarters of Apple tall?",
    "What is the population of New York City in 2020?",
    "微软是在哪里成立的？",
    "巴黎的首都是哪里？",
    "纽约市2020年人口是多少？",
    "Where was Bill Gates born?",
];

#[derive(Deserialize)]
struct Trap {
    id: String,
    question: String,
}

/// `data/golden/traps.jsonl`: people were asked to write what the corpus cannot answer, though it holds something near.
#[test]
fn every_trap_is_refused() {
    let world = World::new();
    let traps = fs::read_to_string(factmask_tests::data().join("golden/traps.jsonl")).unwrap();
    let traps: Vec<Trap> = traps.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(traps.len() > 500, "{} traps", traps.len());
    let given = traps.iter().map(|trap| (trap, world.ask(&trap.question)));
    let given = given.filter(|(_, answer)| answer.status == Status::Answered);
    let given: Vec<String> =
        given.map(|(trap, answer)| format!("{}: {} => {}", trap.id, trap.question, answer.text)).collect();
    assert!(given.is_empty(), "{} of {}:\n{}", given.len(), traps.len(), given.join("\n"));
}

#[test]
fn a_word_that_narrows_refuses() {
    let world = World::new();
    let ask = |question: &str| world.ask(question);
    for (plain, narrowed, word) in PAIRS {
        let (fair, refused) = (ask(plain), ask(narrowed));
        assert_eq!(fair.status, Status::Answered, "{plain}: {:?}", fair.doubt);
        assert_eq!((refused.status, refused.values.len()), (Status::NotInKb, 0), "{narrowed}");
        let doubt = refused.doubt.unwrap_or_default();
        assert!(doubt.contains(&format!("“{word}”")), "{narrowed}: {doubt}");
        assert!(refused.confidence < fair.confidence, "{narrowed}");
    }
    for question in OTHERS {
        assert_eq!(ask(question).status, Status::NotInKb, "{question}");
    }
    // A count of what was ingested says that it is no more than that.
    let counted = ask("How many cities does California have?");
    assert!(counted.computed && counted.doubt.is_some(), "{:?}", counted.status);
}

/// The sample corpus and an engine without a language model, with the encoders that are there.
struct World {
    engine: Engine,
    snapshot: Arc<Snapshot>,
}

impl World {
    fn new() -> Self {
        let store = factmask_tests::sample("sample").unwrap();
        let cache = Cache::new(Settings::load(None, &Default::default()).unwrap().models);
        let english = ("en".to_owned(), cache.encoder("all-minilm-l6-v2").unwrap());
        let chinese = cache.encoder("multilingual-e5-small").ok().map(|encoder| ("zh".to_owned(), encoder));
        let encoders = std::iter::once(english).chain(chinese).collect();
        let engine = Engine::open(&EngineOptions { encoders, ..EngineOptions::default() }).unwrap();
        Self { engine, snapshot: store.snapshot().unwrap() }
    }

    fn ask(&self, question: &str) -> Answer {
        let options = AskOptions { tenant: "sample".to_owned(), mode: Mode::GraphOnly, ..AskOptions::default() };
        self.engine.answer(&self.snapshot, question, &options).unwrap()
    }
}
