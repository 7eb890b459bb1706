//! How right an answer is, by the rule of its set.

use super::{normal::Normal, set::Question};
use serde::Serialize;
use std::collections::BTreeMap;

/// What the gold answers of a set mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// All of them together are the answer: every value given must be one of them.
    All,
    /// They are alternatives: the text given must say one of them.
    AnyOf,
    /// As [`AnyOf`](Self::AnyOf); F1 is that of the longest common run of characters, as the set's own script has it.
    AnyOfByRun,
}

/// Sets with a knowledge base whose gold answers are alternatives. All other knowledge bases list the full set.
const ALTERNATIVES: [&str; 2] = ["affairqa_zh", "kdconv_travel_zh"];
/// Sets whose own script takes the longest common run.
const BY_RUN: [&str; 1] = ["cmrc2018_zh"];

impl Rule {
    /// The rule of a set, by its name and whether it asks documents.
    pub fn of(set: &str, documents: bool) -> Self {
        if BY_RUN.contains(&set) {
            Self::AnyOfByRun
        } else if documents || ALTERNATIVES.contains(&set) {
            Self::AnyOf
        } else {
            Self::All
        }
    }
}

/// What was answered, ready to compare: each value in every form that says it ("$29.915 billion", "29915000000").
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Given {
    /// Values, best first, each with its forms; the first form is the one for people.
    pub values: Vec<Vec<String>>,
    /// Whether a model wrote it freely; then a value may say a gold answer in more words.
    pub free: bool,
}

/// How right it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Score {
    /// Nothing that was given is wrong.
    pub right: bool,
    /// The first value is a gold answer; for a free text and alternatives, the text says one.
    pub hit: bool,
    /// Given and gold are the same.
    pub exact: bool,
    /// Share of the given values that are gold answers; for texts, of its tokens.
    pub precision: f64,
    /// Share of the gold answers that were given; for texts, of their tokens.
    pub recall: f64,
    /// Harmonic mean of both.
    pub f1: f64,
}

/// Scores an answer that was given. Nothing is right for a question without an answer.
pub fn score(rule: Rule, question: &Question, given: &Given) -> Score {
    if !question.is_answerable() || given.values.is_empty() {
        return Score::default();
    }
    if !question.answer_slots.is_empty() {
        return slots(&question.answer_slots, given);
    }
    match rule {
        Rule::All => set(&question.answers, given),
        Rule::AnyOf => any_of(&question.answers, given, bag),
        Rule::AnyOfByRun => any_of(&question.answers, given, run),
    }
}

fn set(gold: &[String], given: &Given) -> Score {
    let gold = distinct(gold.iter().map(|answer| Normal::of(answer)), Normal::is);
    let values = distinct(normals(given), |one, other| one == other);
    // The gold answers that a value is; those that a free text holds, but for one within another (Virginia in West Virginia).
    let named = |forms: &Vec<Normal>| -> Vec<usize> {
        let fitting = |fits: fn(&Normal, &Normal) -> bool| -> Vec<(usize, &Normal)> {
            gold.iter().enumerate().filter(|(_, answer)| forms.iter().any(|form| fits(form, answer))).collect()
        };
        let (own, held) = (fitting(Normal::is), if given.free { fitting(Normal::says) } else { Vec::new() });
        let within = |answer: &Normal| held.iter().any(|(_, other)| *other != answer && other.says(answer));
        let chosen = if own.is_empty() { held.iter().filter(|(_, one)| !within(one)).copied().collect() } else { own };
        chosen.into_iter().map(|(at, _)| at).collect()
    };
    let named: Vec<Vec<usize>> = values.iter().map(named).collect();
    let right = named.iter().filter(|answers| !answers.is_empty()).count();
    let mut found: Vec<usize> = named.iter().flatten().copied().collect();
    found.sort_unstable();
    found.dedup();
    let precision = right as f64 / values.len() as f64;
    let recall = found.len() as f64 / gold.len().max(1) as f64;
    Score {
        right: right == values.len(),
        hit: named.first().is_some_and(|answers| !answers.is_empty()),
        exact: right == values.len() && found.len() == gold.len(),
        precision,
        recall,
        f1: harmonic(precision, recall),
    }
}

fn normals(given: &Given) -> impl Iterator<Item = Vec<Normal>> {
    given.values.iter().map(|forms| forms.iter().map(|form| Normal::of(form)).collect())
}

fn distinct<T>(all: impl Iterator<Item = T>, same: fn(&T, &T) -> bool) -> Vec<T> {
    all.fold(Vec::new(), |mut kept, one| {
        if !kept.iter().any(|earlier| same(earlier, &one)) {
            kept.push(one);
        }
        kept
    })
}

/// The best over the gold answers and over the ways to say what was given.
fn any_of(gold: &[String], given: &Given, overlap: fn(&[String], &[String]) -> usize) -> Score {
    let gold: Vec<Normal> = gold.iter().map(|answer| Normal::of(answer)).collect();
    let says = |form: &Normal| gold.iter().any(|answer| form.is(answer) || form.says(answer));
    let ways = given.values.iter().map(Vec::len).max().unwrap_or_default();
    let text = |way: usize| {
        let forms = given.values.iter().filter_map(|forms| forms.get(way).or(forms.last()));
        forms.map(String::as_str).collect::<Vec<_>>().join(", ")
    };
    let mut best = Score::default();
    for said in (0..ways).map(|way| Normal::of(&text(way))) {
        best.right |= says(&said);
        for answer in &gold {
            let (own, wanted) = (said.tokens(), answer.tokens());
            let shared = overlap(&own, &wanted) as f64;
            let precision = shared / own.len().max(1) as f64;
            let recall = shared / wanted.len().max(1) as f64;
            let f1 = harmonic(precision, recall);
            if f1 > best.f1 {
                (best.precision, best.recall, best.f1) = (precision, recall, f1);
            }
            best.exact |= said.is(answer);
        }
    }
    if best.exact {
        (best.precision, best.recall, best.f1) = (1.0, 1.0, 1.0);
    }
    // A free text is one answer, commas or not. Of values that were looked up none may be wrong, unless together they are the answer.
    if given.free {
        best.hit = best.right;
    } else {
        let fits: Vec<bool> = normals(given).map(|forms| forms.iter().any(says)).collect();
        best.hit = fits.first().copied().unwrap_or_default();
        best.right = best.exact || fits.iter().all(|fits| *fits);
    }
    best
}

/// Every slot needs one of its alternatives somewhere in what was said.
fn slots(slots: &[Vec<String>], given: &Given) -> Score {
    let said: Vec<Normal> = normals(given).flatten().collect();
    let filled = |slot: &&Vec<String>| {
        let mut alternatives = slot.iter().map(|alternative| Normal::of(alternative));
        alternatives.any(|alternative| said.iter().any(|said| said.has(&alternative)))
    };
    let share = slots.iter().filter(filled).count() as f64 / slots.len() as f64;
    let right = share >= 1.0;
    Score { right, hit: right, exact: right, precision: share, recall: share, f1: share }
}

/// Tokens in common, each as often as both have it.
fn bag(one: &[String], other: &[String]) -> usize {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for token in other {
        *counts.entry(token).or_default() += 1;
    }
    let mut take = |token: &&String| {
        counts.get_mut(token.as_str()).filter(|count| **count > 0).is_some_and(|count| {
            *count -= 1;
            true
        })
    };
    one.iter().filter(|token| take(token)).count()
}

/// Length of the longest run of tokens in common.
fn run(one: &[String], other: &[String]) -> usize {
    let mut longest = 0;
    let mut above = vec![0usize; other.len() + 1];
    for token in one {
        let mut row = vec![0usize; other.len() + 1];
        for (at, wanted) in other.iter().enumerate() {
            if token == wanted {
                let length = above.get(at).copied().unwrap_or_default() + 1;
                longest = longest.max(length);
                if let Some(cell) = row.get_mut(at + 1) {
                    *cell = length;
                }
            }
        }
        above = row;
    }
    longest
}

fn harmonic(precision: f64, recall: f64) -> f64 {
    if precision + recall > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(answers: &[&str]) -> Question {
        Question { answers: answers.iter().map(|answer| (*answer).to_owned()).collect(), ..Question::default() }
    }

    fn given(values: &[&[&str]]) -> Given {
        let forms = |forms: &&[&str]| forms.iter().map(|form| (*form).to_owned()).collect();
        Given { values: values.iter().map(forms).collect(), free: false }
    }

    #[test]
    fn full_sets() {
        type Row = (&'static [&'static str], &'static [&'static [&'static str]], (bool, bool, bool, f64, f64));
        let table: &[Row] = &[
            (&["A Film", "B"], &[&["a film"], &["b"]], (true, true, true, 1.0, 1.0)),
            (&["A Film", "B"], &[&["b"]], (true, true, false, 1.0, 0.5)),
            (&["A Film", "B"], &[&["b"], &["c"]], (false, true, false, 0.5, 0.5)),
            (&["A Film", "B"], &[&["c"], &["b"]], (false, false, false, 0.5, 0.5)),
            (&["1,000"], &[&["1000 people", "1000.0"]], (true, true, true, 1.0, 1.0)),
            (&["x"], &[], (false, false, false, 0.0, 0.0)),
            (&["A Film", "B"], &[&["b"], &["c"], &["C"]], (false, true, false, 0.5, 0.5)),
            (&["A Film", "B"], &[&["b", "a film"]], (true, true, true, 1.0, 1.0)),
            (&["1990-11-26", "1990年11月26日"], &[&["1990/11/26"]], (true, true, true, 1.0, 1.0)),
            (&["$"], &[&["?"]], (false, false, false, 0.0, 0.0)),
            (&[], &[&["x"]], (false, false, false, 0.0, 0.0)),
        ];
        for (gold, values, expected) in table {
            let found = score(Rule::All, &question(gold), &given(values));
            assert_eq!((found.right, found.hit, found.exact, found.precision, found.recall), *expected, "{gold:?}");
        }
    }

    #[test]
    fn free_text_may_use_more_words() {
        let virginias = Given { free: true, ..given(&[&["West Virginia"], &["Virginia and Ohio"]]) };
        assert!(score(Rule::All, &question(&["virginia", "west virginia", "ohio"]), &virginias).exact);
        assert!(!score(Rule::All, &question(&["virginia"]), &given(&[&["West Virginia"]])).right);
        let free = Given { free: true, ..given(&[&["It is Paris"]]) };
        assert!(score(Rule::All, &question(&["paris"]), &free).exact);
        assert!(!score(Rule::All, &question(&["paris"]), &given(&[&["It is Paris"]])).right);
    }

    #[test]
    fn alternatives() {
        type Row = (Rule, &'static [&'static str], &'static [&'static [&'static str]], (bool, bool, f64));
        let table: &[Row] = &[
            (Rule::AnyOf, &["10th", "the 10th century"], &[&["10th century"]], (true, true, 1.0)),
            (Rule::AnyOf, &["1066"], &[&["in the year 1066"]], (true, false, 0.5)),
            (Rule::AnyOf, &["paris"], &[&["comparison"]], (false, false, 0.0)),
            (Rule::AnyOf, &["29915000000"], &[&["$29.915 billion", "29915000000"], &["x"]], (false, false, 2.0 / 3.0)),
            (Rule::AnyOf, &["2016/1/5"], &[&["建于2016/1/5。"]], (true, false, 2.0 * 0.6 / 1.6)),
            (Rule::AnyOf, &["光荣和ω"], &[&["光荣"]], (false, false, 2.0 * 0.5 / 1.5)),
            (Rule::AnyOfByRun, &["一二三四"], &[&["一二九三四"]], (false, false, 2.0 * 0.4 * 0.5 / 0.9)),
            (Rule::AnyOf, &["一二三四"], &[&["一二九三四"]], (false, false, 2.0 * 0.8 * 1.0 / 1.8)),
        ];
        for (rule, gold, values, (right, exact, f1)) in table {
            let found = score(*rule, &question(gold), &given(values));
            assert_eq!((found.right, found.exact), (*right, *exact), "{gold:?}");
            assert!((found.f1 - f1).abs() < 1e-9, "{gold:?}: {}", found.f1);
        }
    }

    #[test]
    fn slots_and_unanswerable() {
        let slots = |text: &str| {
            let slots = vec![vec!["Norway".to_owned()], vec!["39".to_owned(), "thirty-nine".to_owned()]];
            let question = Question { answer_slots: slots, ..question(&["x"]) };
            score(Rule::AnyOf, &question, &given(&[&[text]])).right
        };
        assert!(slots("norway, with 39"));
        assert!(!slots("norway"));
        let unanswerable = Question { answerable: Some(false), ..question(&["x"]) };
        assert_eq!(score(Rule::AnyOf, &unanswerable, &given(&[&["x"]])), Score::default());
    }
}
