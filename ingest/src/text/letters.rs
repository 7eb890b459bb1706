//! Text as a row of folded characters that know the source bytes they came from.

use factmask_schema::normal::Folded;
use std::ops::Range;

/// The form in which words are compared, character by character.
///
/// On top of [`factmask_schema::normal`]: curly quotes and dashes become plain ones, and white space that touches a Chinese or
/// Japanese character is dropped, because "苹果 2023 年" and "苹果2023年" are the same words and a line may break anywhere in them.
pub(crate) struct Letters<'a> {
    source: &'a str,
    chars: Vec<char>,
    spans: Vec<(usize, usize)>,
}

impl<'a> Letters<'a> {
    pub(crate) fn new(source: &'a str) -> Self {
        let folded = Folded::new(source);
        let mut letters = Self { source, chars: Vec::new(), spans: Vec::new() };
        let mut rest = folded.text.char_indices().peekable();
        while let Some((at, char)) = rest.next() {
            let next = rest.peek().map_or('\0', |&(_, next)| next);
            let drop = match char {
                ' ' => is_cjk(next) || letters.chars.last().copied().is_some_and(is_cjk),
                '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{feff}' | '\u{ad}' => true,
                _ => false,
            };
            if !drop {
                let span = folded.source_range(at..at + char.len_utf8());
                letters.chars.push(plain(char));
                letters.spans.push((span.start, span.end));
            }
        }
        letters
    }

    pub(crate) fn len(&self) -> usize {
        self.chars.len()
    }

    /// The folded character at `at`; NUL outside.
    pub(crate) fn at(&self, at: usize) -> char {
        self.chars.get(at).copied().unwrap_or('\0')
    }

    /// The folded character before `at`; NUL at the start.
    pub(crate) fn before(&self, at: usize) -> char {
        at.checked_sub(1).map_or('\0', |before| self.at(before))
    }

    /// The folded words of a range.
    pub(crate) fn key(&self, range: Range<usize>) -> String {
        self.chars.get(range).unwrap_or_default().iter().collect()
    }

    /// The source bytes of a range of letters. Whole characters; empty for an empty range.
    pub(crate) fn span(&self, range: Range<usize>) -> Range<usize> {
        let start = self.spans.get(range.start).map_or(self.source.len(), |span| span.0);
        match range.end.checked_sub(1).filter(|last| *last >= range.start).and_then(|last| self.spans.get(last)) {
            Some(&(_, end)) => start..end,
            None => start..start,
        }
    }

    /// The words of a range as the source wrote them.
    pub(crate) fn written(&self, range: Range<usize>) -> &'a str {
        self.source.get(self.span(range)).unwrap_or_default()
    }

    /// Whether the source wrote a capital here.
    pub(crate) fn is_upper(&self, at: usize) -> bool {
        self.written(at..at + 1).chars().next().is_some_and(char::is_uppercase)
    }

    /// The decimal digit at `at`.
    pub(crate) fn digit(&self, at: usize) -> Option<u8> {
        self.at(at).to_digit(10).and_then(|digit| u8::try_from(digit).ok())
    }

    /// Whether a word may begin or end at `at`: not between two letters or digits of a script that puts spaces between words.
    pub(crate) fn is_edge(&self, at: usize) -> bool {
        !(in_word(self.before(at)) && in_word(self.at(at)))
    }

    /// The end of `words` (folded) when they stand at `at`, as whole words.
    pub(crate) fn words_at(&self, at: usize, words: &str) -> Option<usize> {
        let mut end = at;
        for char in words.chars() {
            if self.at(end) != char {
                return None;
            }
            end += 1;
        }
        (end > at && self.is_edge(at) && self.is_edge(end)).then_some(end)
    }

    /// The first letter at or behind `at` that is no space.
    pub(crate) fn skip_space(&self, at: usize) -> usize {
        if self.at(at) == ' ' { at + 1 } else { at }
    }

    /// The end of the run of letters (no digits) that begins at `at`.
    pub(crate) fn word_end(&self, at: usize) -> usize {
        let mut end = at;
        while self.at(end).is_alphabetic() && !is_cjk(self.at(end)) {
            end += 1;
        }
        end
    }
}

/// Han characters, kana and their punctuation: scripts without spaces between words.
pub(crate) fn is_cjk(char: char) -> bool {
    matches!(char, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff01}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

/// Han characters and kana, without punctuation.
pub(crate) fn is_ideograph(char: char) -> bool {
    is_cjk(char) && char.is_alphanumeric()
}

fn in_word(char: char) -> bool {
    char.is_alphanumeric() && !is_cjk(char)
}

fn plain(char: char) -> char {
    match char {
        '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{b4}' | '`' | '\u{2bc}' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{ab}' | '\u{bb}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
    use super::*;

    #[test]
    fn folds() {
        for (source, expected) in [
            ("Apple’s  R&D", "apple's r&d"),
            ("苹果 2023 年\n收入", "苹果2023年收入"),
            ("the capital is 北京 .", "the capital is北京."),
            ("ＡＢＣ，１００％", "abc,100%"),
            ("a\u{200b}b", "ab"),
            ("cafe\u{301}", "café"),
            ("", ""),
        ] {
            let letters = Letters::new(source);
            assert_eq!(letters.key(0..letters.len()), expected, "{source}");
        }
    }

    #[test]
    fn spans_lead_back() {
        let source = "In  Zürich，\u{201c}ＡＢ\u{201d} cafe\u{301}!";
        let letters = Letters::new(source);
        assert_eq!(letters.written(0..letters.len()), source);
        assert_eq!(letters.written(3..9), "Zürich");
        assert!(letters.is_upper(3) && !letters.is_upper(4));
        assert_eq!(letters.written(5..5), "");
        assert_eq!(letters.written(90..99), "");
    }
}
