//! Constrained decoding: the trie of possible answers and the model's probability for each of them.

mod decide;
mod trie;

pub use decide::{
    BAR, CHINESE, Decision, Evidence, GRAPH_ONLY, ModelEvidence, Verdict, WITH_MODEL, WORDS_ALONE, Weights, decide,
    features, likeliest, weigh_paths,
};
pub use trie::{LeafScores, Trie};
