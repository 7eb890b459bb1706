//! What may stand in a pattern's object slot.

use super::guard::is_clause_mark;
use super::matcher::{Matcher, Object};
use super::pattern::{Element, Objects, Slots};
use super::phrases::run_from;
use crate::text::is_ideograph;
use crate::values::{is_unit_at, values_at};
use factmask_graph::Value;
use factmask_schema::{Iri, ValueKind, ValueType};

/// Words before the next thing in a list.
const JOINTS: &[&str] =
    &[", and ", ", or ", " and ", " or ", " as well as ", ", ", "以及", "、", "和", "与", "及", "或"];

impl Matcher<'_> {
    /// Objects that begin at `at`, the most likely first.
    pub(super) fn objects_from(&self, at: usize, slots: &Slots<'_>, rest: &[Element]) -> Vec<Object> {
        match slots.objects {
            Objects::Entity(class) => self.names_from(at, class, rest).into_iter().map(Object::Entity).collect(),
            Objects::Value(wanted) => match wanted.kind {
                ValueKind::Text => self.words_from(at, rest),
                ValueKind::Boolean => Vec::new(),
                _ => self.typed(at, wanted, rest),
            },
        }
    }

    /// Objects that end at `end`.
    pub(super) fn objects_to(&self, end: usize, slots: &Slots<'_>) -> Vec<Object> {
        match slots.objects {
            Objects::Entity(class) => self.names_to(end, class).into_iter().map(Object::Entity).collect(),
            Objects::Value(wanted) => (end.saturating_sub(40)..end)
                .filter(|at| self.letters.is_edge(*at))
                .flat_map(|at| self.typed(at, wanted, &[]))
                .filter(|object| object.range().end == end)
                .collect(),
        }
    }

    /// Where the pattern goes on behind an object; quotes around words are passed.
    pub(super) fn behind(&self, object: &Object) -> usize {
        let end = object.range().end;
        match object {
            Object::Value(Value::Text { .. }, _) if is_closing(self.letters.at(end)) => end + 1,
            _ => end,
        }
    }

    fn typed(&self, at: usize, wanted: &ValueType, rest: &[Element]) -> Vec<Object> {
        values_at(self.letters, at, wanted, false)
            .into_iter()
            .filter(|(value, end)| match value {
                Value::Number(number) => self.is_meant(number, wanted, *end, !rest.is_empty()),
                _ => true,
            })
            .map(|(value, end)| Object::Value(value, at..end))
            .collect()
    }

    /// In running text a number with a unit must name it ("covers 5 countries" is no area), and a count must have none ("5% of").
    fn is_meant(&self, number: &factmask_graph::Number, wanted: &ValueType, end: usize, goes_on: bool) -> bool {
        if wanted.unit.is_some() {
            return number.written.is_some() || (goes_on && number.unit.is_some() && !is_unit_at(self.letters, end));
        }
        number.unit.is_none() && !is_unit_at(self.letters, end)
    }

    /// Words: what is quoted, else up to the pattern's next words, else up to the next mark when it is a short name or code.
    fn words_from(&self, at: usize, rest: &[Element]) -> Vec<Object> {
        let letters = self.letters;
        if is_opening(letters.at(at)) {
            let close = (at + 1..letters.len()).find(|place| is_closing(letters.at(*place)));
            return close.filter(|close| *close > at + 1).map(|close| self.words(at + 1, close)).into_iter().collect();
        }
        let last = letters.len().min(at + 60);
        let clean =
            |end: &usize| *end > at && (at..*end).all(|place| !is_clause_mark(letters, place)) && letters.is_edge(*end);
        if let Some(Element::Literal(next)) = rest.first() {
            return (at + 1..=last)
                .filter(|end| next.ends_at(letters, *end).is_some())
                .filter(clean)
                .take(1)
                .map(|end| self.words(at, end))
                .collect();
        }
        let run = run_from(letters, at);
        if is_ideograph(letters.at(at)) {
            return Some(run)
                .filter(|end| clean(end) && end - at <= 20)
                .map(|end| self.words(at, end))
                .into_iter()
                .collect();
        }
        // A code or name: capitals or figures from the first letter on; it ends where small words begin.
        let mut end = at;
        while end < run {
            let stop = (end..run).find(|place| letters.at(*place) == ' ').unwrap_or(run);
            let named = (end..stop).any(|place| letters.is_upper(place) || letters.digit(place).is_some());
            if !named {
                break;
            }
            end = if stop < run { stop + 1 } else { stop };
        }
        let end = if letters.before(end) == ' ' { end.saturating_sub(1) } else { end };
        Some(end).filter(clean).map(|end| self.words(at, end)).into_iter().collect()
    }

    fn words(&self, at: usize, end: usize) -> Object {
        let written = self.letters.written(at..end).split_whitespace().collect::<Vec<_>>().join(" ");
        let lang = written.chars().any(is_ideograph).then(|| "zh".to_owned());
        Object::Value(Value::Text { text: written, lang }, at..end)
    }

    /// The further objects of a list: "A, B and C". Each must be followed by another, or by a mark; "founded by A and B was" is none.
    pub(super) fn listed(&self, slots: &Slots<'_>, from: usize, objects: &mut Vec<Object>) {
        let Objects::Entity(class) = slots.objects else { return };
        let mut pending = Vec::new();
        let mut at = from;
        while let Some(object) = self.next_listed(at, class) {
            at = object.range().end;
            pending.push(object);
            if self.letters.at(at) == '\0' || is_clause_mark(self.letters, at) {
                objects.append(&mut pending);
            }
        }
    }

    fn next_listed(&self, at: usize, class: Option<&Iri>) -> Option<Object> {
        let behind = JOINTS
            .iter()
            .find(|joint| self.letters.key(at..at + joint.chars().count()) == **joint)
            .map(|joint| at + joint.chars().count())?;
        // Only what begins like a name: "and is based in" goes on with a verb.
        self.names_from(behind, class, &[]).into_iter().next().map(Object::Entity)
    }
}

fn is_opening(char: char) -> bool {
    matches!(char, '"' | '“' | '《' | '「' | '『')
}

fn is_closing(char: char) -> bool {
    matches!(char, '"' | '”' | '》' | '」' | '』')
}
