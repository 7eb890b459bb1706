//! The questions of a set asked one way: replies, lines, verdicts, twins, dump.

use super::{
    EvalArgs, Examples,
    curve::{self, Proposal},
    folds::{self, Calibration, FOLDS, Line, Trial},
    lessons::Lessons,
    modes::{self, Asker, EvalMode, Reply},
    score::{Rule, Score, score},
    set::{EvalSet, Knowledge, Question},
    totals::{Outcome, Spent, Totals, Verdict, process},
    twins::{
        Kind, Twins,
        tally::{Fate, Refusals},
    },
};
use crate::wire::StatusBody;
use anyhow::{Context as _, Result};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufWriter, Write},
    time::Instant,
};

pub(super) struct Evaluation<'a> {
    pub(super) args: &'a EvalArgs,
    pub(super) set: &'a EvalSet,
    pub(super) examples: &'a [Question],
    pub(super) asker: &'a Asker<'a>,
    /// What is known when the set's questions are asked.
    pub(super) lessons: Option<Lessons>,
    /// And when the examples are.
    pub(super) of_examples: Option<Lessons>,
    /// The same questions without an answer, where they are wanted.
    pub(super) twins: Option<Twins>,
}

impl Evaluation<'_> {
    pub(super) fn one(&self, mode: EvalMode, dump: Option<&mut BufWriter<File>>) -> Result<Totals> {
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
            bar: bar_for(line, reply),
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

fn bar_for(line: &Line, reply: &Reply) -> f32 {
    let from_text = reply.body.as_ref().is_some_and(|body| matches!(body.status, StatusBody::FromText));
    if from_text { line.bar_of_text } else { line.bar }
}

/// How sure a reply is by a line, and what becomes of it.
fn decided(mode: EvalMode, line: &Line, reply: &Reply, score: &Score) -> (f32, Verdict) {
    let confidence = line.confidence(reply.witnesses, reply.confidence);
    let given = !reply.given.values.is_empty() && (!mode.asks_graph() || confidence >= bar_for(line, reply));
    let verdict = match (given, score.right) {
        (false, _) => Verdict::Refused,
        (true, true) => Verdict::Right,
        (true, false) => Verdict::Wrong,
    };
    (confidence, verdict)
}

pub(super) fn rule_of(set: &EvalSet) -> Rule {
    Rule::of(&set.name, matches!(set.knowledge, Knowledge::Corpus { .. }))
}

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
