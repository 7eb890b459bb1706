//! Putting and deleting.
//!
//! The order makes a crash at any moment harmless: the source is on disk before the transaction that refers to it, an old
//! source goes only after the transaction that let it go is on disk too, and in between at most a file too many is left,
//! which the next opening sweeps away.

use super::{Store, lock};
use crate::rdf::encode::{self, Contents};
use crate::rdf::{EPOCH, META_GRAPH, REVISION, SCHEMA, STORE};
use crate::{ContentHash, Document, DocumentId, DocumentInfo, GraphError, Outcome};
use factmask_schema::Schema;
use oxigraph::model::vocab::xsd;
use oxigraph::model::{GraphName, GraphNameRef, Literal, NamedNode, NamedNodeRef, QuadRef, TermRef};
use oxigraph::store::Transaction;
use std::collections::BTreeSet;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

impl Store {
    /// Puts a document: one transaction replaces exactly what its earlier revision stated. When this returns, the document
    /// survives a power cut.
    pub fn put(&self, document: &Document) -> Result<Outcome, GraphError> {
        let outcomes = self.put_all(std::slice::from_ref(document))?;
        Ok(outcomes.first().copied().unwrap_or(Outcome::Unchanged))
    }

    /// The same for several, flushed to disk once: all are durable when this returns, each is whole or absent at any moment.
    ///
    /// All documents are checked and all sources written before the first is committed. Should the database fail in between
    /// nevertheless, the documents before the failure stand; putting them all again is safe.
    pub fn put_all(&self, documents: &[Document]) -> Result<Vec<Outcome>, GraphError> {
        let _writer = lock(&self.shared.writer);
        let mut prepared: Vec<Option<Prepared>> = Vec::with_capacity(documents.len());
        for document in documents {
            // A document may come twice; then the second is compared with the first.
            let earlier = prepared.iter().rev().flatten().map(|(info, _)| info).find(|info| info.id == document.id);
            let known = earlier.cloned().or_else(|| self.read_documents().get(&document.id).cloned());
            prepared.push(prepare(document, known.as_ref())?);
        }
        let mut fresh = Vec::new();
        let mut result = Ok(());
        for (document, prepared) in documents.iter().zip(&prepared) {
            let Some((info, _)) = prepared else { continue };
            fresh.push(info.hash);
            result = self.shared.sources.write(info.hash, &document.source);
            if result.is_err() {
                break;
            }
        }
        let mut outcomes = Vec::with_capacity(documents.len());
        let mut replaced = Vec::new();
        if result.is_ok() {
            for prepared in prepared {
                match self.commit_document(prepared, &mut replaced) {
                    Ok(outcome) => outcomes.push(outcome),
                    Err(error) => {
                        result = Err(error);
                        break;
                    }
                }
            }
        }
        let flushed = self.flush();
        // A source whose document was not committed is as superfluous as one whose document was replaced; but while it is
        // not known what is on disk, nothing is removed.
        if flushed.is_ok() {
            self.drop_unused(fresh.into_iter().chain(replaced));
        }
        result.and(flushed).map(|()| outcomes)
    }

    /// Deletes a document and what only it stated. `false` when it was not there.
    pub fn delete(&self, document: &DocumentId) -> Result<bool, GraphError> {
        let _writer = lock(&self.shared.writer);
        let Some(info) = self.read_documents().get(document).cloned() else {
            self.flush()?;
            return Ok(false);
        };
        let graph = document.graph_iri(&self.shared.tenant);
        self.change(|transaction| {
            transaction.remove_named_graph(&graph)?;
            remove_matching(transaction, graph.as_ref(), REVISION)
        })?;
        self.shared.documents.write().unwrap_or_else(PoisonError::into_inner).remove(document);
        self.flush()?;
        self.drop_unused([info.hash].into_iter());
        Ok(true)
    }

    /// Replaces the schema. An equal one changes nothing, not even the epoch.
    pub fn put_schema(&self, schema: &Schema) -> Result<(), GraphError> {
        let _writer = lock(&self.shared.writer);
        let turtle = schema.to_turtle();
        // One that was made by hand may not hold together, and must not be found out by every later reader.
        super::parse_schema(&turtle)?;
        if self.schema()?.to_turtle() != turtle {
            self.change(|transaction| {
                let subject = NamedNodeRef::new_unchecked(STORE);
                remove_matching(transaction, subject, SCHEMA)?;
                insert_meta(transaction, subject, SCHEMA, &Literal::from(turtle.as_str()));
                Ok(())
            })?;
        }
        self.flush()
    }

    fn commit_document(
        &self,
        prepared: Option<Prepared>,
        replaced: &mut Vec<ContentHash>,
    ) -> Result<Outcome, GraphError> {
        let Some((info, contents)) = prepared else { return Ok(Outcome::Unchanged) };
        let earlier = self.read_documents().get(&info.id).cloned();
        let graph = info.id.graph_iri(&self.shared.tenant);
        let marker = Literal::from(info.to_marker().map_err(|message| GraphError::Corrupt {
            graph: graph.as_str().to_owned(),
            term: info.id.to_string(),
            message,
        })?);
        self.change(|transaction| {
            if earlier.is_some() {
                transaction.clear_graph(&graph)?;
                remove_matching(transaction, graph.as_ref(), REVISION)?;
            }
            let name = GraphName::NamedNode(graph.clone());
            for triple in &contents.triples {
                transaction.insert(triple.as_ref().in_graph(name.as_ref()));
            }
            insert_meta(transaction, graph.as_ref(), REVISION, &marker);
            Ok(())
        })?;
        self.shared.documents.write().unwrap_or_else(PoisonError::into_inner).insert(info.id.clone(), info);
        match earlier {
            Some(earlier) => {
                replaced.push(earlier.hash);
                Ok(Outcome::Replaced)
            }
            None => Ok(Outcome::Added),
        }
    }

    /// One transaction, which counts the epoch on. The writer's lock is held by the caller.
    fn change(
        &self,
        write: impl FnOnce(&mut Transaction<'_>) -> Result<(), oxigraph::store::StorageError>,
    ) -> Result<(), GraphError> {
        let next = self.epoch() + 1;
        let commit = || {
            let mut transaction = self.shared.database.start_transaction()?;
            write(&mut transaction)?;
            let subject = NamedNodeRef::new_unchecked(STORE);
            remove_matching(&mut transaction, subject, EPOCH)?;
            let epoch = Literal::new_typed_literal(next.to_string(), xsd::INTEGER);
            insert_meta(&mut transaction, subject, EPOCH, &epoch);
            transaction.commit()
        };
        commit().map_err(|error| self.database_error("commit", &error))?;
        self.shared.unflushed.store(true, Ordering::Release);
        self.shared.epoch.store(next, Ordering::Release);
        Ok(())
    }

    /// Brings everything that was committed to disk. oxigraph's commit alone survives a killed process, not a power cut.
    fn flush(&self) -> Result<(), GraphError> {
        if self.shared.unflushed.load(Ordering::Acquire) {
            if self.shared.place.is_some() {
                self.shared.database.flush().map_err(|error| self.database_error("flush to disk", &error))?;
            }
            self.shared.unflushed.store(false, Ordering::Release);
        }
        Ok(())
    }

    fn drop_unused(&self, hashes: impl Iterator<Item = ContentHash>) {
        for hash in hashes.collect::<BTreeSet<_>>() {
            if !self.uses(hash) {
                self.shared.sources.remove(hash);
            }
        }
    }
}

/// What is to be written for a document.
type Prepared = (DocumentInfo, Contents);

/// Checks a document; nothing is to be written where `known` is this very revision.
fn prepare(document: &Document, known: Option<&DocumentInfo>) -> Result<Option<Prepared>, GraphError> {
    let hash = ContentHash::of(&document.source);
    if known.is_some_and(|info| info.hash == hash && info.recipe == document.recipe) {
        return Ok(None);
    }
    let contents = encode::contents(document)?;
    Ok(Some((DocumentInfo::of(document, hash, contents.facts), contents)))
}

fn meta() -> GraphNameRef<'static> {
    NamedNodeRef::new_unchecked(META_GRAPH).into()
}

fn insert_meta(transaction: &mut Transaction<'_>, subject: NamedNodeRef<'_>, predicate: &str, object: &Literal) {
    let object = TermRef::Literal(object.as_ref());
    transaction.insert(QuadRef::new(subject, NamedNodeRef::new_unchecked(predicate), object, meta()));
}

fn remove_matching(
    transaction: &mut Transaction<'_>,
    subject: NamedNodeRef<'_>,
    predicate: &str,
) -> Result<(), oxigraph::store::StorageError> {
    let predicate = NamedNode::new_unchecked(predicate);
    let found = transaction
        .quads_for_pattern(Some(subject.into()), Some(predicate.as_ref()), None, Some(meta()))
        .collect::<Result<Vec<_>, _>>()?;
    for quad in &found {
        transaction.remove(quad);
    }
    Ok(())
}
