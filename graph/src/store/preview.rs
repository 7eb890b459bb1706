//! What a change would make of the store, without making it.

use super::write::replace_document;
use super::{Store, identity, schema_of};
use crate::rdf::decode::{self, Failure};
use crate::rdf::encode;
use crate::{Document, DocumentId, GraphError, Snapshot};
use std::sync::{Arc, PoisonError};

impl Store {
    /// The snapshot that putting and deleting these documents would give, beside the one of now. Nothing is written: the change is made
    /// in a transaction that is thrown away. What follows for who is who is in it.
    ///
    /// # Errors
    /// Where a document could not be put, and when the database fails.
    pub fn preview(&self, put: &[Document], delete: &[DocumentId]) -> Result<(Arc<Snapshot>, Snapshot), GraphError> {
        let before = self.snapshot()?;
        let renames = self.shared.renames.read().unwrap_or_else(PoisonError::into_inner);
        let put: Vec<(&Document, encode::Contents)> = put
            .iter()
            .map(|document| Ok((document, encode::contents(document, &renames)?)))
            .collect::<Result<_, GraphError>>()?;
        let tenant = self.tenant();
        let change = |failure| self.database_error("try a change", &failure);
        let mut transaction = self.shared.database.start_transaction().map_err(change)?;
        let mut documents = Vec::new();
        for (document, contents) in put {
            let info = super::DocumentInfo::of(document, super::ContentHash::of(&document.source), contents.facts);
            replace_document(&mut transaction, &document.id.graph_iri(tenant), contents).map_err(change)?;
            documents.push(info);
        }
        for document in delete {
            transaction.remove_named_graph(&document.graph_iri(tenant)).map_err(change)?;
        }
        let read = || {
            let mut meta = decode::meta(&transaction)?;
            for id in delete {
                meta.documents.remove(id.graph_iri(tenant).as_str());
            }
            for info in documents {
                meta.documents.insert(info.id.graph_iri(tenant).as_str().to_owned(), info);
            }
            let contents = decode::contents(&transaction, &meta)?;
            identity::told_apart(&transaction, &meta, schema_of(&meta)?, contents)
        };
        let after = read().map_err(|failure| match failure {
            Failure::Database(error) => change(error),
            Failure::Contents(error) => error,
        })?;
        Ok((before, after))
    }
}
