#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

const PEOPLE: [(&str, &str, &str); 12] = [
    ("Ann Lee", "Oslo", "1970"),
    ("Bo Berg", "Bergen", "1981"),
    ("Cy Dahl", "Lima", "1955"),
    ("Di Moe", "Quito", "1966"),
    ("Ed Roe", "Paris", "1948"),
    ("Flo Fay", "Rome", "1991"),
    ("Gus Hill", "Turin", "1977"),
    ("Hal Iver", "Cairo", "1986"),
    ("Ivo Jung", "Delhi", "1960"),
    ("Jo King", "Tokyo", "1973"),
    ("Kim Lund", "Minsk", "1959"),
    ("Lea Marsh", "Porto", "1988"),
];

fn example(number: usize, template: usize) -> TextExample {
    let (name, city, year) = PEOPLE[number % PEOPLE.len()];
    let (_, other, _) = PEOPLE[(number + 5) % PEOPLE.len()];
    let text = match template % 3 {
        0 => format!("{name} saw the light in {city} in {year}, and now lives in {other}."),
        1 => format!("Now at home in {other}, {name} comes from {city}."),
        _ => format!("{city} is where {name} saw the light. The year was {year}."),
    };
    let mut triples = vec![[name.to_owned(), "birth place".to_owned(), city.to_owned()]];
    if template % 3 != 2 {
        triples.push([name.to_owned(), "residence".to_owned(), other.to_owned()]);
    }
    if template % 3 != 1 {
        triples.push([name.to_owned(), "birth year".to_owned(), year.to_owned()]);
    }
    TextExample { text, triples }
}

fn examples() -> Vec<TextExample> {
    (0..90).map(|number| example(number, number / 7)).collect()
}

#[test]
fn a_text_of_new_names_is_read() {
    let lessons = Lessons::new(examples(), Aim::Precision(0.9));
    let held = lessons.bars().held(Aim::Precision(0.9));
    assert!(held.precision() >= 0.9 && held.recall() > 0.5, "{held:?}");
    let text = "Nils Odd saw the light in Kyoto in 1999, and now lives in Basel.";
    let tokens = Text::new(text);
    let (extractor, _) = lessons.learned();
    let mut found: Vec<(String, String, String)> = extractor
        .facts(&tokens, 0.5)
        .into_iter()
        .map(|fact| {
            let relation = extractor.relations[fact.relation].clone();
            (tokens.written(&fact.subject).to_owned(), relation, tokens.written(&fact.object).to_owned())
        })
        .collect();
    found.sort();
    let expected = [("birth place", "Kyoto"), ("birth year", "1999"), ("residence", "Basel")];
    let expected: Vec<_> = expected
        .iter()
        .map(|(relation, object)| ("Nils Odd".to_owned(), (*relation).to_owned(), (*object).to_owned()))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn places_of_names_numbers_and_dates() {
    for (text, name, places) in [
        ("The “Miracle (live)”, by Ann.", "Miracle", vec!["Miracle"]),
        ("Followed by Afterplay.", "Afterplay (album)", vec!["Afterplay"]),
        ("Born on October 13, 1964 in Hubei", "1964-10-13", vec!["October 13, 1964"]),
        ("About 1,234.50 or 1234.5 of them", "1234.5", vec!["1,234.50", "1234.5"]),
        ("票房9.2亿，《祖国》", "祖国", vec!["祖国"]),
        ("a king and the King", "the king", vec!["king", "King"]),
        ("kings", "king", vec![]),
    ] {
        let text = Text::new(text);
        let found: Vec<&str> = locate::locate(&text, name).iter().map(|place| text.written(place)).collect();
        assert_eq!(found, places, "{name}");
    }
}

#[test]
fn bars_keep_their_aim() {
    let facts = (0..100).map(|number| (1.0 - number as f32 / 100.0, number % 10 != 9 || number < 40)).collect();
    let bars = Bars { facts, gold: 120 };
    let held = bars.held(Aim::Precision(0.95));
    assert!(held.precision() >= 0.95 && held.found > 45, "{held:?}");
    assert_eq!(bars.held(Aim::Precision(1.0)).found, 0, "not even all right of a few is sure");
    assert_eq!(bars.held(Aim::Balance).found, 99);
    assert_eq!(Bars::default().held(Aim::Balance).bar, NEVER);
}

/// Learning is a pure function of the examples.
#[test]
fn the_same_twice() {
    let facts = || {
        let lessons = Lessons::new(examples(), Aim::Balance);
        lessons.bars().facts.clone()
    };
    assert_eq!(facts(), facts());
}
