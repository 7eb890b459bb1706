//! What can go wrong, with the thing named and the remedy said.

use std::path::PathBuf;

/// Errors of the engine.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The question is empty or longer than [`crate::answer::MAX_QUESTION_CHARS`].
    #[error("the question {fault}; ask in 1 to {limit} characters", limit = crate::answer::MAX_QUESTION_CHARS)]
    Question {
        /// "is empty", "has 100000 characters".
        fault: String,
    },
    /// A language that questions are not read in.
    #[error("language `{lang}`: questions are read in en and zh; leave the language out to have it detected")]
    Language {
        /// The tag that was given.
        lang: String,
    },
    /// A model file that cannot be read or is not one of the supported families.
    #[error("{path}: {fault}")]
    Model {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and the remedy.
        fault: String,
    },
    /// What was learned from examples cannot be read or kept.
    #[error("{file}: {fault} (learn it anew with `factmask align`)")]
    Learned {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        fault: String,
    },
    /// A sequence that does not fit: too many tokens or a position beyond the model's context.
    #[error("{what} needs {needed} tokens, the model takes {limit}")]
    TooLong {
        /// What does not fit.
        what: String,
        /// Its length.
        needed: usize,
        /// The limit.
        limit: usize,
    },
    /// A forward pass without tokens.
    #[error("nothing to compute: {0}")]
    EmptySegment(&'static str),
    /// A token that the model has no embedding for.
    #[error("token {token} is not one of the model's {vocab}; it was made with another model's tokenizer")]
    UnknownToken {
        /// The token.
        token: u32,
        /// Tokens of the model.
        vocab: usize,
    },
    /// A layer that the model does not have.
    #[error("layer {layer} was asked for, the model has {layers}, counted from 0")]
    UnknownLayer {
        /// The layer.
        layer: usize,
        /// Layers of the model.
        layers: usize,
    },
    /// Keys and values of another model.
    #[error("a block of {found} does not fit the model, which has {expected}; encode its text again")]
    ForeignBlock {
        /// Sizes of the block.
        found: String,
        /// Sizes of the model.
        expected: String,
    },
    /// A bias that is not a finite number.
    #[error("a bias of {0} cannot be added to attention logits; hide the tokens instead")]
    Bias(f32),
    /// The sentence encoder's files cannot be read, or a text cannot be encoded.
    #[error("{path}: {fault}")]
    Encoder {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it, and the remedy.
        fault: String,
    },
    /// The chat template is missing, or fails on these messages.
    #[error("chat template: {0}")]
    Template(String),
    /// The tokenizer refused its input or its definition.
    #[error("tokenizer: {0}")]
    Tokenizer(String),
    /// The automaton over all names could not be built.
    #[error("the index of names could not be built: {0}")]
    Names(String),
    /// The system has no memory for the weights.
    #[error("no memory for the model: {0}; take a smaller one, or free some")]
    Memory(std::io::Error),
    /// A document whose text is looked at cannot be read.
    #[error(transparent)]
    Text(#[from] factmask_graph::GraphError),
    /// The caller took its question back.
    #[error("cancelled")]
    Cancelled,
}
