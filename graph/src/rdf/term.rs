//! Values as RDF terms, and what an RDF term cannot say of them.

use crate::value::MAX_SCALE;
use crate::{Calendar, Date, Number, Value};
use factmask_schema::vocabulary::{XSD_BOOLEAN, XSD_DATE, XSD_DECIMAL, XSD_G_YEAR, XSD_G_YEAR_MONTH, XSD_STRING};
use oxigraph::model::{Literal, NamedNode, Term};
use serde::{Deserialize, Serialize};

/// What a value has beyond its term. Short keys, because there is one for nearly every fact.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Detail {
    /// Unit of a number.
    #[serde(rename = "u", default, skip_serializing_if = "Option::is_none")]
    unit: Option<String>,
    /// The words as written.
    #[serde(rename = "w", default, skip_serializing_if = "Option::is_none")]
    written: Option<String>,
    /// Decimal places, where some of them are zeros at the end.
    #[serde(rename = "s", default, skip_serializing_if = "Option::is_none")]
    scale: Option<u32>,
    /// A year is a fiscal one.
    #[serde(rename = "f", default, skip_serializing_if = "std::ops::Not::not")]
    fiscal: bool,
    /// A language tag that RDF does not allow.
    #[serde(rename = "l", default, skip_serializing_if = "Option::is_none")]
    lang: Option<String>,
}

impl Detail {
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A value as a term with its detail; the reason where it is not a value at all.
pub(crate) fn encode(value: &Value) -> Result<(Term, Detail), String> {
    match value {
        Value::Entity(iri) => Ok((iri.clone().into(), Detail::default())),
        Value::Text { text, lang: None } => Ok((Literal::from(text.as_str()).into(), Detail::default())),
        Value::Text { text, lang: Some(lang) } => Ok(match Literal::new_language_tagged_literal(text, lang) {
            Ok(literal) => (literal.into(), Detail::default()),
            Err(_) => (Literal::from(text.as_str()).into(), Detail { lang: Some(lang.clone()), ..Detail::default() }),
        }),
        Value::Number(number) => encode_number(number),
        Value::Date(date) => encode_date(date),
        Value::Boolean(truth) => Ok((Literal::from(*truth).into(), Detail::default())),
    }
}

fn encode_number(number: &Number) -> Result<(Term, Detail), String> {
    if number.scale > MAX_SCALE {
        return Err(format!("a number with {} decimal places; at most {MAX_SCALE} can be stored", number.scale));
    }
    let (mantissa, scale) = number.normalised();
    let detail = Detail {
        unit: number.unit.clone(),
        written: number.written.clone(),
        scale: (number.scale != scale).then_some(number.scale),
        ..Detail::default()
    };
    Ok((typed(Number::new(mantissa, scale).plain(), XSD_DECIMAL), detail))
}

fn encode_date(date: &Date) -> Result<(Term, Detail), String> {
    if !date.is_valid() {
        return Err(format!("{} is not a date; months go from 1 to 12 and days to the end of the month", date.iso()));
    }
    let datatype = match (date.month, date.day) {
        (Some(_), Some(_)) => XSD_DATE,
        (Some(_), None) => XSD_G_YEAR_MONTH,
        (None, _) => XSD_G_YEAR,
    };
    let fiscal = date.calendar == Calendar::Fiscal;
    Ok((typed(date.iso(), datatype), Detail { written: date.written.clone(), fiscal, ..Detail::default() }))
}

/// The value of a term with its detail; the reason where this program would not have written it.
pub(crate) fn decode(term: &Term, detail: Detail) -> Result<Value, String> {
    let literal = match term {
        Term::NamedNode(iri) => return Ok(Value::Entity(iri.clone())),
        Term::Literal(literal) => literal,
        other => return Err(format!("{other} is not a value")),
    };
    let lexical = literal.value();
    if let Some(lang) = literal.language() {
        return Ok(Value::text_in(lang, lexical));
    }
    let value = match literal.datatype().as_str() {
        XSD_STRING => Some(Value::Text { text: lexical.to_owned(), lang: detail.lang }),
        XSD_DECIMAL => Number::parse_plain(lexical).and_then(|number| {
            let number = with_scale(number, detail.scale)?;
            Some(Value::Number(Number { unit: detail.unit, written: detail.written, ..number }))
        }),
        XSD_DATE | XSD_G_YEAR_MONTH | XSD_G_YEAR => Date::from_xsd(lexical).map(|date| {
            let calendar = if detail.fiscal { Calendar::Fiscal } else { Calendar::Gregorian };
            Value::Date(Date { written: detail.written, calendar, ..date })
        }),
        XSD_BOOLEAN => lexical.parse().ok().map(Value::Boolean),
        _ => None,
    };
    value.ok_or_else(|| format!("{term} is not a value that this program writes"))
}

/// The same number with more zeros at the end.
fn with_scale(number: Number, scale: Option<u32>) -> Option<Number> {
    let Some(scale) = scale.filter(|scale| *scale <= MAX_SCALE) else { return Some(number) };
    let factor = 10_i128.checked_pow(scale.checked_sub(number.scale)?);
    // Nothing but zero can have more zeros than fit.
    let mantissa = if number.mantissa == 0 { 0 } else { number.mantissa.checked_mul(factor?)? };
    Some(Number { mantissa, scale, ..number })
}

fn typed(lexical: String, datatype: &str) -> Term {
    Literal::new_typed_literal(lexical, NamedNode::new_unchecked(datatype)).into()
}
