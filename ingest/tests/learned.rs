//! Facts that were learned to be read, through the pipeline.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod world;

use factmask_ingest::{Aim, Lessons, PipelineOptions, TextExample};
use std::sync::Arc;
use world::World;

const COUNTRIES: [(&str, &str); 10] = [
    ("France", "Paris"),
    ("Spain", "Madrid"),
    ("Italy", "Rome"),
    ("Peru", "Lima"),
    ("Chile", "Santiago"),
    ("Kenya", "Nairobi"),
    ("Egypt", "Cairo"),
    ("Japan", "Tokyo"),
    ("Norway", "Oslo"),
    ("Cuba", "Havana"),
];

fn lessons() -> Arc<Lessons> {
    let example = |number: usize| {
        let (country, city) = COUNTRIES[number % COUNTRIES.len()];
        let text = match number / COUNTRIES.len() % 2 {
            0 => format!("The government of {country} sits in {city}, as everybody knows."),
            _ => format!("{city} is where {country} is governed from."),
        };
        TextExample { text, triples: vec![[country.to_owned(), "capital".to_owned(), city.to_owned()]] }
    };
    Arc::new(Lessons::new((0..80).map(example).collect(), Aim::Precision(0.9)))
}

#[test]
fn other_words_than_the_schema_has() {
    let text = "It is late. The government of Ghana sits in Accra, as everybody knows. Does the government of Mali sit in Bamako?";
    let world = World::new(&[("a.txt", text.as_bytes())]);
    world.run();
    assert!(world.facts().is_empty(), "no wording of the schema says it so");
    let with = || PipelineOptions { lessons: Some(lessons()), ..world.options() };
    let report = world.run_with(with());
    assert_eq!(report.replaced, ["a.txt"], "what is learned from is part of the recipe");
    assert_eq!(world.facts()["a.txt"], ["ghana capital accra"]);
    let snapshot = world.store.snapshot().unwrap();
    let evidence = &snapshot.facts()[0].evidence[0];
    let span = usize::try_from(evidence.span.start).unwrap()..usize::try_from(evidence.span.end).unwrap();
    assert_eq!(&text[span], "The government of Ghana sits in Accra, as everybody knows.");
    assert_eq!(evidence.extractor, "learned");
    assert!((0.3..1.0).contains(&evidence.confidence), "{}", evidence.confidence);
    assert_eq!(world.run_with(with()).unchanged, ["a.txt"]);
    assert_eq!(world.run().replaced, ["a.txt"], "and forgotten with them");
}
