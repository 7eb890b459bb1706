//! Words that stand between two names in running text.

use super::DiscoverySource;
use super::facts::within;
use super::known::Known;
use super::ledger::{End, Key, Ledger};
use super::mentions::{Mention, mentions};
use super::wording::between;
use crate::extract::states_nothing;
use crate::readers::{Format, Reader};
use crate::table::find_relation;
use crate::text::{Decoded, Letters, sentences};
use crate::values::MONTHS;
use factmask_graph::{DocumentId, Fact, Value};
use std::ops::Range;

/// A sentence with more letters is none that people wrote.
const LONGEST: usize = 2_000;

/// Counts the phrases of a document's running text. What a sentence says is left out where a fact says it already, and so is what a
/// sentence denies, doubts or asks.
pub(super) fn count(
    known: &Known<'_>,
    format: Format,
    decoded: &Decoded,
    document: &DocumentId,
    stated: &[(Range<u64>, &Fact)],
    ledger: &mut Ledger,
) {
    for (_, passage) in Reader::prose(format, decoded) {
        for range in sentences(passage.as_str()) {
            let sentence = passage.as_str().get(range.clone()).unwrap_or_default();
            let letters = Letters::new(sentence);
            if letters.len() > LONGEST || states_nothing(sentence) {
                continue;
            }
            let span = passage.source(range);
            let span = u64::try_from(span.start).unwrap_or(u64::MAX)..u64::try_from(span.end).unwrap_or(u64::MAX);
            let found = mentions(&letters, known);
            for pair in found.windows(2) {
                let [subject, object] = pair else { continue };
                let Some(phrase) = between(&letters, &subject.range, &object.range) else { continue };
                let says = |fact: &Fact| is_of(known, fact, subject, object) || is_of(known, fact, object, subject);
                if subject.is_value
                    || !(phrase.noun || begins_a_clause(&letters, subject))
                    || find_relation(known.snapshot.schema(), &phrase.name, None).is_some()
                    || within(stated, &span).any(says)
                {
                    continue;
                }
                let key = Key { source: DiscoverySource::Phrase, name: phrase.key };
                let seen = ledger.relations.entry(key).or_default();
                let end = |mention: &Mention| letters.written(mention.range.clone()).to_owned();
                let (one, other) = (end(subject), end(object));
                seen.pair(
                    &phrase.name,
                    &End { name: &one, classes: &subject.classes },
                    &End { name: &other, classes: &object.classes },
                    !object.is_value,
                );
                seen.noun |= phrase.noun;
                if let Some(words) = phrase.between.filter(|words| !seen.said.contains(words)) {
                    seen.said.push(words);
                }
                seen.at(document, span.clone());
            }
        }
    }
}

/// What may stand before a name without making another statement of its sentence ("the brother of", "nobody believes that", "in a
/// dream" do): an article, or a date with its preposition.
const BEFORE: &[&str] = &["the", "a", "an", "in", "on", "since", "by", "from", "year"];

/// Whether nothing else stands before a name in its sentence.
fn begins_a_clause(letters: &Letters<'_>, subject: &Mention) -> bool {
    let before = letters.key(0..subject.range.start);
    let dated = |word: &str| word.chars().all(|char| char.is_ascii_digit() || matches!(char, '年' | '月' | '日'));
    let month = |word: &str| MONTHS.iter().any(|(long, short)| word == *long || word == *short);
    let mut words = before.split([' ', ',']).filter(|word| !word.is_empty());
    words.all(|word| BEFORE.contains(&word) || dated(word) || month(word))
}

/// Whether a fact is about these two.
fn is_of(known: &Known<'_>, fact: &Fact, subject: &Mention, object: &Mention) -> bool {
    let find = |iri| known.snapshot.find(iri);
    find(&fact.statement.subject) == subject.entity
        && subject.entity.is_some()
        && match &fact.statement.object {
            Value::Entity(iri) => object.entity.is_some() && find(iri) == object.entity,
            _ => object.is_value,
        }
}
