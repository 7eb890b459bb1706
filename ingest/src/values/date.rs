//! Dates and years as people write them, in English and Chinese.

use super::numerals::chinese_digit;
use crate::text::{Letters, is_cjk};
use factmask_graph::{Calendar, Date};

/// English months, long and short.
pub(crate) const MONTHS: [(&str, &str); 12] = [
    ("january", "jan"),
    ("february", "feb"),
    ("march", "mar"),
    ("april", "apr"),
    ("may", "may"),
    ("june", "jun"),
    ("july", "jul"),
    ("august", "aug"),
    ("september", "sep"),
    ("october", "oct"),
    ("november", "nov"),
    ("december", "dec"),
];

/// Reads the date at `at` in every way it can end, longest first: "1976年" is a year with its word and a year without.
pub(crate) fn dates_at(letters: &Letters<'_>, at: usize) -> Vec<(Date, usize)> {
    let mut found: Vec<(Date, usize)> =
        [numeric(letters, at), english(letters, at), chinese(letters, at), iso_month(letters, at)]
            .into_iter()
            .flatten()
            .filter(|(_, end)| closed(letters, *end))
            .collect();
    found.extend(years_at(letters, at, Calendar::Gregorian));
    found.sort_by_key(|(_, end)| std::cmp::Reverse(*end));
    found.dedup_by_key(|(_, end)| *end);
    found
}

/// Reads the year at `at`: "2023", "2023年", "二〇二三年", "AD 79", "221 BC", "公元前221年".
pub(crate) fn years_at(letters: &Letters<'_>, at: usize, calendar: Calendar) -> Vec<(Date, usize)> {
    let mut found = Vec::new();
    let before_common_era = letters.words_at(at, "公元前");
    let start = before_common_era.or_else(|| letters.words_at(at, "公元")).unwrap_or(at);
    let Some((year, end)) = year_digits(letters, start, before_common_era.is_some()) else { return found };
    let year = if before_common_era.is_some() { -year } else { year };
    let date = |year: i32| Date { year, month: None, day: None, calendar, written: None };
    if letters.at(end) == '年' && !matches!(letters.at(end + 1), '代' | '间') {
        found.push((date(year), end + 1));
    }
    for era in ["bc", "bce"] {
        if let Some(stop) = letters.words_at(letters.skip_space(end), era) {
            return vec![(date(-year), stop)];
        }
    }
    if before_common_era.is_none() && closed(letters, end) {
        found.push((date(year), end));
    }
    found
}

/// A whole cell or literal as a date; also the forms that only stand alone: "20230503", "2023-05-03T00:00:00Z", "3.5.2019".
pub(crate) fn whole_date(letters: &Letters<'_>) -> Option<Date> {
    let end = letters.len();
    let found = dates_at(letters, 0).into_iter().find(|(_, stop)| *stop == end).map(|(date, _)| date);
    found.or_else(|| timestamp(letters)).or_else(|| compact(letters)).map(|date| with_written(date, letters))
}

fn with_written(mut date: Date, letters: &Letters<'_>) -> Date {
    let written = letters.written(0..letters.len());
    if date.month.is_some() && date.written.is_none() && written != iso(&date) {
        date.written = Some(written.to_owned());
    }
    date
}

fn iso(date: &Date) -> String {
    match (date.month, date.day) {
        (Some(month), Some(day)) => format!("{:04}-{month:02}-{day:02}", date.year),
        (Some(month), None) => format!("{:04}-{month:02}", date.year),
        _ => date.year.to_string(),
    }
}

fn make(
    letters: &Letters<'_>,
    range: std::ops::Range<usize>,
    year: i32,
    month: i32,
    day: Option<i32>,
) -> Option<(Date, usize)> {
    let month = u8::try_from(month).ok().filter(|month| (1..=12).contains(month))?;
    let day = match day {
        Some(day) => Some(u8::try_from(day).ok().filter(|day| (1..=days_in(year, month)).contains(day))?),
        None => None,
    };
    let end = range.end;
    let mut date = Date { year, month: Some(month), day, calendar: Calendar::Gregorian, written: None };
    let written = letters.written(range);
    date.written = (written != iso(&date)).then(|| written.to_owned());
    Some((date, end))
}

fn days_in(year: i32, month: u8) -> u8 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 => 29,
        2 => 28,
        _ => 31,
    }
}

/// Whether a date ends here and does not go on as a number, a range or a word.
fn closed(letters: &Letters<'_>, end: usize) -> bool {
    let (next, after) = (letters.at(end), letters.at(end + 1));
    match next {
        '.' | ',' | '/' | ':' => !after.is_ascii_digit(),
        '-' | '~' => !after.is_alphanumeric(),
        '%' => false,
        _ => !next.is_alphanumeric() || is_cjk(next),
    }
}

fn plain_number(letters: &Letters<'_>, at: usize, most: usize) -> Option<(i32, usize)> {
    let mut value: i32 = 0;
    let mut end = at;
    while let Some(digit) = letters.digit(end).filter(|_| end < at + most) {
        value = value * 10 + i32::from(digit);
        end += 1;
    }
    (end > at && letters.digit(end).is_none()).then_some((value, end))
}

/// Four digits, in figures or in Chinese; fewer before the common era.
fn year_digits(letters: &Letters<'_>, at: usize, short: bool) -> Option<(i32, usize)> {
    if let Some((value, end)) = plain_number(letters, at, 4) {
        let era = ["bc", "bce"].iter().any(|era| letters.words_at(letters.skip_space(end), era).is_some());
        return (short || era || (end - at == 4 && value >= 1000)).then_some((value, end));
    }
    let mut value = 0;
    let mut end = at;
    while let Some(digit) = chinese_digit(letters.at(end)).filter(|_| end < at + 4) {
        value = value * 10 + i32::from(digit);
        end += 1;
    }
    (end - at == 4 && value >= 1000 && letters.at(end) == '年').then_some((value, end))
}

/// "2019-05-03", "2019/5/3", "2019.5.3".
fn numeric(letters: &Letters<'_>, at: usize) -> Option<(Date, usize)> {
    let (year, end) = plain_number(letters, at, 4).filter(|(_, end)| end - at == 4)?;
    let separator = letters.at(end);
    if !matches!(separator, '-' | '/' | '.') {
        return None;
    }
    let (month, end) = plain_number(letters, end + 1, 2)?;
    if letters.at(end) != separator {
        return None;
    }
    let (day, end) = plain_number(letters, end + 1, 2)?;
    make(letters, at..end, year, month, Some(day))
}

/// "2019-05": only with two digits, since "2019-5" may be a range.
fn iso_month(letters: &Letters<'_>, at: usize) -> Option<(Date, usize)> {
    let (year, end) = plain_number(letters, at, 4).filter(|(year, end)| end - at == 4 && *year >= 1000)?;
    let (month, stop) =
        plain_number(letters, end + 1, 2).filter(|(_, stop)| letters.at(end) == '-' && stop - end == 3)?;
    make(letters, at..stop, year, month, None)
}

/// "May 3, 2019", "3 May 2019", "3rd of May 2019", "May 2019".
fn english(letters: &Letters<'_>, at: usize) -> Option<(Date, usize)> {
    if let Some((month, end)) = month_name(letters, at) {
        let end = letters.skip_space(end);
        if let Some((day, behind)) = day_number(letters, end) {
            let behind = if letters.at(behind) == ',' { behind + 1 } else { behind };
            let (year, stop) = year_digits(letters, letters.skip_space(behind), false)?;
            return make(letters, at..stop, year, month, Some(day));
        }
        let (year, stop) = year_digits(letters, end, false)?;
        return make(letters, at..stop, year, month, None);
    }
    let (day, end) = day_number(letters, at)?;
    let end = letters.skip_space(end);
    let end = letters.words_at(end, "of").map_or(end, |behind| letters.skip_space(behind));
    let (month, end) = month_name(letters, end)?;
    let end = if letters.at(end) == ',' { end + 1 } else { end };
    let (year, stop) = year_digits(letters, letters.skip_space(end), false)?;
    make(letters, at..stop, year, month, Some(day))
}

fn month_name(letters: &Letters<'_>, at: usize) -> Option<(i32, usize)> {
    let end = letters.word_end(at);
    let word = letters.key(at..end);
    let month = MONTHS
        .iter()
        .position(|(long, short)| word == *long || word == *short || (word == "sept" && *short == "sep"))?;
    let dotted = if letters.at(end) == '.' { end + 1 } else { end };
    Some((i32::try_from(month + 1).ok()?, dotted))
}

fn day_number(letters: &Letters<'_>, at: usize) -> Option<(i32, usize)> {
    let (day, end) = plain_number(letters, at, 2)?;
    let ordinal = ["st", "nd", "rd", "th"].iter().find_map(|suffix| {
        let stop = end + 2;
        (letters.key(end..stop) == *suffix && letters.is_edge(stop)).then_some(stop)
    });
    Some((day, ordinal.unwrap_or(end)))
}

/// "2019年5月3日", "2019年5月".
fn chinese(letters: &Letters<'_>, at: usize) -> Option<(Date, usize)> {
    let (year, end) = year_digits(letters, at, false).filter(|(_, end)| letters.at(*end) == '年')?;
    let (month, end) = plain_number(letters, end + 1, 2).filter(|(_, end)| letters.at(*end) == '月')?;
    let end = if letters.at(end + 1) == '份' { end + 2 } else { end + 1 };
    match plain_number(letters, end, 2).filter(|(_, stop)| matches!(letters.at(*stop), '日' | '号')) {
        Some((day, stop)) => make(letters, at..stop + 1, year, month, Some(day)),
        None => make(letters, at..end, year, month, None),
    }
}

/// `xsd:dateTime` and `xsd:date` with a zone: the day counts.
fn timestamp(letters: &Letters<'_>) -> Option<Date> {
    let negative = letters.at(0) == '-';
    let (date, end) =
        numeric(letters, usize::from(negative)).filter(|_| letters.at(usize::from(negative) + 4) == '-')?;
    let zone =
        matches!(letters.at(end), 't' | 'z' | '+' | ' ') || (letters.at(end) == '-' && letters.at(end + 3) == ':');
    let rest = letters.key(end..letters.len());
    let plain =
        rest.chars().all(|char| char.is_ascii_digit() || matches!(char, 't' | 'z' | '+' | '-' | ':' | '.' | ' '));
    ((zone || (negative && rest.is_empty())) && plain).then(|| Date {
        year: if negative { -date.year } else { date.year },
        written: None,
        ..date
    })
}

/// "20190503", and day before month where the numbers leave no doubt: "25/12/2019", "12/25/2019", "3.5.2019".
fn compact(letters: &Letters<'_>) -> Option<Date> {
    let end = letters.len();
    if end == 8 && (0..end).all(|at| letters.digit(at).is_some()) {
        let (value, _) = plain_number(letters, 0, 8).filter(|(_, stop)| *stop == end)?;
        return make(letters, 0..end, value / 10_000, value / 100 % 100, Some(value % 100)).map(|(date, _)| date);
    }
    let (first, at) = plain_number(letters, 0, 2)?;
    let separator = letters.at(at);
    let (second, at) = plain_number(letters, at + 1, 2).filter(|(_, stop)| letters.at(*stop) == separator)?;
    let (year, _) = plain_number(letters, at + 1, 4).filter(|(year, stop)| *stop == end && *year >= 1000)?;
    let (day, month) = match separator {
        '.' => (first, second),
        '/' | '-' if first > 12 => (first, second),
        '/' | '-' if second > 12 || first == second => (second, first),
        _ => return None,
    };
    make(letters, 0..end, year, month, Some(day)).map(|(date, _)| date)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
    use super::*;

    #[test]
    fn whole_dates() {
        for (text, expected) in [
            ("2019-05-03", "2019-05-03"),
            ("2019/5/3", "2019-05-03"),
            ("May 3, 2019", "2019-05-03"),
            ("3 May 2019", "2019-05-03"),
            ("3rd of May 2019", "2019-05-03"),
            ("Sept. 1, 1999", "1999-09-01"),
            ("May 2019", "2019-05"),
            ("2019-05", "2019-05"),
            ("2019年5月3日", "2019-05-03"),
            ("2019 年 5 月", "2019-05"),
            ("2019年", "2019"),
            ("1976", "1976"),
            ("二〇二三年", "2023"),
            ("2023-05-03T10:00:00Z", "2023-05-03"),
            ("2023-05-03+02:00", "2023-05-03"),
            ("20190503", "2019-05-03"),
            ("25/12/2019", "2019-12-25"),
            ("12/25/2019", "2019-12-25"),
            ("3.5.2019", "2019-05-03"),
            ("2020-02-29", "2020-02-29"),
            ("221 BC", "-221"),
            ("公元前221年", "-221"),
        ] {
            let date = whole_date(&Letters::new(text)).unwrap_or_else(|| panic!("{text}: no date"));
            assert_eq!(iso(&date), expected, "{text}");
        }
    }

    #[test]
    fn no_dates() {
        for text in [
            "",
            "99",
            "2019-13-01",
            "2019-02-29",
            "05/03/2019",
            "May",
            "2019-20",
            "1990年代",
            "12345",
            "1999%",
            "May 2019th",
            "2019-05-03x",
        ] {
            assert!(whole_date(&Letters::new(text)).is_none(), "{text}");
        }
    }
}
