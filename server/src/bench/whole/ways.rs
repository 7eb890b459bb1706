//! One question answered one way, and what it took.

use super::world::{Case, World};
use crate::{
    bench::{
        TENANT,
        clock::{Spent, timed},
        tally::Outcomes,
    },
    eval::{
        free_text,
        modes::EvalMode,
        passages::Passages,
        score::{Rule, score},
        set::Question,
    },
};
use anyhow::{Context as _, Result, ensure};
use factmask_engine::{
    AskOptions, Engine,
    answer::Mode,
    fusion::{
        AttentionPlan, Fuser,
        plan::{self, Compiler},
    },
};
use serde::Serialize;
use std::time::Instant;

/// A way to an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// The product; all cards are in the block store.
    FusedWarm,
    /// The product; no card is in the block store, the shared prefix is.
    FusedCold,
    /// The product on a stream of questions by popularity; the block store holds what earlier questions left in it.
    FusedZipf,
    /// The cards in view pasted and prefilled.
    ExactPrompt,
    /// Five passages of about 200 tokens, found by words, pasted and answered in free text.
    SerialRag,
    /// Links, paths and graph, no model.
    GraphOnly,
}

impl Way {
    /// The ways that are compared on the same questions.
    pub const COMPARED: [Self; 5] =
        [Self::FusedWarm, Self::FusedCold, Self::ExactPrompt, Self::SerialRag, Self::GraphOnly];

    /// Its name in tables; in JSON it is written with underscores.
    pub fn name(self) -> &'static str {
        match self {
            Self::FusedWarm => "fused, warm",
            Self::FusedCold => "fused, cold",
            Self::FusedZipf => "fused, Zipf stream",
            Self::ExactPrompt => "short exact prompt",
            Self::SerialRag => "serial RAG",
            Self::GraphOnly => "graph only",
        }
    }
}

/// What one answer took and what it is worth.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    /// Milliseconds from the question to the first token that may be released.
    pub ttft_ms: f64,
    /// Milliseconds to the whole answer.
    pub total_ms: f64,
    /// Milliseconds of processors, all threads.
    pub cpu_ms: f64,
    /// Right, wrong or refused.
    pub outcome: Outcomes,
}

/// Cards that the stream asked its block store for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lookups {
    /// Found.
    pub hits: u64,
    /// Not found, and encoded.
    pub misses: u64,
}

impl Lookups {
    /// Adds what one question looked up; the shared prefix, which every question finds, is no card.
    pub fn add(&mut self, hits: u64, misses: u64) {
        self.hits += hits.saturating_sub(1);
        self.misses += misses;
    }

    /// Share of the cards that were found; none where none was looked up.
    pub fn hit_rate(self) -> Option<f64> {
        let all = self.hits + self.misses;
        (all > 0).then(|| self.hits as f64 / all as f64)
    }
}

/// Asks questions of one world with one number of threads.
pub struct Asker<'a> {
    /// Answers the compared ways.
    pub engine: Engine,
    /// Answers the stream: its block store is not touched by the others.
    pub stream: Engine,
    /// What is known.
    pub world: &'a World,
    /// For serial RAG.
    pub passages: &'a Passages,
    /// What the stream looked up.
    pub lookups: Lookups,
    /// Tenants that have been used for a cold question: blocks of one are not found by another.
    pub cold: usize,
}

impl Asker<'_> {
    /// Answers a question. What the way takes for granted is made ready first and not counted.
    ///
    /// # Errors
    /// A question whose plan shows another number of facts than it is labelled with, or a model that fails.
    pub fn ask(&mut self, way: Way, case: &Case) -> Result<Taken> {
        let plan = plan(&self.engine, self.world, case)?;
        match way {
            Way::FusedWarm => {
                fuser(&self.engine)?.warm(TENANT, &plan)?;
                self.by_graph(&self.engine, Mode::Fused, TENANT, case)
            }
            Way::FusedCold => {
                self.cold += 1;
                let tenant = format!("{TENANT}-cold-{}", self.cold);
                fuser(&self.engine)?.warm(&tenant, &AttentionPlan { cards: Vec::new(), ..plan })?;
                self.by_graph(&self.engine, Mode::Fused, &tenant, case)
            }
            Way::FusedZipf => {
                let before = fuser(&self.stream)?.blocks().stats();
                let taken = self.by_graph(&self.stream, Mode::Fused, TENANT, case)?;
                let after = fuser(&self.stream)?.blocks().stats();
                self.lookups.add(after.hits - before.hits, after.misses - before.misses);
                Ok(taken)
            }
            Way::ExactPrompt => self.by_graph(&self.engine, Mode::ExactPrompt, TENANT, case),
            Way::SerialRag => self.in_free_text(case),
            Way::GraphOnly => self.by_graph(&self.engine, Mode::GraphOnly, TENANT, case),
        }
    }

    /// Puts the cards of a question into the stream's block store, and says how many blocks that store has given up so far.
    ///
    /// # Errors
    /// A model that fails.
    pub fn fill_stream(&self, case: &Case) -> Result<u64> {
        let stream = fuser(&self.stream)?;
        stream.warm(TENANT, &plan(&self.stream, self.world, case)?)?;
        Ok(stream.blocks().stats().evictions)
    }

    fn by_graph(&self, engine: &Engine, mode: Mode, tenant: &str, case: &Case) -> Result<Taken> {
        let options = AskOptions { tenant: tenant.to_owned(), mode, ..AskOptions::default() };
        let (answer, spent) = timed(|| Ok(engine.answer(&self.world.snapshot, &case.question, &options)?))?;
        Ok(taken(answer.timings.first_token_ms, spent, Outcomes::of(&answer, Some(&case.gold))))
    }

    fn in_free_text(&self, case: &Case) -> Result<Taken> {
        let fuser = fuser(&self.engine)?;
        let ((retrieved, reply), spent) = timed(|| {
            let started = Instant::now();
            let facts = self.passages.for_question(&case.question, None);
            let retrieved = started.elapsed();
            Ok((retrieved, free_text::reply(fuser, EvalMode::SerialRag, "en", &facts, &case.question)?))
        })?;
        let asked = Question {
            question: case.question.clone(),
            answers: vec![case.said.clone()],
            answerable: Some(true),
            ..Question::default()
        };
        let outcome = match score(Rule::All, &asked, &reply.given).right {
            _ if reply.given.values.is_empty() => Outcomes::Refused,
            true => Outcomes::Right,
            false => Outcomes::Wrong,
        };
        let first = retrieved + reply.generated.first_token;
        Ok(taken(first.as_secs_f64() * 1e3, spent, outcome))
    }
}

fn taken(ttft_ms: f64, spent: Spent, outcome: Outcomes) -> Taken {
    Taken { ttft_ms, total_ms: spent.wall.as_secs_f64() * 1e3, cpu_ms: spent.cpu_s * 1e3, outcome }
}

/// The runner of an engine's model.
///
/// # Errors
/// Without a model.
pub fn fuser(engine: &Engine) -> Result<&Fuser> {
    engine.fuser().context("bench needs a language model; pull one with `factmask model pull`")
}

/// The plan that the product will make of a question.
///
/// # Errors
/// One that shows another number of facts than the question is labelled with: its figures would stand in the wrong column.
pub fn plan(engine: &Engine, world: &World, case: &Case) -> Result<AttentionPlan> {
    let fuser = fuser(engine)?;
    let reader = engine.reader(TENANT, &world.snapshot)?;
    let prepared = engine.prepare(TENANT, &reader, &case.question, None)?;
    let reading = &prepared.reading;
    let best = prepared.best.and_then(|best| reading.candidates.get(best));
    let view = best.map(|best| plan::in_view(reading, best)).unwrap_or_default();
    let prompt = engine.prompt(fuser, &reading.lang)?;
    let compiler = Compiler { snapshot: &world.snapshot, tokenizer: fuser.model().tokenizer(), prompt: &prompt };
    let plan = compiler.compile(reading, &view, &case.question)?;
    let plan = plan.with_context(|| format!("`{}`: no card is in view, or too much", case.question))?;
    let visible: usize = plan.cards.iter().map(|card| card.card.lines.len() - card.hidden.len()).sum();
    ensure!(
        visible == case.facts,
        "`{}`: {visible} facts are in view instead of {}; the wordings of data/bench/towns.ttl no longer fit the ranker",
        case.question,
        case.facts
    );
    Ok(plan)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

    use super::{Lookups, Way};

    #[test]
    fn the_prefix_is_no_card() {
        let mut lookups = Lookups::default();
        assert_eq!(lookups.hit_rate(), None);
        for (hits, misses) in [(1, 4), (5, 0), (0, 0), (3, 2)] {
            lookups.add(hits, misses);
        }
        assert_eq!(lookups, Lookups { hits: 6, misses: 6 });
        assert_eq!(lookups.hit_rate(), Some(0.5));
    }

    #[test]
    fn names_in_json() {
        let names = serde_json::to_string(&[Way::FusedWarm, Way::FusedZipf, Way::ExactPrompt, Way::SerialRag]).unwrap();
        assert_eq!(names, r#"["fused_warm","fused_zipf","exact_prompt","serial_rag"]"#);
    }
}
