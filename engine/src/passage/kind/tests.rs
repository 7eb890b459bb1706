#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
use super::*;

#[test]
fn questions_ask_for_kinds() {
    let table = [
        ("When did it open?", Asked::Time),
        ("In what century was it built?", Asked::Time),
        ("What is the release date of it?", Asked::Time),
        ("How many people live there?", Asked::Quantity),
        ("Who wrote it?", Asked::Someone),
        ("Where was she born?", Asked::Place),
        ("In which country is it?", Asked::Place),
        ("What is it made of?", Asked::Anything),
        ("他在哪里出生?", Asked::Place),
        ("谁写的?", Asked::Someone),
        ("有多少人?", Asked::Quantity),
        ("", Asked::Anything),
    ];
    for (question, expected) in table {
        assert_eq!(asked(question), expected, "{question}");
    }
}

#[test]
fn words_without_what_stands_around_them() {
    let table: &[(&str, &[&str])] = &[
        ("The $5 \"Marx's\" fee (1,200 km), 90%!", &["The", "$5", "Marx", "fee", "1,200", "km", "90%"]),
        ("a well-known U.S. firm", &["a", "well-known", "U.S", "firm"]),
        ("他在1990年（巴黎）。", &["他", "在", "1990", "年", "巴", "黎"]),
        ("— ... !", &[]),
        ("", &[]),
    ];
    for (sentence, expected) in table {
        let found: Vec<&str> = word_ranges(sentence).into_iter().map(|range| &sentence[range]).collect();
        assert_eq!(found, *expected, "{sentence}");
    }
}

#[test]
fn runs_look_like_something() {
    let table: &[(&str, Looks)] = &[
        ("12 May 1990", Looks::Time),
        ("the 1940s", Looks::Time),
        ("1,950", Looks::Number),
        ("$1990", Looks::Number),
        ("twenty-five miles", Looks::Number),
        ("about three thousand", Looks::Number),
        ("the Duke of Marxville", Looks::Name),
        ("Duke of many towns", Looks::Plain),
        ("may", Looks::Plain),
        ("May", Looks::Time),
        ("三 百", Looks::Number),
        ("", Looks::Plain),
    ];
    for (run, expected) in table {
        assert_eq!(run_looks(run.split_whitespace()), *expected, "{run}");
    }
}

/// All spans that the bounds let through.
fn spans_of(asked: Asked, sentence: &str, question: &str) -> Vec<String> {
    let bounds = bounds(asked, sentence, &words::units(question));
    spans(&bounds).map(|bytes| sentence[bytes].to_owned()).collect()
}

#[test]
fn spans_are_what_can_be_meant() {
    let table: &[(Asked, &str, &str, &[&str])] = &[
        (Asked::Someone, "The queen, Anna de Weber, lives there.", "Who is the queen?", &["Anna de Weber"]),
        (Asked::Someone, "He met Queen J. Weber and Otto.", "Who is the queen?", &["J. Weber and Otto"]),
        (Asked::Time, "It opened on 12 May, 1990 in Marxville.", "When did it open?", &["12 May, 1990"]),
        (Asked::Time, "In 1990 and 1995.", "When in 1990 was it?", &["1995"]),
        (
            Asked::Quantity,
            "Some 12 million people live there.",
            "How many people live there?",
            &["12", "12 million", "12 million people", "million", "million people"],
        ),
        (
            Asked::Anything,
            "The red castle, which is old.",
            "What is it?",
            &["The red", "The red castle", "red", "red castle", "castle", "old"],
        ),
        (
            Asked::Place,
            "She died in Marxville, Freedonia.",
            "Where did she die?",
            &[
                "died",
                "died in Marxville",
                "died in Marxville, Freedonia",
                "Marxville",
                "Marxville, Freedonia",
                "Freedonia",
            ],
        ),
        (Asked::Anything, "他是王。", "谁?", &["他", "他是王", "王"]),
        (Asked::Anything, "", "What?", &[]),
    ];
    for (asked, sentence, question, expected) in table {
        assert_eq!(spans_of(*asked, sentence, question), *expected, "{sentence}");
    }
}

#[test]
fn spans_are_what_bounds_allow() {
    let table: &[(Asked, &str, &[&str])] = &[
        (Asked::Quantity, "It has 1,200 seats and 3 bars.", &["1,200", "1,200 seats", "3", "3 bars"]),
        (Asked::Someone, "Anna Weber met Rufus Firefly.", &["Anna Weber", "Rufus Firefly"]),
        (Asked::Time, "It opened on 3 May 1921.", &["3 May 1921"]),
        (Asked::Someone, "It rained.", &[]),
        (Asked::Anything, "", &[]),
    ];
    for (asked, sentence, expected) in table {
        let bounds = bounds(*asked, sentence, &BTreeSet::new());
        let found: Vec<&str> = spans(&bounds).map(|bytes| &sentence[bytes]).collect();
        assert_eq!(found, *expected, "{sentence}");
    }
    let long = "x ".repeat(40);
    let bounds = bounds(Asked::Anything, &long, &BTreeSet::new());
    assert!(spans(&bounds).all(|bytes| long[bytes].split(' ').count() <= LONGEST));
}
