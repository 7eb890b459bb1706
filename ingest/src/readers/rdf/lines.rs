//! N-Triples and N-Quads: a statement is a line, and the line is its place.

use super::Located;
use crate::readers::Malformed;
use oxrdf::Triple;
use oxttl::{NQuadsParser, NTriplesParser, TurtleSyntaxError};

pub(super) fn ntriples(content: &str) -> Result<Vec<Located>, Malformed> {
    by_line(content, |line| NTriplesParser::new().for_slice(line).collect())
}

pub(super) fn nquads(content: &str) -> Result<Vec<Located>, Malformed> {
    by_line(content, |line| NQuadsParser::new().for_slice(line).map(|quad| quad.map(Triple::from)).collect())
}

fn by_line(
    content: &str,
    parse: impl Fn(&str) -> Result<Vec<Triple>, TurtleSyntaxError>,
) -> Result<Vec<Located>, Malformed> {
    let mut found = Vec::new();
    let mut at = 0;
    for (number, line) in (1..).zip(content.split_inclusive('\n')) {
        let span = at..at + line.trim_end().len();
        at += line.len();
        let triples = parse(line).map_err(|error| Malformed {
            line: number,
            column: Some(error.location().start.column + 1),
            message: error.message().to_owned(),
        })?;
        found.extend(triples.into_iter().map(|triple| Located { triple, span: Some(span.clone()) }));
    }
    Ok(found)
}
