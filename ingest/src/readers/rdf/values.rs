//! From a triple to a fact: values typed by the schema, or by their datatype where no schema declares the relation.

use super::XSD;
use super::describe::add;
use crate::draft::{Draft, Found, Place};
use crate::readers::Reader;
use crate::text::Decoded;
use crate::values::{ColumnUnit, QualifierWords, whole};
use factmask_graph::{Locator, Statement, Value};
use factmask_schema::{Iri, Range as Objects, ValueKind, ValueType, local_name};
use oxrdf::{Literal, NamedOrBlankNode, Term, Triple};
use std::ops::Range;

pub(super) struct Values<'a, 's> {
    pub(super) reader: &'a Reader<'s>,
    pub(super) extractor: &'static str,
    pub(super) decoded: &'a Decoded,
}

impl Values<'_, '_> {
    pub(super) fn fact(
        &self,
        triple: &Triple,
        qualifiers: Vec<(Iri, Value)>,
        span: Option<Range<usize>>,
        draft: &mut Draft<'_, '_>,
    ) {
        let NamedOrBlankNode::NamedNode(subject) = &triple.subject else { return };
        let name = local_name(triple.predicate.as_str());
        if matches!(triple.object, Term::BlankNode(_) | Term::Triple(_)) {
            let place = span.map(|span| Place::Line(self.decoded.line(span.start)));
            let message = format!("a blank node or triple as the object of {name} is left out; give the node an IRI");
            draft.warn(place, message);
            return;
        }
        let Some(span) = span else {
            draft.warn(None, format!("the place of a triple with {name} could not be told; it is left out (write it as a statement of its own)"));
            return;
        };
        let line = self.decoded.line(span.start);
        let Some(object) = self.object(triple, line, draft) else { return };
        self.classify(subject, &triple.predicate, &object, draft);
        let statement = Statement { subject: subject.clone(), relation: triple.predicate.clone(), object, qualifiers };
        draft.fact(
            statement,
            Found { span, locator: Some(Locator::Row(line)), extractor: self.extractor, confidence: 1.0 },
        );
    }

    /// Gives entities that nobody has typed the classes that the relation asks for.
    fn classify(&self, subject: &Iri, relation: &Iri, object: &Value, draft: &mut Draft<'_, '_>) {
        let Some(relation) = self.reader.schema.relations.get(relation) else { return };
        let mut give = |iri: &Iri, class: &Iri| {
            if draft.names.entity(iri).is_some_and(|known| known.classes.is_empty()) {
                draft.describe(iri, |entity| add(&mut entity.classes, class.clone()));
            }
        };
        if let Some(domain) = &relation.domain {
            give(subject, domain);
        }
        if let (Objects::Entity(Some(range)), Value::Entity(object)) = (&relation.range, object) {
            give(object, range);
        }
    }

    fn object(&self, triple: &Triple, line: u32, draft: &mut Draft<'_, '_>) -> Option<Value> {
        let place = Some(Place::Line(line));
        let name = local_name(triple.predicate.as_str());
        let range = self.reader.schema.relations.get(&triple.predicate).map(|relation| &relation.range);
        match (range, &triple.object) {
            (Some(Objects::Value(_)), Term::NamedNode(iri)) => {
                draft.warn(place, format!("{name} takes a value, and <{}> is an IRI; left out", iri.as_str()));
                None
            }
            (_, Term::NamedNode(iri)) => Some(Value::Entity(iri.clone())),
            (Some(Objects::Entity(class)), Term::Literal(words)) => {
                Some(Value::Entity(draft.entity(words.value(), class.as_ref(), place)))
            }
            (Some(Objects::Value(wanted)), Term::Literal(words)) => {
                let value = typed(words, wanted, false);
                if value.is_none() {
                    draft.warn(
                        place,
                        format!(
                            "\"{}\" is no value for {name}; left out (see the relation's range and unit)",
                            words.value()
                        ),
                    );
                }
                value
            }
            (None, Term::Literal(words)) => Some(by_datatype(words)),
            // Told before.
            (_, Term::BlankNode(_) | Term::Triple(_)) => None,
        }
    }

    pub(super) fn qualifier(
        &self,
        words: &QualifierWords,
        object: &Term,
        span: Option<&Range<usize>>,
        draft: &mut Draft<'_, '_>,
    ) -> Option<Value> {
        let value = match object {
            Term::Literal(literal) => typed(literal, &words.qualifier.value, words.qualifier.fiscal),
            _ => None,
        };
        if value.is_none() {
            let place = span.map(|span| Place::Line(self.decoded.line(span.start)));
            draft.warn(
                place,
                format!("{object} is no value for the qualifier {}; the fact goes without it", words.slot),
            );
        }
        value
    }
}

fn typed(words: &Literal, wanted: &ValueType, fiscal: bool) -> Option<Value> {
    match wanted.kind {
        ValueKind::Text => Some(words_of(words)),
        _ => whole(words.value(), wanted, fiscal, &ColumnUnit::default()),
    }
}

fn words_of(words: &Literal) -> Value {
    Value::Text { text: words.value().to_owned(), lang: words.language().map(str::to_lowercase) }
}

/// A literal of a relation that no schema declares.
fn by_datatype(words: &Literal) -> Value {
    let kind = match words.datatype().as_str().strip_prefix(XSD) {
        Some(
            "decimal" | "integer" | "double" | "float" | "int" | "long" | "short" | "byte" | "nonNegativeInteger"
            | "positiveInteger" | "negativeInteger" | "nonPositiveInteger" | "unsignedInt" | "unsignedLong"
            | "unsignedShort" | "unsignedByte",
        ) => ValueKind::Number,
        Some("date" | "dateTime" | "dateTimeStamp" | "gYearMonth") => ValueKind::Date,
        Some("gYear") => ValueKind::Year,
        Some("boolean") => ValueKind::Boolean,
        _ => ValueKind::Text,
    };
    typed(words, &ValueType { kind, unit: None }, false).unwrap_or_else(|| words_of(words))
}
