//! Schemas: each publication is one transaction, which moves the facts of renamed terms and keeps the version.

mod choose;
mod migrate;
mod version;

pub use version::SchemaVersion;

use super::write::{meta_quad, remove_matching};
use super::{Store, identity, lock, schema_of};
use crate::rdf::decode::{self, Failure, Meta};
use crate::rdf::{RENAMES, REVISION, SCHEMA, STORE};
use crate::rename::{Rename, Renames};
use crate::{DocumentInfo, GraphError, Snapshot, Split};
use factmask_schema::Schema;
use migrate::{Moved, Step};
use oxigraph::model::{Literal, NamedNode, NamedNodeRef};
use oxigraph::store::Transaction;
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};
use version::Record;

/// How and why a schema is replaced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SchemaChange {
    /// Terms that are called otherwise in the new schema. The facts and descriptions that use them are moved.
    pub renames: Vec<Rename>,
    /// Parts of terms, by their names of then, that become terms of their own or of others; done in order, after the renames.
    pub splits: Vec<Split>,
    /// Who changes it; empty where that is not known.
    pub author: String,
    /// Why.
    pub reason: String,
}

/// What publishing a schema did, or would do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Published {
    /// The version that it has now; `None` where nothing was to be changed.
    pub version: Option<u32>,
    /// Pieces of evidence whose facts are said with another term now.
    pub facts: usize,
    /// Descriptions of entities that name another class now.
    pub entities: usize,
}

impl Store {
    /// Replaces the schema without a word about who and why. An equal one changes nothing, not even the epoch.
    pub fn put_schema(&self, schema: &Schema) -> Result<(), GraphError> {
        self.publish_schema(schema, &SchemaChange::default()).map(|_| ())
    }

    /// Replaces the schema, moves the facts of renamed and split terms and keeps the version, all in one transaction. A schema that
    /// is equal and moves nothing changes nothing.
    pub fn publish_schema(&self, schema: &Schema, change: &SchemaChange) -> Result<Published, GraphError> {
        let _writer = lock(&self.shared.writer);
        self.publish(schema, &Publication::of(change, &self.schema()?))
    }

    /// What [`Store::publish_schema`] would do, and the epoch that would come of it. It is done in a transaction that is thrown
    /// away, so that nothing can come out otherwise when it is done.
    pub fn preview_schema(
        &self,
        schema: &Schema,
        change: &SchemaChange,
    ) -> Result<(Published, Arc<Snapshot>), GraphError> {
        self.foresee(schema, &Publication::of(change, &self.schema()?))
    }

    /// Makes an earlier version of the schema the current one; what was renamed since is called as it was then. Facts that were
    /// merged under one term go back to the terms that they came from.
    pub fn restore_schema(&self, version: u32, author: &str, reason: &str) -> Result<Published, GraphError> {
        let _writer = lock(&self.shared.writer);
        let (schema, publication) = self.restoration(version, author, reason)?;
        self.publish(&schema, &publication)
    }

    /// What [`Store::restore_schema`] would do, with what would be called otherwise and the epoch that would come of it.
    pub fn preview_restore(&self, version: u32) -> Result<(Published, SchemaChange, Arc<Snapshot>), GraphError> {
        let (schema, publication) = self.restoration(version, "", "")?;
        let (published, snapshot) = self.foresee(&schema, &publication)?;
        let steps = publication.steps.into_iter().map(|step| (step.rename, step.when));
        let (renames, splits) = version::parted(steps);
        Ok((published, SchemaChange { renames, splits, ..SchemaChange::default() }, snapshot))
    }

    fn publish(&self, schema: &Schema, publication: &Publication) -> Result<Published, GraphError> {
        let turtle = schema.to_turtle();
        // One that was made by hand may not hold together, and must not be found out by every later reader.
        super::parse_schema(&turtle)?;
        let current = self.schema()?.to_turtle();
        if current == turtle && publication.steps.is_empty() {
            return self.flush().map(|()| Published::default());
        }
        let outcome = self.change(|transaction| self.apply(transaction, schema, &turtle, &current, publication))?;
        *self.shared.renames.write().unwrap_or_else(PoisonError::into_inner) = outcome.renames;
        self.shared
            .documents
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .extend(outcome.documents.into_iter().map(|info| (info.id.clone(), info)));
        self.flush()?;
        Ok(outcome.published)
    }

    fn foresee(&self, schema: &Schema, publication: &Publication) -> Result<(Published, Arc<Snapshot>), GraphError> {
        let turtle = schema.to_turtle();
        super::parse_schema(&turtle)?;
        let current = self.schema()?.to_turtle();
        if current == turtle && publication.steps.is_empty() {
            return Ok((Published::default(), self.snapshot()?));
        }
        let epoch = self.epoch() + 1;
        // Never committed: what is dropped is undone.
        let previewed =
            self.shared.database.start_transaction().map_err(Failure::Database).and_then(|mut transaction| {
                let outcome = self.apply(&mut transaction, schema, &turtle, &current, publication)?;
                let meta = Meta { epoch, ..decode::meta(&transaction)? };
                let contents = decode::contents(&transaction, &meta)?;
                let snapshot = identity::told_apart(&transaction, &meta, schema_of(&meta)?, contents)?;
                let revisions = meta.documents.into_values().map(|info| (info.id, info.hash)).collect();
                Ok((outcome.published, Arc::new(snapshot.with_revisions(revisions))))
            });
        previewed.map_err(|failure| self.failed("preview a schema", failure))
    }

    /// Writes everything that a publication changes.
    fn apply(
        &self,
        transaction: &mut Transaction<'_>,
        schema: &Schema,
        turtle: &str,
        current: &str,
        publication: &Publication,
    ) -> Result<Outcome, Failure> {
        let mut moved = Vec::new();
        let mut published = Published::default();
        for step in &publication.steps {
            let done = migrate::migrate(transaction, schema, step)?;
            published.facts += done.facts;
            published.entities += done.entities;
            moved.push(done.moved);
        }
        let documents = self.recount(transaction, &moved)?;
        let mut renames = match &publication.renames {
            Some(then) => then.clone(),
            None => self.shared.renames.read().unwrap_or_else(PoisonError::into_inner).clone(),
        };
        for step in publication.steps.iter().filter(|_| publication.renames.is_none()) {
            match step.split() {
                None => renames.add(&step.rename),
                Some(split) => renames.add_split(split),
            }
        }
        renames.settle(schema);

        let store = NamedNodeRef::new_unchecked(STORE);
        remove_matching(transaction, store, SCHEMA)?;
        remove_matching(transaction, store, RENAMES)?;
        transaction.insert(&meta_quad(store.into_owned(), SCHEMA, Literal::from(turtle)));
        if !renames.is_empty() {
            let json = renames.to_json().to_string();
            transaction.insert(&meta_quad(store.into_owned(), RENAMES, Literal::from(json)));
        }
        let record = Record::new(publication, turtle, &renames, moved);
        published.version = Some(version::keep(transaction, current, record)?);
        Ok(Outcome { published, renames, documents })
    }

    /// Counts the facts of the documents anew that were touched: where two became one there are fewer.
    fn recount(&self, transaction: &mut Transaction<'_>, moved: &[Moved]) -> Result<Vec<DocumentInfo>, Failure> {
        let meta = decode::meta(transaction)?;
        let mut touched: BTreeMap<&str, &DocumentInfo> = BTreeMap::new();
        for graph in moved.iter().flat_map(Moved::graphs) {
            if let Some(info) = meta.documents.get(graph) {
                touched.insert(graph, info);
            }
        }
        let mut changed = Vec::new();
        for (graph, info) in touched {
            let facts = migrate::facts_in(transaction, graph)?;
            if facts != info.facts {
                let info = DocumentInfo { facts, ..info.clone() };
                let marker = info.to_marker().map_err(|message| {
                    let (graph, term) = (graph.to_owned(), info.id.to_string());
                    Failure::Contents(GraphError::Corrupt { graph, term, message })
                })?;
                let graph = NamedNode::new_unchecked(graph);
                remove_matching(transaction, graph.as_ref(), REVISION)?;
                transaction.insert(&meta_quad(graph, REVISION, Literal::from(marker)));
                changed.push(info);
            }
        }
        Ok(changed)
    }

    /// The schema of a version and the steps back to it.
    fn restoration(&self, version: u32, author: &str, reason: &str) -> Result<(Schema, Publication), GraphError> {
        let records = self.read("read its schemas", version::records)?;
        let wanted = records.get(&version).ok_or(GraphError::NoSuchVersion { version })?;
        let schema = super::parse_schema(&wanted.turtle)?;
        let latest = records.keys().next_back().copied().unwrap_or(version);
        let steps = version::steps_between(&records, latest, version)?;
        let renames = wanted.renames().map_err(|message| version::corrupt(version, message))?;
        let change = SchemaChange { author: author.to_owned(), reason: reason.to_owned(), ..SchemaChange::default() };
        Ok((schema, Publication { change, steps, renames: Some(renames), restored: Some(version) }))
    }
}

/// A change with the steps that it takes.
struct Publication {
    change: SchemaChange,
    steps: Vec<Step>,
    /// All names that terms had before, where they are not those of now and those of the steps.
    renames: Option<Renames>,
    /// The version that is restored.
    restored: Option<u32>,
}

impl Publication {
    fn of(change: &SchemaChange, before: &Schema) -> Self {
        let renames = change.renames.iter().filter(|rename| rename.from != rename.to);
        let renames = renames.map(|rename| (rename.clone(), None));
        let splits = change.splits.iter().map(|split| (split.rename(), Some(split.when.clone())));
        let made: Vec<_> = renames.chain(splits).collect();
        // Two terms that get one new name are merged as well.
        let shared = |rename: &Rename| {
            let same = |other: &Rename| (other.kind, &other.to) == (rename.kind, &rename.to);
            made.iter().any(|(other, _)| same(other) && other.from != rename.from)
        };
        let merges = |rename: &Rename| rename.kind.declares(before, &rename.to) || shared(rename);
        let merged: Vec<bool> = made.iter().map(|(rename, _)| merges(rename)).collect();
        let steps = made.into_iter().zip(merged);
        let steps = steps.map(|((rename, when), merges)| Step { rename, when, only: None, merges, of: None });
        Self { change: change.clone(), steps: steps.collect(), renames: None, restored: None }
    }
}

/// What a publication has written.
struct Outcome {
    published: Published,
    renames: Renames,
    /// Documents whose number of facts is another.
    documents: Vec<DocumentInfo>,
}
