//! Whether a literal is rightly written, and which of two comes first.

use crate::vocabulary::{RDF, RDF_LANG_STRING, XSD};
use oxrdf::Literal;
use oxsdatatypes::{
    Date, DateTime, DayTimeDuration, Double, Duration, Float, GDay, GMonth, GMonthDay, GYear, GYearMonth, Time,
    YearMonthDuration,
};
use std::cmp::Ordering;
use std::str::FromStr;

/// What the values of a datatype are, so that those of one kind can be compared.
#[derive(Clone, Copy)]
enum Kind {
    Text(fn(&str) -> bool),
    Boolean,
    /// Whole numbers, from and up to.
    Integer(Option<i128>, Option<i128>),
    Decimal,
    Float,
    Double,
    DateTime,
    /// With a time zone.
    DateTimeStamp,
    Date,
    Time,
    GYear,
    GYearMonth,
    GMonth,
    GMonthDay,
    GDay,
    Duration,
    YearMonthDuration,
    DayTimeDuration,
}

/// Whether an IRI is a datatype of XML Schema or RDF.
pub fn is_datatype(iri: &str) -> bool {
    kind(iri).is_some()
}

fn kind(datatype: &str) -> Option<Kind> {
    let any: fn(&str) -> bool = |_| true;
    if let Some(local) = datatype.strip_prefix(RDF) {
        return matches!(local, "langString" | "dirLangString" | "HTML" | "XMLLiteral" | "JSON" | "PlainLiteral")
            .then_some(Kind::Text(any));
    }
    let integer = |from, to| Some(Kind::Integer(from, to));
    match datatype.strip_prefix(XSD)? {
        "string" | "anyURI" | "QName" | "NOTATION" => Some(Kind::Text(any)),
        "normalizedString" => Some(Kind::Text(|text| !text.contains(['\n', '\r', '\t']))),
        "token" => Some(Kind::Text(is_token)),
        "language" => Some(Kind::Text(is_language)),
        "Name" | "NMTOKEN" | "NCName" | "ID" | "IDREF" | "ENTITY" => {
            Some(Kind::Text(|text| !text.is_empty() && !text.contains(char::is_whitespace)))
        }
        "hexBinary" => {
            Some(Kind::Text(|text| text.len().is_multiple_of(2) && text.bytes().all(|byte| byte.is_ascii_hexdigit())))
        }
        "base64Binary" => Some(Kind::Text(is_base64)),
        "boolean" => Some(Kind::Boolean),
        "integer" => integer(None, None),
        "nonNegativeInteger" => integer(Some(0), None),
        "positiveInteger" => integer(Some(1), None),
        "nonPositiveInteger" => integer(None, Some(0)),
        "negativeInteger" => integer(None, Some(-1)),
        "long" => integer(Some(i64::MIN.into()), Some(i64::MAX.into())),
        "int" => integer(Some(i32::MIN.into()), Some(i32::MAX.into())),
        "short" => integer(Some(i16::MIN.into()), Some(i16::MAX.into())),
        "byte" => integer(Some(i8::MIN.into()), Some(i8::MAX.into())),
        "unsignedLong" => integer(Some(0), Some(u64::MAX.into())),
        "unsignedInt" => integer(Some(0), Some(u32::MAX.into())),
        "unsignedShort" => integer(Some(0), Some(u16::MAX.into())),
        "unsignedByte" => integer(Some(0), Some(u8::MAX.into())),
        "decimal" => Some(Kind::Decimal),
        "float" => Some(Kind::Float),
        "double" => Some(Kind::Double),
        "dateTime" => Some(Kind::DateTime),
        "dateTimeStamp" => Some(Kind::DateTimeStamp),
        "date" => Some(Kind::Date),
        "time" => Some(Kind::Time),
        "gYear" => Some(Kind::GYear),
        "gYearMonth" => Some(Kind::GYearMonth),
        "gMonth" => Some(Kind::GMonth),
        "gMonthDay" => Some(Kind::GMonthDay),
        "gDay" => Some(Kind::GDay),
        "duration" => Some(Kind::Duration),
        "yearMonthDuration" => Some(Kind::YearMonthDuration),
        "dayTimeDuration" => Some(Kind::DayTimeDuration),
        _ => None,
    }
}

/// Whether a literal is written as its datatype asks. Of a datatype that we do not know everything is.
pub fn is_valid(literal: &Literal) -> bool {
    let text = literal.value();
    match kind(literal.datatype().as_str()) {
        None => true,
        Some(Kind::Text(is_right)) => is_right(text),
        Some(Kind::Boolean) => truth(text).is_some(),
        Some(Kind::Integer(from, to)) => is_integer(text, from, to),
        Some(Kind::Decimal) => Decimal::parse(text).is_some(),
        Some(Kind::Float) => Float::from_str(text).is_ok(),
        Some(Kind::Double) => Double::from_str(text).is_ok(),
        Some(Kind::DateTime) => DateTime::from_str(text).is_ok(),
        Some(Kind::DateTimeStamp) => DateTime::from_str(text).is_ok_and(|when| when.timezone_offset().is_some()),
        Some(Kind::Date) => Date::from_str(text).is_ok(),
        Some(Kind::Time) => Time::from_str(text).is_ok(),
        Some(Kind::GYear) => GYear::from_str(text).is_ok(),
        Some(Kind::GYearMonth) => GYearMonth::from_str(text).is_ok(),
        Some(Kind::GMonth) => GMonth::from_str(text).is_ok(),
        Some(Kind::GMonthDay) => GMonthDay::from_str(text).is_ok(),
        Some(Kind::GDay) => GDay::from_str(text).is_ok(),
        Some(Kind::Duration) => Duration::from_str(text).is_ok(),
        Some(Kind::YearMonthDuration) => YearMonthDuration::from_str(text).is_ok(),
        Some(Kind::DayTimeDuration) => DayTimeDuration::from_str(text).is_ok(),
    }
}

/// Which of two literals comes first, as SPARQL's `<` has it; `None` where they cannot be compared, among them a time with a zone and
/// one without that lie too near.
pub fn compare(one: &Literal, other: &Literal) -> Option<Ordering> {
    let (first, second) = (one.value(), other.value());
    let exact = |kind| matches!(kind, Kind::Integer(..) | Kind::Decimal);
    let numeric = |kind| exact(kind) || matches!(kind, Kind::Float | Kind::Double);
    if !is_valid(one) || !is_valid(other) {
        return None;
    }
    match (kind(one.datatype().as_str())?, kind(other.datatype().as_str())?) {
        (one, other) if exact(one) && exact(other) => Some(Decimal::parse(first)?.compare(&Decimal::parse(second)?)),
        (one, other) if numeric(one) && numeric(other) => double(first)?.partial_cmp(&double(second)?),
        (Kind::Boolean, Kind::Boolean) => Some(truth(first)?.cmp(&truth(second)?)),
        (Kind::DateTime | Kind::DateTimeStamp, Kind::DateTime | Kind::DateTimeStamp) => by::<DateTime>(first, second),
        (Kind::Date, Kind::Date) => by::<Date>(first, second),
        (Kind::Time, Kind::Time) => by::<Time>(first, second),
        (Kind::GYear, Kind::GYear) => by::<GYear>(first, second),
        (Kind::GYearMonth, Kind::GYearMonth) => by::<GYearMonth>(first, second),
        (Kind::GMonth, Kind::GMonth) => by::<GMonth>(first, second),
        (Kind::GMonthDay, Kind::GMonthDay) => by::<GMonthDay>(first, second),
        (Kind::GDay, Kind::GDay) => by::<GDay>(first, second),
        (
            Kind::Duration | Kind::YearMonthDuration | Kind::DayTimeDuration,
            Kind::Duration | Kind::YearMonthDuration | Kind::DayTimeDuration,
        ) => by::<Duration>(first, second),
        (Kind::Text(_), Kind::Text(_)) => {
            let plain =
                |literal: &Literal| literal.datatype().as_str() != RDF_LANG_STRING && literal.language().is_none();
            (plain(one) && plain(other) && one.datatype() == other.datatype()).then(|| first.cmp(second))
        }
        _ => None,
    }
}

fn by<T: FromStr + PartialOrd>(one: &str, other: &str) -> Option<Ordering> {
    one.parse::<T>().ok()?.partial_cmp(&other.parse::<T>().ok()?)
}

fn truth(text: &str) -> Option<bool> {
    match text {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

fn double(text: &str) -> Option<f64> {
    Double::from_str(text).ok().map(f64::from)
}

fn is_integer(text: &str, from: Option<i128>, to: Option<i128>) -> bool {
    let Some(number) = Decimal::parse(text).filter(|_| !text.contains('.')) else { return false };
    let is = |bound: Option<i128>, side: fn(Ordering) -> bool| {
        let bound = bound.map(|bound| bound.to_string());
        bound.as_deref().and_then(Decimal::parse).is_none_or(|bound| side(number.compare(&bound)))
    };
    is(from, Ordering::is_ge) && is(to, Ordering::is_le)
}

/// A decimal of any length, by its digits.
struct Decimal<'a> {
    negative: bool,
    whole: &'a str,
    part: &'a str,
}

impl<'a> Decimal<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let negative = text.starts_with('-');
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        let right = whole.len() + part.len() > 0 && whole.bytes().chain(part.bytes()).all(|byte| byte.is_ascii_digit());
        right.then(|| Self { negative, whole: whole.trim_start_matches('0'), part: part.trim_end_matches('0') })
    }

    fn compare(&self, other: &Self) -> Ordering {
        let size = |one: &Self, other: &Self| {
            let whole = one.whole.len().cmp(&other.whole.len()).then_with(|| one.whole.cmp(other.whole));
            whole.then_with(|| one.part.cmp(other.part))
        };
        let zero = |one: &Self| one.whole.is_empty() && one.part.is_empty();
        match (self.negative && !zero(self), other.negative && !zero(other)) {
            (false, false) => size(self, other),
            (true, true) => size(other, self),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

fn is_token(text: &str) -> bool {
    !text.contains(['\n', '\r', '\t']) && !text.contains("  ") && text.trim() == text
}

fn is_language(text: &str) -> bool {
    let part = |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    text.split('-').all(part) && text.starts_with(|char: char| char.is_ascii_alphabetic())
}

fn is_base64(text: &str) -> bool {
    let plain: String = text.split(' ').collect();
    let digits = plain.trim_end_matches('=');
    plain.len().is_multiple_of(4)
        && plain.len() - digits.len() <= 2
        && digits.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
}
