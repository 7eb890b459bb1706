//! `factmask bench speed`: how fast the language model reads and writes, by threads and lengths.
//!
//! Runs of all numbers of threads alternate, so that what else the machine does meets all of them alike. Decoding is limited by how
//! fast weights come from memory; the memory's own speed is measured beside it, in the same run.

use super::tally::quantile;
use crate::eval::totals::process;
use anyhow::{Context as _, Result, ensure};
use factmask_engine::{
    kv::{Context, Part},
    model::{LanguageModel, ModelOptions, Rows, Segment},
};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    hint::black_box,
    path::{Path, PathBuf},
    time::Instant,
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
    /// Tokens that are read at once.
    #[arg(long, value_delimiter = ',', value_name = "N,…", default_values_t = [128, 512])]
    pub prefill: Vec<usize>,
    /// Tokens in view when one more is written.
    #[arg(long, value_delimiter = ',', value_name = "N,…", default_values_t = [0, 2048])]
    pub decode: Vec<usize>,
    /// Write the figures as JSON.
    #[arg(long)]
    pub json: Option<PathBuf>,
}

/// Version of the JSON's shape.
const FORMAT: u32 = 1;
/// Bytes that are read to find how fast memory is: more than any cache holds.
const READ: usize = 256 << 20;

#[derive(Serialize)]
struct Report {
    format: u32,
    model: String,
    runs: usize,
    by_threads: Vec<Speed>,
    peak_rss_mb: f64,
}

/// What one number of threads reached.
#[derive(Serialize)]
struct Speed {
    threads: usize,
    /// Tokens a second by the number of tokens read at once.
    prefill_tps: BTreeMap<usize, Spread>,
    /// Tokens a second by the number of tokens in view.
    decode_tps: BTreeMap<usize, Spread>,
    /// What memory gives so many threads, GB/s.
    memory_gb_s: Spread,
}

/// Median and quartiles of the runs, and the processor time that one run took.
#[derive(Clone, Copy, Debug, Serialize)]
struct Spread {
    p25: f64,
    p50: f64,
    p75: f64,
    cpu_ms: f64,
}

/// One figure's runs: rates and processor seconds.
#[derive(Default)]
struct Samples {
    rates: Vec<f64>,
    cpu_s: f64,
}

impl Samples {
    fn take(&mut self, amount: f64, work: impl FnOnce() -> Result<()>) -> Result<()> {
        let ((before, _), started) = (process(), Instant::now());
        work()?;
        self.rates.push(amount / started.elapsed().as_secs_f64());
        self.cpu_s += process().0 - before;
        Ok(())
    }

    fn spread(mut self) -> Spread {
        self.rates.sort_by(f64::total_cmp);
        let cpu_ms = 1e3 * self.cpu_s / self.rates.len().max(1) as f64;
        let [p25, p50, p75] = [0.25, 0.5, 0.75].map(|q| quantile(&self.rates, q));
        Spread { p25, p50, p75, cpu_ms }
    }
}

/// A model with a number of threads, and what was taken from it.
struct Side {
    model: LanguageModel,
    contexts: BTreeMap<usize, Context>,
    prefill: BTreeMap<usize, Samples>,
    decode: BTreeMap<usize, Samples>,
    memory: Samples,
}

/// Runs the bench on a model file.
pub fn speed(args: &SpeedArgs, path: &Path) -> Result<()> {
    ensure!(args.runs > 0, "--runs 0: a figure needs at least one");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut threads = if args.threads.is_empty() { vec![1, cores] } else { args.threads.clone() };
    threads.dedup();
    ensure!(threads.iter().all(|threads| *threads > 0), "--threads 0: give the numbers to compare, such as 1,2");
    let mut sides = threads.iter().map(|threads| Side::open(path, *threads, args)).collect::<Result<Vec<_>>>()?;
    let memory = vec![1_u8; READ];
    for run in 0..args.runs {
        for side in &mut sides {
            side.run(args, &memory)?;
        }
        eprintln!("run {} of {}", run + 1, args.runs);
    }
    let name = sides.first().map(|side| side.model.name().to_owned()).unwrap_or_default();
    let by_threads = sides.into_iter().map(Side::speed).collect();
    let report = Report { format: FORMAT, model: name, runs: args.runs, by_threads, peak_rss_mb: process().1 };
    print(&report);
    if let Some(path) = &args.json {
        let json = serde_json::to_vec_pretty(&report)?;
        std::fs::write(path, json).with_context(|| format!("{}: cannot be written", path.display()))?;
    }
    Ok(())
}

impl Side {
    fn open(path: &Path, threads: usize, args: &SpeedArgs) -> Result<Self> {
        let model = LanguageModel::open(path, &ModelOptions { threads, ..ModelOptions::default() })?;
        let longest = model.config().context;
        for (flag, asked) in [("--prefill", &args.prefill), ("--decode", &args.decode)] {
            if let Some(wrong) =
                asked.iter().find(|length| **length >= longest || (flag == "--prefill" && **length == 0))
            {
                anyhow::bail!("{flag} {wrong}: this model takes 1 to {} tokens", longest - 1);
            }
        }
        let mut contexts = BTreeMap::new();
        for length in &args.decode {
            let mut context = Context::new();
            if *length > 0 {
                let none = Context::new();
                let tokens = tokens(*length, model.config().vocab);
                let segment = Segment { tokens: &tokens, start: 0, context: &none, logits: Rows::None, capture: &[] };
                let done = model.forward(&[segment])?;
                for done in &done {
                    context.push(Part::new(model.place(&done.kv, 0)?));
                }
            }
            contexts.insert(*length, context);
        }
        let memory = Samples::default();
        Ok(Self { model, contexts, prefill: BTreeMap::new(), decode: BTreeMap::new(), memory })
    }

    fn run(&mut self, args: &SpeedArgs, memory: &[u8]) -> Result<()> {
        let none = Context::new();
        for length in &args.prefill {
            let tokens = tokens(*length, self.model.config().vocab);
            let segment = Segment { tokens: &tokens, start: 0, context: &none, logits: Rows::Last, capture: &[] };
            let samples = self.prefill.entry(*length).or_default();
            samples.take(*length as f64, || self.model.forward(&[segment]).map(drop).map_err(Into::into))?;
        }
        for (length, context) in &self.contexts {
            const STEPS: usize = 16;
            let samples = self.decode.entry(*length).or_default();
            samples.take(STEPS as f64, || {
                for token in tokens(STEPS, self.model.config().vocab) {
                    let (tokens, start) = ([token], *length as u32);
                    let segment = Segment { tokens: &tokens, start, context, logits: Rows::Last, capture: &[] };
                    drop(self.model.forward(&[segment])?);
                }
                Ok(())
            })?;
        }
        let share = memory.len().div_ceil(self.model.threads());
        self.memory.take(memory.len() as f64 / 1e9, || {
            std::thread::scope(|scope| {
                for part in memory.chunks(share) {
                    scope.spawn(|| {
                        black_box(part.as_chunks::<8>().0.iter().fold(0, |sum, eight| sum ^ u64::from_le_bytes(*eight)))
                    });
                }
            });
            Ok(())
        })
    }

    fn speed(self) -> Speed {
        let all = |samples: BTreeMap<usize, Samples>| samples.into_iter().map(|(at, s)| (at, s.spread())).collect();
        Speed {
            threads: self.model.threads(),
            prefill_tps: all(self.prefill),
            decode_tps: all(self.decode),
            memory_gb_s: self.memory.spread(),
        }
    }
}

/// Tokens that are all different for a while, none of them special.
fn tokens(count: usize, vocab: usize) -> Vec<u32> {
    (0..count).map(|at| (100 + at * 7 % (vocab / 2).max(1)) as u32 % vocab as u32).collect()
}

fn print(report: &Report) {
    println!("{}, {} runs; median (quartiles)", report.model, report.runs);
    println!("{:>7}  {:<22} {:>10} {:>19} {:>10}", "threads", "", "a second", "", "cpu ms");
    for speed in &report.by_threads {
        let line = |what: String, spread: &Spread| {
            let quartiles = format!("({:.1} to {:.1})", spread.p25, spread.p75);
            println!("{:>7}  {what:<22} {:>10.1} {quartiles:>19} {:>10.1}", speed.threads, spread.p50, spread.cpu_ms);
        };
        for (length, spread) in &speed.prefill_tps {
            line(format!("tokens read, {length}"), spread);
        }
        for (length, spread) in &speed.decode_tps {
            line(format!("tokens written at {length}"), spread);
        }
        line("GB read from memory".to_owned(), &speed.memory_gb_s);
    }
    println!("peak memory {:.0} MiB", report.peak_rss_mb);
}
