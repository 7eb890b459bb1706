//! What the graph says is what we read: a number or date in either language, read back, is the same value.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use super::date::whole_date;
use super::number::whole_number;
use crate::text::Letters;
use factmask_graph::{Date, Number};
use proptest::prelude::*;
use proptest::sample::select;

/// Every unit that has words in both languages, and none. "5年" is left out: the reader takes it for a point in time.
const UNITS: &[&str] = &[
    "", "USD", "EUR", "GBP", "CNY", "JPY", "HKD", "TWD", "KRW", "INR", "CHF", "CAD", "AUD", "SEK", "DKK", "%", "km²",
    "mi²", "m²", "ha", "km", "m", "cm", "mm", "mi", "t", "kg", "g", "mg", "months", "days", "hours", "minutes",
];

const LANGUAGES: &[&str] = &["en", "zh"];

fn read_back(number: &Number, lang: &str) -> Result<(), TestCaseError> {
    let said = number.said(lang);
    let read = whole_number(&Letters::new(&said), number.unit.as_deref());
    prop_assert_eq!(read.as_ref(), Some(number), "{}", said);
    Ok(())
}

proptest! {
    #[test]
    fn any_number(
        mantissa in -10_i128.pow(20)..10_i128.pow(20),
        scale in 0_u32..6,
        unit in select(UNITS),
        lang in select(LANGUAGES),
    ) {
        read_back(&Number::new(mantissa, scale).with_unit(unit), lang)?;
    }

    /// Round numbers, which are said with scale words.
    #[test]
    fn round_numbers(
        digits in -99_999_i128..100_000,
        power in 0_u32..14,
        unit in select(UNITS),
        lang in select(LANGUAGES),
    ) {
        read_back(&Number::new(digits * 10_i128.pow(power), 0).with_unit(unit), lang)?;
    }

    /// A number that is said in the other language than it was written in.
    #[test]
    fn numbers_from_the_other_language(digits in 1_i128..100_000, power in 0_u32..14, unit in select(UNITS)) {
        let number = Number::new(digits * 10_i128.pow(power), 0).with_unit(unit);
        for (from, to) in [("en", "zh"), ("zh", "en")] {
            let written = number.clone().with_written(number.said(from));
            let said = written.said(to);
            let read = whole_number(&Letters::new(&said), number.unit.as_deref());
            prop_assert_eq!(read.as_ref(), Some(&number), "{} {}", written.said(from), said);
        }
    }

    #[test]
    fn any_date(year in 1000_i32..10_000, month in 1_u8..13, day in proptest::option::of(1_u8..29)) {
        let date = Date::new(year, Some(month), day).unwrap();
        for lang in ["en", "zh"] {
            let said = date.said(lang);
            let read = whole_date(&Letters::new(&said));
            prop_assert_eq!(read.as_ref(), Some(&date), "{}", said);
        }
    }
}
