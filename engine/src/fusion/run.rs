//! A plan on the model: cards as blocks under the mask (or pasted, as the baselines do), one prefill of the question, two
//! readings of it.
//!
//! The question is prefilled once, masked and without emphasis. The *plain* reading asks the model right there which of the
//! possible answers comes next. The *guided* reading goes on from the same prefill with the stem of the best path and the
//! emphasis on its lines. The *voices* are the likelihoods of each path's stem given the question.

use super::plan::{AttentionPlan, PlannedCard};
use crate::{
    EngineError,
    decode::{LeafScores, Trie},
    kv::{Block, BlockStore, Context, KeyValues, Part},
    model::{Forward, LanguageModel, Rows, Segment},
};
use std::{
    ops::Range,
    sync::Arc,
    time::{Duration, Instant},
};

/// Version of the domain lexicon; none cuts tokens yet.
const LEXICON: u32 = 0;

/// How the visible cards reach the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// As precomputed blocks: only what is cold is encoded, each card sees the prefix and itself.
    Blocks,
    /// As one text that is prefilled as a whole, the way serial RAG and the short exact prompt do it. Emphasis still works;
    /// hidden lines stay in the text for other cards, but are not seen by question and answer.
    Pasted,
}

/// Whose logits decide: the model's, or none at all (every token alike), which shows what the model contributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The model.
    Model,
    /// Uniform logits; nothing is computed.
    Uniform,
}

/// What the model says of a plan's answers.
#[derive(Clone, Debug)]
pub struct Readings {
    /// With stem and emphasis.
    pub guided: LeafScores,
    /// From the question alone.
    pub plain: LeafScores,
    /// Mean log-likelihood of a token of each path's stem given the question; `None` for a path without a stem.
    pub voices: Vec<Option<f32>>,
    /// What it cost.
    pub cost: Cost,
}

/// Time and tokens of one run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// Encoding cold cards.
    pub encode: Duration,
    /// Looking up and placing blocks.
    pub place: Duration,
    /// Prefill of the question (with the cards, when pasted).
    pub prefill: Duration,
    /// Both readings and the voices.
    pub read: Duration,
    /// Cards that were there.
    pub warm_cards: usize,
    /// Cards that had to be encoded.
    pub cold_cards: usize,
    /// Tokens in view before the question.
    pub visible_tokens: usize,
}

/// Runs plans on one model with one block store.
pub struct Fuser {
    model: Arc<LanguageModel>,
    blocks: BlockStore,
}

/// What of a plan's options a run takes.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions {
    /// Blocks or pasted.
    pub layout: Layout,
    /// Model or uniform.
    pub source: Source,
    /// Whether the stems of all paths are read as a third voice.
    pub voices: bool,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self { layout: Layout::Blocks, source: Source::Model, voices: false }
    }
}

/// A place in the sequence from which readings branch.
struct Prefilled {
    /// Everything in view up to the question's end, without emphasis.
    plain: Context,
    /// What stands before `tail`, with emphasis.
    emphasised: Context,
    /// The part that ends with the question's last token.
    tail: Part,
    /// Position after the question.
    next: u32,
    /// After the question's last token.
    logits: Vec<f32>,
}

impl Fuser {
    /// A fuser with room for `block_bytes` of key/value blocks.
    pub fn new(model: Arc<LanguageModel>, block_bytes: usize) -> Self {
        Self { model, blocks: BlockStore::new(block_bytes) }
    }

    /// The model.
    pub fn model(&self) -> &LanguageModel {
        &self.model
    }

    /// The model, to share it with another store.
    pub fn shared_model(&self) -> Arc<LanguageModel> {
        self.model.clone()
    }

    /// The block store.
    pub fn blocks(&self) -> &BlockStore {
        &self.blocks
    }

    /// Runs a plan.
    pub fn run(&self, tenant: &str, plan: &AttentionPlan, options: RunOptions) -> Result<Readings, EngineError> {
        let mut cost = Cost::default();
        if options.source == Source::Uniform {
            return Ok(Readings {
                guided: plan.after_stem.uniform(),
                plain: plan.after_question.uniform(),
                voices: vec![None; plan.path_stems.len()],
                cost,
            });
        }
        let prefilled = match options.layout {
            Layout::Blocks => self.prefill_blocks(tenant, plan, &mut cost)?,
            Layout::Pasted => self.prefill_pasted(plan, &mut cost)?,
        };
        let started = Instant::now();
        let plain = self.read(&plan.after_question, &prefilled.plain, prefilled.next, &prefilled.logits)?;
        let guided = self.guided(plan, &prefilled)?;
        let voices = if options.voices { self.voices(plan, &prefilled)? } else { vec![None; plan.path_stems.len()] };
        cost.read = started.elapsed();
        Ok(Readings { guided, plain, voices, cost })
    }

    /// Encodes the cards of a plan that are not in the store yet; how the block cache is warmed ahead of questions.
    pub fn warm(&self, tenant: &str, plan: &AttentionPlan) -> Result<(), EngineError> {
        let mut cost = Cost::default();
        let prefix = self.block(tenant, &[], &plan.prefix, Vec::new(), &Context::new(), 0, &mut cost)?;
        let sink = Context::new().with(Part::new(self.model.place(&prefix.kv, 0)?));
        for planned in &plan.cards {
            self.card(tenant, plan, planned, &sink, &mut cost)?;
        }
        Ok(())
    }

    fn prefill_blocks(&self, tenant: &str, plan: &AttentionPlan, cost: &mut Cost) -> Result<Prefilled, EngineError> {
        let prefix = self.block(tenant, &[], &plan.prefix, Vec::new(), &Context::new(), 0, cost)?;
        let started = Instant::now();
        let sink = Context::new().with(Part::new(self.model.place(&prefix.kv, 0)?));
        cost.place += started.elapsed();
        (cost.warm_cards, cost.cold_cards, cost.encode) = (0, 0, Duration::ZERO);
        let mut next = plan.prefix.len() as u32;
        let (mut plain, mut emphasised) = (sink.clone(), sink.clone());
        // A card with nothing to show takes no position: it must not matter whether it is there.
        for planned in plan.cards.iter().filter(|planned| !planned.is_hidden()) {
            let block = self.card(tenant, plan, planned, &sink, cost)?;
            let started = Instant::now();
            let placed = self.model.place(&block.kv, next)?;
            let hidden = hidden_ranges(planned, &block.lines);
            plain = plain.with(Part { placed: placed.clone(), hidden: hidden.clone(), bias: Vec::new() });
            emphasised = emphasised.with(Part { placed, hidden, bias: biases(planned, &block.lines) });
            next += block.tokens.len() as u32;
            cost.place += started.elapsed();
        }
        cost.visible_tokens = next as usize;
        let started = Instant::now();
        let segment =
            Segment { tokens: &plan.question, start: next, context: &plain, logits: Rows::Last, capture: &[] };
        let (kv, logits) = last(self.model.forward(&[segment])?)?;
        let question = self.model.place(&kv, next)?;
        cost.prefill = started.elapsed();
        Ok(Prefilled {
            plain: plain.with(Part::new(question.clone())),
            emphasised,
            tail: Part::new(question),
            next: next + plan.question.len() as u32,
            logits,
        })
    }

    fn prefill_pasted(&self, plan: &AttentionPlan, cost: &mut Cost) -> Result<Prefilled, EngineError> {
        let started = Instant::now();
        let mut tokens = plan.prefix.clone();
        let (mut hidden, mut bias) = (Vec::new(), Vec::new());
        for planned in plan.cards.iter().filter(|planned| !planned.is_hidden()) {
            let at = tokens.len() as u32;
            let shift = |range: Range<u32>| range.start + at..range.end + at;
            let lines = line_ranges(planned);
            hidden.extend(hidden_ranges(planned, &lines).into_iter().map(shift));
            bias.extend(biases(planned, &lines).into_iter().map(|(range, bias)| (shift(range), bias)));
            tokens.extend(planned.card.tokens());
        }
        cost.visible_tokens = tokens.len();
        let empty = Context::new();
        // With hidden lines the question may not see all of the text, so text and question go in two steps.
        let (next, logits, parts) = if hidden.is_empty() {
            tokens.extend(&plan.question);
            let segment = Segment { tokens: &tokens, start: 0, context: &empty, logits: Rows::Last, capture: &[] };
            let (kv, logits) = last(self.model.forward(&[segment])?)?;
            (tokens.len() as u32, logits, vec![self.model.place(&kv, 0)?])
        } else {
            let text = Segment { tokens: &tokens, start: 0, context: &empty, logits: Rows::None, capture: &[] };
            let text = self.only(self.model.forward(&[text])?)?.kv;
            let placed = self.model.place(&text, 0)?;
            let context = empty.with(Part { placed: placed.clone(), hidden: hidden.clone(), bias: Vec::new() });
            let start = tokens.len() as u32;
            let segment =
                Segment { tokens: &plan.question, start, context: &context, logits: Rows::Last, capture: &[] };
            let (kv, logits) = last(self.model.forward(&[segment])?)?;
            (start + plan.question.len() as u32, logits, vec![placed, self.model.place(&kv, start)?])
        };
        let (mut plain, mut emphasised) = (Context::new(), Context::new());
        let last_part = parts.len() - 1;
        let mut tail = None;
        for (number, placed) in parts.into_iter().enumerate() {
            // The text comes first; hidden lines and emphasis are its own.
            let (hidden, bias) = if number == 0 { (hidden.clone(), bias.clone()) } else { (Vec::new(), Vec::new()) };
            plain = plain.with(Part { placed: placed.clone(), hidden: hidden.clone(), bias: Vec::new() });
            let part = Part { placed, hidden, bias };
            if number == last_part { tail = Some(part) } else { emphasised = emphasised.with(part) }
        }
        let tail = tail.ok_or(EngineError::Cancelled)?;
        cost.prefill = started.elapsed();
        Ok(Prefilled { plain, emphasised, tail, next, logits })
    }

    fn guided(&self, plan: &AttentionPlan, prefilled: &Prefilled) -> Result<LeafScores, EngineError> {
        let (tokens, start, before) = if plan.stem.is_empty() {
            // Without a stem the question's last token is read again, this time with the emphasis and without its first self.
            let mut tail = prefilled.tail.clone();
            let end = tail.placed.len();
            tail.hidden.push(end.saturating_sub(1)..end);
            let last = plan.question.len().saturating_sub(1);
            (&plan.question[last..], prefilled.next - 1, prefilled.emphasised.with(tail))
        } else {
            (plan.stem.as_slice(), prefilled.next, prefilled.emphasised.with(prefilled.tail.clone()))
        };
        let segment = Segment { tokens, start, context: &before, logits: Rows::Last, capture: &[] };
        let (kv, logits) = last(self.model.forward(&[segment])?)?;
        let context = before.with(Part::new(self.model.place(&kv, start)?));
        self.read(&plan.after_stem, &context, start + tokens.len() as u32, &logits)
    }

    /// Walks the trie of answers, a batch a level.
    fn read(&self, trie: &Trie, context: &Context, start: u32, root: &[f32]) -> Result<LeafScores, EngineError> {
        trie.score(root, |prefixes| {
            let segments: Vec<Segment<'_>> = prefixes
                .iter()
                .map(|prefix| Segment { tokens: prefix, start, context, logits: Rows::Last, capture: &[] })
                .collect();
            let results = self.model.forward(&segments)?;
            Ok(results.into_iter().map(|mut result| result.logits.pop().unwrap_or_default()).collect())
        })
    }

    fn voices(&self, plan: &AttentionPlan, prefilled: &Prefilled) -> Result<Vec<Option<f32>>, EngineError> {
        let spoken: Vec<&Vec<u32>> = plan.path_stems.iter().filter(|stem| !stem.is_empty()).collect();
        let segments: Vec<Segment<'_>> = spoken
            .iter()
            .map(|stem| Segment {
                tokens: stem,
                start: prefilled.next,
                context: &prefilled.plain,
                logits: Rows::All,
                capture: &[],
            })
            .collect();
        let results = if segments.is_empty() { Vec::new() } else { self.model.forward(&segments)? };
        let mut likelihoods = spoken.iter().zip(&results).map(|(stem, result)| {
            let rows = std::iter::once(&prefilled.logits).chain(&result.logits);
            let sum: f32 = stem.iter().zip(rows).map(|(token, row)| log_probability(row, *token)).sum();
            sum / stem.len() as f32
        });
        Ok(plan.path_stems.iter().map(|stem| if stem.is_empty() { None } else { likelihoods.next() }).collect())
    }

    fn card(
        &self,
        tenant: &str,
        plan: &AttentionPlan,
        planned: &PlannedCard,
        sink: &Context,
        cost: &mut Cost,
    ) -> Result<Arc<Block>, EngineError> {
        let start = plan.prefix.len() as u32;
        self.block(tenant, &plan.prefix, &planned.card.tokens(), line_ranges(planned), sink, start, cost)
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of a block's key and what it is encoded from")]
    fn block(
        &self,
        tenant: &str,
        prefix: &[u32],
        tokens: &[u32],
        lines: Vec<Range<u32>>,
        context: &Context,
        start: u32,
        cost: &mut Cost,
    ) -> Result<Arc<Block>, EngineError> {
        let key = self.model.block_key(tenant, prefix, LEXICON, tokens);
        if let Some(block) = self.blocks.get(&key) {
            cost.warm_cards += 1;
            return Ok(block);
        }
        let started = Instant::now();
        let segment = Segment { tokens, start, context, logits: Rows::None, capture: &[] };
        let kv = self.only(self.model.forward(&[segment])?)?.kv;
        cost.encode += started.elapsed();
        cost.cold_cards += 1;
        Ok(self.blocks.insert(Block { key, tokens: tokens.to_vec(), lines, kv }))
    }

    fn only(&self, results: Vec<Forward>) -> Result<Forward, EngineError> {
        results.into_iter().next().ok_or(EngineError::Cancelled)
    }
}

fn last(results: Vec<Forward>) -> Result<(KeyValues, Vec<f32>), EngineError> {
    let mut result = results.into_iter().next().ok_or(EngineError::Cancelled)?;
    let logits = result.logits.pop().ok_or(EngineError::Cancelled)?;
    Ok((result.kv, logits))
}

fn line_ranges(planned: &PlannedCard) -> Vec<Range<u32>> {
    let mut at = 0;
    planned
        .card
        .lines
        .iter()
        .map(|line| {
            let start = at;
            at += line.tokens.len() as u32;
            start..at
        })
        .collect()
}

fn hidden_ranges(planned: &PlannedCard, lines: &[Range<u32>]) -> Vec<Range<u32>> {
    planned.hidden.iter().filter_map(|line| lines.get(*line).cloned()).collect()
}

fn biases(planned: &PlannedCard, lines: &[Range<u32>]) -> Vec<(Range<u32>, f32)> {
    lines.iter().cloned().zip(planned.emphasis.0.iter().copied()).filter(|(_, bias)| *bias != 0.0).collect()
}

fn log_probability(row: &[f32], token: u32) -> f32 {
    let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = row.iter().map(|logit| (logit - most).exp()).sum();
    row.get(token as usize).map_or(f32::NEG_INFINITY, |logit| logit - most - sum.ln())
}

#[cfg(test)]
mod tests;
