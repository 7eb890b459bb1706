//! Facts in sentences, found by the schema's own wordings.
//!
//! A statement wording ("The capital of {s} is {o}.") is compiled to a pattern: its words must stand in the sentence, and what
//! stands in its slots must be a name of a fitting class, or a value of the right type. The extractor would rather miss a fact than
//! make one up: a sentence that denies, expects or asks states nothing.

mod guard;
mod literal;
mod matcher;
mod objects;
mod pattern;
mod phrases;
mod qualify;
#[cfg(test)]
mod tests;

pub(crate) use pattern::Patterns;

use crate::draft::{Draft, Found, Place};
use crate::learned::learned_facts;
use crate::readers::Reader;
use crate::text::{Decoded, Letters, sentences};
use factmask_graph::{Locator, PlacedText, Statement, Value};
use factmask_schema::Iri;
use matcher::{Match, Matcher, Object, Slot};

/// Whether a sentence asks, or expects, doubts or denies in any of its words. For those who do not know which of its words state what.
pub(crate) fn states_nothing(sentence: &str) -> bool {
    let letters = Letters::new(sentence);
    guard::is_question(&letters) || guard::takes_anything_back(&letters)
}

/// Where a capitalised name that begins at `at` ends, without what says that something is its own. None begins within one, nor with a
/// word that is capitalised because a sentence begins with it.
pub(crate) fn capitalised(letters: &Letters<'_>, at: usize) -> Option<usize> {
    let mut end = phrases::phrase_from(letters, at)?;
    if phrases::phrase_to(letters, end)? != at {
        return None;
    }
    if letters.key(at..end).ends_with("'s") {
        end -= 2;
    }
    phrases::can_be_name(letters, &(at..end), false).then_some(end)
}

/// Whether words can be a name: they deny, expect and say nothing.
pub(crate) fn reads_as_name(words: &str) -> bool {
    let letters = Letters::new(words);
    !guard::is_no_name(&letters, 0, letters.len()) && !guard::takes_anything_back(&letters)
}

/// Extracts the facts of one passage. `context` holds the headings above it, the nearest first.
pub(crate) fn extract(
    reader: &Reader<'_>,
    decoded: &Decoded,
    passage: &PlacedText,
    context: &[&str],
    draft: &mut Draft<'_, '_>,
) {
    if let Some(lessons) = &reader.lessons {
        learned_facts(lessons, decoded, passage, draft);
    }
    for range in sentences(passage.as_str()) {
        let sentence = passage.as_str().get(range.clone()).unwrap_or_default();
        let letters = Letters::new(sentence);
        if guard::is_question(&letters) {
            continue;
        }
        let candidates = reader.patterns.candidates(&letters);
        if candidates.is_empty() {
            continue;
        }
        let matcher =
            Matcher { schema: reader.schema, names: &*draft.names, qualifiers: &reader.qualifiers, letters: &letters };
        let matches = matcher.best(candidates.iter().filter_map(|index| reader.patterns.pattern(*index)));
        let span = passage.source(range);
        let line = decoded.line(span.start);
        for mut found in matches {
            if qualify::is_for_part_of_a_year(&found, reader, &letters) {
                continue;
            }
            let complete = qualify::complete(&mut found, reader, &letters, context);
            let confidence = confidence(&found) * if complete { 1.0 } else { 0.8 };
            write(found, confidence, span.clone(), line, &letters, draft);
        }
    }
}

fn write(
    found: Match,
    confidence: f32,
    span: std::ops::Range<usize>,
    line: u32,
    letters: &Letters<'_>,
    draft: &mut Draft<'_, '_>,
) {
    let subject = entity(&found.subject, found.domain.as_ref(), line, letters, draft);
    for object in &found.objects {
        let object = match object {
            Object::Entity(slot) => Value::Entity(entity(slot, found.range.as_ref(), line, letters, draft)),
            Object::Value(value, _) => value.clone(),
        };
        let qualifiers = found.qualifiers.iter().map(|(iri, mention)| (iri.clone(), mention.value.clone())).collect();
        let statement = Statement { subject: subject.clone(), relation: found.relation.clone(), object, qualifiers };
        draft.fact(
            statement,
            Found { span: span.clone(), locator: Some(Locator::Row(line)), extractor: "wording", confidence },
        );
    }
}

fn entity(slot: &Slot, class: Option<&Iri>, line: u32, letters: &Letters<'_>, draft: &mut Draft<'_, '_>) -> Iri {
    let name = letters.written(slot.range());
    match slot {
        Slot::Known(meant, _) => draft.mention_of_class(meant, name, class, Some(Place::Line(line))),
        Slot::New(_) => draft.entity(name, class, Some(Place::Line(line))),
    }
}

/// How sure it is: names that are known weigh most, and a value read by its type is as good as a known name.
fn confidence(found: &Match) -> f32 {
    let unknown = usize::from(matches!(found.subject, Slot::New(_)))
        + usize::from(found.objects.iter().any(|object| matches!(object, Object::Entity(Slot::New(_)))));
    let bare = found.qualifiers.iter().any(|(_, mention)| !mention.named);
    let base: f32 = match unknown {
        0 => 0.95,
        1 => 0.8,
        _ => 0.6,
    };
    if bare { base - 0.1 } else { base }
}
