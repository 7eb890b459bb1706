//! Runs an evaluation from the set to the table.

use super::{
    EvalArgs, EvalCommand, Examples, Modes,
    compare::compare,
    curve, drawing,
    evaluation::{Evaluation, rule_of},
    extraction::{Texts, extract},
    folds,
    lessons::{self, Lessons},
    modes::{self, Asker, EvalMode},
    set::{self, EvalSet, Question},
    totals::Totals,
    twins::{Twins, tally},
    world::World,
};
use anyhow::{Context as _, Result, bail, ensure};
use clap::ValueEnum;
use factmask_engine::Engine;
use factmask_ingest::Aim;
use serde::Serialize;
use std::{
    fs::File,
    io::{BufWriter, Write},
    path::Path,
    time::Instant,
};

/// Runs `factmask eval`. `open` loads the engine; comparing two reports needs none.
///
/// # Errors
/// A set that cannot be read, a model that is missing, a file that cannot be written.
pub fn run(args: &EvalArgs, open: impl FnOnce() -> Result<Engine>) -> Result<()> {
    if let Some(EvalCommand::Compare { first, second }) = &args.command {
        print!("{}", compare(first, second)?);
        return Ok(());
    }
    if let Some(risk) = args.max_risk {
        ensure!((0.0..=1.0).contains(&risk), "--max-risk {risk}: a share between 0 and 1 is meant, such as 0.003");
    }
    for file in args.json.iter().chain(&args.dump).chain(&args.curve) {
        check_place(file)?;
    }
    if let [file] = args.sets.as_slice()
        && file.is_file()
    {
        return texts(args, file);
    }
    let sets = args.sets.iter().map(|folder| opened(args, folder)).collect::<Result<Vec<EvalSet>>>()?;
    let mut dump = args.dump.as_deref().map(create).transpose()?;
    let engine = open()?;
    let (mut all, several) = (Vec::new(), sets.len() > 1);
    for (number, set) in sets.iter().enumerate() {
        if several {
            eprintln!("{}: {} of {} sets", set.name, number + 1, sets.len());
        }
        all.extend(one_set(args, set, &engine, dump.as_mut())?);
        // What took long is kept even if a later set fails.
        match all.as_slice() {
            [only] => write_json(args.json.as_deref(), only)?,
            several => write_json(args.json.as_deref(), &several)?,
        }
    }
    print_table(&all);
    print!("{}", curve::table(all.iter().map(|run| (&*run.set, run.mode.name(), &*run.at_risk))));
    print!("{}", tally::table(all.iter().map(|run| (&*run.set, run.mode.name(), &*run.unanswerable))));
    if let Some(mut dump) = dump {
        dump.flush().context("the dump cannot be written")?;
    }
    if let Some(file) = &args.curve {
        let name = |run: &Totals| {
            if several { format!("{} {}", run.set, run.mode.name()) } else { run.mode.name().to_owned() }
        };
        let drawn = all.iter().filter(|run| !run.curve.is_empty());
        let curves: Vec<_> = drawn.map(|run| (name(run), run.curve.as_slice())).collect();
        let title = sets.iter().map(|set| set.name.as_str()).collect::<Vec<_>>().join(", ");
        let svg = drawing::svg(&title, &curves);
        std::fs::write(file, svg).with_context(|| format!("{}: cannot be written", file.display()))?;
    }
    Ok(())
}

/// A set with the questions that are to be asked.
fn opened(args: &EvalArgs, folder: &Path) -> Result<EvalSet> {
    ensure!(
        !folder.is_file(),
        "{}: texts with gold triples are scored alone, without other sets (leave those out)",
        folder.display()
    );
    let mut set = EvalSet::open(folder, args.tables)?;
    let left_out = set.limit(args.limit);
    if left_out > 0 {
        eprintln!("{}: {left_out} rows with edited documents left out: what is right there is no answer", set.name);
    }
    ensure!(!set.questions.is_empty(), "{}: no questions", folder.display());
    Ok(set)
}

/// Asks one set in every mode.
fn one_set(
    args: &EvalArgs,
    set: &EvalSet,
    engine: &Engine,
    mut dump: Option<&mut BufWriter<File>>,
) -> Result<Vec<Totals>> {
    let examples: Vec<Question> = match &args.examples {
        Examples::File(file) => folds::unseen(set::json_lines(file)?, &set.questions),
        Examples::None | Examples::CrossValidated | Examples::CrossValidatedPaths => Vec::new(),
    };
    let lang = language(set);
    let world = World::ingest(&set.knowledge, lang, args.schema.as_deref())?;
    eprintln!("{}: {} facts in {:.1} s", set.name, world.snapshot.facts().len(), world.seconds);
    let mut wanted: Vec<EvalMode> = Vec::new();
    for mode in &args.mode {
        let more = match mode {
            Modes::One(mode) => std::slice::from_ref(mode),
            Modes::All => EvalMode::value_variants(),
        };
        wanted.extend(more.iter().filter(|mode| !wanted.contains(mode)).copied().collect::<Vec<_>>());
    }
    let passages =
        if wanted.contains(&EvalMode::SerialRag) { Some(modes::passages(engine, &world, lang)?) } else { None };
    let reading = Instant::now();
    if wanted.iter().any(|mode| mode.asks_graph()) {
        engine.read_ahead(modes::TENANT, &world.snapshot, &mut |_, _| Ok(()))?;
    }
    let read_ahead_s = reading.elapsed().as_secs_f64();
    let asker = Asker { engine, world: &world, passages, read_ahead_s };
    let cross = |questions: &[Question], by_path: bool| {
        Lessons::cross_validated(engine, &world.snapshot, questions, lessons::folds(questions, by_path)).map(Some)
    };
    let learned = wanted.iter().any(|mode| mode.asks_graph()) && world.has_graph;
    let (lessons, of_examples) = match &args.examples {
        Examples::CrossValidated if learned => (cross(&set.questions, false)?, None),
        Examples::CrossValidatedPaths if learned => (cross(&set.questions, true)?, None),
        Examples::File(_) if learned => {
            (Some(Lessons::from(engine, &world.snapshot, &examples, set.questions.len())?), cross(&examples, false)?)
        }
        _ => (None, None),
    };
    let twins = (args.remove_facts && world.has_graph).then(|| twins(&world, set)).transpose()?;
    let evaluation = Evaluation { args, set, examples: &examples, asker: &asker, lessons, of_examples, twins };
    let runs = wanted.into_iter().map(|mode| evaluation.one(mode, dump.as_deref_mut())).collect();
    // What was learned of this set says nothing of the next.
    lessons::forget(engine);
    runs
}

fn texts(args: &EvalArgs, file: &Path) -> Result<()> {
    let answers =
        [("--dump", args.dump.is_some()), ("--curve", args.curve.is_some()), ("--remove-facts", args.remove_facts)];
    if let Some((flag, _)) = answers.iter().find(|(_, given)| *given) {
        bail!("{flag}: texts with gold triples ask no questions (leave it out)");
    }
    let learn = match &args.examples {
        Examples::None => Texts::None,
        Examples::CrossValidated | Examples::CrossValidatedPaths => Texts::CrossValidated,
        Examples::File(file) => Texts::Of(set::json_lines(file)?),
    };
    // Of answers it is the wrong share that is bounded; of facts too.
    let aim = args.max_risk.map_or(Aim::Balance, |risk| {
        #[expect(clippy::cast_possible_truncation, reason = "a share")]
        let least = 1.0 - risk as f32;
        Aim::Precision(least)
    });
    let found = extract(file, args.limit, args.schema.as_deref(), &learn, aim)?;
    println!(
        "{:<16} {:>6} {:>6} {:>6} {:>6} {:>9} {:>7} {:>7} {:>7} {:>7} {:>7}",
        "set", "texts", "gold", "found", "right", "precision", "recall", "F1", "relaxed", "s", "MiB"
    );
    println!(
        "{:<16} {:>6} {:>6} {:>6} {:>6} {:>9.3} {:>7.3} {:>7.3} {:>7.3} {:>7.1} {:>7.0}",
        found.set,
        found.texts,
        found.gold,
        found.found,
        found.right,
        found.precision,
        found.recall,
        found.f1_strict,
        found.f1_relaxed,
        found.seconds,
        found.peak_rss_mb
    );
    write_json(args.json.as_deref(), &found)
}

/// Whether a file could be written there, told before anything is measured and not when the figures are lost.
///
/// # Errors
/// A folder that is not there, or one where the file should be.
pub fn check_place(file: &Path) -> Result<()> {
    let place = file.parent().filter(|place| !place.as_os_str().is_empty()).unwrap_or(Path::new("."));
    ensure!(place.is_dir(), "{}: no such folder for {} (make it first)", place.display(), file.display());
    ensure!(!file.is_dir(), "{}: is a folder (name a file in it)", file.display());
    Ok(())
}

/// Writes figures as JSON, where a file is named.
///
/// # Errors
/// A file that cannot be written.
pub fn write_json(file: Option<&Path>, report: &impl Serialize) -> Result<()> {
    let Some(path) = file else { return Ok(()) };
    let json = serde_json::to_vec_pretty(report)?;
    std::fs::write(path, json).with_context(|| format!("{}: cannot be written", path.display()))
}

/// The set's questions without an answer.
fn twins(world: &World, set: &EvalSet) -> Result<Twins> {
    let started = Instant::now();
    let twins = Twins::make(&world.snapshot, &set.questions, rule_of(set))?;
    eprintln!(
        "{} questions without an answer over {} graphs, {} left out whose answers are not in the graph, made in {:.1} s",
        twins.all.len(),
        twins.graphs_needed(),
        twins.without,
        started.elapsed().as_secs_f64()
    );
    Ok(twins)
}

/// The language that most questions are in.
fn language(set: &EvalSet) -> &'static str {
    let chinese = set.questions.iter().filter(|question| question.lang.starts_with("zh")).count();
    if chinese * 2 > set.questions.len() { "zh" } else { "en" }
}

fn create(path: &Path) -> Result<BufWriter<File>> {
    Ok(BufWriter::new(File::create(path).with_context(|| format!("{}: cannot be written", path.display()))?))
}

fn print_table(all: &[Totals]) {
    println!(
        "{:<16} {:<12} {:>5} {:>6} {:>6} {:>6} {:>7} {:>7} {:>7} {:>6} {:>6} {:>6} {:>6} {:>8} {:>8} {:>7} {:>7}",
        "set",
        "mode",
        "n",
        "right",
        "wrong",
        "refuse",
        "wrong/a",
        "upper95",
        "covers",
        "hit@1",
        "exact",
        "F1",
        "unans",
        "ms p50",
        "ms p95",
        "cpu s",
        "MiB"
    );
    for run in all {
        if let Some(why) = &run.none {
            println!("{:<16} {:<12} none: {why}", run.set, run.mode.name());
            continue;
        }
        println!(
            "{:<16} {:<12} {:>5} {:>6} {:>6} {:>6} {:>7.4} {:>7.4} {:>7.3} {:>6.3} {:>6.3} {:>6.3} {:>6.3} {:>8.1} {:>8.1} {:>7.1} {:>7.0}",
            run.set,
            run.mode.name(),
            run.questions,
            run.right,
            run.wrong,
            run.refused,
            run.wrong_among_answered,
            run.wrong_upper95,
            run.coverage,
            run.hits_at_1,
            run.exact_match,
            run.f1,
            run.refused_unanswerable.unwrap_or(f64::NAN),
            run.ttft_ms_p50,
            run.ttft_ms_p95,
            run.cpu_s,
            run.peak_rss_mb
        );
    }
}
