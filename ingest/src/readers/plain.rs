//! Plain text: paragraphs of sentences.

use super::Reader;
use crate::draft::Draft;
use crate::extract::{Passage, extract};
use crate::text::Decoded;

pub(super) fn read(reader: &Reader<'_>, decoded: &Decoded, draft: &mut Draft<'_, '_>) {
    let content = decoded.text.get(decoded.start..).unwrap_or_default();
    let mut at = decoded.start;
    // An empty line ends a paragraph, and with it what an earlier heading-like line could say of a sentence.
    for paragraph in content.split_inclusive("\n\n") {
        extract(reader, decoded, &Passage::plain(paragraph, at), &[], draft);
        at += paragraph.len();
    }
}
