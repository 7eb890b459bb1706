//! What deleting a document would do.

use super::Store;
use crate::rdf::{FACT, META_GRAPH};
use crate::{DocumentId, FactId, GraphError};
use factmask_schema::Iri;
use oxigraph::model::vocab::rdf;
use oxigraph::model::{GraphNameRef, NamedNodeRef, NamedOrBlankNode, NamedOrBlankNodeRef, Quad, Term, TermRef};
use oxigraph::store::{StorageError, Transaction};
use std::collections::BTreeSet;

/// What deleting a document takes along, and what stays because other documents hold it too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Removal {
    /// Facts that no other document states, sorted.
    pub gone: Vec<FactId>,
    /// Facts that another document states as well, sorted.
    pub kept: Vec<FactId>,
    /// Entities that no other document describes or mentions, sorted.
    pub orphans: Vec<Iri>,
}

impl Store {
    /// What [`Store::delete`] would do; changes nothing. `None` when there is no such document.
    pub fn removal(&self, document: &DocumentId) -> Result<Option<Removal>, GraphError> {
        if self.document(document)?.is_none() {
            return Ok(None);
        }
        let graph = document.graph_iri(&self.shared.tenant);
        let removal = self.read("read a document's facts", |database| Ok(removal(database, graph.as_ref())?))?;
        Ok(Some(removal))
    }
}

fn removal(database: &Transaction<'_>, graph: NamedNodeRef<'_>) -> Result<Removal, StorageError> {
    let mut removal = Removal::default();
    let mut entities = BTreeSet::new();
    for quad in database.quads_for_pattern(None, None, None, Some(graph.into())) {
        let quad = quad?;
        match fact(&quad) {
            Some(fact) if quad.predicate == rdf::REIFIES => {
                let reified = database.quads_for_pattern(Some(quad.subject.as_ref()), Some(rdf::REIFIES), None, None);
                let kept = any_outside(reified, graph)?;
                if kept { &mut removal.kept } else { &mut removal.gone }.push(fact);
            }
            Some(_) => {}
            None => {
                if let NamedOrBlankNode::NamedNode(iri) = quad.subject {
                    entities.insert(iri);
                }
            }
        }
        // Classes are no entities; objects of facts and of qualifiers are.
        if let Term::NamedNode(iri) = quad.object
            && quad.predicate != rdf::TYPE
        {
            entities.insert(iri);
        }
    }
    for entity in entities {
        let subject = database.quads_for_pattern(Some(NamedOrBlankNodeRef::from(entity.as_ref())), None, None, None);
        let object = database.quads_for_pattern(None, None, Some(TermRef::from(entity.as_ref())), None);
        if !any_outside(subject, graph)? && !any_outside(object, graph)? {
            removal.orphans.push(entity);
        }
    }
    removal.gone.sort_unstable();
    removal.kept.sort_unstable();
    Ok(removal)
}

/// The fact that a quad belongs to, where its subject is a reifier.
fn fact(quad: &Quad) -> Option<FactId> {
    let NamedOrBlankNode::NamedNode(reifier) = &quad.subject else { return None };
    reifier.as_str().strip_prefix(FACT)?.parse().ok()
}

/// Whether one of the quads is in another document's graph.
fn any_outside(
    quads: impl Iterator<Item = Result<Quad, StorageError>>,
    graph: NamedNodeRef<'_>,
) -> Result<bool, StorageError> {
    let meta = GraphNameRef::from(NamedNodeRef::new_unchecked(META_GRAPH));
    for quad in quads {
        let found = quad?.graph_name;
        if found.as_ref() != graph.into() && found.as_ref() != meta {
            return Ok(true);
        }
    }
    Ok(false)
}
