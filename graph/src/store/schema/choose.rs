//! Which facts and descriptions of the whole store a split moves.

use crate::identity::{Resolution, rename_in};
use crate::rdf::decode::{self, Failure};
use crate::split::{self, Ground};
use crate::store::identity::Resolved;
use crate::{DocumentId, NewFact, When};
use factmask_schema::{Iri, Schema};
use oxigraph::model::NamedNode;
use oxigraph::store::Transaction;
use std::collections::HashMap;

/// What meets the condition of a split, as things are when it is its turn. Documents speak in their own terms, but a condition is one on
/// things: what one document says of somebody counts for the descriptions of all that mean the same.
pub(super) struct Chosen {
    ground: Ground,
    resolution: Resolution,
    /// By their graphs.
    documents: HashMap<String, DocumentId>,
}

impl Chosen {
    pub(super) fn new(transaction: &Transaction<'_>, schema: &Schema, when: &When) -> Result<Self, Failure> {
        let meta = decode::meta(transaction)?;
        let contents = decode::contents(transaction, &meta)?;
        let Resolved { entities, facts, resolution } = Resolved::of(transaction, &meta, schema, contents)?;
        let canonical = |iri: &Iri| resolution.identity.canonical(iri).clone();
        let when = match when {
            When::Entities(entities) => When::Entities(entities.iter().map(canonical).collect()),
            When::HasValue(relation, value) => {
                let entity = Iri::new(value.as_str()).ok();
                let value = entity.map_or_else(|| value.clone(), |entity| canonical(&entity).into_string());
                When::HasValue(relation.clone(), value)
            }
            other => other.clone(),
        };
        let classes = split::classes(&when, schema);
        let ground = Ground::new(when, classes, entities.iter(), facts.iter().map(|fact| &fact.statement));
        let documents = meta.documents.into_iter().map(|(graph, info)| (graph, info.id)).collect();
        Ok(Self { ground, resolution, documents })
    }

    /// Whether what a document describes under this name is moved: all that it means by it.
    pub(super) fn entity(&self, graph: &NamedNode, entity: &Iri) -> bool {
        let Some(document) = self.documents.get(graph.as_str()) else { return false };
        let meant = self.resolution.meant(entity, document);
        !meant.is_empty() && meant.into_iter().all(|thing| self.ground.moves_entity(thing))
    }

    /// Whether what a document states is moved.
    pub(super) fn fact(&self, graph: &NamedNode, fact: &NewFact) -> bool {
        let Some(document) = self.documents.get(graph.as_str()) else { return false };
        let mut fact = fact.clone().into_fact(document.clone());
        rename_in(&mut fact, &self.resolution);
        self.ground.moves_statement(&fact.statement)
    }
}
