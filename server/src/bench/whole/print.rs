//! The figures as tables for people.

use super::{
    figures::{ByThreads, Counts, Quantiles, Report},
    ways::Way,
};
use crate::bench::rates;

/// Prints everything on standard output.
pub fn print(report: &Report) {
    let world = &report.world;
    println!(
        "{}, {} runs, seed {}, {:.0} s; {} towns with {} facts, {} tokens of cards",
        report.model, report.runs, report.seed, report.seconds, world.entities, world.facts, world.tokens
    );
    println!("\ntokens read and written; median (quartiles)");
    rates::print(report.by_threads.iter().map(|of| &of.speed));
    times(&report.by_threads);
    accuracy(report);
    let (mib, memory) = (|bytes: usize| bytes as f64 / f64::from(1 << 20), &report.memory);
    println!(
        "\nZipf stream: {} questions about {} towns; {:.0} % of the cards were in the block store, which has room for {:.0} of the \
         world's {:.0} MiB",
        world.stream,
        world.stream_distinct,
        100.0 * report.hit_rate.unwrap_or(0.0),
        mib(memory.room_bytes),
        mib(memory.world_block_bytes)
    );
    println!(
        "serial RAG pastes {} tokens, which hold the fact for {:.0} % of the questions; weights {:.0} MiB as a file, blocks {} bytes a token; peak memory {:.0} MiB",
        world.pasted_tokens,
        100.0 * world.retrieved,
        memory.weights_file_bytes as f64 / f64::from(1 << 20),
        memory.block_bytes_per_token,
        report.peak_rss_mb
    );
}

fn times(by_threads: &[ByThreads]) {
    println!("\nmilliseconds an answer; first: to the first token that may be released, cpu: of processors");
    println!(
        "{:>7} {:>5}  {:<20} {:>5} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "threads", "facts", "way", "n", "first p50", "p95", "total p50", "p95", "cpu p50", "p95"
    );
    for of in by_threads {
        let times = &of.times;
        let mut rows: Vec<(usize, Way, &Quantiles)> = Vec::new();
        for (way, by_facts) in &times.ttft_ms {
            rows.extend(by_facts.iter().map(|(facts, first)| (*facts, *way, first)));
        }
        // By facts first, so that the ways to the same answers stand together.
        rows.sort_by_key(|(facts, way, _)| (*facts, *way));
        for (facts, way, first) in rows {
            let of_all = [&times.total_ms, &times.cpu_ms].map(|all| all.get(&way).and_then(|all| all.get(&facts)));
            let [Some(total), Some(cpu)] = of_all else { continue };
            println!(
                "{:>7} {facts:>5}  {:<20} {:>5} {:>9.1} {:>9.1} {:>9.1} {:>9.1} {:>9.1} {:>9.1}",
                of.speed.threads,
                way.name(),
                first.count,
                first.p50,
                first.p95,
                total.p50,
                total.p95,
                cpu.p50,
                cpu.p95
            );
        }
    }
}

fn accuracy(report: &Report) {
    println!("\n{:<20} {:>5} {:>9} {:>6} {:>6} {:>7}", "way", "facts", "questions", "right", "wrong", "refused");
    for (way, of) in &report.accuracy {
        let by_facts = of.by_facts.iter().map(|(facts, counts)| (facts.to_string(), counts));
        for (facts, counts) in by_facts.chain([("all".to_owned(), &of.all)]) {
            let Counts { questions, right, wrong, refused } = counts;
            println!("{:<20} {facts:>5} {questions:>9} {right:>6} {wrong:>6} {refused:>7}", way.name());
        }
    }
}
