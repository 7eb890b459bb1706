//! PDF: what the pages draw, put in the order in which people read it.
//!
//! A PDF places glyphs and knows no words, lines or columns. The glyphs come from an interpreter of page contents
//! (`hayro-interpret`, which renders PDFs and is written without unsafe code); everything above them is here: [`glyphs`] with
//! their places, [`lines`] of them, [`regions`] in the order of reading, [`blocks`] that a region says, [`tables`] among them.

mod blocks;
mod glyphs;
mod lines;
mod regions;
mod tables;

use super::{Reading, Unreadable, Writer};
use blocks::Sizes;
use hayro_interpret::hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use hayro_interpret::{InterpreterCache, InterpreterSettings};
use lines::Segment;

/// Reads a whole PDF.
pub(super) fn read(bytes: Vec<u8>) -> Result<Reading, Unreadable> {
    let pdf = Pdf::new(bytes).map_err(|error| match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => {
            Unreadable::new("is encrypted and asks for a password; remove it (for example with `qpdf --decrypt`)")
        }
        LoadPdfError::Decryption(_) => {
            Unreadable::new("is encrypted in a way that is not read; save it without encryption")
        }
        LoadPdfError::Invalid => Unreadable::new("is damaged and cannot be read as a PDF; export it anew"),
    })?;
    let settings = InterpreterSettings::default();
    let cache = InterpreterCache::new();
    let mut pages = Vec::new();
    for page in pdf.pages().iter() {
        let drawing = glyphs::glyphs(page, &cache, &settings);
        let directions: Vec<Vec<Segment>> = drawing.directions.into_iter().map(lines::segments).collect();
        pages.push(Page { directions, unknown: drawing.unknown, pictures: drawing.pictures });
    }
    if pages.is_empty() {
        return Err(Unreadable::new("has no pages, or is damaged; export it anew"));
    }
    write(pages)
}

struct Page {
    directions: Vec<Vec<Segment>>,
    unknown: usize,
    pictures: bool,
}

impl Page {
    fn is_blank(&self) -> bool {
        self.directions.iter().all(Vec::is_empty)
    }
}

fn write(pages: Vec<Page>) -> Result<Reading, Unreadable> {
    let mut warnings = Vec::new();
    let count = pages.len();
    let blank = pages.iter().filter(|page| page.is_blank()).count();
    if blank == count {
        let unknown: usize = pages.iter().map(|page| page.unknown).sum();
        let ocr = "recognise its text (OCR, for example with `ocrmypdf`) and ingest the result";
        let pictures = pages.iter().any(|page| page.pictures);
        return Err(Unreadable::new(match (unknown, pictures) {
            (0, true) => format!("has no text, only pictures ({count} pages, scanned?); {ocr}"),
            (0, false) => {
                format!("has no text on any of its {count} pages, or is damaged; open it to see, and export it anew")
            }
            (_, _) => format!("does not say which letters its {unknown} letters are (a font without meaning); {ocr}"),
        }));
    }
    let sizes = Sizes::of(pages.iter().flat_map(|page| page.directions.iter().flatten()));
    let mut writer = Writer::default();
    for (index, page) in pages.into_iter().enumerate() {
        if index > 0 {
            writer.page();
        }
        let number = index + 1;
        if page.unknown > 0 {
            warnings.push(format!(
                "page {number}: {} letters are left out, since the font does not say which they are",
                page.unknown
            ));
        }
        if page.is_blank() && page.pictures {
            warnings.push(format!(
                "page {number} has a picture and no text; what it shows is not read (recognise it by OCR)"
            ));
        }
        let mut found = Vec::new();
        for segments in page.directions {
            blocks::blocks(regions::regions(segments), &sizes, &mut found);
        }
        for block in found {
            writer.block(block);
        }
    }
    Ok(Reading { text: writer.finish(), warnings })
}
