//! Reading a schema before it is asked about.

use super::Engine;
use crate::{
    EngineError,
    fusion::Aligner,
    question::{language, wordings},
};
use factmask_graph::Snapshot;
use std::sync::Arc;

/// Sentences of a schema that are read ahead; the rest of a large one is read when a question comes near it.
const MOST: usize = 512;

impl Engine {
    /// Lets every model read what the tenant's schema says of its relations, in each language that the schema speaks, so that the
    /// first questions need not wait for it. What is on the tenant's shelf is not read again: with nothing new this returns at once.
    /// `progress` hears how many sentences of how many a model has read.
    ///
    /// # Errors
    /// A wording that a model cannot take.
    pub fn read_ahead(
        &self,
        tenant: &str,
        snapshot: &Arc<Snapshot>,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<(), EngineError> {
        let reader = self.reader(tenant, snapshot)?;
        for lang in language::READ.iter().copied().filter(|lang| snapshot.schema().speaks(lang)) {
            let mut sentences = wordings::of_schema(snapshot.schema(), lang);
            sentences.truncate(MOST);
            if let Some(meaning) = self.meanings.get(lang) {
                meaning.read(reader.shelf(), &sentences)?;
            }
            if let Some(fuser) = self.fuser.as_ref().filter(|_| self.model_reads(lang)) {
                let prompt = self.prompt(fuser, lang)?;
                Aligner { reader: &reader, model: fuser.model(), prompt: &prompt, lang }.read(&sentences, progress)?;
            }
        }
        Ok(())
    }
}
