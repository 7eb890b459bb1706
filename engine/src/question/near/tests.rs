//! Which writings are taken for which name, and which are not.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::{Ground, Near};
use crate::question::link::Linker;
use factmask_graph::{Entity, Snapshot};
use factmask_schema::{Iri, Schema, Text};

const SCHEMA: &str = r#"@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
    @prefix ex: <urn:x:> . @prefix fm: <urn:factmask:schema#> .
    ex:Film a rdfs:Class ; rdfs:label "film"@en , "电影"@zh . ex:Person a rdfs:Class ; rdfs:label "person"@en , "人物"@zh .
    ex:director a rdf:Property ; rdfs:label "director"@en , "导演"@zh ; rdfs:domain ex:Film ; rdfs:range ex:Person ;
        fm:question "Who directed {s}?"@en .
    ex:spouse a rdf:Property ; rdfs:label "spouse"@en ; rdfs:domain ex:Person ; rdfs:range ex:Person ; fm:question "Who is the wife of {s}?"@en ."#;
const NAMES: &[&str] = &[
    "Blade Runner",
    "Blade Trinity",
    "The Matrix",
    "Inception",
    "Amélie",
    "Spider-Man",
    "Ocean's Eleven",
    "Marie Curie",
    "Ada Lovelace",
    "Alan Turing",
    "Dermot Turing",
    "Konrad Zuse",
    "John Smithson",
    "Jane Smithson",
    "Apollo 13",
    "It",
    "MET",
    "Rocky II",
    "Emma (1996)",
    "Halloween (1978)",
    "Halloween (2007)",
    "Ridley Scott",
    "Lorde",
    "Zimmer",
    "红楼梦（小说）",
    "浙江理工大学",
    "长江电力股份有限公司",
    "中国银行",
    "中国银行业协会",
];
/// What an encoder of English would have as words.
const WORDS: &[&str] = &[
    "who", "directed", "the", "film", "is", "wife", "of", "james", "runs", "met", "what", "did", "matrix", "inside",
    "was", "blade", "runner", "order", "lord", "helmed", "in", "anna", "scott", "trinity", "how", "old",
];

/// As many other names as make the few that are near each other rare, of random letters.
fn others() -> Vec<String> {
    let mut state = 7_u64;
    let mut random = |below: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as u32) % below
    };
    let mut run = |from: u32, many: u32, length: usize| -> String {
        (0..length).filter_map(|_| char::from_u32(from + random(many))).collect()
    };
    let mut latin = |_| run(u32::from('a'), 26, 7);
    let mut names: Vec<String> = (0..900).map(|at| format!("Q{} Q{}", latin(at), latin(at))).collect();
    names.extend((0..300).map(|_| run(0x4e00, 5_000, 7)));
    names
}

fn snapshot(names: &[&str]) -> Snapshot {
    let entity = |(number, name): (usize, &&str)| Entity {
        iri: Iri::new_unchecked(format!("urn:x:{number}")),
        classes: vec![],
        labels: vec![Text::new("", *name)],
        aliases: vec![],
    };
    let schema = Schema::parse(SCHEMA, "test").unwrap();
    Snapshot::build(1, schema, names.iter().enumerate().map(entity).collect(), vec![])
}

/// Names that questions are read over.
struct World {
    snapshot: Snapshot,
    linker: Linker,
    near: Near,
}

impl World {
    fn new(names: &[&str]) -> Self {
        let snapshot = snapshot(names);
        Self { linker: Linker::new(&snapshot).unwrap(), snapshot, near: Near::default() }
    }

    /// The names of the tests among many others.
    fn wide() -> Self {
        let others = others();
        Self::new(&NAMES.iter().copied().chain(others.iter().map(String::as_str)).collect::<Vec<_>>())
    }

    /// The question as it is taken, and behind it who is asked back.
    fn read(&self, question: &str) -> (String, Vec<String>) {
        let knows = |word: &str| WORDS.contains(&word);
        let ground = Ground { snapshot: &self.snapshot, linker: &self.linker, lang: "en", knows: &knows };
        let restored = self.near.restore(&ground, question);
        let mut asked: Vec<String> =
            restored.unsure.iter().map(|id| self.snapshot.name(*id, "en").to_owned()).collect();
        asked.sort();
        (restored.question, asked)
    }
}

#[test]
fn names_written_otherwise() {
    let world = World::wide();
    let table: &[(&str, &str)] = &[
        // Slips, in capitals and in small letters.
        ("Who directed Blade Runnr?", "Who directed Blade Runner?"),
        ("Who directed Balde Runner?", "Who directed Blade Runner?"),
        ("who directed blade runnr?", "who directed Blade Runner?"),
        ("who directed inceptoin", "who directed Inception"),
        ("Inceptoin was directed by whom?", "Inception was directed by whom?"),
        ("Who directed Incepton and Blade Runnr?", "Who directed Inception and Blade Runner?"),
        ("who is the wife of Allan Turing?", "who is the wife of Alan Turing?"),
        // Accents, signs, spaces, possessives.
        ("Who directed Amelie?", "Who directed Amélie?"),
        ("who directed amelie?", "who directed Amélie?"),
        ("Who directed Spiderman?", "Who directed Spider-Man?"),
        ("who directed spider man", "who directed Spider-Man"),
        ("Who directed Oceans Eleven?", "Who directed Ocean's Eleven?"),
        ("What is Ridly Scott's film?", "What is Ridley Scott's film?"),
        // Parts and initials.
        ("Who directed Matrix?", "Who directed The Matrix?"),
        ("Who was the wife of Zuse?", "Who was the wife of Konrad Zuse?"),
        ("Who was Lovelace's wife?", "Who was Ada Lovelace's wife?"),
        ("Who is the wife of K. Zuse?", "Who is the wife of Konrad Zuse?"),
        ("Who directed Emma?", "Who directed Emma (1996)?"),
        ("红楼梦的导演是谁？", "红楼梦（小说）的导演是谁？"),
        ("浙江理工的导演是谁？", "浙江理工大学的导演是谁？"),
        ("长江电力的导演是谁？", "长江电力股份有限公司的导演是谁？"),
    ];
    for (question, expected) in table {
        assert_eq!(world.read(question), ((*expected).to_owned(), vec![]), "{question}");
    }
}

#[test]
fn what_is_not_sure_is_asked_back() {
    let world = World::wide();
    let table: &[(&str, &[&str])] = &[
        ("Who was the wife of Turing?", &["Alan Turing", "Dermot Turing"]),
        ("Who was the wife of J. Smithson?", &["Jane Smithson", "John Smithson"]),
        ("Who directed Blade?", &["Blade Runner", "Blade Trinity"]),
        ("Who directed Halloween?", &["Halloween (1978)", "Halloween (2007)"]),
        // A word of the language may be meant as it stands.
        ("Who is Lord?", &["Lorde"]),
    ];
    for (question, expected) in table {
        let found = world.read(question);
        let expected = expected.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(found, ((*question).to_owned(), expected), "{question}");
    }
}

#[test]
fn other_things_are_left_alone() {
    let world = World::wide();
    for question in [
        "",
        "?",
        "Who directed Blade Runner?",
        "Who directed it?",
        "Did Anna met James?",
        // Somebody else.
        "Who is the wife of Marie Durie?",
        "Who is the wife of Pierre Curie?",
        "Who is the wife of Marie Zuse?",
        "Who is the wife of Konrad Zusak?",
        "Who directed Runner Runner?",
        "Who directed The Matrix Reloaded?",
        // Numbers tell things apart.
        "Who directed Apollo 14?",
        "Who directed Apollo?",
        "Who directed Apollo 18?",
        "Who directed Rocky III?",
        // Words of the language and of the schema, misspelt ones too.
        "who helmed the film",
        "who is the directer of the order",
        "who is the direktor",
        "in side of what is it",
        "谁是浙江的导演？",
        "浙江理工学院的导演是谁？",
        "中国银行的导演是谁？",
        "中国银行上海分行的导演是谁？",
    ] {
        assert_eq!(world.read(question), (question.to_owned(), vec![]), "{question}");
    }
}

#[test]
fn where_names_lie_close_a_near_one_is_asked_back() {
    let question = "Who is Zimmerr?";
    assert_eq!(World::wide().read(question), ("Who is Zimmer?".to_owned(), vec![]));
    let close = ["Kolman", "Kollman", "Tesler", "Tessler", "Bremer", "Bremmer", "Zimmer"];
    assert_eq!(World::new(&close).read(question), (question.to_owned(), vec!["Zimmer".to_owned()]));
}
