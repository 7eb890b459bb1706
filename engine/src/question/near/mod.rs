//! Names that are not written exactly: misspelt, without accents or in other signs, a part of a name, first names as initials.
//!
//! They are looked for only in words that no exactly written name holds. What is found is put into the question in the place of what
//! was typed, so that all that follows reads the name as if it had been written; the answer says what was taken for what. A match is
//! believed only where one name is nearer than all others and its manner has been seen not to mistake one thing for another among the
//! graph's own names ([`trust`]); what is near and not sure is asked back.
//!
//! Reading order: [`spelling`] (words and slips) → [`index`] (names by their words) → [`typed`] (a question's words) → [`find`]
//! (matches) → [`choice`] (the nearest) → [`trust`].

mod choice;
mod find;
mod index;
mod spelling;
mod trust;
mod typed;

pub use find::Manner;

use super::{
    link::{Linker, Mention},
    words,
};
use aho_corasick::{AhoCorasick, MatchKind};
use choice::{Choice, choose};
use factmask_graph::{EntityId, Snapshot};
use factmask_schema::normal::{self, Folded};
use find::{Finder, Match};
use index::Index;
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};
use trust::Trust;
use typed::Sentence;

/// Names of one question that are put right.
const MOST_NAMES: usize = 3;

/// A name that was taken for another writing.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadAs {
    /// As the question has it.
    pub written: String,
    /// As the graph has it.
    pub meant: String,
    /// In what way they differ.
    pub manner: Manner,
    /// Of things that the graph does not know, the share that is mistaken so.
    pub doubt: f32,
}

/// A question with its names as the graph writes them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Restored {
    /// The question.
    pub question: String,
    /// What was put into it.
    pub read_as: Vec<ReadAs>,
    /// Who may be meant by a further name; nobody where no name comes near or one is sure.
    pub unsure: Vec<EntityId>,
}

/// Puts names right over one snapshot. What it needs to know is looked up with the first question that needs it.
#[derive(Default)]
pub struct Near {
    known: OnceLock<Known>,
    /// By language, whose words it depends on.
    trust: Mutex<BTreeMap<String, Arc<Trust>>>,
}

struct Known {
    index: Index,
    /// Finds what stands before brackets.
    bare: Option<AhoCorasick>,
    /// What the schema says, as content units and as words.
    units: BTreeSet<String>,
    said: BTreeSet<String>,
}

/// What a question is read with.
pub struct Ground<'a> {
    /// The graph.
    pub snapshot: &'a Snapshot,
    /// Its names as they are written.
    pub linker: &'a Linker,
    /// The language of the question.
    pub lang: &'a str,
    /// Whether the language has a word, as far as is known.
    pub knows: &'a dyn Fn(&str) -> bool,
}

impl Near {
    /// A question with those of its names written as in the graph that were not and are sure.
    pub fn restore(&self, ground: &Ground<'_>, question: &str) -> Restored {
        let mut restored = Restored { question: question.to_owned(), ..Restored::default() };
        for _ in 0..MOST_NAMES {
            let mentions = ground.linker.link(&restored.question);
            let map = Folded::new(&restored.question);
            match self.nearest(ground, &restored.question, &map, &mentions) {
                Choice::None => break,
                Choice::Several(all) => {
                    // Beside a name that is known, one that is not sure is left to what else the question says.
                    if mentions.is_empty() && all.iter().all(|one| one.manner.may_be_asked()) {
                        let index = &self.known(ground).index;
                        restored.unsure = all.iter().map(|one| index.name(one.name).entity).collect();
                    }
                    break;
                }
                Choice::One(found) => {
                    let known = self.known(ground);
                    let doubt = self.trust(ground).of(&known.index, &found).filter(|_| !found.real);
                    let meant = &known.index.text(ground.snapshot, found.name).text;
                    let range = map.source_range(found.span.clone());
                    let (Some(doubt), Some(written)) = (doubt, restored.question.get(range.clone())) else {
                        if mentions.is_empty() && found.manner.may_be_asked() {
                            restored.unsure = vec![known.index.name(found.name).entity];
                        }
                        break;
                    };
                    let read_as =
                        ReadAs { written: written.to_owned(), meant: meant.clone(), manner: found.manner, doubt };
                    let mut question = restored.question.clone();
                    question.replace_range(range, meant);
                    if !stands(ground.linker, &question, &found.span, meant) {
                        break;
                    }
                    restored.question = question;
                    restored.read_as.push(read_as);
                }
            }
        }
        restored
    }

    /// Whether every word of a text, but for function words, is one that the schema says; a text without such words says nothing.
    pub fn schema_says(&self, snapshot: &Snapshot, text: &str) -> bool {
        let units = words::units(text);
        !units.is_empty() && units.is_subset(&self.known.get_or_init(|| Known::new(snapshot)).units)
    }

    fn known(&self, ground: &Ground<'_>) -> &Known {
        self.known.get_or_init(|| Known::new(ground.snapshot))
    }

    fn trust(&self, ground: &Ground<'_>) -> Arc<Trust> {
        let measured = || self.trust.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(trust) = measured().get(ground.lang) {
            return trust.clone();
        }
        // Outside the lock: two questions at once may both do it, neither waits for the other.
        let trust = Arc::new(Trust::measure(ground.snapshot, &self.known(ground).index, ground.knows));
        measured().insert(ground.lang.to_owned(), trust.clone());
        trust
    }

    fn nearest(&self, ground: &Ground<'_>, question: &str, map: &Folded, mentions: &[Mention]) -> Choice {
        // Before anything is looked up: whether there is a word that may be a name at all.
        let glance = Sentence::new(question, map, mentions, &|_, _| false, ground.knows);
        let calls = (0..glance.words.len()).any(|at| glance.calls(at));
        if !calls && !mentions.is_empty() {
            return Choice::None;
        }
        let known = self.known(ground);
        let finder = Finder { snapshot: ground.snapshot, index: &known.index, without: None };
        let sentence =
            Sentence::new(question, map, mentions, &|word, misspelt| known.says(word, misspelt), ground.knows);
        let mut found = finder.by_words(&sentence);
        let spans: Vec<Range<usize>> = mentions.iter().map(|mention| mention.span.clone()).collect();
        found.extend(known.before_brackets(&map.text, &spans));
        found.extend(finder.by_beginning(&map.text, &spans, &|rest| known.ends_a_name(rest)));
        // What is written exactly has been judged: "it" is no film of that name.
        let exact =
            |one: &Match| normal::fold(&known.index.text(ground.snapshot, one.name).text) == map.text[one.span.clone()];
        found.retain(|one| !exact(one));
        choose(ground.snapshot, &known.index, found)
    }
}

/// Whether the name that was put in is read as one.
fn stands(linker: &Linker, question: &str, span: &Range<usize>, meant: &str) -> bool {
    let end = span.start + normal::fold(meant).len();
    linker.link(question).iter().any(|mention| mention.span.start <= span.start && end <= mention.span.end)
}

impl Known {
    fn new(snapshot: &Snapshot) -> Self {
        let index = Index::new(snapshot);
        let bare = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(index.bare()).ok();
        let schema = snapshot.schema();
        let classes = schema.classes.values().flat_map(|class| class.labels.iter().chain(&class.aliases));
        let relations = schema.relations.values().flat_map(|one| one.labels.iter().chain(&one.aliases));
        let qualifiers = schema.qualifiers.values().flat_map(|one| one.labels.iter().chain(&one.aliases));
        let names = classes.chain(relations).chain(qualifiers).map(|name| name.text.as_str());
        let wordings = schema.relations.values().flat_map(|one| one.questions.iter().chain(&one.statements));
        let said: Vec<&str> = names.chain(wordings.flat_map(|wording| wording.literals())).collect();
        let units = said.iter().flat_map(|text| words::units(text)).collect();
        let said = said.iter().flat_map(|text| spelling::words(&normal::fold(text))).map(|word| word.letters).collect();
        Self { index, bare, units, said }
    }

    /// Whether the schema says a word, or one that it may be misspelt for.
    fn says(&self, word: &str, misspelt: bool) -> bool {
        words::units(word).is_subset(&self.units)
            || (misspelt && self.said.iter().any(|said| spelling::slips(word, said).is_some()))
    }

    /// Whether a name without spaces may end before this.
    fn ends_a_name(&self, rest: &str) -> bool {
        const BEHIND: &[&str] = &["的", "是", "在", "有", "和", "与", "属于", "位于", "为", "吗", "呢", "由", "被"];
        !rest.starts_with(char::is_alphanumeric) || BEHIND.iter().any(|word| rest.starts_with(word))
    }

    fn before_brackets(&self, folded: &str, within: &[Range<usize>]) -> Vec<Match> {
        let Some(bare) = &self.bare else { return Vec::new() };
        let mut found = Vec::new();
        for hit in bare.find_iter(folded) {
            let span = hit.range();
            let free = within.iter().all(|known| known.end <= span.start || span.end <= known.start);
            let text = &folded[span.clone()];
            if free && super::link::stands_alone(folded, &span) && !words::is_function_word(text) {
                let matched = |name| Match {
                    manner: Manner::Bracket,
                    span: span.clone(),
                    size: text.chars().count(),
                    name,
                    real: false,
                };
                found.extend(self.index.bracketed(text).map(matched));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests;
