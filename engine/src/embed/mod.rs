//! Sentence embeddings: texts to unit vectors that lie near when the texts mean alike.
//!
//! Two forms of encoder are read: a folder of a BERT model in safetensors, such as all-MiniLM-L6-v2 for English ([`bert`]), and a
//! packed file of four-bit weights, such as multilingual-e5-small for Chinese ([`packed`], cut into tokens by [`pieces`]).

mod bert;
mod body;
mod packed;
mod pieces;

use crate::EngineError;
use body::Body;
use pieces::Pieces;
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use std::{
    fmt, fs,
    path::{Path, PathBuf},
};
use tokenizers::Tokenizer;

/// A loaded sentence encoder. Shared between threads.
pub struct SentenceEncoder {
    path: PathBuf,
    hash: [u8; 32],
    cutter: Cutter,
    body: Body,
}

/// What cuts texts into tokens, by the form of the file.
enum Cutter {
    Bert(Box<Tokenizer>),
    Packed(Box<Pieces>),
}

/// Part of each encoder's hash: with other kernels the same weights give other bits.
const ARITHMETIC: &[u8] = b"panels 1";

impl SentenceEncoder {
    /// Loads a folder with `config.json`, `tokenizer.json` and `model.safetensors`, or a packed file.
    ///
    /// # Errors
    /// [`EngineError::Encoder`] with the file that is missing or damaged.
    pub fn open(path: &Path) -> Result<Self, EngineError> {
        let (hash, cutter, body) = if path.is_dir() {
            let [config, tokenizer, weights] =
                ["config.json", "tokenizer.json", "model.safetensors"].map(|name| path.join(name));
            let (config, tokenizer) = (File::read(&config)?, File::read(&tokenizer)?);
            let weights = File::read(&weights)?;
            let (tokenizer, body) = bert::open(&config, &tokenizer, &weights)?;
            (weights.hash(), Cutter::Bert(Box::new(tokenizer)), body)
        } else {
            let file = File::read(path)?;
            let (pieces, body) = packed::open(&file)?;
            (file.hash(), Cutter::Packed(Box::new(pieces)), body)
        };
        Ok(Self { path: path.to_owned(), hash, cutter, body })
    }

    /// Values of an embedding.
    #[must_use]
    pub fn width(&self) -> usize {
        self.body.width()
    }

    /// The cosine of texts that have nothing to do with each other: about 0 for most encoders. Of multilingual-e5, which was trained
    /// with a low temperature, all embeddings lie near each other: sentences of the sample schema that ask for different relations
    /// have 0.80 in English and 0.85 in Chinese, for the same relation 0.93 and 0.96.
    #[must_use]
    pub fn unlike(&self) -> f32 {
        match &self.cutter {
            Cutter::Bert(_) => 0.0,
            Cutter::Packed(_) => 0.8,
        }
    }

    /// SHA-256 of the weights and the arithmetic: vectors of encoders with different ones cannot be compared.
    #[must_use]
    pub fn hash(&self) -> [u8; 32] {
        self.hash
    }

    /// Whether a word is one piece of the encoder's vocabulary, as the words of its language are that were common in what it was trained on.
    #[must_use]
    pub fn knows(&self, word: &str) -> bool {
        match &self.cutter {
            Cutter::Bert(tokenizer) => tokenizer.token_to_id(word).is_some(),
            Cutter::Packed(pieces) => pieces.knows(word),
        }
    }

    /// The embedding of each text, of unit length: the mean over its tokens. Texts longer than the encoder takes are cut.
    ///
    /// # Errors
    /// [`EngineError::Encoder`] when a text has characters that the tokenizer cannot take.
    pub fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EngineError> {
        let failed = |cause: candle_core::Error| EngineError::Encoder {
            path: self.path.clone(),
            fault: format!("cannot encode a text: {cause}"),
        };
        let tokens = texts.par_iter().map(|text| self.tokens(text)).collect::<Result<Vec<_>, _>>().map_err(failed)?;
        Ok(self.body.means(&tokens)?.into_iter().map(unit).collect())
    }

    fn tokens(&self, text: &str) -> candle_core::Result<Vec<u32>> {
        match &self.cutter {
            Cutter::Bert(tokenizer) => {
                let encoding = tokenizer.encode(text, true).map_err(candle_core::Error::msg)?;
                Ok(encoding.get_ids().to_vec())
            }
            Cutter::Packed(pieces) => pieces.tokens(&packed::with_role(text), self.body.longest()),
        }
    }
}

impl fmt::Debug for SentenceEncoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SentenceEncoder").field("path", &self.path).finish_non_exhaustive()
    }
}

/// A file of an encoder, read.
struct File {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl File {
    fn read(path: &Path) -> Result<Self, EngineError> {
        let bytes = fs::read(path).map_err(|cause| EngineError::Encoder {
            path: path.to_owned(),
            fault: format!("cannot be read: {cause}; fetch it with `factmask model pull`"),
        })?;
        Ok(Self { path: path.to_owned(), bytes })
    }

    fn hash(&self) -> [u8; 32] {
        Sha256::new().chain_update(&self.bytes).chain_update(ARITHMETIC).finalize().into()
    }

    fn damaged(&self, cause: &dyn fmt::Display) -> EngineError {
        let cause = cause.to_string();
        let cause = cause.lines().next().unwrap_or_default();
        EngineError::Encoder {
            path: self.path.clone(),
            fault: format!("is damaged: {cause}; fetch it again with `factmask model pull`"),
        }
    }
}

fn unit(mut values: Vec<f32>) -> Vec<f32> {
    let length = values.iter().map(|value| value * value).sum::<f32>().sqrt();
    if length > 0.0 {
        values.iter_mut().for_each(|value| *value /= length);
    }
    values
}
