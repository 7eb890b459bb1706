//! `factmask eval`: how right the answers are on a set of questions that somebody else wrote, and what they cost.
//!
//! Reading order: [`set`] (what a set holds) → [`world`] (its knowledge as a store) → [`modes`] (one question asked one way, with
//! [`passages`] for serial RAG and [`free_text`] for what a model writes) → [`score`] over [`normal`] forms (how right) → [`folds`] (the
//! line below which nothing is given, drawn on other questions) → [`totals`] (figures) → [`curve`] (all lines that could be drawn) →
//! [`twins`] (the same questions without an answer) → [`evaluation`] (all of that for a set, one way) → [`compare`] (two runs). Texts
//! with gold triples take a way of their own: [`extraction`].

pub mod compare;
pub mod curve;
mod drawing;
mod evaluation;
pub mod extraction;
pub mod folds;
pub(crate) mod free_text;
mod lessons;
pub mod modes;
mod normal;
pub(crate) mod passages;
mod run;
pub mod score;
pub mod set;
pub mod totals;
pub mod twins;
pub mod world;

pub use run::run;
pub(crate) use run::{check_place, write_json};
pub(crate) use set::json_lines;

use clap::ValueEnum;
use modes::EvalMode;
use std::{path::PathBuf, str::FromStr};

/// Options of `factmask eval`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
A set is a folder with questions.jsonl and kb.tsv (three columns), tables/ (CSV) or corpus.jsonl. Its knowledge is ingested into
a temporary store. An answer is right when nothing in it is wrong by the set's rule. A set may also be a file of texts with gold
triples; then what is found in the texts is scored.

Examples:
  factmask eval data/golden
  factmask eval sets/metaqa --limit 300 --mode fused,graph-only --json report.json
  factmask eval sets/metaqa --examples cv5 --max-risk 0.003
  factmask eval sets/metaqa --mode graph-only --remove-facts
  factmask eval sets/* --mode fused,graph-only --examples cv5 --json all.json
  factmask eval compare before.json after.json"
)]
pub struct EvalArgs {
    /// Two reports instead of sets
    #[command(subcommand)]
    pub command: Option<EvalCommand>,
    /// Folders of sets, or one file of texts with gold triples
    #[arg(value_name = "DIR|FILE", required = true)]
    pub sets: Vec<PathBuf>,
    /// Ask this many questions, spread over the file [default: all]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub limit: usize,
    /// Catalogue name or GGUF file of the language model
    #[arg(long, value_name = "NAME|PATH")]
    pub model: Option<String>,
    /// Ways of answering, in turn: fused, exact-prompt, serial-rag, graph-only, uniform, closed-book; `all` for all of them
    #[arg(long, value_name = "MODE,…", value_delimiter = ',', default_value = "fused")]
    pub mode: Vec<Modes>,
    /// Questions to learn paths from: `cv5` the set's own in five folds (no question is answered by what was
    /// learned from it), `cv5-paths` the same with all questions of one template or path in one fold, `none`, or a file of questions
    /// over the same knowledge
    #[arg(long, value_name = "cv5|cv5-paths|none|FILE", default_value = "none")]
    pub examples: Examples,
    /// Largest share of wrong answers: the line is drawn where no more of the examples' answers were wrong (of the other folds',
    /// where there are no examples). For ways that ask the graph [default: the product's own line]
    #[arg(long, value_name = "SHARE")]
    pub max_risk: Option<f64>,
    /// Also ask each question where it has no answer, with the facts for it taken out of the graph, and count what is given there
    #[arg(long)]
    pub remove_facts: bool,
    /// Draw wrong answers over answers given, for every line that could be drawn, as SVG
    #[arg(long, value_name = "FILE.svg")]
    pub curve: Option<PathBuf>,
    /// Take this schema instead of one suggested from the data
    #[arg(long, value_name = "FILE")]
    pub schema: Option<PathBuf>,
    /// Ingest the raw tables, where the set has both tables and a knowledge base made from them
    #[arg(long)]
    pub tables: bool,
    /// Write the figures as JSON: an object, or a list of them where there are several sets or modes
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write one JSON line a question: gold and given answers, score, links, paths, plan, readings, evidence
    #[arg(long, value_name = "FILE")]
    pub dump: Option<PathBuf>,
}

/// What else `eval` does.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum EvalCommand {
    /// Two reports side by side, with the paired test over the questions in both
    Compare {
        /// A file that `--json` wrote
        first: PathBuf,
        /// Another one
        second: PathBuf,
    },
}

/// A mode, or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modes {
    /// One.
    One(EvalMode),
    /// All.
    All,
}

impl FromStr for Modes {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        if name == "all" {
            return Ok(Self::All);
        }
        let known = || {
            let names: Vec<&str> = EvalMode::value_variants().iter().map(|mode| mode.name()).collect();
            format!("known are {} and all", names.join(", "))
        };
        <EvalMode as ValueEnum>::from_str(name, false).map(Self::One).map_err(|_| known())
    }
}

/// What the decision is fitted on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Examples {
    /// Nothing: the product as it is.
    None,
    /// The set's other folds.
    CrossValidated,
    /// The set's other folds, and none of them has the same path.
    CrossValidatedPaths,
    /// Questions of a file.
    File(PathBuf),
}

impl FromStr for Examples {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "none" => Self::None,
            "cv5" => Self::CrossValidated,
            "cv5-paths" => Self::CrossValidatedPaths,
            file => Self::File(PathBuf::from(file)),
        })
    }
}
