//! What was learned, against one passage of a document.

use super::{Aim, Lessons, tokens::Text};
use crate::draft::{Draft, Found, Place};
use crate::extract::{reads_as_name, states_nothing};
use crate::table::find_relation;
use crate::text::{Decoded, sentences};
use crate::values::{ColumnUnit, scale_word, whole};
use factmask_graph::{Locator, PlacedText, Statement, Value};
use factmask_schema::{Iri, Range as Wanted};

/// What evidence records call it.
const EXTRACTOR: &str = "learned";

/// A sentence with more tokens is none that people wrote.
const LONGEST: usize = 400;

/// Adds the facts of a passage that are sure enough: sentence by sentence, or all at once where the lessons look across sentences.
pub(crate) fn learned_facts(lessons: &Lessons, decoded: &Decoded, passage: &PlacedText, draft: &mut Draft<'_, '_>) {
    if lessons.bar() > 1.0 {
        return;
    }
    let ranges = sentences(passage.as_str());
    match lessons.aim {
        Aim::Precision(_) => {
            for range in ranges {
                read(lessons, decoded, &passage.slice(range), draft);
            }
        }
        Aim::Balance => read(lessons, decoded, passage, draft),
    }
}

fn read(lessons: &Lessons, decoded: &Decoded, passage: &PlacedText, draft: &mut Draft<'_, '_>) {
    let extractor = &lessons.learned().0;
    let text = Text::new(passage.as_str());
    if text.tokens.is_empty() || text.tokens.len() > LONGEST {
        return;
    }
    let sentences = sentences(passage.as_str());
    for fact in extractor.facts(&text, lessons.bar()) {
        let Some((subject, object)) = text.bytes(&fact.subject).zip(text.bytes(&fact.object)) else { continue };
        // The sentences that say it: from the one of the first mention to that of the second.
        let (first, last) = (subject.start.min(object.start), subject.end.max(object.end));
        let said = sentences.iter().filter(|sentence| sentence.start < last && first < sentence.end);
        let Some(said) = said.cloned().reduce(|all, next| all.start..next.end) else { continue };
        if states_nothing(passage.as_str().get(said.clone()).unwrap_or_default()) {
            continue;
        }
        let schema = draft.schema;
        let Some(relation) = extractor.relations.get(fact.relation).and_then(|name| find_relation(schema, name, None))
        else {
            continue;
        };
        let span = passage.source(said);
        let line = decoded.line(span.start);
        let place = Some(Place::Line(line));
        let written = text.written(&fact.object);
        let subject_written = text.written(&fact.subject);
        if !can_be(subject_written, relation.domain.as_ref(), draft) {
            continue;
        }
        let value = match &relation.range {
            Wanted::Entity(class) if can_be(written, class.as_ref(), draft) => {
                Value::Entity(draft.entity(written, class.as_ref(), place))
            }
            Wanted::Entity(_) => continue,
            Wanted::Value(wanted) => {
                let value =
                    stands_alone(&text, &fact.object).then(|| whole(written, wanted, false, &ColumnUnit::default()));
                let Some(value) = value.flatten() else { continue };
                value
            }
        };
        let subject = draft.entity(subject_written, relation.domain.as_ref(), place);
        let statement = Statement { subject, relation: relation.iri.clone(), object: value, qualifiers: Vec::new() };
        let locator = Some(Locator::Row(line));
        draft.fact(statement, Found { span, locator, extractor: EXTRACTOR, confidence: fact.probability });
    }
}

/// Whether these words can name something of a class: what is known by this name is, and they read as a name. Where no class is meant
/// anything can be.
fn can_be(words: &str, class: Option<&Iri>, draft: &Draft<'_, '_>) -> bool {
    let Some(class) = class else { return true };
    if !words.contains(char::is_alphabetic) || !reads_as_name(words) {
        return false;
    }
    let known = draft.names.meant(words, None);
    let classes = known.map(|known| known.entity.classes.clone()).unwrap_or_default();
    classes.is_empty() || classes.iter().any(|own| draft.schema.is_a(own, class) || draft.schema.is_a(class, own))
}

/// Whether a number or date is all of what the text says there: no scale, sign, bound or further digits beside it.
fn stands_alone(text: &Text<'_>, object: &std::ops::Range<usize>) -> bool {
    let before = text.word(object.start, -1);
    let (behind, next) = (text.word(object.end, 0), text.word(object.end, 1));
    let number = |word: &str| word.starts_with(|char: char| char.is_ascii_digit());
    let bound = matches!(
        before,
        "than"
            | "over"
            | "under"
            | "about"
            | "around"
            | "nearly"
            | "almost"
            | "least"
            | "most"
            | "to"
            | "-"
            | "−"
            | "–"
            | "not"
            | "approximately"
            | "约"
            | "近"
            | "超"
            | "过"
            | "达"
    );
    let goes_on = scale_word(behind).is_some()
        || number(behind)
        || number(before)
        || (matches!(behind, "," | "." | "-" | "–" | "/") && number(next))
        || matches!(behind, "of" | "s" | "bc" | "bce" | "%" | "万" | "亿" | "千" | "百" | "余" | "多");
    !bound && !goes_on
}
