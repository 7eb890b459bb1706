//! Moving what is said with one term to another.
//!
//! What is moved is a piece of evidence with its fact, since a fact may stand in a document under both terms.

use super::choose::Chosen;
use crate::rdf::decode::Failure;
use crate::rdf::{EVIDENCE, FACT, encode, record};
use crate::rename::{Rename, Renames, TermKind};
use crate::{GraphError, NewFact, Split, When};
use factmask_schema::Schema;
use factmask_schema::vocabulary::{RDF_REIFIES, RDF_TYPE};
use oxigraph::model::{GraphName, NamedNode, NamedNodeRef, NamedOrBlankNode, Quad, Term, Triple};
use oxigraph::store::{StorageError, Transaction};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// One rename, of everything or of some of it.
#[derive(Clone)]
pub(super) struct Step {
    pub(super) rename: Rename,
    /// Only what meets this is moved.
    pub(super) when: Option<When>,
    /// Nothing else is moved.
    pub(super) only: Option<Moved>,
    /// The new name was a term before, so that it must be known what has come to it.
    pub(super) merges: bool,
    /// The version whose rename it does once more.
    pub(super) of: Option<u32>,
}

/// What a step has moved, by the document's graph: the evidence record or the entity as it is now, and whether the same was said with
/// the new term already. When the step is taken back, that stays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Moved(BTreeMap<String, BTreeMap<String, bool>>);

impl Moved {
    /// The graphs of the documents that something was moved in.
    pub(super) fn graphs(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// This together with what others have moved.
    pub(super) fn with(&self, others: Vec<&Self>) -> Self {
        let mut all = self.clone();
        for (graph, things) in others.into_iter().flat_map(|other| &other.0) {
            for (thing, stood) in things {
                all.0.entry(graph.clone()).or_default().entry(thing.clone()).or_insert(*stood);
            }
        }
        all
    }

    fn add(&mut self, graph: &NamedNode, thing: &str, stood: bool) {
        self.0.entry(graph.as_str().to_owned()).or_default().insert(thing.to_owned(), stood);
    }
}

impl Step {
    /// The split that it does, where it moves what meets a condition.
    pub(super) fn split(&self) -> Option<Split> {
        let Rename { from, to, .. } = self.rename.clone();
        self.when.clone().map(|when| Split { from, to, when })
    }

    /// Whether this is moved, and whether it stays where it is as well.
    fn moves(&self, graph: &NamedNode, thing: &str) -> Option<bool> {
        match &self.only {
            None => Some(false),
            Some(only) => only.0.get(graph.as_str()).and_then(|things| things.get(thing)).copied(),
        }
    }
}

/// What came of a step.
#[derive(Default)]
pub(super) struct Done {
    pub(super) facts: usize,
    pub(super) entities: usize,
    pub(super) moved: Moved,
}

/// Does one step on the way to a schema.
pub(super) fn migrate(transaction: &mut Transaction<'_>, schema: &Schema, step: &Step) -> Result<Done, Failure> {
    let chosen = step.when.as_ref().map(|when| Chosen::new(transaction, schema, when)).transpose()?;
    match step.rename.kind {
        TermKind::Class => classes(transaction, step, chosen.as_ref()),
        TermKind::Relation | TermKind::Qualifier => evidence(transaction, step, chosen.as_ref()),
    }
}

/// Distinct statements in a document's graph.
pub(super) fn facts_in(transaction: &Transaction<'_>, graph: &str) -> Result<u64, StorageError> {
    let graph = NamedNodeRef::new_unchecked(graph);
    let reifies = NamedNodeRef::new_unchecked(RDF_REIFIES);
    let all = transaction.quads_for_pattern(None, Some(reifies), None, Some(graph.into()));
    all.map(|quad| quad.map(|_| 1)).sum()
}

fn classes(transaction: &mut Transaction<'_>, step: &Step, chosen: Option<&Chosen>) -> Result<Done, Failure> {
    let Rename { from, to, .. } = &step.rename;
    let a = NamedNodeRef::new_unchecked(RDF_TYPE);
    let found = transaction.quads_for_pattern(None, Some(a), Some(from.as_ref().into()), None);
    let found: Vec<Quad> = found.collect::<Result<_, _>>()?;
    let mut done = Done::default();
    for quad in found {
        let (GraphName::NamedNode(graph), NamedOrBlankNode::NamedNode(entity)) = (&quad.graph_name, &quad.subject)
        else {
            continue;
        };
        let Some(stays) = step.moves(graph, entity.as_str()) else { continue };
        if chosen.is_some_and(|chosen| !chosen.entity(graph, entity)) {
            continue;
        }
        let renamed = Quad { object: to.clone().into(), ..quad.clone() };
        done.moved.add(graph, entity.as_str(), transaction.contains(&renamed)?);
        if !stays {
            transaction.remove(&quad);
        }
        transaction.insert(&renamed);
        done.entities += 1;
    }
    Ok(done)
}

fn evidence(transaction: &mut Transaction<'_>, step: &Step, chosen: Option<&Chosen>) -> Result<Done, Failure> {
    let renames: Renames = [step.rename.clone()].into_iter().collect();
    let mut done = Done::default();
    let mut left: BTreeSet<(String, String)> = BTreeSet::new();
    for quad in found(transaction, step)? {
        let (GraphName::NamedNode(graph), NamedOrBlankNode::NamedNode(reifier), Term::Literal(json)) =
            (&quad.graph_name, &quad.subject, &quad.object)
        else {
            continue;
        };
        let Some(stays) = step.moves(graph, json.value()) else { continue };
        let corrupt = |message| {
            let (graph, term) = (graph.as_str().to_owned(), json.value().to_owned());
            Failure::Contents(GraphError::Corrupt { graph, term, message })
        };
        let mut fact: NewFact = record::read(json.value()).map_err(corrupt)?;
        if chosen.is_some_and(|chosen| !chosen.fact(graph, &fact)) {
            continue;
        }
        renames.fact(&mut fact);
        fact.statement.normalise();
        let record = record::write(&fact).map_err(corrupt)?;
        let mut triples = Vec::new();
        encode::state(&fact, &mut triples).map_err(corrupt)?;
        if !stays {
            transaction.remove(&quad);
        }
        let mut stood = true;
        for triple in triples {
            let quad = triple.in_graph(graph.clone());
            stood &= transaction.contains(&quad)?;
            transaction.insert(&quad);
        }
        done.facts += 1;
        done.moved.add(graph, &record, stood);
        left.insert((graph.as_str().to_owned(), reifier.as_str().to_owned()));
    }
    for (graph, reifier) in left {
        tidy(transaction, &NamedNode::new_unchecked(graph), &NamedNode::new_unchecked(reifier))?;
    }
    Ok(done)
}

/// The evidence records of facts that use the term.
fn found(transaction: &Transaction<'_>, step: &Step) -> Result<Vec<Quad>, Failure> {
    let term = step.rename.from.as_ref();
    let using: Vec<Quad> =
        transaction.quads_for_pattern(None, Some(term), None, None).collect::<Result<Vec<_>, _>>()?;
    let mut reifiers: BTreeSet<(String, String)> = BTreeSet::new();
    for quad in using {
        let (GraphName::NamedNode(graph), NamedOrBlankNode::NamedNode(subject)) = (&quad.graph_name, &quad.subject)
        else {
            continue;
        };
        let is_qualifier = subject.as_str().starts_with(FACT);
        match (step.rename.kind, is_qualifier) {
            (TermKind::Qualifier, true) => {
                reifiers.insert((graph.as_str().to_owned(), subject.as_str().to_owned()));
            }
            (TermKind::Relation, false) => {
                let triple = Triple::new(subject.clone(), quad.predicate.clone(), quad.object.clone());
                for reifier in reifiers_of(transaction, graph, triple)? {
                    reifiers.insert((graph.as_str().to_owned(), reifier));
                }
            }
            _ => {}
        }
    }
    let evidence = NamedNodeRef::new_unchecked(EVIDENCE);
    let mut records = Vec::new();
    for (graph, reifier) in &reifiers {
        let (graph, reifier) = (NamedNodeRef::new_unchecked(graph), NamedNodeRef::new_unchecked(reifier));
        let all = transaction.quads_for_pattern(Some(reifier.into()), Some(evidence), None, Some(graph.into()));
        records.extend(all.collect::<Result<Vec<_>, _>>()?);
    }
    Ok(records)
}

/// What reifies a triple in a graph.
fn reifiers_of(transaction: &Transaction<'_>, graph: &NamedNode, triple: Triple) -> Result<Vec<String>, StorageError> {
    let triple = Term::Triple(Box::new(triple));
    let reifies = NamedNodeRef::new_unchecked(RDF_REIFIES);
    let all = transaction.quads_for_pattern(None, Some(reifies), Some(triple.as_ref()), Some(graph.as_ref().into()));
    let mut reifiers = Vec::new();
    for quad in all {
        if let NamedOrBlankNode::NamedNode(reifier) = quad?.subject {
            reifiers.push(reifier.into_string());
        }
    }
    Ok(reifiers)
}

/// Takes a fact away that no evidence is left of in this graph.
fn tidy(transaction: &mut Transaction<'_>, graph: &NamedNode, reifier: &NamedNode) -> Result<(), StorageError> {
    let said = transaction.quads_for_pattern(Some(reifier.as_ref().into()), None, None, Some(graph.as_ref().into()));
    let said: Vec<Quad> = said.collect::<Result<_, _>>()?;
    if said.iter().any(|quad| quad.predicate.as_str() == EVIDENCE) {
        return Ok(());
    }
    said.iter().for_each(|quad| transaction.remove(quad));
    let reified = said.iter().filter(|quad| quad.predicate.as_str() == RDF_REIFIES);
    for triple in reified.filter_map(|quad| if let Term::Triple(triple) = &quad.object { Some(triple) } else { None }) {
        if reifiers_of(transaction, graph, (**triple).clone())?.is_empty() {
            transaction.remove(&(**triple).clone().in_graph(graph.clone()));
        }
    }
    Ok(())
}
