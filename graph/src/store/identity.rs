//! Decisions of people on who is who, and snapshots that know it.

use super::write::{meta_quad, remove_matching};
use super::{Store, lock};
use crate::identity::{Resolution, apply, resolve};
use crate::rdf::DECISION;
use crate::rdf::decode::{self, Contents, Failure, Meta};
use crate::{Decision, Entity, Fact, GraphError, Snapshot, Verdict};
use factmask_schema::Schema;
use oxigraph::model::{Literal, NamedNode};
use oxigraph::store::{StorageError, Transaction};
use std::sync::Arc;

impl Store {
    /// Keeps what a person has decided of two entities, in place of an earlier decision on them. It goes before every rule, and
    /// stays whatever becomes of the documents; [`Verdict::Undecided`] takes it back. Durable when this returns; the next snapshot
    /// has it.
    pub fn decide(&self, decision: &Decision) -> Result<(), GraphError> {
        let record = serde_json::to_string(decision).map_err(|error| GraphError::Corrupt {
            graph: decision.subject(),
            term: decision.one.as_str().to_owned(),
            message: error.to_string(),
        })?;
        let _writer = lock(&self.shared.writer);
        let known = self.decisions()?.into_iter().find(|known| known.subject() == decision.subject());
        let changes = match &known {
            Some(known) => known != decision,
            None => decision.verdict != Verdict::Undecided,
        };
        if changes {
            let subject = NamedNode::new_unchecked(decision.subject());
            self.change(|transaction| {
                remove_matching(transaction, subject.as_ref(), DECISION)?;
                if decision.verdict != Verdict::Undecided {
                    transaction.insert(&meta_quad(subject.clone(), DECISION, Literal::from(record.as_str())));
                }
                Ok::<_, StorageError>(())
            })?;
        }
        self.flush()
    }

    /// All decisions that stand, sorted by their entities.
    pub fn decisions(&self) -> Result<Vec<Decision>, GraphError> {
        let mut decisions = self.read("read its decisions", decode::meta)?.decisions;
        decisions.sort_by(|one, other| (&one.one, &one.other).cmp(&(&other.one, &other.other)));
        Ok(decisions)
    }
}

/// What documents say, with one IRI for each thing.
pub(super) struct Resolved {
    pub(super) entities: Vec<Entity>,
    pub(super) facts: Vec<Fact>,
    pub(super) resolution: Resolution,
}

impl Resolved {
    pub(super) fn of(
        database: &Transaction<'_>,
        meta: &Meta,
        schema: &Schema,
        contents: Contents,
    ) -> Result<Self, Failure> {
        let Contents { mut entities, mut facts } = contents;
        // They come in no order, and numbers are given by it.
        entities.sort_unstable_by(|one, other| one.iri.cmp(&other.iri));
        let resolution = resolve(schema, &entities, &facts, &meta.decisions);
        let mut described = |iri: &_| decode::descriptions(database, meta, iri);
        let entities = apply(&resolution, schema, entities, &mut facts, &mut described)?;
        Ok(Self { entities, facts, resolution })
    }
}

/// A snapshot of what documents say.
pub(super) fn told_apart(
    database: &Transaction<'_>,
    meta: &Meta,
    schema: Schema,
    contents: Contents,
) -> Result<Snapshot, Failure> {
    let Resolved { entities, facts, resolution } = Resolved::of(database, meta, &schema, contents)?;
    let snapshot = Snapshot::build(meta.epoch, schema, entities, facts);
    Ok(snapshot.with_identity(Arc::new(resolution.identity)))
}
