//! The words of a wording, as they must stand in a sentence.

use crate::text::{Letters, is_cjk};

/// A wording's words between two slots, folded.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Literal {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Part {
    Words(Vec<char>),
    /// "is", "was", "are", "were": a wording says "was", and the text may say "is".
    Copula,
    /// "为", "是", "达" before a value.
    ChineseCopula,
}

const COPULAS: &[&str] = &["is", "was", "are", "were"];
const CHINESE_COPULAS: &[&str] = &["达到了", "达到", "达", "为", "是", "為"];

impl Literal {
    /// Folds `raw`. White space at its ends stands for one space, except beside Chinese.
    pub(crate) fn new(raw: &str, before_object: bool) -> Self {
        let letters = Letters::new(raw);
        let mut chars: Vec<char> = letters.key(0..letters.len()).chars().collect();
        if raw.starts_with(char::is_whitespace) && !chars.first().copied().is_some_and(is_cjk) {
            chars.insert(0, ' ');
        }
        if raw.ends_with(char::is_whitespace) && !raw.trim().is_empty() && !chars.last().copied().is_some_and(is_cjk) {
            chars.push(' ');
        }
        let mut parts = Vec::new();
        let mut words: Vec<char> = Vec::new();
        let mut at = 0;
        while let Some(&char) = chars.get(at) {
            let edge = |at: usize| !chars.get(at).is_some_and(|char| char.is_alphanumeric());
            let free = at.checked_sub(1).is_none_or(edge);
            let copula = COPULAS.iter().find(|word| {
                free && edge(at + word.len()) && chars.iter().skip(at).take(word.len()).copied().eq(word.chars())
            });
            if let Some(word) = copula {
                push(&mut parts, &mut words);
                parts.push(Part::Copula);
                at += word.len();
            } else if before_object && matches!(char, '为' | '是') && at + 1 == chars.len() {
                push(&mut parts, &mut words);
                parts.push(Part::ChineseCopula);
                at += 1;
            } else {
                words.push(char);
                at += 1;
            }
        }
        push(&mut parts, &mut words);
        Self { parts }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// How many letters it fixes: the more, the less likely it stands there by chance. A Chinese character counts for two.
    pub(crate) fn weight(&self) -> usize {
        self.parts
            .iter()
            .map(|part| match part {
                Part::Words(words) => {
                    words.iter().map(|char| if is_cjk(*char) { 2 } else { usize::from(char.is_alphanumeric()) }).sum()
                }
                Part::Copula => 1,
                Part::ChineseCopula => 2,
            })
            .sum()
    }

    /// The longest run of words in it, for finding sentences where it may stand.
    pub(crate) fn anchor(&self) -> String {
        let runs = self.parts.iter().filter_map(|part| match part {
            // "'s" may be written as a bare apostrophe.
            Part::Words(words) => {
                let words: String = words.iter().collect();
                Some(words.strip_prefix("'s").unwrap_or(&words).trim().to_owned())
            }
            _ => None,
        });
        runs.max_by_key(|run| run.chars().map(|char| if is_cjk(char) { 2 } else { 1 }).sum::<usize>())
            .unwrap_or_default()
    }

    /// Where it ends when it stands at `at`.
    pub(crate) fn ends_at(&self, letters: &Letters<'_>, at: usize) -> Option<usize> {
        let mut end = at;
        for (index, part) in self.parts.iter().enumerate() {
            end = match part {
                Part::Words(words) => words_end(words, letters, end, index == 0)?,
                Part::Copula => COPULAS.iter().find_map(|word| letters.words_at(end, word))?,
                Part::ChineseCopula => CHINESE_COPULAS.iter().find_map(|word| letters.words_at(end, word))?,
            };
        }
        Some(end)
    }
}

fn push(parts: &mut Vec<Part>, words: &mut Vec<char>) {
    if !words.is_empty() {
        parts.push(Part::Words(std::mem::take(words)));
    }
}

fn words_end(words: &[char], letters: &Letters<'_>, at: usize, first: bool) -> Option<usize> {
    let mut end = at;
    let mut rest = words;
    // "Goldman Sachs' revenue" for "'s revenue".
    if first
        && words.starts_with(&['\'', 's'])
        && letters.at(at) == '\''
        && letters.before(at) == 's'
        && letters.at(at + 1) != 's'
    {
        end += 1;
        rest = words.get(2..).unwrap_or_default();
    }
    if rest.first().is_some_and(|char| char.is_alphanumeric()) && !letters.is_edge(end) {
        return None;
    }
    for &char in rest {
        if letters.at(end) == char {
            end += 1;
        } else if !(char == ' ' && (is_cjk(letters.at(end)) || is_cjk(letters.before(end)))) {
            return None;
        }
    }
    letters.is_edge(end).then_some(end)
}
