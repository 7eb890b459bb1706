//! Running text that knows its bytes in the source, across markup.

use std::ops::Range;

/// Text of one block, in pieces that each come from one place of the source.
#[derive(Clone, Debug, Default)]
pub(crate) struct Passage {
    pub(crate) text: String,
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug)]
struct Piece {
    text: Range<usize>,
    source: Range<usize>,
    /// Byte for byte the same as the source.
    exact: bool,
}

impl Passage {
    /// Text that stands in the source as it is, from byte `at`.
    pub(crate) fn plain(text: &str, at: usize) -> Self {
        let mut passage = Self::default();
        passage.push_exact(text, at);
        passage
    }

    pub(crate) fn push_exact(&mut self, text: &str, at: usize) {
        self.add(text, at..at + text.len(), true);
    }

    /// Adds text that the source writes otherwise (an escape, a line break with its indent).
    pub(crate) fn push(&mut self, text: &str, source: Range<usize>) {
        self.add(text, source, false);
    }

    fn add(&mut self, text: &str, source: Range<usize>, exact: bool) {
        let start = self.text.len();
        self.text.push_str(text);
        self.pieces.push(Piece { text: start..self.text.len(), source, exact });
    }

    /// The bytes of the source from the first to the last byte of a range of the text.
    pub(crate) fn source(&self, range: Range<usize>) -> Range<usize> {
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
}
