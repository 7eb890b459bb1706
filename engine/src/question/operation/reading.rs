//! What grammars share: partial readings, and words of a text.

use std::ops::Range;

/// Something read from one place to another, and what was guessed on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Item<T> {
    /// What was read.
    pub value: T,
    /// The place behind it.
    pub end: usize,
    /// 0 when every word says it literally.
    pub cost: u32,
}

/// Several readings.
pub type Items<T> = Vec<Item<T>>;

impl<T> Item<T> {
    /// A reading that ends here.
    pub fn new(value: T, end: usize, cost: u32) -> Self {
        Self { value, end, cost }
    }

    /// The same with another value.
    pub fn with<U>(&self, value: U) -> Item<U> {
        Item { value, end: self.end, cost: self.cost }
    }
}

/// The words of a folded text as byte ranges: letters and digits together, numbers with their separators, "'s" by itself.
pub fn tokens(folded: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut chars = folded.char_indices().peekable();
    while let Some((start, first)) = chars.next() {
        let mut end = start + first.len_utf8();
        let possessive =
            matches!(first, '\'' | '’') && folded.get(end..).is_some_and(|rest| rest == "s" || rest.starts_with("s "));
        if !first.is_alphanumeric() && !possessive {
            continue;
        }
        let digits = first.is_ascii_digit();
        while let Some((at, next)) = chars.peek().copied() {
            let after = folded.get(at + next.len_utf8()..).and_then(|rest| rest.chars().next());
            let separator = digits && matches!(next, ',' | '.') && after.is_some_and(|c| c.is_ascii_digit());
            if !next.is_alphanumeric() && !separator {
                break;
            }
            end = at + next.len_utf8();
            chars.next();
        }
        found.push(start..end);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn words_and_numbers() {
        let table: &[(&str, &[&str])] = &[
            (
                "which states have over 5,000,000.5 people?",
                &["which", "states", "have", "over", "5,000,000.5", "people"],
            ),
            ("texas's capital", &["texas", "'s", "capital"]),
            ("st. louis, missouri", &["st", "louis", "missouri"]),
            ("o'brien", &["o", "brien"]),
            ("", &[]),
        ];
        for (text, expected) in table {
            let found: Vec<&str> = tokens(text).into_iter().map(|span| &text[span]).collect();
            assert_eq!(found, *expected, "{text}");
        }
    }
}
