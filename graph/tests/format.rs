//! A store of format version 1 made by hand, as the first program that named a version wrote it: what every later one opens.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use common::{described, document, id, iri, qualified, tenant};
use factmask_graph::{ContentHash, Date, Document, Number, Store, Value};
use factmask_schema::Schema;
use oxigraph::io::RdfFormat;
use std::fs;

const SOURCE: &[u8] = b"x was 5 dollars in 2023";

const SCHEMA: &str =
    "@prefix e: <http://example.com/> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\ne:C a rdfs:Class .\n";

/// All that the database held, but for the number of changes.
const QUADS: &str = include_str!("format_1.nq");

#[test]
fn version_1_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("tenants/acme");
    for name in ["graph", "sources"] {
        fs::create_dir_all(root.join(name)).unwrap();
    }
    fs::write(root.join("LOCK"), "").unwrap();
    fs::write(root.join("FORMAT"), "factmask-store 1\n").unwrap();
    fs::write(root.join("sources").join(ContentHash::of(SOURCE).to_string()), SOURCE).unwrap();
    let database = oxigraph::store::Store::open(root.join("graph")).unwrap();
    database.load_from_slice(RdfFormat::NQuads, QUADS).unwrap();
    let changes = "<urn:factmask:store> <urn:factmask:epoch> \"7\"^^<http://www.w3.org/2001/XMLSchema#integer> <urn:factmask:meta> .\n";
    database.load_from_slice(RdfFormat::NQuads, changes).unwrap();
    database.flush().unwrap();
    drop(database);

    let store = Store::open(folder.path(), &tenant()).unwrap();
    let snapshot = store.snapshot().unwrap();
    assert_eq!((store.epoch(), snapshot.facts().len()), (7, 1));
    assert_eq!(snapshot.facts()[0].statement, made_today().facts[0].statement);
    assert_eq!(snapshot.entity(snapshot.find(&iri("x")).unwrap()).labels[0].text, "Ex");
    assert_eq!(store.source(&id("a.txt")).unwrap(), SOURCE);
    assert_eq!(store.schema().unwrap(), Schema::parse(SCHEMA, "test").unwrap());
    assert_eq!(store.export().unwrap(), QUADS);
}

/// A change of the layout needs another version, and this test stays for this one.
#[test]
fn what_is_written_today_is_version_1() {
    let store = Store::in_memory(&tenant()).unwrap();
    store.put_schema(&Schema::parse(SCHEMA, "test").unwrap()).unwrap();
    store.put(&made_today()).unwrap();
    assert_eq!(store.export().unwrap(), QUADS);
}

fn made_today() -> Document {
    let year = Date::from_year(2023);
    let price = Value::Number(Number::new(5, 0).with_unit("USD"));
    let facts = vec![qualified("x", "price", price, vec![("year", Value::Date(year))])];
    let entities = vec![described("x", "C", &[("en", "Ex")], &[("", "X Inc.")])];
    Document { source: SOURCE.to_vec(), entities, ..document("a.txt", facts) }
}
