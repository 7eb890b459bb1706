//! Dates of stated precision.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// A date of stated precision; equal when everything but the written form is. Ordered by time, a less precise date before
/// the dates that it contains.
#[derive(Clone, Debug)]
pub struct Date {
    /// Year (negative before the common era).
    pub year: i32,
    /// 1 to 12, where the precision is month or day.
    pub month: Option<u8>,
    /// 1 to 31, where the precision is day.
    pub day: Option<u8>,
    /// A fiscal year is not a calendar year.
    pub calendar: Calendar,
    /// The words as the source wrote them.
    pub written: Option<String>,
}

/// How exactly a date is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precision {
    /// Year alone.
    Year,
    /// Year and month.
    Month,
    /// Year, month and day.
    Day,
}

/// Which calendar a year belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Calendar {
    /// The civil calendar.
    #[default]
    Gregorian,
    /// A company's fiscal year.
    Fiscal,
}

impl Date {
    /// A year of the civil calendar.
    pub fn from_year(year: i32) -> Self {
        Self { year, month: None, day: None, calendar: Calendar::Gregorian, written: None }
    }

    /// A fiscal year.
    pub fn fiscal_year(year: i32) -> Self {
        Self { calendar: Calendar::Fiscal, ..Self::from_year(year) }
    }

    /// A date of the civil calendar; `None` where there is no such day.
    pub fn new(year: i32, month: Option<u8>, day: Option<u8>) -> Option<Self> {
        let date = Self { month, day, ..Self::from_year(year) };
        date.is_valid().then_some(date)
    }

    /// The same with the words that the source used; they are kept only where they differ from [`Date::iso`].
    pub fn with_written(mut self, written: impl Into<String>) -> Self {
        let written = written.into();
        self.written = (!written.is_empty() && written != self.iso()).then_some(written);
        self
    }

    /// The same in another calendar.
    pub fn in_calendar(mut self, calendar: Calendar) -> Self {
        self.calendar = calendar;
        self
    }

    /// Reads the lexical form of `xsd:date`, `xsd:dateTime`, `xsd:gYearMonth` or `xsd:gYear`. A time of day and a time zone
    /// are left out. `None` for anything else and for days that do not exist.
    pub fn from_xsd(lexical: &str) -> Option<Self> {
        let lexical = lexical.trim();
        let (day, time) = match lexical.split_once('T') {
            Some((day, time)) => (day, Some(time)),
            None => (lexical, None),
        };
        if time.is_some_and(|time| !time.starts_with(|char: char| char.is_ascii_digit())) {
            return None;
        }
        let (negative, digits) = match day.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, day),
        };
        let digits = without_zone(digits);
        let mut parts = digits.split('-');
        let year = number(parts.next()?, 4)?;
        let month = optional(parts.next())?;
        let day = optional(parts.next())?;
        if parts.next().is_some() || (time.is_some() && day.is_none()) {
            return None;
        }
        Self::new(if negative { year.checked_neg()? } else { year }, month, day)
    }

    /// How exactly it is known.
    pub fn precision(&self) -> Precision {
        match (self.month, self.day) {
            (Some(_), Some(_)) => Precision::Day,
            (Some(_), None) => Precision::Month,
            (None, _) => Precision::Year,
        }
    }

    /// ISO 8601 to its precision: `2023`, `2023-09`, `2023-09-30`.
    pub fn iso(&self) -> String {
        let sign = if self.year < 0 { "-" } else { "" };
        let year = format!("{sign}{:04}", self.year.unsigned_abs());
        match (self.month, self.day) {
            (Some(month), Some(day)) => format!("{year}-{month:02}-{day:02}"),
            (Some(month), None) => format!("{year}-{month:02}"),
            (None, _) => year,
        }
    }

    /// Whether there is such a day, month or year.
    pub fn is_valid(&self) -> bool {
        match (self.month, self.day) {
            (None, None) => true,
            (Some(month), None) => (1..=12).contains(&month),
            (Some(month), Some(day)) => (1..=days(self.year, month)).contains(&day),
            (None, Some(_)) => false,
        }
    }

    fn key(&self) -> (i32, Option<u8>, Option<u8>, Calendar) {
        (self.year, self.month, self.day, self.calendar)
    }
}

/// Days of a month in the proleptic Gregorian calendar; none for a month that does not exist.
fn days(year: i32, month: u8) -> u8 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year.rem_euclid(4) == 0 && (year.rem_euclid(100) != 0 || year.rem_euclid(400) == 0) => 29,
        2 => 28,
        _ => 0,
    }
}

/// Without `Z`, `+02:00` or `-05:00` at the end.
fn without_zone(text: &str) -> &str {
    let text = text.strip_suffix('Z').unwrap_or(text);
    let offset = |text: &str| {
        let Some((hours, minutes)) = text.split_once(':') else { return false };
        hours.len() == 3 && minutes.len() == 2 && hours.starts_with(['+', '-'])
    };
    match text.len().checked_sub(6).and_then(|cut| text.split_at_checked(cut)) {
        Some((day, zone)) if offset(zone) => day,
        _ => text,
    }
}

fn number(digits: &str, least: usize) -> Option<i32> {
    let plain = digits.len() >= least && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| digits.parse().ok()).flatten()
}

/// A two-digit part that may be missing; `None` where it is there and wrong.
fn optional(digits: Option<&str>) -> Option<Option<u8>> {
    match digits {
        None => Some(None),
        Some(digits) if digits.len() == 2 => number(digits, 2).and_then(|value| u8::try_from(value).ok()).map(Some),
        Some(_) => None,
    }
}

impl PartialEq for Date {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Date {}

impl Hash for Date {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl Ord for Date {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for Date {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
mod tests {
    use super::*;

    #[test]
    fn reads_xsd() {
        for (lexical, expected) in [
            ("2023", Some("2023")),
            ("2023-09", Some("2023-09")),
            ("2023-09-30", Some("2023-09-30")),
            ("2023-09-30Z", Some("2023-09-30")),
            ("2023-09-30-05:00", Some("2023-09-30")),
            ("2023+14:00", Some("2023")),
            ("2023-09-30T12:00:00Z", Some("2023-09-30")),
            ("-0044-03-15", Some("-0044-03-15")),
            ("12023", Some("12023")),
            ("2024-02-29", Some("2024-02-29")),
            ("2023-02-29", None),
            ("1900-02-29", None),
            ("2000-02-29", Some("2000-02-29")),
            ("2023-13", None),
            ("2023-00-01", None),
            ("2023-1-1", None),
            ("23", None),
            ("", None),
            ("-", None),
            ("2023-09-30-01", None),
            ("2023-09T12:00:00", None),
            ("2023-09-30Tnoon", None),
            ("99999999999", None),
            ("二〇二三", None),
        ] {
            assert_eq!(Date::from_xsd(lexical).map(|date| date.iso()).as_deref(), expected, "{lexical}");
        }
    }

    #[test]
    fn ordered_by_time() {
        let sorted = ["-0044-03-15", "0999", "2022-12-31", "2023", "2023-01", "2023-01-01", "2023-02", "2024"];
        let mut dates: Vec<Date> = sorted.iter().rev().map(|text| Date::from_xsd(text).unwrap()).collect();
        dates.sort();
        assert_eq!(dates.iter().map(Date::iso).collect::<Vec<_>>(), sorted);
        assert_ne!(Date::from_year(2023), Date::fiscal_year(2023));
        assert_eq!(Date::from_year(2023).with_written("2023年"), Date::from_year(2023));
    }
}
