//! The triples of an RDF file, as they stand in it.

use oxigraph::io::{RdfFormat, RdfParser};
use oxigraph::model::Triple;

/// The triples of a file in one of RDF's syntaxes, told by the ending of its name, those of all its graphs. Nodes without a name get names
/// that no other file has. `base` is what relative IRIs are relative to.
///
/// # Errors
/// Where the ending is of no syntax, and where the file is not written in it.
pub fn read_triples(bytes: &[u8], ending: &str, base: &str) -> Result<Vec<Triple>, String> {
    let format = match ending.to_lowercase().as_str() {
        "turtle" => Some(RdfFormat::Turtle),
        "owl" => Some(RdfFormat::RdfXml),
        "txt" => None,
        other => RdfFormat::from_extension(other),
    };
    let format =
        format.ok_or_else(|| format!("`.{ending}` is no ending of RDF (ttl, nt, nq, trig, rdf, owl, jsonld)"))?;
    let parser = RdfParser::from_format(format).rename_blank_nodes();
    let parser = parser.with_base_iri(base).map_err(|error| format!("{base}: {error}"))?;
    let triples = parser.for_slice(bytes).map(|quad| quad.map(Triple::from));
    triples.collect::<Result<_, _>>().map_err(|error| error.to_string())
}
