//! Bad input on the command line: each gives one line that names the thing and the remedy, and the right exit code.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

#[path = "support/command.rs"]
mod command;

use command::Room;
use std::{fs, net::TcpListener};

/// Runs `factmask` with these arguments in a room of its own; the error must be one line with all these words.
fn refused(room: &Room, arguments: &[&str], words: &[&str]) {
    let out = room.run(arguments);
    let shown: Vec<String> = arguments.iter().map(|word| word.chars().take(40).collect()).collect();
    let error = String::from_utf8(out.stderr).unwrap();
    assert_eq!(out.status.code(), Some(1), "{shown:?}: {error}");
    assert_eq!(error.lines().count(), 1, "{shown:?}: {error}");
    assert!(error.starts_with("factmask: "), "{shown:?}: {error}");
    for word in words {
        assert!(error.contains(word), "{shown:?}: {error:?} lacks {word:?}");
    }
    assert!(out.stdout.is_empty(), "{shown:?}: an error prints no result");
}

#[test]
fn bad_input_is_refused_in_one_line() {
    let room = Room::new();
    let file = |name: &str, content: &[u8]| {
        let path = room.folder().join(name);
        fs::write(&path, content).unwrap();
        path.display().to_string()
    };
    let long = "why ".repeat(25_000);
    let cut = file("cut.gguf", b"GGUF\x03\0\0\0\x05\0\0\0");
    let empty_gguf = file("empty.gguf", b"");
    let plain_file = file("plain", b"x");
    let broken = file("broken.ttl", b"@prefix fm: <urn:factmask:schema#> .\nfm:x a fm:Nonsense .\n<unclosed");
    let latin = file("latin.ttl", b"# caf\xe9\n");
    let cases: &[(&[&str], &[&str])] = &[
        (&["ask", ""], &["question is empty"]),
        (&["ask", " \n\t "], &["question is empty"]),
        (&["ask", &long], &["100000 characters", "4000"]),
        (&["ask", "Who?"], &["smollm2-135m-instruct", "factmask model pull", "--no-model"]),
        (&["ask", "Who?", "--no-model"], &["tenant `default`", "factmask ingest"]),
        (&["ask", "Who?", "--no-model", "--tenant", "Not/One"], &["Not/One", "a-z"]),
        (&["ask", "Who?", "--model", "nowhere.gguf"], &["nowhere.gguf", "no such file"]),
        (&["ask", "Who?", "--model", "gpt-9"], &["`gpt-9`", "catalogue", "smollm2-135m-instruct"]),
        (&["ask", "Who?", "--model", "all-minilm-l6-v2"], &["all-minilm-l6-v2", "a sentence encoder"]),
        (&["ask", "Who?", "--config", "nowhere.toml"], &["nowhere.toml", "--config"]),
        (&["serve"], &["factmask model pull"]),
        (&["serve", "--no-model", "--host", "no such host"], &["no such host", "--host"]),
        (&["model", "pull", "gpt-9"], &["`gpt-9`", "not in the catalogue"]),
        (&["model", "path", "smollm2-135m-instruct"], &["not on this machine", "factmask model pull"]),
        (&["ingest", "nowhere"], &["nowhere", "no such file or folder"]),
        (&["ingest", ".", "--schema", "nowhere.ttl"], &["nowhere.ttl", "--schema"]),
        (&["ingest", ".", "--schema", &broken], &["broken.ttl:"]),
        (&["ingest", ".", "--schema", &latin], &["latin.ttl:1", "UTF-8"]),
        (&["ingest", ".", "--schema", "."], &["not a file"]),
        (&["ingest", ".", "--data", &plain_file], &["plain"]),
        (&["schema", "suggest", "nowhere"], &["nowhere", "no such file or folder"]),
        (&["schema", "suggest", &plain_file], &["no facts", "CSV or TSV"]),
        (&["documents", "list"], &["tenant `default`", "factmask ingest"]),
        (&["export"], &["tenant `default`", "factmask ingest"]),
    ];
    for (arguments, words) in cases {
        refused(&room, arguments, words);
    }
    // These need the store, so that the model is what is looked at next.
    let room = room.with_documents();
    for (path, name) in [(&cut, "cut.gguf"), (&empty_gguf, "empty.gguf"), (&plain_file, "plain")] {
        // An encoder by path is opened after the model, so the model's fault is the one that is told.
        fs::write(room.folder().join("factmask.toml"), "encoder = './encoder'").unwrap();
        refused(&room, &["ask", "Who?", "--model", path], &[name]);
        fs::remove_file(room.folder().join("factmask.toml")).unwrap();
    }
    refused(&room, &["documents", "delete", "nowhere.md"], &["nowhere.md", "not in the store"]);
    let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    refused(&room, &["serve", "--no-model", "--port", &port], &[&port, "in use", "--port"]);
}

#[test]
fn what_a_newer_program_wrote_is_refused_in_one_line() {
    let room = Room::new().with_documents();
    let tenant = room.folder().join(".local/share/factmask/tenants/default");
    let models = room.folder().join(".cache/factmask/models");
    fs::create_dir_all(&models).unwrap();
    fs::write(room.folder().join("newer.toml"), "format = 2\n").unwrap();
    for (folder, kind, arguments) in [
        (&tenant, "factmask-store", &["ingest", "docs"][..]),
        (&tenant, "factmask-store", &["export"]),
        (&tenant, "factmask-store", &["ask", "Who?", "--no-model"]),
        (&tenant.join("jobs"), "factmask-jobs", &["ingest", "docs"]),
        (&models, "factmask-models", &["model", "list"]),
        (&models, "factmask-models", &["model", "path", "smollm2-135m-instruct"]),
        (&models, "factmask-models", &["model", "pull"]),
    ] {
        let file = folder.join("FORMAT");
        let written = fs::read(&file).ok();
        fs::write(&file, format!("{kind} 7\n")).unwrap();
        let path = folder.display().to_string();
        refused(
            &room,
            arguments,
            &[&path, "has format version 7", "knows versions up to 1", "use a newer factmask, or "],
        );
        match written {
            Some(bytes) => fs::write(&file, bytes).unwrap(),
            None => fs::remove_file(&file).unwrap(),
        }
    }
    refused(
        &room,
        &["ingest", "docs", "--mapping", "newer.toml"],
        &["newer.toml", "format version 2", "versions up to 1"],
    );
    let export = room.succeed(&["export"]);
    assert_eq!(export.lines().next(), Some(r#"{"export":"factmask","format":1}"#));
}

#[test]
fn a_schema_with_faults_tells_each_with_its_line() {
    let room = Room::new();
    let text = "@prefix fm: <urn:factmask:schema#> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n\
                @prefix e: <http://example.com/> .\ne:A a rdfs:Class ; rdfs:subClassOf e:B .\n\
                e:B a rdfs:Class ; rdfs:subClassOf e:A .\n";
    let path = room.folder().join("cycle.ttl");
    fs::write(&path, text).unwrap();
    let out = room.run(&["schema", "check", path.to_str().unwrap()]);
    let error = String::from_utf8(out.stderr).unwrap();
    assert_eq!(out.status.code(), Some(1), "{error}");
    assert!(error.lines().count() >= 2, "each fault, then the failure: {error}");
    assert!(error.contains("cycle.ttl:4") || error.contains("cycle.ttl:5"), "{error}");
    assert!(error.lines().last().unwrap().starts_with("factmask: schema "), "{error}");
}

#[test]
fn settings_come_from_file_environment_and_flags() {
    let room = Room::new();
    let cases = [
        ("prot = 1", None, "prot"),
        ("", Some(("FACTMASK_PORT", "many")), "FACTMASK_PORT"),
        ("", Some(("FACTMASK_QUEUE", "0")), "queue"),
    ];
    for (file, environment, key) in cases {
        fs::write(room.folder().join("factmask.toml"), file).unwrap();
        let out = room.command(&["model", "list"]).envs(environment).output().unwrap();
        let error = String::from_utf8(out.stderr).unwrap();
        assert_eq!(out.status.code(), Some(1), "{error}");
        assert!(error.starts_with("factmask: configuration: ") && error.contains(key), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

#[test]
fn the_environment_outweighs_the_file() {
    let room = Room::new();
    fs::write(room.folder().join("factmask.toml"), "tenant = 'from-file'").unwrap();
    // A number is a tenant's name too; what other tools call FACTMASK_ is no setting.
    for (environment, tenant) in
        [(&[][..], "from-file"), (&[("FACTMASK_TENANT", "42"), ("FACTMASK_RUN_OF_ANOTHER_TOOL", "1")][..], "42")]
    {
        let out = room.command(&["documents", "list"]).envs(environment.iter().copied()).output().unwrap();
        let error = String::from_utf8(out.stderr).unwrap();
        assert!(error.contains(&format!("tenant `{tenant}`")), "{error}");
    }
    let out = room.command(&["documents", "list", "--tenant", "flag"]).env("FACTMASK_TENANT", "42").output().unwrap();
    assert!(String::from_utf8(out.stderr).unwrap().contains("tenant `flag`"));
}

#[test]
fn a_command_line_that_cannot_be_read_is_a_usage_error() {
    let room = Room::new();
    let cases: &[&[&str]] = &[
        &[],
        &["frobnicate"],
        &["ask", "a", "b"],
        &["serve", "--port", "70000"],
        &["ingest"],
        &["ask", "a", "--model", "m", "--no-model"],
    ];
    for arguments in cases {
        assert_eq!(room.run(arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn help_and_the_catalogue_are_printed() {
    let room = Room::new();
    for (arguments, words) in [
        (&["--help"][..], &["Examples:", "demo", "ingest", "ask", "serve", "model", "bench"][..]),
        (&["model", "list"], &["smollm2-135m-instruct", "not pulled", "community repack", "Apache-2.0"]),
        (&["ask", "--help"], &["--explain", "--json", "--no-model"]),
        (
            &["bench", "--help"],
            &["mask", "relations", "speed", "cards", "--threads", "--questions", "--stream", "--json"],
        ),
    ] {
        let out = room.run(arguments);
        let text = String::from_utf8(out.stdout).unwrap();
        assert!(out.status.success(), "{arguments:?}");
        for word in words {
            assert!(text.contains(word), "{arguments:?}: {text:?} lacks {word:?}");
        }
    }
}

#[test]
fn a_schema_is_proposed_and_facts_come_under_it() {
    let room = Room::new();
    let facts: String = (0..12).map(|number| format!("Ship {number}\tpainted_by\tPainter {}\n", number % 5)).collect();
    fs::write(room.folder().join("facts.tsv"), facts).unwrap();
    let proposed = room.succeed(&["schema", "suggest", "facts.tsv"]);
    assert!(
        proposed.contains("# 12 facts, 12 subjects, 5 objects; 100.0 % of the subjects have one object"),
        "{proposed}"
    );
    assert!(proposed.contains("\"Who painted {s}?\"@en"), "{proposed}");
    let told = room.succeed(&["schema", "suggest", "facts.tsv", "-o", "proposed.ttl"]);
    assert!(told.contains("--schema proposed.ttl"), "{told}");
    assert_eq!(fs::read_to_string(room.folder().join("proposed.ttl")).unwrap(), proposed);
    // It may have been corrected since.
    refused(&room, &["schema", "suggest", "facts.tsv", "-o", "proposed.ttl"], &["proposed.ttl", "cannot be written"]);
    assert!(room.succeed(&["schema", "check", "proposed.ttl"]).contains("1 relations"));
    let out = room.run(&["ingest", "facts.tsv", "--schema", "proposed.ttl"]);
    assert!(out.status.success() && !String::from_utf8_lossy(&out.stderr).contains("warning"), "{out:?}");
    let answer = room.succeed(&["ask", "Who painted Ship 3?", "--no-model"]);
    assert!(answer.contains("Painter 3"), "{answer}");
}

/// Colours are for a terminal; in a file they are noise.
#[test]
fn a_log_that_is_no_terminal_has_no_colours() {
    let room = Room::new().with_documents();
    let out = room.command(&["ingest", "docs"]).env("RUST_LOG", "trace").output().unwrap();
    let log = String::from_utf8(out.stderr).unwrap();
    assert!(log.contains("TRACE") || log.contains("DEBUG"), "there is a log: {log}");
    assert!(!log.contains('\u{1b}'), "{log}");
}

/// A relation that no wording says is learned from questions whose answers are known, kept, used, and forgotten.
#[test]
fn paths_are_learned_from_examples_and_forgotten() {
    let room = Room::new();
    let facts = |number: usize| {
        let painter = number % 7;
        format!("Ship {number}\tx17\tPainter {painter}\nShip {number}\tx23\tHarbour {}\n", number % 5)
    };
    fs::write(room.folder().join("facts.tsv"), (0..30).map(facts).collect::<String>()).unwrap();
    let example = |number: usize| {
        let (who, place) = (number % 7, number % 5);
        let line =
            |question: String, answer: String| format!("{{\"question\":\"{question}\",\"answers\":[\"{answer}\"]}}\n");
        line(format!("Who put colours on Ship {number}?"), format!("Painter {who}"))
            + &line(format!("Where does Ship {number} lie?"), format!("Harbour {place}"))
    };
    fs::write(room.folder().join("examples.jsonl"), (0..20).map(example).collect::<String>()).unwrap();
    room.succeed(&["ingest", "facts.tsv"]);
    let ask = || room.succeed(&["ask", "Who put colours on Ship 25?", "--no-model"]);
    assert!(ask().contains("not in the knowledge base"), "{}", ask());
    let align =
        |more: &[&str]| room.succeed(&[&["align", "--no-model", "--examples", "examples.jsonl"], more].concat());
    let tried = align(&["--dry-run"]);
    assert!(tried.contains("40 examples") && tried.contains("nothing kept"), "{tried}");
    assert!(ask().contains("not in the knowledge base"));
    let learned = align(&[]);
    assert!(learned.contains("40 (100.0%) get their answers"), "{learned}");
    let answer = ask();
    assert!(answer.contains("Painter 4") && answer.contains("facts.tsv"), "{answer}");
    // No example says what "not" does to a question.
    let turned = room.succeed(&["ask", "Who did not put colours on Ship 25?", "--no-model"]);
    assert!(turned.contains("not in the knowledge base"), "{turned}");
    // Nor what these ask for; and one example says nothing of the rest.
    for other in ["When was Ship 25 launched?", "Who insures Ship 25?", "Who is the cousin of Ship 25?"] {
        let answer = room.succeed(&["ask", other, "--no-model"]);
        assert!(answer.contains("not in the knowledge base"), "{other}: {answer}");
    }
    fs::write(room.folder().join("one.jsonl"), example(3)).unwrap();
    let out = room.run(&["align", "--no-model", "--examples", "one.jsonl"]);
    let told = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(!out.status.success() && told.contains("nothing is kept"), "{told}");
    assert!(ask().contains("Painter 4"), "what was learned before stays");
    assert!(room.succeed(&["align", "--forget"]).contains("forgotten"));
    assert!(room.succeed(&["align", "--forget"]).contains("nothing was learned"));
    assert!(ask().contains("not in the knowledge base"));
    fs::write(room.folder().join("bad.jsonl"), "{\"question\":\"Who?\",\"answers\":[]}\n{\"question\":\"Who?\"}\n")
        .unwrap();
    refused(&room, &["align", "--no-model", "--examples", "bad.jsonl"], &["bad.jsonl:2", "answers"]);
    refused(&room, &["align", "--no-model", "--examples", "none.jsonl"], &["none.jsonl", "cannot be read"]);
    fs::write(room.folder().join("empty.jsonl"), "\n").unwrap();
    refused(&room, &["align", "--no-model", "--examples", "empty.jsonl"], &["empty.jsonl", "no examples"]);
}

#[test]
fn a_schema_is_published_with_its_facts_and_restored() {
    let room = Room::new().with_documents();
    let (capital, seat) = ("http://example.com/capital", "http://example.com/seat");
    let turtle = room.succeed(&["schema", "show"]);
    let renamed = turtle.replace(":capital", ":seat");
    assert_ne!(renamed, turtle);
    fs::write(room.folder().join("new.ttl"), &renamed).unwrap();
    let publish = ["schema", "publish", "new.ttl", "--rename", "relation", capital, seat, "--author", "Ann"];
    let foreseen = room.succeed(&[&publish[..], &["--dry-run"]].concat());
    assert!(foreseen.contains("1 pieces of evidence") && foreseen.contains("Nothing was done"), "{foreseen}");
    assert_eq!(room.succeed(&["schema", "show"]), turtle);
    let done = room.succeed(&publish);
    assert_eq!(done.lines().next(), foreseen.lines().next());
    assert!(room.succeed(&["export"]).contains(seat) && room.succeed(&["schema", "show"]) == renamed);
    let versions = room.succeed(&["schema", "versions"]);
    assert!(
        versions.contains("\tAnn\t") && versions.contains("is called <http://example.com/seat> now."),
        "{versions}"
    );
    assert_eq!(room.succeed(&["schema", "show", "--version", "1"]), turtle);
    room.succeed(&["schema", "restore", "1", "--reason", "no"]);
    assert_eq!(room.succeed(&["schema", "show"]), turtle);
    assert!(!room.succeed(&["export"]).contains(seat));
    let split = format!("{turtle}\n<http://example.com/Seat> a <http://www.w3.org/2000/01/rdf-schema#Class> .\n");
    fs::write(room.folder().join("split.ttl"), split).unwrap();
    let part = ["--split", "class", "http://example.com/City", "http://example.com/Seat"];
    let publish = [&["schema", "publish", "split.ttl"], &part[..], &["one of http://example.com/marxville"]].concat();
    let foreseen = room.succeed(&[&publish[..], &["--dry-run"]].concat());
    assert!(
        foreseen.starts_with("Of the class “city”, <http://example.com/marxville> become “seat”.")
            && foreseen.contains("1 descriptions of entities are moved"),
        "{foreseen}"
    );
    assert_eq!(room.succeed(&publish).lines().next(), foreseen.lines().next());
    let seats = |room: &Room| room.succeed(&["export"]).matches("http://example.com/Seat").count();
    assert!(seats(&room) > 0 && room.succeed(&["schema", "versions"]).contains("marxville> become"));
    room.succeed(&["schema", "restore", "1"]);
    assert_eq!(seats(&room), 0);
    for wrong in [
        [&["schema", "publish", "split.ttl"], &part[..], &["subject http://example.com/City"]].concat(),
        [&["schema", "publish", "split.ttl"], &part[..], &["near http://example.com/City"]].concat(),
        [&["schema", "publish", "split.ttl"], &part[..], &["has http://example.com/nothing"]].concat(),
        vec!["schema", "restore", "9"],
        vec!["schema", "publish", "new.ttl", "--rename", "relation", seat, capital],
        vec!["schema", "publish", "new.ttl", "--rename", "thing", capital, seat],
        vec!["schema", "publish", "absent.ttl"],
    ] {
        let out = room.run(&wrong);
        assert_eq!(out.status.code(), Some(1), "{wrong:?}");
        assert_eq!(String::from_utf8_lossy(&out.stderr).trim().lines().count(), 1, "{wrong:?}");
    }
}

#[test]
fn facts_and_files_are_checked_against_rules() {
    let room = Room::new().with_documents();
    let write = |name: &str, text: String| fs::write(room.folder().join(name), text).unwrap();
    let prefixes = "@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix e: <http://example.com/> .\n";
    let turtle = room.succeed(&["schema", "show"]);
    write(
        "rules.ttl",
        format!("{turtle}{prefixes}e:Country a sh:NodeShape ; sh:property [ sh:path e:capital ; sh:minCount 2 ] .\n"),
    );
    assert!(room.succeed(&["schema", "validate"]).contains("0 rules: 0 violations"));

    // By a schema that is not published yet, and by it when it is.
    let foreseen = room.run(&["schema", "validate", "--schema", "rules.ttl"]);
    room.succeed(&["schema", "publish", "rules.ttl"]);
    let found = room.run(&["schema", "validate", "--json", "report.json"]);
    assert_eq!((foreseen.status.code(), &foreseen.stdout), (Some(1), &found.stdout));
    let text = String::from_utf8(found.stdout).unwrap();
    assert_eq!(
        text,
        "Freedonia <http://example.com/freedonia>: <http://example.com/capital>: “capital” must have at least 2 values. (violation, rule of “country”)\n"
    );
    assert_eq!(String::from_utf8(found.stderr).unwrap().trim(), "factmask: 1 rules: 1 violations, 0 warnings, 0 infos");
    let report: serde_json::Value =
        serde_json::from_slice(&fs::read(room.folder().join("report.json")).unwrap()).unwrap();
    assert_eq!((&report["conforms"], &report["results"][0]["constraint"]), (&false.into(), &"min_count".into()));

    // Documents are not read by rules.
    room.succeed(&["ingest", "docs", "--report", "ingested.json"]);
    let ingested = fs::read_to_string(room.folder().join("ingested.json")).unwrap();
    assert!(
        ingested.contains("\"status\": \"unchanged\"") && !ingested.contains("\"status\": \"ingested\""),
        "{ingested}"
    );

    // Files in any syntax, by shapes of others; what no rule says is told.
    write(
        "shapes.ttl",
        format!(
            "{prefixes}e:S a sh:NodeShape ; sh:targetClass e:Country ; sh:property [ sh:path e:capital ; sh:nodeKind sh:IRI ; sh:severity sh:Warning ] , [ sh:path e:capital ; sh:node e:T ] ."
        ),
    );
    write(
        "data.nt",
        "<http://example.com/a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://example.com/Country> .\n"
            .to_owned(),
    );
    write("schema.csv", "a,b\n".to_owned());
    write("more.jsonld", r#"{"@id": "http://example.com/a", "http://example.com/capital": "A town"}"#.to_owned());
    let out = room.run(&["schema", "validate", "data.nt", "more.jsonld", "--schema", "shapes.ttl"]);
    let (text, notes) = (String::from_utf8(out.stdout).unwrap(), String::from_utf8(out.stderr).unwrap());
    assert!(
        text.contains("must be an IRI. It has \"A town\". (warning")
            && text.contains("1 rules: 0 violations, 1 warnings"),
        "{text}"
    );
    assert!(out.status.success() && notes.contains("sh:node"), "a warning is no violation: {notes}");
    for wrong in
        [vec!["rules.txt"], vec!["absent.ttl"], vec!["rules.ttl", "--schema", "absent.ttl"], vec!["schema.csv"]]
    {
        let out = room.run(&[&["schema", "validate"], &wrong[..]].concat());
        assert_eq!(out.status.code(), Some(1), "{wrong:?}");
        assert_eq!(String::from_utf8_lossy(&out.stderr).trim().lines().count(), 1, "{wrong:?}");
    }
    let shapes = room.succeed(&["schema", "show", "--shacl"]);
    assert!(
        shapes.contains("sh:minCount 2")
            && shapes.contains("sh:targetSubjectsOf :capital")
            && shapes.contains("sh:maxCount 1"),
        "{shapes}"
    );
    assert!(factmask_schema::Schema::import(&shapes, "shapes").is_ok());
}

#[test]
fn a_dry_run_changes_nothing_and_people_decide_who_is_who() {
    let room = Room::new().with_documents();
    let table = room.folder().join("lands.csv");
    fs::write(&table, "Country,Capital\nFreedonia,Marxville\nSylvania,Grouchoville\n").unwrap();
    let table = table.to_str().unwrap();
    let before = room.succeed(&["export"]);
    let would = room.succeed(&["ingest", "--dry-run", table]);
    assert!(
        would.contains("would add 1 documents") && would.contains("+ Sylvania | capital | Grouchoville"),
        "{would}"
    );
    assert!(would.contains("1 facts added, 0 removed"), "what another document states is nothing new: {would}");
    assert_eq!(room.succeed(&["export"]), before);

    room.succeed(&["ingest", table]);
    let pairs: serde_json::Value =
        serde_json::from_str(&room.succeed(&["identity", "list", "--state", "merged", "--json"])).unwrap();
    assert_eq!(pairs["total"], 2, "{pairs}");
    let pair = &pairs["pairs"][0];
    let (one, other) = (pair["one"]["iri"].as_str().unwrap(), pair["other"]["iri"].as_str().unwrap());
    let told = room.succeed(&["identity", "different", other, one, "--author", "ann", "--reason", "two of them"]);
    assert!(told.starts_with("apart by hand (0.00)") && told.contains("ann: two of them"), "{told}");
    assert!(room.succeed(&["identity"]).contains("apart by hand"));
    let told = room.succeed(&["identity", "undecided", one, other]);
    assert!(told.starts_with("merged by rule"), "{told}");
    let out = room.run(&["identity", "same", one, "urn:nobody"]);
    assert!(!out.status.success() && String::from_utf8_lossy(&out.stderr).contains("urn:nobody"));
}
