#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::{Kind, Twins, gold::Finder, rename::Renamer};
use crate::eval::{
    score::Rule,
    set::{Knowledge, Question},
    world::World,
};
use factmask_graph::{Fact, Snapshot};
use factmask_schema::local_name;
use std::{collections::BTreeSet, fs};

const SCHEMA: &str = "\
@prefix ex: <urn:test:> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
 @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:Person a rdfs:Class ; rdfs:label \"person\"@en .
ex:Town a rdfs:Class ; rdfs:label \"town\"@en .
ex:mother a rdf:Property ; rdfs:label \"mother\"@en ; rdfs:domain ex:Person ; rdfs:range ex:Person .
ex:child a rdf:Property ; rdfs:label \"child\"@en ; rdfs:domain ex:Person ; rdfs:range ex:Person .
ex:home a rdf:Property ; rdfs:label \"home\"@en ; rdfs:domain ex:Person ; rdfs:range ex:Town .
";

const FACTS: &str = "\
Ann Ash	mother	Bea Ash
Bea Ash	child	Ann Ash
Bea Ash	home	York
Ann Ash	home	Leeds
Cid Cole	home	York
Bea Ash	mother	Dora Dunn
Dora Dunn	home	Leeds
";

fn world() -> World {
    let folder = tempfile::tempdir().unwrap();
    let [file, schema] = ["kb.tsv", "schema.ttl"].map(|name| folder.path().join(name));
    fs::write(&file, FACTS).unwrap();
    fs::write(&schema, SCHEMA).unwrap();
    World::ingest(&Knowledge::Triples(file), "en", Some(&schema)).unwrap()
}

fn question(text: &str, answers: &[&str], triples: &[[&str; 3]]) -> Question {
    Question {
        question: text.to_owned(),
        answers: answers.iter().map(|answer| (*answer).to_owned()).collect(),
        gold_triples: triples.iter().map(|triple| triple.map(str::to_owned)).collect(),
        ..Question::default()
    }
}

fn said(snapshot: &Snapshot, fact: &Fact) -> String {
    let statement = &fact.statement;
    let subject = snapshot.name(snapshot.find(&statement.subject).unwrap(), "en");
    let relation = local_name(statement.relation.as_str());
    format!("{subject} {relation} {}", snapshot.said(&statement.object, "en"))
}

/// The facts that go, by kind.
fn gone(snapshot: &Snapshot, question: Question) -> Vec<(Kind, BTreeSet<String>)> {
    let twins = Twins::make(snapshot, &[question], Rule::All).unwrap();
    let facts = |ids: &BTreeSet<_>| ids.iter().map(|id| said(snapshot, snapshot.fact(*id).unwrap())).collect();
    twins
        .all
        .iter()
        .map(|twin| (twin.kind, facts(&twin.removed)))
        .filter(|(_, facts): &(_, BTreeSet<_>)| !facts.is_empty())
        .collect()
}

#[test]
fn what_carries_the_answers_goes() {
    let world = world();
    let mother = ["Ann Ash", "mother", "Bea Ash"];
    let home = ["Bea Ash", "home", "York"];
    const TO_MOTHER: &[&str] = &["Ann Ash mother Bea Ash", "Bea Ash child Ann Ash"];
    type Row = (Question, &'static [(Kind, &'static [&'static str])]);
    let table: [Row; 7] = [
        // Its inverse says the same.
        (question("Who is the mother of Ann Ash?", &["Bea Ash"], &[mother]), &[(Kind::LastFacts, TO_MOTHER)]),
        // The path is not told: the shortest one that yields the answers and nothing else.
        (question("Who is the mother of Ann Ash?", &["Bea Ash"], &[]), &[(Kind::LastFacts, TO_MOTHER)]),
        (
            question("Where does the mother of Ann Ash live?", &["York"], &[mother, home]),
            &[
                (Kind::LastFacts, &["Bea Ash home York"]),
                (Kind::AllFacts, &["Ann Ash mother Bea Ash", "Bea Ash child Ann Ash", "Bea Ash home York"]),
            ],
        ),
        (
            question("Where does the mother of Ann Ash live?", &["York"], &[]),
            &[(Kind::LastFacts, &["Bea Ash home York"])],
        ),
        // All who live there, whoever the triple names.
        (
            question("Who lives in York?", &["Cid Cole"], &[["Cid Cole", "home", "York"]]),
            &[(Kind::LastFacts, &["Bea Ash home York", "Cid Cole home York"])],
        ),
        (question("Who is the mother of Ann Ash?", &["Eve Elm"], &[]), &[]),
        (question("Who is the mother of Ann Ash?", &["Eve Elm"], &[["Ann Ash", "mother", "Eve Elm"]]), &[]),
    ];
    for (question, expected) in table {
        let expected: Vec<(Kind, BTreeSet<String>)> = expected
            .iter()
            .map(|(kind, facts)| (*kind, facts.iter().map(|fact| (*fact).to_owned()).collect()))
            .collect();
        assert_eq!(gone(&world.snapshot, question.clone()), expected, "{question:?}");
    }
}

#[test]
fn alternatives_are_one_answer() {
    let world = world();
    let alternatives = question("Who is the mother of Ann Ash?", &["Bea Ash", "Mrs Ash", "Beatrice"], &[]);
    let made = |rule| Twins::make(&world.snapshot, std::slice::from_ref(&alternatives), rule).unwrap().without;
    assert_eq!([Rule::All, Rule::AnyOf].map(made), [1, 0]);
}

#[test]
fn no_twin_takes_facts_from_where_another_starts() {
    let world = world();
    let questions = [
        question("Who is the mother of Ann Ash?", &["Bea Ash"], &[]),
        question("Where does Dora Dunn live?", &["Leeds"], &[]),
        question("Who is the mother of Bea Ash?", &["Dora Dunn"], &[]),
        question("Where does Cid Cole live?", &["York"], &[]),
        question("Who is the mother of Dora Dunn?", &["Eve Elm"], &[]),
    ];
    let twins = Twins::make(&world.snapshot, &questions, Rule::All).unwrap();
    assert_eq!(twins.without, 1);
    let asked: Vec<(Vec<usize>, usize)> = twins
        .graphs(&world.snapshot)
        .filter(|(snapshot, _)| snapshot.facts().len() < world.snapshot.facts().len())
        .map(|(snapshot, group)| (group.iter().map(|at| twins.all[*at].of).collect(), snapshot.facts().len()))
        .collect();
    // The third starts at Bea Ash, whom the first removes as Ann Ash's mother, and removes Dora Dunn, where the second starts.
    assert_eq!(asked, [(vec![0, 1, 3], 3), (vec![2], 6)]);
}

#[test]
fn other_names_and_years_have_no_answer() {
    let world = world();
    let asked = |text: &str, answers: &[&str]| {
        let twins = Twins::make(&world.snapshot, &[question(text, answers, &[])], Rule::All).unwrap();
        twins
            .all
            .into_iter()
            .filter(|twin| twin.removed.is_empty())
            .map(|twin| (twin.kind, twin.question))
            .collect::<Vec<_>>()
    };
    let renamed = asked("Who is the mother of Ann Ash?", &["Bea Ash"]);
    let of = |kind: Kind| renamed.iter().find(|(own, _)| *own == kind).map(|(_, text)| text.clone());
    let name = of(Kind::UnknownName).unwrap();
    let name = name.strip_prefix("Who is the mother of ").and_then(|rest| rest.strip_suffix('?')).unwrap();
    assert!(name.split(' ').count() == 2 && !FACTS.contains(name), "{name}");
    assert!(["Ann", "Bea", "Cid", "Dora"].iter().any(|first| name.starts_with(first)), "{name}");
    // Of the people only these two have no mother; a town has another class.
    let others = ["Cid Cole", "Dora Dunn"].map(|name| format!("Who is the mother of {name}?"));
    assert!(others.contains(&of(Kind::OtherThing).unwrap()), "{renamed:?}");
    let towns = ["York", "Leeds"].map(|name| format!("Who is the mother of {name}?"));
    assert!(towns.contains(&of(Kind::OtherClass).unwrap()), "{renamed:?}");
    assert_eq!(of(Kind::OtherYear), None);
    let (finder, renamer) = (Finder::new(&world.snapshot, Rule::All).unwrap(), Renamer::new(&world.snapshot));
    let table = [
        ("Where did Ann Ash live in 1999?", Some("Where did Ann Ash live in 2000?")),
        ("Where does Ann Ash live?", None),
    ];
    for (text, expected) in table {
        assert_eq!(renamer.other_year(&finder, &question(text, &[], &[])).as_deref(), expected, "{text}");
    }
}
