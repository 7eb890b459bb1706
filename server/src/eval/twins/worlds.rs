//! Graphs without the facts of many questions at once: one for each question would be thousands of indexes.

use super::Twin;
use factmask_engine::question::path::entity_of;
use factmask_graph::{EntityId, FactId, Snapshot};
use std::{
    collections::{BTreeSet, HashSet},
    sync::Arc,
};

/// What a twin's question looks at, and what goes when it is asked.
#[derive(Default)]
struct Reach {
    core: BTreeSet<EntityId>,
    ends: BTreeSet<EntityId>,
}

impl Reach {
    /// Whether one takes something away from what the other looks at.
    fn touches(&self, other: &Self) -> bool {
        !self.core.is_disjoint(&other.ends) || !self.ends.is_disjoint(&other.core)
    }

    fn add(&mut self, other: Self) {
        self.core.extend(other.core);
        self.ends.extend(other.ends);
    }
}

/// Twins that can share one graph, by their places: what goes for one of them starts and ends at nothing that another starts from.
/// `core` says where a question starts.
pub(super) fn groups(
    snapshot: &Snapshot,
    twins: &[Twin],
    core: &dyn Fn(&Twin) -> BTreeSet<EntityId>,
) -> Vec<Vec<usize>> {
    let mut groups: Vec<(Reach, Vec<usize>)> = Vec::new();
    let untouched: Vec<usize> =
        (0..twins.len()).filter(|at| twins.get(*at).is_some_and(|twin| twin.removed.is_empty())).collect();
    for (at, twin) in twins.iter().enumerate().filter(|(_, twin)| !twin.removed.is_empty()) {
        let facts = twin.removed.iter().filter_map(|id| snapshot.fact(*id));
        let ends = facts.flat_map(|fact| {
            let subject = snapshot.find(&fact.statement.subject);
            [subject, entity_of(snapshot, &fact.statement.object)].into_iter().flatten()
        });
        let reach = Reach { core: core(twin), ends: ends.collect() };
        // Twins of one question never meet: each removes from the other's topic.
        match groups.iter_mut().find(|(known, _)| !known.touches(&reach)) {
            Some((known, group)) => {
                known.add(reach);
                group.push(at);
            }
            None => groups.push((reach, vec![at])),
        }
    }
    let groups = groups.into_iter().map(|(_, group)| group);
    groups.chain((!untouched.is_empty()).then_some(untouched)).collect()
}

/// The graph without some facts; itself where there are none.
pub(super) fn without(whole: &Arc<Snapshot>, gone: HashSet<FactId>) -> Arc<Snapshot> {
    if gone.is_empty() { whole.clone() } else { Arc::new(whole.without(&gone)) }
}
