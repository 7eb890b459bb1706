//! The sample corpus, as anyone gets it with the repository.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use factmask_graph::{Number, Store, TenantId, Value};
use factmask_ingest::{Pipeline, PipelineOptions};
use factmask_schema::{Schema, normal::fold};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../data")
}

fn schema() -> Schema {
    let path = data().join("schema.ttl");
    Schema::parse(&std::fs::read_to_string(path).unwrap(), "data/schema.ttl")
        .unwrap_or_else(|faults| panic!("{faults}"))
}

#[test]
fn every_citation_holds_its_value() {
    let schema = schema();
    let folder = tempfile::tempdir().unwrap();
    let store = Store::in_memory(&TenantId::new("test").unwrap()).unwrap();
    let pipeline = Pipeline::new(&store, &schema, PipelineOptions::new(folder.path().join("jobs"))).unwrap();
    let report = pipeline.ingest_paths(&[data().join("corpus")], &mut |_| {}).unwrap();
    assert!(report.failures().is_empty(), "{:?}", report.failures());
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);

    let snapshot = store.snapshot().unwrap();
    assert!(snapshot.facts().len() > 800, "{}", snapshot.facts().len());
    let mut wrong = Vec::new();
    for fact in snapshot.facts() {
        assert!(schema.relations.contains_key(&fact.statement.relation), "{:?}", fact.statement);
        for evidence in &fact.evidence {
            let source = store.source(&evidence.document).unwrap();
            let range = usize::try_from(evidence.span.start).unwrap()..usize::try_from(evidence.span.end).unwrap();
            let quoted = std::str::from_utf8(&source[range]).unwrap();
            let held = match &fact.statement.object {
                Value::Entity(iri) => {
                    let entity = snapshot.entity(snapshot.find(iri).unwrap());
                    let names = entity.labels.iter().chain(&entity.aliases);
                    quoted.contains(factmask_schema::local_name(iri.as_str()))
                        || names.into_iter().any(|name| fold(quoted).contains(&fold(&name.text)))
                }
                Value::Number(number) => quoted.replace([',', '.'], "").contains(&digits(number)),
                Value::Date(date) => quoted.contains(&date.year.to_string()),
                Value::Text { text, .. } => fold(quoted).contains(&fold(text)),
                Value::Boolean(_) => true,
            };
            if !held {
                wrong.push(format!("{} {:?} {quoted:?}", evidence.document.as_str(), fact.statement.object));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let minted: Vec<&str> = snapshot
        .entities()
        .iter()
        .map(|entity| entity.iri.as_str())
        .filter(|iri| iri.starts_with("urn:factmask:entity:"))
        .collect();
    assert!(minted.is_empty(), "all names of the corpus are known: {minted:?}");

    let again = pipeline.ingest_paths(&[data().join("corpus")], &mut |_| {}).unwrap();
    assert_eq!((again.added.len(), again.replaced.len(), again.unchanged.len()), (0, 0, report.added.len()));
}

/// The significant digits of a number, as any notation of it has them.
fn digits(number: &Number) -> String {
    let digits = number.mantissa.unsigned_abs().to_string();
    digits.trim_end_matches('0').to_owned()
}

/// The prose that states nothing must give nothing, and each area must give its facts.
#[test]
fn documents_with_and_without_facts() {
    let schema = schema();
    let folder = tempfile::tempdir().unwrap();
    let store = Store::in_memory(&TenantId::new("test").unwrap()).unwrap();
    let pipeline = Pipeline::new(&store, &schema, PipelineOptions::new(folder.path().join("jobs"))).unwrap();
    pipeline.ingest_paths(&[data().join("corpus")], &mut |_| {}).unwrap();
    let silent: BTreeSet<String> = store
        .documents()
        .unwrap()
        .into_iter()
        .filter(|document| document.facts == 0)
        .map(|document| document.id.as_str().to_owned())
        .collect();
    let expected = [
        "entities/companies-and-people.ttl",
        "entities/oncology-terms.ttl",
        "entities/places-and-agencies.ttl",
        "finance/annual-meeting-notes.txt",
    ];
    assert_eq!(silent.iter().map(String::as_str).collect::<Vec<_>>(), expected);
}

/// On disk, across two openings, and with the job folder deleted in between.
#[test]
fn a_store_on_disk_is_found_again() {
    let schema = schema();
    let folder = tempfile::tempdir().unwrap();
    let tenant = TenantId::new("test").unwrap();
    let jobs = folder.path().join("tenants/test/jobs");
    let run = || {
        let store = Store::open(folder.path(), &tenant).unwrap();
        let pipeline = Pipeline::new(&store, &schema, PipelineOptions::new(&jobs)).unwrap();
        let report = pipeline.ingest_paths(&[data().join("corpus")], &mut |_| {}).unwrap();
        println!("{} added, {} unchanged in {:?}", report.added.len(), report.unchanged.len(), report.elapsed);
        (report, store.snapshot().unwrap().facts().len())
    };
    let (first, facts) = run();
    std::fs::remove_dir_all(&jobs).unwrap();
    let (second, again) = run();
    assert_eq!((second.unchanged.len(), second.added.len(), again), (first.added.len(), 0, facts));
}
