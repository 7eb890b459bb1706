//! `factmask bench relations`: which representation finds the relation that a question asks for.
//!
//! Questions in other words than the schema's ([`asked`]) are held against the schema's own sentences by shared words, by sentence
//! embeddings, by the language model's hidden states, and by sums of them ([`likeness`]). Layers and weights are chosen on the
//! schema's own questions, each left out in turn, and never on the questions that are scored.

mod asked;
mod likeness;
mod measure;

use super::corpus::{ingest, read_schema, read_wordings};
use crate::eval::write_json;
use anyhow::{Result, bail};
use asked::Trial;
use factmask_engine::{embed::SentenceEncoder, model::LanguageModel};
use measure::{Measure, Measured};
use serde::Serialize;
use std::{path::PathBuf, time::Instant};

/// Options of `factmask bench relations`.
#[derive(Clone, Debug, clap::Args)]
pub struct RelationsArgs {
    /// Catalogue name or GGUF file of the language model.
    #[arg(long)]
    pub model: Option<String>,
    /// Catalogue name or path of the sentence encoder [default: the one of the language].
    #[arg(long)]
    pub encoder: Option<String>,
    /// Language of questions and schema.
    #[arg(long, default_value = "en")]
    pub lang: String,
    /// Folder or file with the entities that are asked about.
    #[arg(long, default_value = "data/corpus")]
    pub corpus: PathBuf,
    /// Schema of the corpus: what the questions are held against.
    #[arg(long, default_value = "data/schema.ttl")]
    pub schema: PathBuf,
    /// Question wordings in other words.
    #[arg(long, default_value = "data/bench/other-words.ttl")]
    pub wordings: PathBuf,
    /// Entities that each wording is asked of.
    #[arg(long, default_value_t = 3)]
    pub entities: usize,
    /// Also read the hidden states with the entity's card in view, as a plan prefills it.
    #[arg(long)]
    pub cards: bool,
    /// Write the table as JSON.
    #[arg(long)]
    pub json: Option<PathBuf>,
}

#[derive(Serialize)]
struct Report<'a> {
    model: &'a str,
    encoder: &'a str,
    lang: &'a str,
    relations: usize,
    relations_with_few_entities: usize,
    questions: usize,
    synthetic: usize,
    sentences: usize,
    seconds: f64,
    #[serde(flatten)]
    measured: Measured,
}

/// Runs the bench. `encoder_name` is for the report.
pub fn relations(
    args: &RelationsArgs,
    model: &LanguageModel,
    encoder: &SentenceEncoder,
    encoder_name: &str,
) -> Result<()> {
    let started = Instant::now();
    let schema = read_schema(&args.schema)?;
    let other_words = read_wordings(&args.wordings, &schema)?;
    let snapshot = ingest(&args.corpus, &schema)?;
    let trial = Trial::new(&snapshot, &other_words, &args.lang, args.entities);
    if trial.asked.is_empty() {
        bail!(
            "{}: no entity can be asked about with the wordings of {}",
            args.corpus.display(),
            args.wordings.display()
        );
    }
    let measured = Measure { snapshot: &snapshot, trial: &trial, lang: &args.lang }.run(model, encoder, args.cards)?;
    let report = Report {
        model: model.name(),
        encoder: encoder_name,
        lang: &args.lang,
        relations: trial.relations.len(),
        relations_with_few_entities: trial.few,
        questions: trial.asked.len(),
        synthetic: trial.synthetic.len(),
        sentences: trial.own.len(),
        seconds: started.elapsed().as_secs_f64(),
        measured,
    };
    print(&report);
    write_json(args.json.as_deref(), &report)
}

fn print(report: &Report<'_>) {
    println!(
        "{} and {}, `{}`: {} questions over {} relations ({} with fewer entities), {} synthetic, {:.0} s",
        report.model,
        report.encoder,
        report.lang,
        report.questions,
        report.relations,
        report.relations_with_few_entities,
        report.synthetic,
        report.seconds
    );
    println!(
        "\n{:<62} {:>6} {:>8} {:>10}",
        "first of all / of those that fit the subject", "all", "fitting", "synthetic"
    );
    for row in &report.measured.rows {
        println!("{:<62} {:>6} {:>8} {:>10}", row.name, row.right.of_all, row.right.of_fitting, row.synthetic.of_all);
    }
    for source in &report.measured.hidden {
        println!("\nhidden state, {}; layer chosen on synthetic questions: {}", source.name, source.chosen);
        println!(
            "{:>5} {:>9} {:>9} {:>6} {:>9} {:>11} {:>11} {:>6}",
            "layer", "synthetic", "with enc.", "alone", "(fitting)", "with words", "with enc.", "three"
        );
        for layer in &source.layers {
            println!(
                "{:>5} {:>9} {:>9} {:>6} {:>9} {:>11} {:>11} {:>6}",
                layer.layer,
                layer.synthetic.of_all,
                layer.synthetic_with_encoder.of_all,
                layer.alone.of_all,
                layer.alone.of_fitting,
                layer.with_words.of_all,
                layer.with_encoder.of_all,
                layer.three.of_all
            );
        }
    }
}
