//! Plain triples: three columns of subject, relation and object, mostly without a header.

use super::Row;
use super::columns::find_relation;
use super::rows::{kind_with_unit, undeclared_object};
use crate::draft::{Draft, Found, Place};
use crate::values::{ColumnUnit, whole};
use factmask_graph::{Locator, Statement, Value};
use factmask_schema::normal::fold;
use factmask_schema::{Iri, Range, Schema};
use std::collections::BTreeSet;

/// Where relations that no schema declares live.
const RELATIONS: &str = "urn:factmask:relation:";

const HEADERS: &[[&str; 3]] = &[
    ["subject", "predicate", "object"],
    ["subject", "relation", "object"],
    ["s", "p", "o"],
    ["head", "relation", "tail"],
    ["主语", "谓语", "宾语"],
    ["主体", "关系", "客体"],
];

/// Whether the rows are triples: all have three cells, and the second names a relation, or the first row says so, or they come
/// from a format that is used for triples (`by_format`: tab-separated, and no header that the schema knows).
pub(crate) fn looks_like_triples(rows: &[Row], schema: &Schema, by_format: bool) -> bool {
    let three = !rows.is_empty()
        && rows.iter().all(|row| row.cells.len() == 3 && row.cells.iter().all(|cell| !cell.text.trim().is_empty()));
    let names =
        |row: &Row| row.cells.get(1).is_some_and(|cell| find_relation(schema, unbracketed(&cell.text), None).is_some());
    three && (by_format || is_header(rows) || rows.iter().take(50).any(names))
}

fn is_header(rows: &[Row]) -> bool {
    let Some(row) = rows.first() else { return false };
    let cells: Vec<String> = row.cells.iter().map(|cell| fold(&cell.text)).collect();
    HEADERS.iter().any(|header| cells.iter().eq(header.iter()))
}

/// Reads triples. Objects that are subjects elsewhere in the file are entities, even where no schema says so.
pub(crate) fn read_triples(rows: &[Row], extractor: &'static str, draft: &mut Draft<'_, '_>) {
    let rows = rows.get(usize::from(is_header(rows))..).unwrap_or_default();
    let subjects: BTreeSet<String> =
        rows.iter().filter_map(|row| row.cells.first()).map(|cell| fold(unbracketed(&cell.text))).collect();
    for row in rows {
        let [subject, relation, object] = row.cells.as_slice() else {
            draft.warn(
                Some(Place::Row(row.number)),
                format!("{} cells where a triple has 3; the row is left out", row.cells.len()),
            );
            continue;
        };
        let place = Some(Place::Row(row.number));
        let (name, words, value) = (unbracketed(&subject.text), unbracketed(&relation.text), unbracketed(&object.text));
        if name.is_empty() || words.is_empty() || value.is_empty() {
            draft.warn(place, "an empty cell where a triple needs three; the row is left out");
            continue;
        }
        let declared = find_relation(draft.schema, words, None).cloned();
        let domain = declared.as_ref().and_then(|relation| relation.domain.clone());
        let subject = entity(name, domain.as_ref(), place, draft);
        let iri = declared.as_ref().map_or_else(|| relation_iri(words), |relation| relation.iri.clone());
        let value = match declared.as_ref().map(|relation| &relation.range) {
            Some(Range::Entity(class)) => Some(Value::Entity(entity(value, class.as_ref(), place, draft))),
            Some(Range::Value(wanted)) => {
                let found = whole(value, wanted, false, &ColumnUnit::default());
                if found.is_none() {
                    draft.warn(place, format!("\"{value}\" is no {} for {words}; left out", kind_with_unit(wanted)));
                }
                found
            }
            None if subjects.contains(&fold(value)) || given_iri(value).is_some() => {
                Some(Value::Entity(entity(value, None, place, draft)))
            }
            None => Some(undeclared_object(value, draft, row.number)),
        };
        if let Some(value) = value {
            let statement = Statement { subject, relation: iri, object: value, qualifiers: Vec::new() };
            draft.fact(
                statement,
                Found {
                    span: object.span.clone(),
                    locator: Some(Locator::Row(row.number)),
                    extractor,
                    confidence: 1.0,
                },
            );
        }
    }
}

fn entity(name: &str, class: Option<&Iri>, place: Option<Place>, draft: &mut Draft<'_, '_>) -> Iri {
    given_iri(name).unwrap_or_else(|| draft.entity(name, class, place))
}

/// A name that is an IRI itself. "Title: subtitle" has a colon too, so only what an IRI of the web or a URN begins with counts.
fn given_iri(name: &str) -> Option<Iri> {
    let web = ["http://", "https://", "urn:"].iter().any(|scheme| name.starts_with(scheme));
    if web { Iri::new(name).ok() } else { None }
}

/// `<http://...>` as N-Triples writes it, without its brackets.
fn unbracketed(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix('<').and_then(|text| text.strip_suffix('>')).unwrap_or(text)
}

/// The IRI of a relation that no schema declares: the IRI that the file gives, else one made from its name.
fn relation_iri(name: &str) -> Iri {
    given_iri(name).unwrap_or_else(|| {
        let mut iri = RELATIONS.to_owned();
        for byte in fold(name).bytes() {
            match byte {
                b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => iri.push(char::from(byte)),
                other => iri.push_str(&format!("%{other:02X}")),
            }
        }
        Iri::new_unchecked(iri)
    })
}
