//! RDF/XML.

use super::Located;
use super::xml_elements::{Elements, fault, position};
use crate::readers::Malformed;
use oxrdfxml::RdfXmlParser;
use quick_xml::Reader;
use quick_xml::events::Event;
use std::borrow::Cow;

/// A statement stands where the tag stands that completes it: its property element, or the start tag that has it as an attribute.
pub(super) fn read(content: &str, base: &str) -> Result<Vec<Located>, Malformed> {
    let content = without_declaration(content);
    let elements = Elements::scan(&content)?;
    let parser = RdfXmlParser::new();
    let mut parser = parser.clone().with_base_iri(base).unwrap_or(parser).for_slice(content.as_ref());
    let mut found = Vec::new();
    while let Some(triple) = parser.next() {
        let end = position(parser.buffer_position());
        let span = elements.ending_at(end);
        let triple = triple.map_err(|error| {
            let start = span.as_ref().map_or(end, |span| span.start);
            fault(&content, start, error.to_string())
        })?;
        found.push(Located { triple, span });
    }
    Ok(found)
}

/// Whether the first element of what an XML file begins with is `rdf:RDF`. Its prefix may be bound by an entity, so that the local
/// name has to do.
pub(crate) fn is_rdf_xml(head: &[u8]) -> bool {
    // UTF-16 with its other bytes left out: names in question are ASCII.
    let head: Vec<u8> = head.iter().copied().filter(|byte| *byte != 0).collect();
    let text = String::from_utf8_lossy(&head);
    let mut reader = Reader::from_str(text.trim_start_matches(['\u{feff}', '\u{fffd}']));
    loop {
        match reader.read_event() {
            Ok(Event::Start(element)) => return element.local_name().as_ref() == b"RDF",
            Ok(Event::Eof | Event::Empty(_)) | Err(_) => return false,
            Ok(_) => {}
        }
    }
}

/// The text with a declaration of another encoding blanked out, byte for byte: it was true of the file, and this is UTF-8.
fn without_declaration(content: &str) -> Cow<'_, str> {
    let declaration = content.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>")).map(|(within, _)| within);
    match declaration {
        Some(within) if within.contains("encoding") && !within.to_ascii_lowercase().contains("utf-8") => {
            let length = within.len() + "<?xml?>".len();
            Cow::Owned(format!("{:length$}{}", "", content.get(length..).unwrap_or_default()))
        }
        _ => Cow::Borrowed(content),
    }
}
