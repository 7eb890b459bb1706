//! Reads Chinese questions: cut into words by the longest match, then by a grammar in which what narrows stands before the noun.
//! A character that no word covers makes it no reading.

mod ask;
mod noun;
mod words;

use super::{
    query::{Query, Set},
    reading::{Item, Items},
    sense::Sense,
};
use crate::question::link::Linker;
use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
};
use words::Word;

/// Readings of one stretch that are followed, the cheapest first.
const MOST_READINGS: usize = 24;
/// Words in a question at most.
const MOST_WORDS: usize = 40;
/// Steps taken in reading it; a question that needs more is none that anybody asks.
const MOST_STEPS: usize = 20_000;

/// A question being read. Stretches of words are `start..end`.
pub(super) struct Chinese<'a> {
    sense: Sense<'a>,
    words: Vec<Word>,
    known: RefCell<HashMap<(usize, usize), Items<Set>>>,
    /// Steps that may still be taken.
    left: Cell<usize>,
}

/// All readings of a question.
pub(super) fn read(sense: Sense<'_>, linker: &Linker, folded: &str) -> Vec<Item<Query>> {
    let Some(words) = words::cut(&sense, linker, folded).filter(|words| words.len() <= MOST_WORDS) else {
        return Vec::new();
    };
    let whether = words.iter().any(|word| word.is(words::Operator::Whether));
    let sense = Sense { lenient: whether, ..sense };
    let chinese = Chinese { sense, words, known: RefCell::default(), left: Cell::new(MOST_STEPS) };
    let readings = chinese.question();
    // Some of many readings might not be the best.
    if chinese.left.get() == 0 { Vec::new() } else { readings }
}

/// The cheapest of equal readings.
fn tidy<T: PartialEq>(mut items: Items<T>) -> Items<T> {
    items.sort_by_key(|item| item.cost);
    let mut kept: Items<T> = Vec::new();
    for item in items {
        if !kept.iter().any(|known| known.value == item.value) {
            kept.push(item);
        }
    }
    kept.truncate(MOST_READINGS);
    kept
}
