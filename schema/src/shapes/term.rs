//! Terms as words.

use crate::vocabulary::{XSD, XSD_BOOLEAN, XSD_DECIMAL, XSD_INTEGER};
use oxrdf::Term;
use oxttl::TurtleParser;

/// Reads an IRI or a literal as N-Triples has it (`<http://example.com/a>`, `"a"@en`) or as Turtle does (`5`, `2.5`, `true`,
/// `"2020-01-01"^^xsd:date`).
///
/// # Errors
/// Where it is neither, or more than one.
pub fn read_term(text: &str) -> Result<Term, String> {
    let turtle = format!("<urn:s> <urn:p> {text} .");
    let parser = TurtleParser::new().with_prefix("xsd", XSD).map_err(|error| error.to_string())?;
    let mut triples = parser.for_slice(turtle.as_bytes());
    match (triples.next(), triples.next()) {
        (Some(Ok(triple)), None) if matches!(triple.object, Term::NamedNode(_) | Term::Literal(_)) => Ok(triple.object),
        (Some(Err(error)), _) | (_, Some(Err(error))) => Err(format!("is no term: {}", error.message())),
        _ => {
            Err("is not one IRI or literal; write <http://example.com/a>, \"words\"@en, 5 or \"2020-01-01\"^^xsd:date"
                .to_owned())
        }
    }
}

/// A term for people: numbers and truth values bare, everything else as N-Triples has it. [`read_term`] gives it back.
pub fn write_term(term: &Term) -> String {
    if let Term::Literal(literal) = term {
        let text = literal.value();
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        let are_digits = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let is_bare = match literal.datatype().as_str() {
            XSD_INTEGER => are_digits(digits),
            XSD_DECIMAL => digits.split_once('.').is_some_and(|(whole, part)| are_digits(whole) && are_digits(part)),
            XSD_BOOLEAN => matches!(text, "true" | "false"),
            _ => false,
        };
        if is_bare {
            return text.to_owned();
        }
    }
    term.to_string()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
    use super::*;

    #[test]
    fn terms_are_read_as_they_are_written() {
        for text in
            ["5", "-5", "2.5", "true", "<http://e.org/a>", "\"a \\\"b\\\"\"@en", "\"5\"", "\"1\"^^<http://e.org/t>"]
        {
            assert_eq!(write_term(&read_term(text).unwrap()), text);
        }
        assert_eq!(
            read_term("\"2020-01-01\"^^xsd:date").unwrap(),
            read_term("\"2020-01-01\"^^<http://www.w3.org/2001/XMLSchema#date>").unwrap()
        );
        // What is written bare must be the same literal again.
        for text in ["\"x\"^^xsd:integer", "\"5\"^^xsd:decimal", "\"1\"^^xsd:boolean"] {
            let term = read_term(text).unwrap();
            assert_eq!(read_term(&write_term(&term)).unwrap(), term);
        }
        for text in ["", "a b", "5 , 6", "5 . <a:b> <c:d> 6", "_:b", "[]", "\"a", "( 5 )", "<no iri>"] {
            assert!(read_term(text).is_err(), "{text}");
        }
    }
}
