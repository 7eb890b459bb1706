//! Cards encoded before a question asks for them, in small steps between which questions have their turn.

use super::{card::Card, prefill::Encoding, run::Fuser};
use crate::{
    EngineError,
    kv::{Block, BlockKey, Context, KeyValues, Part},
    model::{Rows, Segment},
};

/// Tokens that are computed without a break: a question that comes in between waits that long, some 20 ms with SmolLM2 on two cores. With
/// 32, questions that were asked while cards were encoded took 137 ms instead of 112 in one trial (and 168 instead of 174 in another, on
/// a busy machine); with 16, 111 instead of 107. The weights are read once for each step, so still shorter ones would cost more.
const STEP: usize = 16;

/// What came of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoded {
    /// It was in the store.
    Before,
    /// It is in the store now.
    Now,
    /// The share of the store that is filled ahead is full.
    NoRoom,
}

/// Encodes a tenant's cards in one language into the block store. Their blocks are those that questions look for, to the last bit.
pub struct AheadEncoder<'a> {
    fuser: &'a Fuser,
    tenant: &'a str,
    prefix: &'a [u32],
    /// The prefix in view.
    context: Context,
    bytes_per_token: usize,
}

impl Fuser {
    /// An encoder of cards behind a prompt's prefix.
    ///
    /// # Errors
    /// A prefix beyond the model's context.
    pub fn ahead<'a>(&'a self, tenant: &'a str, prefix: &'a [u32]) -> Result<AheadEncoder<'a>, EngineError> {
        let empty = Context::new();
        let encoding = Encoding::of_prefix(tenant, prefix, &empty);
        let key = encoding.key(&self.model);
        let (kv, there) = match self.blocks.peek(&key) {
            Some(block) => (block.kv.clone(), true),
            None => (self.in_steps(&encoding, &mut || Ok(()))?, false),
        };
        let context = empty.with(Part::new(self.model.place(&kv, 0)?));
        let bytes_per_token = kv.bytes().div_ceil(prefix.len().max(1));
        if !there {
            self.blocks.insert_ahead(Block { key, tokens: encoding.tokens, lines: encoding.lines, kv });
        }
        Ok(AheadEncoder { fuser: self, tenant, prefix, context, bytes_per_token })
    }

    fn in_steps(
        &self,
        encoding: &Encoding<'_>,
        before_step: &mut dyn FnMut() -> Result<(), EngineError>,
    ) -> Result<KeyValues, EngineError> {
        let mut context = encoding.context.clone();
        let mut start = encoding.prefix.len() as u32;
        let mut steps: Vec<KeyValues> = Vec::new();
        for tokens in encoding.tokens.chunks(STEP) {
            before_step()?;
            if let Some(before) = steps.last() {
                context.push(Part::new(self.model.place(before, start - before.len() as u32)?));
            }
            let segment = Segment { tokens, start, context: &context, logits: Rows::None, capture: &[] };
            steps.extend(self.model.forward(&[segment])?.into_iter().map(|done| done.kv));
            start += tokens.len() as u32;
        }
        KeyValues::concat(&steps.iter().collect::<Vec<_>>()).ok_or(EngineError::EmptySegment("a card"))
    }
}

impl AheadEncoder<'_> {
    /// What the card's block is found by.
    #[must_use]
    pub fn key(&self, card: &Card) -> BlockKey {
        Encoding::of_card(self.tenant, self.prefix, card, &self.context).key(&self.fuser.model)
    }

    /// Memory that the card's block takes, about.
    #[must_use]
    pub fn bytes(&self, card: &Card) -> usize {
        card.lines.iter().map(|line| line.tokens.len()).sum::<usize>() * self.bytes_per_token
    }

    /// Encodes a card that is not in the store. `before_step` is called before each pass of the model, and may wait or fail.
    ///
    /// # Errors
    /// A card beyond the model's context, and whatever `before_step` fails with.
    pub fn encode(
        &self,
        card: &Card,
        before_step: &mut dyn FnMut() -> Result<(), EngineError>,
    ) -> Result<Encoded, EngineError> {
        let encoding = Encoding::of_card(self.tenant, self.prefix, card, &self.context);
        let key = encoding.key(&self.fuser.model);
        if self.fuser.blocks.peek(&key).is_some() {
            return Ok(Encoded::Before);
        }
        let kv = self.fuser.in_steps(&encoding, before_step)?;
        let block = Block { key, tokens: encoding.tokens, lines: encoding.lines, kv };
        Ok(if self.fuser.blocks.insert_ahead(block) { Encoded::Now } else { Encoded::NoRoom })
    }
}
