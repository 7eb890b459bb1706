//! Facts and what they are made of.

use serde::Serialize;
use utoipa::ToSchema;

/// A typed value.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ValueBody {
    /// An entity.
    Entity {
        /// Its IRI.
        iri: String,
        /// Its name in the answer's language.
        name: String,
    },
    /// Words.
    Text {
        /// The words.
        text: String,
        /// BCP 47 tag, where known.
        lang: Option<String>,
    },
    /// A number.
    Number {
        /// The exact decimal, in base units, as a string: JSON numbers lose digits.
        #[schema(example = "29915000000")]
        value: String,
        /// `USD`, `km²`, `%`.
        unit: Option<String>,
        /// As the source wrote it.
        written: Option<String>,
    },
    /// A date.
    Date {
        /// `2023`, `2023-09` or `2023-09-30`, as exactly as it is known.
        #[schema(example = "2023-09-30")]
        value: String,
        /// `gregorian`, or `fiscal` for a company's fiscal year.
        calendar: &'static str,
        /// As the source wrote it.
        written: Option<String>,
    },
    /// A truth value.
    Boolean {
        /// Whether it is so.
        value: bool,
    },
}

impl ValueBody {
    /// In one line: a name, words, a figure with its unit, a date.
    pub fn text(&self) -> String {
        match self {
            Self::Entity { name, .. } => name.clone(),
            Self::Text { text, .. } => text.clone(),
            Self::Number { value, unit, .. } => match unit {
                Some(unit) => format!("{value} {unit}"),
                None => value.clone(),
            },
            Self::Date { value, .. } => value.clone(),
            Self::Boolean { value } => value.to_string(),
        }
    }
}

/// An entity, relation or qualifier by IRI and name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Named {
    /// Its IRI.
    pub iri: String,
    /// Its name in the answer's language.
    pub name: String,
}

/// A fact with everything that states it.
#[derive(Debug, Serialize, ToSchema)]
pub struct FactBody {
    /// Whom it is about.
    pub subject: Named,
    /// Which relation.
    pub relation: Named,
    /// The value.
    pub object: ValueBody,
    /// Fiscal year, role and so on.
    pub qualifiers: Vec<QualifierBody>,
    /// Where it was found; never empty.
    pub evidence: Vec<EvidenceBody>,
}

/// What a fact is qualified with.
#[derive(Debug, Serialize, ToSchema)]
pub struct QualifierBody {
    /// The qualifier.
    pub qualifier: Named,
    /// Its value.
    pub value: ValueBody,
}

/// Where a fact was found.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct EvidenceBody {
    /// The document.
    pub document: String,
    /// First byte in the document as it was ingested.
    pub start: u64,
    /// The byte after the last.
    pub end: u64,
    /// The bytes from start to end as text; a range of more than 2,000 bytes is quoted from its start.
    pub quote: String,
    /// Page, from 1, where the format has pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// Row or line, from 1, where the format has rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<u32>,
    /// What found it.
    pub extractor: String,
    /// How sure the extractor was, 0 to 1.
    pub confidence: f32,
}
