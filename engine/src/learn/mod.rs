//! The path model: which path a question means, learned from example questions whose answers are known.
//!
//! A log-linear model over all paths from the question's topics, as in semantic parsing from question-answer pairs (Berant, Chou,
//! Frostig, Liang: Semantic Parsing on Freebase from Question-Answer Pairs, EMNLP 2013): an example does not say its path; whichever
//! paths yield its answers share the credit. What it weighs is in [`features`]: what any path shares, such as how well its wordings fit,
//! and for each relation of a path what the question's words and its meaning say for it, so that relations learned in one path count in
//! every other.
//!
//! Reading order: [`features`] → [`model`] (weights, scores, file) → [`examples`] (which paths yield the answers) → [`train`].

pub mod examples;
pub mod features;
pub mod model;
pub mod train;

pub use examples::Example;
pub use features::{Clues, SHARED, Shared};
pub use model::PathModel;
pub use train::{Held, train};

#[cfg(test)]
mod tests;

/// Folder of a tenant's path models, one file for each language.
pub const FOLDER: &str = "learned";
