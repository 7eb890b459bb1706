//! What the store promises, on disk and in memory. Its folder and its faults are told in `disk.rs`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use common::{count, described, document, entity, fact, facts, id, iri, memory, number, qualified, tenant};
use factmask_graph::{Answer, ContentHash, Date, Document, GraphError, Number, Outcome, Store, Value};
use factmask_schema::{Schema, Text};

#[test]
fn put_replace_delete() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), &tenant()).unwrap();
    let first = document("a", vec![fact("x", "r", entity("y")), fact("x", "r", entity("z"))]);
    let second = document("a", vec![fact("x", "r", entity("z")), fact("x", "n", number(1000))]);

    assert_eq!(store.put(&first).unwrap(), Outcome::Added);
    assert_eq!(facts(&store.snapshot().unwrap()), ["x r y (a)", "x r z (a)"]);
    assert_eq!(store.put(&first).unwrap(), Outcome::Unchanged);
    assert_eq!(store.epoch(), 1);

    assert_eq!(store.put(&second).unwrap(), Outcome::Replaced);
    assert_eq!(facts(&store.snapshot().unwrap()), ["x n $1,000 (a)", "x r z (a)"]);
    assert_eq!(store.source(&id("a")).unwrap(), second.source);
    assert_eq!(store.document(&id("a")).unwrap().unwrap().facts, 2);

    // The same bytes read in another way are another revision.
    let other_recipe = Document { recipe: ContentHash::of(b"other"), ..second.clone() };
    assert_eq!(store.put(&other_recipe).unwrap(), Outcome::Replaced);
    assert_eq!(store.source(&id("a")).unwrap(), second.source);

    assert!(store.delete(&id("a")).unwrap());
    assert!(!store.delete(&id("a")).unwrap());
    assert_eq!(store.snapshot().unwrap().facts().len(), 0);
    assert_eq!(store.documents().unwrap(), []);
    assert!(matches!(store.source(&id("a")), Err(GraphError::NoSuchDocument { .. })));
    assert_eq!(store.epoch(), 4);
}

#[test]
fn reopening_keeps_everything() {
    let folder = tempfile::tempdir().unwrap();
    let schema = sample_schema();
    let (export, documents, epoch) = {
        let store = Store::open(folder.path(), &tenant()).unwrap();
        let mut document = document("dir/ä b.txt", vec![qualified("x", "n", number(5), vec![("year", year(2023))])]);
        document.entities = vec![described("x", "C", &[("en", "Ex"), ("zh", "某")], &[("en", "X Inc.")])];
        store.put(&document).unwrap();
        store.put_schema(&schema).unwrap();
        (store.export().unwrap(), store.documents().unwrap(), store.epoch())
    };
    let store = Store::open(folder.path(), &tenant()).unwrap();
    assert_eq!(store.export().unwrap(), export);
    assert_eq!(store.documents().unwrap(), documents);
    assert_eq!(store.epoch(), epoch);
    assert_eq!(store.schema().unwrap(), schema);
    let snapshot = store.snapshot().unwrap();
    assert_eq!(snapshot.schema(), &schema);
    assert_eq!(snapshot.epoch(), epoch);
    assert_eq!(facts(&snapshot), ["Ex n $5 @2023 (dir/ä b.txt)"]);
    let entity = snapshot.entity(snapshot.find(&iri("x")).unwrap());
    assert_eq!(entity.classes, [iri("C")]);
    assert_eq!(entity.labels, [Text::new("en", "Ex"), Text::new("zh", "某")]);
    assert_eq!(entity.aliases, [Text::new("en", "X Inc.")]);
}

#[test]
fn one_fact_in_three_documents() {
    let store = memory();
    for name in ["a", "b", "c"] {
        let mut document = document(name, vec![fact("x", "n", number(5))]);
        document.source = name.into();
        store.put(&document).unwrap();
    }
    assert_eq!(facts(&store.snapshot().unwrap()), ["x n $5 (a,b,c)"]);
    assert_eq!(count(&store, "SELECT DISTINCT ?s ?p ?o WHERE { ?s ?p ?o FILTER(?p = <http://example.com/n>) }"), 1);
    store.delete(&id("b")).unwrap();
    assert_eq!(facts(&store.snapshot().unwrap()), ["x n $5 (a,c)"]);
    store.delete(&id("a")).unwrap();
    store.delete(&id("c")).unwrap();
    assert_eq!(store.snapshot().unwrap().facts().len(), 0);
}

#[test]
fn one_fact_at_two_places_of_a_document() {
    let store = memory();
    let mut twice = vec![fact("x", "n", number(5)), fact("x", "n", number(5))];
    twice[1].span = 10..20;
    store.put(&document("a", twice)).unwrap();
    let snapshot = store.snapshot().unwrap();
    assert_eq!(facts(&snapshot), ["x n $5 (a,a)"]);
    assert_eq!(snapshot.facts()[0].evidence[1].span, 10..20);
    assert_eq!(store.document(&id("a")).unwrap().unwrap().facts, 1);
}

#[test]
fn deleting_touches_only_its_own_facts() {
    let store = memory();
    store.put(&document("a", vec![fact("x", "r", entity("y")), fact("x", "r", entity("only-a"))])).unwrap();
    let before = store.export().unwrap();
    store.put(&document("b", vec![fact("x", "r", entity("y")), fact("x", "r", entity("only-b"))])).unwrap();
    store.delete(&id("b")).unwrap();
    assert_eq!(store.export().unwrap(), before);
    assert_eq!(facts(&store.snapshot().unwrap()), ["x r only-a (a)", "x r y (a)"]);
}

#[test]
fn an_epochs_citations_resolve_or_say_that_they_are_superseded() {
    let store = memory();
    let first = document("a", vec![fact("x", "r", entity("y"))]);
    store.put(&first).unwrap();
    let snapshot = store.snapshot().unwrap();
    let revision = snapshot.revision(&id("a")).unwrap();
    assert_eq!(store.source_of(&id("a"), revision, None).unwrap(), first.source);
    assert_eq!(store.source_of(&id("a"), revision, Some(0..3)).unwrap(), &first.source[..3]);
    store.put(&document("a", vec![fact("x", "r", entity("z"))])).unwrap();
    for range in [None, Some(0..3)] {
        let error = store.source_of(&id("a"), revision, range).unwrap_err();
        assert!(matches!(error, GraphError::Superseded { .. }), "{error}");
    }
    assert_ne!(store.snapshot().unwrap().revision(&id("a")), Some(revision));
}

#[test]
fn readers_keep_their_snapshot() {
    let store = memory();
    store.put(&document("a", vec![fact("x", "r", entity("y"))])).unwrap();
    let snapshot = store.snapshot().unwrap();
    assert!(std::sync::Arc::ptr_eq(&snapshot, &store.snapshot().unwrap()));
    store.delete(&id("a")).unwrap();
    assert_eq!(facts(&snapshot), ["x r y (a)"]);
    assert_eq!(snapshot.epoch(), 1);
    let next = store.snapshot().unwrap();
    assert_eq!((next.epoch(), next.facts().len()), (2, 0));
}

#[test]
fn values_differ_by_qualifier_unit_and_calendar() {
    let store = memory();
    let facts_of_x = vec![
        qualified("x", "n", number(5), vec![("year", year(2022))]),
        qualified("x", "n", number(5), vec![("year", year(2023))]),
        qualified("x", "n", number(5), vec![("year", Value::Date(Date::from_year(2023)))]),
        qualified("x", "n", number(7), vec![("year", year(2023))]),
        fact("x", "n", number(5)),
        fact("x", "n", Value::Number(Number::new(5, 0))),
        fact("x", "n", Value::Number(Number::new(5, 0).with_unit("EUR"))),
        fact("x", "n", Value::text("5")),
        qualified("x", "n", number(5), vec![("fee", number(1)), ("fee", Value::Number(Number::new(1, 0)))]),
    ];
    let expected = facts_of_x.len();
    store.put(&document("a", facts_of_x.clone())).unwrap();
    let snapshot = store.snapshot().unwrap();
    assert_eq!(snapshot.facts().len(), expected);
    for new in facts_of_x {
        let fact = snapshot.fact(new.statement.id()).unwrap();
        assert_eq!(fact.statement, new.statement);
        assert_eq!((fact.evidence.len(), fact.evidence[0].confidence), (1, 0.9));
    }
    let of_x: Vec<_> = snapshot.facts_of(snapshot.find(&iri("x")).unwrap()).map(|fact| &fact.statement).collect();
    assert_eq!(of_x.len(), expected);
    assert!(
        of_x.windows(2).all(|pair| (&pair[0].qualifiers, &pair[0].object) < (&pair[1].qualifiers, &pair[1].object))
    );
}

#[test]
fn put_all_is_in_order_and_whole() {
    let store = memory();
    let [one, two, three] = [1, 2, 3].map(|value| document("a", vec![fact("x", "n", number(value))]));
    let outcomes = store.put_all(&[one.clone(), two.clone(), one.clone(), one.clone(), three]).unwrap();
    use Outcome::{Added, Replaced, Unchanged};
    assert_eq!(outcomes, [Added, Replaced, Replaced, Unchanged, Replaced]);
    assert_eq!(facts(&store.snapshot().unwrap()), ["x n $3 (a)"]);
    assert_eq!(store.put_all(&[]).unwrap(), []);
}

#[test]
fn what_cannot_be_stored_is_refused_before_anything_is_written() {
    let bad_date = Date { month: Some(13), ..Date::from_year(2023) };
    let fact_iri = "urn:factmask:fact:00";
    let mut about_a_fact = fact("x", "r", entity("y"));
    about_a_fact.statement.subject = factmask_schema::Iri::new(fact_iri).unwrap();
    let mut reserved = fact("x", "r", entity("y"));
    reserved.statement.relation = factmask_schema::Iri::new(factmask_schema::vocabulary::RDF_REIFIES).unwrap();
    #[allow(clippy::reversed_empty_ranges, reason = "the fault under test")]
    let backwards = factmask_graph::NewFact { span: 9..3, ..fact("x", "r", entity("y")) };
    for (bad, says) in [
        (fact("x", "d", Value::Date(bad_date.clone())), "2023-13 is not a date"),
        (qualified("x", "r", entity("y"), vec![("d", Value::Date(bad_date))]), "2023-13 is not a date"),
        (fact("x", "n", Value::Number(Number::new(1, 5000))), "5000 decimal places"),
        (backwards, "ends before it begins"),
        (factmask_graph::NewFact { confidence: f32::NAN, ..fact("x", "r", entity("y")) }, "confidence of NaN"),
        (about_a_fact, "is the name of a fact"),
        (reserved, "is reserved"),
    ] {
        let store = memory();
        let good = document("good", vec![fact("x", "r", entity("y"))]);
        let error = store.put_all(&[good, document("bad", vec![bad])]).unwrap_err().to_string();
        assert!(error.starts_with("bad: bytes ") && error.contains(says), "{error}");
        assert_eq!((store.export().unwrap().as_str(), store.epoch()), ("", 0));
    }
}

#[test]
fn queries() {
    let store = memory();
    let at = |mantissa, name| qualified(name, "n", number(mantissa), vec![("year", year(2023))]);
    store.put(&document("a", vec![at(5, "x"), at(1000, "y"), at(20, "z")])).unwrap();
    let rows = "SELECT ?s WHERE { ?s <http://example.com/n> ?n FILTER(?n > 9) } ORDER BY DESC(?n)";
    match store.query(rows).unwrap() {
        Answer::Solutions { variables, rows } => {
            assert_eq!(variables, ["s"]);
            let names: Vec<String> = rows.iter().map(|row| row[0].as_ref().unwrap().to_string()).collect();
            assert_eq!(names, ["<http://example.com/y>", "<http://example.com/z>"]);
        }
        other => panic!("{other:?}"),
    }
    let qualified =
        "ASK { ?f <http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies> <<( ?s <http://example.com/n> ?o )>> ;
        <http://example.com/year> ?y . FILTER(?y = '2023'^^<http://www.w3.org/2001/XMLSchema#gYear>) }";
    assert_eq!(store.query(qualified).unwrap(), Answer::Boolean(true));
    assert!(matches!(store.query("CONSTRUCT WHERE { ?s ?p ?o }").unwrap(), Answer::Triples(all) if all.len() > 3));
    for wrong in
        ["", "SELECT", "DELETE WHERE { ?s ?p ?o }", "SELECT * WHERE { SERVICE <http://example.com/> { ?s ?p ?o } }"]
    {
        let error = store.query(wrong).err().map(|error| error.to_string());
        assert!(error.as_ref().is_some_and(|error| error.starts_with("SPARQL: ")), "{wrong}: {error:?}");
    }
}

#[test]
fn readers_see_whole_documents_while_writers_write() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), &tenant()).unwrap();
    let revision =
        |value: i128| document("a", (0..50).map(|name| fact(&format!("x{name}"), "n", number(value))).collect());
    store.put(&revision(0)).unwrap();
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    let mut last = 0;
                    while last < 12 {
                        let snapshot = store.snapshot().unwrap();
                        let objects: std::collections::BTreeSet<String> =
                            snapshot.facts().iter().map(|fact| snapshot.said(&fact.statement.object, "en")).collect();
                        assert_eq!((snapshot.facts().len(), objects.len()), (50, 1), "{objects:?}");
                        assert!(snapshot.epoch() >= last, "epochs do not go back");
                        last = snapshot.epoch();
                    }
                })
            })
            .collect();
        for value in 1..12 {
            store.put(&revision(value)).unwrap();
        }
        readers.into_iter().for_each(|reader| reader.join().unwrap());
    });
}

#[test]
fn citations() {
    let store = memory();
    store.put(&Document { source: b"0123456789".to_vec(), ..document("a", vec![]) }).unwrap();
    for (range, expected) in [(2..5, "234"), (0..0, ""), (8..99, "89"), (50..60, ""), (0..u64::MAX, "0123456789")] {
        assert_eq!(store.source_range(&id("a"), range).unwrap(), expected.as_bytes());
    }
}

#[test]
fn schemas() {
    let store = memory();
    assert_eq!(store.schema().unwrap(), Schema::default());
    let schema = sample_schema();
    store.put_schema(&schema).unwrap();
    store.put_schema(&schema).unwrap();
    assert_eq!((store.schema().unwrap(), store.epoch()), (schema.clone(), 1));
    let mut broken = schema.clone();
    broken.classes.clear();
    assert!(matches!(store.put_schema(&broken), Err(GraphError::Schema(_))));
    assert_eq!((store.schema().unwrap(), store.epoch()), (schema, 1));
}

fn sample_schema() -> Schema {
    let turtle = "@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix e: <http://example.com/> .
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . e:C a rdfs:Class . e:r a rdf:Property ; rdfs:range e:C .";
    Schema::parse(turtle, "test").unwrap()
}

fn year(year: i32) -> Value {
    Value::Date(Date::fiscal_year(year))
}
