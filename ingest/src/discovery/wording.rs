//! Which words between two names say a relation.

use crate::suggest::{base_form, is_verb};
use crate::text::{Letters, is_ideograph};
use std::ops::Range;

/// Words that say a relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Phrase {
    /// The same for all forms of its verbs.
    pub(super) key: String,
    /// What the relation is called by it.
    pub(super) name: String,
    /// It is a noun, which is said with other words around it.
    pub(super) noun: bool,
    /// The words as they stand between the two, where they say all of it.
    pub(super) between: Option<String>,
}

/// More words, or Chinese characters, are more than a relation.
const MOST_WORDS: usize = 6;
const MOST_CHARACTERS: usize = 8;

const COPULAS: &[&str] = &["is", "was", "are", "were"];
const CHINESE_COPULAS: &[&str] = &["就是", "是", "为", "系"];

/// Words before a verb that leave what it says as it is.
const ADVERBS: &[&str] = &["also", "then", "later", "first", "now", "still"];
const DETERMINERS: &[&str] = &["the", "a", "an", "its", "his", "her", "their"];

/// Characters that only hold a sentence together.
const PARTICLES: &[char] = &[
    '和', '与', '及', '或', '的', '之', '在', '于', '是', '为', '有', '等', '而', '把', '被', '了', '系', '就', '也',
    '都',
];

/// What the words between two names say of the first by the second: a verb with what belongs to it ("was founded by"), or a noun
/// that one is to the other ("the capital of S is O", "S's capital is O", "S的首都是O").
pub(super) fn between(letters: &Letters<'_>, subject: &Range<usize>, object: &Range<usize>) -> Option<Phrase> {
    let words = letters.key(subject.end..object.start);
    let words = words.trim();
    if words.chars().any(is_ideograph) {
        return chinese(words);
    }
    if !words.chars().all(|char| char.is_alphabetic() || matches!(char, ' ' | '\'' | '-')) {
        return None;
    }
    let words: Vec<&str> = words.split(' ').collect();
    match words.as_slice() {
        ["'s", noun @ .., copula] if COPULAS.contains(copula) => said(noun).map(Phrase::noun),
        [copula] if COPULAS.contains(copula) => {
            let before = letters.key(0..subject.start);
            let before: Vec<&str> = before.trim_end().split(' ').collect();
            let (of, before) = before.split_last()?;
            let the = before.iter().rposition(|word| *word == "the")?;
            (*of == "of").then(|| said(before.get(the + 1..).unwrap_or_default()).map(Phrase::noun))?
        }
        words => verbal(words),
    }
}

fn verbal(words: &[&str]) -> Option<Phrase> {
    let adverb = |word: &&str| ADVERBS.contains(word) || (word.len() > 4 && word.ends_with("ly"));
    let from = words.iter().position(|word| !adverb(word))?;
    let until = words.iter().rposition(|word| !DETERMINERS.contains(word))? + 1;
    let words = words.get(from..until)?;
    let between = Some(words.join(" "));
    // "has a population of" says the population.
    if let ["has" | "had" | "have", determiner, noun @ .., "of"] = words
        && DETERMINERS.contains(determiner)
    {
        return said(noun).map(|phrase| Phrase { between, ..phrase.noun() });
    }
    let verb = words.iter().any(|word| is_verb(word) && base_form(word) != "be" && base_form(word) != "have");
    // "is a city in" says something, a bare "is" what something is, which is a class and no relation.
    let phrase = (is_verb(words.first()?) && (verb || words.len() > 1)).then(|| said(words))?;
    phrase.map(|phrase| Phrase { between, ..phrase })
}

impl Phrase {
    fn noun(self) -> Self {
        Self { noun: true, ..self }
    }
}

fn said(words: &[&str]) -> Option<Phrase> {
    let plain = |word: &&str| word.chars().all(|char| char.is_alphabetic() || char == '-') && !word.is_empty();
    if words.is_empty() || words.len() > MOST_WORDS || !words.iter().all(plain) {
        return None;
    }
    // "acquired" and "acquires" differ in whether the base is taken to end in "e".
    let key = words.iter().map(|word| base_form(word).trim_end_matches('e').to_owned()).collect::<Vec<_>>().join(" ");
    Some(Phrase { key, name: words.join(" "), noun: false, between: None })
}

fn chinese(words: &str) -> Option<Phrase> {
    let noun = words.strip_prefix('的');
    let copula = |words: &str| CHINESE_COPULAS.iter().find_map(|copula| words.strip_suffix(copula).map(str::to_owned));
    let name = match noun {
        Some(noun) => copula(noun).unwrap_or_else(|| noun.to_owned()),
        None => words.trim_end_matches('了').to_owned(),
    };
    let whole = name.chars().all(is_ideograph) && (2..=MOST_CHARACTERS).contains(&name.chars().count());
    let said = name.chars().any(|char| !PARTICLES.contains(&char))
        && name.chars().next().is_some_and(|char| !PARTICLES.contains(&char) || matches!(char, '位' | '被'));
    let between = noun.is_none().then(|| words.to_owned());
    (whole && said).then(|| Phrase { key: name.clone(), name, noun: noun.is_some(), between })
}
