//! Pairs of mentions, and what stands between and around them.

use super::features::{Feature, feature};
use super::tokens::{Kind, Text};
use std::ops::Range;

/// Mentions that are more sentences apart state nothing of each other.
const FARTHEST: usize = 3;
/// Words between two mentions that are taken as a whole.
const WHOLE: usize = 8;

/// All pairs whose first can be a subject: a number or date is none.
pub(super) fn pairs<'m>(text: &Text<'_>, mentions: &'m [Range<usize>]) -> Vec<(&'m Range<usize>, &'m Range<usize>)> {
    let sentence = |mention: &Range<usize>| text.sentence.get(mention.start).copied().unwrap_or(0);
    let mut found = Vec::new();
    for subject in mentions.iter().filter(|mention| matches!(look(text, mention), Look::Name(_) | Look::Words)) {
        for object in mentions {
            let apart = object.end <= subject.start || subject.end <= object.start;
            if apart && sentence(subject).abs_diff(sentence(object)) <= FARTHEST {
                found.push((subject, object));
            }
        }
    }
    found
}

/// What a mention looks like.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    Year,
    Date,
    Number,
    /// In capitals, with how many tokens.
    Name(usize),
    Words,
}

fn look(text: &Text<'_>, mention: &Range<usize>) -> Look {
    let Some(first) = text.tokens.get(mention.start) else { return Look::Words };
    let one = mention.len() == 1;
    match first.kind {
        Kind::Number if one && first.word.len() == 4 && first.word.starts_with(['1', '2']) => Look::Year,
        _ if text.dates.contains(mention) => Look::Date,
        Kind::Number => Look::Number,
        _ if first.shape.starts_with('A') => Look::Name(mention.len().min(3)),
        _ => Look::Words,
    }
}

fn name(look: Look) -> &'static str {
    match look {
        Look::Year => "year",
        Look::Date => "date",
        Look::Number => "number",
        Look::Name(1) => "name1",
        Look::Name(2) => "name2",
        Look::Name(_) => "name3",
        Look::Words => "words",
    }
}

/// Up to ten, as a word.
fn count(number: usize) -> &'static str {
    const WORDS: [&str; 11] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];
    WORDS.get(number.min(10)).copied().unwrap_or("10")
}

/// A mention in between.
const MENTION: &str = "<>";

/// What tells which relation, if any, a text states from `subject` to `object`.
pub(super) fn features(
    text: &Text<'_>,
    subject: &Range<usize>,
    object: &Range<usize>,
    mentions: &[Range<usize>],
) -> Vec<Feature> {
    let forward = subject.start < object.start;
    let way = if forward { ">" } else { "<" };
    let (left, right) = if forward { (subject, object) } else { (object, subject) };
    let between = between(text, left.end, right.start, mentions);
    let (of_subject, of_object) = (name(look(text, subject)), name(look(text, object)));
    let sentence = |mention: &Range<usize>| text.sentence.get(mention.start).copied().unwrap_or(0);
    let passed = between.iter().filter(|word| **word == MENTION).count();
    let mut found = vec![
        feature(&["subject is", of_subject]),
        feature(&["object is", of_object]),
        feature(&["both are", way, of_subject, of_object]),
        feature(&["tokens between", way, count(between.len())]),
        feature(&["mentions between", way, count(passed.min(4))]),
        feature(&["sentences between", way, count(sentence(subject).abs_diff(sentence(object)))]),
    ];
    found.extend(between.iter().map(|word| feature(&["between", way, word])));
    if between.len() <= WHOLE {
        found.push(feature(&["all between", way, &between.join(" ")]));
    }
    found.extend(between.windows(2).map(|pair| feature(&["pair between", way, &pair.join(" ")])));

    let before = |mention: &Range<usize>, back: isize| text.word(mention.start, -back);
    let behind = |mention: &Range<usize>, on: isize| text.word(mention.end, on);
    let (o1, o2, o3) = (before(object, 1), before(object, 2), before(object, 3));
    found.push(feature(&["before object", o1]));
    found.push(feature(&["two before object", o2, o1]));
    found.push(feature(&["three before object", o3, o2, o1]));
    found.push(feature(&["behind object", behind(object, 0)]));
    found.push(feature(&["two behind object", behind(object, 0), behind(object, 1)]));
    found.push(feature(&["before subject", before(subject, 1)]));
    found.push(feature(&["behind subject", behind(subject, 0)]));
    found.push(feature(&["two behind subject", behind(subject, 0), behind(subject, 1)]));

    // The object's own clause, up to the next mention or the sentence's end.
    let ends = |word: &str| matches!(word, "." | "。");
    let mut at = object.start;
    for _ in 0..6 {
        let Some(previous) = at.checked_sub(1) else { break };
        if ends(text.word(previous, 0)) || mentions.iter().any(|mention| mention.end == at) {
            break;
        }
        found.push(feature(&["clause before", text.word(previous, 0)]));
        at = previous;
    }
    for at in (object.end..text.tokens.len()).take(4) {
        if ends(text.word(at, 0)) || mentions.iter().any(|mention| mention.start == at) {
            break;
        }
        found.push(feature(&["clause behind", text.word(at, 0)]));
    }

    let words = |mention: &Range<usize>| -> Vec<&str> { mention.clone().map(|at| text.word(at, 0)).collect() };
    let (own, other) = (words(object), words(subject));
    found.push(feature(&["object's last", own.last().copied().unwrap_or_default()]));
    found.push(feature(&["object's first", own.first().copied().unwrap_or_default()]));
    found.push(feature(&["object", &own.join(" ")]));
    found.push(feature(&["subject's last", other.last().copied().unwrap_or_default()]));
    let place = mentions.iter().position(|mention| mention == subject).unwrap_or(0);
    found.push(feature(&["subject's place", count(place.min(5))]));
    found.sort_unstable();
    found.dedup();
    found
}

/// The words from `start` to `end`, each mention in between as one.
fn between<'t>(text: &'t Text<'_>, start: usize, end: usize, mentions: &[Range<usize>]) -> Vec<&'t str> {
    let mut words = Vec::new();
    let mut at = start;
    while at < end {
        match mentions.iter().find(|mention| mention.start == at && mention.end <= end && !mention.is_empty()) {
            Some(mention) => {
                words.push(MENTION);
                at = mention.end;
            }
            None => {
                words.push(text.word(at, 0));
                at += 1;
            }
        }
    }
    words
}
