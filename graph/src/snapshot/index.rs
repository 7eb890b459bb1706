//! Facts by one of their ends: for each entity a run of positions, sorted by relation.

use crate::{EntityId, Fact};
use factmask_schema::Iri;

/// For each entity the facts that it stands at one end of.
#[derive(Default)]
pub(super) struct Sides {
    /// Where the run of each entity begins in `positions`; one entry more for the end of the last.
    starts: Vec<u32>,
    /// Positions in the snapshot's facts.
    positions: Vec<u32>,
}

impl Sides {
    /// From pairs of entity number and position, sorted by entity and within one by relation.
    pub(super) fn new(entities: usize, sorted: &[(u32, u32)]) -> Self {
        let mut starts = vec![0_u32; entities + 1];
        for (entity, _) in sorted {
            if let Some(count) = starts.get_mut(*entity as usize + 1) {
                *count += 1;
            }
        }
        let mut total = 0;
        for start in &mut starts {
            total += *start;
            *start = total;
        }
        Self { starts, positions: sorted.iter().map(|(_, at)| *at).collect() }
    }

    /// All facts of one entity.
    pub(super) fn all(&self, entity: EntityId) -> &[u32] {
        let bounds = self.starts.get(entity.index()).zip(self.starts.get(entity.index() + 1));
        let range = bounds.map_or(0..0, |(&start, &end)| start as usize..end as usize);
        self.positions.get(range).unwrap_or_default()
    }

    /// Those of one relation.
    pub(super) fn of_relation(&self, entity: EntityId, relation: &Iri, facts: &[Fact]) -> &[u32] {
        let all = self.all(entity);
        let start = all.partition_point(|&at| relation_at(facts, at).is_some_and(|known| known < relation));
        let rest = all.get(start..).unwrap_or_default();
        let length = rest.partition_point(|&at| relation_at(facts, at).is_some_and(|known| known <= relation));
        rest.get(..length).unwrap_or_default()
    }

    /// The relations of one entity, each once: from one run of a relation to the next.
    pub(super) fn relations<'a>(&'a self, entity: EntityId, facts: &'a [Fact]) -> impl Iterator<Item = &'a Iri> {
        let mut rest = self.all(entity);
        std::iter::from_fn(move || {
            let relation = relation_at(facts, *rest.first()?)?;
            let length = rest.partition_point(|&at| relation_at(facts, at).is_some_and(|known| known <= relation));
            rest = rest.get(length..).unwrap_or_default();
            Some(relation)
        })
    }
}

fn relation_at(facts: &[Fact], at: u32) -> Option<&Iri> {
    facts.get(at as usize).map(|fact| &fact.statement.relation)
}
