//! The operator words of each language, as data: what can be measured, which words order things by it, and which verbs say the same.
//!
//! Words of the language alone: no relation of any schema stands here. A dimension meets a relation by the names that the schema
//! gives to the relation.

pub mod chinese;
mod countries;
mod dimensions;
mod english;

pub use countries::COUNTRIES;
pub use dimensions::{DIMENSIONS, Dimension, NEUTRAL};
pub use english::{ADJECTIVES as ENGLISH, PLACES, SYNONYMS};

use super::{lemma::lemma, query::End};

/// A word that orders things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adjective {
    /// Its plain form.
    pub word: &'static str,
    /// The end of the order that its superlative names, of the numbers as they are kept: the oldest has the least date.
    pub end: End,
    /// The dimensions that it orders by, the first that a thing has before the others.
    pub by: &'static [&'static str],
    /// Whether it stands before any measure: "the highest price".
    pub general: bool,
}

/// How an adjective is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Degree {
    /// "long"
    Plain,
    /// "longer"
    Comparative,
    /// "longest"
    Superlative,
}

/// The adjective of an English word and its degree.
pub fn english_adjective(word: &str) -> Option<(Adjective, Degree)> {
    ENGLISH.iter().find_map(|adjective| {
        let is = |ending: &str| inflected(adjective.word, ending).any(|form| form == word);
        let degree = match () {
            () if adjective.word == word => Degree::Plain,
            () if is("er") => Degree::Comparative,
            () if is("est") => Degree::Superlative,
            () => return None,
        };
        Some((*adjective, degree))
    })
}

/// The words that say the same as an English or Chinese verb does in a sentence, it among them; of a verb with a particle ("run through")
/// the particle must be there too.
pub fn synonyms<'a>(verb: &str, sentence: &'a str) -> impl Iterator<Item = &'static str> + 'a {
    let verb = lemma(verb);
    let is = move |word: &str| {
        let (first, particle) = word.split_once(' ').unwrap_or((word, ""));
        lemma(first) == verb && sentence.contains(particle)
    };
    let groups = SYNONYMS.iter().chain(chinese::SYNONYMS);
    groups.filter(move |group| group.iter().any(|word| is(word))).flat_map(|group| group.iter().copied())
}

/// What else a noun or an adjective for a dimension in space or number is called: "tall", "height", "elevation". A time is no such
/// dimension: what is born is not founded.
pub fn measured_as(word: &str) -> impl Iterator<Item = &'static str> {
    const TIMES: &[&str] = &["beginning", "end", "time", "age"];
    let adjective = english_adjective(word).filter(|(_, degree)| *degree == Degree::Plain);
    let by = adjective.map_or(&[][..], |(adjective, _)| adjective.by);
    let word = lemma(word);
    let own = move |dimension: &&Dimension| {
        !TIMES.contains(&dimension.name)
            && (by.contains(&dimension.name) || dimension.nouns.iter().any(|noun| lemma(noun) == word))
    };
    DIMENSIONS.iter().filter(own).flat_map(|dimension| dimension.nouns.iter().copied())
}

/// "large" and "er" is "larger", "big" is "bigger", "heavy" is "heavier".
fn inflected(word: &str, ending: &str) -> impl Iterator<Item = String> {
    let last = word.chars().next_back().unwrap_or_default();
    let without = word.get(..word.len().saturating_sub(last.len_utf8())).unwrap_or_default();
    let form = match last {
        'e' => format!("{without}{ending}"),
        'y' => format!("{without}i{ending}"),
        _ => format!("{word}{ending}"),
    };
    [form, format!("{word}{last}{ending}")].into_iter()
}
