//! Random histories of puts and deletes against a model that keeps documents in a map, and values through storage and back.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use common::{document, id, iri, memory, tenant};
use factmask_graph::{
    Calendar, ContentHash, Date, Document, FactId, Locator, NewFact, Number, Outcome, Snapshot, Statement, Store, Value,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

fn written() -> impl Strategy<Value = Option<String>> {
    option::of("[$€a-z0-9亿元 \"\\\\\n]{1,8}")
}

fn number() -> impl Strategy<Value = Number> {
    let mantissa = prop_oneof![-20i128..20, any::<i128>(), (-9i128..9).prop_map(|digit| digit * 1_000_000)];
    (mantissa, 0u32..45, option::of("[A-Z%²]{1,3}"), written()).prop_map(|(mantissa, scale, unit, written)| Number {
        mantissa,
        scale,
        unit,
        written,
    })
}

fn date() -> impl Strategy<Value = Date> {
    let year = prop_oneof![1900i32..2100, -9999i32..20000];
    let fields = (year, option::of((1u8..=12, option::of(1u8..=28))), any::<bool>(), written());
    fields.prop_map(|(year, month, fiscal, written)| Date {
        year,
        month: month.map(|(month, _)| month),
        day: month.and_then(|(_, day)| day),
        calendar: if fiscal { Calendar::Fiscal } else { Calendar::Gregorian },
        written,
    })
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        2 => (0..4u8).prop_map(|name| Value::Entity(iri(&format!("e{name}")))),
        1 => ("[a-zß中 \"\\\\\n\r\t]{0,30}", option::of("(en|zh-hans|not a tag)")).prop_map(|(text, lang)| Value::Text { text, lang }),
        2 => number().prop_map(Value::Number),
        2 => date().prop_map(Value::Date),
        1 => any::<bool>().prop_map(Value::Boolean),
    ]
}

/// Few names and many equal values, so that documents meet in their statements.
fn statement() -> impl Strategy<Value = Statement> {
    let small = prop_oneof![
        (0..3u8).prop_map(|name| Value::Entity(iri(&format!("e{name}")))),
        (0..2i128, option::of(Just("USD".to_owned())))
            .prop_map(|(mantissa, unit)| Value::Number(Number { unit, ..Number::new(mantissa, 0) })),
    ];
    let qualifiers = vec(
        (0..2u8, prop_oneof![2 => (2022..2024i32).prop_map(|year| Value::Date(Date::fiscal_year(year))), 1 => value()]),
        0..3,
    );
    (0..3u8, 0..2u8, prop_oneof![3 => small, 1 => value()], qualifiers).prop_map(
        |(subject, relation, object, qualifiers)| {
            let qualifiers = qualifiers.into_iter().map(|(name, value)| (iri(&format!("q{name}")), value)).collect();
            Statement::new(iri(&format!("e{subject}")), iri(&format!("r{relation}")), object, qualifiers)
        },
    )
}

fn fact() -> impl Strategy<Value = NewFact> {
    let locator = option::of(prop_oneof![(1u32..9).prop_map(Locator::Page), (1u32..9).prop_map(Locator::Row)]);
    let confidence = prop_oneof![Just(1.0f32), Just(0.0f32), 0.0f32..1.0];
    (statement(), 0u64..3, 0u64..50, locator, "(csv|turtle)", confidence).prop_map(
        |(statement, start, length, locator, extractor, confidence)| NewFact {
            statement,
            span: start..start + length,
            locator,
            extractor,
            confidence,
        },
    )
}

#[derive(Clone, Debug)]
enum Step {
    Put(Vec<(u8, Vec<NewFact>)>),
    Delete(u8),
    Read,
    Reopen,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        5 => vec((0..3u8, vec(fact(), 0..4)), 1..3).prop_map(Step::Put),
        2 => (0..4u8).prop_map(Step::Delete),
        2 => Just(Step::Read),
        1 => Just(Step::Reopen),
    ]
}

/// What must stand: for each fact the evidence in order, as text.
fn expected(documents: &BTreeMap<u8, Document>) -> BTreeMap<FactId, Vec<String>> {
    let mut facts: BTreeMap<FactId, BTreeSet<String>> = BTreeMap::new();
    for document in documents.values() {
        for new in &document.facts {
            let fact = new.clone().into_fact(document.id.clone());
            facts.entry(fact.id).or_default().extend(fact.evidence.iter().map(|evidence| format!("{evidence:?}")));
        }
    }
    facts.into_iter().map(|(id, evidence)| (id, evidence.into_iter().collect())).collect()
}

fn found(snapshot: &Snapshot) -> BTreeMap<FactId, Vec<String>> {
    let sorted = |fact: &factmask_graph::Fact| {
        let mut evidence: Vec<String> = fact.evidence.iter().map(|evidence| format!("{evidence:?}")).collect();
        evidence.sort();
        evidence
    };
    snapshot.facts().iter().map(|fact| (fact.id, sorted(fact))).collect()
}

/// Every fact is under its subject and, where its object is an entity, under that; and nowhere else.
fn check_index(snapshot: &Snapshot) {
    let (mut of, mut to) = (0, 0);
    for (number, entity) in snapshot.entities().iter().enumerate() {
        let id = snapshot.find(&entity.iri).unwrap();
        assert_eq!(id.index(), number);
        of += snapshot.facts_of(id).inspect(|fact| assert_eq!(fact.statement.subject, entity.iri)).count();
        to += snapshot
            .facts_to(id)
            .inspect(|fact| assert_eq!(fact.statement.object.as_entity(), Some(&entity.iri)))
            .count();
    }
    assert_eq!(of, snapshot.facts().len());
    assert_eq!(to, snapshot.facts().iter().filter(|fact| fact.statement.object.as_entity().is_some()).count());
}

fn run(steps: Vec<Step>, open: &dyn Fn(Option<Store>) -> Store) {
    let mut store = open(None);
    let mut model: BTreeMap<u8, Document> = BTreeMap::new();
    for step in steps {
        match step {
            Step::Put(batch) => {
                let documents: Vec<Document> =
                    batch.iter().map(|(name, facts)| document(&name.to_string(), facts.clone())).collect();
                let outcomes = store.put_all(&documents).unwrap();
                for (((name, _), document), outcome) in batch.iter().zip(documents).zip(outcomes) {
                    let earlier = model.get(name).map(|earlier| earlier.source == document.source);
                    let expected = match earlier {
                        None => Outcome::Added,
                        Some(true) => Outcome::Unchanged,
                        Some(false) => Outcome::Replaced,
                    };
                    assert_eq!(outcome, expected);
                    model.insert(*name, document);
                }
            }
            Step::Delete(name) => {
                let before = store.epoch();
                let was = model.remove(&name).is_some();
                assert_eq!(store.delete(&id(&name.to_string())).unwrap(), was);
                assert_eq!(store.epoch(), before + u64::from(was));
            }
            Step::Read => {
                let snapshot = store.snapshot().unwrap();
                assert_eq!(found(&snapshot), expected(&model));
                check_index(&snapshot);
            }
            Step::Reopen => store = open(Some(store)),
        }
    }
    assert_eq!(found(&store.snapshot().unwrap()), expected(&model));
    let infos = store.documents().unwrap();
    assert_eq!(infos.len(), model.len());
    for (info, document) in infos.iter().zip(model.values()) {
        assert_eq!((&info.id, info.hash), (&document.id, ContentHash::of(&document.source)));
        assert_eq!(store.source(&info.id).unwrap(), document.source);
    }
    // However it came about, a store with these documents exports these bytes.
    let fresh = memory();
    let documents: Vec<Document> = model.into_values().rev().collect();
    fresh.put_all(&documents).unwrap();
    assert_eq!(store.export().unwrap(), fresh.export().unwrap());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn histories_in_memory(steps in vec(step(), 1..14)) {
        run(steps, &|store| store.unwrap_or_else(memory));
    }

    #[test]
    fn values_round_trip(facts in vec((value(), vec((0..2u8, value()), 0..4)), 1..6)) {
        let facts: Vec<NewFact> = facts
            .into_iter()
            .map(|(object, qualifiers)| {
                let qualifiers = qualifiers.into_iter().map(|(name, value)| (iri(&format!("q{name}")), value)).collect();
                let statement = Statement::new(iri("s"), iri("r"), object, qualifiers);
                NewFact { statement, span: 0..1, locator: None, extractor: "t".to_owned(), confidence: 0.3 }
            })
            .collect();
        for fact in facts {
            let store = memory();
            store.put(&document("a", vec![fact.clone()])).unwrap();
            let snapshot = store.snapshot().unwrap();
            prop_assert_eq!(snapshot.facts().len(), 1);
            // The debug form shows the scale and the words as written, which equality passes over.
            prop_assert_eq!(format!("{:?}", snapshot.facts()[0].statement), format!("{:?}", fact.statement));
            prop_assert_eq!(snapshot.facts()[0].evidence[0].confidence.to_bits(), fact.confidence.to_bits());
        }
    }

    #[test]
    fn ids_follow_equality(one in statement(), other in statement()) {
        prop_assert_eq!(one == other, one.id() == other.id());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn histories_on_disk(steps in vec(step(), 4..14)) {
        let folder = tempfile::tempdir().unwrap();
        run(steps, &|store| {
            drop(store);
            Store::open(folder.path(), &tenant()).unwrap()
        });
    }
}
