//! What further names in a question do to the answers of a path.

use super::{link::Mention, path::Yield, read::Reader, walk::MOST_TOPICS};
use factmask_graph::Value;
use factmask_schema::Iri;
use std::collections::HashSet;

/// A name in a question.
pub(super) struct Named {
    /// The mentions of it, by number.
    pub(super) places: Vec<usize>,
    /// What bears it.
    pub(super) own: HashSet<Iri>,
    /// What is one fact away from that.
    pub(super) tied: HashSet<Iri>,
    /// Whether it may be no name.
    pub(super) doubtful: bool,
}

impl Named {
    pub(super) fn beside(&self, topic: usize) -> bool {
        !self.places.contains(&topic)
    }

    pub(super) fn is(&self, value: &Value) -> bool {
        matches!(value, Value::Entity(iri) if self.own.contains(iri))
    }

    pub(super) fn is_tied_to(&self, value: &Value) -> bool {
        matches!(value, Value::Entity(iri) if self.tied.contains(iri))
    }
}

impl Reader {
    /// A second name in the question narrows the answer: the values that are tied to it, where there are any. A value that the
    /// question itself names is not its answer. Also the mentions of names that have no part in the path.
    pub(super) fn meet(&self, mut found: Yield, topic: usize, named: &[Named]) -> (Yield, Vec<usize>) {
        let mut unused = Vec::new();
        for other in named.iter().filter(|other| other.beside(topic)) {
            if other.doubtful {
                // A word that may be a name after all narrows nothing, and where it could nothing is sure.
                let tied = found.trails.iter().filter(|trail| other.is_tied_to(&trail.value)).count();
                unused.extend(other.places.first().filter(|_| tied > 0 && tied < found.trails.len()));
                continue;
            }
            found.trails.retain(|trail| !other.is(&trail.value));
            if found.trails.iter().any(|trail| other.is_tied_to(&trail.value)) {
                found.trails.retain(|trail| other.is_tied_to(&trail.value));
                continue;
            }
            let on_the_way = found.trails.iter().flat_map(|trail| &trail.facts).any(|id| {
                let fact = self.snapshot.fact(*id);
                fact.is_some_and(|fact| other.is(&fact.statement.object) || other.own.contains(&fact.statement.subject))
            });
            unused.extend(other.places.first().filter(|_| !on_the_way));
        }
        (found, unused)
    }

    /// The names of a question, each once, with what the graph ties to them; none where there is but one.
    pub(super) fn named(&self, mentions: &[Mention]) -> Vec<Named> {
        let mut distinct: Vec<(&Mention, Vec<usize>)> = Vec::new();
        for (number, mention) in mentions.iter().enumerate() {
            if let Some((_, places)) = distinct.iter_mut().find(|(known, _)| known.entities == mention.entities) {
                places.push(number);
            } else if distinct.len() <= MOST_TOPICS {
                distinct.push((mention, vec![number]));
            }
        }
        if distinct.len() < 2 {
            return Vec::new();
        }
        let name = |(mention, places): (&Mention, Vec<usize>)| {
            let own = mention.entities.iter().map(|id| self.snapshot.entity(*id).iri.clone()).collect();
            let tied = mention.entities.iter().flat_map(|id| {
                let objects = self.snapshot.facts_of(*id).filter_map(|fact| match &fact.statement.object {
                    Value::Entity(iri) => Some(iri.clone()),
                    _ => None,
                });
                objects.chain(self.snapshot.facts_to(*id).map(|fact| fact.statement.subject.clone()))
            });
            Named { places, own, tied: tied.collect(), doubtful: mention.doubtful }
        };
        distinct.into_iter().map(name).collect()
    }
}
