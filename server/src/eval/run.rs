//! Runs an evaluation from the set to the table.

use super::{
    EvalArgs, EvalCommand, Examples, Modes,
    compare::compare,
    extraction::extract,
    folds::{self, Calibration, FOLDS, Line, Trial},
    lessons::{self, Lessons},
    modes::{self, Asker, EvalMode, Reply},
    score::{Rule, Score, score},
    set::{self, EvalSet, Knowledge, Question},
    totals::{Outcome, Spent, Totals, Verdict, process},
    world::World,
};
use anyhow::{Context as _, Result, ensure};
use clap::ValueEnum;
use factmask_engine::Engine;
use serde::Serialize;
use std::{
    fs::File,
    io::{BufWriter, Write},
    path::Path,
    time::Instant,
};

/// One question of a run as a line of the dump.
#[derive(Serialize)]
struct Dumped<'a> {
    set: &'a str,
    mode: EvalMode,
    id: &'a str,
    question: &'a str,
    lang: &'a str,
    gold: &'a [String],
    answerable: bool,
    verdict: Verdict,
    score: Score,
    given: Vec<&'a str>,
    forms: &'a [Vec<String>],
    free_text: bool,
    confidence: f32,
    bar: f32,
    first_token_ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'a crate::wire::AnswerBody>,
}

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
    let folder = args.set.as_deref().context("which set? (give its folder)")?;
    for file in args.json.iter().chain(&args.dump) {
        check_place(file)?;
    }
    if folder.is_file() {
        return texts(args, folder);
    }
    let mut set = EvalSet::open(folder, args.tables)?;
    let left_out = set.limit(args.limit);
    if left_out > 0 {
        eprintln!("{}: {left_out} rows with edited documents left out: what is right there is no answer", set.name);
    }
    ensure!(!set.questions.is_empty(), "{}: no questions", folder.display());
    let examples: Vec<Question> = match &args.examples {
        Examples::File(file) => folds::unseen(set::json_lines(file)?, &set.questions),
        Examples::None | Examples::CrossValidated | Examples::CrossValidatedPaths => Vec::new(),
    };
    let mut dump = args.dump.as_deref().map(create).transpose()?;
    let lang = language(&set);
    let world = World::ingest(&set.knowledge, lang, args.schema.as_deref())?;
    eprintln!("{}: {} facts in {:.1} s", set.name, world.snapshot.facts().len(), world.seconds);
    let engine = open()?;
    let mut wanted: Vec<EvalMode> = Vec::new();
    for mode in &args.mode {
        let more = match mode {
            Modes::One(mode) => std::slice::from_ref(mode),
            Modes::All => EvalMode::value_variants(),
        };
        wanted.extend(more.iter().filter(|mode| !wanted.contains(mode)).copied().collect::<Vec<_>>());
    }
    let passages =
        if wanted.contains(&EvalMode::SerialRag) { Some(modes::passages(&engine, &world, lang)?) } else { None };
    let reading = Instant::now();
    if wanted.iter().any(|mode| mode.asks_graph()) {
        engine.read_ahead(modes::TENANT, &world.snapshot, &mut |_, _| Ok(()))?;
    }
    let read_ahead_s = reading.elapsed().as_secs_f64();
    let asker = Asker { engine: &engine, world: &world, passages, read_ahead_s };
    let cross = |questions: &[Question], by_path: bool| {
        Lessons::cross_validated(&engine, &world.snapshot, questions, lessons::folds(questions, by_path)).map(Some)
    };
    let learned = wanted.iter().any(|mode| mode.asks_graph()) && world.has_graph;
    let (lessons, of_examples) = match &args.examples {
        Examples::CrossValidated if learned => (cross(&set.questions, false)?, None),
        Examples::CrossValidatedPaths if learned => (cross(&set.questions, true)?, None),
        Examples::File(_) if learned => {
            (Some(Lessons::from(&engine, &world.snapshot, &examples, set.questions.len())?), cross(&examples, false)?)
        }
        _ => (None, None),
    };
    let evaluation = Evaluation { args, set: &set, examples: &examples, asker: &asker, lessons, of_examples };
    let mut all = Vec::new();
    for mode in wanted {
        all.push(evaluation.one(mode, dump.as_mut())?);
    }
    print_table(&all);
    if let Some(mut dump) = dump {
        dump.flush().context("the dump cannot be written")?;
    }
    match all.as_slice() {
        [only] => write_json(args.json.as_deref(), only),
        several => write_json(args.json.as_deref(), &several),
    }
}

fn texts(args: &EvalArgs, file: &Path) -> Result<()> {
    ensure!(args.dump.is_none(), "--dump: there are no answers to dump for texts with gold triples (leave it out)");
    let found = extract(file, args.limit, args.schema.as_deref())?;
    println!(
        "{:<16} {:>6} {:>6} {:>6} {:>6} {:>9} {:>7} {:>7} {:>7} {:>7}",
        "set", "texts", "gold", "found", "right", "precision", "recall", "F1", "s", "MiB"
    );
    println!(
        "{:<16} {:>6} {:>6} {:>6} {:>6} {:>9.3} {:>7.3} {:>7.3} {:>7.1} {:>7.0}",
        found.set,
        found.texts,
        found.gold,
        found.found,
        found.right,
        found.precision,
        found.recall,
        found.f1_strict,
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

struct Evaluation<'a> {
    args: &'a EvalArgs,
    set: &'a EvalSet,
    examples: &'a [Question],
    asker: &'a Asker<'a>,
    /// What is known when the set's questions are asked.
    lessons: Option<Lessons>,
    /// And when the examples are.
    of_examples: Option<Lessons>,
}

impl Evaluation<'_> {
    fn one(&self, mode: EvalMode, dump: Option<&mut BufWriter<File>>) -> Result<Totals> {
        let documents = matches!(self.set.knowledge, Knowledge::Corpus { .. });
        if mode == EvalMode::GraphOnly && !self.asker.world.has_graph {
            return Ok(Totals::none(&self.set.name, mode, "documents without a schema: no facts to ask"));
        }
        let rule = Rule::of(&self.set.name, documents);
        let (before, _) = process();
        let replies = self.ask(mode, &self.set.questions, self.lessons.as_ref())?;
        let (after, peak_rss_mb) = process();
        let scores: Vec<Score> = self
            .set
            .questions
            .iter()
            .zip(&replies)
            .map(|(question, reply)| score(rule, question, &reply.given))
            .collect();
        let lines = self.lines(mode, rule, &replies, &scores)?;
        let mut outcomes = Vec::with_capacity(replies.len());
        let mut dump = dump;
        for (((question, reply), score), line) in self.set.questions.iter().zip(&replies).zip(&scores).zip(&lines) {
            let confidence = line.confidence(reply.witnesses, reply.confidence);
            let given = !reply.given.values.is_empty() && (!mode.asks_graph() || confidence >= line.bar);
            let verdict = match (given, score.right) {
                (false, _) => Verdict::Refused,
                (true, true) => Verdict::Right,
                (true, false) => Verdict::Wrong,
            };
            if let Some(dump) = &mut dump {
                let dumped = Dumped {
                    set: &self.set.name,
                    mode,
                    id: &question.id,
                    question: &question.question,
                    lang: &question.lang,
                    gold: &question.answers,
                    answerable: question.is_answerable(),
                    verdict,
                    score: *score,
                    given: reply.given.values.iter().filter_map(|forms| forms.first()).map(String::as_str).collect(),
                    forms: &reply.given.values,
                    free_text: reply.given.free,
                    confidence,
                    bar: line.bar,
                    first_token_ms: reply.first_token_ms,
                    answer: reply.body.as_ref(),
                };
                serde_json::to_writer(&mut *dump, &dumped)?;
                dump.write_all(b"\n")?;
            }
            outcomes.push(Outcome {
                id: question.id.clone(),
                answerable: question.is_answerable(),
                verdict,
                score: *score,
                first_token_ms: reply.first_token_ms,
            });
        }
        let spent = Spent {
            ingest_s: self.asker.world.seconds,
            read_ahead_s: self.asker.read_ahead_s,
            facts: self.asker.world.snapshot.facts().len(),
            cpu_s: after - before,
            peak_rss_mb,
        };
        let model = match mode {
            EvalMode::GraphOnly => "",
            _ => self.asker.engine.fuser().map_or("", |fuser| fuser.model().name()),
        };
        let support_recall_at_5 = modes::support_recall(&self.set.questions, &replies);
        Ok(Totals { support_recall_at_5, ..Totals::of(&self.set.name, mode, model, &outcomes, spent) })
    }

    fn ask(&self, mode: EvalMode, questions: &[Question], lessons: Option<&Lessons>) -> Result<Vec<Reply>> {
        // What is loaded with the first question is not the question's cost.
        if let Some(first) = questions.first() {
            self.asker.ask(mode, first)?;
        }
        let (started, mut told) = (Instant::now(), Instant::now());
        let mut replies = Vec::with_capacity(questions.len());
        for (number, question) in questions.iter().enumerate() {
            if let Some(lessons) = lessons {
                lessons.teach(self.asker.engine, number);
            }
            let reply = self.asker.ask(mode, question);
            replies.push(reply.with_context(|| format!("question {}: {}", question.id, question.question))?);
            if told.elapsed().as_secs() >= 15 {
                told = Instant::now();
                let seconds = started.elapsed().as_secs_f64();
                eprintln!("{}: {} of {} questions, {seconds:.0} s", mode.name(), replies.len(), questions.len());
            }
        }
        Ok(replies)
    }

    /// The line for each question, drawn from questions that it is not among.
    fn lines(&self, mode: EvalMode, rule: Rule, replies: &[Reply], scores: &[Score]) -> Result<Vec<std::rc::Rc<Line>>> {
        let own: Vec<Option<Trial>> =
            replies.iter().zip(scores).map(|(reply, score)| Trial::of(reply, score)).collect();
        let drawn =
            |trials: &[Trial], calibration| std::rc::Rc::new(Line::draw(trials, calibration, self.args.max_risk));
        let whole = |line: std::rc::Rc<Line>| vec![line; replies.len()];
        match (&self.args.examples, self.args.max_risk) {
            _ if !mode.asks_graph() => Ok(whole(drawn(&[], Calibration::Product))),
            (Examples::None, None) => Ok(whole(drawn(&[], Calibration::Product))),
            (Examples::File(_), _) => {
                let replies = self.ask(mode, self.examples, self.of_examples.as_ref())?;
                let trial =
                    |(question, reply): (&Question, &Reply)| Trial::of(reply, &score(rule, question, &reply.given));
                let trials: Vec<Trial> = self.examples.iter().zip(&replies).filter_map(trial).collect();
                Ok(whole(drawn(&trials, Calibration::CrossValidated)))
            }
            (examples, _) => {
                let calibration = match examples {
                    Examples::None => Calibration::Product,
                    _ => Calibration::CrossValidated,
                };
                let folds = match &self.lessons {
                    Some(lessons) => lessons.folds.clone(),
                    None => folds::folds(&self.set.questions),
                };
                let lines: Vec<std::rc::Rc<Line>> = (0..FOLDS)
                    .map(|fold| {
                        let others = own.iter().zip(&folds).filter(|(_, its)| **its != fold);
                        let trials: Vec<Trial> = others.filter_map(|(trial, _)| *trial).collect();
                        drawn(&trials, calibration)
                    })
                    .collect();
                Ok(folds.iter().filter_map(|fold| lines.get(*fold)).cloned().collect())
            }
        }
    }
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
