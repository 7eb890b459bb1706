//! Turtle and TriG.

use super::Located;
use super::terse_places::{TersePlaces, iri_key, literal_key};
use crate::readers::Malformed;
use oxrdf::{NamedOrBlankNode, Term, Triple};
use oxttl::{TriGParser, TurtleParser, TurtleSyntaxError};

pub(super) fn turtle(content: &str, base: &str) -> Result<Vec<Located>, Malformed> {
    let parser = TurtleParser::new();
    let parser = parser.clone().with_base_iri(base).unwrap_or(parser);
    locate(content, base, parser.for_slice(content).collect())
}

pub(super) fn trig(content: &str, base: &str) -> Result<Vec<Located>, Malformed> {
    let parser = TriGParser::new();
    let parser = parser.clone().with_base_iri(base).unwrap_or(parser);
    locate(content, base, parser.for_slice(content).map(|quad| quad.map(Triple::from)).collect())
}

fn locate(
    content: &str,
    base: &str,
    triples: Result<Vec<Triple>, TurtleSyntaxError>,
) -> Result<Vec<Located>, Malformed> {
    let triples = triples.map_err(|error| {
        let start = error.location().start;
        Malformed { line: start.line + 1, column: Some(start.column + 1), message: error.message().to_owned() }
    })?;
    let mut places = TersePlaces::new(content, base);
    let place = |triple: Triple| {
        let subject = match &triple.subject {
            NamedOrBlankNode::NamedNode(iri) => Some(iri_key(iri.as_str())),
            NamedOrBlankNode::BlankNode(_) => None,
        };
        let span = places.take(subject, triple.predicate.as_str(), object_key(&triple.object));
        Located { triple, span }
    };
    let mut located: Vec<Located> = triples.into_iter().map(place).collect();
    // A reified triple stands where its inner statement does.
    for located in &mut located {
        if let (None, Term::Triple(inner)) = (&located.span, &located.triple.object)
            && let NamedOrBlankNode::NamedNode(subject) = &inner.subject
        {
            located.span =
                places.take(Some(iri_key(subject.as_str())), inner.predicate.as_str(), object_key(&inner.object));
        }
    }
    Ok(located)
}

fn object_key(object: &Term) -> Option<String> {
    match object {
        Term::NamedNode(iri) => Some(iri_key(iri.as_str())),
        Term::Literal(literal) => Some(literal_key(literal.value())),
        _ => None,
    }
}
