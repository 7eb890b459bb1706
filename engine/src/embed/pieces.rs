//! Cuts texts into the pieces of a SentencePiece unigram vocabulary.

use super::packed::Cursor;
use candle_core::{Error, Result, bail};
use std::collections::HashMap;
use tokenizers::{Model as _, models::unigram::Unigram};

/// Stands for a space in pieces.
const SPACE: char = '\u{2581}';

pub(super) struct Pieces {
    model: Unigram,
    begin: u32,
    end: u32,
    /// What the normalisation that the model was trained with makes of a character; others stay as they are.
    replaced: HashMap<char, String>,
}

/// What a file says of its pieces. Making [`Pieces`] of it takes most of the time that opening takes, so that is done last.
pub(super) struct Vocabulary {
    /// With the logarithm of their probability; each token is a place in this list.
    pub pieces: Vec<(String, f64)>,
    unknown: usize,
    begin: u32,
    end: u32,
    replaced: HashMap<char, String>,
}

impl Vocabulary {
    /// Reads counts, control tokens, pieces with scores, and replacements.
    pub fn parse(header: &mut Cursor<'_>) -> Result<Self> {
        let count = header.size()?;
        let [begin, end, _padding, unknown] = [header.u32()?, header.u32()?, header.u32()?, header.u32()?];
        let len = header.long()?;
        let ends: Vec<usize> =
            header.words(count.saturating_add(1))?.map(|offset| u32::from_le_bytes(offset) as usize).collect();
        let scores = header.words(count)?.map(f32::from_le_bytes);
        let text = header.take(len)?;
        let piece = |(bounds, score): (&[usize], f32)| {
            let [start, end] = bounds else { bail!("it has no pieces") };
            let piece = text.get(*start..*end).and_then(|piece| std::str::from_utf8(piece).ok());
            let piece = piece.ok_or_else(|| Error::msg("a piece of its vocabulary is no text"))?;
            Ok((piece.to_owned(), f64::from(score)))
        };
        let pieces = ends.windows(2).zip(scores).map(piece).collect::<Result<Vec<_>>>()?;
        if begin as usize >= count || end as usize >= count {
            bail!("its control tokens are not in its vocabulary");
        }
        Ok(Self { pieces, unknown: unknown as usize, begin, end, replaced: replacements(header)? })
    }
}

impl Pieces {
    pub fn new(vocabulary: Vocabulary) -> Result<Self> {
        let Vocabulary { pieces, unknown, begin, end, replaced } = vocabulary;
        let model = Unigram::from(pieces, Some(unknown), false).map_err(Error::msg)?;
        Ok(Self { model, begin, end, replaced })
    }

    /// Whether a word is one piece.
    pub fn knows(&self, word: &str) -> bool {
        self.model.token_to_id(&format!("{SPACE}{word}")).is_some()
    }

    /// The tokens of a text between begin and end, at most `longest` in all.
    pub fn tokens(&self, text: &str, longest: usize) -> Result<Vec<u32>> {
        let mut normal = String::with_capacity(text.len() + SPACE.len_utf8());
        normal.push(SPACE);
        for char in text.chars() {
            let mut single = [0; 4];
            let replaced = self.replaced.get(&char).map_or_else(|| &*char.encode_utf8(&mut single), String::as_str);
            for char in replaced.chars() {
                match char {
                    ' ' if normal.ends_with(SPACE) => {}
                    ' ' => normal.push(SPACE),
                    other => normal.push(other),
                }
            }
        }
        let pieces = self.model.tokenize(&normal).map_err(Error::msg)?;
        let pieces = pieces.iter().map(|piece| piece.id).take(longest.saturating_sub(2));
        Ok(std::iter::once(self.begin).chain(pieces).chain([self.end]).collect())
    }
}

/// Entries of a character, a count, and as many characters in its place.
fn replacements(header: &mut Cursor<'_>) -> Result<HashMap<char, String>> {
    let (count, _bytes) = (header.size()?, header.u32()?);
    let char = |code: u32| char::from_u32(code).ok_or_else(|| Error::msg("a replacement is no character"));
    let entry = |_| {
        let from = char(header.u32()?)?;
        let count = header.take(1)?.first().copied().unwrap_or_default();
        let to = header.words(usize::from(count))?.map(|code| char(u32::from_le_bytes(code)));
        Ok((from, to.collect::<Result<_>>()?))
    };
    (0..count).map(entry).collect()
}
