//! The weights of the path model.

use super::features::{ACCOUNT, Clues, LAG, NATS, SHARED, Shared, tokens};
use crate::EngineError;
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, HashMap},
    fs, io,
    path::Path as FilePath,
};

/// Version of the file.
const FORMAT: u32 = 2;
/// Paths that are kept as meant by examples.
pub(super) const MOST_MEANT: usize = 256;
/// Weights before anything is learned: of a nat of the account, and of the lag by quarters. Chosen on the made-up facts of
/// `factmask bench mask --fit`, half of them asked for in other words than the schema's: of 160 paths in view about 138 are
/// chosen right, without the lag 131. Smaller weights in the same proportion choose longer paths worse, since paths that yield the same
/// are added up. The fit itself has no weight: sentences of longer paths fit less well, right or wrong.
const UNTAUGHT_ACCOUNT: f32 = 1.0;
const UNTAUGHT_LAG: f32 = 8.0;

/// Weights that say how likely a question means a path. Parts of paths and words that no example had weigh nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PathModel {
    pub(super) format: u32,
    /// Of the shared features.
    pub(super) shared: Vec<f32>,
    /// Number of each word.
    pub(super) words: BTreeMap<String, u32>,
    /// In how many examples each stood.
    pub(super) heard: Vec<u32>,
    /// The encoder whose vectors it was trained on, by its hash; empty without one.
    pub encoder: String,
    /// By part of a path.
    pub(super) parts: BTreeMap<String, Row>,
    /// The paths that examples meant, the most frequent first, each as its steps' signs. They compete also where a topic has none of
    /// them: what the question means may be missing, and what is left must not be taken for it.
    pub meant: Vec<Vec<String>>,
    /// Steps of the longest path that an example meant.
    pub most_steps: usize,
    /// Turns the log-odds of the likeliest path into those of its answer being right: constant and factor.
    pub calibration: [f32; 2],
}

/// What speaks for a part.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Row {
    /// Always.
    pub bias: f32,
    /// Each word, by its number.
    pub words: Vec<f32>,
    /// Each value of the question's vector.
    pub meaning: Vec<f32>,
}

impl PathModel {
    /// One that no example has taught: how far a path accounts for the question's words decides.
    pub fn untaught() -> Self {
        let mut shared = vec![0.0; SHARED];
        shared[ACCOUNT] = NATS * UNTAUGHT_ACCOUNT;
        shared[LAG] = UNTAUGHT_LAG;
        Self { format: FORMAT, shared, most_steps: 3, calibration: [0.0, 1.0], ..Self::default() }
    }

    /// Whether it has learned from examples.
    pub fn taught(&self) -> bool {
        !self.words.is_empty()
    }

    /// What each part says to a question.
    pub fn ask(&self, clues: &Clues) -> Asked<'_> {
        let words: Vec<usize> =
            clues.words.iter().filter_map(|word| self.words.get(word)).map(|number| *number as usize).collect();
        let parts = self.parts.iter().map(|(part, row)| (part.as_str(), row.say(&words, &clues.meaning)));
        Asked { parts: parts.collect(), shared: &self.shared }
    }

    /// In how many examples a word stood.
    pub fn heard(&self, word: &str) -> u32 {
        self.words
            .get(&tokens(word).join(" "))
            .and_then(|number| self.heard.get(*number as usize))
            .copied()
            .unwrap_or(0)
    }

    /// Reads the file.
    ///
    /// # Errors
    /// A file that is there and cannot be read, or is of another format.
    pub fn load(file: &FilePath) -> Result<Option<Self>, EngineError> {
        let bytes = match fs::read(file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(EngineError::Learned { file: file.to_owned(), fault: error.to_string() }),
        };
        let model: Self = serde_json::from_slice(&bytes)
            .map_err(|error| EngineError::Learned { file: file.to_owned(), fault: error.to_string() })?;
        if model.format != FORMAT || model.shared.len() != SHARED || model.heard.len() != model.words.len() {
            let fault = "was made by another version of this program".to_owned();
            return Err(EngineError::Learned { file: file.to_owned(), fault });
        }
        Ok(Some(model))
    }

    /// Writes the file: whole, or the old one stays.
    ///
    /// # Errors
    /// A folder that cannot be written.
    pub fn save(&self, file: &FilePath) -> Result<(), EngineError> {
        let write = || -> io::Result<()> {
            if let Some(folder) = file.parent() {
                fs::create_dir_all(folder)?;
            }
            let new = file.with_extension("new");
            fs::write(&new, serde_json::to_vec(self)?)?;
            fs::rename(new, file)
        };
        write().map_err(|error| EngineError::Learned { file: file.to_owned(), fault: error.to_string() })
    }
}

impl Row {
    pub fn say(&self, words: &[usize], meaning: &[f32]) -> f32 {
        let of_words: f32 = words.iter().filter_map(|word| self.words.get(*word)).sum();
        let of_meaning: f32 = self.meaning.iter().zip(meaning).map(|(weight, value)| weight * value).sum();
        self.bias + of_words + of_meaning
    }
}

/// A question put to the model.
pub struct Asked<'a> {
    parts: HashMap<&'a str, f32>,
    shared: &'a [f32],
}

impl Asked<'_> {
    /// How much speaks for a path, on the scale of log-probabilities.
    pub fn score(&self, parts: &[String], shared: &Shared) -> f32 {
        let own: f32 = parts.iter().filter_map(|part| self.parts.get(part.as_str())).sum();
        own + self.shared.iter().zip(shared).map(|(weight, value)| weight * value).sum::<f32>()
    }
}

/// Probabilities of log-scores.
pub fn probabilities(scores: &[f32]) -> Vec<f32> {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weights: Vec<f32> = scores.iter().map(|score| (score - most).exp()).collect();
    let sum: f32 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}
