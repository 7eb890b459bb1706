//! What must hold of work that is done ahead of questions, on a real model.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use super::*;
use crate::{
    answer::{Explanation, Mode},
    fusion::{Readings, plan::Compiler, run::RunOptions},
    testing,
};
use factmask_graph::{Entity, Statement};
use factmask_schema::{Iri, Schema, Text};
use std::sync::LazyLock;

static MODEL: LazyLock<Arc<LanguageModel>> = LazyLock::new(testing::smollm2);
const TENANT: &str = "t";
const QUESTION: &str = "Where is the headquarters of Acme?";

/// An engine over the one model, with a block store of its own.
fn engine(block_bytes: usize) -> Engine {
    let fuser = Some(Fuser::new(MODEL.clone(), block_bytes));
    Engine { fuser, ..Engine::open(&EngineOptions::default()).unwrap() }
}

fn iri(name: &str) -> Iri {
    Iri::new_unchecked(format!("https://example.org/factmask/{name}"))
}

/// Companies under the sample schema, each with a city and a chief executive.
fn snapshot(companies: &[&str]) -> Arc<Snapshot> {
    let schema = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../data/schema.ttl")).unwrap();
    let entity = |name: &str, class: &str| Entity {
        iri: iri(name),
        classes: vec![iri(class)],
        labels: vec![Text::new("en", name)],
        aliases: Vec::new(),
    };
    let (mut entities, mut facts) = (Vec::new(), Vec::new());
    for company in companies {
        let (city, person) = (format!("{company}ville"), format!("{company}son"));
        for (relation, object) in [("headquarters", &city), ("chiefExecutive", &person)] {
            let statement = Statement::new(iri(company), iri(relation), Value::Entity(iri(object)), Vec::new());
            facts.push(Fact { id: FactId::of(&statement), statement, evidence: Vec::new() });
        }
        entities.extend([entity(company, "Company"), entity(&city, "City"), entity(&person, "Person")]);
    }
    Arc::new(Snapshot::build(1, Schema::parse(&schema, "schema").unwrap(), entities, facts))
}

/// Reads a question and runs its plan, as an answer does.
fn run(engine: &Engine, snapshot: &Arc<Snapshot>, question: &str) -> Readings {
    let fuser = engine.fuser().unwrap();
    let prompt = engine.prompt(fuser, "en").unwrap();
    let reader = engine.reader(TENANT, snapshot).unwrap();
    let Prepared { reading, best } = engine.prepare(TENANT, &reader, question, None).unwrap();
    let view = plan::in_view(&reading, &reading.candidates[best.unwrap()]);
    let compiler = Compiler { snapshot, tokenizer: MODEL.tokenizer(), prompt: &prompt };
    let plan = compiler.compile(&reading, &view, question).unwrap().unwrap();
    fuser.run(TENANT, &plan, RunOptions::default(), |_| Ok(0)).unwrap()
}

fn bits(readings: &Readings) -> Vec<u32> {
    readings.guided.probabilities.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn after_encoding_ahead_no_card_is_cold_and_no_bit_differs() {
    // Long enough that a card is encoded in several steps.
    let snapshot = snapshot(&["Acme", "Bolt Industrial Holdings of the Northern Provinces", "Cog"]);
    let engine_ahead = engine(1 << 26);
    let mut last = (0, 0);
    let mut progress = |ready: usize, of: usize| {
        last = (ready, of);
        Ok(())
    };
    let warmed = engine_ahead.encode_ahead(TENANT, &snapshot, &mut progress).unwrap();
    assert!(warmed.wanted == 9 && warmed.ready == 9 && warmed.encoded == 9, "{warmed:?}");
    assert_eq!(last, (9, 9));
    for question in [QUESTION, "Who is the chief executive of Bolt Industrial Holdings of the Northern Provinces?"] {
        let (warm, cold) = (run(&engine_ahead, &snapshot, question), run(&engine(1 << 26), &snapshot, question));
        assert!(warm.cost.cold_cards == 0 && warm.cost.warm_cards > 0 && cold.cost.cold_cards > 0, "{question}");
        assert_eq!(bits(&warm), bits(&cold), "{question}");
    }
    assert_eq!(engine_ahead.fuser().unwrap().blocks().stats().misses, 0);
    let again = engine_ahead.encode_ahead(TENANT, &snapshot, &mut |_, _| Ok(())).unwrap();
    assert_eq!((again.ready, again.encoded), (9, 0));
}

#[test]
fn a_change_gives_up_what_nobody_asked_for_and_keeps_the_rest() {
    let engine = engine(1 << 26);
    let blocks = || engine.fuser().unwrap().blocks().stats();
    engine.encode_ahead(TENANT, &snapshot(&["Acme", "Cog"]), &mut |_, _| Ok(())).unwrap();
    run(&engine, &snapshot(&["Acme", "Cog"]), QUESTION);
    // The prefix, the six cards; the question used the prefix and Acme's card.
    assert_eq!((blocks().blocks, blocks().ahead), (7, 5));
    let warmed = engine.encode_ahead(TENANT, &snapshot(&["Dyne"]), &mut |_, _| Ok(())).unwrap();
    assert_eq!((warmed.ready, warmed.encoded), (3, 3));
    assert_eq!((blocks().blocks, blocks().ahead, blocks().evictions), (5, 3, 0));
    // Taken back in between: what was encoded stays.
    let stopped = engine.encode_ahead(TENANT, &snapshot(&["Ergo"]), &mut |_, _| Err(EngineError::Cancelled));
    assert!(matches!(stopped, Err(EngineError::Cancelled)));
}

#[test]
fn only_a_share_of_the_room_is_filled_and_the_likeliest_come_first() {
    let companies: Vec<String> = (0..12).map(|number| format!("Company{number}")).collect();
    let companies: Vec<&str> = companies.iter().map(String::as_str).collect();
    let snapshot = snapshot(&companies);
    let engine = engine(6 << 20);
    let warmed = engine.encode_ahead(TENANT, &snapshot, &mut |_, _| Ok(())).unwrap();
    let store = engine.fuser().unwrap().blocks();
    assert!(warmed.ready > 0 && warmed.wanted < 36, "{warmed:?}");
    assert!(store.stats().bytes <= store.room_ahead() && store.room_ahead() < store.room());
    // The companies have two facts, everything else one.
    let expected = engine.expected(TENANT, &snapshot);
    assert!(expected.iter().take(12).all(|id| snapshot.entity(*id).classes == [iri("Company")]));
}

#[test]
fn below_the_bar_every_question_recomputes_its_facts_and_says_so() {
    let snapshot = snapshot(&["Acme", "Cog"]);
    let good = Calibration { asked: 12, agreed: 12, divergence: 0.0 };
    let bad = Calibration { agreed: 3, ..good };
    let ask = |calibration: Calibration, mode: Mode| {
        let engine = Engine { calibration: Some(calibration), ..engine(1 << 26) };
        let warmed = engine.encode_ahead(TENANT, &snapshot, &mut |_, _| Ok(())).unwrap();
        let options =
            AskOptions { tenant: TENANT.to_owned(), explain: true, bar: Some(0.0), mode, ..AskOptions::default() };
        let answer = engine.answer(&snapshot, QUESTION, &options).unwrap();
        assert_eq!(answer.text, "Acmeville");
        let explanation = answer.explanation.unwrap();
        let readings = explanation.readings.iter().map(|reading| reading.probability.to_bits());
        let blocks = engine.fuser().unwrap().blocks().stats().blocks;
        (explanation.layout.unwrap(), readings.collect::<Vec<_>>(), warmed.wanted, blocks)
    };
    let fused = ask(good, Mode::Fused);
    let recomputed = ask(bad, Mode::Fused);
    let exact = ask(good, Mode::ExactPrompt);
    assert_eq!((fused.0, fused.2, fused.3), (Layout::Blocks, 6, 7));
    assert_eq!((recomputed.0, recomputed.2, recomputed.3), (Layout::Pasted, 0, 0));
    assert_eq!(recomputed.1, exact.1);
}

#[test]
fn an_explanation_tells_where_the_model_looked_and_what_was_hidden() {
    let snapshot = snapshot(&["Acme", "Cog"]);
    // A city that is called like the company, and has a fact of its own.
    let schema = snapshot.schema().clone();
    let mut entities = snapshot.entities().to_vec();
    let mut facts = snapshot.facts().to_vec();
    let city = Entity { iri: iri("Acme-on-Sea"), classes: vec![iri("City")], ..entities[0].clone() };
    entities.push(Entity { labels: vec![Text::new("en", "Acme")], ..city });
    let statement = Statement::new(iri("Cog"), iri("subsidiary"), Value::Entity(iri("Acme-on-Sea")), Vec::new());
    facts.push(Fact { id: FactId::of(&statement), statement, evidence: Vec::new() });
    let snapshot = Arc::new(Snapshot::build(1, schema, entities, facts));
    let engine = engine(1 << 26);
    let ask = |explain: bool, mode: Mode| {
        let options = AskOptions { tenant: TENANT.to_owned(), explain, bar: Some(0.0), mode, ..AskOptions::default() };
        engine.answer(&snapshot, QUESTION, &options).unwrap()
    };
    for mode in [Mode::Fused, Mode::ExactPrompt] {
        let (plain, told) = (ask(false, mode), ask(true, mode));
        assert_eq!((&plain.text, plain.confidence.to_bits()), (&told.text, told.confidence.to_bits()));
        let Explanation { cards, attention_elsewhere, hidden, .. } = told.explanation.unwrap();
        let lines = || cards.iter().flat_map(|card| &card.lines);
        let elsewhere = attention_elsewhere.unwrap();
        let on_lines: f32 = lines().map(|(_, _, attention)| attention.unwrap()).sum();
        assert!((on_lines + elsewhere.prefix + elsewhere.question - 1.0).abs() < 1e-5, "{cards:?} {elsewhere:?}");
        let raised = lines().filter(|(_, emphasis, _)| *emphasis > 0.0).map(|(_, _, attention)| attention.unwrap());
        assert!(raised.sum::<f32>() > 0.5 * on_lines, "{cards:?}");
        let hidden = hidden.unwrap();
        let names: Vec<(&str, usize)> = hidden.first.iter().map(|one| (one.entity.iri.as_str(), one.cards)).collect();
        let expected = [iri("Acme-on-Sea"), iri("Acmeville"), iri("Acmeson")].map(|iri| iri.as_str().to_owned());
        assert_eq!((hidden.total, names.len()), (3, 3), "{names:?}");
        assert!(expected.iter().all(|iri| names.contains(&(iri, 1))), "{names:?}");
        assert!(cards.iter().all(|card| card.entity == "Acme"), "{cards:?}");
    }
    let uniform = ask(true, Mode::Uniform).explanation.unwrap();
    assert!(uniform.attention_elsewhere.is_none() && uniform.cards[0].lines[0].2.is_none(), "{uniform:?}");
}
