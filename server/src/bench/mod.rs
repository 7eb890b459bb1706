//! `factmask bench`: what the engine does, measured.
//!
//! [`mask`] makes counterfactual facts from a graph, asks for them in the relations' own words and in others, and shows what each
//! way of bringing facts to the model makes of the same questions. [`relations`] shows which representation of a question finds the
//! relation that it asks for. [`speed`] takes the language model's time.

mod cases;
mod clock;
mod corpus;
mod counterfactual;
pub(crate) mod fit;
pub mod mask;
mod random;
mod rates;
pub mod relations;
mod rows;
pub mod speed;
pub(crate) mod tally;

pub use mask::{MaskArgs, mask};
pub use relations::{RelationsArgs, relations};
pub use speed::{SpeedArgs, speed};

/// What to measure.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum BenchCommand {
    /// What mask and emphasis do to answers: right, wrong, refused and time, beside serial RAG, the short exact prompt, the graph
    /// alone and a model that knows nothing.
    Mask(MaskArgs),
    /// Which representation of a question finds its relation: shared words, sentence embedding, hidden state by layer, and sums.
    Relations(RelationsArgs),
    /// How fast the language model reads and writes, by threads and lengths, beside the speed of the machine's memory.
    Speed(SpeedArgs),
}
