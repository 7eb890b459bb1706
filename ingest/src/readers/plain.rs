//! Plain text: paragraphs of sentences.

use super::Reader;
use crate::draft::Draft;
use crate::extract::extract;
use crate::text::Decoded;
use factmask_graph::PlacedText;

pub(super) fn read(reader: &Reader<'_>, decoded: &Decoded, draft: &mut Draft<'_, '_>) {
    let content = decoded.text.get(decoded.start..).unwrap_or_default();
    let mut at = decoded.start;
    // An empty line ends a paragraph, and with it what an earlier heading-like line could say of a sentence.
    for paragraph in content.split_inclusive("\n\n") {
        extract(reader, decoded, &PlacedText::plain(paragraph, at), &[], draft);
        at += paragraph.len();
    }
}

/// A first paragraph is a title up to this many bytes.
const LONGEST_TITLE: usize = 160;

/// The paragraphs, each with the title of the text. A first line that stands alone and ends like no sentence is the title.
pub(super) fn prose(decoded: &Decoded) -> Vec<(String, PlacedText)> {
    let content = decoded.text.get(decoded.start..).unwrap_or_default();
    let (title, mut at) = match content.split_once("\n\n") {
        Some((first, rest)) if is_title(first.trim()) && !rest.trim().is_empty() => (first.trim(), first.len() + 2),
        _ => ("", 0),
    };
    let paragraphs = content.get(at..).unwrap_or_default().split_inclusive("\n\n").map(|paragraph| {
        let placed = PlacedText::plain(paragraph, decoded.start + at);
        at += paragraph.len();
        (title.to_owned(), placed)
    });
    paragraphs.collect()
}

fn is_title(line: &str) -> bool {
    let ended = ['.', '!', '?', ':', ';', ',', '。', '！', '？', '：', '；', '，'];
    !line.is_empty() && line.len() <= LONGEST_TITLE && !line.contains('\n') && !line.ends_with(ended)
}
