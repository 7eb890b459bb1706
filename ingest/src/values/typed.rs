//! Values of the type that the schema asks for.

use super::date::{dates_at, whole_date, years_at};
use super::number::{numbers_at, whole_number};
use super::numerals::Decimal;
use crate::text::{Letters, is_cjk};
use factmask_graph::{Calendar, Number, Value};
use factmask_schema::unit::named;
use factmask_schema::{ValueKind, ValueType};

/// What a column's header says of all its numbers: "Revenue (million USD)".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ColumnUnit {
    /// The unit in the schema's words, where the header names one.
    pub(crate) unit: Option<String>,
    /// Power of ten that each number is multiplied with.
    pub(crate) power: u32,
}

/// The whole of `text` as a value of type `wanted`; `fiscal` for years of a fiscal calendar. `None` when it is no such value.
pub(crate) fn whole(text: &str, wanted: &ValueType, fiscal: bool, column: &ColumnUnit) -> Option<Value> {
    let letters = Letters::new(text);
    let end = letters.len();
    match wanted.kind {
        ValueKind::Text => Some(words(text)),
        ValueKind::Boolean => boolean(&letters.key(0..end)).map(Value::Boolean),
        ValueKind::Date => whole_date(&letters).map(Value::Date),
        ValueKind::Year => {
            let calendar = if fiscal { Calendar::Fiscal } else { Calendar::Gregorian };
            let found = fiscal_prefix(&letters)
                .map_or_else(|| years_at(&letters, 0, calendar), |at| years_at(&letters, at, calendar));
            found
                .into_iter()
                .find(|(_, stop)| *stop == end || closes_year(&letters, *stop))
                .map(|(date, _)| Value::Date(date))
        }
        ValueKind::Number => {
            let unit = column.unit.as_deref().or(wanted.unit.as_deref());
            let number = whole_number(&letters, unit)?;
            // "2.1 m" are millions or metres, and where no unit is meant nobody has said which.
            if unit.is_none() && number.unit.as_deref() == Some("m") {
                return None;
            }
            let Decimal { mantissa, scale } = if number.written.is_none() || has_only_a_currency(text) {
                Decimal { mantissa: number.mantissa, scale: number.scale }.scaled(column.power)?
            } else {
                // The cell names its own unit and scale, so the header's scale is not meant for it.
                Decimal { mantissa: number.mantissa, scale: number.scale }
            };
            Some(Value::Number(Number { mantissa, scale, ..number }))
        }
    }
}

/// Whether a number stands beside a currency and no word of scale: "$1,000" in a column of millions is a thousand millions.
fn has_only_a_currency(text: &str) -> bool {
    let sign = |char: char| matches!(char, '$' | '€' | '£' | '¥' | '￥');
    let letters: String = text.chars().filter(|char| char.is_alphabetic()).collect();
    let code = letters.len() <= 3
        && letters.chars().all(|char| char.is_ascii_uppercase())
        && !matches!(letters.as_str(), "M" | "MM" | "K" | "B" | "BN");
    code && (text.contains(sign) || letters.len() == 3)
}

/// Values of type `wanted` that begin at `at`, each with its end, the longest first. Text is left to the caller, who knows where it ends.
pub(crate) fn values_at(letters: &Letters<'_>, at: usize, wanted: &ValueType, fiscal: bool) -> Vec<(Value, usize)> {
    match wanted.kind {
        ValueKind::Number => numbers_at(letters, at, wanted.unit.as_deref())
            .into_iter()
            .map(|(number, end)| (Value::Number(number), end))
            .collect(),
        ValueKind::Date => dates_at(letters, at).into_iter().map(|(date, end)| (Value::Date(date), end)).collect(),
        ValueKind::Year => {
            let calendar = if fiscal { Calendar::Fiscal } else { Calendar::Gregorian };
            years_at(letters, at, calendar).into_iter().map(|(date, end)| (Value::Date(date), end)).collect()
        }
        ValueKind::Boolean | ValueKind::Text => Vec::new(),
    }
}

/// A value where no schema says what it is: a number, a date, else words.
pub(crate) fn guess(text: &str) -> Value {
    let letters = Letters::new(text);
    if let Some(number) = whole_number(&letters, None) {
        return Value::Number(number);
    }
    match whole_date(&letters).filter(|date| date.month.is_some()) {
        Some(date) => Value::Date(date),
        None => words(text),
    }
}

/// Words with the language that their script tells.
pub(crate) fn words(text: &str) -> Value {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Value::Text { lang: text.chars().any(is_cjk).then(|| "zh".to_owned()), text }
}

fn boolean(word: &str) -> Option<bool> {
    match word {
        "true" | "yes" | "y" | "1" | "是" | "有" => Some(true),
        "false" | "no" | "n" | "0" | "否" | "无" => Some(false),
        _ => None,
    }
}

/// "FY2023", "FY 2023", "fiscal 2023".
fn fiscal_prefix(letters: &Letters<'_>) -> Option<usize> {
    let prefixes = ["fy", "fiscal year", "fiscal", "financial year"];
    prefixes.iter().find_map(|prefix| {
        let end = prefix.chars().count();
        let here = letters.key(0..end) == *prefix;
        let at = letters.skip_space(end);
        (here && (letters.digit(at).is_some())).then_some(at)
    })
}

/// "2023财年", "2023年度", "2023 fiscal year".
fn closes_year(letters: &Letters<'_>, at: usize) -> bool {
    let rest = letters.key(at..letters.len());
    matches!(rest.trim(), "财年" | "财政年度" | "会计年度" | "度" | "fiscal year" | "fy")
}

/// Whether a unit's words mean the schema's unit or one that can stand for it (another currency for a currency).
pub(crate) fn comparable(unit: &str, expected: Option<&str>) -> bool {
    match (named(unit), expected.map(|expected| (expected, named(expected)))) {
        (_, None) => true,
        (Some(unit), Some((_, Some(expected)))) => unit.kind == expected.kind,
        (_, Some((expected, _))) => factmask_schema::normal::fold(unit) == factmask_schema::normal::fold(expected),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
    use super::*;

    #[test]
    fn whole_values() {
        let number = |unit: Option<&str>| ValueType { kind: ValueKind::Number, unit: unit.map(str::to_owned) };
        let year = ValueType { kind: ValueKind::Year, unit: None };
        let boolean = ValueType { kind: ValueKind::Boolean, unit: None };
        let millions = ColumnUnit { unit: None, power: 6 };
        let none = ColumnUnit::default();
        for (text, wanted, column, expected) in [
            ("383,285", number(Some("USD")), &millions, "383285000000 USD"),
            ("29.915", number(Some("USD")), &millions, "29915000 USD"),
            ("$5 billion", number(Some("USD")), &millions, "5000000000 USD"),
            ("FY2023", year.clone(), &none, "year 2023"),
            ("FY 2023", year.clone(), &none, "year 2023"),
            ("fiscal 2023", year.clone(), &none, "year 2023"),
            ("2023财年", year.clone(), &none, "year 2023"),
            ("2023年", year.clone(), &none, "year 2023"),
            ("二〇二三年", year.clone(), &none, "year 2023"),
            ("2023", year, &none, "year 2023"),
            ("Yes", boolean.clone(), &none, "true"),
            ("否", boolean, &none, "false"),
        ] {
            let shown = match whole(text, &wanted, true, column) {
                Some(Value::Number(number)) if number.scale == 0 => {
                    format!("{} {}", number.mantissa, number.unit.unwrap_or_default())
                }
                Some(Value::Date(date)) => format!("year {}", date.year),
                Some(Value::Boolean(value)) => value.to_string(),
                other => format!("{other:?}"),
            };
            assert_eq!(shown, expected, "{text}");
        }
    }
}
