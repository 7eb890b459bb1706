//! Encoding the cards that are likely to be asked for, before they are.

use super::{Engine, ahead::Progress};
use crate::{
    EngineError,
    fusion::{
        Card, CardMaker, Layout,
        ahead::{AheadEncoder, Encoded},
        plan::MOST_CARDS,
    },
    kv::BlockKey,
    question::language,
};
use factmask_graph::{Entity, Snapshot};
use std::{
    collections::HashSet,
    sync::{Arc, PoisonError},
};

/// What encoding ahead has come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Warmed {
    /// Cards that are likely to be asked for and for which the store has room.
    pub wanted: usize,
    /// Those of them that are in the store now.
    pub ready: usize,
    /// Those of them that were encoded for this.
    pub encoded: usize,
}

impl Engine {
    /// Encodes the tenant's cards into the block store, the likeliest to be asked for first, in each language that schema and model both
    /// read, as far as the store's [share](crate::kv::BlockStore::room_ahead) for it goes. It gives way to questions, and evicts nothing
    /// that one has used; cards of an earlier call that nobody has asked for and that are not expected any more are given up.
    /// `progress` hears how many cards of how many are ready.
    ///
    /// # Errors
    /// A card that the model cannot take, and whatever `progress` fails with.
    pub fn encode_ahead(
        &self,
        tenant: &str,
        snapshot: &Arc<Snapshot>,
        progress: &mut Progress<'_>,
    ) -> Result<Warmed, EngineError> {
        let mut warmed = Warmed::default();
        // Where every question recomputes its facts no block is looked for.
        let Some(fuser) = self.fuser.as_ref().filter(|_| self.layout() == Layout::Blocks) else { return Ok(warmed) };
        let speaks = |lang: &&str| snapshot.schema().speaks(lang) && self.model_reads(lang);
        let langs: Vec<&str> = language::READ.iter().copied().filter(speaks).collect();
        let prompts = langs.iter().map(|lang| self.prompt(fuser, lang)).collect::<Result<Vec<_>, _>>()?;
        self.traffic.give_way();
        let encoders = prompts.iter().map(|prompt| fuser.ahead(tenant, &prompt.prefix));
        let encoders = encoders.collect::<Result<Vec<_>, _>>()?;
        let makers = langs.iter().map(|lang| CardMaker { snapshot, tokenizer: fuser.model().tokenizer(), lang });
        let tongues: Vec<(CardMaker<'_>, AheadEncoder<'_>)> = makers.zip(encoders).collect();
        let wanted = self.wanted(tenant, snapshot, &tongues, fuser.blocks().room_ahead())?;
        self.forget_unwanted(tenant, wanted.iter().map(|(encoder, card)| encoder.key(card)).collect());
        warmed.wanted = wanted.len();
        for (encoder, card) in &wanted {
            let mut before_step = || {
                self.traffic.give_way();
                progress(warmed.ready, warmed.wanted)
            };
            match encoder.encode(card, &mut before_step)? {
                Encoded::Before => {}
                Encoded::Now => warmed.encoded += 1,
                Encoded::NoRoom => break,
            }
            warmed.ready += 1;
        }
        progress(warmed.ready, warmed.wanted)?;
        Ok(warmed)
    }

    /// How many entities' cards say something else in one epoch than in another, in a language that the model reads: they are to be
    /// encoded anew. Without a language model there are no cards.
    pub fn cards_that_differ(&self, before: &Snapshot, after: &Snapshot) -> usize {
        let Some(fuser) = &self.fuser else { return 0 };
        let speaks =
            |lang: &&str| (before.schema().speaks(lang) || after.schema().speaks(lang)) && self.model_reads(lang);
        let langs: Vec<&str> = language::READ.iter().copied().filter(speaks).collect();
        let tokenizer = fuser.model().tokenizer();
        let differs = |entity: &&Entity| {
            langs.iter().any(|lang| {
                let said = |snapshot: &Snapshot| {
                    let maker = CardMaker { snapshot, tokenizer, lang };
                    snapshot.find(&entity.iri).map(|id| maker.sentences(id)).unwrap_or_default()
                };
                said(before) != said(after)
            })
        };
        after.entities().iter().filter(differs).count()
    }

    /// Cards for `room` bytes, the likeliest to be asked for first.
    fn wanted<'a>(
        &self,
        tenant: &str,
        snapshot: &Snapshot,
        tongues: &'a [(CardMaker<'_>, AheadEncoder<'a>)],
        room: usize,
    ) -> Result<Vec<(&'a AheadEncoder<'a>, Card)>, EngineError> {
        let mut bytes = 0;
        let mut wanted = Vec::new();
        for entity in self.expected(tenant, snapshot) {
            for (maker, encoder) in tongues {
                // No plan shows more; a hub is answered from the graph.
                for card in maker.cards(entity)?.into_iter().take(MOST_CARDS) {
                    bytes += encoder.bytes(&card);
                    if bytes > room {
                        return Ok(wanted);
                    }
                    wanted.push((encoder, card));
                }
            }
        }
        Ok(wanted)
    }

    /// Gives up what was wanted before, is not now, and was not asked for in between.
    fn forget_unwanted(&self, tenant: &str, now: HashSet<BlockKey>) {
        let Some(fuser) = &self.fuser else { return };
        let mut wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
        let before = wanted.entry(tenant.to_owned()).or_default();
        fuser.blocks().discard_ahead(before.difference(&now).copied());
        *before = now;
    }
}
