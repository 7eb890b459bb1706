//! A proposed schema says what the facts show, and the facts come under it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use factmask_graph::{Snapshot, Store, TenantId, Value};
use factmask_ingest::{Pipeline, PipelineOptions, Suggestion, Triple, suggest_from_files, suggest_schema};
use factmask_schema::{Functional, Iri, Range, Relation, Schema, ValueKind, local_name};
use std::sync::Arc;

/// Ships with captains, builders, harbours, lengths and launches, as lines of triples.
fn harbour() -> String {
    let mut lines = String::new();
    let mut add = |subject: &str, relation: &str, object: &str| {
        lines.push_str(&format!("{subject}\t{relation}\t{object}\n"));
    };
    for number in 0..40 {
        let ship = format!("Ship {}", (b'A' + number % 26) as char).repeat(1 + usize::from(number / 26));
        let person = |offset: u8| format!("Person {}", (number + offset) % 17 + 1);
        add(&ship, "commanded_by", &person(0));
        add(&ship, "built_by", &person(5));
        add(&ship, "built_by", &person(9));
        add(&ship, "length_m", &format!("{}.5", 20 + number));
        add(&ship, "launch_year", &(1900 + i32::from(number)).to_string());
        let harbour = format!("Port {}", ["North", "South", "East", "West"][usize::from(number % 4)]);
        add(&ship, "sails_from_harbour", &harbour);
        add(&harbour, "sails_from_harbour_inverse", &ship);
        if number < 26 {
            add(&ship, "sister_ship", &format!("Ship {}", (b'A' + (number ^ 1)) as char));
        }
        add(&ship, "insured", if number % 3 == 0 { "yes" } else { "no" });
        add(
            &ship,
            "log",
            &format!("It was a calm day. Number {number} left the quay before noon. All was well on board of it."),
        );
    }
    lines
}

fn triples(lines: &str) -> Vec<Triple> {
    lines
        .lines()
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            Triple { subject: cells[0].to_owned(), relation: cells[1].to_owned(), object: cells[2].to_owned() }
        })
        .collect()
}

fn relation<'a>(found: &'a Suggestion, name: &str) -> &'a Relation {
    let iri = Iri::new_unchecked(format!("urn:factmask:relation:{name}"));
    found.schema.relations.get(&iri).unwrap_or_else(|| panic!("{name}: {:?}", found.schema.relations.keys()))
}

fn shown(relation: &Relation) -> String {
    let class = |class: Option<&Iri>| class.map_or("-".to_owned(), |class| local_name(class.as_str()).to_owned());
    let range = match &relation.range {
        Range::Entity(found) => class(found.as_ref()),
        Range::Value(value) => format!("{:?} {}", value.kind, value.unit.as_deref().unwrap_or("-")),
    };
    let one = if relation.functional == Functional::No { "many" } else { "one" };
    format!("{} -> {range}, {one}", class(relation.domain.as_ref()))
}

#[test]
fn kinds_classes_and_mirrors() {
    let found = suggest_schema(&triples(&harbour()), "");
    for (name, expected) in [
        ("commanded_by", "sailor -> commander, one"),
        ("built_by", "sailor -> builder, many"),
        ("length_m", "sailor -> Number m, one"),
        ("launch_year", "sailor -> Year -, one"),
        ("sails_from_harbour", "sailor -> harbour, one"),
        ("sails_from_harbour_inverse", "harbour -> sailor, many"),
        ("insured", "sailor -> Boolean -, one"),
        ("log", "sailor -> Text -, one"),
    ] {
        assert_eq!(shown(relation(&found, name)), expected, "{name}");
    }
    let inverse = relation(&found, "sails_from_harbour").inverse.clone().unwrap();
    assert_eq!(inverse.as_str(), "urn:factmask:relation:sails_from_harbour_inverse");
    assert!(relation(&found, "sister_ship").symmetric);
    assert!(!relation(&found, "built_by").symmetric && relation(&found, "built_by").inverse.is_none());
}

#[test]
fn the_proposal_is_turtle_that_reads_back() {
    for lines in [harbour(), "甲\t作者\t乙\n甲\t页数\t12页\n".to_owned(), String::new(), "a\tb {s} [c]\td\n".to_owned()]
    {
        let found = suggest_schema(&triples(&lines), "");
        let turtle = found.to_turtle();
        let read = Schema::parse(&turtle, "proposed.ttl").unwrap_or_else(|faults| panic!("{faults}\n{turtle}"));
        assert_eq!(read, found.schema);
        let comments = turtle.lines().filter(|line| line.starts_with("# ") && line.contains(" facts, ")).count();
        assert_eq!(comments, found.schema.relations.len(), "{turtle}");
    }
}

fn ingested(file: &str, text: &str) -> (Arc<Snapshot>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(file);
    std::fs::write(&path, text).unwrap();
    let found = suggest_from_files(std::slice::from_ref(&path), "").unwrap();
    let store = Store::in_memory(&TenantId::new("test").unwrap()).unwrap();
    store.put_schema(&found.schema).unwrap();
    let pipeline = Pipeline::new(&store, &found.schema, PipelineOptions::new(folder.path().join("jobs"))).unwrap();
    let report = pipeline.ingest_paths(&[path], &mut |_| {}).unwrap();
    assert!(report.failures().is_empty());
    (store.snapshot().unwrap(), report.warnings.iter().map(|(_, warning)| warning.to_string()).collect())
}

#[test]
fn a_table_is_about_what_it_names_and_not_about_keys_and_groups() {
    let table = |header: &str, row: &dyn Fn(usize) -> String| {
        let rows: Vec<String> = (0..12).map(row).collect();
        format!("{header}\n{}\n", rows.join("\n"))
    };
    let keyed = table("Player id,Player,Club", &|at| format!("{},Ann {at},Club {}", 900 + at, at % 3));
    let grouped = table("Group,Shirt,Name,Club", &|at| format!("{},{at},Ann {at},Club {}", ["A", "B"][at % 2], at % 3));
    let unnamed = table("Group,Player,Club", &|at| format!("{},Ann {at},Club {}", ["A", "B"][at % 2], at % 3));
    // Two of one name, and addresses that are all different.
    let doubled = table("Player,Address,Club", &|at| format!("Ann {},{at} Long Road,Club {}", at.max(1), at % 3));
    for (file, text, class, relations) in [
        ("a.csv", keyed, "player", 1),
        ("players.csv", grouped, "players", 3),
        ("b.csv", unnamed, "player", 2),
        ("c.csv", doubled, "player", 2),
    ] {
        let (snapshot, warnings) = ingested(file, &text);
        assert!(warnings.is_empty(), "{warnings:?}");
        assert_eq!(snapshot.facts().len(), 12 * relations, "{file}");
        for fact in snapshot.facts() {
            let subject = snapshot.find(&fact.statement.subject).unwrap();
            assert!(snapshot.name(subject, "en").starts_with("Ann "), "{file}: {fact:?}");
            let classes = &snapshot.entity(subject).classes;
            assert!(classes.iter().any(|iri| local_name(iri.as_str()) == class), "{file}: {classes:?}");
        }
    }
}

#[test]
fn the_same_file_comes_under_the_proposal() {
    let text = harbour();
    let (snapshot, warnings) = ingested("harbour.tsv", &text);
    assert!(warnings.is_empty(), "{warnings:?}");
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(snapshot.facts().len(), lines.len());
    // Every name is one entity, whatever it does.
    let mut names: Vec<&str> = (0..snapshot.entities().len())
        .map(|number| snapshot.name(factmask_graph::EntityId(u32::try_from(number).unwrap()), "en"))
        .collect();
    names.sort_unstable();
    let all = names.len();
    names.dedup();
    assert_eq!(names.len(), all);
    assert!(snapshot.facts().iter().all(|fact| snapshot.schema().relations.contains_key(&fact.statement.relation)));
    let years = snapshot.facts().iter().filter(|fact| fact.statement.object.kind() == Some(ValueKind::Year)).count();
    assert_eq!(years, 40);
}

#[test]
fn a_table_comes_under_its_proposal() {
    let text = "ship_name,tonnage,home port\nSunrise,1200,Ulm\nMoonrise,900,Bonn\nStarlight,77,Ulm\nDaylight,5,Kiel\nTwilight,6,Kiel\n";
    let (snapshot, warnings) = ingested("fleet.csv", text);
    assert!(warnings.is_empty(), "{warnings:?}");
    assert_eq!(snapshot.facts().len(), 10);
    let sunrise = snapshot.entities().iter().find(|entity| entity.labels.iter().any(|label| label.text == "Sunrise"));
    assert_eq!(sunrise.unwrap().classes.iter().map(|class| local_name(class.as_str())).collect::<Vec<_>>(), ["ship"]);
    let numbers = snapshot.facts().iter().filter(|fact| matches!(fact.statement.object, Value::Number(_))).count();
    assert_eq!(numbers, 5);
}
