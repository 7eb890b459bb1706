//! Whether a span is sufficient evidence for an answer.
//!
//! Two small models over generic witnesses, neither of which knows a subject or a relation. The first ranks the spans that the language
//! model reads, since a small model reads badly alone: beside its probability stand the question's words around the span, and whether
//! the kind of answer fits the kind of question. The second judges the best one by its score and by the share that different spans
//! leave it.

use super::{
    Found, Index, Passage,
    kind::{self, Asked, Looks},
};
use crate::{
    fusion::passages::{ReadSpan, SpanPlace, TextReading},
    question::words,
};
use factmask_graph::DocumentId;
use serde::Serialize;
use std::{collections::BTreeSet, ops::Range};

/// What is asked, as far as spans are judged by it.
#[derive(Clone, Debug)]
pub struct Question {
    /// The kind of answer.
    pub asked: Asked,
    /// Its content units with how rare each is among the passages.
    units: Vec<(String, f32)>,
    /// The units of what it writes with capitals or digits.
    names: BTreeSet<String>,
}

/// A passage that was shown, with how it was found; the place in the list is its rank.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The passage.
    pub passage: &'a Passage,
    /// How it was found.
    pub found: &'a Found,
}

/// Witnesses of one span, in the order of [`RANKING`].
pub type Witnesses = [f32; 8];
/// Witnesses of the best span against all others, in the order of [`SUFFICIENCY`].
pub type Sufficiency = [f32; 2];

/// A span with what speaks for it.
#[derive(Clone, Debug, Serialize)]
pub struct Candidate {
    /// As the sentence writes it.
    pub text: String,
    /// Its passage, by its rank.
    pub passage: usize,
    /// Its sentence in the passage.
    pub sentence: usize,
    /// Its bytes in the sentence.
    pub bytes: Range<usize>,
    /// What it looks like.
    pub looks: Looks,
    /// What speaks for it.
    pub witnesses: Witnesses,
    /// What that amounts to, in log-odds.
    pub score: f32,
}

/// Weights of a span's witnesses: its log-probability, its beginning's lift by the question, the share of the question's words (by
/// their worth) in sentence and headings, how near the next of them is, whether the kind of answer fits, whether it is a name where the
/// question does not say, the share of its words that the question has itself, and its length in fours of words. A conditional logit,
/// fitted on 118 questions of three English development sets together that SmolLM2 read. With twelve witnesses more (likeness by the
/// encoder, rank of the passage, its share of the question's names, punctuation, rarity, ...) a set that was left out was answered
/// worse.
pub const RANKING: [f32; 8] = [0.26, 0.28, 3.88, 1.78, 1.17, 1.88, -4.8, 0.56];
/// Weights of the best span's score and share, and the constant last: a logistic model, fitted on 180 questions of the same three sets
/// that were read again under these bounds, 62 of them unanswerable. A set that was left out had a log loss of 0.51 where one answer in
/// five is right: it tells little, and calls for the bar.
pub const SUFFICIENCY: [f32; 3] = [0.17, 3.25, -3.99];

/// Below this an answer is not given.
pub const BAR: f32 = 0.5;

impl Question {
    /// Reads a question against what its words are worth in an index.
    pub fn new(question: &str, index: &Index) -> Self {
        let weighed = |units: BTreeSet<String>| -> Vec<(String, f32)> {
            units.into_iter().map(|unit| (unit.clone(), index.rarity(&unit))).collect()
        };
        let names: Vec<&str> = kind::word_ranges(question)
            .into_iter()
            .filter_map(|range| question.get(range))
            .filter(|word| kind::looks(word) != Looks::Plain)
            .collect();
        Self {
            asked: kind::asked(question),
            units: weighed(words::units(question)),
            names: words::units(&names.join(" ")),
        }
    }

    /// The content units.
    pub fn units(&self) -> BTreeSet<String> {
        self.units.iter().map(|(unit, _)| unit.clone()).collect()
    }

    /// Whether a document has every name and year of the question somewhere: what it is silent about it holds no answer to.
    pub fn is_about(&self, index: &Index, document: &DocumentId) -> bool {
        self.names.iter().all(|name| index.says(document, name))
    }

    /// The share of its words, by their worth, that a sentence and the headings above it have.
    pub fn around(&self, passage: &Passage, sentence: usize) -> f32 {
        share(&self.units, &words::units(&passage.in_context(sentence)))
    }

    /// The spans that were read with what speaks for each, best first.
    pub fn rank(&self, seen: &[Seen<'_>], reading: &TextReading) -> Vec<Candidate> {
        let mut candidates: Vec<Candidate> =
            reading.spans.iter().filter_map(|span| self.candidate(seen, span)).collect();
        candidates.sort_by(|one, other| other.score.total_cmp(&one.score));
        candidates
    }

    fn candidate(&self, seen: &[Seen<'_>], span: &ReadSpan) -> Option<Candidate> {
        let at = |place: &SpanPlace| self.at(seen, place, span);
        span.places.iter().filter_map(at).max_by(|one, other| one.score.total_cmp(&other.score))
    }

    fn at(&self, seen: &[Seen<'_>], place: &SpanPlace, span: &ReadSpan) -> Option<Candidate> {
        let passage = seen.get(place.passage)?.passage;
        let sentence = passage.sentences.get(place.sentence)?.as_str();
        let text = sentence.get(place.bytes.clone())?;
        let ranges = kind::word_ranges(sentence);
        let own: Vec<&str> = kind::word_ranges(text).into_iter().filter_map(|range| text.get(range)).collect();
        let looks = kind::run_looks(own.iter().copied());
        let span_units = words::units(text);
        let repeated = span_units.iter().filter(|unit| self.units.iter().any(|(own, _)| own == *unit)).count();
        let certain = |fits: bool| if fits { 1.0 } else { -1.0 };
        let fits = if self.asked == Asked::Anything { 0.0 } else { certain(kind::fits(self.asked, looks)) };
        let name = self.asked == Asked::Anything && looks == Looks::Name;
        let witnesses = [
            span.log_probability.max(-10.0),
            span.lift.clamp(-5.0, 5.0),
            self.around(passage, place.sentence),
            1.0 / (1.0 + self.distance(sentence, &ranges, &place.bytes) as f32),
            fits,
            f32::from(u8::from(name)),
            repeated as f32 / span_units.len().max(1) as f32,
            (own.len() as f32 / 4.0).min(3.0),
        ];
        let score = witnesses.iter().zip(&RANKING).map(|(witness, weight)| witness * weight).sum();
        Some(Candidate {
            text: text.to_owned(),
            passage: place.passage,
            sentence: place.sentence,
            bytes: place.bytes.clone(),
            looks,
            witnesses,
            score,
        })
    }

    /// Words between a span and the nearest word of the question in its sentence; all of them where there is none.
    fn distance(&self, sentence: &str, words: &[Range<usize>], span: &Range<usize>) -> usize {
        let asked = |range: &Range<usize>| {
            let units = sentence.get(range.clone()).map(words::units).unwrap_or_default();
            !units.is_empty() && units.iter().all(|unit| self.units.iter().any(|(own, _)| own == unit))
        };
        let before = words.iter().filter(|range| range.end <= span.start).rev().position(asked);
        let behind = words.iter().filter(|range| range.start >= span.end).position(asked);
        before.into_iter().chain(behind).min().unwrap_or(words.len())
    }
}

/// The share of units, by their worth, that a text has; 1 where there are none.
fn share(units: &[(String, f32)], text: &BTreeSet<String>) -> f32 {
    let all: f32 = units.iter().map(|(_, worth)| worth).sum();
    let held: f32 = units.iter().filter(|(unit, _)| text.contains(unit)).map(|(_, worth)| worth).sum();
    if all > 0.0 { held / all } else { 1.0 }
}

/// What speaks for the first of ranked candidates: its score, and its share among all of them, those that say the same in more or in
/// fewer words counted with it.
pub fn sufficiency(ranked: &[Candidate]) -> Option<Sufficiency> {
    let best = ranked.first()?;
    let own = words::units(&best.text);
    let same = |other: &&Candidate| {
        let units = words::units(&other.text);
        units.is_subset(&own) || own.is_subset(&units)
    };
    let weight = |other: &Candidate| (other.score - best.score).exp();
    let all: f32 = ranked.iter().map(weight).sum();
    Some([best.score, ranked.iter().filter(same).map(weight).sum::<f32>() / all])
}

/// The probability that the answer is right.
pub fn confidence(witnesses: &Sufficiency) -> f32 {
    let [weights @ .., constant] = &SUFFICIENCY;
    let z = witnesses.iter().zip(weights).map(|(witness, weight)| witness * weight).sum::<f32>() + constant;
    1.0 / (1.0 + (-z).exp())
}
