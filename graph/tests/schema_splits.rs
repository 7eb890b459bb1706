//! Publishing schemas in which a part of a term is another term, and taking that back.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use common::{described, document, entity, fact, facts, id, iri, memory, number};
use factmask_graph::{Document, Rename, SchemaChange, Split, Store, TermKind, Value, check_splits, schema_differences};
use factmask_schema::{Iri, Schema, local_name};

/// Persons, firms and cities, of which capitals are some.
fn schema(classes: &[&str], relations: &[&str]) -> Schema {
    let prefixes = "@prefix e: <http://example.com/> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        e:City a rdfs:Class . e:Capital a rdfs:Class ; rdfs:subClassOf e:City . e:Firm a rdfs:Class .
        e:employer a rdf:Property ; rdfs:range rdfs:Resource . e:home a rdf:Property ; rdfs:range rdfs:Resource .\n";
    let relations = relations.iter().map(|name| format!("e:{name} a rdf:Property ; rdfs:range rdfs:Resource .\n"));
    let classes = classes.iter().map(|name| format!("e:{name} a rdfs:Class .\n"));
    let turtle: String = [prefixes.to_owned()].into_iter().chain(relations).chain(classes).collect();
    Schema::parse(&turtle, "test").unwrap()
}

/// A condition whose IRIs are those of the names that begin with `e:`.
fn split(from: &str, to: &str, when: &str) -> Split {
    let when = when.replace("e:", "http://example.com/");
    Split { from: iri(from), to: iri(to), when: when.parse().unwrap() }
}

fn splits(splits: &[(&str, &str, &str)]) -> SchemaChange {
    let splits = splits.iter().map(|(from, to, when)| split(from, to, when)).collect();
    SchemaChange { splits, ..SchemaChange::default() }
}

/// What is said of persons stands in one document, who works for whom in another.
fn documents() -> [Document; 2] {
    let mut people = document(
        "people",
        vec![
            fact("ann", "runs", entity("acme")),
            fact("bob", "runs", entity("york")),
            fact("bob", "runs", entity("rome")),
            fact("bob", "runs", number(7)),
            fact("cy", "home", entity("rome")),
            fact("cy", "leads", entity("york")),
        ],
    );
    people.entities = [
        ("ann", "Person"),
        ("bob", "Person"),
        ("cy", "Person"),
        ("acme", "Firm"),
        ("york", "City"),
        ("rome", "Capital"),
    ]
    .map(|(name, class)| described(name, class, &[("en", name)], &[]))
    .into();
    let mut work = document("work", vec![fact("ann", "employer", entity("acme")), fact("bob", "runs", entity("york"))]);
    work.entities = vec![described("bob", "Staff", &[("en", "bob")], &[])];
    [people, work]
}

fn store() -> Store {
    let store = memory();
    store.put_schema(&schema(&["Person", "Staff"], &["runs", "leads"])).unwrap();
    store.put_all(&documents()).unwrap();
    store
}

fn classes(store: &Store, names: &[&str]) -> Vec<String> {
    let snapshot = store.snapshot().unwrap();
    let class = |name: &&str| {
        let entity = snapshot.entity(snapshot.find(&iri(name)).unwrap());
        let classes: Vec<&str> = entity.classes.iter().map(|class: &Iri| local_name(class.as_str())).collect();
        format!("{name} {}", classes.join("+"))
    };
    names.iter().map(class).collect()
}

fn told(store: &Store, relations: &[&str]) -> Vec<String> {
    let all = facts(&store.snapshot().unwrap());
    all.into_iter().filter(|line| relations.iter().any(|name| line.contains(&format!(" {name} ")))).collect()
}

#[test]
fn a_relation_is_split_by_what_it_is_said_of_and_with() {
    for (when, moved) in [
        // Rome is a capital, and so a city.
        ("object e:City", &["bob rules rome (people)", "bob rules york (people,work)"][..]),
        ("object e:Capital", &["bob rules rome (people)"]),
        ("object number", &["bob rules $7 (people)"]),
        ("object entity", &["ann rules acme (people)", "bob rules rome (people)", "bob rules york (people,work)"]),
        ("object date", &[]),
        (
            "subject e:Person",
            &[
                "ann rules acme (people)",
                "bob rules $7 (people)",
                "bob rules rome (people)",
                "bob rules york (people,work)",
            ],
        ),
        ("subject e:Firm", &[]),
    ] {
        let store = store();
        let before = (store.export().unwrap(), told(&store, &["runs"]).len());
        let new = schema(&["Person", "Staff"], &["runs", "rules", "leads"]);
        let change = splits(&[("runs", "rules", when)]);
        let (foreseen, snapshot) = store.preview_schema(&new, &change).unwrap();
        let published = store.publish_schema(&new, &change).unwrap();
        assert_eq!((foreseen, facts(&snapshot)), (published, facts(&store.snapshot().unwrap())), "{when}");
        assert_eq!(told(&store, &["rules"]), moved, "{when}");
        assert_eq!(told(&store, &["runs"]).len(), before.1 - moved.len(), "{when}");
        let restored = store.restore_schema(1, "", "").unwrap();
        assert_eq!((restored.facts, store.export().unwrap()), (published.facts, before.0), "{when}");
    }
}

#[test]
fn a_class_is_split_by_what_is_said_of_its_entities_anywhere() {
    for (when, moved) in [
        ("has e:employer", ["ann Employee", "bob Person+Staff", "cy Person"]),
        ("e:employer is http://example.com/acme", ["ann Employee", "bob Person+Staff", "cy Person"]),
        ("e:employer is http://example.com/rome", ["ann Person", "bob Person+Staff", "cy Person"]),
        ("e:runs is 7", ["ann Person", "bob Employee+Staff", "cy Person"]),
        ("one of e:cy e:ann", ["ann Employee", "bob Person+Staff", "cy Employee"]),
    ] {
        let store = store();
        let before = store.export().unwrap();
        let new = schema(&["Person", "Staff", "Employee"], &["runs", "leads"]);
        let change = splits(&[("Person", "Employee", when)]);
        let (foreseen, snapshot) = store.preview_schema(&new, &change).unwrap();
        assert_eq!(foreseen, store.publish_schema(&new, &change).unwrap(), "{when}");
        assert_eq!(snapshot.entities(), store.snapshot().unwrap().entities(), "{when}");
        assert_eq!(classes(&store, &["ann", "bob", "cy"]), moved, "{when}");
        assert_eq!(store.schema_versions().unwrap().pop().unwrap().splits, change.splits, "{when}");
        // There and back as often as one likes.
        for _ in 0..2 {
            store.restore_schema(1, "", "").unwrap();
            assert_eq!(store.export().unwrap(), before, "{when}");
            store.restore_schema(2, "", "").unwrap();
            assert_eq!(classes(&store, &["ann", "bob", "cy"]), moved, "{when}");
        }
    }
}

#[test]
fn who_is_one_person_meets_a_condition_as_one() {
    let store = store();
    let same = factmask_graph::Decision::new(iri("bob"), iri("robert"), factmask_graph::Verdict::Same, "", "");
    store.decide(&same).unwrap();
    let mut more = document("more", vec![fact("robert", "employer", entity("acme"))]);
    more.entities = vec![described("robert", "Person", &[("en", "robert")], &[])];
    store.put(&more).unwrap();
    let new = schema(&["Person", "Staff", "Employee"], &["runs", "leads"]);
    store.publish_schema(&new, &splits(&[("Person", "Employee", "has e:employer")])).unwrap();
    assert_eq!(classes(&store, &["bob", "cy"]), ["bob Employee+Staff", "cy Person"]);
}

#[test]
fn what_a_part_has_become_can_be_split_and_renamed_on() {
    let store = store();
    let before = store.export().unwrap();
    let new = schema(&["Person", "Staff"], &["governs", "presides", "leads"]);
    let change = SchemaChange {
        renames: vec![Rename { kind: TermKind::Relation, from: iri("runs"), to: iri("heads") }],
        ..splits(&[("heads", "governs", "object entity"), ("governs", "presides", "object e:Firm")])
    };
    let renamed = schema(&["Person", "Staff"], &["heads", "governs", "presides", "leads"]);
    store.publish_schema(&renamed, &change).unwrap();
    let rest = [("heads", "bob heads $7 (people)"), ("presides", "ann presides acme (people)")];
    rest.iter().for_each(|(relation, line)| assert_eq!(told(&store, &[relation]), [*line]));
    let rename = Rename { kind: TermKind::Relation, from: iri("heads"), to: iri("leads") };
    store.publish_schema(&new, &SchemaChange { renames: vec![rename], ..SchemaChange::default() }).unwrap();
    assert_eq!(told(&store, &["leads"]), ["bob leads $7 (people)", "cy leads york (people)"]);
    let (foreseen, change, _) = store.preview_restore(1).unwrap();
    assert_eq!((change.renames.len(), change.splits), (4, vec![]));
    assert_eq!(foreseen, store.restore_schema(1, "", "").unwrap());
    assert_eq!(store.export().unwrap(), before);
}

#[test]
fn a_part_comes_to_a_term_that_was_there_and_leaves_it_again() {
    let store = store();
    let before = store.export().unwrap();
    let new = schema(&["Person", "Staff"], &["leads"]);
    let change = splits(&[("runs", "leads", "object e:City"), ("Person", "Staff", "e:runs is 7")]);
    // The class is split by what is left of the relation.
    assert_eq!(check_splits(&store.schema().unwrap(), &new, &[], &change.splits), Ok(()));
    store.publish_schema(&new, &change).unwrap();
    let expected = ["bob leads rome (people)", "bob leads york (people,work)", "cy leads york (people)"];
    assert_eq!(told(&store, &["leads"]), expected);
    assert_eq!(classes(&store, &["ann", "bob"]), ["ann Person", "bob Staff"]);
    // What does not meet the condition keeps a term that is not declared any more.
    assert_eq!(told(&store, &["runs"]), ["ann runs acme (people)", "bob runs $7 (people)"]);
    store.restore_schema(1, "", "").unwrap();
    assert_eq!(store.export().unwrap(), before);
}

#[test]
fn what_came_since_goes_back_with_the_rest() {
    let store = store();
    store
        .publish_schema(
            &schema(&["Person", "Staff"], &["runs", "rules", "leads"]),
            &splits(&[("runs", "rules", "object e:City")]),
        )
        .unwrap();
    store.put(&document("later", vec![fact("dee", "rules", entity("rome"))])).unwrap();
    store.restore_schema(1, "", "").unwrap();
    assert!(told(&store, &["rules"]).is_empty());
    assert!(told(&store, &["runs"]).contains(&"dee runs rome (later)".to_owned()));
}

#[test]
fn later_documents_are_split_by_what_they_say_themselves() {
    let store = store();
    let new = schema(&["Person", "Staff", "Employee"], &["runs", "rules", "costs", "leads"]);
    let change = splits(&[
        ("runs", "costs", "object number"),
        ("runs", "rules", "object e:City"),
        ("Person", "Employee", "has e:employer"),
    ]);
    store.publish_schema(&new, &change).unwrap();
    let (relations, people) = (["runs", "costs", "rules"], ["ann", "bob", "cy"]);
    let read = (told(&store, &relations), classes(&store, &people));
    // The same document once more: it says itself which of its objects are cities and numbers, but not who is employed.
    store.delete(&id("people")).unwrap();
    store.put(&documents()[0]).unwrap();
    assert_eq!(told(&store, &relations), read.0);
    assert_eq!(classes(&store, &people), ["ann Person", "bob Person+Staff", "cy Person"]);
    assert_eq!(read.1[0], "ann Employee");
    let mut whole = document("whole", vec![fact("eve", "employer", entity("acme")), fact("eve", "runs", number(1))]);
    whole.entities = vec![described("eve", "Person", &[("en", "eve")], &[])];
    store.put(&whole).unwrap();
    assert_eq!(classes(&store, &["eve"]), ["eve Employee"]);
    // Which document came first does not count, and a preview reads like the store.
    let (_, foreseen) = store.preview(&[whole.clone()], &[]).unwrap();
    assert_eq!(facts(&foreseen), facts(&store.snapshot().unwrap()));
    // Renamed parts are found under their names of now.
    let renamed = schema(&["Person", "Staff", "Worker"], &["runs", "rules", "costs", "leads"]);
    let rename = Rename { kind: TermKind::Class, from: iri("Employee"), to: iri("Worker") };
    store.publish_schema(&renamed, &SchemaChange { renames: vec![rename], ..SchemaChange::default() }).unwrap();
    store.delete(&id("whole")).unwrap();
    store.put(&whole).unwrap();
    assert_eq!(classes(&store, &["eve"]), ["eve Worker"]);
}

#[test]
fn what_cannot_be_split_is_refused() {
    let before = schema(&["Person", "Staff"], &["runs", "leads"]);
    let after = schema(&["Person", "Staff", "Employee"], &["leads", "rules"]);
    let renames = [Rename { kind: TermKind::Relation, from: iri("runs"), to: iri("rules") }];
    for (parts, fault) in [
        (&[("Person", "Employee", "has e:employer")][..], None),
        (&[("rules", "leads", "object e:City")], None),
        (&[("Ghost", "Employee", "has e:employer")], Some("Ghost> is not a class of the schema of now")),
        (&[("Person", "Ghost", "has e:employer")], Some("Ghost> is not declared as a class in the new schema")),
        (
            &[("Person", "Employee", "has e:ghost")],
            Some("ghost>, by which <http://example.com/Person> is split, is not a"),
        ),
        (&[("leads", "rules", "subject e:Ghost")], Some("is not a class")),
        (&[("Person", "Person", "has e:employer")], Some("is to be split from itself")),
        (&[("Person", "Employee", "one of ")], Some("it is not said which entities")),
        (&[("runs", "leads", "object e:City")], Some("is called <http://example.com/rules> by then; split that")),
        (
            &[("Person", "Employee", "has e:home"), ("Person", "Staff", "has e:home")],
            Some("the same part of <http://example.com/Person> is to become <http://example.com/Employee> and"),
        ),
        (
            &[("Person", "Staff", "has e:home"), ("Staff", "Person", "has e:employer")],
            Some("<http://example.com/Person> is to be split into <http://example.com/Staff>, and"),
        ),
    ] {
        let splits: Vec<Split> = parts.iter().map(|(from, to, when)| split(from, to, when)).collect();
        let found = check_splits(&before, &after, &renames, &splits);
        match fault {
            None => assert_eq!(found, Ok(()), "{parts:?}"),
            Some(fault) => assert!(found.as_ref().is_err_and(|told| told.contains(fault)), "{parts:?}: {found:?}"),
        }
    }
    for text in ["", "employer", "has employer", "object planet", "subject two words", "near e:City"] {
        assert!(text.parse::<factmask_graph::When>().is_err(), "{text}");
    }
}

#[test]
fn a_split_is_told_in_a_sentence() {
    let before = schema(&["Person"], &["runs"]);
    let after = schema(&["Person", "Employee"], &["rules"]);
    let change = splits(&[
        ("Person", "Employee", "has e:employer"),
        ("Person", "Employee", "e:home is Rome"),
        ("Person", "Employee", "one of e:a e:b"),
        ("runs", "rules", "subject e:City"),
        ("runs", "rules", "object e:City"),
        ("runs", "rules", "object number"),
    ]);
    let found: Vec<String> =
        schema_differences(&before, &after, &[], &change.splits).into_iter().map(|one| one.sentence).collect();
    assert_eq!(
        found[..6],
        [
            "Of the class “person”, those of which “employer” is said become “employee”.",
            "Of the class “person”, those whose “home” is “Rome” become “employee”.",
            "Of the class “person”, <http://example.com/a>, <http://example.com/b> become “employee”.",
            "Of the relation “runs”, what is said of a “city” becomes “rules”.",
            "Of the relation “runs”, what has a “city” as its object becomes “rules”.",
            "Of the relation “runs”, what has a number as its object becomes “rules”.",
        ]
    );
    assert!(found.contains(&"The relation “runs” is removed.".to_owned()), "{found:?}");
    // What is said is what is stored.
    for split in change.splits {
        assert_eq!(split.when.to_string().parse(), Ok(split.when));
    }
}

#[test]
fn a_value_that_looks_like_a_condition_is_a_value() {
    let when: factmask_graph::When = "http://example.com/home is has been is gone".parse().unwrap();
    assert_eq!(when, factmask_graph::When::HasValue(iri("home"), "has been is gone".to_owned()));
    let store = memory();
    store.put_schema(&schema(&["Person", "Guest"], &[])).unwrap();
    let gone = Value::Text { text: "has been is gone".to_owned(), lang: None };
    let mut one = document("one", vec![fact("ann", "home", gone)]);
    one.entities = vec![described("ann", "Person", &[("en", "ann")], &[])];
    store.put(&one).unwrap();
    let part = Split { from: iri("Person"), to: iri("Guest"), when };
    let change = SchemaChange { splits: vec![part], ..SchemaChange::default() };
    store.publish_schema(&schema(&["Person", "Guest", "Staff"], &[]), &change).unwrap();
    assert_eq!(classes(&store, &["ann"]), ["ann Guest"]);
}
