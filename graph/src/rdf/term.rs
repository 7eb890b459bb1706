//! Values as the RDF terms that SPARQL sees.

use crate::{Number, Value};
use factmask_schema::vocabulary::{XSD_DATE, XSD_DECIMAL, XSD_G_YEAR, XSD_G_YEAR_MONTH};
use oxigraph::model::{Literal, NamedNode, Term};

/// The nearest term: equal values have equal terms, and values that differ in unit or calendar alone have too.
pub(crate) fn of(value: &Value) -> Term {
    match value {
        Value::Entity(iri) => iri.clone().into(),
        Value::Text { text, lang } => words(text, lang.as_deref().unwrap_or_default()).into(),
        Value::Number(number) => {
            let (mantissa, scale) = number.normalised();
            typed(Number::new(mantissa, scale).plain(), XSD_DECIMAL)
        }
        Value::Date(date) => {
            let datatype = match (date.month, date.day) {
                (Some(_), Some(_)) => XSD_DATE,
                (Some(_), None) => XSD_G_YEAR_MONTH,
                (None, _) => XSD_G_YEAR,
            };
            typed(date.iso(), datatype)
        }
        Value::Boolean(truth) => Literal::from(*truth).into(),
    }
}

/// Words in a language; with a tag that RDF does not allow they stand without one.
pub(crate) fn words(text: &str, lang: &str) -> Literal {
    match lang {
        "" => Literal::from(text),
        lang => Literal::new_language_tagged_literal(text, lang).unwrap_or_else(|_| Literal::from(text)),
    }
}

fn typed(lexical: String, datatype: &str) -> Term {
    Literal::new_typed_literal(lexical, NamedNode::new_unchecked(datatype)).into()
}
