//! A process that is killed while it writes leaves every acknowledged document whole and no document in half.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use common::{document, entity, fact, tenant};
use factmask_graph::{Document, Store};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const FOLDER: &str = "FACTMASK_CRASH_TEST_FOLDER";

/// The `number`-th document: now small, now so large that it is loaded in bulk; after a while earlier ones in a new revision.
fn nth(number: usize) -> Document {
    let facts = if number % 5 == 4 { 18_000 } else { 40 };
    let revision = number / 10;
    let name = format!("{}", number % 10);
    document(&name, (0..facts).map(|at| fact(&format!("{name}-{revision}-{at}"), "r", entity("o"))).collect())
}

/// Not a test: what the killed process runs.
#[test]
#[ignore = "the process that the other test kills"]
fn victim() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let store = Store::open(Path::new(&folder), &tenant()).unwrap();
    for number in 0.. {
        store.put(&nth(number)).unwrap();
        eprintln!("acknowledged {number}");
    }
}

#[test]
fn killed_at_any_moment() {
    // Random enough: the moments that matter are not at multiples of this.
    for after in [40, 170, 330, 610, 890, 1370, 2010] {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "--nocapture", "victim"])
            .env(FOLDER, folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap());
        let reader = std::thread::spawn(move || {
            lines
                .lines()
                .map_while(Result::ok)
                .filter_map(|line| line.strip_prefix("acknowledged ")?.parse().ok())
                .last()
        });
        std::thread::sleep(Duration::from_millis(after));
        child.kill().unwrap();
        child.wait().unwrap();
        let acknowledged: usize = reader.join().unwrap().map_or(0, |number: usize| number + 1);

        let store = Store::open(folder.path(), &tenant()).unwrap();
        // One more than was acknowledged may stand, as a whole.
        let expected = |count: usize| -> BTreeMap<String, Document> {
            (0..count).map(nth).map(|document| (document.id.to_string(), document)).collect()
        };
        let found: BTreeMap<String, Vec<u8>> = store
            .documents()
            .unwrap()
            .into_iter()
            .map(|info| (info.id.to_string(), store.source(&info.id).unwrap()))
            .collect();
        let stands = [acknowledged, acknowledged + 1].into_iter().map(expected).find(|documents| {
            let sources = documents.iter().map(|(name, document)| (name, &document.source));
            sources.eq(found.iter())
        });
        let stands = stands.unwrap_or_else(|| panic!("{:?} after {acknowledged}, killed at {after} ms", found.keys()));
        let fresh = common::memory();
        fresh.put_all(&stands.into_values().collect::<Vec<_>>()).unwrap();
        assert!(
            store.export().unwrap() == fresh.export().unwrap(),
            "{acknowledged} acknowledged, killed at {after} ms"
        );
        let sources = std::fs::read_dir(folder.path().join("tenants/acme/sources")).unwrap().count();
        assert_eq!(sources, found.len(), "a source too many");
    }
}
