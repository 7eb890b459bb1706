//! JSON-LD. Contexts that stand in the file are read; one that is only named by its address is never fetched.

use super::Located;
use super::json_places::JsonPlaces;
use crate::readers::Malformed;
use crate::readers::json_tree::{Kind, Node, tree};
use crate::text::line_and_column;
use oxjsonld::{JsonLdParser, JsonLdRemoteDocument};
use oxrdf::Triple;

pub(super) fn read(content: &str, base: &str) -> Result<Vec<Located>, Malformed> {
    let tree = tree(content)?;
    let parser = JsonLdParser::new();
    let parser = parser.clone().with_base_iri(base).unwrap_or(parser);
    let parser = parser.for_slice(content).with_load_document_callback(|address, _| match is_schema_org(address) {
        true => Ok(JsonLdRemoteDocument { document: SCHEMA_ORG.into(), document_url: address.to_owned() }),
        false => Err(NEVER_FETCHED.into()),
    });
    let triples: Vec<Triple> = parser
        .map(|quad| quad.map(Triple::from))
        .collect::<Result<_, _>>()
        .map_err(|error| malformed(content, &tree, &error.to_string()))?;
    let mut places = JsonPlaces::new(&tree);
    let place = |triple: Triple| Located { span: places.find(&triple), triple };
    Ok(triples.into_iter().map(place).collect())
}

/// What the context of schema.org comes to for facts: every term is one of its vocabulary. Web pages name it by its address alone.
const SCHEMA_ORG: &str = r#"{"@context": {"@vocab": "http://schema.org/", "id": "@id", "type": "@type"}}"#;

fn is_schema_org(address: &str) -> bool {
    let place = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://")).unwrap_or(address);
    let host = place.split(['/', '#', '?']).next().unwrap_or_default();
    matches!(host.to_ascii_lowercase().as_str(), "schema.org" | "www.schema.org")
}

const NEVER_FETCHED: &str = "remote contexts are never fetched, write its terms into the file";

/// The JSON-LD parser says what is wrong and not where. The place is that of the longest key or text that it names, which for a
/// remote context is its address; where it names none, the beginning.
fn malformed(content: &str, tree: &[Node], message: &str) -> Malformed {
    let named = tree.iter().flat_map(|node| {
        let key = node.key.as_ref().map(|key| (key.text.as_str(), key.start));
        let text = match &node.kind {
            Kind::Text(text) => Some((text.as_str(), node.span.start)),
            _ => None,
        };
        key.into_iter().chain(text)
    });
    let named = named.filter(|(name, _)| message.contains(name));
    // Of several equally long ones the first.
    let longest = named.reduce(|best, other| if other.0.len() > best.0.len() { other } else { best });
    let (line, column) = line_and_column(content, longest.map_or(0, |(_, at)| at));
    Malformed { line, column: Some(column), message: message.to_owned() }
}
