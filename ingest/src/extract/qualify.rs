//! The qualifiers that a sentence gives outside of its wording: "..., in fiscal 2023", "In 2023, ...", or the heading above.

use super::guard::{is_clause_mark, is_finer_than_a_year};
use super::matcher::Match;
use crate::readers::Reader;
use crate::text::Letters;
use crate::values::{Mention, QualifierWords};
use factmask_schema::Functional;

const PREPOSITIONS: &[&str] = &[
    "in",
    "for",
    "during",
    "at the end of",
    "as of the end of",
    "as of",
    "by the end of",
    "in the year",
    "for the year",
    "在",
    "于",
    "截至",
];

/// Fills qualifiers that the relation is functional per. Returns whether all of them are known then.
pub(super) fn complete(found: &mut Match, reader: &Reader<'_>, letters: &Letters<'_>, context: &[&str]) -> bool {
    let Some(Functional::Per(per)) = reader.schema.relations.get(&found.relation).map(|relation| &relation.functional)
    else {
        return true;
    };
    let mut complete = true;
    for words in reader.qualifiers.iter().filter(|words| per.contains(&words.iri)) {
        if found.qualifiers.iter().any(|(iri, _)| *iri == words.iri) {
            continue;
        }
        let mention = behind(words, letters, found.span.end)
            .or_else(|| before(words, letters, found.span.start))
            .or_else(|| only(words.named_mentions(letters, 0..letters.len())))
            .or_else(|| context.iter().find_map(|heading| from_heading(words, heading)));
        match mention {
            Some(mention) => found.qualifiers.push((words.iri.clone(), mention)),
            None => complete = false,
        }
    }
    complete
}

/// Whether a value holds for less than the year that its relation is said by.
pub(super) fn is_for_part_of_a_year(found: &Match, reader: &Reader<'_>, letters: &Letters<'_>) -> bool {
    let Some(Functional::Per(per)) = reader.schema.relations.get(&found.relation).map(|relation| &relation.functional)
    else {
        return false;
    };
    let by_year = reader.qualifiers.iter().any(|words| per.contains(&words.iri) && words.is_year());
    let clause = (found.span.end..letters.len())
        .find(|at| letters.at(*at) == ';' || letters.at(*at) == '\0')
        .unwrap_or(letters.len());
    by_year && is_finer_than_a_year(letters, 0, clause)
}

/// Right behind the match: "was $5 billion in fiscal 2023", "为50亿美元，2023财年".
fn behind(words: &QualifierWords, letters: &Letters<'_>, end: usize) -> Option<Mention> {
    let at = letters.skip_space(end);
    let at = if matches!(letters.at(at), ',' | '(') { letters.skip_space(at + 1) } else { at };
    announced(words, letters, at)
}

/// Right before the match, at the start of its clause: "In 2023, ", "2023财年，".
fn before(words: &QualifierWords, letters: &Letters<'_>, start: usize) -> Option<Mention> {
    let mut end = start;
    while end > 0 && (letters.before(end) == ' ' || matches!(letters.before(end), ',')) {
        end -= 1;
    }
    let clause = (0..end).rev().find(|at| is_clause_mark(letters, *at)).map_or(0, |at| at + 1);
    let at = letters.skip_space(clause);
    announced(words, letters, at).filter(|mention| mention.end == end)
}

/// A mention by name, or a bare value behind a preposition.
fn announced(words: &QualifierWords, letters: &Letters<'_>, at: usize) -> Option<Mention> {
    let preposition = PREPOSITIONS.iter().filter_map(|word| letters.words_at(at, word)).max();
    let from = preposition.map_or(at, |end| letters.skip_space(end));
    let from = letters.words_at(from, "the").map_or(from, |end| letters.skip_space(end));
    words
        .mentions_at(letters, from)
        .into_iter()
        .find(|mention| mention.named || preposition.is_some() || letters.before(mention.end) == '年')
}

fn from_heading(words: &QualifierWords, heading: &str) -> Option<Mention> {
    let letters = Letters::new(heading);
    only(words.named_mentions(&letters, 0..letters.len()))
}

/// The value that all mentions agree on.
fn only(mentions: Vec<Mention>) -> Option<Mention> {
    let mut mentions = mentions.into_iter();
    let first = mentions.next()?;
    mentions.all(|mention| mention.value == first.value).then_some(first)
}
