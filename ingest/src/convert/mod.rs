//! Files that are no text (PDF, office documents, web pages, books) to **readings**: what they say, as Markdown.
//!
//! The reading is what is stored, read for facts and cited, in bytes; its pages are parted by form feeds (U+000C), as in the
//! output of `pdftotext`, so that every citation tells its page. A converter is given bytes and gives text or says why not; it
//! opens nothing, fetches nothing and is the only code that sees such a file. It runs in a process of its own ([`Converter`]),
//! since a file can be made to exhaust whoever reads it.

mod child;
mod epub;
mod html;
mod kept;
mod office;
mod package;
mod pages;
mod pdf;
mod writer;
mod xml;

pub use child::{Converter, Limits, answer};
pub(crate) use kept::Readings;
pub(crate) use pages::READ_FROM;
pub use pages::{Pages, page_in};
pub(crate) use writer::{Block, Writer};

use std::fmt;

/// A format that is converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Container {
    Pdf,
    /// Word's.
    Docx,
    /// PowerPoint's.
    Pptx,
    /// Excel's (three formats of it) and OpenDocument's.
    Workbook,
    Html,
    Epub,
}

/// What a file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Markdown, its pages parted by form feeds.
    pub text: String,
    /// What was left out, with its page or place.
    pub warnings: Vec<String>,
}

/// Why a file gives no reading, with the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// To be read behind the file's name.
    pub message: String,
}

impl Unreadable {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl Reading {
    /// Its first line, when it is written to a file or a pipe.
    const FORMAT: &'static str = "factmask-reading 1";

    /// The reading with its warnings, a line each, before it.
    fn written(&self) -> String {
        let mut written = format!("{}\n{}\n", Self::FORMAT, self.warnings.len());
        for warning in &self.warnings {
            written.push_str(&warning.replace('\n', " "));
            written.push('\n');
        }
        written + &self.text
    }

    fn parse(written: &str) -> Option<Self> {
        let (format, rest) = written.split_once('\n')?;
        let (count, mut rest) = rest.split_once('\n')?;
        let mut warnings = Vec::new();
        for _ in 0..count.parse::<usize>().ok().filter(|_| format == Self::FORMAT)? {
            let (warning, behind) = rest.split_once('\n')?;
            warnings.push(warning.to_owned());
            rest = behind;
        }
        Some(Self { text: rest.to_owned(), warnings })
    }
}

impl Container {
    const NAMES: &[(Self, &'static str)] = &[
        (Self::Pdf, "pdf"),
        (Self::Docx, "docx"),
        (Self::Pptx, "pptx"),
        (Self::Workbook, "workbook"),
        (Self::Html, "html"),
        (Self::Epub, "epub"),
    ];

    /// What it is called on a command line.
    pub(crate) fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(container, _)| *container == self).map_or("", |(_, name)| name)
    }

    /// What people call it.
    pub(crate) fn called(self) -> &'static str {
        match self {
            Self::Pdf => "a PDF (.pdf)",
            Self::Docx => "a Word document (.docx)",
            Self::Pptx => "a presentation (.pptx)",
            Self::Workbook => "a spreadsheet (.xlsx or .ods)",
            Self::Html => "a web page (.html)",
            Self::Epub => "a book (.epub)",
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(_, own)| *own == name).map(|(container, _)| *container)
    }

    /// Whether its readings have pages that people count.
    pub(crate) fn has_pages(self) -> bool {
        matches!(self, Self::Pdf | Self::Pptx)
    }

    /// The language of code blocks that hold the JSON-LD of a page.
    pub(crate) const LINKED_DATA: &'static str = "jsonld";

    /// Raised whenever the same bytes would give another reading than before.
    pub(crate) const VERSION: &'static str = "factmask-reading 1";

    /// What a file is by its first bytes, or by the parts of its archive, whatever its name says.
    pub(crate) fn of_content(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"%PDF-") {
            return Some(Self::Pdf);
        }
        if !bytes.starts_with(b"PK\x03\x04") {
            return None;
        }
        let parts: &[(&[u8], Self)] = &[
            (b"word/document.xml", Self::Docx),
            (b"ppt/presentation.xml", Self::Pptx),
            (b"xl/workbook.", Self::Workbook),
            (b"application/epub+zip", Self::Epub),
            (b"application/vnd.oasis.opendocument.spreadsheet", Self::Workbook),
        ];
        let holds = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
        parts.iter().find(|(part, _)| holds(part)).map(|(_, container)| *container)
    }

    /// Converts within this process.
    pub(crate) fn convert(self, bytes: Vec<u8>) -> Result<Reading, Unreadable> {
        if let Some(own) = Self::of_content(&bytes).filter(|own| *own != self) {
            return Err(Unreadable::new(format!("is {} by its content; name it so", own.called())));
        }
        let reading = match self {
            Self::Pdf => pdf::read(bytes)?,
            Self::Docx => office::docx(bytes)?,
            Self::Pptx => office::pptx(bytes)?,
            Self::Workbook => office::workbook(bytes)?,
            Self::Html => html::read(bytes)?,
            Self::Epub => epub::read(bytes)?,
        };
        if reading.text.trim().is_empty() { Err(Unreadable::new("has no text")) } else { Ok(reading) }
    }
}
