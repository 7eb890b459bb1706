//! A document to the triples of its graph.

use super::{EVIDENCE, FACT, record, term};
use crate::rename::Renames;
use crate::value::MAX_SCALE;
use crate::{Document, Entity, FactId, GraphError, NewFact, Value};
use factmask_schema::vocabulary::{RDF_REIFIES, RDF_TYPE, RDFS_LABEL, SKOS_ALT_LABEL};
use oxigraph::model::{Literal, NamedNode, Term, Triple};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// What a document's graph holds.
pub(crate) struct Contents {
    pub(crate) triples: Vec<Triple>,
    /// Distinct statements.
    pub(crate) facts: u64,
}

/// Checks everything that a document states and turns it into triples, with terms that were renamed or split by their names of now; the first fault where there is one.
pub(crate) fn contents(document: &Document, renames: &Renames) -> Result<Contents, GraphError> {
    let (mut entities, mut facts) = (Cow::Borrowed(&document.entities[..]), Cow::Borrowed(&document.facts[..]));
    if !renames.is_empty() {
        renames.document(entities.to_mut(), facts.to_mut());
    }
    let mut triples = Vec::with_capacity(facts.len() * 4 + entities.len() * 3);
    entities.iter().for_each(|entity| describe(entity, &mut triples));
    let mut seen: BTreeSet<FactId> = BTreeSet::new();
    for fact in facts.iter() {
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
            add(predicate, term::words(&text.text, &text.lang).into());
        }
    }
}

/// A fact with its evidence as triples; its id.
pub(crate) fn state(fact: &NewFact, triples: &mut Vec<Triple>) -> Result<FactId, String> {
    check(fact)?;
    let mut fact = fact.clone();
    fact.statement.normalise();
    let record = record::write(&fact)?;
    let statement = fact.statement;
    let id = statement.id();
    let reifier = NamedNode::new_unchecked(format!("{FACT}{id}"));
    let triple = Triple::new(statement.subject, statement.relation, term::of(&statement.object));
    triples.push(Triple::new(reifier.clone(), NamedNode::new_unchecked(RDF_REIFIES), triple.clone()));
    triples.push(triple);
    for (iri, value) in statement.qualifiers {
        triples.push(Triple::new(reifier.clone(), iri, term::of(&value)));
    }
    triples.push(Triple::new(reifier, NamedNode::new_unchecked(EVIDENCE), Literal::from(record)));
    Ok(id)
}

/// Refuses what is no value, what would not be evidence, and what could not be told from the store's own triples.
fn check(fact: &NewFact) -> Result<(), String> {
    let statement = &fact.statement;
    if fact.span.start > fact.span.end {
        return Err("the evidence ends before it begins".to_owned());
    }
    if !(0.0..=1.0).contains(&fact.confidence) {
        return Err(format!("a confidence of {}; it goes from 0 to 1", fact.confidence));
    }
    for value in statement.qualifiers.iter().map(|(_, value)| value).chain([&statement.object]) {
        check_value(value)?;
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

fn check_value(value: &Value) -> Result<(), String> {
    match value {
        Value::Number(number) if number.scale > MAX_SCALE => {
            Err(format!("a number with {} decimal places; at most {MAX_SCALE} can be stored", number.scale))
        }
        Value::Date(date) if !date.is_valid() => {
            Err(format!("{} is not a date; months go from 1 to 12 and days to the end of the month", date.iso()))
        }
        _ => Ok(()),
    }
}
