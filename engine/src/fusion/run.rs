//! A plan on the model: one prefill of the question, and the reading of its answers.
//!
//! The question is prefilled once, masked and without emphasis ([`super::prefill`]). From the state that the model is in then the
//! caller chooses a path ([`super::align`]); the *guided* reading goes on from the same prefill with that path's stem and the emphasis
//! on its lines. The *plain* reading, right after the question and without either, is only taken to be measured.

use super::{
    attention::Attention,
    plan::{AttentionPlan, Guide},
    prefill::Prefilled,
};
use crate::{
    EngineError,
    decode::{Fork, LeafScores, Trie},
    kv::{BlockStore, Context, KeyValues, Part},
    model::{Forward, LanguageModel, Rows, Segment},
};
use serde::Serialize;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// How the visible cards reach the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Layout {
    /// As precomputed blocks: only what is cold is encoded, each card sees the prefix and itself.
    #[default]
    Blocks,
    /// As one text that is prefilled as a whole, the way serial RAG and the short exact prompt do it. Emphasis still works;
    /// hidden lines stay in the text for other lines, but are not seen by question and answer.
    Pasted,
}

/// Whose logits decide: the model's, or none at all (every token alike), which shows what the model contributes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// The model.
    #[default]
    Model,
    /// Uniform logits; nothing is computed.
    Uniform,
}

/// How a plan is run.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunOptions {
    /// Blocks or pasted.
    pub layout: Layout,
    /// Model or uniform.
    pub source: Source,
    /// A layer whose output after the question's last token is wanted.
    pub capture: Option<usize>,
    /// Take the plain reading too. It costs as much as the guided one.
    pub plain: bool,
    /// Look on where the attention goes. No answer changes by it.
    pub observe: bool,
}

/// What the model says of a plan's answers.
#[derive(Clone, Debug)]
pub struct Readings {
    /// From the question alone, where it was asked for.
    pub plain: Option<LeafScores>,
    /// The guide that was chosen.
    pub chosen: usize,
    /// With stem and emphasis of the chosen guide.
    pub guided: LeafScores,
    /// Where the attention went before the guided reading's first token, if it was looked on and a model has read.
    pub attention: Option<Attention>,
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
    /// The guided reading, the choice before it included.
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
    pub(super) model: Arc<LanguageModel>,
    pub(super) blocks: BlockStore,
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

    /// Runs a plan. `choose` gets the state after the question, where a model was run and a layer asked for, and names the guide (by
    /// its place in the plan) for the guided reading; a place that is not there takes the first.
    ///
    /// # Errors
    /// A prompt beyond the model's context, a plan without guides or question, or whatever `choose` fails with.
    pub fn run(
        &self,
        tenant: &str,
        plan: &AttentionPlan,
        options: RunOptions,
        choose: impl FnOnce(Option<&[f32]>) -> Result<usize, EngineError>,
    ) -> Result<Readings, EngineError> {
        let mut cost = Cost::default();
        let guide = |chosen: usize| {
            let found = plan.guides.get(chosen).map(|guide| (chosen, guide));
            found.or(plan.guides.first().map(|guide| (0, guide))).ok_or(EngineError::EmptySegment("a plan"))
        };
        if options.source == Source::Uniform {
            let plain = options.plain.then(|| plan.after_question.uniform());
            let (chosen, guide) = guide(choose(None)?)?;
            let guided = guide.after_stem.uniform();
            return Ok(Readings { plain, chosen, guided, attention: None, cost });
        }
        let prefilled = match options.layout {
            Layout::Blocks => self.prefill_blocks(tenant, plan, options, &mut cost)?,
            Layout::Pasted => self.prefill_pasted(plan, options, &mut cost)?,
        };
        let plain = match &prefilled.logits {
            Some(root) => Some(self.read(&plan.after_question, &prefilled.plain(), prefilled.next, root)?),
            None => None,
        };
        // No answer waits for the plain reading, so its time is nobody's.
        let started = Instant::now();
        let (chosen, guide) = guide(choose(prefilled.state.as_deref())?)?;
        let (guided, attention) = self.guided(plan, guide, &prefilled, options.observe)?;
        cost.read = started.elapsed();
        Ok(Readings { plain, chosen, guided, attention, cost })
    }

    fn guided(
        &self,
        plan: &AttentionPlan,
        guide: &Guide,
        prefilled: &Prefilled,
        observe: bool,
    ) -> Result<(LeafScores, Option<Attention>), EngineError> {
        let (before, mut tail) = prefilled.emphasised(guide).ok_or(EngineError::EmptySegment("a plan"))?;
        let (tokens, start) = if guide.stem.is_empty() {
            // Without a stem the question's last token is read again, this time with the emphasis and without its first self.
            let end = tail.placed.len();
            tail.hidden.push(end.saturating_sub(1)..end);
            (&plan.question[plan.question.len().saturating_sub(1)..], prefilled.next.saturating_sub(1))
        } else {
            (guide.stem.as_slice(), prefilled.next)
        };
        let before = before.with(tail);
        let first = guide.after_stem.first_tokens();
        let segment = Segment { tokens, start, context: &before, logits: Rows::LastOf(&first), capture: &[] };
        let results = if observe { self.model.observe(segment)? } else { self.model.forward(&[segment])? };
        let Last { kv, logits, attention, .. } = last(results)?;
        let root = logits.ok_or(EngineError::EmptySegment("a plan"))?;
        let attention = observe.then(|| prefilled.attention(plan.prefix.len(), &before, &attention));
        let context = before.with(Part::new(self.model.place(&kv, start)?));
        Ok((self.read(&guide.after_stem, &context, start + tokens.len() as u32, &root)?, attention))
    }

    /// Walks the trie of answers, a batch a level. `root` holds the logits of its first tokens.
    fn read(&self, trie: &Trie, context: &Context, start: u32, root: &[f32]) -> Result<LeafScores, EngineError> {
        trie.score(root, |forks| {
            let segments: Vec<Segment<'_>> = forks
                .iter()
                .map(|Fork { prefix, tokens }| Segment {
                    tokens: prefix,
                    start,
                    context,
                    logits: Rows::LastOf(tokens),
                    capture: &[],
                })
                .collect();
            let results = self.model.forward(&segments)?;
            Ok(results.into_iter().map(|mut result| result.logits.pop().unwrap_or_default()).collect())
        })
    }
}

/// What came of a single segment.
pub(super) struct Last {
    pub kv: KeyValues,
    /// After its last token, where they were asked for.
    pub logits: Option<Vec<f32>>,
    /// Its last token at the layer that was asked for.
    pub state: Option<Vec<f32>>,
    /// Of its last token, where it was looked on.
    pub attention: Vec<f64>,
}

pub(super) fn last(results: Vec<Forward>) -> Result<Last, EngineError> {
    let mut result = results.into_iter().next().ok_or(EngineError::EmptySegment("a plan"))?;
    let (logits, state) = (result.logits.pop(), result.hidden.pop());
    Ok(Last { kv: result.kv, logits, state, attention: result.attention })
}

#[cfg(test)]
mod tests;
