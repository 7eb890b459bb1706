//! How well a path says what was asked: words in common and, for the languages that the encoder knows, likeness of meaning.

use super::{constraint::Expected, path::Path, wordings, words};
use crate::{EngineError, embed::SentenceEncoder};
use factmask_graph::Snapshot;
use factmask_schema::{Iri, Range, Schema, ValueKind};
use std::{
    collections::{BTreeSet, HashMap},
    sync::Mutex,
};

/// Weight of the sentence encoder beside shared words. From the wordings of the sample schema, each left out in turn.
const MEANING: f32 = 0.65;
/// Taken off when the kind of value does not fit the question word.
const WRONG_KIND: f32 = 0.15;
/// Taken off when a quantity is asked for and names would be given: they cannot be the answer.
const NAMES_FOR_A_QUANTITY: f32 = 0.5;
/// Taken off when the question names the class of its answer and the path ends in another one.
const WRONG_CLASS: f32 = 0.3;
/// Taken off for a second hop: of two paths that say the same the shorter one is meant.
const SECOND_HOP: f32 = 0.03;

/// Wordings kept with their vectors; with more, the memory is emptied and fills again.
const MOST_REMEMBERED: usize = 100_000;

/// The sentence encoder and the wordings it has read: they are the same for all questions over a schema, so each is read once.
pub struct Meaning {
    encoder: SentenceEncoder,
    known: Mutex<HashMap<String, Vec<f32>>>,
}

impl Meaning {
    /// Remembers what `encoder` reads.
    pub fn new(encoder: SentenceEncoder) -> Self {
        Self { encoder, known: Mutex::default() }
    }

    /// The unit vector of one question.
    pub fn of(&self, question: &str) -> Result<Option<Vec<f32>>, EngineError> {
        Ok(self.encoder.encode(&[question])?.pop())
    }

    /// Likeness of each text to a vector, in order.
    fn likeness(&self, vector: &[f32], texts: &[String]) -> Result<Vec<f32>, EngineError> {
        let missing: Vec<&str> = {
            let known = self.known.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let distinct: BTreeSet<&str> =
                texts.iter().map(String::as_str).filter(|text| !known.contains_key(*text)).collect();
            distinct.into_iter().collect()
        };
        // Encoded outside the lock: two questions at once may both do it, neither waits for the other.
        let mut fresh = Vec::with_capacity(missing.len());
        for batch in missing.chunks(64) {
            fresh.extend(self.encoder.encode(batch)?);
        }
        let mut known = self.known.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if known.len() > MOST_REMEMBERED {
            known.clear();
        }
        known.extend(missing.into_iter().map(str::to_owned).zip(fresh));
        Ok(texts.iter().map(|text| known.get(text).map_or(0.0, |known| dot(vector, known))).collect())
    }
}

/// A question prepared for comparison: the topic's mention replaced by its class word, years taken out.
pub struct Asked {
    /// The sentence.
    pub sentence: String,
    /// Its vector, where an encoder reads this language.
    pub vector: Option<Vec<f32>>,
    /// Its content units without the topic.
    pub units: BTreeSet<String>,
    /// The kind of value it calls for.
    pub expected: Expected,
    /// The class of its answer, where it names one.
    pub class: Option<Iri>,
}

/// Scores paths that start at one topic; 0 to about 1, higher is better.
pub fn score(
    snapshot: &Snapshot,
    paths: &[Path],
    asked: &Asked,
    lang: &str,
    meaning: Option<&Meaning>,
) -> Result<Vec<f32>, EngineError> {
    let sentences: Vec<Vec<String>> = paths.iter().map(|path| wordings::of_path(snapshot, path, lang)).collect();
    let meanings = match (meaning, &asked.vector) {
        (Some(meaning), Some(vector)) => {
            let flat: Vec<String> = sentences.iter().flatten().cloned().collect();
            Some(meaning.likeness(vector, &flat)?)
        }
        _ => None,
    };
    let mut meanings = meanings.map(Vec::into_iter);
    let scores = paths.iter().zip(&sentences).map(|(path, sentences)| {
        let topic = wordings::class_word(snapshot.schema(), &snapshot.entity(path.topic).classes, lang);
        let topic = words::units(&topic);
        let best = sentences
            .iter()
            .map(|sentence| {
                let own: BTreeSet<String> = words::units(sentence).difference(&topic).cloned().collect();
                let shared = words::overlap(&asked.units, &own);
                match meanings.as_mut().and_then(Iterator::next) {
                    Some(meaning) => MEANING * meaning + (1.0 - MEANING) * shared,
                    None => shared,
                }
            })
            // Every sentence must be drawn, so that the flat list of meanings stays in step.
            .fold(0.0f32, f32::max);
        best - penalty(snapshot.schema(), path, asked)
    });
    Ok(scores.collect())
}

fn penalty(schema: &Schema, path: &Path, asked: &Asked) -> f32 {
    let Some(last) = path.steps.last() else { return 0.0 };
    let relation = schema.relation(&last.relation);
    let (kind, class) = match &relation.range {
        Range::Value(value) if last.forward => (Some(value.kind), None),
        Range::Entity(class) if last.forward => (None, class.as_ref()),
        _ => (None, relation.domain.as_ref()),
    };
    let unfit = match (asked.expected, kind) {
        (Expected::Quantity, None) => NAMES_FOR_A_QUANTITY,
        (Expected::Quantity, Some(ValueKind::Number))
        | (Expected::Time, Some(ValueKind::Date | ValueKind::Year))
        | (Expected::Someone, None | Some(ValueKind::Text))
        | (Expected::Anything, _) => 0.0,
        _ => WRONG_KIND,
    };
    let related = |class: &Iri, asked: &Iri| schema.is_a(class, asked) || schema.is_a(asked, class);
    let other_class = match (&asked.class, class) {
        (Some(asked), Some(class)) => !related(class, asked),
        (Some(_), None) => kind.is_some_and(|kind| kind != ValueKind::Text),
        (None, _) => false,
    };
    unfit + if other_class { WRONG_CLASS } else { 0.0 } + SECOND_HOP * (path.steps.len() - 1) as f32
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
