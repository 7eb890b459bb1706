//! One room a format: text to entities and facts, each fact with the bytes that hold its value.
//!
//! Every reader has two entrances: `declare` makes known what the document introduces by name (run for all documents of a batch
//! first, so that the order of files does not matter), and `read` gives its facts.

mod delimited;
mod format;
mod json;
mod json_tree;
mod markdown;
mod plain;
mod rdf;

pub(crate) use format::{Format, JsonLayout, Syntax};
pub(crate) use rdf::is_rdf_xml;

pub(crate) use delimited::rows_of;

use crate::convert::Container;
use crate::draft::Draft;
use crate::extract::Patterns;
use crate::learned::Lessons;
use crate::table::{Columns, Mapping, Row};
use crate::text::Decoded;
use crate::values::QualifierWords;
use factmask_graph::PlacedText;
use factmask_schema::Schema;
use std::{ops::Range, sync::Arc};

/// The JSON-LD that a web page carries, each piece with its bytes in the reading.
fn linked_data(format: Format, decoded: &Decoded) -> Vec<Decoded> {
    if format != Format::Converted(Container::Html) {
        return Vec::new();
    }
    let blocks = markdown::code_blocks(decoded, Container::LINKED_DATA).into_iter();
    let piece = |block: Range<usize>| Some(Decoded::new(decoded.text.get(..block.end)?.to_owned(), block.start, None));
    blocks.filter_map(piece).collect()
}

/// What all readers need beside the text.
pub(crate) struct Reader<'s> {
    pub(crate) schema: &'s Schema,
    pub(crate) qualifiers: Vec<QualifierWords>,
    pub(crate) patterns: Patterns,
    pub(crate) lessons: Option<Arc<Lessons>>,
}

/// A table as it stands in a document.
pub(crate) struct TableRows {
    pub(crate) header: Row,
    /// Without the header.
    pub(crate) rows: Vec<Row>,
    /// `None` where the schema has no word for any of them.
    pub(crate) columns: Option<Columns>,
}

/// A file that cannot be read as what it claims to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Malformed {
    /// Line, from 1.
    pub(crate) line: u64,
    /// Column in characters, from 1.
    pub(crate) column: Option<u64>,
    pub(crate) message: String,
}

impl<'s> Reader<'s> {
    pub(crate) fn new(schema: &'s Schema, lessons: Option<Arc<Lessons>>) -> Self {
        Self { schema, qualifiers: QualifierWords::all(schema), patterns: Patterns::compile(schema), lessons }
    }

    /// Makes known whom the document introduces.
    pub(crate) fn declare(
        &self,
        format: Format,
        decoded: &Decoded,
        mapping: Option<&Mapping>,
        draft: &mut Draft<'_, 's>,
    ) -> Result<(), Malformed> {
        match format {
            Format::Rdf(syntax) => rdf::declare(syntax, decoded, draft),
            Format::Csv | Format::Tsv => delimited::declare(self, format, decoded, mapping, draft),
            Format::Json(layout) => json::declare(self, layout, decoded, mapping, draft),
            Format::Markdown | Format::Converted(_) => {
                for linked in linked_data(format, decoded) {
                    // What is wrong with it is told when its facts are read.
                    let _ = rdf::declare(Syntax::JsonLd, &linked, draft);
                }
                markdown::declare(self, decoded, mapping, draft);
                Ok(())
            }
            Format::Plain => Ok(()),
        }
    }

    /// Reads the document's facts.
    pub(crate) fn read(
        &self,
        format: Format,
        decoded: &Decoded,
        mapping: Option<&Mapping>,
        draft: &mut Draft<'_, 's>,
    ) -> Result<(), Malformed> {
        match format {
            Format::Rdf(syntax) => rdf::read(self, syntax, decoded, draft),
            Format::Csv | Format::Tsv => delimited::read(self, format, decoded, mapping, draft),
            Format::Json(layout) => json::read(self, layout, decoded, mapping, draft),
            Format::Markdown | Format::Converted(_) => {
                markdown::read(self, decoded, mapping, draft);
                for linked in linked_data(format, decoded) {
                    if let Err(fault) = rdf::read(self, Syntax::JsonLd, &linked, draft) {
                        draft.warn(None, format!("its JSON-LD is not read: {}", fault.message));
                    }
                }
                Ok(())
            }
            Format::Plain => {
                plain::read(self, decoded, draft);
                Ok(())
            }
        }
    }

    /// Its tables, of whose columns some may not be read. Mapping files are not looked at.
    pub(crate) fn tables(&self, format: Format, decoded: &Decoded) -> Vec<TableRows> {
        match format {
            Format::Csv | Format::Tsv => delimited::tables(self, format, decoded),
            Format::Json(layout) => json::tables(self, layout, decoded),
            Format::Markdown | Format::Converted(_) => markdown::tables(self, decoded),
            Format::Rdf(_) | Format::Plain => Vec::new(),
        }
    }

    /// Its paragraphs of running text, each with the headings above it.
    pub(crate) fn prose(format: Format, decoded: &Decoded) -> Vec<(String, PlacedText)> {
        match format {
            Format::Markdown | Format::Converted(_) => markdown::prose(decoded),
            Format::Plain => plain::prose(decoded),
            Format::Rdf(_) | Format::Csv | Format::Tsv | Format::Json(_) => Vec::new(),
        }
    }

    /// A title for people, where the document has one of its own.
    pub(crate) fn title(format: Format, decoded: &Decoded) -> Option<String> {
        match format {
            Format::Markdown | Format::Converted(_) => markdown::title(decoded),
            _ => None,
        }
    }
}
