//! Prefix, cards and question into keys and values: as blocks from the store, or pasted as one text.

use super::{
    attention::Attention,
    card::Card,
    plan::{AttentionPlan, Guide, PlannedCard},
    run::{Cost, Fuser, Last, RunOptions, last},
};
use crate::{
    EngineError,
    kv::{Block, BlockKey, Context, Part, Placed},
    model::{LanguageModel, Rows, Segment},
};
use factmask_graph::FactId;
use std::{
    ops::Range,
    sync::Arc,
    time::{Duration, Instant},
};

/// Version of the domain lexicon; none cuts tokens yet.
const LEXICON: u32 = 0;

/// Tokens in view and which of them say which fact.
struct Seen {
    placed: Arc<Placed>,
    hidden: Vec<Range<u32>>,
    lines: Vec<(FactId, Range<u32>)>,
}

/// A place in the sequence from which readings branch.
pub(super) struct Prefilled {
    /// Everything in view, in order. The last part ends with the question's last token.
    seen: Vec<Seen>,
    /// Position after the question.
    pub next: u32,
    /// After the question's last token, of the tokens that plain answers begin with, where the plain reading is asked for.
    pub logits: Option<Vec<f32>>,
    /// The question's last token at the layer that was asked for.
    pub state: Option<Vec<f32>>,
}

impl Seen {
    fn new(placed: Arc<Placed>) -> Self {
        Self { placed, hidden: Vec::new(), lines: Vec::new() }
    }

    fn part(&self, bias: Vec<(Range<u32>, f32)>) -> Part {
        Part { placed: self.placed.clone(), hidden: self.hidden.clone(), bias }
    }

    fn emphasised(&self, guide: &Guide) -> Part {
        let bias = |(fact, range): &(FactId, Range<u32>)| Some((range.clone(), *guide.emphasis.get(fact)?));
        self.part(self.lines.iter().filter_map(bias).collect())
    }
}

impl Prefilled {
    /// Everything up to the question's end, without emphasis.
    pub fn plain(&self) -> Context {
        self.seen.iter().fold(Context::new(), |context, seen| context.with(seen.part(Vec::new())))
    }

    /// The same with the emphasis of a guide; the part that ends with the question's last token apart.
    pub fn emphasised(&self, guide: &Guide) -> Option<(Context, Part)> {
        let (tail, before) = self.seen.split_last()?;
        let context = before.iter().fold(Context::new(), |context, seen| context.with(seen.emphasised(guide)));
        Some((context, tail.emphasised(guide)))
    }

    /// Shares out by line what each token got that was seen: `shares` has the tokens that `context`, made of everything in view, shows, in
    /// order, then those of whoever looked. The first `prefix` tokens are the prefix.
    pub fn attention(&self, prefix: usize, context: &Context, shares: &[f64]) -> Attention {
        let mut shares = shares.iter();
        let (mut lines, mut before, mut question) = (Vec::new(), 0.0, 0.0);
        for (seen, (placed, runs)) in self.seen.iter().zip(context.parts()) {
            let first = lines.len();
            lines.resize(first + seen.lines.len(), 0.0);
            for (token, share) in runs.iter().flat_map(|run| run.tokens.clone()).zip(&mut shares) {
                match seen.lines.iter().position(|(_, line)| line.contains(&token)) {
                    Some(line) => lines[first + line] += share,
                    None if ((placed.start() + token) as usize) < prefix => before += share,
                    None => question += share,
                }
            }
        }
        let question = question + shares.sum::<f64>();
        Attention {
            lines: lines.into_iter().map(|share| share as f32).collect(),
            prefix: before as f32,
            question: question as f32,
        }
    }
}

impl Fuser {
    /// Encodes the cards of a plan that are not in the store yet, as if a question had asked for them; the bench begins warm with it.
    ///
    /// # Errors
    /// Tokens beyond the model's context.
    pub fn warm(&self, tenant: &str, plan: &AttentionPlan) -> Result<(), EngineError> {
        let mut cost = Cost::default();
        let sink = self.sink(tenant, &plan.prefix, &mut cost)?;
        let context = Context::new().with(Part::new(sink));
        for planned in &plan.cards {
            self.block(Encoding::of_card(tenant, &plan.prefix, &planned.card, &context), &mut cost)?;
        }
        Ok(())
    }

    pub(super) fn prefill_blocks(
        &self,
        tenant: &str,
        plan: &AttentionPlan,
        options: RunOptions,
        cost: &mut Cost,
    ) -> Result<Prefilled, EngineError> {
        let sink = self.sink(tenant, &plan.prefix, cost)?;
        (cost.warm_cards, cost.cold_cards, cost.encode) = (0, 0, Duration::ZERO);
        let prefix = Context::new().with(Part::new(sink.clone()));
        let mut next = plan.prefix.len() as u32;
        let mut seen = vec![Seen::new(sink)];
        // A card with nothing to show takes no position: it must not matter whether it is there.
        for planned in plan.cards.iter().filter(|planned| !planned.is_hidden()) {
            let block = self.block(Encoding::of_card(tenant, &plan.prefix, &planned.card, &prefix), cost)?;
            let started = Instant::now();
            seen.push(Seen {
                placed: self.model.place(&block.kv, next)?,
                hidden: hidden_ranges(planned, &block.lines),
                lines: facts(planned, &block.lines),
            });
            next += block.tokens.len() as u32;
            cost.place += started.elapsed();
        }
        cost.visible_tokens = next as usize;
        let started = Instant::now();
        let mut prefilled = Prefilled { seen, next, logits: None, state: None };
        self.question(plan, options, &mut prefilled)?;
        cost.prefill = started.elapsed();
        Ok(prefilled)
    }

    pub(super) fn prefill_pasted(
        &self,
        plan: &AttentionPlan,
        options: RunOptions,
        cost: &mut Cost,
    ) -> Result<Prefilled, EngineError> {
        let started = Instant::now();
        let mut tokens = plan.prefix.clone();
        let (mut hidden, mut lines) = (Vec::new(), Vec::new());
        for planned in plan.cards.iter().filter(|planned| !planned.is_hidden()) {
            let at = tokens.len() as u32;
            let shift = |range: Range<u32>| range.start + at..range.end + at;
            let ranges: Vec<Range<u32>> = line_ranges(&planned.card).into_iter().map(shift).collect();
            hidden.extend(hidden_ranges(planned, &ranges));
            lines.extend(facts(planned, &ranges));
            tokens.extend(planned.card.tokens());
        }
        cost.visible_tokens = tokens.len();
        let empty = Context::new();
        // With hidden lines the question may not see all of the text, so text and question go in two steps.
        let whole = hidden.is_empty();
        if whole {
            tokens.extend(&plan.question);
        }
        let first = plan.after_question.first_tokens();
        let logits = if whole && options.plain { Rows::LastOf(&first) } else { Rows::None };
        let captured = if whole { options.capture } else { None };
        let segment = Segment { tokens: &tokens, start: 0, context: &empty, logits, capture: captured.as_slice() };
        let mut text = self.model.forward(&[segment])?.into_iter().next().ok_or(EngineError::EmptySegment("a plan"))?;
        let seen = Seen { placed: self.model.place(&text.kv, 0)?, hidden, lines };
        let logits = text.logits.pop();
        let state = text.hidden.pop();
        let mut prefilled = Prefilled { seen: vec![seen], next: tokens.len() as u32, logits, state };
        if !whole {
            self.question(plan, options, &mut prefilled)?;
        }
        cost.prefill = started.elapsed();
        Ok(prefilled)
    }

    /// Prefills the question behind what is in view.
    fn question(
        &self,
        plan: &AttentionPlan,
        options: RunOptions,
        prefilled: &mut Prefilled,
    ) -> Result<(), EngineError> {
        let (start, context) = (prefilled.next, prefilled.plain());
        let first = plan.after_question.first_tokens();
        let logits = if options.plain { Rows::LastOf(&first) } else { Rows::None };
        let capture = options.capture.as_slice();
        let segment = Segment { tokens: &plan.question, start, context: &context, logits, capture };
        let Last { kv, logits, state, .. } = last(self.model.forward(&[segment])?)?;
        prefilled.seen.push(Seen::new(self.model.place(&kv, start)?));
        prefilled.next += plan.question.len() as u32;
        prefilled.logits = logits;
        prefilled.state = state;
        Ok(())
    }

    /// The shared prefix, which every block sees and which acts as the attention sink.
    pub(super) fn sink(&self, tenant: &str, prefix: &[u32], cost: &mut Cost) -> Result<Arc<Placed>, EngineError> {
        let block = self.block(Encoding::of_prefix(tenant, prefix, &Context::new()), cost)?;
        self.model.place(&block.kv, 0)
    }

    /// A block from the store, or encoded now.
    pub(super) fn block(&self, encoding: Encoding<'_>, cost: &mut Cost) -> Result<Arc<Block>, EngineError> {
        let key = encoding.key(&self.model);
        if let Some(block) = self.blocks.get(&key) {
            cost.warm_cards += 1;
            return Ok(block);
        }
        let started = Instant::now();
        let Encoding { prefix, tokens, lines, context, .. } = encoding;
        let start = prefix.len() as u32;
        let segment = Segment { tokens: &tokens, start, context, logits: Rows::None, capture: &[] };
        let encoded = self.model.forward(&[segment])?.into_iter().next().ok_or(EngineError::EmptySegment("a plan"))?;
        cost.encode += started.elapsed();
        cost.cold_cards += 1;
        Ok(self.blocks.insert(Block { key, tokens, lines, kv: encoded.kv }))
    }
}

/// What a block is encoded from.
pub(super) struct Encoding<'a> {
    pub tenant: &'a str,
    /// Tokens before the block's own.
    pub prefix: &'a [u32],
    pub tokens: Vec<u32>,
    pub lines: Vec<Range<u32>>,
    /// The prefix as the block's tokens see it.
    pub context: &'a Context,
}

impl<'a> Encoding<'a> {
    /// The shared prefix, behind nothing: `context` is empty.
    pub fn of_prefix(tenant: &'a str, prefix: &[u32], context: &'a Context) -> Self {
        Self { tenant, prefix: &[], tokens: prefix.to_vec(), lines: Vec::new(), context }
    }

    /// A card behind the shared prefix. Whoever encodes a card does it from this, so that all find it by one key.
    pub fn of_card(tenant: &'a str, prefix: &'a [u32], card: &Card, context: &'a Context) -> Self {
        Self { tenant, prefix, tokens: card.tokens(), lines: line_ranges(card), context }
    }

    /// What the block is found by.
    pub fn key(&self, model: &LanguageModel) -> BlockKey {
        model.block_key(self.tenant, self.prefix, LEXICON, &self.tokens)
    }
}

fn line_ranges(card: &Card) -> Vec<Range<u32>> {
    let mut at = 0;
    let ranges = card.lines.iter().map(|line| {
        let start = at;
        at += line.tokens.len() as u32;
        start..at
    });
    ranges.collect()
}

fn hidden_ranges(planned: &PlannedCard, lines: &[Range<u32>]) -> Vec<Range<u32>> {
    planned.hidden.iter().filter_map(|line| lines.get(*line).cloned()).collect()
}

fn facts(planned: &PlannedCard, lines: &[Range<u32>]) -> Vec<(FactId, Range<u32>)> {
    planned.card.lines.iter().map(|line| line.fact).zip(lines.iter().cloned()).collect()
}
