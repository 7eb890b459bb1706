//! Running text that knows its bytes in the source, across markup.

use std::ops::Range;

/// A piece of text, in parts that each come from one place of a document's source.
///
/// ```
/// use factmask_graph::PlacedText;
///
/// let source = "One **bold** word";
/// let mut text = PlacedText::default();
/// text.push_exact("One ", 0);
/// text.push_exact("bold", 6);
/// text.push_exact(" word", 12);
/// assert_eq!((text.as_str(), &source[text.source(4..13)]), ("One bold word", "bold** word"));
/// assert_eq!(text.slice(4..8).source(0..4), 6..10);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlacedText {
    text: String,
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Piece {
    text: Range<usize>,
    source: Range<usize>,
    /// Byte for byte the same as the source.
    exact: bool,
}

impl PlacedText {
    /// Text that stands in the source as it is, from byte `at`.
    pub fn plain(text: &str, at: usize) -> Self {
        let mut placed = Self::default();
        placed.push_exact(text, at);
        placed
    }

    /// Adds text that stands in the source as it is, from byte `at`.
    pub fn push_exact(&mut self, text: &str, at: usize) {
        self.add(text, at..at + text.len(), true);
    }

    /// Adds text that the source writes otherwise (an escape, a line break with its indent).
    pub fn push(&mut self, text: &str, source: Range<usize>) {
        self.add(text, source, false);
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The bytes of the source from the first to the last byte of a range of the text.
    pub fn source(&self, range: Range<usize>) -> Range<usize> {
        let holding = |at: usize| self.pieces.iter().find(|piece| piece.text.contains(&at));
        let start = match holding(range.start) {
            Some(piece) if piece.exact => piece.source.start + (range.start - piece.text.start),
            Some(piece) => piece.source.start,
            None => self.pieces.last().map_or(0, |piece| piece.source.end),
        };
        let end = match range.end.checked_sub(1).filter(|last| *last >= range.start).and_then(holding) {
            Some(piece) if piece.exact => piece.source.start + (range.end - piece.text.start),
            Some(piece) => piece.source.end,
            None => start,
        };
        start..end.max(start)
    }

    /// A range of the text with its places; empty for one that is outside or cuts a character.
    pub fn slice(&self, range: Range<usize>) -> Self {
        let mut slice = Self::default();
        if self.text.get(range.clone()).is_none() {
            return slice;
        }
        for piece in &self.pieces {
            let (start, end) = (piece.text.start.max(range.start), piece.text.end.min(range.end));
            let Some(text) = self.text.get(start..end).filter(|text| !text.is_empty()) else { continue };
            if piece.exact {
                slice.push_exact(text, piece.source.start + (start - piece.text.start));
            } else {
                slice.push(text, piece.source.clone());
            }
        }
        slice
    }

    fn add(&mut self, text: &str, source: Range<usize>, exact: bool) {
        let start = self.text.len();
        self.text.push_str(text);
        self.pieces.push(Piece { text: start..self.text.len(), source, exact });
    }
}
