//! Collects faults while reading goes on.

use crate::vocabulary::short;
use crate::{Fault, Iri, SchemaError, local_name};

pub(super) struct Faults {
    source: String,
    found: Vec<Fault>,
}

impl Faults {
    pub(super) fn new(source: &str) -> Self {
        Self { source: source.to_owned(), found: Vec::new() }
    }

    pub(super) fn add(&mut self, line: u64, term: impl Into<String>, message: impl Into<String>) {
        let fault = Fault { source: self.source.clone(), line, term: term.into(), message: message.into() };
        if !self.found.contains(&fault) {
            self.found.push(fault);
        }
    }

    /// Ends the reading with everything found so far, in the order of lines.
    pub(super) fn stop_if_any(&mut self) -> Result<(), SchemaError> {
        if self.found.is_empty() {
            return Ok(());
        }
        let mut faults = std::mem::take(&mut self.found);
        faults.sort_by_key(|fault| fault.line);
        Err(SchemaError { faults })
    }

    /// Everything found, in the order of lines.
    pub(super) fn into_found(mut self) -> Vec<Fault> {
        self.found.sort_by_key(|fault| fault.line);
        self.found
    }
}

/// "; did you mean ...?" where one of `known` is within two edits of `found`, else nothing.
pub(super) fn suggestion<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let nearest = known.into_iter().map(|name| (distance(found, name), name)).min();
    match nearest {
        // A short word is near to any other.
        Some((edits @ 1..=2, name)) if edits * 2 <= local_name(name).chars().count() => {
            format!("; did you mean {}?", readable(name))
        }
        _ => String::new(),
    }
}

fn readable(name: &str) -> String {
    if Iri::new(name).is_ok() { short(name) } else { name.to_owned() }
}

/// Levenshtein distance in characters.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, char) in one.chars().enumerate() {
        let mut next = Vec::with_capacity(row.len());
        next.push(index + 1);
        for (column, (pair, &target)) in row.windows(2).zip(&other).enumerate() {
            let (diagonal, above) = (pair.first().copied().unwrap_or(0), pair.last().copied().unwrap_or(0));
            let left = next.get(column).copied().unwrap_or(0);
            next.push((diagonal + usize::from(char != target)).min(above + 1).min(left + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (one, other, expected) in [
            ("", "", 0),
            ("a", "", 1),
            ("", "ab", 2),
            ("statment", "statement", 1),
            ("kitten", "sitting", 3),
            ("同", "不同", 1),
        ] {
            assert_eq!(distance(one, other), expected, "{one} {other}");
        }
    }
}
