//! What the rules of an import name and its file does not declare.

use super::shapes::Shapes;
use super::terms::{NOTES, value_kind};
use crate::vocabulary::*;
use crate::{Class, Iri, NodeKind, Range, Relation, Rule, Schema, ValueKind, ValueType};
use oxrdf::Term;
use std::collections::BTreeMap;

/// Declares the classes and relations of rules, a relation with the range that its rules ask for.
pub(super) fn declare(schema: &mut Schema, shapes: &Shapes) {
    let mut ranges: BTreeMap<Iri, Vec<Option<Range>>> = BTreeMap::new();
    let mut classes: Vec<Iri> = Vec::new();
    for (class, all) in &shapes.of {
        classes.extend(all.iter().any(|shape| shape.closed || !shape.rules.is_empty()).then(|| class.clone()));
        for rule in all.iter().flat_map(|shape| &shape.rules).map(|found| &found.rule) {
            classes.extend(rule.class.clone());
            ranges.entry(rule.relation.clone()).or_default().push(range(rule));
        }
    }
    for iri in classes.into_iter().filter(is_free) {
        if !schema.relations.contains_key(&iri) && !schema.qualifiers.contains_key(&iri) {
            schema.classes.entry(iri.clone()).or_insert_with(|| Class::named(iri));
        }
    }
    for (iri, wanted) in ranges.into_iter().filter(|(iri, _)| is_free(iri)) {
        if schema.classes.contains_key(&iri) || schema.qualifiers.contains_key(&iri) {
            continue;
        }
        let mut wanted = wanted.into_iter().flatten();
        let first = wanted.next();
        // What several rules ask for differently is left open.
        let range = first.filter(|first| wanted.all(|other| other == *first)).unwrap_or(Range::Entity(None));
        let range = match range {
            Range::Entity(Some(class)) if !schema.classes.contains_key(&class) => Range::Entity(None),
            range => range,
        };
        schema.relations.entry(iri.clone()).or_insert_with(|| Relation { range, ..Relation::undeclared(iri) });
    }
}

/// Whether a term can be a class or relation of a schema: those of the vocabularies that schemas are written in have their meaning.
fn is_free(iri: &Iri) -> bool {
    let meant = [FM, RDF, RDFS, OWL, XSD, SH].iter().any(|namespace| iri.as_str().starts_with(namespace));
    NOTES.contains(&iri.as_str()) || !meant && iri.as_str() != SKOS_ALT_LABEL
}

/// What a rule says of the kind of its values.
fn range(rule: &Rule) -> Option<Range> {
    if rule.inverse {
        return None;
    }
    if let Some(class) = &rule.class {
        return Some(Range::Entity(Some(class.clone())));
    }
    let value = |kind| Some(Range::Value(ValueType { kind, unit: None }));
    let of_literal = |datatype: &str| value_kind(datatype).unwrap_or(ValueKind::Text);
    if let Some(datatype) = &rule.datatype {
        return value(of_literal(datatype.as_str()));
    }
    if let Some((_, limit)) = rule.bounds().next() {
        return value(of_literal(limit.datatype().as_str()));
    }
    match rule.one_of.iter().chain(&rule.has_value).next() {
        Some(Term::Literal(literal)) => return value(of_literal(literal.datatype().as_str())),
        Some(_) => return Some(Range::Entity(None)),
        None => {}
    }
    match rule.node_kind {
        Some(NodeKind::Literal) => value(ValueKind::Text),
        Some(NodeKind::Iri | NodeKind::BlankNode | NodeKind::BlankNodeOrIri) => Some(Range::Entity(None)),
        _ if rule.unique_lang || !rule.language_in.is_empty() => value(ValueKind::Text),
        _ => None,
    }
}
