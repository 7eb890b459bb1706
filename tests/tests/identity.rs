//! Namesakes and many-named: pairs of short documents through the real ingest, all of a set in one store.
//!
//! `identity/first.jsonl` was written before the rules were tried on it, `identity/second.jsonl` after the last change to them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use factmask_graph::{Snapshot, Store, TenantId};
use factmask_ingest::{Pipeline, PipelineOptions};
use factmask_schema::{Iri, Schema};
use serde::Deserialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// Two mentions, and whether they mean one thing.
#[derive(Deserialize)]
struct Pair {
    id: String,
    same: bool,
    /// Document and name.
    one: (String, String),
    other: (String, String),
    documents: BTreeMap<String, String>,
}

/// Right and wrong among merges, and the ids of pairs that went wrong.
struct Score {
    merged_right: usize,
    same: usize,
    merged_wrong: Vec<String>,
    missed: Vec<String>,
}

fn score(set: &str) -> Score {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("identity");
    let schema = Schema::parse(&fs::read_to_string(folder.join("schema.ttl")).unwrap(), "schema.ttl").unwrap();
    let lines = fs::read_to_string(folder.join(set)).unwrap();
    let pairs: Vec<Pair> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let work = tempfile::tempdir().unwrap();
    let corpus = work.path().join("corpus");
    fs::create_dir(&corpus).unwrap();
    for (name, text) in pairs.iter().flat_map(|pair| &pair.documents) {
        fs::write(corpus.join(name), text).unwrap();
    }
    let store = Store::in_memory(&TenantId::new("t").unwrap()).unwrap();
    store.put_schema(&schema).unwrap();
    let pipeline = Pipeline::new(&store, &schema, PipelineOptions::new(work.path().join("jobs"))).unwrap();
    let report = pipeline.ingest_paths(&[corpus], &mut |_| {}).unwrap();
    assert!(report.failures().is_empty(), "{:?}", report.failures());
    let snapshot = store.snapshot().unwrap();
    if std::env::var_os("FACTMASK_SHOW").is_some() {
        for pair in snapshot.identity().pairs() {
            let name = |iri: &Iri| snapshot.find(iri).map(|id| snapshot.name(id, "en")).unwrap_or("-").to_owned();
            eprintln!(
                "{:?} {:.2} {} / {}: {}",
                pair.state,
                pair.score,
                name(&pair.one),
                name(&pair.other),
                pair.reasons.join("; ")
            );
        }
    }
    let mut score = Score { merged_right: 0, same: 0, merged_wrong: Vec::new(), missed: Vec::new() };
    for pair in pairs {
        let (one, other) = (bearers(&snapshot, &pair.one), bearers(&snapshot, &pair.other));
        assert!(!one.is_empty() && !other.is_empty(), "{}: a document does not give its fact", pair.id);
        let together: BTreeSet<&Iri> = one.union(&other).collect();
        let merged = together.len() == 1;
        let partly = pair.one != pair.other && one.intersection(&other).next().is_some();
        score.same += usize::from(pair.same);
        match (pair.same, merged) {
            (true, true) => score.merged_right += 1,
            (true, false) => score.missed.push(pair.id),
            (false, _) if merged || partly => score.merged_wrong.push(pair.id),
            (false, _) => {}
        }
    }
    score
}

/// Whom a document means by a name: subjects of facts that it states.
fn bearers(snapshot: &Snapshot, (document, name): &(String, String)) -> BTreeSet<Iri> {
    let stated = |evidence: &factmask_graph::Evidence| evidence.document.as_str() == document;
    let facts = snapshot.facts().iter().filter(|fact| fact.evidence.iter().any(stated));
    let named = |iri: &Iri| {
        let entity = snapshot.entity(snapshot.find(iri).unwrap());
        entity.labels.iter().chain(&entity.aliases).any(|text| text.text == *name)
    };
    facts.map(|fact| fact.statement.subject.clone()).filter(named).collect()
}

#[test]
fn namesakes_stay_apart_and_the_many_named_come_together() {
    for set in ["first.jsonl", "second.jsonl"] {
        let Score { merged_right, same, merged_wrong, missed } = score(set);
        println!("{set}: {merged_right} of {same} merged, missed {missed:?}; merged wrongly {merged_wrong:?}");
        assert!(merged_wrong.is_empty(), "{set}: {merged_wrong:?}");
        assert!(merged_right * 5 >= same * 4, "{set}: missed {missed:?}");
    }
}
