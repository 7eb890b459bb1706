//! The tokens of Turtle and TriG with their bytes.

use std::ops::Range;

#[derive(Debug, PartialEq)]
pub(super) enum Token {
    Iri(String),
    Prefixed(String),
    Blank,
    Literal(String),
    /// `a`, `@prefix`, `PREFIX`, `true`, numbers.
    Word(String),
    Mark(&'static str),
}

const MARKS: &[&str] = &["<<(", ")>>", "<<", ">>", "{|", "|}", "^^", "[", "]", "(", ")", "{", "}", ".", ";", ",", "~"];

/// The next token from byte `from` on; none at the end of what can be read.
pub(super) fn next_token(source: &str, from: usize) -> Option<(Token, Range<usize>)> {
    let mut at = from;
    loop {
        let rest = source.get(at..)?;
        let char = rest.chars().next()?;
        if char.is_whitespace() {
            at += char.len_utf8();
        } else if char == '#' {
            at += rest.find('\n').unwrap_or(rest.len());
        } else {
            break;
        }
    }
    let rest = source.get(at..)?;
    let first = rest.chars().next()?;
    let token = |token: Token, len: usize| Some((token, at..at + len));
    if matches!(first, '"' | '\'') {
        let (words, len) = literal(rest, first)?;
        return token(Token::Literal(words), len);
    }
    if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark) && !starts_number(rest)) {
        return token(Token::Mark(mark), mark.len());
    }
    if first == '<' {
        let len = rest.find('>')? + 1;
        return token(Token::Iri(unescape(rest.get(1..len - 1)?)), len);
    }
    let len = word_len(rest).max(first.len_utf8());
    let word = rest.get(..len)?;
    if word.starts_with("_:") {
        return token(Token::Blank, len);
    }
    let directive_or_number = word.starts_with('@')
        || word.starts_with(|char: char| char.is_ascii_digit() || matches!(char, '+' | '-' | '.'));
    if word.contains(':') && !directive_or_number {
        return token(Token::Prefixed(word.to_owned()), len);
    }
    token(Token::Word(word.to_owned()), len)
}

/// ".5" is a number, "." a full stop.
fn starts_number(rest: &str) -> bool {
    rest.starts_with('.') && rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit)
}

/// The length of a name, number or directive. A dot belongs to it only when something follows ("ex:a.b", "1.5").
fn word_len(rest: &str) -> usize {
    let mut chars = rest.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        let next = chars.peek().map_or(' ', |&(_, next)| next);
        let part = match char {
            '\\' => {
                chars.next();
                true
            }
            '.' => next.is_alphanumeric() || matches!(next, '_' | '-' | ':' | '%' | '.'),
            ';' | ',' | '[' | ']' | '(' | ')' | '<' | '>' | '"' | '\'' | '{' | '}' | '|' | '^' | '~' | '#' => false,
            other => !other.is_whitespace(),
        };
        if !part {
            return at;
        }
    }
    rest.len()
}

/// A quoted literal's words and its length with quotes.
fn literal(rest: &str, quote: char) -> Option<(String, usize)> {
    let long: String = std::iter::repeat_n(quote, 3).collect();
    let fence = if rest.starts_with(&long) { long } else { quote.to_string() };
    let mut at = fence.len();
    loop {
        let tail = rest.get(at..)?;
        if tail.starts_with(&fence) {
            // Quotes right before the closing fence belong to the words.
            let extra = if fence.len() == 3 {
                tail.chars().take_while(|char| *char == quote).count().saturating_sub(3).min(2)
            } else {
                0
            };
            let end = at + extra;
            return Some((unescape(rest.get(fence.len()..end)?), end + fence.len()));
        }
        let char = tail.chars().next()?;
        at += char.len_utf8();
        if char == '\\' {
            at += rest.get(at..)?.chars().next()?.len_utf8();
        }
    }
}

fn unescape(raw: &str) -> String {
    let mut words = String::with_capacity(raw.len());
    let mut chars = raw.chars();
    while let Some(char) = chars.next() {
        if char != '\\' {
            words.push(char);
            continue;
        }
        match chars.next() {
            Some('t') => words.push('\t'),
            Some('b') => words.push('\u{8}'),
            Some('n') => words.push('\n'),
            Some('r') => words.push('\r'),
            Some('f') => words.push('\u{c}'),
            Some(kind @ ('u' | 'U')) => {
                let digits: String = chars.by_ref().take(if kind == 'u' { 4 } else { 8 }).collect();
                words.extend(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32));
            }
            Some(other) => words.push(other),
            None => {}
        }
    }
    words
}
