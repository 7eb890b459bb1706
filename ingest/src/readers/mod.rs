//! One room a format: text to entities and facts, each fact with the bytes that hold its value.
//!
//! Every reader has two entrances: `declare` makes known what the document introduces by name (run for all documents of a batch
//! first, so that the order of files does not matter), and `read` gives its facts.

mod delimited;
mod markdown;
mod plain;
mod rdf;
#[cfg(test)]
mod rdf_tests;
mod turtle_spans;

pub(crate) use delimited::rows_of;

use crate::draft::Draft;
use crate::extract::Patterns;
use crate::table::Mapping;
use crate::text::Decoded;
use crate::values::QualifierWords;
use factmask_schema::Schema;

/// A format that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Format {
    /// RDF 1.2 Turtle.
    Turtle,
    /// RDF 1.2 N-Triples.
    NTriples,
    /// Comma-separated (or whatever separates), with a header or as plain triples.
    Csv,
    /// The same by tabs.
    Tsv,
    /// CommonMark with tables.
    Markdown,
    /// Paragraphs.
    Plain,
}

/// What all readers need beside the text.
pub(crate) struct Reader<'s> {
    pub(crate) schema: &'s Schema,
    pub(crate) qualifiers: Vec<QualifierWords>,
    pub(crate) patterns: Patterns,
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

impl Format {
    /// By the file's extension, in any case.
    pub(crate) fn by_extension(extension: &str) -> Option<Self> {
        match extension.to_ascii_lowercase().as_str() {
            "ttl" | "turtle" => Some(Self::Turtle),
            "nt" => Some(Self::NTriples),
            "csv" => Some(Self::Csv),
            "tsv" | "tab" => Some(Self::Tsv),
            "md" | "markdown" => Some(Self::Markdown),
            "txt" | "text" => Some(Self::Plain),
            _ => None,
        }
    }

    /// By the media type, parameters left aside.
    pub(crate) fn by_media_type(media_type: &str) -> Option<Self> {
        let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        [Self::Turtle, Self::NTriples, Self::Csv, Self::Tsv, Self::Markdown, Self::Plain]
            .into_iter()
            .find(|format| format.media_type() == essence)
    }

    pub(crate) fn media_type(self) -> &'static str {
        match self {
            Self::Turtle => "text/turtle",
            Self::NTriples => "application/n-triples",
            Self::Csv => "text/csv",
            Self::Tsv => "text/tab-separated-values",
            Self::Markdown => "text/markdown",
            Self::Plain => "text/plain",
        }
    }

    /// Whether facts are found in sentences, for which all names should be known before.
    pub(crate) fn is_prose(self) -> bool {
        matches!(self, Self::Markdown | Self::Plain)
    }

    /// Whether a mapping file can belong to it.
    pub(crate) fn has_columns(self) -> bool {
        matches!(self, Self::Csv | Self::Tsv | Self::Markdown)
    }
}

impl<'s> Reader<'s> {
    pub(crate) fn new(schema: &'s Schema) -> Self {
        Self { schema, qualifiers: QualifierWords::all(schema), patterns: Patterns::compile(schema) }
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
            Format::Turtle | Format::NTriples => rdf::declare(format, decoded, draft),
            Format::Csv | Format::Tsv => delimited::declare(self, format, decoded, mapping, draft),
            Format::Markdown => {
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
            Format::Turtle | Format::NTriples => rdf::read(self, format, decoded, draft),
            Format::Csv | Format::Tsv => delimited::read(self, format, decoded, mapping, draft),
            Format::Markdown => {
                markdown::read(self, decoded, mapping, draft);
                Ok(())
            }
            Format::Plain => {
                plain::read(self, decoded, draft);
                Ok(())
            }
        }
    }

    /// A title for people, where the document has one of its own.
    pub(crate) fn title(format: Format, decoded: &Decoded) -> Option<String> {
        match format {
            Format::Markdown => markdown::title(decoded),
            _ => None,
        }
    }
}
