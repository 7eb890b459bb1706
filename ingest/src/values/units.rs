//! Finds the words for units in text.

use crate::text::Letters;
use factmask_schema::unit::{Kind, UNITS, Unit};

/// The longest unit word at `at`, with its end. Latin words must be whole.
pub(crate) fn unit_at(letters: &Letters<'_>, at: usize) -> Option<(&'static Unit, usize)> {
    let ends = UNITS.iter().flat_map(|unit| unit.words.iter().map(move |word| (unit, *word)));
    ends.filter_map(|(unit, word)| word_at(letters, at, word).map(|end| (unit, end))).max_by_key(|(_, end)| *end)
}

/// As [`unit_at`] for what may stand before a number: a currency's sign or code.
pub(crate) fn currency_at(letters: &Letters<'_>, at: usize) -> Option<(&'static Unit, usize)> {
    unit_at(letters, at).filter(|(unit, _)| unit.kind == Kind::Currency)
}

/// The end of a unit's words when they stand at `at`; only words of letters need an edge behind them.
pub(crate) fn word_at(letters: &Letters<'_>, at: usize, word: &str) -> Option<usize> {
    let mut end = at;
    for char in word.chars() {
        if letters.at(end) != char {
            return None;
        }
        end += 1;
    }
    let letter = word.chars().last().is_some_and(char::is_alphanumeric);
    let glued = letter && letters.at(end).is_alphabetic() && !letters.is_edge(end);
    (end > at && !glued).then_some(end)
}
