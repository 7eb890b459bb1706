//! The canonical bytes of a statement, which its id is the hash of.
//!
//! Every field stands behind its length, so that no two statements share their bytes. What does not change the claim (the
//! words as written, zeros at the end of a fraction) is left out. Changing this changes every fact's id: it is part of the
//! format version.

use crate::{Calendar, Statement, Value};

pub(crate) fn bytes(statement: &Statement) -> Vec<u8> {
    let mut out = Vec::with_capacity(256);
    field(&mut out, statement.subject.as_str());
    field(&mut out, statement.relation.as_str());
    value(&mut out, &statement.object);
    let mut qualifiers: Vec<_> = statement.qualifiers.iter().collect();
    qualifiers.sort();
    qualifiers.dedup();
    for (iri, qualifier) in qualifiers {
        field(&mut out, iri.as_str());
        value(&mut out, qualifier);
    }
    out
}

fn value(out: &mut Vec<u8>, value: &Value) {
    match value {
        Value::Entity(iri) => {
            out.push(b'e');
            field(out, iri.as_str());
        }
        Value::Text { text, lang } => {
            out.push(b't');
            field(out, text);
            field(out, &lang.as_deref().unwrap_or_default().to_lowercase());
        }
        Value::Number(number) => {
            out.push(b'n');
            let (mantissa, scale) = number.normalised();
            out.extend(mantissa.to_be_bytes());
            out.extend(scale.to_be_bytes());
            field(out, number.unit.as_deref().unwrap_or_default());
        }
        Value::Date(date) => {
            out.push(b'd');
            out.extend(date.year.to_be_bytes());
            out.push(date.month.unwrap_or(0));
            out.push(date.day.unwrap_or(0));
            out.push(match date.calendar {
                Calendar::Gregorian => b'g',
                Calendar::Fiscal => b'f',
            });
        }
        Value::Boolean(truth) => out.extend([b'b', u8::from(*truth)]),
    }
}

fn field(out: &mut Vec<u8>, text: &str) {
    // Widening: a length fits into 64 bits.
    out.extend((text.len() as u64).to_be_bytes());
    out.extend(text.as_bytes());
}
