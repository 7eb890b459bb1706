//! Putting and deleting.
//!
//! The order makes a crash at any moment harmless: the source is on disk before the transaction that refers to it, an old
//! source goes only after the transaction that let it go is on disk too, and in between at most a file too many is left,
//! which the next opening sweeps away.

use super::{Store, lock};
use crate::rdf::decode::Failure;
use crate::rdf::encode::{self, Contents};
use crate::rdf::{EPOCH, META_GRAPH, REVISION, STORE};
use crate::rename::Renames;
use crate::{ContentHash, Document, DocumentId, DocumentInfo, GraphError, Outcome};
use oxigraph::model::vocab::xsd;
use oxigraph::model::{GraphName, GraphNameRef, Literal, NamedNode, NamedNodeRef, Quad};
use oxigraph::store::{StorageError, Transaction};
use std::collections::{BTreeSet, HashSet};
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
        let prepared = self.prepare_all(documents)?;
        // Sources that may end up without a document: of documents that were replaced, and of those that failed.
        let mut loose = Vec::new();
        let result = self
            .write_sources(documents, &prepared, &mut loose)
            .and_then(|()| prepared.into_iter().map(|prepared| self.commit_document(prepared, &mut loose)).collect());
        let flushed = self.flush();
        // While it is not known what is on disk, nothing is removed.
        if flushed.is_ok() {
            self.drop_unused(loose);
        }
        let outcomes = result?;
        flushed.map(|()| outcomes)
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
        self.drop_unused(vec![info.hash]);
        Ok(true)
    }

    fn prepare_all(&self, documents: &[Document]) -> Result<Vec<Option<Prepared>>, GraphError> {
        let renames = self.shared.renames.read().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<Option<Prepared>> = Vec::with_capacity(documents.len());
        for document in documents {
            // A document may come twice; then the second is compared with the first.
            let earlier = all.iter().rev().flatten().map(|(info, _)| info).find(|info| info.id == document.id);
            let known = earlier.cloned().or_else(|| self.read_documents().get(&document.id).cloned());
            all.push(prepare(document, &renames, known.as_ref())?);
        }
        Ok(all)
    }

    fn write_sources(
        &self,
        documents: &[Document],
        prepared: &[Option<Prepared>],
        loose: &mut Vec<ContentHash>,
    ) -> Result<(), GraphError> {
        for (document, prepared) in documents.iter().zip(prepared) {
            if let Some((info, _)) = prepared {
                loose.push(info.hash);
                self.shared.sources.write(info.hash, &document.source)?;
            }
        }
        Ok(())
    }

    fn commit_document(&self, prepared: Option<Prepared>, loose: &mut Vec<ContentHash>) -> Result<Outcome, GraphError> {
        let Some((info, contents)) = prepared else { return Ok(Outcome::Unchanged) };
        let earlier = self.read_documents().get(&info.id).cloned();
        let graph = info.id.graph_iri(&self.shared.tenant);
        let marker = Literal::from(info.to_marker().map_err(|message| GraphError::Corrupt {
            graph: graph.as_str().to_owned(),
            term: info.id.to_string(),
            message,
        })?);
        let name = GraphName::NamedNode(graph.clone());
        let quads = contents.triples.into_iter().map(|triple| triple.in_graph(name.clone()));
        let quads = quads.chain([meta_quad(graph.clone(), REVISION, marker)]);
        match &earlier {
            Some(_) => self.change(|transaction| replace(transaction, &graph, quads.collect()))?,
            None => self.extend(quads.collect())?,
        }
        self.shared.documents.write().unwrap_or_else(PoisonError::into_inner).insert(info.id.clone(), info);
        match earlier {
            Some(earlier) => {
                loose.push(earlier.hash);
                Ok(Outcome::Replaced)
            }
            None => Ok(Outcome::Added),
        }
    }

    /// One transaction, which counts the epoch on. The writer's lock is held by the caller.
    pub(super) fn change<T, E: Into<Failure>>(
        &self,
        write: impl FnOnce(&mut Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, GraphError> {
        let next = self.epoch() + 1;
        let commit = || {
            let mut transaction = self.shared.database.start_transaction()?;
            let written = write(&mut transaction).map_err(Into::into)?;
            remove_matching(&mut transaction, NamedNodeRef::new_unchecked(STORE), EPOCH)?;
            transaction.insert(&epoch_quad(next));
            transaction.commit()?;
            Ok(written)
        };
        let written = commit().map_err(|failure| self.failed("commit", failure))?;
        self.committed(next, Ok(()))?;
        Ok(written)
    }

    /// The same for a change that removes nothing, which takes half the time, as oxigraph then keeps no index of what the
    /// transaction has written. Numbers of earlier epochs are left for the next [`Store::change`]; the largest counts.
    fn extend(&self, mut quads: Vec<Quad>) -> Result<(), GraphError> {
        let next = self.epoch() + 1;
        quads.push(epoch_quad(next));
        let result = match self.shared.place.is_some() && quads.len() >= BULK {
            true => self.load(quads),
            false => self.shared.database.extend(quads),
        };
        self.committed(next, result)
    }

    /// Writes many quads as finished table files, which RocksDB takes in as one: all of them or none. In a transaction that
    /// large each key would have to be sorted in with all others first.
    fn load(&self, quads: Vec<Quad>) -> Result<(), StorageError> {
        let mut loader = self.shared.database.bulk_loader().with_num_threads(1);
        loader.load_quads(quads)?;
        loader.commit()
    }

    fn committed(&self, epoch: u64, result: Result<(), StorageError>) -> Result<(), GraphError> {
        result.map_err(|error| self.database_error("commit", &error))?;
        self.shared.unflushed.store(true, Ordering::Release);
        self.shared.epoch.store(epoch, Ordering::Release);
        Ok(())
    }

    /// Brings everything that was committed to disk. oxigraph's commit alone survives a killed process, not a power cut.
    pub(super) fn flush(&self) -> Result<(), GraphError> {
        if self.shared.unflushed.load(Ordering::Acquire) {
            if self.shared.place.is_some() {
                self.shared.database.flush().map_err(|error| self.database_error("flush to disk", &error))?;
            }
            self.shared.unflushed.store(false, Ordering::Release);
        }
        Ok(())
    }

    fn drop_unused(&self, hashes: Vec<ContentHash>) {
        for hash in hashes.into_iter().collect::<BTreeSet<_>>() {
            if !self.uses(hash) {
                self.shared.sources.remove(hash);
            }
        }
    }
}

/// From how many quads on a new document is written by [`Store::load`]. Below it, the dozen files of a load cost more than
/// they save.
const BULK: usize = 50_000;

/// What is to be written for a document.
type Prepared = (DocumentInfo, Contents);

/// Checks a document; nothing is to be written where `known` is this very revision.
fn prepare(
    document: &Document,
    renames: &Renames,
    known: Option<&DocumentInfo>,
) -> Result<Option<Prepared>, GraphError> {
    let hash = ContentHash::of(&document.source);
    if known.is_some_and(|info| info.hash == hash && info.recipe == document.recipe) {
        return Ok(None);
    }
    let contents = encode::contents(document, renames)?;
    Ok(Some((DocumentInfo::of(document, hash, contents.facts), contents)))
}

fn meta() -> NamedNode {
    NamedNode::new_unchecked(META_GRAPH)
}

pub(super) fn meta_quad(subject: NamedNode, predicate: &str, object: Literal) -> Quad {
    Quad::new(subject, NamedNode::new_unchecked(predicate), object, meta())
}

fn epoch_quad(epoch: u64) -> Quad {
    let number = Literal::new_typed_literal(epoch.to_string(), xsd::INTEGER);
    meta_quad(NamedNode::new_unchecked(STORE), EPOCH, number)
}

/// Makes `contents` what a document states, without its marker.
pub(super) fn replace_document(
    transaction: &mut Transaction<'_>,
    graph: &NamedNode,
    contents: Contents,
) -> Result<(), StorageError> {
    let name = GraphName::NamedNode(graph.clone());
    replace(transaction, graph, contents.triples.into_iter().map(|triple| triple.in_graph(name.clone())).collect())
}

/// Makes `wanted` the contents of a document's graph, together with its marker. What stands already is not written again: after
/// an edit, or when the same bytes are read by a newer extractor, that is most of it.
fn replace(transaction: &mut Transaction<'_>, graph: &NamedNode, wanted: Vec<Quad>) -> Result<(), StorageError> {
    remove_matching(transaction, graph.as_ref(), REVISION)?;
    let mut missing: HashSet<&Quad> = wanted.iter().collect();
    let mut superfluous = Vec::new();
    for quad in transaction.quads_for_pattern(None, None, None, Some(graph.into())) {
        let quad = quad?;
        if !missing.remove(&quad) {
            superfluous.push(quad);
        }
    }
    superfluous.iter().for_each(|quad| transaction.remove(quad));
    missing.into_iter().for_each(|quad| transaction.insert(quad));
    Ok(())
}

pub(super) fn remove_matching(
    transaction: &mut Transaction<'_>,
    subject: NamedNodeRef<'_>,
    predicate: &str,
) -> Result<(), StorageError> {
    let predicate = NamedNode::new_unchecked(predicate);
    let found = transaction
        .quads_for_pattern(Some(subject.into()), Some(predicate.as_ref()), None, Some(GraphNameRef::from(&meta())))
        .collect::<Result<Vec<_>, _>>()?;
    for quad in &found {
        transaction.remove(quad);
    }
    Ok(())
}
