//! What the objects of a relation are: entities, or values of which kind.

use super::name::Name;
use super::profile::{Looks, Profile, Profiles, share};
use factmask_schema::{Range, ValueKind, ValueType};

/// Values are of a kind when nearly all look like it; the rest is kept as words when it is read.
const NEARLY_ALL: f64 = 0.95;
/// Objects are entities when this part of them has facts of its own.
const ALSO_SUBJECTS: f64 = 0.1;
/// Objects are words when this part of them are truth values.
const SOME_TRUTHS: f64 = 0.1;
/// Fewer facts than these say little about what the objects are.
pub(super) const FEW: usize = 5;
/// Fewer facts than these say little about whether their objects are things or words.
pub(super) const SOME: usize = 10;
/// Fewer distinct numbers of four digits than these may be years by chance.
const FEW_YEARS: usize = 10;

/// Words that say that the objects are times.
const TIMES: &[&str] =
    &["year", "date", "time", "day", "born", "founded", "since", "when", "年", "年份", "日期", "时间", "日"];

/// The objects of a relation, and what is doubtful about that.
pub(super) struct Kind {
    pub(super) range: Range,
    pub(super) unsure: Option<String>,
}

/// Words.
pub(super) fn text() -> Kind {
    Kind { range: Range::Value(ValueType { kind: ValueKind::Text, unit: None }), unsure: None }
}

/// Decides from the looks of the objects and from what else is said of them.
pub(super) fn kind(profile: &Profile, looks: &Looks, profiles: &Profiles) -> Kind {
    let most = |count| share(count, looks.all) >= NEARLY_ALL;
    let subjects = profile.objects.iter().filter(|object| profiles.subjects.contains(object)).count();
    let odd = |count: usize, what: &str| {
        (count < looks.all)
            .then(|| format!("{} of {} values are no {what} and will be kept as words", looks.all - count, looks.all))
    };
    let value = |kind, unit, unsure| Kind { range: Range::Value(ValueType { kind, unit }), unsure };
    let text = |unsure: &str| Kind { unsure: Some(unsure.to_owned()), ..text() };
    if looks.truths == looks.all && looks.all > 0 {
        return value(ValueKind::Boolean, None, None);
    }
    // "Yes" as a thing would be found in every other question.
    if share(looks.truths, looks.all) >= SOME_TRUTHS {
        return text("some objects are yes or no, so none is taken for a thing");
    }
    if share(subjects, looks.all) >= 0.5 {
        return Kind { range: Range::Entity(None), unsure: None };
    }
    let unit = Name::new(&profile.name, true).unit;
    if most(looks.years) && (times(&profile.name) || (unit.is_none() && looks.all >= FEW_YEARS)) {
        let unsure = (!times(&profile.name)).then(|| "years by their looks alone".to_owned());
        return value(ValueKind::Year, None, odd(looks.years, "year").or(unsure));
    }
    if most(looks.dates) && looks.whole_dates > 0 {
        return value(ValueKind::Date, None, odd(looks.dates, "date"));
    }
    if is_code(looks) {
        return text("digits that look like a code, not an amount");
    }
    if most(looks.numbers) {
        let written = looks.units.iter().max_by_key(|(_, count)| **count);
        let shared = written.filter(|(_, count)| looks.units.len() == 1 && most(**count)).map(|(unit, _)| unit.clone());
        let unit = shared.or(unit.filter(|_| looks.units.is_empty()));
        return value(ValueKind::Number, unit, odd(looks.numbers, "number"));
    }
    if share(subjects, looks.all) >= ALSO_SUBJECTS {
        return Kind { range: Range::Entity(None), unsure: None };
    }
    let shared = profile.pairs.len() >= 2 * looks.all && looks.all > 0;
    match share(looks.names, looks.all) {
        names if names < 0.8 => self::text(),
        _ if shared || profile.pairs.len() >= SOME => Kind { range: Range::Entity(None), unsure: None },
        _ => text("few facts: taken for text; say rdfs:Resource if these are things with facts of their own"),
    }
}

fn times(name: &str) -> bool {
    let words = Name::new(name, false).words;
    words.iter().any(|word| TIMES.contains(&word.as_str()) || word.chars().count() > 1 && ends_with_time(word))
}

/// Chinese names end in what they are: 成立时间, 出版年.
fn ends_with_time(word: &str) -> bool {
    TIMES.iter().filter(|time| !time.is_ascii()).any(|time| word.ends_with(time))
}

/// Leading zeros, or many whole numbers of one length, hardly any twice: postal codes, registration numbers.
fn is_code(looks: &Looks) -> bool {
    let alike =
        looks.lengths.len() == 1 && looks.lengths.first().is_some_and(|length| *length >= 5) && looks.all >= FEW;
    share(looks.numbers, looks.all) >= 0.5 && (looks.codes * 5 > looks.all || (alike && looks.units.is_empty()))
}
