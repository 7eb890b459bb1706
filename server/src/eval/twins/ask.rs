//! Asks the twins, each over its graph.

use super::super::modes::{Asker, EvalMode, Reply};
use super::super::set::Question;
use super::{Twin, Twins};
use anyhow::{Context as _, Result};
use std::time::Instant;

impl Twins {
    /// The replies, in the order of `all`; `teach` has the engine take what it may know for a question of the set, by its place.
    ///
    /// # Errors
    /// A model that fails.
    pub fn ask(&self, asker: &Asker<'_>, mode: EvalMode, teach: &dyn Fn(usize)) -> Result<Vec<Reply>> {
        let mut replies: Vec<Reply> = self.all.iter().map(|_| Reply::default()).collect();
        let (started, mut told, mut asked) = (Instant::now(), Instant::now(), 0_usize);
        for (snapshot, twins) in self.graphs(&asker.world.snapshot) {
            let world = asker.world.over(snapshot);
            let asker = Asker { engine: asker.engine, world: &world, passages: None, read_ahead_s: 0.0 };
            for at in twins {
                let (Some(Twin { of, question, .. }), Some(place)) = (self.all.get(*at), replies.get_mut(*at)) else {
                    continue;
                };
                teach(*of);
                let asked_as = Question { question: question.clone(), ..Question::default() };
                *place = asker.ask(mode, &asked_as).with_context(|| format!("without its facts: {question}"))?;
                asked += 1;
                if told.elapsed().as_secs() >= 15 {
                    told = Instant::now();
                    let seconds = started.elapsed().as_secs_f64();
                    eprintln!("{}: {asked} of {} without an answer, {seconds:.0} s", mode.name(), self.all.len());
                }
            }
        }
        Ok(replies)
    }
}
