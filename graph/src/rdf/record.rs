//! The evidence record: where a statement was found and how its values were written there, as one line of JSON.

use super::term::Detail;
use crate::{Locator, NewFact};
use serde::{Deserialize, Serialize};

/// One piece of evidence. Short keys keep it small: every record is stored once and its hash in six index keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    /// First byte and byte behind the last.
    #[serde(rename = "a")]
    span: (u64, u64),
    #[serde(rename = "p", default, skip_serializing_if = "Option::is_none")]
    page: Option<u32>,
    #[serde(rename = "r", default, skip_serializing_if = "Option::is_none")]
    row: Option<u32>,
    #[serde(rename = "x")]
    extractor: String,
    #[serde(rename = "c", default = "certain", skip_serializing_if = "is_certain")]
    confidence: f32,
    /// Of the object.
    #[serde(rename = "o", default, skip_serializing_if = "Detail::is_empty")]
    pub(crate) object: Detail,
    /// Of qualifiers, by their place among the reifier's distinct qualifier triples, sorted by text. A place that is not
    /// named has one value without detail; a place that is named several times has as many values.
    #[serde(rename = "q", default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) qualifiers: Vec<(usize, Detail)>,
}

impl Record {
    pub(crate) fn new(fact: &NewFact, object: Detail, qualifiers: Vec<(usize, Detail)>) -> Self {
        let (page, row) = match fact.locator {
            Some(Locator::Page(page)) => (Some(page), None),
            Some(Locator::Row(row)) => (None, Some(row)),
            None => (None, None),
        };
        Self {
            span: (fact.span.start, fact.span.end),
            page,
            row,
            extractor: fact.extractor.clone(),
            confidence: fact.confidence,
            object,
            qualifiers,
        }
    }

    /// The fact, given what it claims.
    pub(crate) fn into_fact(self, statement: crate::Statement) -> NewFact {
        let locator = self.page.map(Locator::Page).or(self.row.map(Locator::Row));
        NewFact {
            statement,
            span: self.span.0..self.span.1,
            locator,
            extractor: self.extractor,
            confidence: self.confidence,
        }
    }
}

fn certain() -> f32 {
    1.0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_certain(confidence: &f32) -> bool {
    confidence.to_bits() == certain().to_bits()
}
