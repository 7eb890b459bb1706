//! Reads English questions by a grammar of noun phrases, predicates and questions. Every content word must have its part in a
//! reading; several readings may come out, each with a cost: the less was guessed, the less it costs.

mod amount;
mod ask;
mod noun;
mod predicate;
mod whether;

use super::{
    lemma::lemma,
    lexicon::{self, Adjective, Degree},
    other_names,
    query::{End, Query, Set},
    reading::{Item, Items, tokens},
    sense::Sense,
};
use crate::question::{link::Linker, words::is_function_word};
use factmask_graph::EntityId;
use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    ops::Range,
};

/// Readings of one place that are followed, the cheapest first.
const MOST_READINGS: usize = 24;
/// Noun phrases within noun phrases.
const DEEPEST: usize = 7;
/// Words in a question at most, and steps taken in reading it: a question that needs more is none that anybody asks.
const MOST_WORDS: usize = 60;
const MOST_STEPS: usize = 20_000;
/// Words in a name at most.
const LONGEST_NAME: usize = 8;

/// The names of entities in a question, by the token that they begin at: where each ends and who bears it.
type Names = Vec<Vec<(usize, Vec<EntityId>)>>;

/// A question being read.
pub(super) struct English<'a> {
    sense: Sense<'a>,
    tokens: Vec<Token<'a>>,
    names: Names,
    known: RefCell<HashMap<usize, Items<Set>>>,
    depth: RefCell<usize>,
    /// Steps that may still be taken.
    left: Cell<usize>,
}

/// A word with its lemma.
struct Token<'a> {
    text: &'a str,
    lemma: String,
}

/// All readings of a question.
pub(super) fn read(sense: Sense<'_>, linker: &Linker, folded: &str) -> Vec<Item<Query>> {
    let spans = tokens(folded);
    let token = |span: &Range<usize>| {
        let text = folded.get(span.clone()).unwrap_or_default();
        Token { text, lemma: lemma(text) }
    };
    let tokens: Vec<Token<'_>> = spans.iter().map(token).collect();
    let names = names(linker, folded, &spans);
    let whether = tokens.first().is_some_and(|token| whether::WHETHER.contains(&token.text));
    let sense = Sense { lenient: whether, ..sense };
    let english = English {
        sense,
        tokens,
        names,
        known: RefCell::default(),
        depth: RefCell::default(),
        left: Cell::new(MOST_STEPS),
    };
    if english.tokens.len() > MOST_WORDS {
        return Vec::new();
    }
    let mut readings = english.question();
    // Some of many readings might not be the best.
    if english.left.get() == 0 {
        return Vec::new();
    }
    readings.retain(|item| item.end == english.tokens.len());
    readings
}

/// All names in a question, longer and shorter ones; none that is a function word.
fn names(linker: &Linker, folded: &str, spans: &[Range<usize>]) -> Names {
    let at = |start: usize| {
        let ends = start..(start + LONGEST_NAME).min(spans.len());
        let named = ends.filter_map(|last| {
            let text = folded.get(spans.get(start)?.start..spans.get(last)?.end)?;
            let bearers = linker.exact(text).or_else(|| other_names(text).find_map(|name| linker.exact(name)))?;
            (bearers.len() <= super::MOST_HOMONYMS && !is_function_word(text)).then(|| (last + 1, bearers.to_vec()))
        });
        named.collect()
    };
    (0..spans.len()).map(at).collect()
}

impl<'a> English<'a> {
    /// Takes a step; false where there have been too many.
    fn step(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0
    }

    fn text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.text)
    }

    fn is(&self, at: usize, words: &[&str]) -> bool {
        at < self.tokens.len() && words.contains(&self.text(at))
    }

    /// The place behind a phrase, where it stands here.
    fn past(&self, at: usize, phrase: &str) -> Option<usize> {
        let mut end = at;
        for word in phrase.split(' ') {
            if self.text(end) != word {
                return None;
            }
            end += 1;
        }
        Some(end)
    }

    /// The place behind the first phrase that stands here; longer ones must come first.
    fn past_any(&self, at: usize, phrases: &[&str]) -> Option<usize> {
        phrases.iter().find_map(|phrase| self.past(at, phrase))
    }

    /// The lemmas from one place to another.
    fn phrase(&self, from: usize, to: usize) -> String {
        let lemmas = self.tokens.get(from..to).unwrap_or_default().iter().map(|token| token.lemma.as_str());
        lemmas.collect::<Vec<_>>().join(" ")
    }

    /// The longest first: phrases from here with where they end.
    fn phrases(&self, at: usize, longest: usize) -> impl Iterator<Item = (usize, String)> {
        (at + 1..=(at + longest).min(self.tokens.len())).rev().map(move |end| (end, self.phrase(at, end)))
    }

    /// A superlative here, and the end of the order that it names.
    fn superlative(&self, at: usize) -> Option<(Adjective, End, usize)> {
        let adjective = |at: usize| lexicon::english_adjective(self.text(at));
        if self.is(at, &["most", "least"]) {
            // "Most densely populated" is populated with a manner; "most populous" and "most dense" are adjectives.
            let (found, _) = adjective(at + 1).filter(|(_, degree)| *degree == Degree::Plain)?;
            let end = if self.is(at, &["most"]) { found.end } else { found.end.opposite() };
            return Some((found, end, at + 2));
        }
        if let Some((_, end)) = EXTREMES.iter().find(|(word, _)| self.is(at, &[word])) {
            let great = Adjective { word: "", end: *end, by: &[], general: true };
            return Some((great, *end, at + 1));
        }
        let (found, degree) = adjective(at)?;
        (degree == Degree::Superlative).then_some((found, found.end, at + 1))
    }

    /// Keeps the cheapest of equal readings, and of all the cheapest.
    fn tidy<T: PartialEq>(&self, mut items: Items<T>) -> Items<T> {
        items.sort_by_key(|item| item.cost);
        let mut kept: Items<T> = Vec::new();
        for item in items {
            if !kept.iter().any(|known| known.end == item.end && known.value == item.value) {
                kept.push(item);
            }
        }
        kept.truncate(MOST_READINGS);
        kept
    }
}

/// Superlatives that stand before any measure.
const EXTREMES: &[(&str, End)] =
    &[("maximum", End::Most), ("maximal", End::Most), ("minimum", End::Least), ("minimal", End::Least)];
