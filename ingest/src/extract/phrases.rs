//! Names that nobody has told us: capitalised phrases, and runs of Chinese between marks.

use super::guard::{hedged, is_clause_mark, is_no_name};
use crate::text::{Letters, is_cjk, is_ideograph};
use std::ops::Range;

/// Words that may stand inside a capitalised name.
const CONNECTORS: &[&str] = &[
    "of", "the", "for", "de", "del", "la", "le", "du", "des", "von", "van", "der", "den", "da", "di", "do", "dos",
    "al", "el", "bin", "&", "and",
];

/// Words that begin a sentence or a clause and are capitalised for that alone.
const OPENERS: &[&str] = &[
    "in",
    "the",
    "a",
    "an",
    "for",
    "on",
    "at",
    "by",
    "as",
    "and",
    "but",
    "or",
    "so",
    "with",
    "from",
    "to",
    "of",
    "during",
    "since",
    "until",
    "after",
    "before",
    "while",
    "when",
    "where",
    "although",
    "though",
    "because",
    "however",
    "meanwhile",
    "also",
    "today",
    "currently",
    "now",
    "then",
    "thus",
    "both",
    "each",
    "according",
    "under",
    "over",
    "that",
    "including",
    "like",
    "about",
];

/// Words that stand for a name given elsewhere, or for any name.
const STAND_INS: &[&str] = &[
    "it",
    "its",
    "he",
    "she",
    "his",
    "her",
    "they",
    "their",
    "them",
    "we",
    "our",
    "us",
    "this",
    "these",
    "those",
    "that",
    "i",
    "my",
    "you",
    "your",
    "who",
    "there",
    "here",
    "one",
    "another",
    "some",
    "many",
    "both",
    "company",
    "firm",
    "group",
    "corporation",
    "country",
    "state",
    "city",
    "drug",
    "gene",
    "agency",
    "organisation",
    "organization",
    "year",
    "total",
    "result",
    "which",
    "what",
    "same",
    "latter",
];
const CHINESE_STAND_INS: &[&str] = &[
    "该公司",
    "公司",
    "其",
    "它",
    "他",
    "她",
    "他们",
    "该药",
    "该国",
    "该市",
    "该省",
    "本公司",
    "我们",
    "这",
    "那",
    "该机构",
    "此",
    "两者",
    "后者",
    "前者",
    "谁",
    "哪",
];

/// What may stand before a Chinese name without belonging to it.
const CHINESE_OPENERS: &[&str] = &[
    "截至",
    "截止",
    "其中",
    "目前",
    "此外",
    "同时",
    "另外",
    "而且",
    "而",
    "但是",
    "但",
    "据",
    "根据",
    "在",
    "于",
    "由",
    "对",
    "和",
    "与",
    "并且",
    "因此",
    "所以",
    "如今",
    "现在",
    "年",
    "月",
    "日",
    "财年末",
    "财年",
    "年度",
    "末",
    "底",
    "时",
    "至",
    "到",
    "是",
    "种",
    "药物",
    "城市",
    "以及",
    "及",
    "其",
    "当时",
    "则",
    "也",
    "中",
    "上述",
];

/// The start of the capitalised phrase that ends at `end`; `None` when the word before `end` is not capitalised.
pub(super) fn phrase_to(letters: &Letters<'_>, end: usize) -> Option<usize> {
    let mut start = None;
    let mut at = end;
    loop {
        let word = word_before(letters, at);
        if word.is_empty() {
            break;
        }
        if is_name_word(letters, &word) {
            start = Some(word.start);
        } else if !(start.is_some() && CONNECTORS.contains(&letters.key(word.clone()).as_str())) {
            break;
        }
        if letters.before(word.start) != ' ' {
            break;
        }
        at = word.start - 1;
        // A comma or full stop before the space ends the phrase, except behind an initial or "St.".
        if is_clause_mark(letters, at.saturating_sub(1)) && !is_initial(letters, at) {
            break;
        }
    }
    let mut start = start?;
    while let Some(behind) = OPENERS
        .iter()
        .find_map(|word| letters.words_at(start, word))
        .filter(|behind| letters.at(*behind) == ' ' && behind + 1 < end)
    {
        start = behind + 1;
    }
    Some(start)
}

/// The end of the capitalised phrase that begins at `at`.
pub(super) fn phrase_from(letters: &Letters<'_>, at: usize) -> Option<usize> {
    let mut end = None;
    let mut from = at;
    loop {
        let word = word_behind(letters, from);
        if word.is_empty() {
            return end;
        }
        let (name, key) = (is_name_word(letters, &word), letters.key(word.clone()));
        if name {
            end = Some(word.end);
        } else if end.is_none() || !CONNECTORS.contains(&key.as_str()) || key == "and" {
            return end;
        }
        let next =
            if letters.at(word.end) == '.' && is_initial(letters, word.end + 1) { word.end + 1 } else { word.end };
        if letters.at(next) != ' ' {
            return end;
        }
        from = next + 1;
    }
}

/// "F." in "Gilbert F. Houngbo": `at` is right behind the dot.
fn is_initial(letters: &Letters<'_>, at: usize) -> bool {
    letters.before(at) == '.'
        && at.checked_sub(2).is_some_and(|letter| {
            letters.is_upper(letter) && (letter == 0 || !letters.at(letter - 1).is_alphanumeric())
        })
}

fn word_before(letters: &Letters<'_>, end: usize) -> Range<usize> {
    let mut start = end;
    while start > 0 && in_name(letters, start - 1) {
        start -= 1;
    }
    start..end
}

fn word_behind(letters: &Letters<'_>, at: usize) -> Range<usize> {
    let mut end = at;
    while end < letters.len() && in_name(letters, end) {
        end += 1;
    }
    at..end
}

fn in_name(letters: &Letters<'_>, at: usize) -> bool {
    let char = letters.at(at);
    let dotted = char == '.' && (letters.at(at + 1).is_alphanumeric() || is_initial(letters, at + 1));
    let joined = matches!(char, '-' | '\'' | '/' | '·')
        && letters.at(at + 1).is_alphanumeric()
        && letters.before(at).is_alphanumeric();
    (char.is_alphanumeric() && !is_cjk(char)) || matches!(char, '&' | '+' | '*') || dotted || joined
}

fn is_name_word(letters: &Letters<'_>, word: &Range<usize>) -> bool {
    word.clone().any(|at| letters.is_upper(at))
        || word.clone().all(|at| letters.digit(at).is_some())
        || letters.key(word.clone()) == "&"
}

/// Whether the letters of `range` can be a name in running text. `plain`: also without capitals ("osimertinib"), where the
/// wording's words stand on both sides.
pub(super) fn can_be_name(letters: &Letters<'_>, range: &Range<usize>, plain: bool) -> bool {
    let (start, end) = (range.start, range.end);
    if end <= start
        || end - start > 60
        || letters.at(start) == ' '
        || letters.before(end) == ' '
        || !letters.is_edge(start)
        || !letters.is_edge(end)
    {
        return false;
    }
    let key = letters.key(range.clone());
    let marks = range.clone().any(|at| is_clause_mark(letters, at) && !is_initial(letters, at + 1));
    if marks || is_no_name(letters, start, end) || !key.chars().any(char::is_alphabetic) {
        return false;
    }
    if key.chars().any(is_ideograph) {
        let particles = key.chars().any(|char| {
            matches!(char, '的' | '了' | '是' | '和' | '与' | '及' | '或' | '在' | '为' | '于' | '被' | '把')
        });
        // "预计苹果公司2023财年" is a clause and no name.
        let dated = range
            .clone()
            .any(|at| letters.at(at) == '年' && (letters.before(at).is_numeric() || letters.before(at) == '财'));
        if dated || hedged(letters, start, end) {
            return false;
        }
        return !particles
            && key.chars().count() <= 20
            && !CHINESE_STAND_INS.iter().any(|word| key == *word || (key.starts_with(word) && word.starts_with('该')));
    }
    let words: Vec<&str> = key.split(' ').collect();
    let first = words.iter().find(|word| !matches!(**word, "the" | "a" | "an")).copied().unwrap_or_default();
    let last = words.last().copied().unwrap_or_default();
    if STAND_INS.contains(&first) && words.len() <= 2
        || STAND_INS.contains(&last) && !letters.is_upper(end - last.chars().count())
    {
        return false;
    }
    // "Paris's suburb" names Paris and means another place.
    if last.ends_with("'s") && end < letters.len() && !is_clause_mark(letters, end) {
        return false;
    }
    if phrase_from(letters, start) == Some(end) {
        return true;
    }
    plain
        && words.len() <= 4
        && words.iter().all(|word| !OPENERS.contains(word))
        && key.chars().all(|char| char.is_alphanumeric() || matches!(char, ' ' | '-' | '/' | '+'))
}

/// Where the run of letters around Chinese text begins, going back from `end` to a mark.
pub(super) fn run_to(letters: &Letters<'_>, end: usize) -> usize {
    let mut start = end;
    while start > 0 && !is_clause_mark(letters, start - 1) {
        start -= 1;
    }
    start
}

/// Where the run of letters that begins at `at` ends, at a mark or the sentence's end.
pub(super) fn run_from(letters: &Letters<'_>, at: usize) -> usize {
    let mut end = at;
    while end < letters.len() && !is_clause_mark(letters, end) {
        end += 1;
    }
    end
}

/// The first place in `from..to` where nothing is left that may stand before a name: "截至2023年苹果公司" begins at "苹果".
pub(super) fn skip_chinese_openers(letters: &Letters<'_>, from: usize, to: usize) -> usize {
    let mut at = from;
    while at < to {
        let next = CHINESE_OPENERS.iter().filter_map(|word| letters.words_at(at, word)).filter(|end| *end <= to).max();
        at = match next {
            Some(end) => end,
            None if letters.digit(at).is_some() || letters.at(at) == ' ' => at + 1,
            None => return at,
        };
    }
    at
}
