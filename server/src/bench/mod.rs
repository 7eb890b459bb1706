//! `factmask bench`: what the engine does, measured.
//!
//! [`mask`] makes counterfactual facts from a graph, asks for them in the relations' own words and in others, and shows what each
//! way of bringing facts to the model makes of the same questions. [`relations`] shows which representation of a question finds the
//! relation that it asks for. [`speed`] takes the language model's time. [`cards`] shows that cards which are cached and not in view cost
//! an answer nothing but memory. [`whole`] takes everything in one run: speed, and time, processor time and accuracy of answers by the
//! way to them.

pub mod cards;
mod cases;
mod clock;
mod corpus;
mod counterfactual;
pub(crate) mod fit;
pub mod mask;
pub(crate) mod random;
mod rates;
pub mod relations;
mod rows;
pub mod speed;
pub(crate) mod tally;
pub mod whole;

pub use cards::{CardsArgs, cards};
pub use mask::{MaskArgs, mask};
pub use relations::{RelationsArgs, relations};
pub use speed::{SpeedArgs, speed};
pub use whole::{WholeArgs, whole};

/// Whose questions they are.
const TENANT: &str = "bench";

/// Options of `factmask bench`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Without a further command everything is measured in one run, about five minutes on two cores: tokens a second by threads and \
lengths; time to first token, total time and processor time of answers by the way to them (fused with warm, cold and Zipf-drawn \
cards, short exact prompt, serial RAG, graph alone) at 1, 10 and 100 visible facts; how right each way is; and memory. The facts \
are made up from a seed, and every question has an answer.

Examples:
  factmask bench
  factmask bench --threads 1 --runs 3 --json figures.json
  factmask bench --runs 20 --questions 5 --towns 2000     300 questions for each way; takes an hour"
)]
pub struct BenchArgs {
    /// One measurement alone
    #[command(subcommand)]
    pub command: Option<BenchCommand>,
    /// The whole
    #[command(flatten)]
    pub whole: WholeArgs,
}

impl BenchArgs {
    /// The language model that is asked for.
    pub fn model(&self) -> Option<&String> {
        let model = match &self.command {
            None => &self.whole.speed.model,
            Some(BenchCommand::Mask(args)) => &args.model,
            Some(BenchCommand::Relations(args)) => &args.model,
            Some(BenchCommand::Speed(args)) => &args.model,
            Some(BenchCommand::Cards(args)) => &args.model,
        };
        model.as_ref()
    }
}

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
    /// What thousands of cached cards cost an answer that has three in view: time with and without them, and memory.
    Cards(CardsArgs),
}
