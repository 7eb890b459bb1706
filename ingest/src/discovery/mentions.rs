//! What a sentence names: known names, capitalised phrases, numbers and dates.

use super::known::Known;
use crate::extract::{capitalised, reads_as_name};
use crate::text::Letters;
use crate::values::values_at;
use factmask_graph::EntityId;
use factmask_schema::{Iri, ValueKind, ValueType};
use std::ops::Range;

pub(super) struct Mention {
    /// Letters of the sentence.
    pub(super) range: Range<usize>,
    /// Who is meant, where the name is known.
    pub(super) entity: Option<EntityId>,
    /// Declared classes of who is meant.
    pub(super) classes: Vec<Iri>,
    /// It is a number or a date.
    pub(super) is_value: bool,
}

/// From left to right, none over another; the longest at a place.
pub(super) fn mentions(letters: &Letters<'_>, known: &Known<'_>) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        match mention_at(letters, known, at) {
            Some(mention) => {
                at = mention.range.end.max(at + 1);
                found.push(mention);
            }
            None => at += 1,
        }
    }
    found
}

fn mention_at(letters: &Letters<'_>, known: &Known<'_>, at: usize) -> Option<Mention> {
    if !letters.is_edge(at) || !letters.at(at).is_alphanumeric() {
        return None;
    }
    let name = known.names.ends_from(letters, at).first().copied();
    // "In 2011 Bolt": the year is no part of the name behind it.
    let year = letters.at(at + 4) == ' ' && letters.key(at..at + 4).chars().all(|char| char.is_ascii_digit());
    let phrase = capitalised(letters, at).filter(|end| !year && reads_as_name(letters.written(at..*end)));
    if let Some(end) = name.max(phrase) {
        let (entity, classes) = known.entity(letters.written(at..end)).unzip();
        return Some(Mention { range: at..end, entity, classes: classes.unwrap_or_default(), is_value: false });
    }
    let value =
        |kind| values_at(letters, at, &ValueType { kind, unit: None }, false).into_iter().map(|(_, end)| end).max();
    let end = value(ValueKind::Date).max(value(ValueKind::Number))?;
    Some(Mention { range: at..end, entity: None, classes: Vec::new(), is_value: true })
}
