//! How fast a model reads and writes with one number of threads, beside the speed of the machine's memory.

use super::{
    clock::{Spent, timed},
    tally::quantile,
};
use anyhow::{Result, bail, ensure};
use factmask_engine::{
    backend::cpu::limits::{Machine, Product},
    kv::{Context, Part},
    model::{LanguageModel, Rows, Segment},
};
use serde::Serialize;
use std::{collections::BTreeMap, sync::Arc};

/// The lengths to measure.
#[derive(Clone, Debug, clap::Args)]
pub struct Lengths {
    /// Tokens that are read at once.
    #[arg(long, value_delimiter = ',', value_name = "N,…", default_values_t = [128, 512])]
    pub prefill: Vec<usize>,
    /// Tokens in view when one more is written.
    #[arg(long, value_delimiter = ',', value_name = "N,…", default_values_t = [0, 2048])]
    pub decode: Vec<usize>,
}

/// Rows, inputs and outputs of the product that is measured: a prompt's worth through a feed-forward layer.
const PRODUCT: [usize; 3] = [128, 576, 1536];
/// How often it is done in one run.
const PRODUCTS: u64 = 32;

/// What one number of threads reached.
#[derive(Serialize)]
pub struct Speed {
    /// Threads of the model.
    pub threads: usize,
    /// Tokens a second by the number of tokens read at once.
    pub prefill_tps: BTreeMap<usize, Spread>,
    /// Tokens a second by the number of tokens in view.
    pub decode_tps: BTreeMap<usize, Spread>,
    /// Products of rows with a weight of four bits and a minimum a group, rounding included: 10⁹ multiplications and additions a
    /// second.
    pub product_minima_gop_s: Spread,
    /// The same without minima.
    pub product_centred_gop_s: Spread,
    /// What the machine's instructions for bytes can do at most on so many threads, in the same unit; 0 where it has none.
    pub bytes_gop_s: Spread,
    /// What memory gives so many threads, GB/s.
    pub memory_gb_s: Spread,
}

/// Median and quartiles of the runs, and the processor time that one run took.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Spread {
    /// A quarter of the runs stay below.
    pub p25: f64,
    /// Half of them.
    pub p50: f64,
    /// Three quarters.
    pub p75: f64,
    /// Processor milliseconds of one run.
    pub cpu_ms: f64,
}

/// One figure's runs: rates and processor seconds.
#[derive(Default)]
struct Samples {
    rates: Vec<f64>,
    cpu_s: f64,
}

impl Samples {
    fn take(&mut self, amount: f64, work: impl FnOnce() -> Result<()>) -> Result<()> {
        let ((), Spent { wall, cpu_s }) = timed(work)?;
        self.rates.push(amount / wall.as_secs_f64());
        self.cpu_s += cpu_s;
        Ok(())
    }

    /// For work that says itself how much it was.
    fn take_counted(&mut self, work: impl FnOnce() -> f64) -> Result<()> {
        let (amount, Spent { wall, cpu_s }) = timed(|| Ok(work()))?;
        self.rates.push(amount / wall.as_secs_f64());
        self.cpu_s += cpu_s;
        Ok(())
    }

    fn spread(mut self) -> Spread {
        self.rates.sort_by(f64::total_cmp);
        let cpu_ms = 1e3 * self.cpu_s / self.rates.len().max(1) as f64;
        let [p25, p50, p75] = [0.25, 0.5, 0.75].map(|q| quantile(&self.rates, q));
        Spread { p25, p50, p75, cpu_ms }
    }
}

/// The numbers of threads to compare: those asked for, each once, or 1 and one a core.
///
/// # Errors
/// A number that is no number of threads.
pub fn threads(asked: &[usize]) -> Result<Vec<usize>> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let all = [1, cores];
    let mut threads: Vec<usize> = Vec::new();
    for number in if asked.is_empty() { &all } else { asked } {
        ensure!(*number > 0, "--threads 0: give the numbers to compare, such as 1,2");
        if !threads.contains(number) {
            threads.push(*number);
        }
    }
    Ok(threads)
}

/// A model with a number of threads, and what was taken from it.
pub struct Side {
    model: Arc<LanguageModel>,
    contexts: BTreeMap<usize, Context>,
    prefill: BTreeMap<usize, Samples>,
    decode: BTreeMap<usize, Samples>,
    /// With minima, without.
    products: [(Product, Samples); 2],
    bytes: Samples,
    memory: Samples,
}

impl Side {
    /// Prepares what is in view of the tokens that are written.
    ///
    /// # Errors
    /// A length that the model cannot take.
    pub fn new(model: Arc<LanguageModel>, lengths: &Lengths) -> Result<Self> {
        let longest = model.config().context;
        for (flag, asked, least) in [("--prefill", &lengths.prefill, 1), ("--decode", &lengths.decode, 0)] {
            if let Some(wrong) = asked.iter().find(|length| !(least..longest).contains(*length)) {
                bail!("{flag} {wrong}: this model takes {least} to {} tokens", longest - 1);
            }
        }
        let mut contexts = BTreeMap::new();
        for length in &lengths.decode {
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
        let product = |minima| Product::new(model.threads(), PRODUCT, minima);
        let products = [(product(true)?, Samples::default()), (product(false)?, Samples::default())];
        let (prefill, decode) = (BTreeMap::new(), BTreeMap::new());
        let (bytes, memory) = (Samples::default(), Samples::default());
        Ok(Self { model, contexts, prefill, decode, products, bytes, memory })
    }

    /// Takes every figure once.
    ///
    /// # Errors
    /// What the model fails with.
    pub fn run(&mut self, lengths: &Lengths, machine: &Machine) -> Result<()> {
        let none = Context::new();
        for length in &lengths.prefill {
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
        let threads = self.model.threads();
        for (product, samples) in &mut self.products {
            samples.take_counted(|| (0..PRODUCTS).map(|_| product.run()).sum::<u64>() as f64 / 1e9)?;
        }
        self.bytes.take_counted(|| machine.multiply_bytes(threads) as f64 / 1e9)?;
        self.memory.take_counted(|| machine.read(threads) as f64 / 1e9)
    }

    /// The name that the model gives itself.
    pub fn name(&self) -> &str {
        self.model.name()
    }

    /// What was reached.
    pub fn speed(self) -> Speed {
        let [(_, minima), (_, centred)] = self.products;
        let all = |samples: BTreeMap<usize, Samples>| samples.into_iter().map(|(at, s)| (at, s.spread())).collect();
        Speed {
            threads: self.model.threads(),
            prefill_tps: all(self.prefill),
            decode_tps: all(self.decode),
            product_minima_gop_s: minima.spread(),
            product_centred_gop_s: centred.spread(),
            bytes_gop_s: self.bytes.spread(),
            memory_gb_s: self.memory.spread(),
        }
    }
}

/// Tokens that are all different for a while, none of them special.
fn tokens(count: usize, vocab: usize) -> Vec<u32> {
    (0..count).map(|at| (100 + at * 7 % (vocab / 2).max(1)) as u32 % vocab as u32).collect()
}

/// Prints the rates of all numbers of threads as a table.
pub fn print<'a>(all: impl IntoIterator<Item = &'a Speed>) {
    println!("{:>7}  {:<22} {:>10} {:>19} {:>10}", "threads", "", "a second", "", "cpu ms");
    for speed in all {
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
        line("Gop, 4 bits, minima".to_owned(), &speed.product_minima_gop_s);
        line("Gop, 4 bits, centred".to_owned(), &speed.product_centred_gop_s);
        line("Gop of bytes at most".to_owned(), &speed.bytes_gop_s);
        line("GB read from memory".to_owned(), &speed.memory_gb_s);
    }
}
