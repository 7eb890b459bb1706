//! `factmask bench`: what the engine does, measured.
//!
//! [`mask`] makes counterfactual facts from a graph, asks for them in the relations' own words and in others, and shows what each
//! way of bringing facts to the model makes of the same questions.

mod cases;
mod counterfactual;
pub(crate) mod fit;
pub mod mask;
mod random;
mod rows;
pub(crate) mod tally;

pub use mask::{MaskArgs, mask};

/// What to measure.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum BenchCommand {
    /// What mask and emphasis do to answers: right, wrong, refused and time, beside serial RAG, the short exact prompt, the graph
    /// alone and a model that knows nothing.
    Mask(MaskArgs),
}
