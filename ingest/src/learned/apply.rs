//! What was learned, against one passage of a document.

use super::{Lessons, tokens::Text};
use crate::draft::{Draft, Found, Place};
use crate::extract::states_nothing;
use crate::table::find_relation;
use crate::text::{Decoded, sentences};
use crate::values::{ColumnUnit, whole};
use factmask_graph::{Locator, PlacedText, Statement, Value};
use factmask_schema::Range as Wanted;

/// What evidence records call it.
const EXTRACTOR: &str = "learned";

/// Adds the facts of a passage that are sure enough.
pub(crate) fn learned_facts(lessons: &Lessons, decoded: &Decoded, passage: &PlacedText, draft: &mut Draft<'_, '_>) {
    let (extractor, bar) = (&lessons.learned().0, lessons.bar());
    let text = Text::new(passage.as_str());
    if text.tokens.is_empty() || bar > 1.0 {
        return;
    }
    let sentences = sentences(passage.as_str());
    for fact in extractor.facts(&text, bar) {
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
        let value = match &relation.range {
            Wanted::Entity(class) => Value::Entity(draft.entity(written, class.as_ref(), place)),
            Wanted::Value(wanted) => match whole(written, wanted, false, &ColumnUnit::default()) {
                Some(value) => value,
                None => continue,
            },
        };
        let subject = draft.entity(text.written(&fact.subject), relation.domain.as_ref(), place);
        let statement = Statement { subject, relation: relation.iri.clone(), object: value, qualifiers: Vec::new() };
        let locator = Some(Locator::Row(line));
        draft.fact(statement, Found { span, locator, extractor: EXTRACTOR, confidence: fact.probability });
    }
}
