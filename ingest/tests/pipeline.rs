//! The pipeline from files to a real store: what is added, replaced, skipped, refused and kept.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod world;

use factmask_graph::{DocumentId, Outcome};
use factmask_ingest::{IngestError, Pipeline, PipelineOptions, Progress, Upload};
use std::fs;
use std::path::Path;
use world::World;

const CSV: &[u8] = b"Country,Capital,Area\nFreedonia,Marxville,500\n";
const TXT: &[u8] = b"The capital of Sylvania is Grouchoville. Freedonia covers 500 km\xc2\xb2.\n";

#[test]
fn unchanged_files_are_skipped_and_a_changed_one_replaces_its_own() {
    let world = World::new(&[("a.csv", CSV), ("b.txt", TXT)]);
    let first = world.run();
    assert_eq!(
        (first.added.as_slice(), first.facts),
        (["a.csv".to_owned(), "b.txt".to_owned()].as_slice(), 4),
        "{:?}",
        first.warnings
    );
    assert_eq!(world.facts()["a.csv"], ["freedonia area 500", "freedonia capital marxville"]);

    let second = world.run();
    assert_eq!((second.unchanged.len(), second.added.len(), second.replaced.len()), (2, 0, 0));

    world.write("b.txt", b"The capital of Sylvania is Harpoville.\n");
    let third = world.run();
    assert_eq!(
        (third.unchanged.as_slice(), third.replaced.as_slice()),
        (["a.csv".to_owned()].as_slice(), ["b.txt".to_owned()].as_slice())
    );
    let facts = world.facts();
    assert_eq!(facts["a.csv"], ["freedonia area 500", "freedonia capital marxville"]);
    assert_eq!(facts["b.txt"], ["sylvania capital harpoville"]);
}

#[test]
fn a_new_schema_or_mapping_reads_again() {
    let world = World::new(&[("a.csv", b"Land,Town\nFreedonia,Marxville\n")]);
    assert_eq!(world.run().facts, 0);
    world.write("a.csv.map.toml", b"format = 1\nclass = \"country\"\n[columns]\n\"Town\" = \"capital\"\n");
    let mapped = world.run();
    assert_eq!((mapped.replaced.len(), mapped.facts), (1, 1), "{:?} {:?}", mapped.warnings, mapped.failures());
    assert_eq!(world.run().unchanged.len(), 1);
    world.write("a.csv.map.toml", b"class = \"dragon\"\n");
    let broken = world.run();
    assert!(
        broken.failures()[0].to_string().contains("a.csv.map.toml: \"dragon\" is no class"),
        "{:?}",
        broken.failures()
    );
    assert_eq!(world.facts()["a.csv"].len(), 1, "the facts of before stay");
}

#[test]
fn the_order_of_files_does_not_matter() {
    let ttl = "@prefix ex: <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\nex:x1 a ex:Country ; rdfs:label \"Freedonia\" .\nex:x2 a ex:City ; rdfs:label \"Marxville\" .\n";
    let text = b"The capital of Freedonia is Marxville.";
    for names in [["a.ttl", "b.txt", "c.csv"], ["z.ttl", "a.txt", "b.csv"], ["m.ttl", "z.txt", "a.csv"]] {
        let world = World::new(&[
            (names[0], ttl.as_bytes()),
            (names[1], text),
            (names[2], b"Country,Capital\nFreedonia,Marxville\n"),
        ]);
        world.run();
        assert_eq!(world.facts()[names[1]], ["x1 capital x2"], "{names:?}");
        assert_eq!(world.facts()[names[2]], ["x1 capital x2"], "{names:?}");
        assert_eq!(world.store.snapshot().unwrap().facts().len(), 1, "one fact in two documents is one fact");
    }
}

#[test]
fn bad_files_give_one_line_each_and_the_others_go_on() {
    let sparse = 65 * 1024 * 1024;
    let world = World::new(&[
        ("good.csv", CSV),
        ("empty.csv", b""),
        ("blank.txt", b" \n\t\n"),
        ("binary.txt", b"\x7fELF\0\0\0"),
        ("broken.txt", b"Gr\xc3\xb6\xc3\x9fe M\xc3\xa4\xc3\x9fig \xc3\xbc\xff oh"),
        ("bad.ttl", b"@prefix ex: <http://e/> .\nex:a ex:b \"open .\n"),
        ("bad.nt", b"<http://e/a> <http://e/b> .\n"),
        ("paper.zip", b"PK"),
    ]);
    fs::File::create(world.corpus().join("huge.csv")).unwrap().set_len(sparse).unwrap();
    std::os::unix::fs::symlink("nowhere", world.corpus().join("dangling.txt")).unwrap();
    let report = world.run();
    assert_eq!(report.added, ["good.csv"]);
    let lines: Vec<String> = report.failures().iter().map(ToString::to_string).collect();
    for (file, said) in [
        ("empty.csv", "is empty"),
        ("blank.txt", "is empty"),
        ("binary.txt", "binary data"),
        ("broken.txt", "is not valid UTF-8"),
        ("bad.ttl:2:", "correct the file"),
        ("bad.nt:1:", "correct the file"),
        ("huge.csv", "has 68157440 bytes, more than the limit of 67108864"),
        ("dangling.txt", "check"),
    ] {
        let hits =
            lines.iter().filter(|line| line.contains(file) && line.contains(said) && !line.contains('\n')).count();
        assert_eq!(hits, 1, "{file} {said}: {lines:#?}");
    }
    assert_eq!(lines.len(), 8, "{lines:#?}");
    assert_eq!(report.skipped.len(), 1);
    assert!(report.skipped[0].reason.contains(".zip files are not read yet"));
    assert_eq!(world.facts().len(), 1, "no half document");
}

#[test]
fn what_the_store_rejects_fails_alone() {
    // The name of a fact as a subject is the store's own, so this cannot be stored.
    let reserved = b"<urn:factmask:fact:00> <http://e/capital> <http://e/m> .\n";
    let world = World::new(&[("a.csv", CSV), ("b.nt", reserved), ("c.txt", TXT)]);
    let report = world.run();
    assert_eq!(report.added, ["a.csv", "c.txt"]);
    let lines: Vec<String> = report.failures().iter().map(ToString::to_string).collect();
    assert!(lines.len() == 1 && lines[0].starts_with("b.nt: states something that cannot be stored"), "{lines:?}");
}

#[test]
fn a_file_that_breaks_keeps_what_it_stated() {
    let world = World::new(&[("a.nt", b"<http://e/f> <http://e/capital> <http://e/m> .\n")]);
    world.run();
    world.write("a.nt", b"<http://e/f> <http://e/capital> <http://e/n> .\noops\n");
    let report = world.run();
    assert_eq!(report.failures().len(), 1);
    assert_eq!(world.facts()["a.nt"], ["f capital m"]);
}

#[test]
fn pruning_takes_only_what_is_gone_and_only_when_asked() {
    let world = World::new(&[("a.csv", CSV), ("sub/b.txt", TXT)]);
    world.run();
    let pipeline = Pipeline::new(&world.store, &world.schema, world.options()).unwrap();
    pipeline.ingest_bytes("upload.csv", "text/csv", CSV.to_vec()).unwrap();
    drop(pipeline);
    fs::remove_file(world.corpus().join("sub/b.txt")).unwrap();
    let prune = || PipelineOptions { prune: true, ..world.options() };
    assert!(world.run().pruned.is_empty());
    // Another folder's run does not touch this one's documents.
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join("c.csv"), CSV).unwrap();
    let pipeline = Pipeline::new(&world.store, &world.schema, prune()).unwrap();
    assert!(pipeline.ingest_paths(&[other.path().to_path_buf()], &mut |_| {}).unwrap().pruned.is_empty());
    drop(pipeline);
    assert_eq!(world.run_with(prune()).pruned, ["sub/b.txt"]);
    assert_eq!(world.facts().keys().collect::<Vec<_>>(), ["a.csv", "c.csv", "upload.csv"]);
}

#[test]
fn deleting_and_reading_again_gives_the_same_bytes() {
    let ttl = "@prefix ex: <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\nex:x1 a ex:Country ; rdfs:label \"Freedonia\" .\n";
    let world = World::new(&[("a.csv", CSV), ("b.txt", TXT), ("c.ttl", ttl.as_bytes())]);
    world.run();
    let export = world.store.export().unwrap();
    for name in ["a.csv", "b.txt", "c.ttl"] {
        assert!(world.store.delete(&DocumentId::new(name).unwrap()).unwrap());
        assert_ne!(world.store.export().unwrap(), export);
        world.run();
        assert!(world.store.export().unwrap() == export, "{name}");
    }
}

#[test]
fn the_job_folder_can_go_at_any_time() {
    let world = World::new(&[("a.csv", CSV), ("b.txt", TXT)]);
    world.run();
    fs::remove_dir_all(world.jobs()).unwrap();
    let report = world.run_with(PipelineOptions { prune: true, ..world.options() });
    assert_eq!((report.unchanged.len(), report.pruned.len()), (2, 0));
    let pipeline = Pipeline::new(&world.store, &world.schema, world.options()).unwrap();
    let records = pipeline.last_job().unwrap();
    assert_eq!(
        records.iter().map(|record| (record.document.as_str(), record.outcome)).collect::<Vec<_>>(),
        [("a.csv", Outcome::Unchanged), ("b.txt", Outcome::Unchanged)]
    );
    drop(pipeline);
    // Damaged instead of gone: made anew.
    for entry in fs::read_dir(world.jobs()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            fs::write(path, b"garbage that is no sled file at all").unwrap();
        }
    }
    assert_eq!(world.run().unchanged.len(), 2);
}

#[test]
fn a_job_folder_of_before_versions_is_used_and_a_newer_one_refused() {
    let world = World::new(&[("a.csv", CSV), ("b.txt", TXT)]);
    world.run();
    // The folder as it was written before it carried a version.
    fs::remove_dir_all(world.jobs()).unwrap();
    let db = sled::Config::new().path(world.jobs()).cache_capacity(4 << 20).flush_every_ms(None).open().unwrap();
    db.open_tree("progress").unwrap().insert("b.txt", [b"a".as_slice(), &2_u64.to_be_bytes()].concat()).unwrap();
    let root = world.corpus().canonicalize().unwrap();
    db.open_tree("origins").unwrap().insert("b.txt", root.to_str().unwrap()).unwrap();
    db.flush().unwrap();
    drop(db);
    let pipeline = Pipeline::new(&world.store, &world.schema, world.options()).unwrap();
    let records = pipeline.last_job().unwrap();
    assert_eq!(
        records.iter().map(|record| (record.document.as_str(), record.outcome, record.facts)).collect::<Vec<_>>(),
        [("b.txt", Outcome::Added, 2)]
    );
    drop(pipeline);
    let file = world.jobs().join("FORMAT");
    assert_eq!(fs::read_to_string(&file).unwrap(), "factmask-jobs 1\n");
    // It knows where the document came from, so that pruning may take it.
    fs::remove_file(world.corpus().join("b.txt")).unwrap();
    assert_eq!(world.run_with(PipelineOptions { prune: true, ..world.options() }).pruned, ["b.txt"]);

    fs::write(&file, "factmask-jobs 2\n").unwrap();
    let before = fs::read(world.jobs().join("db")).unwrap();
    let error = Pipeline::new(&world.store, &world.schema, world.options()).err().unwrap().to_string();
    let expected = "jobs: has format version 2, this program knows versions up to 1; use a newer factmask, or delete";
    assert!(error.contains(expected) && !error.contains('\n'), "{error}");
    assert_eq!(fs::read(world.jobs().join("db")).unwrap(), before);
}

#[test]
fn every_syntax_of_rdf_comes_by_file_and_by_media_type() {
    let lines = "<http://e/f> <http://e/capital> <http://e/m>";
    let xml = "<r:RDF xmlns:r=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:e=\"http://e/\"><e:Country r:about=\"http://e/f\"><e:capital r:resource=\"http://e/m\"/></e:Country></r:RDF>";
    let json = "{\"@id\": \"http://e/f\", \"http://e/capital\": {\"@id\": \"http://e/m\"}}";
    let cases = [
        ("a.ttl", "text/turtle", format!("{lines} .")),
        ("a.trig", "application/trig", format!("<http://e/g> {{ {lines} }}")),
        ("a.nt", "application/n-triples", format!("{lines} .")),
        ("a.nq", "application/n-quads", format!("{lines} <http://e/g> .")),
        ("a.rdf", "application/rdf+xml", xml.to_owned()),
        ("a.owl", "application/rdf+xml", xml.to_owned()),
        ("a.xml", "text/xml", xml.to_owned()),
        ("a.jsonld", "application/ld+json; charset=utf-8", json.to_owned()),
    ];
    let files: Vec<(&str, &[u8])> = cases.iter().map(|(name, _, text)| (*name, text.as_bytes())).collect();
    let world = World::new(&files);
    world.write("settings.xml", b"<?xml version=\"1.0\"?><settings><RDF/></settings>");
    let report = world.run();
    assert!(report.failures().is_empty(), "{:?}", report.failures());
    let skipped: Vec<&str> = report.skipped.iter().map(|skipped| skipped.reason.as_str()).collect();
    assert_eq!(skipped, ["of .xml files those are read whose root is rdf:RDF"]);
    let pipeline = Pipeline::new(&world.store, &world.schema, world.options()).unwrap();
    for (name, media_type, text) in &cases {
        pipeline.ingest_bytes(&format!("up/{name}"), media_type, text.clone().into_bytes()).unwrap();
        for document in [(*name).to_owned(), format!("up/{name}")] {
            assert_eq!(world.facts()[&document], ["f capital m"], "{document}");
        }
    }
}

#[test]
fn a_document_is_durable_when_it_is_acknowledged() {
    let files: Vec<(String, String)> = (0..10)
        .map(|number| (format!("d{number}.txt"), format!("The capital of Land{number} is Town{number}.")))
        .collect();
    let world = World::new(&[]);
    for (name, text) in &files {
        world.write(name, text.as_bytes());
    }
    let options = PipelineOptions { group_documents: 3, ..world.options() };
    let pipeline = Pipeline::new(&world.store, &world.schema, options).unwrap();
    let mut acknowledged = 0;
    let mut reading = 0;
    pipeline
        .ingest_paths(&[world.corpus()], &mut |step| match step {
            Progress::Reading { .. } => reading += 1,
            Progress::Acknowledged { document, outcome, facts } => {
                acknowledged += 1;
                assert_eq!((outcome, facts), (Outcome::Added, 1));
                let id = DocumentId::new(document).unwrap();
                assert_eq!(world.store.document(&id).unwrap().unwrap().facts, 1);
            }
            _ => {}
        })
        .unwrap();
    assert_eq!((reading, acknowledged), (10, 10));
    let estimate = pipeline.estimate(&[world.corpus()]).unwrap();
    assert_eq!((estimate.files, estimate.changed), (10, 0));
}

#[test]
fn other_encodings_are_stored_as_utf8() {
    let text = "弗里多尼亚的首都是马克斯维尔。这座城市位于河边，人口众多，历史悠久，是全国的政治和文化中心。";
    let mut utf16 = vec![0xff, 0xfe];
    utf16.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
    let world = World::new(&[("a.txt", &utf16)]);
    let report = world.run();
    assert!(report.warnings[0].1.to_string().contains("UTF-16LE; it is stored as UTF-8"), "{:?}", report.warnings);
    let id = DocumentId::new("a.txt").unwrap();
    let info = world.store.document(&id).unwrap().unwrap();
    assert_eq!(info.media_type, "text/plain;transcoded-from=utf-16le");
    let source = world.store.source(&id).unwrap();
    let snapshot = world.store.snapshot().unwrap();
    let span = &snapshot.facts()[0].evidence[0].span;
    let range = usize::try_from(span.start).unwrap()..usize::try_from(span.end).unwrap();
    assert_eq!(std::str::from_utf8(&source[range]).unwrap(), "弗里多尼亚的首都是马克斯维尔。");
    assert_eq!(world.run().unchanged.len(), 1);
}

#[test]
fn uploads() {
    let world = World::new(&[]);
    let pipeline =
        Pipeline::new(&world.store, &world.schema, PipelineOptions { max_file_bytes: 100, ..world.options() }).unwrap();
    let first = pipeline.ingest_bytes("up/a.csv", "text/csv; charset=utf-8", CSV.to_vec()).unwrap();
    assert_eq!((first.outcome, first.facts), (Outcome::Added, 2));
    assert_eq!(pipeline.ingest_bytes("up/a.csv", "text/csv", CSV.to_vec()).unwrap().outcome, Outcome::Unchanged);
    for (id, media_type, bytes, expected) in [
        ("x", "application/zip", b"x".to_vec(), "media type application/zip is not read"),
        ("x", "text/plain", vec![b'a'; 101], "has 101 bytes, more than the limit of 100"),
        ("x", "text/plain", Vec::new(), "x: is empty"),
        ("", "text/plain", b"x".to_vec(), "cannot be a document id"),
        ("x", "text/turtle", b"x".to_vec(), "x:1:"),
    ] {
        match pipeline.ingest_bytes(id, media_type, bytes) {
            Err(IngestError::Refused(fault)) => assert!(fault.to_string().contains(expected), "{fault}"),
            other => panic!("{id} {media_type}: {other:?}"),
        }
    }
    assert_eq!(world.store.documents().unwrap().len(), 1);
}

#[test]
fn uploads_are_read_together_whatever_their_order() {
    let world = World::new(&[("a.csv", CSV)]);
    let upload = |id: &str, media_type: Option<&str>, bytes: &[u8]| {
        let path = world.folder.path().join(format!("arrived-{id}-{}", bytes.len()));
        fs::write(&path, bytes).unwrap();
        Upload { id: id.to_owned(), media_type: media_type.map(str::to_owned), path }
    };
    world.run();
    let pipeline = Pipeline::new(&world.store, &world.schema, world.options()).unwrap();
    let uploads = [
        // The name's ending outweighs a type that says nothing; the prose needs the table that comes behind it.
        upload("notes.md", Some("application/octet-stream"), b"free lands of the north covers 700 km\xc2\xb2.\n"),
        upload("names", Some("text/csv; charset=utf-8"), b"Country,Area\nfree lands of the north,500\n"),
        upload("x.zip", Some("application/zip"), b"PK"),
        upload("x", None, b"x"),
        upload("broken.ttl", None, b"x"),
        upload("", Some("text/plain"), b"x"),
        upload("names", Some("text/csv"), b"Country,Area\nOther,1\n"),
        upload("empty.txt", None, b" "),
    ];
    let mut seen = Vec::new();
    let report = pipeline.ingest_uploads(&uploads, &mut |step| seen.push(step)).unwrap();
    assert_eq!(report.added, ["names", "notes.md"], "{report:?}");
    let faults: Vec<String> = report.failures().iter().map(ToString::to_string).collect();
    for expected in [
        "x.zip: the media type",
        "x: the media type",
        "broken.ttl:1:",
        ": its name",
        "names: was sent twice",
        "empty.txt: is empty",
    ] {
        assert!(faults.iter().any(|fault| fault.starts_with(expected)), "{expected}: {faults:?}");
    }
    assert_eq!(faults.len(), 6, "{faults:?}");
    assert_eq!(world.facts()["notes.md"].len(), 1, "{:?}", world.facts());

    // An upload takes the place of a folder's document, and the folder's next prune leaves it alone.
    let report =
        pipeline.ingest_uploads(&[upload("a.csv", None, b"Country,Area\nElsewhere,9\n")], &mut |_| {}).unwrap();
    assert_eq!(report.replaced, ["a.csv"]);
    drop(pipeline);
    fs::remove_file(world.corpus().join("a.csv")).unwrap();
    assert!(world.run_with(PipelineOptions { prune: true, ..world.options() }).pruned.is_empty());
}

#[test]
fn wrong_options_are_told() {
    let newer = b"format = 2\nwhat_is_new = 1\n";
    let world = World::new(&[("map.toml", b"nonsense"), ("newer.toml", newer), ("file", b"x")]);
    let mapping = |name: &str| PipelineOptions { mapping: Some(world.corpus().join(name)), ..world.options() };
    for (options, expected) in [
        (mapping("map.toml"), "map.toml: line 1"),
        (mapping("newer.toml"), "newer.toml: has format version 2, this program knows versions up to 1; use a newer"),
        (mapping("missing.toml"), "missing.toml: No such file"),
        (PipelineOptions::new(world.corpus().join("file").join("jobs")), "the job folder cannot be opened"),
    ] {
        let error = Pipeline::new(&world.store, &world.schema, options)
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default();
        assert!(error.contains(expected), "{error}");
    }
    assert!(Path::new(&world.corpus()).exists());
}
