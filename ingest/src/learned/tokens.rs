//! Texts as tokens: words, numbers, single ideographs, marks.

use crate::text::is_cjk;
use crate::values::MONTHS;
use std::ops::Range;

/// A token with its bytes.
pub(super) struct Token {
    /// In small letters.
    pub(super) word: String,
    pub(super) span: Range<usize>,
    /// What its letters look like: "Aaa", "99", "AA".
    pub(super) shape: String,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Number,
    Mark,
}

/// A text and its tokens.
pub(super) struct Text<'t> {
    pub(super) text: &'t str,
    pub(super) tokens: Vec<Token>,
    /// For each token how many sentences end before it.
    pub(super) sentence: Vec<usize>,
    /// The tokens that are dates.
    pub(super) dates: Vec<Range<usize>>,
}

/// Longest shape that tells anything.
const SHAPE: usize = 6;

impl<'t> Text<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut tokens = Vec::new();
        let mut chars = text.char_indices().peekable();
        while let Some((start, first)) = chars.next() {
            if first.is_whitespace() {
                continue;
            }
            let mut end = start + first.len_utf8();
            let kind = match first {
                _ if is_cjk(first) => Kind::Word,
                _ if first.is_ascii_digit() => Kind::Number,
                _ if first.is_alphabetic() => Kind::Word,
                _ => Kind::Mark,
            };
            while !is_cjk(first)
                && let Some((at, char)) = chars.peek().copied()
            {
                let next = text.get(at + char.len_utf8()..).and_then(|rest| rest.chars().next());
                let goes_on = match kind {
                    Kind::Number => {
                        let inner = matches!(char, '.' | ',') && next.is_some_and(|next| next.is_ascii_digit());
                        char.is_ascii_digit() || inner
                    }
                    Kind::Word => {
                        let inner = matches!(char, '\'' | '’') && next.is_some_and(char::is_alphabetic);
                        (char.is_alphabetic() && !is_cjk(char)) || inner
                    }
                    Kind::Mark => false,
                };
                if !goes_on {
                    break;
                }
                end = at + char.len_utf8();
                chars.next();
            }
            let written = text.get(start..end).unwrap_or_default();
            tokens.push(Token { word: written.to_lowercase(), span: start..end, shape: shape(written), kind });
        }
        let mut ended = 0;
        let sentence = tokens
            .iter()
            .map(|token| {
                let before = ended;
                ended += usize::from(matches!(token.word.as_str(), "." | "!" | "?" | "。" | "！" | "？"));
                before
            })
            .collect();
        let mut whole = Self { text, tokens, sentence, dates: Vec::new() };
        whole.dates = whole.find_dates();
        whole
    }

    /// The word of a token; `^` beyond the ends.
    pub(super) fn word(&self, at: usize, offset: isize) -> &str {
        at.checked_add_signed(offset).and_then(|at| self.tokens.get(at)).map_or("^", |token| token.word.as_str())
    }

    /// What stands from the first to the last of these tokens.
    pub(super) fn written(&self, tokens: &Range<usize>) -> &'t str {
        self.bytes(tokens).and_then(|bytes| self.text.get(bytes)).unwrap_or_default()
    }

    pub(super) fn bytes(&self, tokens: &Range<usize>) -> Option<Range<usize>> {
        let first = self.tokens.get(tokens.start)?;
        let last = self.tokens.get(tokens.end.checked_sub(1)?)?;
        Some(first.span.start..last.span.end)
    }

    fn find_dates(&self) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        let mut at = 0;
        while at < self.tokens.len() {
            match self.date_at(at) {
                Some(end) => {
                    found.push(at..end);
                    at = end;
                }
                None => at += 1,
            }
        }
        found
    }

    /// The end of a date: "October 13, 1964", "13th of October 1964", "1964-10-13", "1964年10月13日".
    fn date_at(&self, at: usize) -> Option<usize> {
        let number = |at: usize, digits: &[usize]| {
            self.tokens.get(at).is_some_and(|token| token.kind == Kind::Number && digits.contains(&token.word.len()))
        };
        let is =
            |at: usize, words: &[&str]| self.tokens.get(at).is_some_and(|token| words.contains(&token.word.as_str()));
        let month_at = |at: usize| {
            let word = self.tokens.get(at).map(|token| token.word.as_str());
            MONTHS.iter().any(|(long, short)| word == Some(long) || word == Some(short))
        };
        let skip = |at: usize, words: &[&str]| if is(at, words) { at + 1 } else { at };
        if month_at(at) && number(at + 1, &[1, 2]) {
            let year = skip(skip(at + 2, ORDINALS), &[","]);
            return number(year, &[4]).then_some(year + 1);
        }
        if number(at, &[1, 2]) {
            let month = skip(skip(at + 1, ORDINALS), &["of"]);
            let year = skip(month + 1, &[","]);
            return (month_at(month) && number(year, &[4])).then_some(year + 1);
        }
        if number(at, &[4]) && is(at + 1, &["-"]) && number(at + 2, &[2]) && is(at + 3, &["-"]) && number(at + 4, &[2])
        {
            return Some(at + 5);
        }
        if number(at, &[4]) && is(at + 1, &["年"]) {
            let month = number(at + 2, &[1, 2]) && is(at + 3, &["月"]);
            let day = month && number(at + 4, &[1, 2]) && is(at + 5, &["日", "号"]);
            return Some(at + 2 + 2 * usize::from(month) + 2 * usize::from(day));
        }
        None
    }
}

const ORDINALS: &[&str] = &["st", "nd", "rd", "th"];

fn shape(written: &str) -> String {
    let class = |char: char| match char {
        _ if char.is_ascii_digit() => '9',
        _ if is_cjk(char) => '文',
        _ if char.is_uppercase() => 'A',
        _ if char.is_lowercase() => 'a',
        _ => char,
    };
    written.chars().take(SHAPE).map(class).collect()
}
