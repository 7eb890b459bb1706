//! Counting: right, wrong and refused by row, and the exact paired test.

use factmask_engine::{Answer, Status};
use factmask_graph::Value;
use serde::Serialize;
use std::collections::BTreeMap;

/// What one row made of one question.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Outcome {
    /// Right, wrong or refused.
    pub verdict: Outcomes,
    /// Probability that the row gave to the right answer among the possible ones.
    pub probability: f32,
    /// Milliseconds to the first token that may be released.
    pub first_token_ms: f64,
}

/// The three ways an answer can come out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcomes {
    /// The right value.
    Right,
    /// Another value.
    Wrong,
    /// "Not in the knowledge base".
    Refused,
}

impl Outcomes {
    /// What the product's answer is worth where `gold` alone is right; with none every answer is wrong.
    pub fn of(answer: &Answer, gold: Option<&Value>) -> Self {
        match answer.status {
            Status::Answered if gold.is_some() && answer.values.iter().eq(gold) => Self::Right,
            Status::Answered | Status::FromText => Self::Wrong,
            Status::NotInKb | Status::Ambiguous => Self::Refused,
        }
    }
}

/// Everything that a row made of the questions, by question number.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Outcomes by question.
    pub outcomes: BTreeMap<usize, Outcome>,
}

/// A row in the table.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The row's name.
    pub row: String,
    /// Questions.
    pub questions: usize,
    /// Right answers.
    pub right: usize,
    /// Wrong answers.
    pub wrong: usize,
    /// Refusals.
    pub refused: usize,
    /// Mean probability of the right answer among the possible ones.
    pub probability: f32,
    /// Median milliseconds to the first token that may be released.
    pub first_token_ms_p50: f64,
    /// The same, 95th percentile.
    pub first_token_ms_p95: f64,
}

impl Row {
    /// Sums up the questions that `keep` lets through.
    pub fn summary(&self, row: &str, keep: impl Fn(usize) -> bool) -> Summary {
        let outcomes: Vec<&Outcome> =
            self.outcomes.iter().filter(|(q, _)| keep(**q)).map(|(_, outcome)| outcome).collect();
        let count = |verdict| outcomes.iter().filter(|outcome| outcome.verdict == verdict).count();
        let n = outcomes.len().max(1) as f32;
        let mut times: Vec<f64> = outcomes.iter().map(|outcome| outcome.first_token_ms).collect();
        times.sort_by(f64::total_cmp);
        Summary {
            row: row.to_owned(),
            questions: outcomes.len(),
            right: count(Outcomes::Right),
            wrong: count(Outcomes::Wrong),
            refused: count(Outcomes::Refused),
            probability: outcomes.iter().map(|outcome| outcome.probability).sum::<f32>() / n,
            first_token_ms_p50: quantile(&times, 0.5),
            first_token_ms_p95: quantile(&times, 0.95),
        }
    }
}

/// Nearest-rank quantile of sorted values; 0 for none.
pub(crate) fn quantile(sorted: &[f64], q: f64) -> f64 {
    let rank = (q * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.max(1) - 1).copied().unwrap_or(0.0)
}

/// The median of values in any order; 0 for none.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    quantile(&values, 0.5)
}

/// A paired comparison of two rows on the same questions.
#[derive(Clone, Debug, Serialize)]
pub struct Paired {
    /// First row.
    pub a: String,
    /// Second row.
    pub b: String,
    /// Questions that only the first has right.
    pub only_a: usize,
    /// Questions that only the second has right.
    pub only_b: usize,
    /// Two-sided exact McNemar test: how likely a split at least this uneven is when neither row is better.
    pub p: f64,
}

/// Compares two rows by right answers.
pub fn paired(rows: &BTreeMap<String, Row>, a: &str, b: &str) -> Option<Paired> {
    let (first, second) = (rows.get(a)?, rows.get(b)?);
    let right = |row: &Row, question| row.outcomes.get(question).map(|outcome| outcome.verdict == Outcomes::Right);
    let (mut only_a, mut only_b) = (0, 0);
    for question in first.outcomes.keys() {
        match (right(first, question), right(second, question)) {
            (Some(true), Some(false)) => only_a += 1,
            (Some(false), Some(true)) => only_b += 1,
            _ => {}
        }
    }
    Some(Paired { a: a.to_owned(), b: b.to_owned(), only_a, only_b, p: mcnemar(only_a, only_b) })
}

pub(crate) fn mcnemar(a: usize, b: usize) -> f64 {
    let n = a + b;
    let mut term = 0.5f64.powi(n as i32);
    let mut tail = 0.0;
    for k in 0..=a.min(b) {
        tail += term;
        term *= (n - k) as f64 / (k + 1) as f64;
    }
    (2.0 * tail).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::{mcnemar, quantile};

    #[test]
    fn exact_mcnemar() {
        let table = [(0, 0, 1.0), (0, 5, 0.0625), (5, 0, 0.0625), (3, 3, 1.0), (1, 9, 22.0 / 1024.0)];
        for (a, b, expected) in table {
            assert!((mcnemar(a, b) - expected).abs() < 1e-12, "{a} {b}: {}", mcnemar(a, b));
        }
    }

    #[test]
    fn nearest_rank() {
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0], 0.5), 2.0);
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0], 0.95), 4.0);
        assert_eq!(quantile(&[], 0.5), 0.0);
    }
}
