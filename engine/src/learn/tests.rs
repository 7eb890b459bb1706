#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use super::{
    Clues, Example, PathModel,
    features::{self, SHARED},
    model::probabilities,
    train::{Choice, Instance, train},
};
use crate::{
    question::{
        Reader,
        path::{Path, Step},
        read::Meanings,
    },
    represent::Shelf,
};
use factmask_graph::{Entity, EntityId, Fact, FactId, Snapshot, Statement, Value};
use factmask_schema::{Iri, Schema, Text};
use std::sync::Arc;

fn iri(name: &str) -> Iri {
    Iri::new_unchecked(format!("urn:test:{name}"))
}

fn choice(path: &str, right: bool) -> Choice {
    let parts = vec![format!("first {path}"), format!("last {path}"), "steps 1".to_owned()];
    Choice { parts, steps: vec![path.to_owned()], absent: false, shared: [0.0; SHARED], topic: 0, yields: None, right }
}

fn instance(question: &str, meant: &str) -> Instance {
    let at = question.find("acme").unwrap();
    let clues = vec![Clues::new(question, &(at..at + 4), Vec::new())];
    Instance {
        text: question.to_owned(),
        clues,
        choices: ["boss", "town", "size"].map(|path| choice(path, path == meant)).to_vec(),
    }
}

fn lessons() -> Vec<Instance> {
    let asked = [
        ("who runs acme", "boss"),
        ("who is in charge of acme", "boss"),
        ("who leads acme", "boss"),
        ("where does acme sit", "town"),
        ("where is acme", "town"),
        ("where in the world is acme", "town"),
        ("how many work for acme", "size"),
        ("how many people are at acme", "size"),
        ("how many does acme employ", "size"),
    ];
    let polite = asked.map(|(question, meant)| (format!("tell me {question}"), meant));
    let all = asked.iter().map(|(question, meant)| ((*question).to_owned(), *meant)).chain(polite);
    all.map(|(question, meant)| instance(&question, meant)).collect()
}

fn taken(model: &PathModel, instance: &Instance) -> (usize, f32) {
    let asked = model.ask(&instance.clues[0]);
    let scores: Vec<f32> = instance.choices.iter().map(|choice| asked.score(&choice.parts, &choice.shared)).collect();
    let all = probabilities(&scores);
    let best = (0..all.len()).max_by(|a, b| all[*a].total_cmp(&all[*b])).unwrap();
    (best, all[best])
}

#[test]
fn questions_in_words_of_the_examples_are_told_apart_and_others_are_not_sure() {
    let lessons = lessons();
    let (model, held) = train(&lessons.iter().collect::<Vec<_>>());
    for (question, meant) in [("who heads acme", 0), ("where on earth is acme", 1), ("how many sit in acme", 2)] {
        assert_eq!(taken(&model, &instance(question, "")).0, meant, "{question}");
    }
    assert_eq!((held.examples, held.reached), (18, 18));
    assert!(held.right >= 14, "{held:?}");
    let (_, sure) = taken(&model, &instance("who runs acme", ""));
    let (_, unsure) = taken(&model, &instance("acme", ""));
    assert!(sure > 0.9 && unsure < sure, "{sure} {unsure}");
}

#[test]
fn the_same_examples_give_the_same_model_and_it_is_kept_whole() {
    let lessons = lessons();
    let all: Vec<&Instance> = lessons.iter().collect();
    let (model, _) = train(&all);
    assert_eq!(model, train(&all).0);
    assert_eq!((model.heard("many"), model.heard("not"), model.heard("最大")), (6, 0, 0));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("learned").join("en.json");
    assert_eq!(PathModel::load(&file).unwrap(), None);
    model.save(&file).unwrap();
    assert_eq!(PathModel::load(&file).unwrap().as_ref(), Some(&model));
    std::fs::write(&file, "{\"format\":9").unwrap();
    let fault = PathModel::load(&file).unwrap_err().to_string();
    assert!(fault.contains("en.json") && fault.contains("factmask align"), "{fault}");
}

#[test]
fn nothing_is_learned_from_what_no_path_reaches() {
    let none: Vec<Instance> = lessons()
        .into_iter()
        .map(|mut one| {
            one.choices.iter_mut().for_each(|choice| choice.right = false);
            one
        })
        .collect();
    let (model, held) = train(&none.iter().collect::<Vec<_>>());
    assert_eq!((held.reached, held.right, model.most_steps), (0, 0, 0));
    let [constant, factor] = model.calibration;
    // Three paths alike.
    let sure = 1.0 / (1.0 + (-(constant - factor * 2.0_f32.ln())).exp());
    assert!(sure < 0.3, "{sure}: what was always wrong is not safe");
    let (model, held) = train(&[]);
    assert_eq!((held.examples, model.most_steps), (0, 0));
}

/// People with a parent, a child and a spouse each, all relations by names that mean nothing.
fn family() -> (Arc<Snapshot>, Vec<Example>) {
    let (mut entities, mut facts) = (Vec::new(), Vec::new());
    let mut examples = Vec::new();
    let entity =
        |name: &str| Entity { iri: iri(name), classes: vec![], labels: vec![Text::new("en", name)], aliases: vec![] };
    for number in 0..12 {
        let name = |role: &str| format!("{role}{number} Smith");
        let (who, parent, spouse, trade) = (name("Ann"), name("Bob"), name("Cid"), name("Baker"));
        for (subject, relation, object) in
            [(&who, "r1", &parent), (&who, "r2", &spouse), (&parent, "r3", &trade), (&spouse, "r3", &who)]
        {
            let statement = Statement::new(iri(subject), iri(relation), Value::Entity(iri(object)), vec![]);
            facts.push(Fact { id: FactId::of(&statement), statement, evidence: vec![] });
        }
        entities.extend([&who, &parent, &spouse, &trade].map(|name| entity(name)));
        for (question, answer) in [
            (format!("who is the father of {who}"), &parent),
            (format!("who married {who}"), &spouse),
            (format!("what does the father of {who} do for a living"), &trade),
        ] {
            examples.push(Example { question, answers: vec![answer.clone()], lang: None });
        }
    }
    (Arc::new(Snapshot::build(1, Schema::default(), entities, facts)), examples)
}

#[test]
fn relations_without_a_meaning_are_learned_from_answers_alone() {
    let (snapshot, examples) = family();
    let reader = Reader::new(snapshot.clone(), Arc::new(Shelf::new(None))).unwrap();
    let none = Meanings::new();
    let (seen, unseen): (Vec<_>, Vec<_>) = examples.iter().enumerate().partition(|(number, _)| *number < 24);
    let instances: Vec<Instance> = seen.iter().map(|(_, example)| reader.instance(example, &none).unwrap()).collect();
    let (model, held) = train(&instances.iter().collect::<Vec<_>>());
    assert_eq!(held.reached, 24);
    assert!(model.most_steps >= 2);
    for (_, example) in unseen {
        let reading = reader.read(&example.question, None, &none, Some(&model)).unwrap();
        let first = &reading.candidates[0];
        let said: Vec<String> = first.found.values().iter().map(|value| snapshot.said(value, "en")).collect();
        assert_eq!(said, example.answers, "{}", example.question);
        assert!(first.learned.unwrap() > 0.5);
    }
}

#[test]
fn the_meaning_of_a_question_speaks_where_its_words_are_new() {
    let encoder = crate::testing::minilm();
    let mut lessons = lessons();
    let see = |instance: &mut Instance, question: &str| {
        let meaning = encoder.encode(&[question]).unwrap().remove(0);
        let at = question.find("acme").unwrap();
        instance.clues = vec![Clues::new(question, &(at..at + 4), meaning)];
    };
    for one in &mut lessons {
        let question = one.text.clone();
        see(one, &question);
    }
    let (model, _) = train(&lessons.iter().collect::<Vec<_>>());
    for (question, meant) in [("name the director of acme", 0), ("the address of acme", 1), ("acme's staff count", 2)] {
        let mut asked = instance("acme", "");
        see(&mut asked, question);
        assert_eq!(taken(&model, &asked).0, meant, "{question}");
    }
}

#[test]
fn a_path_is_said_in_the_words_of_its_relations() {
    let schema = Schema::parse(
        "@prefix ex: <urn:x:> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
         @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
         ex:r1 a rdf:Property ; rdfs:range rdfs:Resource ; rdfs:label \"head of\"@en , \"负责人\"@zh .",
        "test",
    )
    .unwrap();
    let step = |name: &str, forward| Step { relation: Iri::new(format!("urn:x:{name}")).unwrap(), forward };
    let (head, born, back) = (step("r1", true), step("birthPlace", true), step("r1", false));
    let table: [(&[&Step], &str, &str); 4] = [
        (&[&head], "en", "→ head of"),
        (&[&back, &born], "en", "← head of → birth place"),
        (&[&back, &born], "zh", "← 负责人 → birth place"),
        (&[&head, &born, &back], "en", "→ head of → birth place ← head of"),
    ];
    for (steps, lang, expected) in table {
        let path = Path { topic: EntityId(0), steps: steps.iter().map(|step| (*step).clone()).collect() };
        assert_eq!(features::said(&features::parts(&path), &schema, lang), expected);
    }
}
