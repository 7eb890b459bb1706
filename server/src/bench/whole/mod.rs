//! `factmask bench`: everything in one run.
//!
//! [`world`] (towns made up from a seed) → [`ground`] (what a model makes of it) → [`ways`] (one question answered one way) → [`lane`]
//! (one number of threads) → [`zipf`] (which towns the stream asks about) → [`figures`] → [`print`]. Within a run ways and numbers of
//! threads alternate, so that what else the machine does meets all alike.

mod figures;
mod ground;
mod lane;
mod print;
mod ways;
pub(super) mod world;
mod zipf;

use super::{SpeedArgs, random::Random, rates};
use crate::eval::{check_place, totals::process, write_json};
use anyhow::{Context as _, Result, ensure};
use factmask_engine::{Engine, backend::cpu::limits::Machine};
use figures::{FORMAT, Memory, Report, Scores, WorldFigures};
use ground::Ground;
use lane::Lane;
use std::{collections::BTreeSet, path::Path, time::Instant};
use ways::Way;
use world::{VISIBLE, World};
use zipf::Zipf;

/// Options of `factmask bench` without a further command.
#[derive(Clone, Debug, clap::Args)]
pub struct WholeArgs {
    /// Model, threads, runs and lengths.
    #[command(flatten)]
    pub speed: SpeedArgs,
    /// Questions at each number of visible facts (1, 10 and 100) in a run, each asked every way. Beyond the towns they repeat.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub questions: usize,
    /// Questions of the Zipf stream after each of the others.
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub stream: usize,
    /// Towns of the made-up world: one in twenty has 100 facts, nine have 10, ten have 1.
    #[arg(long, value_name = "N", default_value_t = 400)]
    pub towns: usize,
    /// Share of the world's cards that the block store of the Zipf stream has room for, below 1.
    #[arg(long, value_name = "SHARE", default_value_t = 0.125)]
    pub room: f64,
    /// Another seed makes up another world and draws other questions.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// Runs the bench on the model file `weights`; `open` makes an engine with a number of threads.
///
/// # Errors
/// Options that mean nothing, a model that is missing or fails, a file that cannot be written.
pub fn whole(args: &WholeArgs, weights: &Path, open: &dyn Fn(usize) -> Result<Engine>) -> Result<()> {
    let started = Instant::now();
    let SpeedArgs { runs, lengths, json, .. } = &args.speed;
    ensure!(*runs > 0 && args.questions > 0, "--runs and --questions: a figure needs at least one");
    ensure!((0.0..1.0).contains(&args.room), "--room {}: a share below 1 is meant, such as 0.125", args.room);
    let threads = rates::threads(&args.speed.threads)?;
    if let Some(file) = json {
        check_place(file)?;
    }
    let weights_file_bytes = std::fs::metadata(weights).with_context(|| weights.display().to_string())?.len();
    let world = World::generate(args.towns, args.seed)?;
    let engines = threads.iter().map(|threads| open(*threads)).collect::<Result<Vec<_>>>()?;
    let ground = Ground::of(engines.first().context("no number of threads is asked for")?, &world, args.room)?;
    let lane = |engine| Lane::new(engine, &ground, lengths, Random::new(args.seed));
    let mut lanes = engines.into_iter().map(lane).collect::<Result<Vec<_>>>()?;
    eprintln!("ready in {:.0} s", started.elapsed().as_secs_f64());

    let (machine, zipf, mut random) = (Machine::new()?, Zipf::new(world.cases.len()), Random::new(!args.seed));
    let (mut scores, mut streamed) = (Scores::default(), Vec::new());
    for run in 0..*runs {
        for lane in &mut lanes {
            lane.rates.run(lengths, &machine)?;
        }
        for number in run * args.questions..(run + 1) * args.questions {
            for facts in VISIBLE {
                let Some(case) = world.numbered(facts, number) else { continue };
                let mut ways = Way::COMPARED.map(|way| (way, case));
                ways.rotate_left(number % Way::COMPARED.len());
                let drawn: Vec<usize> = (0..args.stream).map(|_| zipf.draw(&mut random)).collect();
                let stream = drawn.iter().map(|case| (Way::FusedZipf, *case));
                for lane in &mut lanes {
                    lane.ask(ways.into_iter().chain(stream.clone()), &mut scores)?;
                }
                streamed.extend(drawn);
            }
        }
        eprintln!("run {} of {runs}, {:.0} s", run + 1, started.elapsed().as_secs_f64());
    }

    // The stores of all lanes see the same stream.
    let hit_rate = lanes.first().and_then(|lane| lane.asker.lookups.hit_rate());
    let held_bytes = lanes.first().map_or(Ok(0), Lane::held_bytes)?;
    let report = Report {
        format: FORMAT,
        model: ground.model.clone(),
        runs: *runs,
        seed: args.seed,
        seconds: started.elapsed().as_secs_f64(),
        world: WorldFigures {
            entities: world.cases.len(),
            facts: world.snapshot.facts().len(),
            tokens: ground.tokens,
            stream: streamed.len(),
            stream_distinct: streamed.iter().collect::<BTreeSet<_>>().len(),
            pasted_tokens: ground.pasted_tokens,
            retrieved: ground.retrieved,
        },
        by_threads: lanes.into_iter().map(Lane::figures).collect(),
        hit_rate,
        accuracy: scores.accuracy(),
        memory: Memory {
            weights_file_bytes,
            block_bytes_per_token: ground.block_bytes_per_token,
            world_block_bytes: ground.block_bytes_per_token * ground.tokens,
            room_bytes: ground.room_bytes,
            held_bytes,
        },
        peak_rss_mb: process().1,
    };
    print::print(&report);
    write_json(json.as_deref(), &report)
}
