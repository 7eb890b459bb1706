//! What a file says of its entities themselves: classes, labels, alternative labels.

use super::{FACTMASK, Located, OWL, RDF, RDFS, SKOS};
use crate::draft::Draft;
use factmask_schema::{Iri, Text};
use oxrdf::{Literal, NamedOrBlankNode, Term};
use std::collections::BTreeSet;

/// Describes the entities; gives the IRIs that are vocabulary and no entities.
pub(super) fn describe(triples: &[Located], draft: &mut Draft<'_, '_>) -> BTreeSet<Iri> {
    let mut vocabulary = BTreeSet::new();
    for Located { triple, .. } in triples {
        if let (NamedOrBlankNode::NamedNode(subject), Term::NamedNode(class)) = (&triple.subject, &triple.object)
            && triple.predicate.as_str().strip_prefix(RDF) == Some("type")
            && is_vocabulary_class(class.as_str())
        {
            vocabulary.insert(subject.clone());
        }
    }
    for Located { triple, .. } in triples {
        let NamedOrBlankNode::NamedNode(subject) = &triple.subject else { continue };
        if vocabulary.contains(subject) {
            continue;
        }
        match (description(triple.predicate.as_str()), &triple.object) {
            (Some(Description::Class), Term::NamedNode(class)) => {
                let class = class.clone();
                draft.describe(subject, |entity| add(&mut entity.classes, class));
            }
            (Some(Description::Label), Term::Literal(words)) => {
                let label = text(words);
                draft.describe(subject, |entity| add(&mut entity.labels, label));
            }
            (Some(Description::Alias), Term::Literal(words)) => {
                let alias = text(words);
                draft.describe(subject, |entity| add(&mut entity.aliases, alias));
            }
            _ => {}
        }
    }
    vocabulary
}

enum Description {
    Class,
    Label,
    Alias,
}

fn description(predicate: &str) -> Option<Description> {
    match predicate {
        "http://schema.org/name" | "https://schema.org/name" => return Some(Description::Label),
        "http://schema.org/alternateName" | "https://schema.org/alternateName" => return Some(Description::Alias),
        _ => {}
    }
    match (predicate.strip_prefix(RDF), predicate.strip_prefix(RDFS), predicate.strip_prefix(SKOS)) {
        (Some("type"), _, _) => Some(Description::Class),
        (_, Some("label"), _) | (_, _, Some("prefLabel")) => Some(Description::Label),
        (_, _, Some("altLabel" | "hiddenLabel")) => Some(Description::Alias),
        _ => None,
    }
}

fn is_vocabulary_class(class: &str) -> bool {
    match (class.strip_prefix(RDFS), class.strip_prefix(RDF), class.strip_prefix(OWL), class.strip_prefix(FACTMASK)) {
        (Some(local), _, _, _) => local == "Class" || local == "Datatype",
        (_, Some(local), _, _) => local == "Property",
        (_, _, Some(local), _) => local.ends_with("Class") || local.ends_with("Property") || local == "Ontology",
        (_, _, _, Some(local)) => local == "Qualifier",
        _ => false,
    }
}

fn text(words: &Literal) -> Text {
    Text::new(words.language().unwrap_or_default().to_lowercase(), words.value())
}

pub(super) fn add<T: PartialEq>(into: &mut Vec<T>, item: T) {
    if !into.contains(&item) {
        into.push(item);
    }
}
