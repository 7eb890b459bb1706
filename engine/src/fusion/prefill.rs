//! Prefix, cards and question into keys and values: as blocks from the store, or pasted as one text.

use super::{
    plan::{AttentionPlan, Guide, PlannedCard},
    run::{Cost, Fuser, Last, RunOptions, last},
};
use crate::{
    EngineError,
    kv::{Block, Context, Part, Placed},
    model::{Rows, Segment},
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
}

impl Fuser {
    /// Encodes the cards of a plan that are not in the store yet; how the block cache is warmed ahead of questions.
    ///
    /// # Errors
    /// Tokens beyond the model's context.
    pub fn warm(&self, tenant: &str, plan: &AttentionPlan) -> Result<(), EngineError> {
        let mut cost = Cost::default();
        let sink = self.sink(tenant, plan, &mut cost)?;
        let context = Context::new().with(Part::new(sink));
        for planned in &plan.cards {
            self.card(tenant, plan, planned, &context, &mut cost)?;
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
        let sink = self.sink(tenant, plan, cost)?;
        (cost.warm_cards, cost.cold_cards, cost.encode) = (0, 0, Duration::ZERO);
        let prefix = Context::new().with(Part::new(sink.clone()));
        let mut next = plan.prefix.len() as u32;
        let mut seen = vec![Seen::new(sink)];
        // A card with nothing to show takes no position: it must not matter whether it is there.
        for planned in plan.cards.iter().filter(|planned| !planned.is_hidden()) {
            let block = self.card(tenant, plan, planned, &prefix, cost)?;
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
            let ranges: Vec<Range<u32>> = line_ranges(planned).into_iter().map(shift).collect();
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
        let Last { kv, logits, state } = last(self.model.forward(&[segment])?)?;
        prefilled.seen.push(Seen::new(self.model.place(&kv, start)?));
        prefilled.next += plan.question.len() as u32;
        prefilled.logits = logits;
        prefilled.state = state;
        Ok(())
    }

    /// The shared prefix, which every block sees and which acts as the attention sink.
    fn sink(&self, tenant: &str, plan: &AttentionPlan, cost: &mut Cost) -> Result<Arc<Placed>, EngineError> {
        let prefix =
            Encoding { tenant, prefix: &[], tokens: &plan.prefix, lines: Vec::new(), context: &Context::new() };
        let block = self.block(prefix, cost)?;
        self.model.place(&block.kv, 0)
    }

    fn card(
        &self,
        tenant: &str,
        plan: &AttentionPlan,
        planned: &PlannedCard,
        context: &Context,
        cost: &mut Cost,
    ) -> Result<Arc<Block>, EngineError> {
        let (tokens, lines) = (planned.card.tokens(), line_ranges(planned));
        self.block(Encoding { tenant, prefix: &plan.prefix, tokens: &tokens, lines, context }, cost)
    }

    fn block(&self, encoding: Encoding<'_>, cost: &mut Cost) -> Result<Arc<Block>, EngineError> {
        let Encoding { tenant, prefix, tokens, lines, context } = encoding;
        let key = self.model.block_key(tenant, prefix, LEXICON, tokens);
        if let Some(block) = self.blocks.get(&key) {
            cost.warm_cards += 1;
            return Ok(block);
        }
        let started = Instant::now();
        let segment = Segment { tokens, start: prefix.len() as u32, context, logits: Rows::None, capture: &[] };
        let encoded = self.model.forward(&[segment])?.into_iter().next().ok_or(EngineError::EmptySegment("a plan"))?;
        cost.encode += started.elapsed();
        cost.cold_cards += 1;
        Ok(self.blocks.insert(Block { key, tokens: tokens.to_vec(), lines, kv: encoded.kv }))
    }
}

/// What a block is encoded from.
struct Encoding<'a> {
    tenant: &'a str,
    prefix: &'a [u32],
    tokens: &'a [u32],
    lines: Vec<Range<u32>>,
    context: &'a Context,
}

fn line_ranges(planned: &PlannedCard) -> Vec<Range<u32>> {
    let mut at = 0;
    let ranges = planned.card.lines.iter().map(|line| {
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
