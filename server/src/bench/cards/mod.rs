//! `factmask bench cards`: what cached cards that are not in view cost an answer.
//!
//! [`made`] (cards of one length, and the plan of a question) → [`side`] (a block store and the runs over it). Two stores share one
//! model: one holds what the question has in view, the other thousands of cards beside it. Their runs alternate.

mod made;
mod side;

use super::rates::Spread;
use crate::eval::{
    check_place,
    totals::{available_mb, process, resident_mb},
    write_json,
};
use anyhow::{Result, ensure};
use factmask_engine::{
    kv::{KvPrecision, StoreStats},
    model::{LanguageModel, ModelOptions},
};
use serde::{
    Deserialize as _, Serialize,
    de::{IntoDeserializer as _, value::Error as WordError},
};
use side::{Cards, Side, quartiles};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// Options of `factmask bench cards`.
#[derive(Clone, Debug, clap::Args)]
pub struct CardsArgs {
    /// Catalogue name or GGUF file of the language model.
    #[arg(long)]
    pub model: Option<String>,
    /// Cards in the second block store beside those in view. 32 different ones are encoded, the others are copies of them, each in
    /// memory of its own: of 60 tokens 10,000 take 7.4 GB with SmolLM2 and int8.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub cards: u32,
    /// Tokens of each card, in view or not.
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub tokens: u32,
    /// Cards that the question has in view.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub visible: u32,
    /// How keys and values are rounded.
    #[arg(long, value_name = "f32|f16|int8", default_value = "int8", value_parser = precision)]
    pub precision: KvPrecision,
    /// Answers that are timed over each store, after one that is not.
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: u32,
    /// Threads of the model [default: one a core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub threads: Option<u32>,
    /// Write the figures as JSON.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// The words of the settings' `block_precision`.
fn precision(word: &str) -> Result<KvPrecision, WordError> {
    KvPrecision::deserialize(word.into_deserializer())
}

/// Version of the JSON's shape.
const FORMAT: u32 = 1;
const MIB: f64 = (1 << 20) as f64;

#[derive(Serialize)]
struct Report {
    format: u32,
    model: String,
    threads: usize,
    precision: KvPrecision,
    runs: u32,
    cards: u32,
    tokens: u32,
    visible: u32,
    /// Prefix, cards, question and the answer's stem.
    tokens_in_view: usize,
    /// The store with what is in view.
    alone: Figures,
    /// The store with the cards beside it.
    beside: Figures,
    /// Time over the second store by time over the first in the same run: quartiles.
    ratio: [f64; 3],
    memory: Memory,
    peak_rss_mb: f64,
}

/// A store, and what an answer over it takes.
#[derive(Serialize)]
struct Figures {
    /// The prefix's included.
    blocks: usize,
    /// Of all blocks' keys, values, tokens and lines.
    block_bytes: usize,
    evictions: u64,
    /// Milliseconds to the answer.
    answer_ms: Spread,
}

#[derive(Serialize)]
struct Memory {
    /// As they lie in memory.
    weight_bytes: usize,
    /// Both stores' blocks.
    block_bytes: usize,
    /// Once the model was loaded, before any card was encoded.
    loaded_rss_mb: f64,
    /// Once both stores were filled.
    filled_rss_mb: f64,
    /// `filled_rss_mb` by weights and blocks.
    rss_by_raw: f64,
}

impl Figures {
    fn of(side: &Side<'_>) -> Self {
        let StoreStats { blocks, bytes: block_bytes, evictions, .. } = side.stats();
        Self { blocks, block_bytes, evictions, answer_ms: side.spread() }
    }
}

/// Runs the bench on a model file.
///
/// # Errors
/// Cards that do not fit into the model's context or the machine's memory, a model that fails, a file that cannot be written.
pub fn cards(args: &CardsArgs, path: &Path) -> Result<()> {
    if let Some(file) = &args.json {
        check_place(file)?;
    }
    let report = measure(args, path)?;
    print(&report);
    write_json(args.json.as_deref(), &report)
}

fn measure(args: &CardsArgs, path: &Path) -> Result<Report> {
    let precision = args.precision;
    let threads = args.threads.map_or(0, |threads| threads as usize);
    let model = Arc::new(LanguageModel::open(path, &ModelOptions { threads, precision, ..ModelOptions::default() })?);
    let loaded_rss_mb = resident_mb();
    let tokens = args.tokens as usize;
    let context = model.config().context;
    // Room for prefix, question and stem is a small part of any model's context; what is left of it is told by the model.
    ensure!(
        args.visible as usize * tokens < context,
        "--visible {} of --tokens {tokens}: this model takes {} tokens together",
        args.visible,
        context - 1
    );
    let plan = made::plan(&model, args.visible, tokens)?;
    let stem = plan.guides.first().map_or(0, |guide| guide.stem.len());
    let tokens_in_view = plan.prefix.len() + args.visible as usize * tokens + plan.question.len() + stem;
    eprintln!("encoding different cards");
    let cards = Cards::encode(&model, &plan.prefix, args.visible, tokens, args.cards)?;
    let wanted = cards.bytes() as f64 / MIB;
    let free = available_mb().unwrap_or(f64::INFINITY);
    let smaller = if precision == KvPrecision::Int8 { "" } else { ", or take --precision int8" };
    ensure!(
        wanted < free,
        "--cards {}: they take {wanted:.0} MiB and {free:.0} are free (lower --cards or --tokens{smaller})",
        args.cards
    );
    let mut alone = Side::new(&model, &plan, usize::MAX)?;
    let mut beside = alone.beside(&cards)?;
    drop(cards);
    let filled_rss_mb = resident_mb();
    eprintln!("{} cards in the second store", args.cards);
    ensure!(alone.answer()? == beside.answer()?, "cards that are not in view changed the answer; this is a fault");
    let mut ratios = Vec::new();
    for run in 0..args.runs {
        // Each goes first every other time.
        let beside_first = if run % 2 == 1 { Some(beside.run()?) } else { None };
        let alone_ms = alone.run()?;
        ratios.push(beside_first.map_or_else(|| beside.run(), Ok)? / alone_ms);
    }
    let (alone, beside) = (Figures::of(&alone), Figures::of(&beside));
    let (weight_bytes, block_bytes) = (model.weight_bytes(), alone.block_bytes + beside.block_bytes);
    let rss_by_raw = filled_rss_mb * MIB / (weight_bytes + block_bytes) as f64;
    Ok(Report {
        format: FORMAT,
        model: model.name().to_owned(),
        threads: model.threads(),
        precision,
        runs: args.runs,
        cards: args.cards,
        tokens: args.tokens,
        visible: args.visible,
        tokens_in_view,
        alone,
        beside,
        ratio: quartiles(ratios),
        memory: Memory { weight_bytes, block_bytes, loaded_rss_mb, filled_rss_mb, rss_by_raw },
        peak_rss_mb: process().1,
    })
}

fn print(report: &Report) {
    let Report { model, threads, precision, tokens, visible, tokens_in_view, runs, memory, .. } = report;
    println!("{model}, {threads} threads, {precision:?}, {runs} runs");
    println!(
        "cards of {tokens} tokens, {visible} of them in view; {tokens_in_view} tokens with all that stands around them"
    );
    let head = ["blocks", "MiB", "given up", "ms to answer", "(quartiles)", "cpu ms"];
    let [blocks, mib, given_up, ms, between, cpu] = head;
    println!("{:<22} {blocks:>7} {mib:>9} {given_up:>9} {ms:>13} {between:>18} {cpu:>8}", "in the store");
    for (name, figures) in [("what is in view", &report.alone), ("and cards beside it", &report.beside)] {
        let Figures { blocks, block_bytes, evictions, answer_ms: Spread { p25, p50, p75, cpu_ms } } = figures;
        let (mib, between) = (*block_bytes as f64 / MIB, format!("({p25:.1} to {p75:.1})"));
        println!("{name:<22} {blocks:>7} {mib:>9.1} {evictions:>9} {p50:>13.1} {between:>18} {cpu_ms:>8.1}");
    }
    let [low, middle, high] = report.ratio;
    println!("time with cards beside it by time without, run by run: {middle:.3} ({low:.3} to {high:.3})");
    let (weights, blocks) = (memory.weight_bytes as f64 / MIB, memory.block_bytes as f64 / MIB);
    println!(
        "weights {weights:.1} MiB + blocks {blocks:.1} MiB = {:.1} MiB; resident {:.1} MiB, {:.3} of it ({:.1} with the model alone); peak \
         {:.1} MiB",
        weights + blocks,
        memory.filled_rss_mb,
        memory.rss_by_raw,
        memory.loaded_rss_mb,
        report.peak_rss_mb
    );
}

#[cfg(test)]
mod tests;
