//! What a question asks for (a time, a quantity, somebody, a place), and what the words of a sentence can be an answer to.
//!
//! Generic on purpose: the question words of two languages, capitals, digits, the names of months and numerals. Which city or which
//! film it is, is the model's to read.

use crate::question::{constraint, expected::Expected, language::is_cjk, words};
use factmask_schema::normal;
use std::{collections::BTreeSet, ops::Range};

/// What a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Asked {
    /// Its words do not say.
    Anything,
    /// "When", "which year".
    Time,
    /// "How many".
    Quantity,
    /// "Who".
    Someone,
    /// "Where", "which country".
    Place,
}

/// What a word or a run of words looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Looks {
    /// A year, a month, a day.
    Time,
    /// A number in digits or words.
    Number,
    /// Written with capitals.
    Name,
    /// None of these.
    Plain,
}

const PLACES: &[&str] = &[
    "where ",
    "which country",
    "what country",
    "which city",
    "what city",
    "which state",
    "what state",
    "which town",
    "what town",
    "which continent",
    "what continent",
    "哪里",
    "哪儿",
    "在哪",
    "哪个国家",
    "哪座城市",
    "哪个城市",
    "哪个省",
];
const TIMES: &[&str] = &[
    " date ",
    "what date",
    "what century",
    "which century",
    "what decade",
    "which month",
    "what month",
    "what day",
    "which day",
    "what time",
];
const QUANTITIES: &[&str] = &["what percentage", "what percent", "what number", "what age"];
const MONTHS: &[&str] = &[
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "jan",
    "feb",
    "mar",
    "apr",
    "jun",
    "jul",
    "aug",
    "sep",
    "sept",
    "oct",
    "nov",
    "dec",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "spring",
    "summer",
    "autumn",
    "winter",
    "century",
    "centuries",
];
const NUMERALS: &[&str] = &[
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "seventy",
    "eighty",
    "ninety",
    "hundred",
    "hundreds",
    "thousand",
    "thousands",
    "million",
    "millions",
    "billion",
    "billions",
    "trillion",
    "dozen",
    "dozens",
    "half",
    "third",
    "quarter",
    "once",
    "twice",
    "both",
    "single",
];
const CHINESE_NUMERALS: &str = "零〇一二三四五六七八九十百千万亿两";
const CHINESE_TIMES: &str = "年月日号世纪";

/// What a question asks for.
pub fn asked(question: &str) -> Asked {
    let folded = normal::fold(question);
    let says = |cues: &[&str]| cues.iter().any(|cue| folded.contains(cue));
    match constraint::read(&folded, &[]).expected {
        Expected::Time => Asked::Time,
        Expected::Quantity => Asked::Quantity,
        _ if says(TIMES) => Asked::Time,
        _ if says(QUANTITIES) => Asked::Quantity,
        _ if says(PLACES) => Asked::Place,
        Expected::Someone => Asked::Someone,
        Expected::Anything => Asked::Anything,
    }
}

/// Whether what looks so can be the answer.
pub fn fits(asked: Asked, looks: Looks) -> bool {
    match asked {
        Asked::Anything => true,
        Asked::Time => looks == Looks::Time,
        Asked::Quantity => looks == Looks::Number,
        Asked::Someone => looks == Looks::Name,
        // "Where" is also answered with "in the north".
        Asked::Place => matches!(looks, Looks::Name | Looks::Plain),
    }
}

/// The words of a sentence as byte ranges, in order: runs between white space without the punctuation around them; of Chinese,
/// Japanese and Korean each character.
pub fn word_ranges(sentence: &str) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut open: Option<Range<usize>> = None;
    for (at, char) in sentence.char_indices() {
        let end = at + char.len_utf8();
        let parts = char.is_whitespace() || is_cjk(char) || matches!(char, '—' | '/' | '…') || is_cjk_mark(char);
        if parts {
            ranges.extend(open.take());
            if is_cjk(char) {
                ranges.push(at..end);
            }
        } else {
            open = Some(open.map_or(at, |open| open.start)..end);
        }
    }
    ranges.extend(open);
    ranges.into_iter().filter_map(|range| trimmed(sentence, range)).collect()
}

fn is_cjk_mark(char: char) -> bool {
    matches!(u32::from(char), 0x3000..=0x303F | 0xFF00..=0xFF0F | 0xFF1A..=0xFF20 | 0xFF3B..=0xFF40 | 0xFF5B..=0xFF65)
}

/// Takes punctuation off both ends, but what belongs to an amount ("$5", "90%"), and a possessive off the end.
fn trimmed(sentence: &str, range: Range<usize>) -> Option<Range<usize>> {
    let word = sentence.get(range.clone())?;
    let begins = word.find(|char: char| char.is_alphanumeric() || matches!(char, '$' | '€' | '£' | '¥'))?;
    let rest = word.get(begins..)?;
    let ends = rest.rfind(|char: char| char.is_alphanumeric() || matches!(char, '%' | '°'))?;
    let ends = ends + rest.get(ends..)?.chars().next().map_or(0, char::len_utf8);
    let mut kept = rest.get(..ends)?;
    for possessive in ["'s", "’s"] {
        kept = kept.strip_suffix(possessive).unwrap_or(kept);
    }
    let start = range.start + begins;
    (!kept.is_empty()).then(|| start..start + kept.len())
}

/// What one word looks like.
pub fn looks(word: &str) -> Looks {
    let lower = word.to_lowercase();
    let digits: String = lower.chars().filter(char::is_ascii_digit).collect();
    let bare = lower.trim_end_matches('s');
    let year = digits.len() == 4
        && lower.starts_with(|c: char| c.is_ascii_digit())
        && !lower.contains([',', '.', '%', '$'])
        && digits.parse().is_ok_and(|year: u32| (1000..2200).contains(&year));
    let cjk = word.chars().all(is_cjk);
    if year
        || MONTHS.contains(&lower.as_str()) && (word.chars().any(char::is_uppercase) || lower.len() > 5)
        || cjk && word.chars().all(|char| CHINESE_TIMES.contains(char))
    {
        Looks::Time
    } else if !digits.is_empty()
        || NUMERALS.contains(&lower.as_str())
        || bare.split('-').all(|part| NUMERALS.contains(&part))
        || cjk && word.chars().all(|char| CHINESE_NUMERALS.contains(char))
    {
        Looks::Number
    } else if word.starts_with(char::is_uppercase) {
        Looks::Name
    } else {
        Looks::Plain
    }
}

/// What a run of words looks like: a time where any of them does, a number where the first is one, a name where all that say
/// something are.
pub fn run_looks<'a>(run: impl IntoIterator<Item = &'a str>) -> Looks {
    let words: Vec<&str> = run.into_iter().collect();
    let all: Vec<Looks> = words.iter().map(|word| looks(word)).collect();
    let telling = || words.iter().zip(&all).filter(|(word, _)| !words::is_function_word(&word.to_lowercase()));
    if all.contains(&Looks::Time) {
        Looks::Time
    } else if telling().take(2).any(|(_, looks)| *looks == Looks::Number) {
        Looks::Number
    } else if telling().count() > 0 && telling().all(|(_, looks)| *looks == Looks::Name) {
        Looks::Name
    } else {
        Looks::Plain
    }
}

/// A word of a sentence, and what a span that answers may do there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Its bytes in the sentence.
    pub word: Range<usize>,
    /// Whether a span may begin with it.
    pub begins: bool,
    /// Whether one may end with it.
    pub ends: bool,
    /// Whether one may go on to the next word.
    pub joins: bool,
}

/// Words that belong to a name although they are written small.
const PARTICLES: &[&str] = &[
    "of", "the", "de", "da", "di", "du", "del", "della", "van", "von", "der", "den", "la", "le", "al", "bin", "ibn",
    "y", "and", "&",
];
/// Words within a date.
const WITHIN_DATES: &[&str] = &["of", "the", "early", "mid", "late"];
/// Words that begin another clause: a thing that is named does not reach across them.
pub(super) const CLAUSE: &[&str] = &[
    "is", "are", "was", "were", "be", "been", "being", "has", "have", "had", "which", "who", "whom", "that", "where",
    "when", "while", "because", "but", "will", "would", "can", "could", "might", "should", "did", "does", "do", "than",
    "then", "if", "as", "by", "it", "he", "she", "they", "we", "i", "you",
];

/// The words of a sentence with what a span may do at each. Function words say nothing by themselves; what stands in the question is
/// not what it asks for; and where the question says what it asks for, a span consists of nothing else.
pub fn bounds(asked: Asked, sentence: &str, question: &BTreeSet<String>) -> Vec<Bound> {
    let words = word_ranges(sentence);
    let said = |range: &Range<usize>| sentence.get(range.clone()).unwrap_or_default();
    let following = words.iter().skip(1).map(Some).chain([None]);
    let bound = |(word, next): (&Range<usize>, Option<&Range<usize>>)| {
        let own = said(word);
        let gap = next.and_then(|next| sentence.get(word.end..next.start));
        let article = matches!(own, "the" | "The" | "a" | "A" | "an" | "An");
        let before = article && next.is_some_and(|next| may_begin(asked, said(next), question));
        Bound {
            begins: may_begin(asked, own, question) || before,
            ends: may_end(asked, own, question),
            joins: next.zip(gap).is_some_and(|(next, gap)| joins(asked, own, gap.trim(), said(next))),
            word: word.clone(),
        }
    };
    let mut bounds: Vec<Bound> = words.iter().zip(following).map(bound).collect();
    if matches!(asked, Asked::Time | Asked::Someone) {
        // Somebody's whole name, the whole date: of what is joined only the first word begins and the last one ends.
        for run in bounds.chunk_by_mut(|one, _| one.joins) {
            let first = run.iter().position(|bound| bound.begins);
            let last = run.iter().rposition(|bound| bound.ends);
            for (at, bound) in run.iter_mut().enumerate() {
                bound.begins = Some(at) == first;
                bound.ends = Some(at) == last;
            }
        }
    }
    bounds
}

/// Words of the longest span.
const LONGEST: usize = 10;
/// And characters of a script without spaces.
const LONGEST_CJK: usize = 20;

/// The spans that bounds allow, as bytes of the sentence.
pub fn spans(bounds: &[Bound]) -> impl Iterator<Item = Range<usize>> + '_ {
    let touching =
        bounds.windows(2).filter(|pair| matches!(pair, [one, next] if one.word.end == next.word.start)).count();
    let most = if touching * 2 > bounds.len() { LONGEST_CJK } else { LONGEST };
    bounds.iter().enumerate().filter(|(_, bound)| bound.begins).flat_map(move |(at, begun)| {
        let run = bounds.get(at..).unwrap_or_default();
        let joined = run.iter().take_while(|bound| bound.joins).count();
        let ends = run.iter().take((joined + 1).min(most)).filter(|bound| bound.ends);
        ends.map(move |bound| begun.word.start..bound.word.end)
    })
}

fn may_begin(asked: Asked, word: &str, question: &BTreeSet<String>) -> bool {
    let lower = word.to_lowercase();
    let looks = looks(word);
    let part = match asked {
        Asked::Time => {
            matches!(looks, Looks::Time | Looks::Number) || matches!(lower.as_str(), "early" | "mid" | "late")
        }
        Asked::Someone => looks == Looks::Name,
        Asked::Quantity => looks == Looks::Number,
        Asked::Place | Asked::Anything => true,
    };
    part && !words::is_function_word(&lower) && !CLAUSE.contains(&lower.as_str()) && !is_in(word, question)
}

fn may_end(asked: Asked, word: &str, question: &BTreeSet<String>) -> bool {
    let lower = word.to_lowercase();
    let looks = looks(word);
    match asked {
        // A date may end with the year that the question names.
        Asked::Time => matches!(looks, Looks::Time | Looks::Number),
        Asked::Someone => looks == Looks::Name && !is_in(word, question),
        Asked::Quantity => !words::is_function_word(&lower),
        Asked::Place | Asked::Anything => !words::is_function_word(&lower) && !CLAUSE.contains(&lower.as_str()),
    }
}

fn is_in(word: &str, question: &BTreeSet<String>) -> bool {
    let own = words::units(word);
    !own.is_empty() && own.is_subset(question)
}

/// Whether a span goes on from one word over what stands between (without white space) to the next.
fn joins(asked: Asked, word: &str, between: &str, next: &str) -> bool {
    let lower = next.to_lowercase();
    let small = lower.as_str();
    match asked {
        Asked::Someone => matches!(between, "" | ".") && (looks(next) == Looks::Name || PARTICLES.contains(&small)),
        Asked::Time => {
            matches!(between, "" | "," | "-" | "–")
                && (matches!(looks(next), Looks::Time | Looks::Number) || WITHIN_DATES.contains(&small))
        }
        // A number with what was counted.
        Asked::Quantity => between.is_empty() && (looks(word) == Looks::Number || looks(next) == Looks::Number),
        Asked::Place if between == "," => looks(word) == Looks::Name && looks(next) == Looks::Name,
        Asked::Place | Asked::Anything => matches!(between, "" | "." | "-") && !CLAUSE.contains(&small),
    }
}

#[cfg(test)]
mod tests;
