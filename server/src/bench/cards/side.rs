//! A block store with what is in view, and perhaps many cards more, and the runs over it.

use super::made;
use crate::bench::{
    TENANT,
    clock::{Spent, timed},
    rates::Spread,
    tally::quantile,
};
use anyhow::{Context as _, Result, ensure};
use factmask_engine::{
    decode::LeafScores,
    fusion::{AttentionPlan, Fuser, align, run::RunOptions},
    kv::{Block, StoreStats},
    model::LanguageModel,
};
use std::sync::Arc;

/// Different cards that are encoded; the others are copies of them.
const DIFFERENT: u32 = 32;

/// Cards to fill a store with, of the same length as those in view.
pub struct Cards<'a> {
    model: Arc<LanguageModel>,
    prefix: &'a [u32],
    different: Vec<Arc<Block>>,
    count: u32,
}

impl<'a> Cards<'a> {
    /// Encodes as many different cards as are copied, as the product does ahead of questions. Their towns are those from `town` on.
    ///
    /// # Errors
    /// Tokens beyond the model's context.
    pub fn encode(model: &Arc<LanguageModel>, prefix: &'a [u32], town: u32, tokens: usize, count: u32) -> Result<Self> {
        let fuser = Fuser::new(Arc::clone(model), usize::MAX);
        let ahead = fuser.ahead(TENANT, prefix)?;
        let mut different = Vec::new();
        for town in (town..).take(count.min(DIFFERENT) as usize) {
            let card = made::card(model.tokenizer(), town, tokens)?;
            ahead.encode(&card, &mut || Ok(()))?;
            different.push(fuser.blocks().peek(&ahead.key(&card)).context("a card that was just encoded is gone")?);
        }
        Ok(Self { model: Arc::clone(model), prefix, different, count })
    }

    /// What all of them take in a store, bytes.
    pub fn bytes(&self) -> usize {
        let (count, different) = (self.count as usize, self.different.len().max(1));
        let round: usize = self.different.iter().map(|block| block.bytes()).sum();
        round * (count / different)
            + self.different.iter().take(count % different).map(|block| block.bytes()).sum::<usize>()
    }

    /// Puts all of them into a store. Each has keys and values of its own in memory and a key of its own: the number of the copy stands
    /// for the version of the lexicon, of which the product has only the first.
    fn fill(&self, fuser: &Fuser) {
        for (number, block) in self.numbered() {
            let Block { tokens, lines, kv, .. } = &**block;
            let key = self.model.block_key(TENANT, self.prefix, number, tokens);
            fuser.blocks().insert(Block { key, tokens: tokens.clone(), lines: lines.clone(), kv: kv.clone() });
        }
    }

    /// The cards, numbered from 1.
    fn numbered(&self) -> impl Iterator<Item = (u32, &Arc<Block>)> {
        (1..=self.count).zip(self.different.iter().cycle())
    }
}

/// A store, and what runs over it took.
pub struct Side<'a> {
    fuser: Fuser,
    plan: &'a AttentionPlan,
    spent: Vec<Spent>,
}

impl<'a> Side<'a> {
    /// A store with what a plan has in view.
    ///
    /// # Errors
    /// Tokens beyond the model's context.
    pub fn new(model: &Arc<LanguageModel>, plan: &'a AttentionPlan, room: usize) -> Result<Self> {
        let fuser = Fuser::new(Arc::clone(model), room);
        fuser.warm(TENANT, plan)?;
        Ok(Self { fuser, plan, spent: Vec::new() })
    }

    /// A store with room for the same and for cards beside it, to the byte, and with these in it.
    ///
    /// # Errors
    /// A store that does not hold them all.
    pub fn beside(&self, cards: &Cards<'_>) -> Result<Self> {
        let alone = self.stats();
        let filled = Self::new(&cards.model, self.plan, alone.bytes + cards.bytes())?;
        cards.fill(&filled.fuser);
        let (held, wanted) = (filled.stats(), alone.blocks + cards.count as usize);
        ensure!(
            held.blocks == wanted && held.evictions == 0,
            "the store holds {} blocks instead of {wanted}, and gave up {}; this is a fault of the bench",
            held.blocks,
            held.evictions
        );
        Ok(filled)
    }

    /// Answers once without taking the time.
    ///
    /// # Errors
    /// A model that fails, or a card in view that was not in the store.
    pub fn answer(&self) -> Result<LeafScores> {
        let capture = Some(align::layer(self.fuser.model().config()));
        let readings = self.fuser.run(TENANT, self.plan, RunOptions { capture, ..RunOptions::default() }, |_| Ok(0))?;
        ensure!(readings.cost.cold_cards == 0, "{} cards in view had to be encoded", readings.cost.cold_cards);
        Ok(readings.guided)
    }

    /// Answers once and keeps what it took; milliseconds.
    ///
    /// # Errors
    /// As [`answer`](Self::answer).
    pub fn run(&mut self) -> Result<f64> {
        let (_, spent) = timed(|| self.answer())?;
        self.spent.push(spent);
        Ok(spent.wall.as_secs_f64() * 1e3)
    }

    /// Milliseconds of a run.
    pub fn spread(&self) -> Spread {
        let cpu_s: f64 = self.spent.iter().map(|spent| spent.cpu_s).sum();
        let cpu_ms = 1e3 * cpu_s / self.spent.len().max(1) as f64;
        let [p25, p50, p75] = quartiles(self.spent.iter().map(|spent| spent.wall.as_secs_f64() * 1e3).collect());
        Spread { p25, p50, p75, cpu_ms }
    }

    /// What the store holds.
    pub fn stats(&self) -> StoreStats {
        self.fuser.blocks().stats()
    }
}

/// Quartiles of values in any order.
pub fn quartiles(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    [0.25, 0.5, 0.75].map(|q| quantile(&values, q))
}
