#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use super::{
    Lexicon, Question, account,
    way::{self, Way},
};
use crate::{
    question::{
        path::{Path, Step},
        rank::{Meaning, Meant},
    },
    represent::Shelf,
    testing::minilm,
};
use factmask_graph::EntityId;
use factmask_schema::{Iri, Schema};

fn question(asked: &str, name: &str, others: &[&str]) -> Question {
    let span = |name: &str| {
        let start = asked.find(name).unwrap();
        start..start + name.len()
    };
    let others: Vec<_> = others.iter().map(|name| span(name)).collect();
    Question::new(asked, &span(name), &others, &[])
}

#[test]
fn words_in_the_order_of_the_path() {
    let said = |way: &Way| {
        let tokens = way.tokens.iter().filter(|token| !token.plain);
        tokens.map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ")
    };
    let table: &[(&str, &str, &[&str], &[&str])] = &[
        ("the genre of the films directed by ann lee", "ann lee", &[], &["directed films genre"]),
        ("ann lee's mother's job", "ann lee", &[], &["mother job"]),
        ("what films did ann lee act in", "ann lee", &[], &["act films", "films act"]),
        (
            "films written by ann lee were released when",
            "ann lee",
            &[],
            &["released written films", "written films released"],
        ),
        ("who plays as goalkeeper for club ajax", "ajax", &["goalkeeper"], &["club plays"]),
        ("where was ann lee born", "ann lee", &[], &["born location", "location born"]),
        ("what does ann lee's mother do", "ann lee", &[], &["mother occupation"]),
        ("ann lee", "ann lee", &[], &[""]),
    ];
    for (asked, name, others, expected) in table {
        let ways: Vec<String> = question(asked, name, others).ways.iter().map(said).collect();
        assert_eq!(ways, *expected, "{asked}");
    }
}

#[test]
fn what_is_possessed_and_asked_for() {
    let marked = |asked: &str, mark: fn(&way::Token) -> bool| {
        let question = question(asked, "ann lee", &[]);
        let mut words: Vec<String> =
            question.ways[0].tokens.iter().filter(|token| mark(token)).map(|token| token.text.clone()).collect();
        words.sort();
        words.join(" ")
    };
    let table = [
        ("what is the job of the mother of ann lee", "job mother", ""),
        ("ann lee's mother's old job", "job mother", ""),
        ("which films did ann lee direct", "", "films"),
        ("what old films has ann lee made", "", "films"),
        ("who directed ann lee", "", ""),
    ];
    for (asked, possessed, head) in table {
        assert_eq!(marked(asked, |token| token.possessed), possessed, "{asked}");
        assert_eq!(marked(asked, |token| token.head), head, "{asked}");
    }
}

#[test]
fn capitals_but_the_first() {
    let table: &[(&str, &[usize])] = &[
        ("Who directed Heat?", &[13]),
        ("who is from Forwnder in Mexico", &[12, 24]),
        ("WHO DIRECTED HEAT", &[]),
        ("in which US state is it", &[]),
        ("谁导演了Heat", &[]),
        ("", &[]),
    ];
    for (asked, expected) in table {
        assert_eq!(way::capitals(asked), *expected, "{asked}");
    }
}

const FILMS: &str = r#"
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix fm: <urn:factmask:schema#> .
    @prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
    @prefix ex: <urn:x:> .
    ex:Film a rdfs:Class . ex:Person a rdfs:Class ; rdfs:label "person"@en . ex:Genre a rdfs:Class ; rdfs:label "genre"@en .
    ex:d a rdf:Property ; rdfs:label "directed by"@en ; rdfs:domain ex:Film ; rdfs:range ex:Person ;
        fm:question "Who directed {s}?"@en .
    ex:w a rdf:Property ; rdfs:label "written by"@en ; rdfs:domain ex:Film ; rdfs:range ex:Person .
    ex:a a rdf:Property ; rdfs:label "starred actors"@en ; rdfs:domain ex:Film ; rdfs:range ex:Person .
    ex:g a rdf:Property ; rdfs:label "genre"@en ; rdfs:domain ex:Film ; rdfs:range ex:Genre .
    ex:s a rdf:Property ; rdfs:label "spouse"@en ; rdfs:domain ex:Person ; rdfs:range ex:Person .
    ex:c a rdf:Property ; rdfs:label "children"@en ; rdfs:domain ex:Person ; rdfs:range ex:Person ;
        fm:question "Who are the children of {s}?"@en .
    ex:j a rdf:Property ; rdfs:label "profession"@en ; rdfs:domain ex:Person ; rdfs:range xsd:string ."#;

/// All paths of up to three steps that the schema allows from a class.
fn paths(schema: &Schema, from: &str) -> Vec<Path> {
    let ends = |step: &Step| {
        let relation = schema.relation(&step.relation);
        let range = match &relation.range {
            factmask_schema::Range::Entity(class) => class.clone(),
            factmask_schema::Range::Value(_) => None,
        };
        if step.forward { (relation.domain.clone(), range) } else { (range, relation.domain.clone()) }
    };
    let steps: Vec<Step> = schema
        .relations
        .keys()
        .flat_map(|relation| [true, false].map(|forward| Step { relation: relation.clone(), forward }))
        .collect();
    let mut open = vec![(Some(Iri::new_unchecked(from)), Vec::new())];
    let mut found = Vec::new();
    for _ in 0..3 {
        let longer = open.iter().flat_map(|(at, taken): &(Option<Iri>, Vec<Step>)| {
            let next = steps.iter().filter(|step| at.is_some() && ends(step).0 == *at);
            next.map(|step| (ends(step).1, taken.iter().chain([step]).cloned().collect::<Vec<_>>()))
        });
        open = longer.collect();
        found.extend(open.iter().map(|(_, steps)| Path { topic: EntityId(0), steps: steps.clone() }));
    }
    found.sort();
    found
}

#[test]
fn the_path_that_accounts_best() {
    let schema = Schema::parse(FILMS, "films").unwrap();
    let (meaning, shelf) = (Meaning::new(minilm()), Shelf::new(None));
    let lexicon = Lexicon::new(&schema, "en", Meant { meaning: &meaning, shelf: &shelf }).unwrap();
    // Relations by their letters; a small letter forward, a capital back.
    let table = [
        ("who directed x", "urn:x:Film", "d"),
        ("who is the director of x", "urn:x:Film", "d"),
        ("what films did x direct", "urn:x:Person", "D"),
        ("which kind of job does x have", "urn:x:Person", "j"),
        ("who is x 's wife", "urn:x:Person", "s"),
        ("what is the genre of the movies directed by x", "urn:x:Person", "Dg"),
        ("who acted in the movies written by x", "urn:x:Person", "Wa"),
        ("the occupation of the husband of x", "urn:x:Person", "sj"),
        ("x 's kid 's wife 's job", "urn:x:Person", "csj"),
        ("which movies have the same director as x", "urn:x:Film", "dD"),
        ("who starred in the films whose director also directed x", "urn:x:Film", "dDa"),
        ("the films written by x were of what genre", "urn:x:Person", "Wg"),
    ];
    for (asked, class, expected) in table {
        let question = question(asked, "x", &[]);
        let vectors = meaning.of_words(&question.texts).unwrap();
        let meanings: Vec<_> =
            question.texts.iter().zip(&vectors).map(|(text, vector)| lexicon.meanings(text, vector)).collect();
        let class_units: Vec<usize> = lexicon.classes(&[Iri::new_unchecked(class)]).collect();
        let paths = paths(&schema, class);
        let accounts = account(&question, &meanings, &lexicon, &schema, &class_units, &paths);
        let best = (0..paths.len()).max_by(|a, b| accounts[*a].total_cmp(&accounts[*b])).unwrap();
        let letters: String = paths[best]
            .steps
            .iter()
            .map(|step| {
                let letter = step.relation.as_str().trim_start_matches("urn:x:");
                if step.forward { letter.to_owned() } else { letter.to_uppercase() }
            })
            .collect();
        assert_eq!(letters, expected, "{asked}: {:.1}", accounts[best]);
    }
}

#[test]
fn what_the_schema_does_not_say_is_not_accounted_for() {
    let schema = Schema::parse(FILMS, "films").unwrap();
    let (meaning, shelf) = (Meaning::new(minilm()), Shelf::new(None));
    let lexicon = Lexicon::new(&schema, "en", Meant { meaning: &meaning, shelf: &shelf }).unwrap();
    let best = |asked: &str, capitals: &[usize]| {
        let start = asked.rfind('x').unwrap();
        let question = Question::new(asked, &(start..start + 1), &[], capitals);
        let vectors = meaning.of_words(&question.texts).unwrap();
        let meanings: Vec<_> =
            question.texts.iter().zip(&vectors).map(|(text, vector)| lexicon.meanings(text, vector)).collect();
        let accounts = account(&question, &meanings, &lexicon, &schema, &[], &paths(&schema, "urn:x:Film"));
        accounts.into_iter().fold(f32::NEG_INFINITY, f32::max)
    };
    let said = best("who directed x", &[]);
    assert!(said > -1.5, "{said}");
    for (asked, capitals) in
        [("what is the budget of x", &[][..]), ("how long is the colour of x", &[]), ("who directed forwnder x", &[13])]
    {
        let other = best(asked, capitals);
        assert!(other < said - 2.5, "{asked}: {other} beside {said}");
    }
}
