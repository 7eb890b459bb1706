//! Runs an evaluation from the set to the table.

use super::{
    EvalArgs, EvalCommand, Examples, Modes,
    compare::compare,
    curve::{self, Proposal},
    drawing,
    extraction::extract,
    folds::{self, Calibration, FOLDS, Line, Trial},
    lessons::{self, Lessons},
    modes::{self, Asker, EvalMode, Reply},
    score::{Rule, Score, score},
    set::{self, EvalSet, Knowledge, Question},
    totals::{Outcome, Spent, Totals, Verdict, process},
    twins::{
        Kind, Twins,
        tally::{self, Fate, Refusals},
    },
    world::World,
};
use anyhow::{Context as _, Result, bail, ensure};
use clap::ValueEnum;
use factmask_engine::Engine;
use serde::Serialize;
use std::{
    collections::BTreeMap,
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
    /// Why it has no answer, where it is a twin without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    twin: Option<Kind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'a crate::wire::AnswerBody>,
}

impl Dumped<'_> {
    fn write(&self, dump: &mut BufWriter<File>) -> Result<()> {
        serde_json::to_writer(&mut *dump, self)?;
        Ok(dump.write_all(b"\n")?)
    }
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
    /// The same questions without an answer, where they are wanted.
    twins: Option<Twins>,
}

impl Evaluation<'_> {
    fn one(&self, mode: EvalMode, dump: Option<&mut BufWriter<File>>) -> Result<Totals> {
        if mode == EvalMode::GraphOnly && !self.asker.world.has_graph {
            return Ok(Totals::none(&self.set.name, mode, "documents without a schema: no facts to ask"));
        }
        let rule = rule_of(self.set);
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
        let (mut outcomes, mut proposals) = (Vec::with_capacity(replies.len()), Vec::new());
        let mut dump = dump;
        for (((question, reply), score), line) in self.set.questions.iter().zip(&replies).zip(&scores).zip(&lines) {
            let (confidence, verdict) = decided(mode, line, reply, score);
            let answerable = question.is_answerable();
            if !reply.given.values.is_empty() {
                proposals.push(Proposal { confidence, right: score.right, answerable });
            }
            if let Some(dump) = &mut dump {
                self.dumped(mode, question, reply, *score, line, None).write(dump)?;
            }
            outcomes.push(Outcome {
                id: question.id.clone(),
                answerable,
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
        let mut totals = Totals { support_recall_at_5, ..Totals::of(&self.set.name, mode, model, &outcomes, spent) };
        if mode.asks_graph() {
            totals.curve = curve::curve(&proposals, totals.answerable);
            totals.at_risk = curve::at_risks(&totals.curve);
        }
        if let Some(twins) = self.twins.as_ref().filter(|_| mode.asks_graph()) {
            totals.unanswerable = self.unanswerable(mode, twins, rule, &lines, &outcomes, dump)?;
        }
        Ok(totals)
    }

    /// What becomes of the twins, by kind, and of the rows that the set marks as unanswerable.
    fn unanswerable(
        &self,
        mode: EvalMode,
        twins: &Twins,
        rule: Rule,
        lines: &[std::rc::Rc<Line>],
        outcomes: &[Outcome],
        mut dump: Option<&mut BufWriter<File>>,
    ) -> Result<Vec<Refusals>> {
        let teach = |number: usize| {
            if let Some(lessons) = &self.lessons {
                lessons.teach(self.asker.engine, number);
            }
        };
        let replies = twins.ask(self.asker, mode, &teach)?;
        let mut fates: BTreeMap<Kind, Vec<(Fate, bool)>> = BTreeMap::new();
        for (twin, reply) in twins.all.iter().zip(&replies) {
            let place = self.set.questions.get(twin.of).zip(lines.get(twin.of)).zip(outcomes.get(twin.of));
            let Some(((question, line), outcome)) = place else { continue };
            let score = score(rule, question, &reply.given);
            let (_, verdict) = decided(mode, line, reply, &score);
            let fate = match verdict {
                Verdict::Refused => Fate::Refused,
                // The answers to another question are not right here, even if they are the same.
                Verdict::Right if !twin.removed.is_empty() => Fate::GoldAgain,
                Verdict::Right | Verdict::Wrong => Fate::Wrong,
            };
            fates.entry(twin.kind).or_default().push((fate, outcome.verdict != Verdict::Refused));
            if let Some(dump) = &mut dump {
                let asked = Question { question: twin.question.clone(), ..question.clone() };
                self.dumped(mode, &asked, reply, score, line, Some(twin.kind)).write(dump)?;
            }
        }
        for outcome in outcomes.iter().filter(|outcome| !outcome.answerable) {
            let fate = if outcome.verdict == Verdict::Refused { Fate::Refused } else { Fate::Wrong };
            fates.entry(Kind::Marked).or_default().push((fate, false));
        }
        Ok(fates.into_iter().map(|(kind, fates)| Refusals::of(kind, &fates)).collect())
    }

    fn dumped<'a>(
        &'a self,
        mode: EvalMode,
        question: &'a Question,
        reply: &'a Reply,
        score: Score,
        line: &Line,
        twin: Option<Kind>,
    ) -> Dumped<'a> {
        let (confidence, verdict) = decided(mode, line, reply, &score);
        Dumped {
            set: &self.set.name,
            mode,
            id: &question.id,
            question: &question.question,
            lang: &question.lang,
            gold: &question.answers,
            answerable: twin.is_none() && question.is_answerable(),
            verdict,
            score,
            given: reply.given.values.iter().filter_map(|forms| forms.first()).map(String::as_str).collect(),
            forms: &reply.given.values,
            free_text: reply.given.free,
            confidence,
            bar: line.bar,
            first_token_ms: reply.first_token_ms,
            twin,
            answer: reply.body.as_ref(),
        }
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

/// How sure a reply is by a line, and what becomes of it.
fn decided(mode: EvalMode, line: &Line, reply: &Reply, score: &Score) -> (f32, Verdict) {
    let confidence = line.confidence(reply.witnesses, reply.confidence);
    let given = !reply.given.values.is_empty() && (!mode.asks_graph() || confidence >= line.bar);
    let verdict = match (given, score.right) {
        (false, _) => Verdict::Refused,
        (true, true) => Verdict::Right,
        (true, false) => Verdict::Wrong,
    };
    (confidence, verdict)
}

fn rule_of(set: &EvalSet) -> Rule {
    Rule::of(&set.name, matches!(set.knowledge, Knowledge::Corpus { .. }))
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
