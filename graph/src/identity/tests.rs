#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use crate::{
    ContentHash, Decision, Document, DocumentId, Entity, Locator, NewFact, PairState, Statement, Store, TenantId,
    Value, Verdict, mint,
};
use factmask_schema::{Iri, Schema, Text};

const SCHEMA: &str = r#"
@prefix e: <urn:t:> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
e:Person a rdfs:Class ; rdfs:label "person"@en .
e:Firm a rdfs:Class ; rdfs:label "firm"@en .
e:Place a rdfs:Class ; rdfs:label "place"@en .
e:City a rdfs:Class ; rdfs:subClassOf e:Place ; rdfs:label "city"@en .
e:employer a rdf:Property, owl:FunctionalProperty ; rdfs:label "employer"@en ; rdfs:domain e:Person ; rdfs:range e:Firm .
e:born a rdf:Property, owl:FunctionalProperty ; rdfs:label "date of birth"@en ; rdfs:domain e:Person ; rdfs:range xsd:date .
e:seat a rdf:Property, owl:FunctionalProperty ; rdfs:label "seat"@en ; rdfs:domain e:Firm ; rdfs:range e:Place .
e:chief a rdf:Property, owl:FunctionalProperty ; rdfs:label "chief"@en ; rdfs:domain e:Firm ; rdfs:range e:Person .
e:prize a rdf:Property ; rdfs:label "prize"@en ; rdfs:domain e:Person ; rdfs:range xsd:string .
"#;

/// A store of documents, each a list of "class: name | relation | class: name or value"; a name that begins with `<` is an IRI.
fn store(documents: &[(&str, &[&str])]) -> Store {
    let store = Store::in_memory(&TenantId::new("t").unwrap()).unwrap();
    store.put_schema(&Schema::parse(SCHEMA, "t").unwrap()).unwrap();
    for (id, lines) in documents {
        store.put(&document(id, lines)).unwrap();
    }
    store
}

fn document(id: &str, lines: &[&str]) -> Document {
    let (mut entities, mut facts): (Vec<Entity>, _) = (Vec::new(), Vec::new());
    let mut thing = |text: &str| -> Iri {
        let (class, name) = text.split_once(": ").unwrap();
        let class = Iri::new(format!("urn:t:{class}")).unwrap();
        let (iri, name) = match name.strip_prefix('<').and_then(|name| name.split_once("> ")) {
            Some((iri, name)) => (Iri::new(iri).unwrap(), name),
            None => (mint(&class, name), name),
        };
        let labels = name.split(" = ").map(|name| Text::new("", name)).collect();
        entities.push(Entity { iri: iri.clone(), classes: vec![class], labels, aliases: vec![] });
        iri
    };
    for (row, line) in lines.iter().enumerate() {
        let parts: Vec<&str> = line.split(" | ").collect();
        let subject = thing(parts[0]);
        for pair in parts[1..].chunks(2) {
            let object = match pair[1].contains(": ") {
                true => Value::Entity(thing(pair[1])),
                false => crate::Date::from_xsd(pair[1]).map_or_else(|| Value::text(pair[1]), Value::Date),
            };
            let relation = Iri::new(format!("urn:t:{}", pair[0])).unwrap();
            facts.push(NewFact {
                statement: Statement::new(subject.clone(), relation, object, vec![]),
                span: 0..1,
                locator: Some(Locator::Row(row as u32 + 2)),
                extractor: "csv".to_owned(),
                confidence: 1.0,
            });
        }
    }
    Document {
        id: DocumentId::new(id).unwrap(),
        media_type: "text/csv".to_owned(),
        title: id.to_owned(),
        source: lines.join("\n").into_bytes(),
        recipe: ContentHash::of(b""),
        entities,
        facts,
    }
}

/// How many things bear a name, and what the pairs are: "state one / other".
fn found(store: &Store, name: &str) -> (usize, Vec<String>) {
    let snapshot = store.snapshot().unwrap();
    let bears = |entity: &&Entity| entity.labels.iter().chain(&entity.aliases).any(|text| text.text == name);
    let pairs = snapshot.identity().pairs().iter().map(|pair| {
        format!("{:?} {} / {}: {}", pair.state, pair.one.as_str(), pair.other.as_str(), pair.reasons.join("; "))
    });
    (snapshot.entities().iter().filter(bears).count(), pairs.collect())
}

#[test]
fn keys_tell_those_of_one_name_apart() {
    // As a table with a column of keys gives them: the IRI from the key, the label from the name.
    let one = "Person: <urn:factmask:entity:Person:e12> Li Wei | employer | Firm: Acme | prize | Medal";
    let other = "Person: <urn:factmask:entity:Person:e77> Li Wei | employer | Firm: Acme | prize | Medal";
    let paths = ["bonn", "rome"].map(|city| {
        format!("Person: <urn:factmask:entity:Person:{city}/li%20wei> Li Wei | employer | Firm: Acme | prize | Medal")
    });
    let addresses = ["bonn", "rome"]
        .map(|city| format!("Person: <http://e.org/{city}/wei> Li Wei | employer | Firm: Acme | prize | Medal"));
    for documents in [
        vec![("a", vec![one, other])],
        vec![("a", vec![one]), ("b", vec![other])],
        vec![("a", vec![paths[0].as_str(), paths[1].as_str()])],
        vec![("a", vec![addresses[0].as_str()]), ("b", vec![addresses[1].as_str()])],
    ] {
        let documents: Vec<(&str, &[&str])> = documents.iter().map(|(id, lines)| (*id, lines.as_slice())).collect();
        let (count, pairs) = found(&store(&documents), "Li Wei");
        assert_eq!((count, pairs), (2, vec![]));
    }
    // A name without a key may be either; with what only one has it is that one.
    let (count, pairs) = found(&store(&[("a", &[one, other]), ("b", &["Person: Li Wei | prize | Medal"])]), "Li Wei");
    assert_eq!((count, pairs.len()), (3, 2), "{pairs:#?}");
    let (count, pairs) = found(
        &store(&[
            (
                "a",
                &[
                    "Person: <urn:factmask:entity:Person:e12> Li Wei | employer | Firm: Acme",
                    "Person: <urn:factmask:entity:Person:e77> Li Wei | employer | Firm: Globex",
                ],
            ),
            ("b", &["Person: Li Wei | employer | Firm: Globex"]),
        ]),
        "Li Wei",
    );
    assert_eq!(count, 2, "{pairs:#?}");
}

type Documents<'a> = &'a [(&'a str, &'a [&'a str])];

#[test]
fn one_name_and_its_bearers() {
    let acme = "Person: Li Wei | employer | Firm: Acme";
    let table: &[(&str, Documents<'_>, usize)] = &[
        ("alone", &[("a", &[acme])], 1),
        ("the same twice", &[("a", &[acme]), ("b", &[acme])], 1),
        ("nothing in common, nothing against it", &[("a", &[acme]), ("b", &["Person: Li Wei | prize | Medal"])], 1),
        ("two firms", &[("a", &[acme]), ("b", &["Person: Li Wei | employer | Firm: Globex"])], 2),
        (
            "two firms and one of whom nothing tells",
            &[
                ("a", &[acme]),
                ("b", &["Person: Li Wei | employer | Firm: Globex"]),
                ("c", &["Person: Li Wei | prize | Medal"]),
            ],
            3,
        ),
        (
            "the third is told by its firm",
            &[
                ("a", &[acme]),
                ("b", &["Person: Li Wei | employer | Firm: Globex"]),
                ("c", &["Person: Li Wei | prize | Medal | employer | Firm: Acme"]),
            ],
            2,
        ),
        (
            "one firm, two days of birth",
            &[
                ("a", &["Person: Li Wei | employer | Firm: Acme | born | 1980-01-02"]),
                ("b", &["Person: Li Wei | employer | Firm: Acme | born | 1975-03-04"]),
            ],
            2,
        ),
        (
            "a year holds its days",
            &[("a", &["Person: Li Wei | born | 1980-01-02"]), ("b", &["Person: Li Wei | born | 1980"])],
            1,
        ),
        (
            "two rows of one table",
            &[(
                "a",
                &[
                    "Person: Li Wei | employer | Firm: Acme | born | 1980-01-02",
                    "Person: Li Wei | employer | Firm: Globex | born | 1975-03-04",
                    "Person: Li Wei | employer | Firm: Globex | prize | Medal",
                ],
            )],
            2,
        ),
        (
            "one employer by two names",
            &[
                ("a", &["Person: Li Wei | employer | Firm: Acme"]),
                ("b", &["Person: Li Wei | employer | Firm: Acme Inc."]),
            ],
            1,
        ),
        (
            "a moved seat beside two things in common",
            &[
                ("a", &["Firm: Li Wei | seat | City: Rome | chief | Person: Ann Bo | employer | Firm: X"]),
                ("b", &["Firm: Li Wei | seat | City: Bonn | chief | Person: Ann Bo | employer | Firm: X"]),
            ],
            1,
        ),
    ];
    for (what, documents, expected) in table {
        let (count, pairs) = found(&store(documents), "Li Wei");
        assert_eq!(count, *expected, "{what}: {pairs:#?}");
        let reversed: Vec<_> = documents.iter().rev().copied().collect();
        assert_eq!(found(&store(&reversed), "Li Wei"), (count, pairs), "{what}");
    }
}

#[test]
fn two_names_of_one() {
    let table: &[(&str, &str, Documents<'_>, PairState)] = &[
        (
            "Acme",
            "Acme Inc.",
            &[("a", &["Firm: Acme | seat | City: Rome"]), ("b", &["Firm: Acme Inc. | seat | City: Rome"])],
            PairState::Merged,
        ),
        (
            "Acme",
            "Acme Inc.",
            &[("a", &["Firm: Acme | seat | City: Rome"]), ("b", &["Firm: Acme Inc. | chief | Person: Ann"])],
            PairState::Proposed,
        ),
        (
            "Acme",
            "Acme Inc.",
            &[("a", &["Firm: Acme | seat | City: Rome"]), ("b", &["Firm: Acme Inc. | seat | City: Bonn"])],
            PairState::Apart,
        ),
        (
            "Merck",
            "Merck KGaA",
            &[
                ("a", &["Firm: Merck | chief | Person: Ann"]),
                ("b", &["Firm: Merck KGaA | seat | City: Bonn", "Firm: Merck & Co. | seat | City: Rome"]),
            ],
            PairState::Proposed,
        ),
        (
            "IBM",
            "International Business Machines",
            &[
                ("a", &["Firm: IBM | seat | City: Armonk | chief | Person: Ann Bo"]),
                ("b", &["Firm: International Business Machines | seat | City: Armonk | chief | Person: Ann Bo"]),
            ],
            PairState::Merged,
        ),
        (
            "李伟",
            "Li Wei",
            &[
                ("a", &["Person: 李伟 | born | 1980-01-02 | employer | Firm: Acme"]),
                ("b", &["Person: Li Wei | born | 1980-01-02 | employer | Firm: Acme"]),
            ],
            PairState::Merged,
        ),
        (
            "李伟",
            "Li Wei",
            &[("a", &["Person: 李伟 | employer | Firm: Acme"]), ("b", &["Person: Li Wei | employer | Firm: Acme"])],
            PairState::Proposed,
        ),
        (
            "J. Smith",
            "John Smith",
            &[
                ("a", &["Person: J. Smith | employer | Firm: Acme"]),
                ("b", &["Person: John Smith | employer | Firm: Acme"]),
            ],
            PairState::Proposed,
        ),
        (
            "J. Smith",
            "John Smith",
            &[("a", &["Person: J. Smith | prize | Medal"]), ("b", &["Person: John Smith | employer | Firm: Acme"])],
            PairState::Apart,
        ),
        (
            "Nestor Inc.",
            "Nestor Group",
            &[
                ("a", &["Firm: Nestor Group | seat | City: Rome | chief | Person: Jim"]),
                ("b", &["Firm: Nestor Inc. | seat | City: Rome | chief | Person: Jim | owner | Firm: Nestor Group"]),
            ],
            PairState::Apart,
        ),
        (
            "Wanda Group",
            "Wanda Film",
            &[
                ("a", &["Firm: Wanda Group | seat | City: Rome | chief | Person: Jim"]),
                ("b", &["Firm: Wanda Film | seat | City: Rome | chief | Person: Jim"]),
            ],
            PairState::Apart,
        ),
        (
            "万达集团",
            "万达电影",
            &[
                ("a", &["Firm: 万达集团 | seat | City: Rome | chief | Person: Jim"]),
                ("b", &["Firm: 万达电影 | seat | City: Rome | chief | Person: Jim"]),
            ],
            PairState::Proposed,
        ),
        (
            "Rome",
            "<urn:r:1> Rome",
            &[("a", &["Place: Rome | prize | x"]), ("b", &["City: <urn:r:1> Rome | prize | y"])],
            PairState::Merged,
        ),
    ];
    for (one, other, documents, expected) in table {
        let store = store(documents);
        let snapshot = store.snapshot().unwrap();
        let described: Vec<_> = snapshot.identity().pairs().iter().map(|pair| format!("{pair:?}")).collect();
        let name = |text: &str| text.rsplit("> ").next().unwrap().to_owned();
        let (one, other) = (name(one), name(other));
        let all = store.snapshot().unwrap();
        let of = |wanted: &str| {
            all.entities()
                .iter()
                .filter(|entity| entity.labels.iter().chain(&entity.aliases).any(|text| text.text == wanted))
                .collect::<Vec<_>>()
        };
        let joined = of(&one).iter().any(|entity| of(&other).contains(entity)) && (one != other || of(&one).len() == 1);
        assert_eq!(joined, *expected == PairState::Merged, "{one} / {other}: {described:#?}");
        if *expected == PairState::Proposed {
            assert!(
                snapshot.identity().pairs().iter().any(|pair| pair.state == PairState::Proposed),
                "{one} / {other}: {described:#?}"
            );
        }
    }
}

#[test]
fn people_decide() {
    let store = store(&[
        ("a", &["Firm: Acme | seat | City: Rome"]),
        ("b", &["Firm: Acme Inc. | seat | City: Rome | chief | Person: Ann"]),
        ("c", &["Firm: Globex | chief | Person: Bo"]),
    ]);
    let firm = |name: &str| mint(&Iri::new("urn:t:Firm").unwrap(), name);
    let before = store.export().unwrap();
    let joined = |one: &str, other: &str| {
        let snapshot = store.snapshot().unwrap();
        snapshot.find(&firm(one)).unwrap() == snapshot.find(&firm(other)).unwrap()
    };
    let decide = |one: &str, other: &str, verdict| {
        store.decide(&Decision::new(firm(one), firm(other), verdict, "ann", "I know them")).unwrap();
    };
    assert!(joined("Acme", "Acme Inc.") && !joined("Acme", "Globex"));
    decide("Acme Inc.", "Acme", Verdict::Different);
    decide("Acme", "Globex", Verdict::Same);
    assert!(!joined("Acme", "Acme Inc.") && joined("Acme", "Globex"));
    let snapshot = store.snapshot().unwrap();
    let pair = snapshot.identity().pair(&firm("Acme Inc."), &firm("Acme")).unwrap();
    assert_eq!((pair.state, pair.reasons.as_slice()), (PairState::Apart, ["ann: I know them".to_owned()].as_slice()));
    // Decisions belong to no document.
    store.delete(&DocumentId::new("a").unwrap()).unwrap();
    store.put(&document("a", &["Firm: Acme | seat | City: Rome"])).unwrap();
    assert!(!joined("Acme", "Acme Inc.") && joined("Acme", "Globex") && store.export().unwrap() != before);
    decide("Acme", "Acme Inc.", Verdict::Undecided);
    decide("Acme", "Globex", Verdict::Undecided);
    assert!(joined("Acme", "Acme Inc.") && !joined("Acme", "Globex"));
    assert_eq!(store.export().unwrap(), before);
}

/// Names of one file that differ in a sign alone are two things, the more so where what nearly everything has one of differs.
#[test]
fn what_one_file_writes_in_two_ways_is_two_things() {
    let one_of_each = |number: usize| format!("Firm: film {number} | label | studio {number}");
    let mut lines: Vec<String> = (0..30).map(one_of_each).collect();
    lines.push("Firm: Them | label | Arno".to_owned());
    lines.push("Firm: them! | label | Bern".to_owned());
    lines.push("Firm: Up | slogan | x".to_owned());
    lines.push("Firm: up! | slogan | y".to_owned());
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let snapshot = store(&[("films", &lines)]).snapshot().unwrap();
    let merged: Vec<_> = snapshot.identity().pairs().iter().filter(|pair| pair.state == PairState::Merged).collect();
    assert!(merged.is_empty(), "{merged:#?}");
    // In two files it is the same name.
    let snapshot =
        store(&[("one", &["Firm: Them | slogan | x"]), ("two", &["Firm: them! | slogan | x"])]).snapshot().unwrap();
    assert_eq!(snapshot.identity().pairs().iter().filter(|pair| pair.state == PairState::Merged).count(), 1);
}
