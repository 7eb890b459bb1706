//! Exact numbers as people write them, in English and Chinese.

use super::numerals::{Decimal, body, exponent};
use super::units::{currency_at, unit_at, word_at};
use crate::text::{Letters, is_cjk};
use factmask_graph::Number;
use factmask_schema::{
    normal::fold,
    unit::{Kind, Unit, named},
};

/// Reads the number at `at` in every way it can end, longest first: with its unit, and without (a wording may go on with the
/// unit's word itself: "{o}人"). `expected` is the unit that the schema means.
pub(crate) fn numbers_at(letters: &Letters<'_>, at: usize, expected: Option<&str>) -> Vec<(Number, usize)> {
    let mut found = Vec::new();
    let Some(reading) = read(letters, at) else { return found };
    let want = expected.and_then(named);
    if let Some((unit, end)) = suffix(letters, reading.end, expected) {
        let fits = match (&unit, want) {
            (Suffix::Known(unit), _) if unit.kind == Kind::Count => expected.is_none(),
            (Suffix::Known(unit), Some(want)) => unit.kind == want.kind,
            // The schema counts plain things, or measures in a unit that we have no words for.
            (Suffix::Known(_), None) | (Suffix::Expected, _) => expected.is_none() || matches!(unit, Suffix::Expected),
        };
        let agrees = match (&unit, reading.currency) {
            (Suffix::Known(unit), Some(currency)) => {
                unit.kind == Kind::Currency && unit.symbols.iter().any(|symbol| currency.symbols.contains(symbol))
            }
            (Suffix::Expected, Some(_)) => false,
            (_, None) => true,
        };
        let symbol = match unit {
            Suffix::Known(unit) => unit.symbol(expected),
            Suffix::Expected => expected.map(str::to_owned),
        };
        let certain = matches!(unit, Suffix::Known(Unit { kind: Kind::Count, .. })) || symbol.is_some();
        if fits && agrees && certain && closed(letters, end) {
            found.push((number(letters, at, end, reading.value, symbol, true), end));
        }
        if reading.currency.is_none() && closed(letters, reading.end) {
            // What follows is the wording's business; the unit is the one the schema means.
            found.push((
                number(letters, at, reading.end, reading.value, expected.map(str::to_owned), false),
                reading.end,
            ));
        }
        return found;
    }
    if !closed(letters, reading.end) {
        return found;
    }
    match reading.currency {
        None => found
            .push((number(letters, at, reading.end, reading.value, expected.map(str::to_owned), false), reading.end)),
        Some(currency) => {
            let fits = want.is_none_or(|want| want.kind == currency.kind) && (want.is_some() || expected.is_none());
            if let Some(symbol) = currency.symbol(expected).filter(|_| fits) {
                found.push((number(letters, at, reading.end, reading.value, Some(symbol), true), reading.end));
            }
        }
    }
    found
}

/// A raised digit, which points at a note or is an exponent.
fn is_raised(char: char) -> bool {
    matches!(char, '⁰' | '¹' | '²' | '³' | '⁴'..='⁹')
}

/// A whole cell or literal as a number; "(1,234)" is negative, as in accounts.
pub(crate) fn whole_number(letters: &Letters<'_>, expected: Option<&str>) -> Option<Number> {
    // "1234¹" is folded to 12341.
    let written: Vec<char> = letters.written(0..letters.len()).chars().collect();
    if written.windows(2).any(|pair| matches!(pair, [a, b] if a.is_ascii_digit() && is_raised(*b))) {
        return None;
    }
    let end = letters.len();
    if letters.at(0) == '(' && letters.before(end) == ')' {
        let inner = numbers_at(letters, 1, expected).into_iter().find(|(_, stop)| *stop == end - 1)?;
        let mut number = inner.0;
        number.mantissa = number.mantissa.checked_neg()?;
        number.written = number.written.map(|_| letters.written(0..end).to_owned());
        return Some(number);
    }
    numbers_at(letters, 0, expected).into_iter().find(|(_, stop)| *stop == end).map(|(number, _)| number)
}

fn number(letters: &Letters<'_>, at: usize, end: usize, value: Decimal, unit: Option<String>, said: bool) -> Number {
    // The written words replace number *and* unit when a fact is said, so they are kept only where they hold the unit.
    let written = (said && unit.is_some()).then(|| letters.written(at..end).to_owned());
    Number { mantissa: value.mantissa, scale: value.scale, unit, written }
}

struct Reading {
    value: Decimal,
    currency: Option<&'static Unit>,
    end: usize,
}

/// Sign, currency, digits and scale words.
fn read(letters: &Letters<'_>, at: usize) -> Option<Reading> {
    let mut end = at;
    let mut negative = sign(letters, &mut end);
    let mut currency = None;
    if let Some((unit, behind)) = currency_at(letters, end) {
        currency = Some(unit);
        end = letters.skip_space(behind);
        negative |= sign(letters, &mut end);
    }
    let (mut value, mut end) = match letters.words_at(end, "百分之") {
        Some(behind) => {
            let (value, end) = body(letters, behind, false)?;
            return Some(Reading { value: signed(value, negative), currency: Some(named("%")?), end })
                .filter(|_| currency.is_none());
        }
        None => body(letters, end, currency.is_some())?,
    };
    if currency.is_none() && letters.at(end) == '-' && letters.digit(end + 1).is_some() {
        return None;
    }
    value = signed(value, negative);
    if let Some(behind) = exponent(letters, end) {
        let (power, stop) = behind;
        value = if power >= 0 {
            value.scaled(power.unsigned_abs())?
        } else {
            Decimal { scale: value.scale.checked_add(power.unsigned_abs())?, ..value }
        };
        end = stop;
    }
    (value.scale <= 30).then_some(Reading { value, currency, end })
}

fn signed(value: Decimal, negative: bool) -> Decimal {
    Decimal { mantissa: if negative { -value.mantissa } else { value.mantissa }, scale: value.scale }
}

fn sign(letters: &Letters<'_>, at: &mut usize) -> bool {
    if let Some(end) = letters.words_at(*at, "minus").filter(|_| letters.at(*at + 5) == ' ') {
        *at = end + 1;
        return true;
    }
    if letters.at(*at) == '负' {
        *at += 1;
        return true;
    }
    let negative = letters.at(*at) == '-';
    if negative || letters.at(*at) == '+' {
        *at += 1;
    }
    negative
}

enum Suffix {
    Known(&'static Unit),
    /// The schema's own unit, one that the table does not know.
    Expected,
}

fn suffix(letters: &Letters<'_>, at: usize, expected: Option<&str>) -> Option<(Suffix, usize)> {
    let spaced = match letters.at(at) {
        ' ' | '-' => at + 1,
        _ => at,
    };
    let known = unit_at(letters, spaced);
    let own = expected.map(fold).and_then(|expected| word_at(letters, spaced, &expected));
    match (known, own) {
        (Some((unit, end)), Some(own)) if end >= own => Some((Suffix::Known(unit), end)),
        (_, Some(own)) => Some((Suffix::Expected, own)),
        (Some((unit, end)), None) => Some((Suffix::Known(unit), end)),
        (None, None) => None,
    }
}

/// Whether the number ends here, and does not go on as a word, a range, a version or a rate.
fn closed(letters: &Letters<'_>, end: usize) -> bool {
    let next = letters.at(end);
    let after = letters.at(end + 1);
    let glued = match next {
        '.' | ',' | ':' => after.is_ascii_digit(),
        '-' | '/' | '~' | '+' => after.is_alphanumeric() || is_cjk(after),
        '至' | '到' => after.is_ascii_digit(),
        _ => next.is_alphanumeric() && !is_cjk(next),
    };
    let rate = ["per ", "a share", "times", "percentage points"].iter().any(|word| {
        let at = letters.skip_space(end);
        word.chars().enumerate().all(|(step, char)| letters.at(at + step) == char)
    });
    let multiple = matches!(next, '倍' | '成') || (next == '年' && after != '的');
    !(glued || rate || multiple)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
    use super::*;

    fn show(number: &Number) -> String {
        format!("{}e-{} {}", number.mantissa, number.scale, number.unit.as_deref().unwrap_or("-"))
    }

    #[test]
    fn whole_numbers() {
        for (text, expected, value) in [
            ("29915000000", Some("USD"), "29915000000e-0 USD"),
            ("$29.915 billion", Some("USD"), "29915000000e-0 USD"),
            ("US$ 29.9bn", Some("USD"), "29900000000e-0 USD"),
            ("$5M", Some("USD"), "5000000e-0 USD"),
            ("$5", None, "5e-0 USD"),
            ("299.15亿美元", Some("USD"), "29915000000e-0 USD"),
            ("CNY 164.691 billion", Some("USD"), "164691000000e-0 CNY"),
            ("1646.91亿元人民币", Some("USD"), "164691000000e-0 CNY"),
            ("人民币1646.91亿元", Some("USD"), "164691000000e-0 CNY"),
            ("164.7 billion yuan", Some("USD"), "164700000000e-0 CNY"),
            ("¥100", Some("CNY"), "100e-0 CNY"),
            ("126,012,510人", None, "126012510e-0 -"),
            ("161,000 people", None, "161000e-0 -"),
            ("357,022 km²", Some("km²"), "357022e-0 km²"),
            ("423,970 square kilometres", Some("km²"), "423970e-0 km²"),
            ("17.98万平方公里", Some("km²"), "179800e-0 km²"),
            ("3亿5000万", None, "350000000e-0 -"),
            ("1.5万千克", Some("kg"), "15000e-0 kg"),
            ("5千克", None, "5e-0 kg"),
            ("1.4万亿元", Some("CNY"), "1400000000000e-0 CNY"),
            ("三百二十一", None, "321e-0 -"),
            ("两百万", None, "2000000e-0 -"),
            ("一亿五千万", None, "150000000e-0 -"),
            ("14%", Some("%"), "14e-0 %"),
            ("百分之五十", Some("%"), "50e-0 %"),
            ("-12.50", None, "-1250e-2 -"),
            ("−3", None, "-3e-0 -"),
            ("(1,234)", None, "-1234e-0 -"),
            ("-$3.5 million", Some("USD"), "-3500000e-0 USD"),
            ("1.5E3", None, "1500e-0 -"),
            ("25e-3", None, "25e-3 -"),
            ("10 mg/m2", Some("mg/m2"), "10e-0 mg/m2"),
            ("12.4 months", Some("months"), "124e-1 months"),
            ("1'234'567", None, "1234567e-0 -"),
        ] {
            let letters = Letters::new(text);
            let number = whole_number(&letters, expected).unwrap_or_else(|| panic!("{text}: no number"));
            assert_eq!(show(&number), value, "{text}");
        }
    }

    #[test]
    fn no_numbers() {
        for (text, expected) in [
            ("", None),
            ("abc", None),
            ("14%", Some("USD")),
            ("$5", Some("km²")),
            ("1,23", None),
            ("10-K", None),
            ("5-6%", Some("%")),
            ("1.2.3", None),
            ("3rd", None),
            ("¥5", None),
            ("二〇二三", None),
            ("2023年", None),
            ("10:30", None),
            ("3 times", None),
            ("5倍", None),
            ("$5 per share", Some("USD")),
            ("99999999999999999999999999999999999999999999", None),
            ("1e99", None),
            ("-", None),
        ] {
            let letters = Letters::new(text);
            assert!(whole_number(&letters, expected).is_none(), "{text}");
        }
    }

    #[test]
    fn written_form_is_kept_with_its_unit() {
        for (text, expected, written) in [
            ("$29.9 billion", Some("USD"), Some("$29.9 billion")),
            ("299.15 亿美元", Some("USD"), Some("299.15 亿美元")),
            ("29,915", Some("USD"), None),
            ("161,000人", None, None),
        ] {
            let letters = Letters::new(text);
            assert_eq!(whole_number(&letters, expected).unwrap().written.as_deref(), written, "{text}");
        }
    }
}
