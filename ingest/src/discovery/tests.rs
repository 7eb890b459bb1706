//! What is found, and that it is found no more once the schema has it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use super::*;
use crate::{Pipeline, PipelineOptions};
use factmask_graph::TenantId;
use factmask_schema::{Range as Objects, Schema, ValueKind};

const SCHEMA: &str = r#"@prefix fm: <urn:factmask:schema#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix e: <http://example.com/> .
e:Company a rdfs:Class ; rdfs:label "company"@en , "公司"@zh .
e:City a rdfs:Class ; rdfs:label "city"@en .
e:seat a rdf:Property ; rdfs:label "seat"@en , "总部"@zh ; rdfs:domain e:Company ; rdfs:range e:City ;
    fm:statement "{s} is based in {o}."@en .
"#;

/// A store of documents (name, media type, text) under a schema.
fn stored(schema: &Schema, documents: &[(&str, &str, &str)]) -> Store {
    let store = Store::in_memory(&TenantId::new("t").unwrap()).unwrap();
    put(&store, schema, documents);
    store
}

fn put(store: &Store, schema: &Schema, documents: &[(&str, &str, &str)]) {
    store.put_schema(schema).unwrap();
    let jobs = tempfile::tempdir().unwrap();
    let pipeline = Pipeline::new(store, schema, PipelineOptions::new(jobs.path().join("jobs"))).unwrap();
    for (id, media_type, text) in documents {
        pipeline.ingest_bytes(id, media_type, text.as_bytes().to_vec()).unwrap();
    }
}

/// Kind, name, domain, range, count, subjects, and the first evidence.
fn shown(store: &Store, least: usize) -> Vec<String> {
    let local = |iri: Option<&Iri>| iri.map_or("?", |iri| factmask_schema::local_name(iri.as_str())).to_owned();
    discover(store, &store.snapshot().unwrap(), least)
        .unwrap()
        .into_iter()
        .map(|found| {
            let place = &found.evidence[0];
            let source = store.source(&place.document).unwrap();
            let span = usize::try_from(place.span.start).unwrap()..usize::try_from(place.span.end).unwrap();
            let said = String::from_utf8(source[span].to_vec()).unwrap();
            let what = match &found.term {
                Term::Class(class) => format!("class {}", class.labels[0].text),
                Term::Relation(relation) => {
                    let range = match &relation.range {
                        Objects::Entity(class) => local(class.as_ref()),
                        Objects::Value(value) => format!("{:?}", value.kind),
                    };
                    format!("{} -> {} -> {range}", local(relation.domain.as_ref()), relation.labels[0].text)
                }
            };
            format!("{:?} {what} {}/{} [{said}]", found.source, found.count, found.subjects)
        })
        .collect()
}

#[test]
fn each_kind_of_document_tells_what_it_has_no_word_for() {
    let schema = Schema::parse(SCHEMA, "s").unwrap();
    type Row<'a> = (&'a str, &'a str, &'a [&'a str]);
    let table: &[Row<'_>] = &[
        // A column that nothing reads; what is read is not told.
        (
            "text/csv",
            "Company,Seat,Staff\nAcme,Arford,120\nBolt,Brigg,80\nCog,Arford,7\n",
            &["Column Company -> staff -> Number 3/3 [120]"],
        ),
        // Its objects are known things.
        (
            "text/csv",
            "Company,Seat,Branch\nAcme,Arford,Brigg\nBolt,Brigg,Arford\n",
            &["Column Company -> branch -> City 2/2 [Brigg]"],
        ),
        // A table of which the schema knows nothing gives a class as well.
        (
            "text/csv",
            "Ship,Harbour\nSwift,Arford\nTern,Brigg\n",
            &["Column class ship 2/2 [Swift]", "Column ? -> harbour -> Text 2/2 [Arford]"],
        ),
        (
            "text/markdown",
            "Text.\n\n| Company | Seat | Staff |\n|---|---|---|\n| Acme | Arford | 120 |\n",
            &["Column Company -> staff -> Number 1/1 [120]"],
        ),
        (
            "application/json",
            r#"[{"company": "Acme", "seat": "Arford", "motto": "Ever on"}, {"company": "Bolt", "motto": "Up"}]"#,
            &["Column Company -> motto -> Text 2/2 [Ever on]"],
        ),
        (
            "text/turtle",
            "@prefix e: <http://example.com/> . e:acme a e:Company ; e:rival e:bolt . e:bolt a e:Company ; e:rival e:acme . e:x a e:Ship ; e:rival e:acme .",
            &["Facts ? -> rival -> Company 3/3", "Facts class ship 1/1"],
        ),
        (
            "text/turtle",
            "@prefix e: <http://example.com/> . e:acme a e:Company ; e:seat e:arford . e:arford a e:City .",
            &[],
        ),
    ];
    for (media_type, text, expected) in table {
        let store = stored(&schema, &[("d", media_type, text)]);
        let found = shown(&store, 2);
        assert_eq!(found.len(), expected.len(), "{text}\n{found:#?}");
        for start in *expected {
            assert!(found.iter().any(|line| line.starts_with(start)), "{start}\n{found:#?}");
        }
    }
}

const NAMES: &str =
    "Company,Seat\nAcme,Arford\nBolt,Brigg\nCog,Arford\nDell Works,Brigg\n甲公司,Arford\n乙公司,Brigg\n丙公司,Arford\n";

#[test]
fn words_between_names_are_counted_by_their_verbs() {
    let schema = Schema::parse(SCHEMA, "s").unwrap();
    type Row<'a> = (&'a str, &'a [&'a str]);
    let table: &[Row<'_>] = &[
        (
            "Acme acquired Bolt. Bolt later acquires Cog. Nothing else.",
            &["Phrase Company -> acquired -> Company 2/2 [Acme acquired Bolt.]"],
        ),
        // The same pair twice is one witness; what is denied, doubted or asked is none.
        (
            "Acme acquired Bolt. Acme acquired Bolt in 2020. Bolt never acquired Cog. Did Cog acquire Bolt? Cog may acquire Acme.",
            &[],
        ),
        (
            "Acme was founded by Jane Roe. Bolt was founded by John Doe.",
            &["Phrase Company -> was founded by -> ? 2/2 [Acme was founded by Jane Roe.]"],
        ),
        (
            "The mascot of Acme is Leo Lion. Bolt's mascot is Tom Cat.",
            &["Phrase Company -> mascot -> ? 2/2 [The mascot of Acme is Leo Lion.]"],
        ),
        (
            "Acme has a yearly turnover of 5 million. Bolt has a yearly turnover of 6 million.",
            &["Phrase Company -> yearly turnover -> Number 2/2 [Acme has a yearly turnover of 5 million.]"],
        ),
        // A word that the schema has is nothing new, whether the sentence was read or not.
        ("The seat of Acme is Brigg. The seat of Bolt is Arford.", &[]),
        ("Acme is based in Arford. Bolt is based in Brigg.", &[]),
        // Names beside each other say nothing.
        ("Acme and Bolt met. Cog of Arford met Bolt of Brigg. Acme is Bolt. Cog is Acme.", &[]),
        ("甲公司收购了乙公司。乙公司收购丙公司。", &["Phrase Company -> 收购 -> Company 2/2 [甲公司收购了乙公司。]"]),
        (
            "甲公司的对手是乙公司。乙公司的对手是丙公司。",
            &["Phrase Company -> 对手 -> Company 2/2 [甲公司的对手是乙公司。]"],
        ),
        ("甲公司和乙公司开会。乙公司和丙公司开会。甲公司没有收购乙公司。乙公司没有收购丙公司。", &[]),
    ];
    for (text, expected) in table {
        let store = stored(&schema, &[("names.csv", "text/csv", NAMES), ("d.txt", "text/plain", text)]);
        assert_eq!(shown(&store, 2), *expected, "{text}");
    }
}

#[test]
fn what_is_accepted_is_read_and_found_no_more() {
    let mut schema = Schema::parse(SCHEMA, "s").unwrap();
    let documents = [
        ("names.csv", "text/csv", NAMES),
        (
            "a.txt",
            "text/plain",
            "Acme acquired Bolt. Bolt acquired Cog. Cog was founded by Jane Roe. Acme was founded by John Doe.",
        ),
        ("zh.txt", "text/plain", "甲公司收购了乙公司。乙公司收购丙公司。甲公司的对手是乙公司。乙公司的对手是丙公司。"),
        ("staff.csv", "text/csv", "Company,Seat,Head count\nAcme,Arford,120\nBolt,Brigg,80\n"),
        (
            "r.ttl",
            "text/turtle",
            "@prefix e: <http://example.com/> . e:acme a e:Company ; e:rival e:bolt . e:bolt a e:Company ; e:rival e:acme .",
        ),
    ];
    let store = stored(&schema, &documents);
    let before = store.snapshot().unwrap().facts().len();
    let found = discover(&store, &store.snapshot().unwrap(), 2).unwrap();
    assert_eq!(found.len(), 6, "{found:#?}");
    let again = discover(&store, &store.snapshot().unwrap(), 2).unwrap();
    assert_eq!(found, again, "the same epoch gives the same");
    for discovery in &found {
        match &discovery.term {
            Term::Class(class) => drop(schema.classes.insert(class.iri.clone(), class.clone())),
            Term::Relation(relation) => drop(schema.relations.insert(relation.iri.clone(), relation.clone())),
        }
    }
    let checked = Schema::parse(&schema.to_turtle(), "with them").unwrap();
    let said = |name: &str| {
        let named = |relation: &&Relation| relation.labels.iter().any(|label| label.text == name);
        let relation = checked.relations.values().find(named).unwrap_or_else(|| panic!("{name}"));
        let texts =
            |wordings: &[factmask_schema::Wording]| wordings.iter().map(|one| one.source.clone()).collect::<Vec<_>>();
        (texts(&relation.statements), texts(&relation.questions))
    };
    for (name, statements, questions) in [
        ("acquired", &["{s} acquired {o}."][..], &[][..]),
        ("was founded by", &["{s} was founded by {o}."], &["What was {s} founded by?"]),
        ("收购", &["{s}收购了{o}。", "{s}收购{o}。"], &["{s}收购什么？"]),
    ] {
        let owned = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(said(name), (owned(statements), owned(questions)), "{name}");
    }

    put(&store, &checked, &documents);
    let snapshot = store.snapshot().unwrap();
    assert_eq!(discover(&store, &snapshot, 2).unwrap(), [], "{}", checked.to_turtle());
    // Two acquisitions, two founders, two in Chinese, two rivals, two head counts.
    assert_eq!(snapshot.facts().len(), before + 10, "{:#?}", snapshot.facts());
    let counted = checked.relations.values().find(|relation| relation.label("en") == "head count").unwrap();
    assert!(matches!(&counted.range, Objects::Value(value) if value.kind == ValueKind::Number));
}

#[test]
fn a_deleted_document_takes_its_part_along() {
    let schema = Schema::parse(SCHEMA, "s").unwrap();
    let store = stored(
        &schema,
        &[
            ("names.csv", "text/csv", NAMES),
            ("a.txt", "text/plain", "Acme acquired Bolt."),
            ("b.txt", "text/plain", "Bolt acquired Cog."),
        ],
    );
    assert_eq!(shown(&store, 2).len(), 1);
    assert_eq!(shown(&store, 3).len(), 0);
    store.delete(&DocumentId::new("b.txt").unwrap()).unwrap();
    assert_eq!(shown(&store, 2).len(), 0);
    assert_eq!(shown(&store, 1).len(), 1);
}
