//! How the values of a rule's properties are written.

use super::super::terms::{NOTES, closed};
use crate::vocabulary::*;
use crate::{NodeKind, Severity};
use oxrdf::{Literal, Term};

/// A whole number, written in the one way in which we write it.
pub(super) fn count(term: &Term) -> Option<u64> {
    let literal = literal(term, XSD_INTEGER)?;
    literal.value().parse().ok().filter(|count: &u64| count.to_string() == literal.value())
}

/// A truth value, written in the one way in which we write it.
pub(super) fn truth(term: &Term) -> Option<bool> {
    match literal(term, XSD_BOOLEAN)?.value() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// Words without a language.
pub(super) fn words(term: &Term) -> Option<&str> {
    literal(term, XSD_STRING).map(Literal::value)
}

fn literal<'a>(term: &'a Term, datatype: &str) -> Option<&'a Literal> {
    match term {
        Term::Literal(literal) if literal.datatype().as_str() == datatype => Some(literal),
        _ => None,
    }
}

/// The kind of node that SHACL calls so.
pub(super) fn node_kind(term: &Term) -> Option<NodeKind> {
    let name = local(term)?;
    NodeKind::ALL.into_iter().find(|kind| kind.local_name() == name)
}

/// The severity that SHACL calls so.
pub(super) fn severity(term: &Term) -> Option<Severity> {
    let name = local(term)?;
    Severity::ALL.into_iter().find(|severity| severity.local_name() == name)
}

fn local(term: &Term) -> Option<&str> {
    match term {
        Term::NamedNode(iri) => iri.as_str().strip_prefix(SH),
        _ => None,
    }
}

/// Properties of a property shape that constrain nothing.
pub(super) fn is_note(predicate: &str, object: &Term) -> bool {
    let said = matches!(object, Term::NamedNode(_) | Term::Literal(_));
    let harmless = match predicate.strip_prefix(SH) {
        Some("name" | "description" | "order" | "group" | "defaultValue") => true,
        // What is so anyway.
        Some("deactivated" | "uniqueLang") => truth(object) == Some(false),
        Some(_) => false,
        None if predicate == RDF_TYPE => matches!(object, Term::NamedNode(iri) if iri.as_str() == SH_PROPERTY_SHAPE),
        None => !closed(predicate) || predicate == RDFS_LABEL || NOTES.contains(&predicate),
    };
    said && harmless
}

/// All properties that a rule or its shape has, for suggestions.
pub(super) const PROPERTIES: [&str; 26] = [
    SH_TARGET_CLASS,
    SH_PROPERTY,
    SH_PATH,
    SH_INVERSE_PATH,
    SH_CLOSED,
    SH_IGNORED_PROPERTIES,
    SH_MIN_COUNT,
    SH_MAX_COUNT,
    SH_CLASS,
    SH_DATATYPE,
    SH_NODE_KIND,
    SH_PATTERN,
    SH_FLAGS,
    SH_MIN_LENGTH,
    SH_MAX_LENGTH,
    SH_MIN_INCLUSIVE,
    SH_MAX_INCLUSIVE,
    SH_MIN_EXCLUSIVE,
    SH_MAX_EXCLUSIVE,
    SH_IN,
    SH_HAS_VALUE,
    SH_LANGUAGE_IN,
    SH_UNIQUE_LANG,
    SH_SEVERITY,
    SH_MESSAGE,
    SH_DEACTIVATED,
];
