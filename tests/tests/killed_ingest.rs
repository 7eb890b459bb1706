//! An ingest killed at any moment leaves every acknowledged document whole and no document half.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use factmask_graph::{DocumentId, Store, TenantId};
use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Command, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

const DOCUMENTS: usize = 120;
const ROWS: usize = 40;
const KILLS: u64 = 20;

const SCHEMA: &str = r#"
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix fm: <urn:factmask:schema#> .
@prefix ex: <urn:test:> .
ex:City a rdfs:Class ; rdfs:label "city"@en .
ex:population a rdf:Property ; rdfs:domain ex:City ; rdfs:range xsd:decimal ; rdfs:label "population"@en ;
    fm:question "How many people live in {s}?"@en ; fm:statement "The population of {s} is {o}."@en .
"#;

/// Each round is another revision of every document; a row says the round it belongs to.
fn write(folder: &Path, round: u64) {
    for document in 0..DOCUMENTS {
        let mut table = "city,population\n".to_owned();
        for row in 0..ROWS {
            table += &format!("Town {document} {row},{round}{row:02}\n");
        }
        fs::write(folder.join(format!("t{document:03}.csv")), table).unwrap();
    }
}

/// Starts an ingest, kills it after `pause` from its first acknowledgement on (or from its start, when there is none that soon),
/// and returns the documents that it had acknowledged.
fn ingest_and_kill(work: &Path, pause: Option<Duration>) -> Vec<String> {
    let mut child = Command::new(factmask_tests::program().unwrap())
        .current_dir(work)
        .args(["ingest", "docs", "--verbose", "--schema", "schema.ttl", "--data", "data"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (send, acknowledged) = mpsc::channel();
    let out = BufReader::new(child.stdout.take().unwrap());
    let reader = thread::spawn(move || {
        for line in out.lines().map_while(Result::ok) {
            if let Some((done, rest)) = line.split_once(' ')
                && ["added", "replaced", "unchanged"].contains(&done)
                && let Some((document, _)) = rest.rsplit_once(" (")
            {
                let _ = send.send(document.to_owned());
            }
        }
    });
    let mut first = None;
    if let Some(pause) = pause {
        // Odd pauses are counted from the start of the process, so that it also dies while it opens the store.
        if pause.as_millis() % 2 == 0 {
            first = acknowledged.recv_timeout(Duration::from_secs(60)).ok();
        }
        thread::sleep(pause);
        child.kill().unwrap();
    }
    let status = child.wait().unwrap();
    reader.join().unwrap();
    if pause.is_none() {
        let mut fault = String::new();
        std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut fault).unwrap();
        assert!(status.success(), "{fault}");
    }
    first.into_iter().chain(acknowledged.try_iter()).collect()
}

#[test]
fn acknowledged_documents_survive_and_none_is_half() {
    let work = tempfile::tempdir().unwrap();
    let work = work.path();
    fs::create_dir(work.join("docs")).unwrap();
    fs::write(work.join("schema.ttl"), SCHEMA).unwrap();
    let tenant = TenantId::new("default").unwrap();
    // What is known to be durable: the newest round that was acknowledged, by document.
    let mut durable: BTreeMap<String, u64> = BTreeMap::new();
    let mut seen_some = false;
    for round in 1..=KILLS {
        write(&work.join("docs"), round);
        // Spread over what a whole run takes; the same in every run of the test, the moments it hits are not.
        let acknowledged = ingest_and_kill(work, Some(Duration::from_millis(round * round * 7 % 311)));
        seen_some |= !acknowledged.is_empty() && acknowledged.len() < DOCUMENTS;
        durable.extend(acknowledged.into_iter().map(|document| (document, round)));
        if round % 4 == 0 {
            let jobs = work.join("data/tenants/default/jobs");
            if jobs.exists() {
                fs::remove_dir_all(jobs).unwrap();
            }
        }
        check(work, &tenant, &durable, round);
    }
    assert!(seen_some, "no kill fell between the first and the last acknowledgement: the test proves nothing");
    // The run that is left alone ends where a run that was never killed ends.
    ingest_and_kill(work, None);
    let export = Store::open(&work.join("data"), &tenant).unwrap().export().unwrap();
    fs::rename(work.join("data"), work.join("killed")).unwrap();
    ingest_and_kill(work, None);
    assert_eq!(export, Store::open(&work.join("data"), &tenant).unwrap().export().unwrap());
}

fn check(work: &Path, tenant: &TenantId, durable: &BTreeMap<String, u64>, round: u64) {
    if !work.join("data/tenants/default").exists() {
        assert!(durable.is_empty(), "round {round}: the store is gone");
        return;
    }
    let store = Store::open(&work.join("data"), tenant).unwrap();
    let snapshot = store.snapshot().unwrap();
    let mut stated: BTreeMap<&DocumentId, Vec<String>> = BTreeMap::new();
    for fact in snapshot.facts() {
        for evidence in &fact.evidence {
            stated.entry(&evidence.document).or_default().push(fact.statement.object.as_number().unwrap().plain());
        }
    }
    let documents = store.documents().unwrap();
    for document in &documents {
        let values = stated.remove(&document.id).unwrap_or_default();
        let (id, at_least) = (document.id.as_str(), durable.get(document.id.as_str()).copied().unwrap_or(1));
        assert_eq!((values.len(), document.facts), (ROWS, ROWS as u64), "round {round}: {id} is half");
        let rounds: Vec<u64> = values.iter().map(|value| value[..value.len() - 2].parse().unwrap()).collect();
        assert!(rounds.iter().all(|found| *found == rounds[0]), "round {round}: {id} mixes revisions {rounds:?}");
        assert!(rounds[0] >= at_least, "round {round}: {id} fell back from {at_least} to {}", rounds[0]);
        assert!(!store.source(&document.id).unwrap().is_empty());
    }
    assert!(stated.is_empty(), "round {round}: facts of no document: {stated:?}");
    for id in durable.keys() {
        assert!(documents.iter().any(|document| document.id.as_str() == id), "round {round}: {id} is gone");
    }
}
