//! The running text of a tenant's documents, for answers from text.

use factmask_engine::passage::{Library, Paragraph};
use factmask_graph::{ContentHash, DocumentId, GraphError, Snapshot, Store};
use factmask_ingest::{has_prose, prose};

/// The documents of one epoch of a store. A document that was replaced or deleted since is not among them: what is gone answers
/// nothing, and its successor belongs to the next epoch.
pub struct StoredTexts<'a> {
    /// The store.
    pub store: &'a Store,
    /// The epoch.
    pub snapshot: &'a Snapshot,
}

impl Library for StoredTexts<'_> {
    fn documents(&self) -> Result<Vec<(DocumentId, ContentHash)>, GraphError> {
        let all = self.store.documents()?.into_iter();
        let own = all.filter(|info| has_prose(&info.media_type) && self.snapshot.revision(&info.id) == Some(info.hash));
        Ok(own.map(|info| (info.id, info.hash)).collect())
    }

    fn paragraphs(&self, document: &DocumentId, revision: ContentHash) -> Result<Vec<Paragraph>, GraphError> {
        let gone = || GraphError::Superseded { document: document.clone() };
        let info = self.store.document(document)?.ok_or_else(gone)?;
        let source = self.store.source_of(document, revision, None)?;
        let paragraphs = prose(&info.media_type, source).into_iter();
        Ok(paragraphs.map(|prose| Paragraph { heading: prose.heading, sentences: prose.sentences }).collect())
    }
}
