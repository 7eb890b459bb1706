//! Reading a schema before it is asked about.

use super::{Engine, expect};
use crate::{
    EngineError,
    fusion::{Aligner, align},
    question::{language, wordings},
};
use factmask_graph::Snapshot;
use std::sync::Arc;

/// Sentences of a schema that are read ahead; the rest of a large one is read when a question comes near it.
const MOST: usize = 512;
/// Kinds of paths of two steps whose sentences are read ahead, those that the data shows most often. One sentence each for the language
/// model, so that a large graph's paths cost at most half of what a large schema does.
const MOST_CHAINS: usize = 256;

/// Hears how much of how much is done, before the next is begun. Fails where the work is no longer wanted
/// ([`EngineError::Cancelled`]).
pub type Progress<'a> = dyn FnMut(usize, usize) -> Result<(), EngineError> + 'a;

impl Engine {
    /// Lets every model read what the tenant's schema says of its relations and of the paths that its data shows most, in each language
    /// that the schema speaks, so that the first questions need not wait for it. What is on the tenant's shelf is not read again: with
    /// nothing new this returns at once. It gives way to questions. `progress` hears of the sentences that the language model reads.
    ///
    /// # Errors
    /// A wording that a model cannot take, and whatever `progress` fails with.
    pub fn read_ahead(
        &self,
        tenant: &str,
        snapshot: &Arc<Snapshot>,
        progress: &mut Progress<'_>,
    ) -> Result<(), EngineError> {
        let reader = self.reader(tenant, snapshot)?;
        let chains = expect::frequent_chains(snapshot, &self.expected(tenant, snapshot), MOST_CHAINS);
        let mut paced = |done: usize, of: usize| {
            self.traffic.give_way();
            progress(done, of)
        };
        for lang in language::READ.iter().copied().filter(|lang| snapshot.schema().speaks(lang)) {
            let mut sentences = wordings::of_schema(snapshot.schema(), lang);
            sentences.truncate(MOST);
            if let Some(meaning) = self.meanings.get(lang) {
                paced(0, sentences.len())?;
                meaning.read(reader.shelf(), &sentences)?;
                for path in &chains {
                    self.traffic.give_way();
                    meaning.read(reader.shelf(), &wordings::of_path(snapshot, path, lang))?;
                }
            }
            if let Some(fuser) = self.fuser.as_ref().filter(|_| self.model_reads(lang)) {
                sentences.extend(chains.iter().flat_map(|path| align::sentences_of(snapshot, path, lang)));
                let prompt = self.prompt(fuser, lang)?;
                Aligner { reader: &reader, model: fuser.model(), prompt: &prompt, lang }
                    .read(&sentences, &mut paced)?;
            }
        }
        Ok(())
    }
}
