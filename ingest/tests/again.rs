//! Runs after runs: no document takes another's place, and prose is read again when the names that it needs become known.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod world;

use factmask_graph::DocumentId;
use factmask_ingest::{Pipeline, Report};
use std::fs;
use std::path::PathBuf;
use world::World;

const ONE: &[u8] = b"The capital of Sylvania is Grouchoville.\n";
const OTHER: &[u8] = b"The capital of Freedonia is Marxville.\n";
const NAMES: &str = "@prefix ex: <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:x1 a ex:Country ; rdfs:label \"Sylvania\" .\nex:x2 a ex:City ; rdfs:label \"Grouchoville\" .\n";

/// What is given twice, each with its root and the file's id: files, and folders.
const ROOTS: [([&str; 2], [&str; 2], &str); 2] = [
    (["a/notes.md", "b/notes.md"], ["a/notes.md", "b/notes.md"], "notes.md"),
    (["o1", "o2"], ["o1/x/n.md", "o2/x/n.md"], "x/n.md"),
];

fn ingest(world: &World, path: &str) -> Report {
    world.run_on(world.options(), &[world.corpus().join(path)])
}

fn source(world: &World, id: &str) -> Vec<u8> {
    world.store.source(&DocumentId::new(id).unwrap()).unwrap()
}

fn outcome(report: &Report) -> [usize; 4] {
    [report.added.len(), report.replaced.len(), report.unchanged.len(), report.failures().len()]
}

#[test]
fn a_file_from_another_root_takes_no_documents_place() {
    for (roots, files, id) in ROOTS {
        let world = World::new(&[(files[0], ONE), (files[1], OTHER)]);
        assert_eq!(outcome(&ingest(&world, roots[0])), [1, 0, 0, 0], "{roots:?}");
        // The others of the run go on.
        world.write("good/c.txt", OTHER);
        let paths: Vec<PathBuf> = [roots[1], "good"].iter().map(|root| world.corpus().join(root)).collect();
        let second = world.run_on(world.options(), &paths);
        assert_eq!(outcome(&second), [1, 0, 0, 1], "{roots:?}");
        let line = second.failures()[0].to_string();
        for said in [files[0], files[1], "common parent folder", "--tenant", "delete the document first"] {
            assert!(line.contains(said) && !line.contains('\n'), "{said}: {line}");
        }
        assert_eq!(source(&world, id), ONE, "{roots:?}");

        // Its own file still replaces it, by whatever root, and so does the other once it is deleted.
        world.write(files[0], b"The capital of Sylvania is Harpoville.\n");
        assert_eq!(outcome(&ingest(&world, roots[0])), [0, 1, 0, 0], "{roots:?}");
        world.store.delete(&DocumentId::new(id).unwrap()).unwrap();
        assert_eq!(outcome(&ingest(&world, roots[1])), [1, 0, 0, 0], "{roots:?}");
        assert_eq!(outcome(&ingest(&world, roots[0])), [0, 0, 0, 1], "{roots:?}");
    }
}

#[test]
fn a_file_that_was_the_same_does_not_take_over_later() {
    for (roots, files, id) in ROOTS {
        let world = World::new(&[(files[0], ONE), (files[1], ONE)]);
        ingest(&world, roots[0]);
        assert_eq!(outcome(&ingest(&world, roots[1])), [0, 0, 1, 0], "{roots:?}");
        world.write(files[1], OTHER);
        assert_eq!(outcome(&ingest(&world, roots[1])), [0, 0, 0, 1], "{roots:?}");
        assert_eq!(source(&world, id), ONE, "{roots:?}");
    }
}

#[test]
fn a_file_may_be_given_by_another_root_and_a_folder_may_move() {
    let world = World::new(&[("a/notes.md", ONE)]);
    ingest(&world, "a");
    world.write("a/notes.md", OTHER);
    assert_eq!(outcome(&ingest(&world, "a/notes.md")), [0, 1, 0, 0], "the file itself");
    world.write("a/notes.md", ONE);
    assert_eq!(outcome(&ingest(&world, "a/../a")), [0, 1, 0, 0], "its folder again");
    fs::rename(world.corpus().join("a"), world.corpus().join("b")).unwrap();
    assert_eq!(outcome(&ingest(&world, "b")), [0, 0, 1, 0], "the moved folder");
    world.write("b/notes.md", OTHER);
    assert_eq!(outcome(&ingest(&world, "b")), [0, 1, 0, 0], "is its root from then on");
}

#[test]
fn a_document_of_unknown_root_is_replaced_with_a_warning() {
    for (roots, files, id) in ROOTS {
        let world = World::new(&[(files[0], ONE), (files[1], OTHER)]);
        ingest(&world, roots[0]);
        fs::remove_dir_all(world.jobs()).unwrap();
        let second = ingest(&world, roots[1]);
        assert_eq!(outcome(&second), [0, 1, 0, 0], "{roots:?}");
        let warned = second.warnings.iter().filter(|(of, warning)| of == id && warning.message.contains("not known"));
        assert_eq!(warned.count(), 1, "{:?}", second.warnings);
        assert_eq!(outcome(&ingest(&world, roots[0])), [0, 0, 0, 1], "the root is known again");
    }
}

#[test]
fn an_upload_has_no_root_and_is_not_replaced_silently() {
    let world = World::new(&[("a/notes.md", ONE)]);
    ingest(&world, "a");
    let pipeline = Pipeline::new(&world.store, &world.schema, world.options()).unwrap();
    pipeline.ingest_bytes("notes.md", "text/markdown", OTHER.to_vec()).unwrap();
    drop(pipeline);
    let second = ingest(&world, "a");
    assert_eq!((outcome(&second), second.warnings.len()), ([0, 1, 0, 0], 1), "{:?}", second.warnings);
}

#[test]
fn prose_is_read_again_when_names_become_known() {
    let country = "Country,Area\nfree lands of the north,500\n";
    for (prose, before, names, after) in [
        (
            "free lands of the north covers 700 km\u{b2}.\n",
            "",
            ("n.csv", country),
            "free%20lands%20of%20the%20north area 700",
        ),
        // Made up from the name before, and the given entity after.
        (
            "The capital of Sylvania is Grouchoville.\n",
            "sylvania capital grouchoville",
            ("n.ttl", NAMES),
            "x1 capital x2",
        ),
    ] {
        for file in ["p/prose.md", "p/prose.txt"] {
            let world = World::new(&[(file, prose.as_bytes())]);
            let stated = |world: &World| world.facts().remove(&file[2..]).unwrap_or_default().join("; ");
            assert_eq!(outcome(&ingest(&world, "p")), [1, 0, 0, 0], "{prose}");
            assert_eq!(stated(&world), before, "{prose}");
            assert_eq!(outcome(&ingest(&world, "p")), [0, 0, 1, 0], "what it brings itself does not count: {prose}");
            world.write(&format!("q/{}", names.0), names.1.as_bytes());
            assert_eq!(outcome(&ingest(&world, "q")), [1, 0, 0, 0], "{prose}");
            let again = ingest(&world, "p");
            assert_eq!((outcome(&again), again.warnings.len()), ([0, 1, 0, 0], 0), "{prose}: {:?}", again.warnings);
            assert_eq!(stated(&world), after, "{prose}");
            assert_eq!(outcome(&ingest(&world, "p")), [0, 0, 1, 0], "{prose}");
            assert_eq!(outcome(&ingest(&world, "q")), [0, 0, 1, 0], "a table does not depend on prose: {prose}");
        }
    }
}

#[test]
fn a_run_that_brings_names_is_settled_by_the_next() {
    let world = World::new(&[("b.txt", ONE), ("c.md", OTHER)]);
    assert_eq!(outcome(&world.run()), [2, 0, 0, 0]);
    // The names and the prose that needs them in one run: the prose is read after them.
    world.write("n.ttl", NAMES.as_bytes());
    assert_eq!(outcome(&world.run()), [1, 2, 0, 0]);
    assert_eq!(world.facts()["b.txt"], ["x1 capital x2"]);
    fs::remove_dir_all(world.jobs()).unwrap();
    for _ in 0..2 {
        assert_eq!(outcome(&world.run()), [0, 0, 3, 0]);
    }
}
