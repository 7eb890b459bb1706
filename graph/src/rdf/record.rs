//! The record of one piece of evidence: the whole fact as one line of JSON.

use crate::{Calendar, Date, Locator, NewFact, Number, Statement, Value};
use factmask_schema::Iri;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Short keys keep it small, since there is one for each fact.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record<'a> {
    /// Subject, relation, object, qualifiers.
    #[serde(borrow)]
    s: Cow<'a, str>,
    #[serde(borrow)]
    p: Cow<'a, str>,
    o: Stored,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    q: Vec<(String, Stored)>,
    /// First byte and byte behind the last.
    a: (u64, u64),
    /// Page or row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    page: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    row: Option<u32>,
    /// Extractor and confidence.
    #[serde(borrow)]
    x: Cow<'a, str>,
    c: f32,
}

/// A value; the key tells which, so a missing part cannot be taken for another.
#[derive(Serialize, Deserialize)]
enum Stored {
    /// Entity.
    #[serde(rename = "e")]
    Entity(String),
    /// Text and language.
    #[serde(rename = "t")]
    Text(String, Option<String>),
    /// All digits of a number, its unit, and the words as written.
    #[serde(rename = "n")]
    Number(String, Option<String>, Option<String>),
    /// A date in ISO 8601, and the words as written.
    #[serde(rename = "d")]
    Date(String, Option<String>),
    /// The same of a fiscal calendar.
    #[serde(rename = "f")]
    FiscalDate(String, Option<String>),
    #[serde(rename = "b")]
    Boolean(bool),
}

/// A fact as a record.
pub(crate) fn write(fact: &NewFact) -> Result<String, String> {
    let NewFact { statement, span, locator, extractor, confidence } = fact;
    let record = Record {
        s: statement.subject.as_str().into(),
        p: statement.relation.as_str().into(),
        o: store(&statement.object),
        q: statement.qualifiers.iter().map(|(iri, value)| (iri.as_str().to_owned(), store(value))).collect(),
        a: (span.start, span.end),
        page: locator.and_then(|locator| if let Locator::Page(page) = locator { Some(page) } else { None }),
        row: locator.and_then(|locator| if let Locator::Row(row) = locator { Some(row) } else { None }),
        x: extractor.as_str().into(),
        c: *confidence,
    };
    serde_json::to_string(&record).map_err(|error| error.to_string())
}

/// The fact of a record, with its statement in normal form.
pub(crate) fn read(json: &str) -> Result<NewFact, String> {
    let record: Record<'_> = serde_json::from_str(json).map_err(|error| error.to_string())?;
    let qualifiers = record
        .q
        .into_iter()
        .map(|(iri, value)| Ok((Iri::new_unchecked(iri), load(value)?)))
        .collect::<Result<_, String>>()?;
    Ok(NewFact {
        statement: Statement::new(
            Iri::new_unchecked(record.s),
            Iri::new_unchecked(record.p),
            load(record.o)?,
            qualifiers,
        ),
        span: record.a.0..record.a.1,
        locator: record.page.map(Locator::Page).or(record.row.map(Locator::Row)),
        extractor: record.x.into_owned(),
        confidence: record.c,
    })
}

fn store(value: &Value) -> Stored {
    match value {
        Value::Entity(iri) => Stored::Entity(iri.as_str().to_owned()),
        Value::Text { text, lang } => Stored::Text(text.clone(), lang.clone()),
        Value::Number(number) => Stored::Number(number.plain(), number.unit.clone(), number.written.clone()),
        Value::Date(date) => match date.calendar {
            Calendar::Gregorian => Stored::Date(date.iso(), date.written.clone()),
            Calendar::Fiscal => Stored::FiscalDate(date.iso(), date.written.clone()),
        },
        Value::Boolean(truth) => Stored::Boolean(*truth),
    }
}

fn load(stored: Stored) -> Result<Value, String> {
    let date = |iso: String, written, calendar| {
        let date = Date::from_xsd(&iso).ok_or_else(|| format!("{iso:?} is not a date"))?;
        Ok(Value::Date(Date { written, calendar, ..date }))
    };
    match stored {
        Stored::Entity(iri) => Ok(Value::Entity(Iri::new_unchecked(iri))),
        Stored::Text(text, lang) => Ok(Value::Text { text, lang }),
        Stored::Number(digits, unit, written) => {
            let number = Number::parse_plain(&digits).ok_or_else(|| format!("{digits:?} is not a number"))?;
            Ok(Value::Number(Number { unit, written, ..number }))
        }
        Stored::Date(iso, written) => date(iso, written, Calendar::Gregorian),
        Stored::FiscalDate(iso, written) => date(iso, written, Calendar::Fiscal),
        Stored::Boolean(truth) => Ok(Value::Boolean(truth)),
    }
}
