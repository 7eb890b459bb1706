//! `factmask bench mask`: the table.

use super::{
    cases::{self, Style},
    corpus::{ingest, read_schema, read_wordings},
    counterfactual::{Without, World},
    fit,
    random::Random,
    rows::{MODES, Trial},
    tally::{self, Paired, Row, Summary},
};
use crate::eval::write_json;
use anyhow::{Context as _, Result, bail};
use factmask_engine::Engine;
use serde::Serialize;
use std::{collections::BTreeMap, path::PathBuf, sync::Arc, time::Instant};

/// Options of `factmask bench mask`.
#[derive(Clone, Debug, clap::Args)]
pub struct MaskArgs {
    /// Catalogue name or GGUF file of the language model.
    #[arg(long)]
    pub model: Option<String>,
    /// How many questions.
    #[arg(long, default_value_t = 300)]
    pub questions: usize,
    /// Language of questions and cards.
    #[arg(long, default_value = "en")]
    pub lang: String,
    /// Folder or file whose facts are dealt out anew.
    #[arg(long, default_value = "data/corpus")]
    pub corpus: PathBuf,
    /// Schema of the corpus: what the ranker sees.
    #[arg(long, default_value = "data/schema.ttl")]
    pub schema: PathBuf,
    /// Question wordings in other words, never shown to the ranker.
    #[arg(long, default_value = "data/bench/other-words.ttl")]
    pub wordings: PathBuf,
    /// Another seed draws other facts and questions.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Write the table as JSON.
    #[arg(long)]
    pub json: Option<PathBuf>,
    /// Instead of the table, fit the decision's weights on these questions and print them; measure with another seed.
    #[arg(long)]
    pub fit: bool,
}

/// Version of the JSON's shape.
const FORMAT: u32 = 2;

#[derive(Serialize)]
struct Report {
    format: u32,
    model: String,
    lang: String,
    questions: usize,
    relations: usize,
    seed: u64,
    seconds: f64,
    all: Vec<Summary>,
    own_words: Vec<Summary>,
    other_words: Vec<Summary>,
    paired: Vec<Paired>,
    equal_coverage: Vec<Coverage>,
    bars: Vec<Bar>,
}

/// What a higher bar would give and leave out, over questions to answer and questions to refuse.
#[derive(Serialize)]
struct Bar {
    row: String,
    bar: f32,
    right: usize,
    wrong: usize,
}

/// Wrong answers of two rows when both answer equally many questions, the surest first.
#[derive(Serialize)]
struct Coverage {
    row: String,
    answered: usize,
    wrong: usize,
}

/// Runs the bench with an engine that has a language model.
pub fn mask(args: &MaskArgs, engine: &Engine) -> Result<()> {
    let started = Instant::now();
    let model =
        engine.fuser().context("bench mask needs a language model; pull one with `factmask model pull`")?.model();
    // Weights can be fitted for questions that no model reads: the words decide there.
    if !args.fit && !engine.model_reads(&args.lang) {
        bail!("{} does not read `{}`; choose another --model or --lang", model.name(), args.lang);
    }
    let mut random = Random::new(args.seed);
    let schema = read_schema(&args.schema)?;
    let other_words = read_wordings(&args.wordings, &schema)?;
    let source = ingest(&args.corpus, &schema)?;
    let world = World::new(&source, &mut random);
    let cases = cases::draw(&world, &other_words, &args.lang, args.questions, &mut random);
    if cases.is_empty() {
        bail!("{}: no fact can be asked for with the wordings of {}", args.corpus.display(), args.wordings.display());
    }
    let mut trial = Trial {
        engine,
        world: &world,
        snapshot: Arc::new(world.snapshot(&Without::Nothing)),
        lang: &args.lang,
        rows: BTreeMap::new(),
        witnesses: Vec::new(),
        views: Vec::new(),
    };
    for (number, case) in cases.iter().enumerate() {
        let done = if args.fit {
            // The first mode is the one whose witnesses are noted.
            trial.product(number, case, &MODES[..1])
        } else {
            trial.run(number, case, &mut random).and_then(|()| trial.product(number, case, MODES))
        };
        done.with_context(|| format!("question {number}: {}", case.question))?;
        if (number + 1) % 25 == 0 {
            eprintln!("{} of {} questions, {:.0} s", number + 1, cases.len(), started.elapsed().as_secs_f64());
        }
    }
    if args.fit {
        fit::print(&trial.witnesses);
        fit::print_choices(&trial.views);
        return Ok(());
    }
    let own = |number: usize| cases.get(number).is_some_and(|case| case.style == Style::OwnWords);
    let summaries =
        |keep: &dyn Fn(usize) -> bool| trial.rows.iter().map(|(name, row)| row.summary(name, keep)).collect::<Vec<_>>();
    let report = Report {
        format: FORMAT,
        model: model.name().to_owned(),
        lang: args.lang.clone(),
        questions: cases.len(),
        relations: cases
            .iter()
            .map(|case| &case.gold.statement.relation)
            .collect::<std::collections::BTreeSet<_>>()
            .len(),
        seed: args.seed,
        seconds: started.elapsed().as_secs_f64(),
        all: summaries(&|_| true),
        own_words: summaries(&own),
        other_words: summaries(&|number| !own(number)),
        paired: pairs(&trial.rows),
        equal_coverage: equal_coverage(&trial.rows),
        bars: bars(&trial.rows),
    };
    print(&report);
    write_json(args.json.as_deref(), &report)
}

fn pairs(rows: &BTreeMap<String, Row>) -> Vec<Paired> {
    const PAIRS: &[(&str, &str)] = &[
        ("masked + emphasis (own linker)", "short exact prompt"),
        ("masked + emphasis (own linker)", "serial RAG (four cards pasted)"),
        ("masked + emphasis (own linker)", "masked"),
        ("masked", "unmasked"),
        ("masked", "short exact prompt"),
        ("masked + emphasis (own linker)", "fused, uniform logits"),
        ("product: fused", "product: graph only"),
        ("product: fused", "product: uniform logits"),
        ("product: fused", "product: short exact prompt"),
    ];
    PAIRS.iter().filter_map(|(a, b)| tally::paired(rows, a, b)).collect()
}

/// What each way of the product answered in all worlds: confidence and whether it was wrong, the surest first.
fn answers(rows: &BTreeMap<String, Row>) -> Vec<(&String, Vec<(f32, bool)>)> {
    let whole = rows.keys().filter(|name| name.starts_with("product: ") && !name.contains(','));
    let all = |name: &String| {
        let without = format!("{name}, ");
        let own = rows.iter().filter(|(other, _)| *other == name || other.starts_with(&without));
        let outcomes = own.flat_map(|(_, row)| row.outcomes.values());
        let given = outcomes.filter(|outcome| outcome.verdict != tally::Outcomes::Refused);
        let mut answers: Vec<(f32, bool)> =
            given.map(|outcome| (outcome.probability, outcome.verdict == tally::Outcomes::Wrong)).collect();
        answers.sort_by(|a, b| b.0.total_cmp(&a.0));
        answers
    };
    whole.map(|name| (name, all(name))).collect()
}

/// Each row cut to the number of answers that the most careful one gives.
fn equal_coverage(rows: &BTreeMap<String, Row>) -> Vec<Coverage> {
    let all = answers(rows);
    let fewest = all.iter().map(|(_, answers)| answers.len()).min().unwrap_or(0);
    let cut = |(name, answers): (&String, Vec<(f32, bool)>)| Coverage {
        row: name.clone(),
        answered: fewest,
        wrong: answers.iter().take(fewest).filter(|(_, wrong)| *wrong).count(),
    };
    all.into_iter().map(cut).collect()
}

fn bars(rows: &BTreeMap<String, Row>) -> Vec<Bar> {
    const BARS: &[f32] = &[0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95];
    let at = |name: &String, answers: &[(f32, bool)], bar: f32| {
        let count = |wanted: bool| answers.iter().filter(|(sure, wrong)| *sure >= bar && *wrong == wanted).count();
        Bar { row: name.clone(), bar, right: count(false), wrong: count(true) }
    };
    answers(rows).iter().flat_map(|(name, answers)| BARS.iter().map(|bar| at(name, answers, *bar))).collect()
}

fn print(report: &Report) {
    println!(
        "{}, `{}`, {} questions over {} relations, seed {}, {:.0} s",
        report.model, report.lang, report.questions, report.relations, report.seed, report.seconds
    );
    for (title, rows) in
        [("all questions", &report.all), ("own words", &report.own_words), ("other words", &report.other_words)]
    {
        println!(
            "\n{title:<52} {:>4} {:>6} {:>6} {:>7} {:>6} {:>8} {:>8}",
            "n", "right", "wrong", "refused", "p", "ms p50", "ms p95"
        );
        for row in rows {
            println!(
                "{:<52} {:>4} {:>6} {:>6} {:>7} {:>6.2} {:>8.0} {:>8.0}",
                row.row,
                row.questions,
                row.right,
                row.wrong,
                row.refused,
                row.probability,
                row.first_token_ms_p50,
                row.first_token_ms_p95
            );
        }
    }
    println!("\npaired, exact McNemar");
    for pair in &report.paired {
        println!(
            "{} against {}: only first right {}, only second right {}, p = {:.4}",
            pair.a, pair.b, pair.only_a, pair.only_b, pair.p
        );
    }
    println!("\nanswers by bar, questions to answer and to refuse together");
    for bar in &report.bars {
        println!("{:<52} {:.2} {:>4} right, {:>4} wrong", bar.row, bar.bar, bar.right, bar.wrong);
    }
    println!("\nwrong answers at equal coverage (fact there, fact gone and relation unknown together, surest first)");
    for row in &report.equal_coverage {
        println!("{:<52} {:>4} answered, {:>4} wrong", row.row, row.answered, row.wrong);
    }
}
