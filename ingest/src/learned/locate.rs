//! Where a text says what a fact's subject or object is.

use super::tokens::{Kind, Text};
use crate::values::guess;
use factmask_graph::Value;
use std::ops::Range;

/// Words that a name may have or not.
const ARTICLES: &[&str] = &["a", "an", "the"];
/// Tokens of the longest date or number.
const LONGEST_VALUE: usize = 7;

/// All places where the text says `name`: in the same words (whatever their letters and marks, and without what stands in brackets
/// behind them), or as the same number or date.
pub(super) fn locate(text: &Text<'_>, name: &str) -> Vec<Range<usize>> {
    let bare = name.split(['(', '（']).next().unwrap_or_default();
    let value = value_of(name);
    let mut found = Vec::new();
    for (start, token) in text.tokens.iter().enumerate() {
        if token.kind == Kind::Mark {
            continue;
        }
        let end = [name, bare].iter().find_map(|name| end_of(text, start, name));
        let end = end.or_else(|| {
            let value = value.as_ref()?;
            let ends = (start + 1..=text.tokens.len().min(start + LONGEST_VALUE)).rev();
            ends.into_iter().find(|end| value_of(text.written(&(start..*end))).as_ref() == Some(value))
        });
        found.extend(end.map(|end| start..end));
    }
    found
}

/// The end of the words of `name` where they stand at `start`.
fn end_of(text: &Text<'_>, start: usize, name: &str) -> Option<usize> {
    let wanted = Text::new(name);
    let mut words = wanted.tokens.iter().filter(|token| is_said(token.kind, &token.word)).peekable();
    words.peek()?;
    let mut at = start;
    let mut end = None;
    while let Some(word) = words.peek() {
        let token = text.tokens.get(at)?;
        if token.word == word.word {
            words.next();
            at += 1;
            end = Some(at);
        } else if end.is_some() && !is_said(token.kind, &token.word) {
            at += 1;
        } else {
            return None;
        }
    }
    end
}

fn is_said(kind: Kind, word: &str) -> bool {
    kind != Kind::Mark && !ARTICLES.contains(&word)
}

/// A number or a date as it compares with others.
pub(super) fn value_of(text: &str) -> Option<String> {
    if !text.contains(|char: char| char.is_ascii_digit()) {
        return None;
    }
    match guess(text) {
        Value::Number(number) => {
            let plain = number.plain();
            let trimmed = if plain.contains('.') { plain.trim_end_matches('0').trim_end_matches('.') } else { &plain };
            Some(trimmed.to_owned())
        }
        Value::Date(date) => Some(date.iso()),
        _ => None,
    }
}
