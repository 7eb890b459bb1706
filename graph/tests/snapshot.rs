//! The index of one epoch.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use common::{described, entity, fact, id, iri, qualified};
use factmask_graph::{Calendar, Date, Entity, EntityId, Fact, NewFact, Number, Snapshot, Value};
use factmask_schema::{Schema, Text};

fn snapshot(entities: Vec<Entity>, facts: Vec<(&str, NewFact)>) -> Snapshot {
    let facts: Vec<Fact> = facts.into_iter().map(|(document, fact)| fact.into_fact(id(document))).collect();
    Snapshot::build(7, Schema::default(), entities, facts)
}

fn find(snapshot: &Snapshot, name: &str) -> EntityId {
    snapshot.find(&iri(name)).unwrap()
}

#[test]
fn entities_are_merged_and_made() {
    let snapshot = snapshot(
        vec![
            described("b", "C2", &[("en", "Bee"), ("zh", "蜜蜂")], &[("en", "Buzz")]),
            described("b", "C1", &[("EN", "Bee")], &[("en", "Buzz"), ("en", "Bee"), ("", "B")]),
            Entity { iri: iri("only_class"), classes: vec![iri("C1")], labels: vec![], aliases: vec![] },
        ],
        vec![
            ("d", fact("b", "r", entity("Karl_Marx%20%C3%A9"))),
            ("d", qualified("b", "r", entity("x"), vec![("role", entity("lead"))])),
        ],
    );
    let names: Vec<&str> = snapshot.entities().iter().map(|entity| entity.labels[0].text.as_str()).collect();
    assert_eq!(names, ["Karl Marx é", "Bee", "lead", "only class", "x"]);
    let bee = snapshot.entity(find(&snapshot, "b"));
    assert_eq!(bee.classes, [iri("C1"), iri("C2")]);
    assert_eq!(bee.labels, [Text::new("en", "Bee"), Text::new("zh", "蜜蜂")]);
    assert_eq!(bee.aliases, [Text::new("", "B"), Text::new("en", "Buzz")]);
    for (lang, expected) in [("en", "Bee"), ("zh-hant", "蜜蜂"), ("fr", "Bee")] {
        assert_eq!(snapshot.name(find(&snapshot, "b"), lang), expected);
    }
    assert_eq!(snapshot.find(&iri("nobody")), None);
    assert_eq!(snapshot.epoch(), 7);
}

#[test]
fn what_was_never_stated_names_nobody() {
    let facts = [("a", "r", "b"), ("b", "r", "c"), ("c", "s", "a")];
    let alone = Entity { iri: iri("alone"), classes: vec![], labels: vec![], aliases: vec![] };
    let whole = snapshot(vec![alone], facts.map(|(s, r, o)| ("d", fact(s, r, entity(o)))).to_vec());
    let known = |gone: &[usize]| {
        let ids = gone.iter().map(|at| fact(facts[*at].0, facts[*at].1, entity(facts[*at].2)).into_fact(id("d")).id);
        let rest = whole.without(&ids.collect());
        assert_eq!((rest.facts().len(), rest.epoch()), (facts.len() - gone.len(), whole.epoch()));
        let names: Vec<_> = rest.entities().iter().map(|entity| entity.labels[0].text.clone()).collect();
        names.join(" ")
    };
    let table: [(&[usize], &str); 4] =
        [(&[], "a alone b c"), (&[0], "a alone b c"), (&[0, 1], "a alone c"), (&[0, 1, 2], "alone")];
    for (gone, expected) in table {
        assert_eq!(known(gone), expected, "{gone:?}");
    }
}

#[test]
fn facts_are_joined_whatever_their_order() {
    let worded = |text: &str| Value::Number(Number::new(2_990, 2).with_unit("USD").with_written(text));
    let mut facts = vec![
        ("c", fact("a", "r", worded("thirty, nearly"))),
        ("a", fact("a", "r", worded("$29.90"))),
        ("b", fact("a", "r", Value::Number(Number::new(299, 1).with_unit("USD")))),
        ("b", fact("a", "r", entity("b"))),
    ];
    for _ in 0..facts.len() {
        facts.rotate_left(1);
        let snapshot = snapshot(vec![], facts.clone());
        assert_eq!(snapshot.facts().len(), 2);
        let joined = snapshot.fact(facts.iter().find(|(name, _)| *name == "a").unwrap().1.statement.id()).unwrap();
        let documents: Vec<&str> = joined.evidence.iter().map(|evidence| evidence.document.as_str()).collect();
        assert_eq!(documents, ["a", "b", "c"]);
        // The words of the first piece of evidence.
        assert_eq!(joined.statement.object.written(), Some("$29.90"));
        assert!(snapshot.facts().is_sorted_by_key(|fact| fact.id));
    }
}

#[test]
fn walks() {
    let snapshot = snapshot(
        vec![],
        vec![
            ("d", fact("a", "r2", entity("b"))),
            ("d", fact("a", "r1", entity("c"))),
            ("d", fact("c", "r1", entity("a"))),
            ("d", fact("b", "r1", entity("c"))),
            ("d", fact("a", "r1", entity("a"))),
            ("d", fact("a", "r1", Value::text("words"))),
            ("d", qualified("a", "r1", entity("c"), vec![("year", Value::Date(Date::from_year(2020)))])),
        ],
    );
    let short = |fact: &Fact| {
        let statement = &fact.statement;
        let object = snapshot.said(&statement.object, "en");
        let local = |iri: &factmask_schema::Iri| factmask_schema::local_name(iri.as_str()).to_owned();
        format!(
            "{} {} {object}{}",
            local(&statement.subject),
            local(&statement.relation),
            "*".repeat(statement.qualifiers.len())
        )
    };
    let of = |name: &str| snapshot.facts_of(find(&snapshot, name)).map(short).collect::<Vec<_>>();
    let to = |name: &str| snapshot.facts_to(find(&snapshot, name)).map(short).collect::<Vec<_>>();
    assert_eq!(of("a"), ["a r1 a", "a r1 c", "a r1 words", "a r1 c*", "a r2 b"]);
    assert_eq!(of("b"), ["b r1 c"]);
    assert_eq!(to("a"), ["a r1 a", "c r1 a"]);
    assert_eq!(to("c"), ["a r1 c", "b r1 c", "a r1 c*"]);
    assert!(snapshot.facts_of(EntityId(99)).next().is_none());
    assert!(snapshot.facts_to(EntityId(99)).next().is_none());

    // By relation the same facts come in the same order.
    for name in ["a", "b", "c"] {
        let id = find(&snapshot, name);
        let of_each = snapshot.relations_of(id).flat_map(|relation| snapshot.facts_of_relation(id, relation));
        assert_eq!(of_each.map(short).collect::<Vec<_>>(), of(name), "{name}");
        let to_each = snapshot.relations_to(id).flat_map(|relation| snapshot.facts_to_relation(id, relation));
        assert_eq!(to_each.map(short).collect::<Vec<_>>(), to(name), "{name}");
    }
    assert_eq!(snapshot.relations_of(find(&snapshot, "a")).count(), 2);
    assert!(snapshot.facts_of_relation(find(&snapshot, "b"), &iri("r2")).next().is_none());
    assert!(snapshot.relations_to(EntityId(99)).next().is_none());

    let mut neighbours: Vec<String> = snapshot
        .neighbours(find(&snapshot, "a"))
        .map(|(other, fact)| format!("{} by {}", snapshot.name(other, "en"), short(fact)))
        .collect();
    neighbours.sort();
    assert_eq!(neighbours, ["a by a r1 a", "b by a r2 b", "c by a r1 c", "c by a r1 c*", "c by c r1 a"]);
    assert_eq!((snapshot.graph().node_count(), snapshot.graph().edge_count()), (3, 6));
}

#[test]
fn values_are_said_in_the_readers_language() {
    let snapshot = snapshot(vec![described("apple", "C", &[("en", "Apple"), ("zh", "苹果")], &[])], vec![]);
    let number = Number::new(29_915_000_000, 0).with_unit("USD");
    let day = Date::new(2023, Some(9), Some(30)).unwrap();
    for (value, en, zh) in [
        (entity("apple"), "Apple", "苹果"),
        (entity("Somebody_Else"), "Somebody Else", "Somebody Else"),
        (Value::Number(number.clone()), "$29.915 billion", "299.15亿美元"),
        (Value::Number(number.clone().with_written("$29.915 billion")), "$29.915 billion", "299.15亿美元"),
        (Value::Number(number.with_written("299.15亿美元")), "$29.915 billion", "299.15亿美元"),
        (Value::Number(Number::new(125, 1).with_unit("%")), "12.5%", "12.5%"),
        (Value::Date(Date::fiscal_year(2023).with_written("FY2023")), "2023", "2023"),
        (Value::Date(day.clone()), "2023-09-30", "2023年9月30日"),
        (Value::Date(day.clone().with_written("30 September 2023")), "30 September 2023", "2023年9月30日"),
        (
            Value::Date(day.with_written("2023年9月30日").in_calendar(Calendar::Gregorian)),
            "2023-09-30",
            "2023年9月30日",
        ),
        (Value::text_in("EN", "words"), "words", "words"),
        (Value::Boolean(true), "yes", "是"),
        (Value::Boolean(false), "no", "否"),
    ] {
        assert_eq!(snapshot.said(&value, "en"), en);
        assert_eq!(snapshot.said(&value, "zh-cn"), zh);
    }
}

#[test]
fn nothing_is_a_snapshot_too() {
    let snapshot = snapshot(vec![], vec![]);
    assert_eq!((snapshot.entities().len(), snapshot.facts().len()), (0, 0));
    assert!(snapshot.facts_of(EntityId(0)).next().is_none());
}
