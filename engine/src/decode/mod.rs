//! Constrained decoding: the trie of possible answers, the automaton of literal spans, and the model's probability for each of them.

mod decide;
mod spans;
mod trie;

pub use decide::{
    BAR, CHINESE, CHINESE_WITH_MODEL, Decision, Evidence, Features, GRAPH_ONLY, LIKENESS_BESIDE_ALIGNMENT,
    ModelEvidence, PASSED_OVER, SHARED_NAME, Verdict, WITH_MODEL, WORDS_ALONE, Weights, decide, features, likeliest,
    weigh_paths, weigh_paths_with,
};
pub use spans::{Span, SpanScores, SpanToken, Spans, State, Step, log_sum_exp};
pub use trie::{Fork, LeafScores, Trie};
