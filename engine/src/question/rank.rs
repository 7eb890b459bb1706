//! How well a path says what was asked: words in common and, for the languages that the encoder knows, likeness of meaning.

use super::{expected::Expected, path::Path, wordings, words};
use crate::{
    EngineError,
    embed::SentenceEncoder,
    represent::{Kept, Origin, Shelf},
};
use factmask_graph::Snapshot;
use factmask_schema::{Iri, Range, Schema, ValueKind};
use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, Mutex, PoisonError},
};

/// Weight of the sentence encoder beside shared words. From the wordings of the sample schema, each left out in turn.
const MEANING: f32 = 0.65;
/// Vectors of words kept at most: 30 MB.
const MOST_WORDS: usize = 20_000;
/// Taken off when the kind of value does not fit the question word.
const WRONG_KIND: f32 = 0.15;
/// Taken off when a quantity is asked for and names would be given: they cannot be the answer.
const NAMES_FOR_A_QUANTITY: f32 = 0.5;
/// Taken off when the question names the class of its answer and the path ends in another one.
const WRONG_CLASS: f32 = 0.3;
/// Taken off for a second hop: of two paths that say the same the shorter one is meant.
const SECOND_HOP: f32 = 0.03;

/// Reads what sentences of one language mean. What the encoder has read of a tenant's schema stays on that tenant's shelf.
pub struct Meaning {
    encoder: SentenceEncoder,
    origin: Origin,
    /// Of words, which come again in other questions.
    words: Mutex<HashMap<String, Arc<[f32]>>>,
}

impl Meaning {
    /// The meaning that `encoder` reads.
    pub fn new(encoder: SentenceEncoder) -> Self {
        let origin = Origin { model: encoder.hash(), width: encoder.width() };
        Self { encoder, origin, words: Mutex::default() }
    }

    /// The encoder's hash, in hexadecimal digits.
    pub fn name(&self) -> String {
        self.origin.model.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Whether the encoder has a word as such ([`SentenceEncoder::knows`]).
    pub fn knows(&self, word: &str) -> bool {
        self.encoder.knows(word)
    }

    /// The unit vector of one question. It is not kept: questions seldom come twice.
    pub fn of(&self, question: &str) -> Result<Vec<f32>, EngineError> {
        Ok(self.encoder.encode(&[question])?.pop().unwrap_or_default())
    }

    /// The unit vectors of words and short phrases of questions. They are kept in memory, up to a number.
    ///
    /// # Errors
    /// A text that the encoder cannot take.
    pub fn of_words(&self, texts: &[String]) -> Result<Vec<Arc<[f32]>>, EngineError> {
        let kept = || self.words.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found: Vec<Option<Arc<[f32]>>> = {
            let kept = kept();
            texts.iter().map(|text| kept.get(text).cloned()).collect()
        };
        let missing: Vec<&str> =
            texts.iter().zip(&found).filter(|(_, found)| found.is_none()).map(|(text, _)| text.as_str()).collect();
        let mut read = self.encoder.encode(&missing)?.into_iter().map(Arc::<[f32]>::from);
        let mut kept = kept();
        if kept.len() + missing.len() > MOST_WORDS {
            kept.clear();
        }
        for (text, found) in texts.iter().zip(&mut found).filter(|(_, found)| found.is_none()) {
            *found = read.next();
            kept.extend(found.iter().map(|vector| (text.clone(), vector.clone())));
        }
        Ok(found.into_iter().map(Option::unwrap_or_default).collect())
    }

    /// The vectors of texts that are kept.
    ///
    /// # Errors
    /// A text that the encoder cannot take.
    pub fn read(&self, shelf: &Shelf, texts: &[String]) -> Result<Vec<Kept>, EngineError> {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        shelf.vectors(self.origin, &texts, |missing| self.encoder.encode(missing))
    }

    /// Likeness of each text to a question's vector, in order: 0 for texts that have nothing to do with it, 1 for the same.
    ///
    /// # Errors
    /// A text that the encoder cannot take.
    pub fn likeness(&self, shelf: &Shelf, vector: &[f32], texts: &[String]) -> Result<Vec<f32>, EngineError> {
        let kept = self.read(shelf, texts)?;
        let unlike = self.encoder.unlike();
        let cosine = |kept: &Kept| vector.iter().zip(kept.iter()).map(|(a, b)| a * b.to_f32()).sum::<f32>();
        Ok(kept.iter().map(|kept| ((cosine(kept) - unlike) / (1.0 - unlike)).max(0.0)).collect())
    }
}

/// What reads meaning, and where it keeps what it has read.
#[derive(Clone, Copy)]
pub struct Meant<'a> {
    /// The encoder of the question's language.
    pub meaning: &'a Meaning,
    /// The tenant's vectors.
    pub shelf: &'a Shelf,
}

/// A question prepared for comparison: the topic's mention replaced by its class word, years taken out.
pub struct Asked {
    /// The sentence.
    pub sentence: String,
    /// Its unit vector, where the language has an encoder.
    pub meaning: Vec<f32>,
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
    meant: Option<Meant<'_>>,
) -> Result<Vec<f32>, EngineError> {
    let sentences: Vec<Vec<String>> = paths.iter().map(|path| wordings::of_path(snapshot, path, lang)).collect();
    let meanings = match meant {
        Some(Meant { meaning, shelf }) => {
            let flat: Vec<String> = sentences.iter().flatten().cloned().collect();
            Some(meaning.likeness(shelf, &asked.meaning, &flat)?)
        }
        None => None,
    };
    let mut meanings = meanings.map(Vec::into_iter);
    let scores = paths.iter().zip(&sentences).map(|(path, sentences)| {
        let topic = wordings::class_word(snapshot.schema(), &snapshot.entity(path.topic).classes, lang);
        let topic = words::units(&topic);
        let fits: Vec<f32> = sentences
            .iter()
            .map(|sentence| {
                let own: BTreeSet<String> = words::units(sentence).difference(&topic).cloned().collect();
                let shared = words::overlap(&asked.units, &own);
                match meanings.as_mut().and_then(Iterator::next) {
                    Some(meaning) => MEANING * meaning + (1.0 - MEANING) * shared,
                    None => shared,
                }
            })
            .collect();
        // Of ways to say one thing the best one counts, of steps all.
        let best = match path.steps.len() {
            ..3 => fits.into_iter().fold(0.0, f32::max),
            steps => fits.iter().sum::<f32>() / steps as f32,
        };
        best - penalty(snapshot.schema(), path, asked)
    });
    Ok(scores.collect())
}

fn penalty(schema: &Schema, path: &Path, asked: &Asked) -> f32 {
    unfit(schema, path, asked) + SECOND_HOP * (path.steps.len() - 1) as f32
}

/// What the kind and class of value at a path's end cost it, where the question asks for another.
pub fn unfit(schema: &Schema, path: &Path, asked: &Asked) -> f32 {
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
    unfit + if other_class { WRONG_CLASS } else { 0.0 }
}
