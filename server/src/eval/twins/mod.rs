//! Unanswerable twins: questions of a set, asked of a graph that lacks the facts for their answers. Right is a refusal.
//!
//! Reading order: [`gold`] (which facts carry the answers) → [`rename`] (names and years that have none) → [`worlds`] (graphs without them, many questions in one) → [`ask`]
//! → [`tally`] (what became of the twins).

pub mod ask;
pub mod gold;
pub mod rename;
pub mod tally;
mod worlds;

use super::{score::Rule, set::Question};
use anyhow::Result;
use factmask_graph::{EntityId, FactId, Snapshot};
use gold::{Finder, Gold};
use rename::Renamer;
use serde::Serialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// Why a question has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The facts that carry the answers are gone; the way to them is there.
    LastFacts,
    /// All facts on the way are gone.
    AllFacts,
    /// It is about a name that nothing bears.
    UnknownName,
    /// It is about something of the same kind that has no such fact.
    OtherThing,
    /// It is about something of another kind. Few of these have an answer after all ("which country is the club from?"), so that what is
    /// counted wrong is an upper bound.
    OtherClass,
    /// It is about a year of which nothing is known.
    OtherYear,
    /// The set marks it so.
    Marked,
}

impl Kind {
    /// Its name on the terminal.
    pub fn name(self) -> &'static str {
        match self {
            Self::LastFacts => "last facts",
            Self::AllFacts => "all facts",
            Self::UnknownName => "unknown name",
            Self::OtherThing => "other thing",
            Self::OtherClass => "other class",
            Self::OtherYear => "other year",
            Self::Marked => "marked",
        }
    }
}

/// A question that has no answer.
#[derive(Clone, Debug)]
pub struct Twin {
    /// Why.
    pub kind: Kind,
    /// Whose twin it is: place in the set's questions.
    pub of: usize,
    /// As it is asked.
    pub question: String,
    /// What must be gone when it is asked.
    pub removed: BTreeSet<FactId>,
}

/// The twins of a set, and over which graph each is asked.
pub struct Twins {
    /// All, in the order in which they are asked.
    pub all: Vec<Twin>,
    /// Graphs, each with the places of its twins in `all`.
    groups: Vec<Vec<usize>>,
    /// Questions with an answer for which no twin could be made: the graph does not hold it, or not in three steps.
    pub without: usize,
}

impl Twins {
    /// Makes the twins of all answerable questions; `rule` is the set's.
    ///
    /// # Errors
    /// Names that cannot be indexed.
    pub fn make(snapshot: &Snapshot, questions: &[Question], rule: Rule) -> Result<Self> {
        let (finder, renamer) = (Finder::new(snapshot, rule)?, Renamer::new(snapshot));
        let (mut all, mut without, mut cores) = (Vec::new(), 0, BTreeMap::new());
        for (of, question) in questions.iter().enumerate().filter(|(_, question)| question.is_answerable()) {
            let Some(gold) = finder.gold(question) else {
                without += 1;
                continue;
            };
            all.extend(removals(snapshot, of, question, &gold));
            let renamed = [
                (Kind::UnknownName, renamer.made_up(&finder, question, &gold)),
                (Kind::OtherThing, renamer.other(&finder, question, &gold, true)),
                (Kind::OtherClass, renamer.other(&finder, question, &gold, false)),
                (Kind::OtherYear, renamer.other_year(&finder, question)),
            ];
            let twin = |(kind, question): (Kind, Option<String>)| {
                Some(Twin { kind, of, question: question?, removed: BTreeSet::new() })
            };
            all.extend(renamed.into_iter().filter_map(twin));
            cores.insert(of, gold.way(snapshot));
        }
        let none = BTreeSet::new();
        let core = |twin: &Twin| -> BTreeSet<EntityId> { cores.get(&twin.of).unwrap_or(&none).clone() };
        let groups = worlds::groups(snapshot, &all, &core);
        Ok(Self { all, groups, without })
    }

    /// How many graphs they are asked over.
    pub fn graphs_needed(&self) -> usize {
        self.groups.len()
    }

    /// The graphs in turn, each with the twins to ask over it, by their places.
    pub fn graphs<'a>(&'a self, whole: &'a Arc<Snapshot>) -> impl Iterator<Item = (Arc<Snapshot>, &'a [usize])> {
        self.groups.iter().map(move |group| {
            let twins = group.iter().filter_map(|at| self.all.get(*at));
            let gone = twins.flat_map(|twin| twin.removed.iter().copied()).collect();
            (worlds::without(whole, gone), group.as_slice())
        })
    }
}

fn removals(snapshot: &Snapshot, of: usize, question: &Question, gold: &Gold) -> Vec<Twin> {
    let twin = |kind, removed| Twin { kind, of, question: question.question.clone(), removed };
    let last = gold.facts(snapshot, false);
    // Where the path is not told, many yield the answers by chance, and all facts on all of them are a good part of the graph.
    let all = Some(gold.facts(snapshot, true)).filter(|all| gold.told && *all != last);
    [twin(Kind::LastFacts, last)].into_iter().chain(all.map(|all| twin(Kind::AllFacts, all))).collect()
}

#[cfg(test)]
mod tests;
