//! How two measures stand to each other, where that can be said.

use factmask_graph::{Date, Number, Value};
use std::cmp::Ordering;

/// An amount that was asked for without a unit is meant in that of the facts.
pub(super) fn in_its_unit(than: &Value, value: &Value) -> Value {
    match (than, value) {
        (Value::Number(than), Value::Number(value)) if than.unit.is_none() => {
            Value::Number(Number { unit: value.unit.clone(), ..than.clone() })
        }
        _ => than.clone(),
    }
}

/// What is compared with a year or a month counts to that precision only.
pub(super) fn as_precise(value: &Value, than: &Value) -> Value {
    match (value, than) {
        (Value::Date(date), Value::Date(than)) => Value::Date(Date {
            month: date.month.filter(|_| than.month.is_some()),
            day: date.day.filter(|_| than.day.is_some()),
            ..date.clone()
        }),
        _ => value.clone(),
    }
}

/// How two measures stand to each other; none where they cannot be compared.
pub(super) fn order(one: &Value, other: &Value) -> Option<Ordering> {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => (one.unit == other.unit).then(|| one.cmp_value(other)),
        (Value::Date(one), Value::Date(other)) => order_of_dates(one, other),
        _ => None,
    }
}

/// Of two dates that part where both are known; one that lies within the other is neither before nor after it.
fn order_of_dates(one: &Date, other: &Date) -> Option<Ordering> {
    let parts = |date: &Date| [Some(date.year), date.month.map(i32::from), date.day.map(i32::from)];
    if one.calendar != other.calendar {
        return None;
    }
    for (one, other) in parts(one).into_iter().zip(parts(other)) {
        match (one, other) {
            (Some(one), Some(other)) if one != other => return Some(one.cmp(&other)),
            (Some(_), None) | (None, Some(_)) => return None,
            _ => {}
        }
    }
    Some(Ordering::Equal)
}
