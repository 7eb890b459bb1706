//! Questions whose answer is computed: counts, superlatives, comparisons, yes and no, lists under several conditions.
//!
//! Reading order: [`query`] says what an operation is, [`execute`] runs it on a snapshot, [`sparql`] writes it down. A question is
//! read by a grammar of its language (`english`, `chinese`) over what the schema calls things ([`called`]), what the data ties
//! together ([`ties`]) and the operator words of the language ([`lexicon`]). A word that has no part in a reading makes it none, so
//! nothing that a question asks for is passed over.

mod behind;
pub mod called;
mod chinese;
mod compare;
mod english;
pub mod execute;
pub(super) mod lemma;
pub(super) mod lexicon;
pub mod query;
mod reading;
pub mod sense;
pub mod sparql;
pub mod ties;

use super::{constraint::Constraints, link::Linker, path::Path};
use called::Called;
use execute::{Executor, Outcome, Refusal};
use factmask_graph::{Snapshot, Value};
use factmask_schema::{Functional, Iri, Schema, normal};
use query::{Query, Set};
use sense::Sense;
use std::ops::Range;

/// Bearers of one name that are considered.
const MOST_HOMONYMS: usize = 8;

/// What operations need to know of a snapshot, looked up once.
#[derive(Debug)]
pub struct Ground {
    ties: ties::Ties,
    called: Called,
}

/// What a question asks to be computed, and what came of it.
#[derive(Clone, Debug)]
pub struct Operation {
    /// What is computed.
    pub query: Query,
    /// What came of it.
    pub outcome: Result<Outcome, Refusal>,
    /// Of when its facts are, where the question says so.
    pub years: Vec<i32>,
    /// What was guessed in reading it: 0 when every word says it literally.
    pub cost: u32,
}

impl Ground {
    /// Looks at a snapshot.
    pub fn new(snapshot: &Snapshot) -> Self {
        let ties = ties::Ties::new(snapshot);
        let called = Called::new(snapshot.schema(), &ties);
        Self { ties, called }
    }

    /// Whether the question counts things of a class that a relation's own words do not speak of: then no number of that relation
    /// answers it, however near its other words are.
    pub fn counts_beside(&self, snapshot: &Snapshot, folded: &str, relation: &Iri) -> bool {
        let relation = snapshot.schema().relation(relation);
        let names = relation.labels.iter().chain(&relation.aliases).map(|name| name.text.as_str());
        let wordings = relation.questions.iter().chain(&relation.statements).flat_map(|wording| wording.literals());
        let own: Vec<String> = names.chain(wordings).map(|said| lemma::phrase(&normal::fold(said))).collect();
        let says =
            |class: &str| own.iter().any(|said| said.split(' ').any(|word| word == class) || said.contains(class));
        self.called.counted(folded).is_some_and(|class| !says(&class))
    }

    /// Reads a question as an operation and computes it. None where it is none that is understood, or where several readings that
    /// are as good give different answers.
    pub fn operation(
        &self,
        snapshot: &Snapshot,
        linker: &Linker,
        folded: &str,
        lang: &str,
        constraints: &Constraints,
    ) -> Option<Operation> {
        let sense = Sense { snapshot, ties: &self.ties, called: &self.called, lenient: false };
        let mut readings: Vec<(reading::Item<Query>, &[i32])> = Vec::new();
        let mut read = |folded: &str, years| {
            let found = match lang {
                "zh" => chinese::read(sense, linker, folded),
                _ => english::read(sense, linker, folded),
            };
            readings.extend(found.into_iter().map(|item| (item, years)));
        };
        // A year is compared with, or it says of when the facts are.
        read(folded, &[]);
        if !constraints.years.is_empty() {
            read(&without_years(folded, &constraints.year_spans), &constraints.years);
        }
        let least = readings.iter().map(|(item, _)| item.cost).min()?;
        readings.retain(|(item, _)| item.cost == least);
        let run = |(item, years): (reading::Item<Query>, &[i32])| {
            let outcome = Executor::new(snapshot, &self.ties, years).run(&item.value);
            Operation { query: item.value, outcome, years: years.to_vec(), cost: item.cost }
        };
        let mut all: Vec<Operation> = readings.into_iter().map(run).collect();
        all.retain(|one| !one.answers_with_its_own_names(snapshot));
        // Of homonyms those are meant of which something is known.
        let given: Vec<&Operation> = all.iter().filter(|one| one.outcome.is_ok()).collect();
        let values = |one: &Operation| one.outcome.as_ref().map(|outcome| outcome.values.clone()).unwrap_or_default();
        match given.as_slice() {
            [] => all.first().cloned(),
            [first, rest @ ..] => rest.iter().all(|one| values(one) == values(first)).then(|| (*first).clone()),
        }
    }
}

/// A question without the years that say of when facts are, and the words that lead them.
fn without_years(folded: &str, years: &[Range<usize>]) -> String {
    const LEADING: &[&str] = &["in", "for", "during", "of", "fiscal", "financial", "year", "the", "fy", "在"];
    let mut kept = String::new();
    let mut from = 0;
    for span in years {
        let mut before = folded.get(from..span.start).unwrap_or_default().trim_end();
        while let Some(shorter) = LEADING.iter().find_map(|word| {
            let rest = before.strip_suffix(word)?;
            (rest.ends_with(' ') || !word.is_ascii() || rest.is_empty()).then(|| rest.trim_end())
        }) {
            before = shorter;
        }
        kept += before;
        kept.push(' ');
        from = span.end;
    }
    kept + folded.get(from..).unwrap_or_default()
}

impl Operation {
    /// Whether a list holds nothing but what the question names: that cannot be what was asked for. Of two that are compared one is.
    fn answers_with_its_own_names(&self, snapshot: &Snapshot) -> bool {
        let (Query::List(set), Ok(outcome)) = (&self.query, &self.outcome) else { return false };
        let named = set.named();
        let choice = matches!(set, Set::Extreme { of, .. } if matches!(**of, Set::Either(..)));
        let is_named = |value: &Value| matches!(value, Value::Entity(iri) if snapshot.find(iri).is_some_and(|id| named.contains(&id)));
        !choice && !outcome.values.is_empty() && outcome.values.iter().all(is_named)
    }

    /// The one path from one named thing that it follows, and what that gives, where it does no more.
    pub fn path(&self) -> Option<(Path, &[Value])> {
        fn follow(set: &Set) -> Option<Path> {
            match set {
                Set::Named(id) => Some(Path { topic: *id, steps: Vec::new() }),
                Set::Image { of, step } => {
                    let mut path = follow(of)?;
                    path.steps.push(step.clone());
                    Some(path)
                }
                Set::Both(one, other) if matches!(**one, Set::Class(_)) => follow(other),
                _ => None,
            }
        }
        let Query::List(set) = &self.query else { return None };
        Some((follow(set)?, self.outcome.as_ref().map_or(&[], |outcome| outcome.values.as_slice())))
    }

    /// Whether it is only right where it is known exactly among which things: it counts them, sums over them or takes one from an end.
    pub fn needs_all(&self) -> bool {
        match &self.query {
            Query::Count(_) | Query::Figure { .. } => true,
            Query::List(set) => set.picks(),
            Query::Truth(truth) => truth.within.picks(),
        }
    }

    /// Whether things were left out for what is not known of them.
    pub fn leaves_out(&self) -> bool {
        self.cost >= sense::THROUGH
    }

    /// Whether something that the graph does not hold could make it wrong.
    pub fn rests_on_all(&self, schema: &Schema) -> bool {
        let denied = |outcome: &Outcome| outcome.values.contains(&Value::Boolean(false));
        // Where a thing has one value only, another one is none of its.
        let one = |set: &Set| {
            let Set::Image { step, .. } = set else { return true };
            step.forward && schema.relation(&step.relation).functional != Functional::No
        };
        let denies = match &self.query {
            Query::Truth(truth) => self.outcome.as_ref().is_ok_and(denied) && !one(&truth.known),
            _ => false,
        };
        denies || self.needs_all() || self.leaves_out()
    }

    /// Whether more is done than to follow one path from one named thing.
    pub fn computes(&self) -> bool {
        self.path().is_none()
    }
}

/// What else a country is called.
fn other_names(name: &str) -> impl Iterator<Item = &'static str> {
    lexicon::COUNTRIES.iter().filter(move |names| names.contains(&name)).flat_map(|names| names.iter().copied())
}
