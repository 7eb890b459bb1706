//! The language model and the fusion of graph facts with its attention.
//!
//! An [`Engine`] answers a question over one [`Snapshot`](factmask_graph::Snapshot): it links the question to entities, ranks
//! relation paths, compiles the facts on them into an attention plan over precomputed key/value blocks, decodes inside the trie
//! of possible values, checks the model's reading against the graph, and answers with facts that carry their evidence, or says
//! that the knowledge base does not hold it. It knows no HTTP and no files but the model's.

pub mod answer;
pub mod backend;
pub mod decode;
pub mod embed;
mod engine;
mod error;
pub mod fusion;
pub mod gate;
pub mod kv;
pub mod learn;
pub mod model;
pub mod passage;
pub mod question;
pub mod represent;
mod speak;
#[cfg(test)]
mod testing;
pub mod tokens;

pub use answer::{Answer, AskOptions, EngineOptions, FromText, Status, Turn};
pub use engine::{Engine, Progress, Warmed, learn as learn_paths};
pub use error::EngineError;
