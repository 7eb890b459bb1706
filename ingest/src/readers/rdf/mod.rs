//! RDF, in six syntaxes.
//!
//! `rdf:type`, labels and alternative labels describe entities; every other triple with an IRI as subject is a fact. Qualifiers
//! come as RDF 1.2 annotations (`{| ex:fiscalYear 2023 |}`) or on a reifier (`<< s p o >> ex:fiscalYear 2023`), or on a statement
//! resource of the older kind (`rdf:subject`, `rdf:predicate`, `rdf:object`; what `rdf:ID` on a property means in RDF/XML). A
//! reified triple that the file does not assert is a fact only when nothing but qualifiers is said of it: "it is denied that" is no
//! fact.
//!
//! The facts of all graphs of a TriG, N-Quads or JSON-LD file are facts of its document, and the graphs' names are left aside:
//! a document is what is stored, replaced and cited here, and it has one graph of its own in the store. What is said *of* a graph
//! is said of an entity of that name.
//!
//! Each syntax gives triples with their bytes: [`lines`] by the line, [`terse`] by the tokens, [`xml`] by the element, [`json`] by
//! the member. The parsers are oxigraph's; none of them fetches anything.

mod classic;
mod describe;
mod json;
mod json_places;
mod lines;
mod statements;
#[cfg(test)]
mod syntax_tests;
mod terse;
mod terse_places;
mod terse_tokens;
#[cfg(test)]
mod tests;
mod values;
mod xml;
mod xml_elements;

pub(crate) use xml::is_rdf_xml;

use super::{Format, Malformed, Reader, Syntax};
use crate::draft::Draft;
use crate::text::Decoded;
use describe::describe;
use oxrdf::Triple;
use statements::Facts;
use std::ops::Range;

const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const RDFS: &str = "http://www.w3.org/2000/01/rdf-schema#";
const OWL: &str = "http://www.w3.org/2002/07/owl#";
const SKOS: &str = "http://www.w3.org/2004/02/skos/core#";
const FACTMASK: &str = "urn:factmask:schema#";
const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

/// A triple with the bytes it stands in.
#[derive(Debug)]
struct Located {
    triple: Triple,
    span: Option<Range<usize>>,
}

pub(super) fn declare(syntax: Syntax, decoded: &Decoded, draft: &mut Draft<'_, '_>) -> Result<(), Malformed> {
    describe(&triples(syntax, decoded, &draft.base)?, draft);
    Ok(())
}

pub(super) fn read(
    reader: &Reader<'_>,
    syntax: Syntax,
    decoded: &Decoded,
    draft: &mut Draft<'_, '_>,
) -> Result<(), Malformed> {
    let triples = triples(syntax, decoded, &draft.base)?;
    let vocabulary = describe(&triples, draft);
    if triples.is_empty() {
        draft.warn(None, "states nothing (in JSON-LD a key that no context explains says nothing)");
    }
    if !vocabulary.is_empty() {
        draft.warn(
            None,
            format!(
                "{} classes, relations or qualifiers are declared here; a schema is no fact (load it with --schema)",
                vocabulary.len()
            ),
        );
    }
    let facts = Facts::collect(reader, &triples, &vocabulary, draft, decoded);
    facts.write(reader, Format::Rdf(syntax).extractor(), decoded, draft);
    Ok(())
}

/// The file's triples; `base` is what its relative IRIs are relative to.
fn triples(syntax: Syntax, decoded: &Decoded, base: &str) -> Result<Vec<Located>, Malformed> {
    let content = decoded.text.get(decoded.start..).unwrap_or_default();
    let mut found = match syntax {
        Syntax::Turtle => terse::turtle(content, base)?,
        Syntax::TriG => terse::trig(content, base)?,
        Syntax::NTriples => lines::ntriples(content)?,
        Syntax::NQuads => lines::nquads(content)?,
        Syntax::RdfXml => xml::read(content, base)?,
        Syntax::JsonLd => json::read(content, base)?,
    };
    for span in found.iter_mut().filter_map(|located| located.span.as_mut()) {
        *span = span.start + decoded.start..span.end + decoded.start;
    }
    Ok(classic::reifiers(found))
}
