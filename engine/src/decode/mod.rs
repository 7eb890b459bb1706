//! Constrained decoding: the trie of possible answers and the model's probability for each of them.

mod decide;
mod trie;

pub use decide::{
    BAR, CHINESE, CHINESE_WITH_MODEL, Decision, Evidence, Features, GRAPH_ONLY, ModelEvidence, Verdict, WITH_MODEL,
    WORDS_ALONE, Weights, decide, features, likeliest, weigh_paths, weigh_paths_with,
};
pub use trie::{Fork, LeafScores, Trie};
