//! What the store promises, on disk and in memory.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use common::{described, document, entity, fact, id, iri, memory, qualified, tenant};
use factmask_graph::{
    Answer, ContentHash, Date, Document, GraphError, Number, Outcome, Snapshot, Store, TenantId, Value,
};
use factmask_schema::{Schema, Text};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn number(mantissa: i128) -> Value {
    Value::Number(Number::new(mantissa, 0).with_unit("USD"))
}

/// Each fact as `subject relation object`, sorted, with the documents it was found in.
fn facts(snapshot: &Snapshot) -> Vec<String> {
    let mut lines: Vec<String> = snapshot
        .facts()
        .iter()
        .map(|fact| {
            let statement = &fact.statement;
            let name = |value: &Value| snapshot.said(value, "en");
            let subject = snapshot.name(snapshot.find(&statement.subject).unwrap(), "en").to_owned();
            let qualifiers: String =
                statement.qualifiers.iter().map(|(_, value)| format!(" @{}", name(value))).collect();
            let documents: Vec<&str> = fact.evidence.iter().map(|evidence| evidence.document.as_str()).collect();
            let relation = factmask_schema::local_name(statement.relation.as_str());
            format!("{subject} {relation} {}{qualifiers} ({})", name(&statement.object), documents.join(","))
        })
        .collect();
    lines.sort();
    lines
}

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
fn a_removal_is_told_before_it_happens() {
    let store = memory();
    let mut named = document("names", vec![]);
    named.entities = vec![described("y", "C", &[("en", "Y")], &[])];
    let one = document("one", vec![fact("x", "r", entity("y")), fact("x", "r", entity("z"))]);
    let year = vec![("in", entity("era"))];
    let two = document("two", vec![fact("x", "r", entity("z")), qualified("v", "r", entity("w"), year)]);
    store.put_all(&[named, one, two]).unwrap();
    for (document, gone, kept, orphans) in [
        // y is described by another document, x and z are mentioned by one.
        ("one", 1, 1, &[][..]),
        ("two", 1, 1, &["era", "v", "w"]),
        // y is mentioned still.
        ("names", 0, 0, &[]),
    ] {
        let removal = store.removal(&id(document)).unwrap().unwrap();
        let orphans: Vec<_> = orphans.iter().map(|name| iri(name)).collect();
        assert_eq!((removal.gone.len(), removal.kept.len(), removal.orphans), (gone, kept, orphans), "{document}");
    }
    assert_eq!(store.removal(&id("none")).unwrap(), None);
    assert_eq!(store.epoch(), 3, "nothing was changed");

    // It happens as it was told.
    let before = store.snapshot().unwrap();
    let told = store.removal(&id("two")).unwrap().unwrap();
    store.delete(&id("two")).unwrap();
    let after = store.snapshot().unwrap();
    let gone: Vec<_> = before.facts().iter().map(|fact| fact.id).filter(|id| after.fact(*id).is_none()).collect();
    let orphans: Vec<_> =
        before.entities().iter().map(|entity| &entity.iri).filter(|iri| after.find(iri).is_none()).cloned().collect();
    assert_eq!((gone, orphans), (told.gone, told.orphans));
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
fn a_source_goes_with_its_last_document() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), &tenant()).unwrap();
    let same_bytes = |name: &str| Document { source: b"same".to_vec(), ..document(name, vec![]) };
    store.put_all(&[same_bytes("a"), same_bytes("b")]).unwrap();
    assert_eq!(sources(folder.path()).len(), 1);
    store.delete(&id("a")).unwrap();
    assert_eq!(store.source(&id("b")).unwrap(), b"same");
    store.put(&Document { source: b"other".to_vec(), ..same_bytes("b") }).unwrap();
    assert_eq!(sources(folder.path()), [ContentHash::of(b"other").to_string()]);
    store.delete(&id("b")).unwrap();
    assert!(sources(folder.path()).is_empty());
}

#[test]
fn what_a_crash_left_is_swept() {
    let folder = tempfile::tempdir().unwrap();
    let used = document("a", vec![]);
    Store::open(folder.path(), &tenant()).unwrap().put(&used).unwrap();
    let sources_folder = folder.path().join("tenants/acme/sources");
    let orphan = ContentHash::of(b"orphan").to_string();
    for name in [orphan.as_str(), ".writing-abc", "a person's note.txt"] {
        fs::write(sources_folder.join(name), "x").unwrap();
    }
    let store = Store::open(folder.path(), &tenant()).unwrap();
    let mut expected = vec![ContentHash::of(&used.source).to_string(), "a person's note.txt".to_owned()];
    expected.sort();
    assert_eq!(sources(folder.path()), expected);
    assert_eq!(store.source(&id("a")).unwrap(), used.source);
}

/// New documents of this size go another way to the disk than small ones; nothing else may differ.
#[test]
fn large_documents() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), &tenant()).unwrap();
    store.put(&document("small", vec![fact("x0", "n", number(0)), fact("x1", "r", entity("x2"))])).unwrap();
    let before = store.export().unwrap();
    let facts: Vec<_> = (0..20_000).map(|at| fact(&format!("x{at}"), "n", number(at))).collect();
    let large = document("large", facts.clone());
    assert_eq!(store.put(&large).unwrap(), Outcome::Added);
    let snapshot = store.snapshot().unwrap();
    assert_eq!((snapshot.facts().len(), snapshot.epoch()), (20_001, 2));
    assert_eq!(snapshot.facts_of(snapshot.find(&iri("x0")).unwrap()).next().unwrap().evidence.len(), 2);
    let graph = folder.path().join("tenants/acme/graph");
    fs::write(graph.join("bulk-1.sst"), "cut off").unwrap();
    drop(store);

    let store = Store::open(folder.path(), &tenant()).unwrap();
    let left = fs::read_dir(&graph)
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("bulk"));
    assert_eq!((left.count(), store.epoch(), store.snapshot().unwrap().facts().len()), (0, 2, 20_001));
    let other = memory();
    other
        .put_all(&[large, document("small", vec![fact("x0", "n", number(0)), fact("x1", "r", entity("x2"))])])
        .unwrap();
    assert_eq!(store.export().unwrap(), other.export().unwrap());

    assert_eq!(store.put(&document("large", facts[5..].to_vec())).unwrap(), Outcome::Replaced);
    assert_eq!(store.snapshot().unwrap().facts().len(), 19_997);
    assert!(store.delete(&id("large")).unwrap());
    assert_eq!(store.export().unwrap(), before);
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
fn one_process_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), &tenant()).unwrap();
    let error = Store::open(folder.path(), &tenant()).err().unwrap();
    assert!(matches!(&error, GraphError::InUse { path } if path.ends_with("tenants/acme")), "{error}");
    assert!(error.to_string().contains("in use by another process; stop it or choose another folder with --data"));
    Store::open(folder.path(), &TenantId::new("other").unwrap()).unwrap();
    // A clone is the same store; it goes with the last of them.
    let clone = store.clone();
    drop(store);
    assert!(Store::open(folder.path(), &tenant()).is_err());
    drop(clone);
    Store::open(folder.path(), &tenant()).unwrap();
}

/// All files below a folder with their bytes.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
    found
}

#[test]
fn formats() {
    let folder = tempfile::tempdir().unwrap();
    Store::open(folder.path(), &tenant()).unwrap().put(&document("a", vec![fact("x", "r", entity("y"))])).unwrap();
    let file = folder.path().join("tenants/acme/FORMAT");
    let written = fs::read_to_string(&file).unwrap();
    assert_eq!(written, "factmask-store 1\n");
    for (text, says) in [
        (
            "factmask-store 2\n",
            "tenants/acme: has format version 2, this program knows versions up to 1; use a newer factmask, or choose another folder with --data",
        ),
        ("factmask-store 0\n", "does not name a format version"),
        ("", "does not name a format version"),
        ("something else", "does not name a format version"),
    ] {
        fs::write(&file, text).unwrap();
        // Not even a lock is taken, as a newer store may keep it elsewhere.
        fs::remove_file(folder.path().join("tenants/acme/LOCK")).ok();
        let before = files(folder.path());
        let error = Store::open(folder.path(), &tenant()).err().unwrap().to_string();
        assert!(error.contains(says), "{text:?}: {error}");
        assert_eq!(files(folder.path()), before, "{text:?}: nothing is changed");
    }
    fs::remove_file(&file).unwrap();
    assert!(matches!(Store::open(folder.path(), &tenant()), Err(GraphError::UnknownFormat { .. })));
    fs::write(&file, written).unwrap();
    assert_eq!(Store::open(folder.path(), &tenant()).unwrap().snapshot().unwrap().facts().len(), 1);
}

#[test]
fn broken_places() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "x").unwrap();
    let error = Store::open(&file, &tenant()).err().unwrap().to_string();
    assert!(
        error.contains("file/tenants/acme: cannot create the folder") && error.contains("choose another folder"),
        "{error}"
    );

    let store = Store::open(folder.path(), &tenant()).unwrap();
    store.put(&document("a", vec![])).unwrap();
    let [name] = <[String; 1]>::try_from(sources(folder.path())).unwrap();
    let source = folder.path().join("tenants/acme/sources").join(name);
    fs::write(&source, "changed").unwrap();
    assert!(matches!(store.source(&id("a")), Err(GraphError::ChangedSource { .. })));
    fs::remove_file(&source).unwrap();
    let error = store.source(&id("a")).unwrap_err().to_string();
    assert!(error.contains("cannot read the source") && error.contains("ingest the document again"), "{error}");
}

#[test]
fn a_source_that_cannot_be_written_leaves_the_store_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), &tenant()).unwrap();
    store.put(&document("a", vec![fact("x", "r", entity("y"))])).unwrap();
    let before = store.export().unwrap();
    // A folder where the file would go: the write fails as it would on a full disk, for any user.
    let bad = document("b", vec![fact("x", "r", entity("z"))]);
    let target = folder.path().join("tenants/acme/sources").join(ContentHash::of(&bad.source).to_string());
    fs::create_dir(&target).unwrap();
    let good = document("c", vec![fact("x", "r", entity("c"))]);
    let error = store.put_all(&[good, bad]).unwrap_err();
    assert!(matches!(&error, GraphError::Io { path, .. } if *path == target), "{error}");
    assert_eq!((store.export().unwrap(), store.epoch()), (before, 1));
    assert_eq!(sources(folder.path()).len(), 2, "the folder and the source of a");
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

/// Run with `FACTMASK_SMALL_DISK` naming a folder on a file system of 10 to 50 MB.
#[test]
#[ignore = "needs a small file system"]
fn a_full_disk_leaves_whole_documents() {
    // With large sources the sources fill the disk, with small ones the database.
    for source_bytes in [400_000, 100] {
        let folder = tempfile::tempdir_in(std::env::var("FACTMASK_SMALL_DISK").unwrap()).unwrap();
        let ballast = folder.path().join("ballast");
        fs::write(&ballast, vec![1; 4 << 20]).unwrap();
        let mut acknowledged = 0;
        let error = {
            let store = Store::open(folder.path(), &tenant()).unwrap();
            loop {
                let facts = (0..200).map(|name| fact(&format!("x{acknowledged}-{name}"), "n", number(name))).collect();
                let mut document = document(&format!("{acknowledged:04}"), facts);
                document.source.truncate(50);
                document.source.resize(source_bytes, b' ');
                document.source.extend(document.id.as_str().as_bytes());
                match store.put(&document) {
                    Ok(_) => acknowledged += 1,
                    Err(error) => break error.to_string(),
                }
                assert!(acknowledged < 10_000, "the file system is not small");
            }
        };
        assert!(error.contains("free some space"), "{error}");
        fs::remove_file(&ballast).unwrap();
        let store = Store::open(folder.path(), &tenant()).unwrap();
        let documents = store.documents().unwrap();
        let snapshot = store.snapshot().unwrap();
        assert!((acknowledged..=acknowledged + 1).contains(&documents.len()), "{} of {acknowledged}", documents.len());
        assert_eq!(snapshot.facts().len(), documents.len() * 200);
        for document in documents {
            store.source(&document.id).unwrap();
        }
        store.put(&document("one more", vec![])).unwrap();
    }
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

fn count(store: &Store, sparql: &str) -> usize {
    match store.query(sparql).unwrap() {
        Answer::Solutions { rows, .. } => rows.len(),
        other => panic!("{other:?}"),
    }
}

fn sources(data: &Path) -> Vec<String> {
    let entries = fs::read_dir(data.join("tenants/acme/sources")).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
