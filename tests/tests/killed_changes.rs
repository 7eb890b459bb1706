//! Ingests that are killed at random moments, with documents that change and go in between, end where undisturbed ones end:
//! whatever the order of the documents and however many are read at the same time.
//!
//! `FACTMASK_KILLS=100 cargo test --test killed_changes` kills a hundred times instead of ten; `FACTMASK_SEED` chooses other
//! moments.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use factmask_graph::{Store, TenantId};
use std::{
    fs,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

const DOCUMENTS: u64 = 200;

const SCHEMA: &str = r#"
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix fm: <urn:factmask:schema#> .
@prefix ex: <urn:test:> .
ex:City a rdfs:Class ; rdfs:label "city"@en .
ex:Person a rdfs:Class ; rdfs:label "person"@en .
ex:population a rdf:Property ; rdfs:domain ex:City ; rdfs:range xsd:decimal ; rdfs:label "population"@en ;
    fm:question "How many people live in {s}?"@en ; fm:statement "The population of {s} is {o}."@en .
ex:mayor a rdf:Property , owl:FunctionalProperty ; rdfs:domain ex:City ; rdfs:range ex:Person ; rdfs:label "mayor"@en ;
    fm:statement "The mayor of {s} is {o}."@en .
"#;

/// The revision of a document in a round, the latest in which it changed; none in rounds in which it is gone.
fn revision(document: u64, round: u64) -> Option<u64> {
    let gone = (document * 7 + round * 3).is_multiple_of(11);
    (!gone).then(|| (1..=round).rev().find(|round| (document + round).is_multiple_of(3)).unwrap_or(0))
}

/// Tables, running text and RDF, which name the same towns and people as the documents beside them.
fn contents(document: u64, revision: u64) -> (String, String) {
    let town = |row: u64| format!("Town {}", (document * 3 + row) % 150);
    match document % 10 {
        0 => {
            let label =
                format!("<urn:test:t{document}> <http://www.w3.org/2000/01/rdf-schema#label> \"{}\" .\n", town(0));
            let class =
                format!("<urn:test:t{document}> a <urn:test:City> ; <urn:test:population> {revision}{document} .\n");
            (format!("d{document:03}.ttl"), label + &class)
        }
        1..=3 => {
            let sentences = (0..8).map(|row| {
                format!(
                    "The population of {} is {revision}{row}. The mayor of {} is Ann Bo {row}.\n",
                    town(row),
                    town(row)
                )
            });
            (format!("d{document:03}.txt"), sentences.collect())
        }
        _ => {
            let rows =
                (0..20).map(|row| format!("{},{revision}{row:02},Ann Bo {}\n", town(row), (document + row) % 40));
            (format!("d{document:03}.csv"), std::iter::once("city,population,mayor\n".to_owned()).chain(rows).collect())
        }
    }
}

/// Makes the folder what it is in a round.
fn write(folder: &Path, round: u64) {
    for document in 0..DOCUMENTS {
        let known = revision(document, round);
        let (name, text) = contents(document, known.unwrap_or(0));
        let path = folder.join(name);
        match known {
            // A file of the same contents is not touched, as people's are not.
            Some(_) if fs::read_to_string(&path).is_ok_and(|found| found == text) => {}
            Some(_) => fs::write(path, text).unwrap(),
            None => {
                let _ = fs::remove_file(path);
            }
        }
    }
}

struct World {
    work: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let work = tempfile::tempdir().unwrap();
        fs::create_dir(work.path().join("docs")).unwrap();
        fs::write(work.path().join("schema.ttl"), SCHEMA).unwrap();
        Self { work }
    }

    fn docs(&self) -> PathBuf {
        self.work.path().join("docs")
    }

    /// Starts an ingest, kills it after `pause` where there is one, and gives the number of documents that it acknowledged, and whether it
    /// had ended before.
    fn ingest(&self, data: &str, paths: &[String], workers: u64, pause: Option<Duration>) -> (usize, bool) {
        let mut command = Command::new(factmask_tests::program().unwrap());
        command.current_dir(self.work.path()).arg("ingest").args(paths);
        command.args(["--prune", "--verbose", "--schema", "schema.ttl", "--data", data]);
        command.args(["--workers", &workers.to_string()]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let reader = thread::spawn(move || {
            let done = ["added ", "replaced ", "unchanged "];
            out.lines().map_while(Result::ok).filter(|line| done.iter().any(|done| line.starts_with(done))).count()
        });
        let mut faults = child.stderr.take().unwrap();
        let told = thread::spawn(move || {
            let mut text = String::new();
            let _ = faults.read_to_string(&mut text);
            text
        });
        let mut ended = pause.is_none();
        if let Some(pause) = pause {
            thread::sleep(pause);
            ended = child.try_wait().unwrap().is_some();
            child.kill().unwrap();
        }
        let status = child.wait().unwrap();
        let faults = told.join().unwrap();
        assert!(pause.is_some() || status.success(), "{faults}");
        (reader.join().unwrap(), ended)
    }

    fn whole(&self, data: &str, workers: u64) {
        self.ingest(data, &["docs".to_owned()], workers, None);
    }

    fn export(&self, data: &str) -> String {
        let tenant = TenantId::new("default").unwrap();
        Store::open(&self.work.path().join(data), &tenant).unwrap().export().unwrap()
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn killed_ingests_with_changes_and_deletes_end_as_undisturbed_ones() {
    let kills = number("FACTMASK_KILLS", 10);
    let mut random = number("FACTMASK_SEED", 0x9e37_79b9_7f4a_7c15) | 1;
    let mut chance = |below: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % below.max(1)
    };
    let world = World::new();
    write(&world.docs(), 1);
    let started = Instant::now();
    world.whole("killed", 1);
    // The first run reads everything; later ones a third.
    let mut most = u64::try_from(started.elapsed().as_millis()).unwrap();
    let (mut round, mut between, mut kill) = (1, 0, 0);
    // On a machine whose load changes the first may all miss the work.
    while kill < kills || (between == 0 && kill < 5 * kills) {
        round = 2 + kill / 2;
        write(&world.docs(), round);
        let workers = [1, 4][usize::try_from(kill % 2).unwrap()];
        let pause = chance(most);
        let (done, ended) = world.ingest("killed", &["docs".to_owned()], workers, Some(Duration::from_millis(pause)));
        if ended {
            most = pause;
        }
        kill += 1;
        between += usize::from(done > 0 && done < 150);
        // It can be opened and read after every kill.
        assert!(!world.export("killed").is_empty());
    }
    assert!(kills < 10 || between > 0, "no kill fell within the work: the test proves nothing");
    world.whole("killed", 4);
    let killed = world.export("killed");

    for (data, workers) in [("fresh", 1), ("parallel", 4)] {
        world.whole(data, workers);
        assert!(world.export(data) == killed, "{data}: a killed run ends elsewhere");
    }
    // The last documents first, one by one; then all, since running text is read by the names of all tables.
    let mut files: Vec<String> = fs::read_dir(world.docs())
        .unwrap()
        .map(|file| format!("docs/{}", file.unwrap().file_name().into_string().unwrap()))
        .collect();
    files.sort();
    files.reverse();
    for some in files.chunks(files.len() / 3) {
        world.ingest("reversed", some, 1, None);
    }
    world.whole("reversed", 1);
    assert!(world.export("reversed") == killed, "another order ends elsewhere");
    // The same rounds, undisturbed.
    let other = World::new();
    for round in 1..=round {
        write(&other.docs(), round);
        other.whole("undisturbed", 1);
    }
    assert!(other.export("undisturbed") == killed, "the same changes, undisturbed, end elsewhere");
}
