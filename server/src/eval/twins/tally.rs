//! How often something was given where nothing can be.

use super::super::totals::{share, upper_bound};
use super::Kind;
use serde::Serialize;

/// What became of one twin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// Nothing was given.
    Refused,
    /// What is left of the graph gave the gold answers of the question with an answer: right by another way, if by chance.
    GoldAgain,
    /// Something else was given.
    Wrong,
}

/// One kind of unanswerable questions in figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Refusals {
    /// Why they have no answer.
    pub kind: Kind,
    /// Questions asked.
    pub asked: usize,
    /// Those that got no answer.
    pub refused: usize,
    /// Those that got the gold answers by another way.
    pub gold_again: usize,
    /// Those that got anything else.
    pub wrong: usize,
    /// Wrong by asked.
    pub wrong_share: f64,
    /// One-sided 95% upper bound of that share (Clopper and Pearson 1934).
    pub wrong_upper95: f64,
    /// Asked ones whose question got an answer while it had one: who refuses everything refuses these too.
    pub of_answered: usize,
    /// Wrong ones among those.
    pub wrong_of_answered: usize,
}

impl Refusals {
    /// Adds up: what became of each question, and whether its twin with an answer got one.
    pub fn of(kind: Kind, fates: &[(Fate, bool)]) -> Self {
        let count =
            |wanted: &dyn Fn(Fate, bool) -> bool| fates.iter().filter(|(fate, was)| wanted(*fate, *was)).count();
        let wrong = count(&|fate, _| fate == Fate::Wrong);
        Self {
            kind,
            asked: fates.len(),
            refused: count(&|fate, _| fate == Fate::Refused),
            gold_again: count(&|fate, _| fate == Fate::GoldAgain),
            wrong,
            wrong_share: share(wrong as f64, fates.len()),
            wrong_upper95: upper_bound(wrong, fates.len()),
            of_answered: count(&|_, was| was),
            wrong_of_answered: count(&|fate, was| was && fate == Fate::Wrong),
        }
    }
}

/// A table for the terminal: one line for each kind in each run.
pub fn table<'a>(runs: impl Iterator<Item = (&'a str, &'a str, &'a [Refusals])>) -> String {
    let mut text = String::new();
    for (set, mode, kinds) in runs {
        for Refusals {
            kind,
            asked,
            refused,
            gold_again,
            wrong,
            wrong_share,
            wrong_upper95,
            of_answered,
            wrong_of_answered,
        } in kinds
        {
            text.push_str(&format!(
                "{set:<16} {mode:<12} {:<14} {asked:>6} {refused:>7} {gold_again:>6} {wrong:>6} {wrong_share:>7.4} {wrong_upper95:>7.4} {:>12}\n",
                kind.name(),
                format!("{wrong_of_answered}/{of_answered}"),
            ));
        }
    }
    if text.is_empty() {
        return text;
    }
    let head = format!(
        "\n{:<16} {:<12} {:<14} {:>6} {:>7} {:>6} {:>6} {:>7} {:>7} {:>12}\n",
        "no answer", "mode", "why", "asked", "refused", "gold", "wrong", "share", "upper95", "of answered"
    );
    head + &text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums() {
        use Fate::{GoldAgain, Refused, Wrong};
        let fates = [(Refused, true), (Refused, false), (Wrong, true), (Wrong, false), (GoldAgain, true)];
        let found = Refusals::of(Kind::LastFacts, &fates);
        assert_eq!((found.asked, found.refused, found.gold_again, found.wrong), (5, 2, 1, 2));
        assert_eq!((found.of_answered, found.wrong_of_answered, found.wrong_share), (3, 1, 0.4));
        assert_eq!(Refusals::of(Kind::Marked, &[]).wrong_share, 0.0);
        let text = table([("s", "fused", [found].as_slice())].into_iter());
        assert_eq!(text.lines().count(), 3, "{text}");
        assert!(text.contains("1/3"), "{text}");
        assert_eq!(table([("s", "fused", [].as_slice())].into_iter()), "");
    }
}
