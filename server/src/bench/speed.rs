//! `factmask bench speed`: how fast the language model reads and writes, by threads and lengths.
//!
//! Runs of all numbers of threads alternate, so that what else the machine does meets all of them alike. Decoding is limited by how
//! fast weights come from memory, reading by how fast bytes are multiplied; both of these are measured beside it, in the same run.

use super::rates::{self, Lengths, Side, Speed};
use crate::eval::{totals::process, write_json};
use anyhow::{Result, ensure};
use factmask_engine::{
    backend::cpu::limits::Machine,
    model::{LanguageModel, ModelOptions},
};
use serde::Serialize;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// Options of `factmask bench speed`.
#[derive(Clone, Debug, clap::Args)]
pub struct SpeedArgs {
    /// Catalogue name or GGUF file of the language model.
    #[arg(long)]
    pub model: Option<String>,
    /// Numbers of threads to compare [default: 1 and one a core].
    #[arg(long, value_delimiter = ',', value_name = "N,…")]
    pub threads: Vec<usize>,
    /// How often each figure is taken.
    #[arg(long, default_value_t = 7)]
    pub runs: usize,
    /// What is read and written.
    #[command(flatten)]
    pub lengths: Lengths,
    /// Write the figures as JSON.
    #[arg(long)]
    pub json: Option<PathBuf>,
}

/// Version of the JSON's shape.
const FORMAT: u32 = 2;

#[derive(Serialize)]
struct Report {
    format: u32,
    model: String,
    runs: usize,
    by_threads: Vec<Speed>,
    peak_rss_mb: f64,
}

/// Runs the bench on a model file.
pub fn speed(args: &SpeedArgs, path: &Path) -> Result<()> {
    ensure!(args.runs > 0, "--runs 0: a figure needs at least one");
    let open = |threads: usize| {
        let model = LanguageModel::open(path, &ModelOptions { threads, ..ModelOptions::default() })?;
        Side::new(Arc::new(model), &args.lengths)
    };
    let mut sides = rates::threads(&args.threads)?.into_iter().map(open).collect::<Result<Vec<_>>>()?;
    let machine = Machine::new()?;
    for run in 0..args.runs {
        for side in &mut sides {
            side.run(&args.lengths, &machine)?;
        }
        eprintln!("run {} of {}", run + 1, args.runs);
    }
    let model = sides.first().map(|side| side.name().to_owned()).unwrap_or_default();
    let by_threads = sides.into_iter().map(Side::speed).collect();
    let report = Report { format: FORMAT, model, runs: args.runs, by_threads, peak_rss_mb: process().1 };
    println!("{}, {} runs; median (quartiles)", report.model, report.runs);
    rates::print(&report.by_threads);
    println!("peak memory {:.0} MiB", report.peak_rss_mb);
    write_json(args.json.as_deref(), &report)
}
