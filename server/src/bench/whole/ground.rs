//! What a model makes of the world: how many tokens its cards have, how large their blocks are, which passages serial RAG searches.

use super::{
    ways::{self, fuser},
    world::World,
};
use crate::{
    bench::{TENANT, tally::median},
    eval::{modes::card_texts, passages::Passages},
};
use anyhow::{Context as _, Result, ensure};
use factmask_engine::Engine;

/// Tokens of a passage that serial RAG pastes.
const PASSAGE: usize = 200;
/// Questions whose passages are looked at.
const LOOKED_AT: usize = 50;

/// See the module.
pub struct Ground<'a> {
    /// What is known and asked.
    pub world: &'a World,
    /// The name that the model gives itself.
    pub model: String,
    /// Tokens of all cards.
    pub tokens: usize,
    /// The cards of all towns as one text, cut into passages of about [`PASSAGE`] tokens.
    pub passages: Passages,
    /// Median tokens that serial RAG pastes.
    pub pasted_tokens: usize,
    /// Share of the questions whose passages hold the fact that is asked for: more than that serial RAG cannot have right.
    pub retrieved: f64,
    /// Bytes that a token takes in a block store, the block's own tokens included.
    pub block_bytes_per_token: usize,
    /// Room of the stream's block store.
    pub room_bytes: usize,
}

impl<'a> Ground<'a> {
    /// Measures the world with a model; `room` is the share of its cards that the stream's block store has room for.
    ///
    /// # Errors
    /// Without a model, where it fails, and for a room that does not hold the cards of one question.
    pub fn of(engine: &Engine, world: &'a World, room: f64) -> Result<Self> {
        let model = fuser(engine)?.model();
        let text: String = card_texts(engine, &world.snapshot, "en")?.into_iter().map(|(_, text)| text).collect();
        let tokens = model.tokenizer().encode(&text)?.len();
        // Made-up names have more tokens to a character than prose has.
        let most_chars = PASSAGE * text.chars().count() / tokens.max(1);
        let passages = Passages::new([(String::new(), text)], most_chars);
        let (mut pasted, mut retrieved) = (Vec::new(), Vec::new());
        for case in world.cases.iter().take(LOOKED_AT) {
            let found = passages.for_question(&case.question, None);
            pasted.push(model.tokenizer().encode(&found)?.len() as f64);
            let plan = ways::plan(engine, world, case)?;
            let asked = |fact| plan.guides.first().is_some_and(|guide| guide.emphasis.contains_key(fact));
            let mut lines = plan.cards.iter().flat_map(|planned| &planned.card.lines);
            retrieved.push(lines.any(|line| asked(&line.fact) && found.contains(line.text.trim_end())));
        }
        let (largest_bytes, largest_tokens) = largest(engine, world)?;
        let block_bytes_per_token = largest_bytes / largest_tokens.max(1);
        let room_bytes = ((block_bytes_per_token * tokens) as f64 * room) as usize;
        ensure!(
            room_bytes > largest_bytes,
            "--room {room}: {room_bytes} bytes, and the cards of one question take up to {largest_bytes} (give a larger share, or \
             more --towns)"
        );
        Ok(Self {
            world,
            model: model.name().to_owned(),
            tokens,
            passages,
            pasted_tokens: median(pasted) as usize,
            retrieved: retrieved.iter().filter(|found| **found).count() as f64 / retrieved.len().max(1) as f64,
            block_bytes_per_token,
            room_bytes,
        })
    }
}

/// Bytes and tokens of the blocks of a question with the most facts, the prefix among them.
fn largest(engine: &Engine, world: &World) -> Result<(usize, usize)> {
    let case = world.cases.iter().max_by_key(|case| case.facts).context("a world without towns")?;
    let plan = ways::plan(engine, world, case)?;
    let store = engine.with_own_blocks(usize::MAX);
    fuser(&store)?.warm(TENANT, &plan)?;
    let cards: usize = plan.cards.iter().map(|card| card.card.tokens().len()).sum();
    Ok((fuser(&store)?.blocks().stats().bytes, plan.prefix.len() + cards))
}
