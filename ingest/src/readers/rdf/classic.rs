//! Statement resources of RDF 1.0 and 1.1 as RDF 1.2 reifiers.

use super::{Located, RDF};
use oxrdf::{NamedNode, NamedOrBlankNode, Term, Triple};
use std::collections::HashMap;

/// What is said of one statement resource.
#[derive(Default)]
struct Parts {
    subject: Option<NamedOrBlankNode>,
    predicate: Option<NamedNode>,
    object: Option<Term>,
}

/// Replaces `x rdf:subject s ; rdf:predicate p ; rdf:object o` by `x rdf:reifies <<( s p o )>>` in the place of `rdf:object`.
/// A resource that lacks one of the three is left as it is.
pub(super) fn reifiers(triples: Vec<Located>) -> Vec<Located> {
    let mut statements: HashMap<NamedOrBlankNode, Parts> = HashMap::new();
    for Located { triple, .. } in &triples {
        let Some(part) = triple.predicate.as_str().strip_prefix(RDF) else { continue };
        if !matches!(part, "subject" | "predicate" | "object") {
            continue;
        }
        let parts = statements.entry(triple.subject.clone()).or_default();
        match (part, &triple.object) {
            ("subject", Term::NamedNode(iri)) => parts.subject = Some(iri.clone().into()),
            ("subject", Term::BlankNode(node)) => parts.subject = Some(node.clone().into()),
            ("predicate", Term::NamedNode(iri)) => parts.predicate = Some(iri.clone()),
            ("object", object) => parts.object = Some(object.clone()),
            _ => {}
        }
    }
    let statements: HashMap<NamedOrBlankNode, Triple> = statements
        .into_iter()
        .filter_map(|(name, parts)| Some((name, Triple::new(parts.subject?, parts.predicate?, parts.object?))))
        .collect();
    if statements.is_empty() {
        return triples;
    }
    let reified = |located: Located| {
        let Some(inner) = statements.get(&located.triple.subject) else { return Some(located) };
        match (located.triple.predicate.as_str().strip_prefix(RDF), &located.triple.object) {
            (Some("subject" | "predicate"), _) => None,
            (Some("type"), Term::NamedNode(class)) if class.as_str().strip_prefix(RDF) == Some("Statement") => None,
            (Some("object"), _) => {
                let reifies = NamedNode::new_unchecked(format!("{RDF}reifies"));
                Some(Located { triple: Triple::new(located.triple.subject, reifies, inner.clone()), ..located })
            }
            _ => Some(located),
        }
    };
    triples.into_iter().filter_map(reified).collect()
}
