//! A document to the quads of its graph.

use super::record::Record;
use super::term::{self, Detail};
use super::{EVIDENCE, FACT};
use crate::{Document, Entity, FactId, GraphError, NewFact};
use factmask_schema::Text;
use factmask_schema::vocabulary::{RDF_REIFIES, RDF_TYPE, RDFS_LABEL, SKOS_ALT_LABEL};
use oxigraph::model::{Literal, NamedNode, Term, Triple};
use std::collections::BTreeSet;

/// What a document's graph holds.
pub(crate) struct Contents {
    pub(crate) triples: Vec<Triple>,
    /// Distinct statements.
    pub(crate) facts: u64,
}

/// Checks everything that a document states and turns it into triples; the first fault where there is one.
pub(crate) fn contents(document: &Document) -> Result<Contents, GraphError> {
    let mut triples = Vec::with_capacity(document.facts.len() * 4 + document.entities.len() * 3);
    for entity in &document.entities {
        describe(entity, &mut triples);
    }
    let mut seen: BTreeSet<FactId> = BTreeSet::new();
    for fact in &document.facts {
        let id = state(fact, &mut triples).map_err(|message| GraphError::InvalidFact {
            document: document.id.clone(),
            start: fact.span.start,
            end: fact.span.end,
            message,
        })?;
        seen.insert(id);
    }
    Ok(Contents { triples, facts: seen.len() as u64 })
}

fn describe(entity: &Entity, triples: &mut Vec<Triple>) {
    let mut add = |predicate: &str, object: Term| {
        triples.push(Triple::new(entity.iri.clone(), NamedNode::new_unchecked(predicate), object));
    };
    for class in &entity.classes {
        add(RDF_TYPE, class.clone().into());
    }
    for (predicate, texts) in [(RDFS_LABEL, &entity.labels), (SKOS_ALT_LABEL, &entity.aliases)] {
        for text in texts.iter().filter(|text| !text.text.is_empty()) {
            add(predicate, name(text).into());
        }
    }
}

/// A name with its language; with a tag that RDF does not allow it is kept as a name without one.
fn name(text: &Text) -> Literal {
    match text.lang.as_str() {
        "" => Literal::from(text.text.as_str()),
        lang => Literal::new_language_tagged_literal(&text.text, lang).unwrap_or_else(|_| Literal::from(text.text.as_str())),
    }
}

fn state(fact: &NewFact, triples: &mut Vec<Triple>) -> Result<FactId, String> {
    check(fact)?;
    let mut fact = fact.clone();
    fact.statement.normalise();
    let statement = &fact.statement;
    let id = statement.id();
    let reifier = NamedNode::new_unchecked(format!("{FACT}{id}"));

    let (object, object_detail) = term::encode(&statement.object)?;
    let triple = Triple::new(statement.subject.clone(), statement.relation.clone(), object);
    let encoded = statement
        .qualifiers
        .iter()
        .map(|(iri, value)| term::encode(value).map(|(term, detail)| ((iri.clone(), term), detail)))
        .collect::<Result<Vec<_>, String>>()?;
    let places = sorted_places(encoded.iter().map(|(pair, _)| pair));
    let record = Record::new(&fact, object_detail, details(&encoded, &places));
    let record = serde_json::to_string(&record).map_err(|error| error.to_string())?;

    triples.push(Triple::new(reifier.clone(), NamedNode::new_unchecked(RDF_REIFIES), triple.clone()));
    triples.push(triple);
    for (iri, term) in places {
        triples.push(Triple::new(reifier.clone(), iri, term));
    }
    triples.push(Triple::new(reifier, NamedNode::new_unchecked(EVIDENCE), Literal::from(record)));
    Ok(id)
}

/// Distinct qualifier triples in the order that records refer to.
pub(super) fn sorted_places<'a>(pairs: impl Iterator<Item = &'a (NamedNode, Term)>) -> Vec<(NamedNode, Term)> {
    let mut places: Vec<(NamedNode, Term)> = pairs.cloned().collect();
    places.sort_by_cached_key(|(iri, term)| (iri.as_str().to_owned(), term.to_string()));
    places.dedup();
    places
}

fn details(encoded: &[((NamedNode, Term), Detail)], places: &[(NamedNode, Term)]) -> Vec<(usize, Detail)> {
    let mut details = Vec::new();
    for (place, pair) in places.iter().enumerate() {
        let values: Vec<&Detail> = encoded.iter().filter(|(own, _)| own == pair).map(|(_, detail)| detail).collect();
        let plain = values.len() == 1 && values.iter().all(|detail| detail.is_empty());
        if !plain {
            details.extend(values.into_iter().map(|detail| (place, detail.clone())));
        }
    }
    details
}

/// Refuses what could not be told from the store's own triples, or would not be evidence.
fn check(fact: &NewFact) -> Result<(), String> {
    let statement = &fact.statement;
    if fact.span.start > fact.span.end {
        return Err("the evidence ends before it begins".to_owned());
    }
    if !(0.0..=1.0).contains(&fact.confidence) {
        return Err(format!("a confidence of {}; it goes from 0 to 1", fact.confidence));
    }
    if statement.subject.as_str().starts_with(FACT) {
        return Err(format!("{} is the name of a fact and cannot be the subject of another", statement.subject));
    }
    let reserved = |iri: &NamedNode| matches!(iri.as_str(), RDF_REIFIES | EVIDENCE);
    match statement.qualifiers.iter().map(|(iri, _)| iri).chain([&statement.relation]).find(|iri| reserved(iri)) {
        Some(iri) => Err(format!("{iri} is reserved for the store's own use")),
        None => Ok(()),
    }
}
