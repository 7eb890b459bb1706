//! Publishing, previewing and restoring schemas, with the facts of renamed terms.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use common::{count, described, document, entity, fact, facts, id, iri, memory, number, qualified, tenant};
use factmask_graph::{Document, GraphError, NewFact, Rename, SchemaChange, Store, TermKind};
use factmask_schema::{Iri, Schema};

/// A schema of these relations and classes; every relation may be qualified by `year` or `period`.
fn schema(relations: &[&str], classes: &[&str]) -> Schema {
    let prefixes = "@prefix e: <http://example.com/> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix fm: <urn:factmask:schema#> .
        @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .";
    let relations = relations.iter().map(|name| format!("e:{name} a rdf:Property ; rdfs:range rdfs:Resource .\n"));
    let classes = classes.iter().map(|name| format!("e:{name} a rdfs:Class .\n"));
    let turtle: String = [prefixes.to_owned()].into_iter().chain(relations).chain(classes).collect();
    Schema::parse(&turtle, "test").unwrap()
}

fn change(renames: &[(TermKind, &str, &str)]) -> SchemaChange {
    let rename = |(kind, from, to): &(TermKind, &str, &str)| Rename { kind: *kind, from: iri(from), to: iri(to) };
    let (renames, author, reason) = (renames.iter().map(rename).collect(), "Ann".into(), "clearer".into());
    SchemaChange { renames, author, reason, ..SchemaChange::default() }
}

/// Two documents that say things with `boss` and `chief`, one of them the same with both.
fn documents() -> [Document; 2] {
    let mut one = document(
        "one",
        vec![
            fact("x", "boss", entity("y")),
            fact("x", "chief", entity("y")),
            qualified("x", "boss", entity("z"), vec![("year", number(2023))]),
            NewFact { span: 7..9, ..fact("x", "boss", entity("y")) },
            fact("w", "pays", number(5)),
        ],
    );
    one.entities = vec![described("x", "Firm", &[("en", "x")], &[])];
    let mut two = document("two", vec![fact("x", "boss", entity("y")), fact("v", "chief", entity("u"))]);
    two.entities = vec![described("v", "Company", &[("en", "v")], &[])];
    [one, two]
}

fn store() -> Store {
    let store = memory();
    store.put_schema(&schema(&["boss", "chief", "pays"], &["Firm", "Company"])).unwrap();
    store.put_all(&documents()).unwrap();
    store
}

fn classes(store: &Store, name: &str) -> Vec<Iri> {
    let snapshot = store.snapshot().unwrap();
    snapshot.entity(snapshot.find(&iri(name)).unwrap()).classes.clone()
}

#[test]
fn a_renamed_relation_takes_its_facts_along() {
    let store = store();
    let published = store.publish_schema(
        &schema(&["leader", "chief", "pays"], &["Firm", "Company"]),
        &change(&[(TermKind::Relation, "boss", "leader")]),
    );
    let published = published.unwrap();
    assert_eq!((published.version, published.facts, published.entities), (Some(2), 4, 0));
    let expected = [
        "v chief u (two)",
        "w pays $5 (one)",
        "x chief y (one)",
        "x leader y (one,one,two)",
        "x leader z @$2,023 (one)",
    ];
    assert_eq!(facts(&store.snapshot().unwrap()), expected);
    assert_eq!(count(&store, "SELECT * { ?s <http://example.com/boss> ?o }"), 0);
    assert_eq!(count(&store, "SELECT DISTINCT ?o { <http://example.com/x> <http://example.com/leader> ?o }"), 2);

    // It is as if the documents had been read by the new schema: the same store comes of that, byte for byte.
    let other = memory();
    let named = |mut document: Document| {
        for fact in &mut document.facts {
            if fact.statement.relation == iri("boss") {
                fact.statement.relation = iri("leader");
            }
        }
        document
    };
    other.put_all(&documents().map(named)).unwrap();
    other.put_schema(&schema(&["leader", "chief", "pays"], &["Firm", "Company"])).unwrap();
    let plain = |store: &Store| {
        let export = store.export().unwrap();
        export.lines().filter(|line| !line.contains("urn:factmask:renames")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(plain(&store), plain(&other));

    // A document that still says it in the old way is understood.
    store.delete(&id("two")).unwrap();
    store.put(&documents()[1]).unwrap();
    assert_eq!(facts(&store.snapshot().unwrap()), expected);
}

#[test]
fn merged_relations_and_classes_can_be_taken_apart_again() {
    let store = store();
    let before = (facts(&store.snapshot().unwrap()), store.export().unwrap());
    let merged = change(&[(TermKind::Relation, "boss", "chief"), (TermKind::Class, "Company", "Firm")]);
    let published = store.publish_schema(&schema(&["chief", "pays"], &["Firm"]), &merged).unwrap();
    assert_eq!((published.facts, published.entities), (4, 1));
    assert_eq!(
        facts(&store.snapshot().unwrap()),
        ["v chief u (two)", "w pays $5 (one)", "x chief y (one,one,two)", "x chief z @$2,023 (one)"],
        "one fact and two places"
    );
    assert_eq!(store.document(&id("one")).unwrap().unwrap().facts, 3);
    assert_eq!(classes(&store, "v"), [iri("Firm")]);

    let restored = store.restore_schema(1, "Bob", "it was better").unwrap();
    assert_eq!((restored.version, restored.facts, restored.entities), (Some(3), 4, 1));
    assert_eq!((facts(&store.snapshot().unwrap()), store.export().unwrap()), before);
    assert_eq!(store.document(&id("one")).unwrap().unwrap().facts, 4);

    // Back to the merged one, and there is no end to it.
    store.restore_schema(2, "", "").unwrap();
    assert_eq!(classes(&store, "v"), [iri("Firm")]);
    assert_eq!(store.document(&id("one")).unwrap().unwrap().facts, 3);
    store.restore_schema(1, "", "").unwrap();
    assert_eq!(store.export().unwrap(), before.1);
}

#[test]
fn a_renamed_qualifier_takes_its_facts_along() {
    let store = store();
    let published = store
        .publish_schema(
            &schema(&["boss", "chief", "pays"], &["Firm"]),
            &change(&[(TermKind::Qualifier, "year", "period")]),
        )
        .unwrap();
    assert_eq!(published.facts, 1);
    let snapshot = store.snapshot().unwrap();
    let qualifiers: Vec<&Iri> =
        snapshot.facts().iter().flat_map(|fact| fact.statement.qualifiers.iter().map(|(iri, _)| iri)).collect();
    assert_eq!(qualifiers, [&iri("period")]);
    assert_eq!(count(&store, "SELECT * { ?s <http://example.com/year> ?o }"), 0);
}

#[test]
fn a_preview_is_what_happens_and_changes_nothing() {
    let store = store();
    let before = (store.export().unwrap(), store.epoch(), store.schema_versions().unwrap());
    let new = schema(&["chief", "pays"], &["Firm"]);
    let merged = change(&[(TermKind::Relation, "boss", "chief"), (TermKind::Class, "Company", "Firm")]);
    let (foreseen, snapshot) = store.preview_schema(&new, &merged).unwrap();
    assert_eq!((store.export().unwrap(), store.epoch(), store.schema_versions().unwrap()), before);

    let published = store.publish_schema(&new, &merged).unwrap();
    assert_eq!(foreseen, published);
    let now = store.snapshot().unwrap();
    assert_eq!((facts(&snapshot), snapshot.entities(), snapshot.epoch()), (facts(&now), now.entities(), now.epoch()));

    let (foreseen, _, snapshot) = store.preview_restore(1).unwrap();
    assert_eq!(foreseen, store.restore_schema(1, "", "").unwrap());
    let now = store.snapshot().unwrap();
    assert_eq!((facts(&snapshot), snapshot.entities(), snapshot.schema()), (facts(&now), now.entities(), now.schema()));
}

#[test]
fn versions_say_who_when_and_why_and_outlive_the_process() {
    let folder = tempfile::tempdir().unwrap();
    {
        let store = Store::open(folder.path(), &tenant()).unwrap();
        store.put_schema(&schema(&["boss"], &[])).unwrap();
        store.put(&documents()[1]).unwrap();
        store.publish_schema(&schema(&["leader"], &[]), &change(&[(TermKind::Relation, "boss", "leader")])).unwrap();
        // The same again is no version.
        store.put_schema(&schema(&["leader"], &[])).unwrap();
    }
    let store = Store::open(folder.path(), &tenant()).unwrap();
    let versions = store.schema_versions().unwrap();
    assert_eq!(versions.iter().map(|version| version.number).collect::<Vec<_>>(), [1, 2]);
    assert_eq!((versions[1].author.as_str(), versions[1].reason.as_str()), ("Ann", "clearer"));
    assert!(versions[1].at > 1_700_000_000);
    assert_eq!(versions[1].renames.len(), 1);
    assert_eq!(versions[1].turtle, store.schema().unwrap().to_turtle());
    // Old names are known after a restart too.
    store.delete(&id("two")).unwrap();
    store.put(&documents()[1]).unwrap();
    assert_eq!(facts(&store.snapshot().unwrap()), ["v chief u (two)", "x leader y (two)"]);
    assert!(matches!(store.restore_schema(9, "", ""), Err(GraphError::NoSuchVersion { version: 9 })));
}

#[test]
fn a_name_that_is_declared_again_is_a_term_of_its_own() {
    let store = store();
    store
        .publish_schema(&schema(&["leader", "chief"], &[]), &change(&[(TermKind::Relation, "boss", "leader")]))
        .unwrap();
    store.put_schema(&schema(&["leader", "chief", "boss"], &[])).unwrap();
    store.put(&document("new", vec![fact("q", "boss", entity("r"))])).unwrap();
    assert!(facts(&store.snapshot().unwrap()).contains(&"q boss r (new)".to_owned()));
}

#[test]
fn going_back_and_forth_moves_each_fact_once_and_takes_along_what_came_meanwhile() {
    let store = store();
    let (old, new) = (
        schema(&["boss", "chief", "pays"], &["Firm", "Company"]),
        schema(&["leader", "chief", "pays"], &["Firm", "Company"]),
    );
    store.publish_schema(&new, &change(&[(TermKind::Relation, "boss", "leader")])).unwrap();
    for round in 0..6 {
        // A document that comes while the relation is called otherwise says it in the old way.
        store.put(&document(&format!("later {round}"), vec![fact(&format!("s{round}"), "boss", entity("y"))])).unwrap();
        let (version, relation) = if round % 2 == 0 { (1, "boss") } else { (2, "leader") };
        let published = store.restore_schema(version, "", "").unwrap();
        assert_eq!(published.facts, 4 + 1 + round, "each once");
        let other = if relation == "boss" { "leader" } else { "boss" };
        let told = facts(&store.snapshot().unwrap());
        assert_eq!(
            told.iter().filter(|line| line.contains(&format!(" {relation} "))).count(),
            2 + 1 + round,
            "{told:?}"
        );
        assert!(!told.iter().any(|line| line.contains(&format!(" {other} "))), "{told:?}");
    }
    assert_eq!(store.schema().unwrap(), new);
    store.put_schema(&old).unwrap();
    // What a version was made from is found again by way of the versions that restore it.
    store.restore_schema(1, "", "").unwrap();
    assert_eq!(store.schema().unwrap(), old);
}

#[test]
fn two_terms_that_get_one_new_name_are_taken_apart_again() {
    let store = store();
    let before = (facts(&store.snapshot().unwrap()), store.export().unwrap());
    let renames = [(TermKind::Relation, "boss", "leader"), (TermKind::Relation, "chief", "leader")];
    store.publish_schema(&schema(&["leader", "pays"], &["Firm", "Company"]), &change(&renames)).unwrap();
    assert_eq!(
        facts(&store.snapshot().unwrap()),
        ["v leader u (two)", "w pays $5 (one)", "x leader y (one,one,two)", "x leader z @$2,023 (one)"]
    );
    store.restore_schema(1, "", "").unwrap();
    assert_eq!((facts(&store.snapshot().unwrap()), store.export().unwrap()), before);
}
