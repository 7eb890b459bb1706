//! How words are spelled: plain letters, and the slips that make one word of another.

use crate::question::language::is_cjk;
use factmask_schema::normal;
use std::ops::Range;

/// Letters of a word in which one slip is believed, and two.
const ONE_SLIP: usize = 4;
const TWO_SLIPS: usize = 10;

/// A word of a folded text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// Where it stands.
    pub span: Range<usize>,
    /// Its letters and digits, without accents and apostrophes.
    pub letters: String,
    /// The same without a possessive "'s" or "'", and where that ends.
    pub owner: Option<(String, usize)>,
}

/// The words of a folded text; what is written without spaces has none. An apostrophe parts no word, every other sign does.
pub(super) fn words(folded: &str) -> Vec<Word> {
    let inside = |c: char| (c.is_alphanumeric() && !is_cjk(c)) || is_apostrophe(c);
    let mut found = Vec::new();
    let mut rest = 0;
    while let Some(start) = folded[rest..].find(inside).map(|at| rest + at) {
        let end = folded[start..].find(|c| !inside(c)).map_or(folded.len(), |at| start + at);
        rest = end;
        let text = folded[start..end].trim_end_matches(is_apostrophe);
        let letters = plain(text);
        if letters.is_empty() {
            continue;
        }
        let bare = text.strip_suffix('s').filter(|bare| bare.ends_with(is_apostrophe));
        let closed = (text.len() < end - start && text.ends_with('s')).then_some(text);
        let owner = bare.or(closed).map(|owner| owner.trim_end_matches(is_apostrophe));
        let owner = owner.map(|owner| (plain(owner), start + owner.len())).filter(|(letters, _)| !letters.is_empty());
        found.push(Word { span: start..start + text.len(), letters, owner });
    }
    found
}

fn plain(text: &str) -> String {
    normal::without_accents(text).chars().filter(|c| c.is_alphanumeric()).collect()
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | 'ʼ' | '`')
}

/// How many slips of the pen make `typed` of `word`: a letter too many, too few, wrong, or two in the wrong order. None where they are
/// more than a word of this length is believed to have. Digits and Roman numbers tell things apart, and the first letter is seldom wrong,
/// so those must stand.
pub(super) fn slips(typed: &str, word: &str) -> Option<u8> {
    if typed == word {
        return Some(0);
    }
    let (typed_letters, letters): (Vec<char>, Vec<char>) = (typed.chars().collect(), word.chars().collect());
    let most = most_slips(typed_letters.len().min(letters.len()))?;
    if typed_letters.first() != letters.first()
        || typed_letters.len().abs_diff(letters.len()) > usize::from(most)
        || [typed, word].iter().any(|text| numbers(text))
    {
        return None;
    }
    u8::try_from(distance(&typed_letters, &letters)).ok().filter(|slips| *slips <= most)
}

/// Slips that are believed in a word of so many letters.
pub(super) fn most_slips(letters: usize) -> Option<u8> {
    match letters {
        TWO_SLIPS.. => Some(2),
        ONE_SLIP.. => Some(1),
        _ => None,
    }
}

/// Whether a word is, holds or may be a number: "13", "b2", "iii".
pub(super) fn numbers(word: &str) -> bool {
    word.chars().any(char::is_numeric) || word.chars().all(|c| "ivxlcdm".contains(c))
}

/// Optimal string alignment: insertions, deletions, replacements and exchanges of neighbours, none of a place twice.
fn distance(one: &[char], other: &[char]) -> usize {
    let width = other.len() + 1;
    let mut before: Vec<usize> = vec![0; width];
    let mut above: Vec<usize> = (0..width).collect();
    for (row, a) in one.iter().enumerate() {
        let mut line = vec![row + 1; width];
        for (column, b) in other.iter().enumerate() {
            let replaced = above[column] + usize::from(a != b);
            let mut least = replaced.min(above[column + 1] + 1).min(line[column] + 1);
            let exchanged = row > 0 && column > 0 && other[column - 1] == *a && one[row - 1] == *b;
            if exchanged {
                least = least.min(before[column - 1] + 1);
            }
            line[column + 1] = least;
        }
        before = std::mem::replace(&mut above, line);
    }
    above[width - 1]
}

#[cfg(test)]
mod tests {
    use super::{slips, words};

    #[test]
    fn words_of_a_text() {
        type Row = (&'static str, &'static [(&'static str, Option<&'static str>)]);
        let table: &[Row] = &[
            ("ridley scott's films", &[("ridley", None), ("scotts", Some("scott")), ("films", None)]),
            ("james' wife", &[("james", Some("james")), ("wife", None)]),
            ("amélie o'brien", &[("amelie", None), ("obrien", None)]),
            ("spider-man 2?", &[("spider", None), ("man", None), ("2", None)]),
            ("what's up", &[("whats", Some("what")), ("up", None)]),
            ("苹果公司apple inc.", &[("apple", None), ("inc", None)]),
            ("' ''", &[]),
            ("", &[]),
        ];
        for (text, expected) in table {
            let found = words(text);
            let found: Vec<_> = found
                .iter()
                .map(|word| (word.letters.as_str(), word.owner.as_ref().map(|(owner, _)| owner.as_str())))
                .collect();
            assert_eq!(found, *expected, "{text}");
        }
    }

    #[test]
    fn slips_of_the_pen() {
        let table = [
            ("runner", "runner", Some(0)),
            ("runnr", "runner", Some(1)),
            ("runenr", "runner", Some(1)),
            ("runnner", "runner", Some(1)),
            ("rummer", "runner", None),
            ("durie", "curie", None),
            ("inceptoin", "inception", Some(1)),
            ("incepton", "inception", Some(1)),
            ("incetpoin", "inception", None),
            ("blackhat", "blackout", None),
            ("terminatro", "terminator", Some(1)),
            ("temrinatro", "terminator", Some(2)),
            ("tezminatoor", "terminator", Some(2)),
            ("xnception", "inception", None),
            ("the", "them", None),
            ("viii", "xviii", None),
            ("viii", "vivii", None),
            ("apollo13", "apollo14", None),
            ("joan", "john", Some(1)),
            ("", "", Some(0)),
            ("", "a", None),
        ];
        for (typed, word, expected) in table {
            assert_eq!(slips(typed, word), expected, "{typed} {word}");
        }
    }
}
