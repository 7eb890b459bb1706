//! One number of threads, and what was taken with it.

use super::{
    figures::{ByThreads, Scores, Timed},
    ground::Ground,
    ways::{Asker, Lookups, Way, fuser},
    zipf::Zipf,
};
use crate::bench::{
    TENANT,
    random::Random,
    rates::{Lengths, Side},
};
use anyhow::{Context as _, Result};
use factmask_engine::Engine;

/// See the module.
pub struct Lane<'a> {
    /// How fast the model reads and writes.
    pub rates: Side,
    /// Asks the questions.
    pub asker: Asker<'a>,
    timed: Timed,
}

impl<'a> Lane<'a> {
    /// Lets the models read the schema, and asks one question every way: what is loaded with the first question is not its cost. The
    /// stream's block store is filled as a long stream would have left it.
    ///
    /// # Errors
    /// A model that is missing or fails.
    pub fn new(engine: Engine, ground: &'a Ground<'a>, lengths: &Lengths, mut random: Random) -> Result<Self> {
        let Ground { world, passages, room_bytes, .. } = ground;
        engine.read_ahead(TENANT, &world.snapshot, &mut |_, _| Ok(()))?;
        let stream = engine.with_own_blocks(*room_bytes);
        let rates = Side::new(fuser(&engine)?.shared_model(), lengths)?;
        let mut asker = Asker { engine, stream, world, passages, lookups: Lookups::default(), cold: 0 };
        let first = world.cases.iter().min_by_key(|case| case.facts).context("a world without towns")?;
        for way in Way::COMPARED.into_iter().chain([Way::FusedZipf]) {
            asker.ask(way, first)?;
        }
        asker.lookups = Lookups::default();
        let zipf = Zipf::new(world.cases.len());
        // The blocks of a store that gives up the longest unused are those of its last questions, as many as fill it. One
        // with room for almost all of the world would take for ever.
        for _ in 0..10 * world.cases.len() {
            if let Some(case) = world.cases.get(zipf.draw(&mut random))
                && asker.fill_stream(case)? > 0
            {
                break;
            }
        }
        Ok(Self { rates, asker, timed: Timed::default() })
    }

    /// Asks questions, each its way and by its number in the world.
    ///
    /// # Errors
    /// A model that fails.
    pub fn ask(&mut self, ways: impl Iterator<Item = (Way, usize)>, scores: &mut Scores) -> Result<()> {
        for (way, number) in ways {
            let case = self.asker.world.cases.get(number).context("a question that is not there")?;
            let taken = self.asker.ask(way, case).with_context(|| format!("{}: {}", way.name(), case.question))?;
            self.timed.add(way, case.facts, taken);
            scores.add(way, number, case.facts, taken.outcome);
        }
        Ok(())
    }

    /// Bytes in the stream's block store.
    ///
    /// # Errors
    /// Without a model.
    pub fn held_bytes(&self) -> Result<usize> {
        Ok(fuser(&self.asker.stream)?.blocks().stats().bytes)
    }

    /// What was reached.
    pub fn figures(self) -> ByThreads {
        ByThreads { speed: self.rates.speed(), times: self.timed.times() }
    }
}
