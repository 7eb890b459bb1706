//! Mentions to entities: all names in one automaton, leftmost-longest, at word boundaries (CJK without).

use super::{language::is_cjk, words};
use crate::EngineError;
use aho_corasick::{AhoCorasick, MatchKind};
use factmask_graph::{EntityId, Snapshot};
use factmask_schema::normal::{self, Folded};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// A stretch of the folded question and the entities that bear this name. Homonyms stay apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// Byte range in the folded question.
    pub span: Range<usize>,
    /// Who can be meant, by number.
    pub entities: Vec<EntityId>,
    /// How it is written in the question, and in the graph.
    pub letters: Letters,
    /// Whether it may be no name here but a word like others ([`ordinary`](super::ordinary)).
    pub doubtful: bool,
}

/// Whether a name begins with a capital letter. Scripts without capitals have none that begins with a small one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Letters {
    /// The question has it in small letters alone.
    pub small: bool,
    /// The graph has it in no other way than with a capital.
    pub named_in_capitals: bool,
}

/// Finds the names of one snapshot's entities in a question.
pub struct Linker {
    automaton: AhoCorasick,
    /// By pattern number.
    names: Vec<Name>,
    /// Folded words of class names: "River Danube" is the Danube.
    class_words: BTreeSet<String>,
}

#[derive(Default)]
struct Name {
    entities: Vec<EntityId>,
    /// Whether it is ever written other than as a short acronym.
    spoken: bool,
    /// Whether it is ever written in small letters alone.
    small: bool,
}

impl Linker {
    /// Indexes all labels and aliases, and the last part of each IRI where an entity has no name at all.
    pub fn new(snapshot: &Snapshot) -> Result<Self, EngineError> {
        let mut names: BTreeMap<String, Name> = BTreeMap::new();
        for (number, entity) in snapshot.entities().iter().enumerate() {
            let id = EntityId(number as u32);
            let mut own: Vec<&str> =
                entity.labels.iter().chain(&entity.aliases).map(|name| name.text.as_str()).collect();
            if own.is_empty() {
                own.push(snapshot.name(id, "en"));
            }
            for name in own {
                let folded = normal::fold(name);
                if !folded.is_empty() {
                    let entry = names.entry(folded).or_default();
                    entry.spoken |= !is_acronym(name);
                    entry.small |= is_small(name);
                    if entry.entities.last() != Some(&id) {
                        entry.entities.push(id);
                    }
                }
            }
        }
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(names.keys())
            .map_err(|fault| EngineError::Names(fault.to_string()))?;
        let classes = snapshot.schema().classes.values();
        let called = classes.flat_map(|class| class.labels.iter().chain(&class.aliases));
        let class_words = called.flat_map(|name| word_list(&normal::fold(&name.text))).collect();
        Ok(Self { automaton, names: names.into_values().collect(), class_words })
    }

    /// Who bears exactly this folded name.
    pub fn exact(&self, name: &str) -> Option<&[EntityId]> {
        let found = self.automaton.find(name).filter(|found| found.range() == (0..name.len()))?;
        self.names.get(found.pattern().as_usize()).map(|name| name.entities.as_slice())
    }

    /// The mentions in a question, left to right, none overlapping. Spans lie in the folded text.
    pub fn link(&self, question: &str) -> Vec<Mention> {
        let map = Folded::new(question);
        let folded = map.text.as_str();
        let mut mentions = Vec::new();
        let mut from = 0;
        while let Some(found) = self.automaton.find(&folded[from..]) {
            let span = from + found.start()..from + found.end();
            let name = &self.names[found.pattern().as_usize()];
            let typed = question.get(map.source_range(span.clone())).unwrap_or_default();
            if stands_alone(folded, &span)
                && (name.spoken || meant_as_acronym(typed, question))
                && meant_as_name(&folded[span.clone()], typed, span.start)
                && !part_of_longer_name(question, &map.source_range(span.clone()))
                && !self.behind_a_modifier(question, &map.source_range(span.clone()))
            {
                from = span.end;
                let letters = Letters { small: is_small(typed), named_in_capitals: !name.small };
                mentions.push(Mention { span, entities: name.entities.clone(), letters, doubtful: false });
            } else {
                // A rejected match must not hide one that starts inside it.
                from = span.start + folded[span.start..].chars().next().map_or(1, char::len_utf8);
            }
        }
        mentions
    }
}

impl Linker {
    /// "Upper Austria" is not Austria: a capitalised word before a capitalised name is taken for a part of a longer, unknown name,
    /// unless it begins the question, is a title, or says the class of the thing.
    fn behind_a_modifier(&self, typed: &str, span: &Range<usize>) -> bool {
        const TITLES: &[&str] = &["mr", "mrs", "ms", "dr", "prof", "sir", "st"];
        let (Some(before), Some(name)) = (typed.get(..span.start), typed.get(span.clone())) else { return false };
        let Some(before) = before.strip_suffix(' ').filter(|_| name.starts_with(char::is_uppercase)) else {
            return false;
        };
        let word = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let begins = !before[..before.len() - word.len()].contains(char::is_alphanumeric);
        let folded = normal::fold(word);
        !begins
            && is_capitalised(word)
            && !words::is_function_word(&folded)
            && !TITLES.contains(&folded.as_str())
            && !self.class_words.contains(&folded)
    }
}

fn word_list(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Small letters and no capital.
fn is_small(name: &str) -> bool {
    name.contains(char::is_lowercase) && !name.contains(char::is_uppercase)
}

/// A capital and then a small letter.
fn is_capitalised(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(char::is_uppercase) && chars.next().is_some_and(char::is_lowercase)
}

/// Two to four capitals: WHO, MET, EGFR.
fn is_acronym(name: &str) -> bool {
    (2..=4).contains(&name.len()) && name.chars().all(|c| c.is_ascii_uppercase())
}

/// "Who is …" does not name the WHO. An acronym is meant when it is typed as one, or when nothing in the question is in capitals
/// and it is no function word.
fn meant_as_acronym(typed: &str, question: &str) -> bool {
    is_acronym(typed) || (!question.chars().any(char::is_uppercase) && !words::is_function_word(typed))
}

/// "What is it?" asks for no film of that name. A name that is a function word too is meant only inside a sentence and capitalised.
fn meant_as_name(name: &str, typed: &str, start: usize) -> bool {
    !words::is_function_word(name) || (start > 0 && typed.starts_with(char::is_uppercase))
}

/// Whether both ends of the span are word boundaries. Between two CJK characters every place is one.
pub(super) fn stands_alone(text: &str, span: &Range<usize>) -> bool {
    let joined = |a: Option<char>, b: Option<char>| match (a, b) {
        (Some(a), Some(b)) => a.is_alphanumeric() && b.is_alphanumeric() && !is_cjk(a) && !is_cjk(b),
        _ => false,
    };
    let (before, name, after) = (&text[..span.start], &text[span.clone()], &text[span.end..]);
    !joined(before.chars().next_back(), name.chars().next()) && !joined(name.chars().next_back(), after.chars().next())
}

/// "Apple Bank" is not Apple, "737-700" not 737, "Metformin 850 mg" not Metformin: a capitalised name before a further capitalised word, and
/// one before a number that is no year, is a part of a longer, unknown name.
fn part_of_longer_name(typed: &str, span: &Range<usize>) -> bool {
    let (Some(name), Some(after)) = (typed.get(span.clone()), typed.get(span.end..)) else { return false };
    if after.strip_prefix('-').is_some_and(|after| after.starts_with(|c: char| c.is_ascii_digit())) {
        return true;
    }
    if !name.chars().next().is_some_and(char::is_uppercase) {
        return false;
    }
    let word = after.strip_prefix(' ').and_then(|after| after.split(|c: char| !c.is_alphanumeric()).next());
    word.is_some_and(|word| is_capitalised(word) || is_model_number(word))
}

/// A number that is no year.
fn is_model_number(word: &str) -> bool {
    const DIGITS_OF_A_YEAR: usize = 4;
    word.len() != DIGITS_OF_A_YEAR && !word.is_empty() && word.chars().all(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
    use super::Linker;
    use factmask_graph::{Entity, Snapshot};
    use factmask_schema::{Iri, Schema, Text, normal};

    fn entity(name: &str, labels: &[(&str, &str)]) -> Entity {
        Entity {
            iri: Iri::new_unchecked(format!("urn:test:{name}")),
            classes: vec![],
            labels: labels.iter().map(|(lang, text)| Text::new(*lang, *text)).collect(),
            aliases: vec![],
        }
    }

    #[test]
    fn mentions() {
        let snapshot = Snapshot::build(
            1,
            Schema::default(),
            vec![
                entity("apple", &[("en", "Apple"), ("zh", "苹果公司")]),
                entity("paris-fr", &[("en", "Paris")]),
                entity("paris-tx", &[("en", "Paris")]),
                entity("new-york", &[("en", "New York")]),
                entity("new-york-city", &[("en", "New York City")]),
                entity("egfr", &[("en", "EGFR")]),
                entity("who", &[("en", "WHO")]),
                entity("it", &[("en", "It")]),
                entity("shi", &[("zh", "是")]),
            ],
            vec![],
        );
        let linker = Linker::new(&snapshot).unwrap();
        let table: &[(&str, &[(&str, usize)])] = &[
            ("How much did Apple spend in 2023?", &[("apple", 1)]),
            ("苹果公司2023年研发投入是多少?", &[("苹果公司", 1)]),
            ("How big is New York City?", &[("new york city", 1)]),
            ("Where is Paris?", &[("paris", 2)]),
            ("What are pineapples?", &[]),
            ("What is the revenue of Apple Bank?", &[]),
            ("What is the revenue of Green Apple?", &[]),
            ("What did Apple say of Dr Apple?", &[("apple", 1), ("apple", 1)]),
            ("Green Apple sells what?", &[("apple", 1)]),
            ("What is the revenue of Apple-2?", &[]),
            ("What is the price of the Apple 15?", &[]),
            ("What was Apple 2023 revenue?", &[("apple", 1)]),
            ("does the EGFR-mutant tumour respond?", &[("egfr", 1)]),
            ("Who leads it?", &[]),
            ("who leads it?", &[]),
            ("Who leads the WHO?", &[("who", 1)]),
            ("where is egfr?", &[("egfr", 1)]),
            ("It is where? What is it?", &[]),
            ("Who directed It?", &[("it", 1)]),
            ("苹果公司是什么?", &[("苹果公司", 1)]),
            ("", &[]),
        ];
        for (question, expected) in table {
            let folded = normal::fold(question);
            let found: Vec<_> =
                linker.link(question).into_iter().map(|m| (folded[m.span].to_owned(), m.entities.len())).collect();
            let expected: Vec<_> = expected.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect();
            assert_eq!(found, expected, "{question}");
        }
    }
}
