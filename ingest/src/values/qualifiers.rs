//! Qualifiers where a text mentions them: "fiscal 2023", "FY2023", "2023财年", "2023年".

use super::typed::values_at;
use crate::text::Letters;
use factmask_graph::Value;
use factmask_schema::normal::fold;
use factmask_schema::{Iri, Qualifier, Schema, ValueKind, local_name};

/// A qualifier with the words that announce its value.
pub(crate) struct QualifierWords {
    pub(crate) iri: Iri,
    pub(crate) slot: String,
    pub(crate) qualifier: Qualifier,
    names: Vec<String>,
}

/// A value of a qualifier as a text mentions it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mention {
    pub(crate) value: Value,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether the qualifier's own name stands by it, so that it cannot be anything else.
    pub(crate) named: bool,
}

impl QualifierWords {
    pub(crate) fn all(schema: &Schema) -> Vec<Self> {
        schema.qualifiers.values().map(Self::new).collect()
    }

    fn new(qualifier: &Qualifier) -> Self {
        let mut names: Vec<String> = qualifier
            .labels
            .iter()
            .chain(&qualifier.aliases)
            .map(|name| Letters::new(&name.text))
            .map(|name| name.key(0..name.len()))
            .collect();
        if qualifier.fiscal {
            names.extend(["fiscal", "fiscal year", "fy", "财年", "财政年度"].map(str::to_owned));
        }
        names.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        names.dedup();
        let slot = local_name(qualifier.iri.as_str()).to_owned();
        Self { iri: qualifier.iri.clone(), slot, qualifier: qualifier.clone(), names }
    }

    /// Whether a column header or key names this qualifier.
    pub(crate) fn is_named(&self, words: &str) -> bool {
        let letters = Letters::new(words);
        let key = letters.key(0..letters.len());
        self.names.contains(&key) || fold(&self.slot) == key
    }

    /// Whether it is a year, which a finer period ("third quarter") would contradict.
    pub(crate) fn is_year(&self) -> bool {
        self.qualifier.value.kind == ValueKind::Year
    }

    /// The values that begin at `at`, with or without the qualifier's name before or behind them, longest first.
    pub(crate) fn mentions_at(&self, letters: &Letters<'_>, at: usize) -> Vec<Mention> {
        let mut found = Vec::new();
        for name in &self.names {
            if let Some(end) = starts(letters, at, name) {
                let from = letters.skip_space(end);
                for (value, end) in self.values(letters, from) {
                    found.push(Mention { value, start: at, end, named: true });
                }
            }
        }
        for (value, end) in self.values(letters, at) {
            let behind = letters.skip_space(end);
            for name in &self.names {
                if let Some(stop) = starts(letters, behind, name).filter(|stop| letters.is_edge(*stop)) {
                    found.push(Mention { value: value.clone(), start: at, end: stop, named: true });
                }
            }
            found.push(Mention { value, start: at, end, named: false });
        }
        found.sort_by_key(|mention| (std::cmp::Reverse(mention.end), !mention.named));
        found
    }

    fn values(&self, letters: &Letters<'_>, at: usize) -> Vec<(Value, usize)> {
        // A year must not be the tail of a longer number.
        let inside = letters.before(at).is_ascii_digit()
            || (matches!(letters.before(at), '.' | ',')
                && at.checked_sub(2).is_some_and(|at| letters.digit(at).is_some()));
        if inside { Vec::new() } else { values_at(letters, at, &self.qualifier.value, self.qualifier.fiscal) }
    }

    /// The mentions within `range` that carry the qualifier's name; none overlaps another.
    pub(crate) fn named_mentions(&self, letters: &Letters<'_>, range: std::ops::Range<usize>) -> Vec<Mention> {
        let mut found = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let here = if letters.is_edge(at) { self.mentions_at(letters, at) } else { Vec::new() };
            match here.into_iter().find(|mention| mention.named && mention.end <= range.end) {
                Some(mention) => {
                    at = mention.end.max(at + 1);
                    found.push(mention);
                }
                None => at += 1,
            }
        }
        found
    }
}

/// The end of a name that begins at `at`; figures may follow at once ("FY2023"), letters may not.
fn starts(letters: &Letters<'_>, at: usize, name: &str) -> Option<usize> {
    let mut end = at;
    for char in name.chars() {
        if letters.at(end) != char {
            return None;
        }
        end += 1;
    }
    let glued = letters.at(end).is_alphabetic() && !letters.is_edge(end);
    (end > at && letters.is_edge(at) && !glued).then_some(end)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
    use super::*;
    use factmask_schema::{Text, ValueType};

    #[test]
    fn mentions() {
        let words = QualifierWords::new(&Qualifier {
            iri: Iri::new_unchecked("http://example.com/fiscalYear"),
            labels: vec![Text::new("en", "fiscal year")],
            aliases: vec![Text::new("zh", "会计年度")],
            value: ValueType { kind: ValueKind::Year, unit: None },
            fiscal: true,
        });
        for (text, expected) in [
            ("in fiscal year 2023 it", &["fiscal year 2023"][..]),
            ("FY2023 and FY 2022", &["FY2023", "FY 2022"]),
            ("for fiscal 2023.", &["fiscal 2023"]),
            ("苹果2023财年收入", &["2023财年"]),
            ("2023会计年度", &["2023会计年度"]),
            ("in 2023", &[]),
            ("fiscal discipline", &[]),
        ] {
            let letters = Letters::new(text);
            let found: Vec<&str> = words
                .named_mentions(&letters, 0..letters.len())
                .into_iter()
                .map(|mention| letters.written(mention.start..mention.end))
                .collect();
            assert_eq!(found, expected, "{text}");
        }
        assert!(
            words.is_named("Fiscal Year") && words.is_named("fy") && words.is_named("财年") && !words.is_named("year")
        );
    }
}
