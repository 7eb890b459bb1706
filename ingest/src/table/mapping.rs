//! The mapping file of a table: which column is what, where the headers do not say it.
//!
//! ```toml
//! format = 1                                    # may be left out
//! subject = "Firm"                              # the column that names whom a row is about
//! class = "https://example.org/Company"         # its class
//! key = "Ticker"                                # the column that new IRIs are made from
//!
//! [columns]
//! "Umsatz" = "https://example.org/revenue"      # a relation or qualifier, by IRI, label or alias
//! "Remarks" = "ignore"                          # or "alias", "key"
//! ```

use super::columns::find_relation;
use crate::values::QualifierWords;
use factmask_schema::normal::fold;
use factmask_schema::{Iri, Schema};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A mapping file, checked against the schema. Column names are folded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mapping {
    pub(crate) subject: Option<String>,
    pub(crate) class: Option<Iri>,
    pub(crate) key: Option<String>,
    pub(crate) columns: BTreeMap<String, String>,
}

/// What is wrong with a mapping file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MappingFault {
    /// It is no TOML, or has unknown keys.
    #[error("line {line}: {message}; a mapping has `subject`, `class`, `key` and a table `[columns]`")]
    Syntax {
        /// Line, from 1.
        line: u32,
        /// What the parser says.
        message: String,
    },
    /// It was written for a newer program.
    #[error(
        "has format version {found}, this program knows versions up to {known}; use a newer factmask, or write it as version {known} has it"
    )]
    Newer {
        /// The version that it names.
        found: u32,
        /// The newest version that this program reads.
        known: u32,
    },
    /// It names what the schema does not have.
    #[error("\"{term}\" is no {wanted} of the schema; use the IRI, a label or an alias of one")]
    Unknown {
        /// The term.
        term: String,
        /// "class", or "relation or qualifier".
        wanted: &'static str,
    },
}

/// The version that this program reads; a file that names none is of the first.
const FORMAT: u32 = 1;

/// Read before the rest, of which a newer version may have more.
#[derive(Deserialize)]
struct Versioned {
    #[serde(default)]
    format: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    #[serde(default, rename = "format")]
    _format: u32,
    subject: Option<String>,
    class: Option<String>,
    key: Option<String>,
    #[serde(default)]
    columns: BTreeMap<String, String>,
}

impl Mapping {
    /// Reads and checks a mapping.
    pub(crate) fn parse(text: &str, schema: &Schema) -> Result<Self, MappingFault> {
        let syntax = |error: toml::de::Error| MappingFault::Syntax {
            line: crate::text::line_of(text, error.span().map_or(0, |span| span.start)),
            message: error.message().to_owned(),
        };
        let Versioned { format: found } = toml::from_str(text).map_err(syntax)?;
        if found > FORMAT {
            return Err(MappingFault::Newer { found, known: FORMAT });
        }
        let raw: Raw = toml::from_str(text).map_err(syntax)?;
        let class = raw.class.map(|name| class_named(schema, &name)).transpose()?;
        let qualifiers = QualifierWords::all(schema);
        for target in raw.columns.values() {
            let known = matches!(target.as_str(), "ignore" | "alias" | "label" | "key")
                || find_relation(schema, target, class.as_ref()).is_some()
                || qualifiers.iter().any(|qualifier| qualifier.iri.as_str() == target || qualifier.is_named(target));
            if !known {
                return Err(MappingFault::Unknown { term: target.clone(), wanted: "relation or qualifier" });
            }
        }
        let columns = raw.columns.into_iter().map(|(column, target)| (fold(&column), target)).collect();
        Ok(Self { subject: raw.subject, class, key: raw.key, columns })
    }
}

fn class_named(schema: &Schema, name: &str) -> Result<Iri, MappingFault> {
    let folded = fold(name);
    let named = |class: &&factmask_schema::Class| {
        class.iri.as_str() == name || class.labels.iter().chain(&class.aliases).any(|label| fold(&label.text) == folded)
    };
    let found = schema.classes.values().find(named).map(|class| class.iri.clone());
    found.ok_or_else(|| MappingFault::Unknown { term: name.to_owned(), wanted: "class" })
}
