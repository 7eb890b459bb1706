//! What is likely to be asked next: told by the graph, and by what was asked last.

use crate::{
    fusion::card::MOST_INCOMING,
    question::path::{self, Path, Step},
};
use factmask_graph::{EntityId, Snapshot};
use factmask_schema::Iri;
use std::{
    cmp::Reverse,
    collections::{HashMap, VecDeque},
};

/// Entities that are remembered as asked about, of each tenant.
const MOST_REMEMBERED: usize = 256;
/// Entities whose paths are counted: the likeliest to be asked about, so that the count's cost does not grow with the graph.
const MOST_WALKED: usize = 1_000;

/// The entities that questions were about last, latest first.
#[derive(Debug, Default)]
pub(super) struct Lately {
    asked: VecDeque<Iri>,
}

impl Lately {
    /// A question was about this entity.
    pub fn note(&mut self, entity: &Iri) {
        match self.asked.iter().position(|known| known == entity) {
            Some(place) => drop(self.asked.remove(place)),
            None => self.asked.truncate(MOST_REMEMBERED - 1),
        }
        self.asked.push_front(entity.clone());
    }

    /// All entities that have facts, the likeliest to be asked about first: those that were asked about last, since one question seldom
    /// comes alone and a change of the facts has just made their cards cold; then by the number of facts that touch them, as far as
    /// cards tell them, since each fact is as likely to be asked for as any other.
    pub fn expected(&self, snapshot: &Snapshot) -> Vec<EntityId> {
        let lately: HashMap<EntityId, usize> =
            self.asked.iter().enumerate().filter_map(|(place, iri)| Some((snapshot.find(iri)?, place))).collect();
        let entities = snapshot.entities().iter().filter_map(|entity| snapshot.find(&entity.iri));
        let facts = |id: EntityId| snapshot.facts_of(id).count() + snapshot.facts_to(id).take(MOST_INCOMING).count();
        let mut expected: Vec<_> = entities
            .map(|id| (lately.get(&id).copied().unwrap_or(usize::MAX), Reverse(facts(id)), id))
            .filter(|(_, facts, _)| facts.0 > 0)
            .collect();
        expected.sort_unstable();
        expected.into_iter().map(|(_, _, id)| id).collect()
    }
}

/// The kinds of paths of two steps that the data shows, the most frequent first, `most` of them; each by one path of its kind. Paths
/// from entities of the same classes are of one kind: they are asked for in the same sentences.
pub(super) fn frequent_chains(snapshot: &Snapshot, expected: &[EntityId], most: usize) -> Vec<Path> {
    type Kind<'a> = (&'a [Iri], Vec<Step>);
    let mut counts: HashMap<Kind<'_>, (usize, Path)> = HashMap::new();
    for topic in expected.iter().take(MOST_WALKED) {
        let classes = snapshot.entity(*topic).classes.as_slice();
        for path in path::candidates(snapshot, *topic, None).into_iter().filter(|path| path.steps.len() > 1) {
            counts.entry((classes, path.steps.clone())).or_insert((0, path)).0 += 1;
        }
    }
    let mut chains: Vec<(usize, Path)> = counts.into_values().collect();
    chains.sort_unstable_by(|(count, path), (other, other_path)| other.cmp(count).then_with(|| path.cmp(other_path)));
    chains.into_iter().take(most).map(|(_, path)| path).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use factmask_graph::{Fact, FactId, Statement, Value};
    use factmask_schema::Schema;

    fn iri(name: &str) -> Iri {
        Iri::new_unchecked(format!("https://example.org/{name}"))
    }

    #[test]
    fn lately_asked_comes_before_well_known() {
        let fact = |subject: &str, object: &str| {
            let statement = Statement::new(iri(subject), iri("near"), Value::Entity(iri(object)), Vec::new());
            Fact { id: FactId::of(&statement), statement, evidence: Vec::new() }
        };
        let facts = [("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("d", "e")].map(|(from, to)| fact(from, to));
        let snapshot = Snapshot::build(1, Schema::default(), Vec::new(), facts.to_vec());
        let expected = |asked: &[&str]| -> String {
            let mut lately = Lately::default();
            asked.iter().for_each(|name| lately.note(&iri(name)));
            let names = lately.expected(&snapshot).into_iter().map(|id| snapshot.name(id, "en").to_owned());
            names.collect()
        };
        // Each case: who was asked about, in turn, and the order that follows.
        for (asked, order) in
            [(&[][..], "abcde"), (&["e"], "eabcd"), (&["e", "c"], "ceabd"), (&["e", "c", "e"], "ecabd")]
        {
            assert_eq!(expected(asked), order, "{asked:?}");
        }
        let chains = frequent_chains(&snapshot, &Lately::default().expected(&snapshot), 2);
        assert_eq!(chains.len(), 2);
        assert!(chains.iter().all(|path| path.steps.len() == 2), "{chains:?}");
    }
}
