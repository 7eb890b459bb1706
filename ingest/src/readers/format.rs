//! The formats that are read, as one table.

use crate::convert::Container;
use crate::text::Controls;

/// A format that is read. The order is that in which formats introduce names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Format {
    /// Statements, in one of RDF's syntaxes.
    Rdf(Syntax),
    /// Comma-separated (or whatever separates), with a header or as plain triples.
    Csv,
    /// The same by tabs.
    Tsv,
    /// Records in JSON.
    Json(JsonLayout),
    /// CommonMark with tables.
    Markdown,
    /// Paragraphs.
    Plain,
    /// What is converted to Markdown first.
    Converted(Container),
}

/// How JSON texts make a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum JsonLayout {
    /// One text.
    Whole,
    /// One a line.
    Lines,
}

/// How RDF is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Syntax {
    /// RDF 1.2 Turtle.
    Turtle,
    /// RDF 1.2 TriG.
    TriG,
    /// RDF 1.2 N-Triples.
    NTriples,
    /// RDF 1.2 N-Quads.
    NQuads,
    /// RDF/XML, with RDF 1.2's annotations.
    RdfXml,
    /// JSON-LD 1.1.
    JsonLd,
}

/// What is known of a format.
struct Entry {
    format: Format,
    /// What evidence records call the reading of this format.
    extractor: &'static str,
    /// Lower case, without the dot; the first is the usual one.
    extensions: &'static [&'static str],
    /// The first is its own, the others are read as it too.
    media_types: &'static [&'static str],
    /// Bytes a second on one core, measured on the sample corpus repeated to a megabyte, without the store's share; the four
    /// syntaxes of RDF that the corpus lacks by comparison with N-Triples and Turtle of the same statements.
    speed: f64,
}

const FORMATS: &[Entry] = &[
    entry(Format::Rdf(Syntax::Turtle), "turtle", &["ttl", "turtle"], &["text/turtle"], 0.6e6),
    entry(Format::Rdf(Syntax::TriG), "trig", &["trig"], &["application/trig"], 0.6e6),
    entry(Format::Rdf(Syntax::NTriples), "ntriples", &["nt"], &["application/n-triples"], 4e6),
    entry(Format::Rdf(Syntax::NQuads), "nquads", &["nq"], &["application/n-quads"], 4e6),
    entry(
        Format::Rdf(Syntax::RdfXml),
        "rdfxml",
        &["rdf", "owl", "xml"],
        &["application/rdf+xml", "application/xml", "text/xml"],
        2e6,
    ),
    entry(Format::Rdf(Syntax::JsonLd), "jsonld", &["jsonld"], &["application/ld+json"], 0.4e6),
    entry(Format::Csv, "csv", &["csv"], &["text/csv"], 0.4e6),
    entry(Format::Tsv, "tsv", &["tsv", "tab"], &["text/tab-separated-values"], 0.4e6),
    entry(Format::Json(JsonLayout::Whole), "json", &["json"], &["application/json"], 0.4e6),
    entry(
        Format::Json(JsonLayout::Lines),
        "json",
        &["jsonl", "ndjson"],
        &["application/x-ndjson", "application/jsonl", "application/x-jsonlines"],
        0.4e6,
    ),
    entry(Format::Markdown, "wording", &["md", "markdown"], &["text/markdown"], 0.8e6),
    entry(Format::Plain, "wording", &["txt", "text", "srt"], &["text/plain"], 0.8e6),
    entry(Format::Converted(Container::Pdf), "wording", &["pdf"], &["application/pdf"], 0.8e6),
    entry(
        Format::Converted(Container::Docx),
        "wording",
        &["docx", "docm", "dotx"],
        &["application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
        0.8e6,
    ),
    entry(
        Format::Converted(Container::Pptx),
        "wording",
        &["pptx", "pptm", "ppsx"],
        &["application/vnd.openxmlformats-officedocument.presentationml.presentation"],
        0.8e6,
    ),
    entry(
        Format::Converted(Container::Workbook),
        "wording",
        &["xlsx", "xlsm", "xlsb", "xls", "ods"],
        &[
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            "application/vnd.ms-excel",
            "application/vnd.oasis.opendocument.spreadsheet",
        ],
        0.8e6,
    ),
    entry(
        Format::Converted(Container::Html),
        "wording",
        &["html", "htm", "xhtml"],
        &["text/html", "application/xhtml+xml"],
        0.8e6,
    ),
    entry(Format::Converted(Container::Epub), "wording", &["epub"], &["application/epub+zip"], 0.8e6),
];

const fn entry(
    format: Format,
    extractor: &'static str,
    extensions: &'static [&'static str],
    media_types: &'static [&'static str],
    speed: f64,
) -> Entry {
    Entry { format, extractor, extensions, media_types, speed }
}

impl Format {
    /// By the file's extension, in any case.
    pub(crate) fn by_extension(extension: &str) -> Option<Self> {
        let extension = extension.to_ascii_lowercase();
        find(|entry| entry.extensions.contains(&extension.as_str()))
    }

    /// By the media type, parameters left aside.
    pub(crate) fn by_media_type(media_type: &str) -> Option<Self> {
        let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        find(|entry| entry.media_types.contains(&essence.as_str()))
    }

    /// All extensions with their dots, as people read them.
    pub(crate) fn extensions() -> String {
        let dotted = FORMATS.iter().flat_map(|entry| entry.extensions).map(|extension| format!(".{extension}"));
        dotted.collect::<Vec<_>>().join(" ")
    }

    /// The media types of all formats, as people read them.
    pub(crate) fn media_types() -> String {
        let own = FORMATS.iter().filter_map(|entry| entry.media_types.first().copied());
        own.collect::<Vec<_>>().join(", ")
    }

    pub(crate) fn media_type(self) -> &'static str {
        self.entry().and_then(|entry| entry.media_types.first().copied()).unwrap_or("application/octet-stream")
    }

    /// What evidence records call the reading of this format.
    pub(crate) fn extractor(self) -> &'static str {
        self.entry().map_or("", |entry| entry.extractor)
    }

    /// Bytes a second, about.
    pub(crate) fn speed(self) -> f64 {
        self.entry().map_or(1e6, |entry| entry.speed)
    }

    /// Whether facts are found in sentences, for which all names should be known before.
    pub(crate) fn is_prose(self) -> bool {
        matches!(self, Self::Markdown | Self::Plain | Self::Converted(_))
    }

    /// Whether a mapping file can belong to it.
    pub(crate) fn has_columns(self) -> bool {
        matches!(self, Self::Csv | Self::Tsv | Self::Json(_) | Self::Markdown | Self::Converted(_))
    }

    /// Who decides about control characters. The grammar of XML forbids them, and its parser does not look.
    pub(crate) fn controls(self) -> Controls {
        match self {
            Self::Rdf(syntax) if syntax != Syntax::RdfXml => Controls::Judged,
            _ => Controls::Doubtful,
        }
    }

    fn entry(self) -> Option<&'static Entry> {
        FORMATS.iter().find(|entry| entry.format == self)
    }
}

fn find(is: impl Fn(&Entry) -> bool) -> Option<Format> {
    FORMATS.iter().find(|entry| is(entry)).map(|entry| entry.format)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
    use super::*;

    #[test]
    fn each_format_is_found_by_what_it_is_called() {
        for entry in FORMATS {
            assert_eq!(Format::by_media_type(entry.format.media_type()), Some(entry.format));
            for extension in entry.extensions {
                assert_eq!(Format::by_extension(&extension.to_uppercase()), Some(entry.format), "{extension}");
            }
        }
        let mut extensions: Vec<_> = FORMATS.iter().flat_map(|entry| entry.extensions).collect();
        extensions.sort_unstable();
        assert!(extensions.windows(2).all(|pair| pair[0] != pair[1]), "an extension means one format");
    }
}
