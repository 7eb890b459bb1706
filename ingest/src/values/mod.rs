//! Words to typed values.

mod date;
mod number;
mod numerals;
mod qualifiers;
#[cfg(test)]
mod said_tests;
mod typed;
mod units;

pub(crate) use date::MONTHS;
pub(crate) use factmask_schema::unit::named as unit_named;
pub(crate) use numerals::scale_word;
pub(crate) use qualifiers::{Mention, QualifierWords};
pub(crate) use typed::{ColumnUnit, comparable, guess, values_at, whole, words};

/// Whether a word for a unit (not for what is counted) stands at `at` or behind one space.
pub(crate) fn is_unit_at(letters: &crate::text::Letters<'_>, at: usize) -> bool {
    units::unit_at(letters, letters.skip_space(at))
        .is_some_and(|(unit, _)| unit.kind != factmask_schema::unit::Kind::Count)
}
