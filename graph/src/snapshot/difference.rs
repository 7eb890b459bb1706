//! What two snapshots differ in.

use super::Snapshot;
use crate::{Fact, FactId};
use factmask_schema::Iri;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// What a change does, or would do, from one snapshot to another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// Facts that only the later snapshot has, sorted.
    pub added: Vec<FactId>,
    /// Facts that only the earlier one has, because no document states them any longer; sorted.
    pub removed: Vec<FactId>,
    /// Facts that both have, and of which the later one has less evidence; sorted.
    pub weakened: Vec<FactId>,
    /// Entities that only the earlier one has, sorted.
    pub orphans: Vec<Iri>,
    /// Entities of which other facts are known than before: their cards are encoded again.
    pub touched: BTreeSet<Iri>,
}

impl Snapshot {
    /// What `later` has and this one has not, and the other way round.
    pub fn difference(&self, later: &Self) -> Difference {
        let mut difference = Difference::default();
        let (mut before, mut after) = (self.facts.as_slice(), later.facts.as_slice());
        let touch = |touched: &mut BTreeSet<Iri>, fact: &Fact| touched.extend(fact.statement.entities().cloned());
        loop {
            let order = match (before.first(), after.first()) {
                (Some(one), Some(other)) => one.id.cmp(&other.id),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => break,
            };
            if let (Ordering::Less, Some((fact, rest))) = (order, before.split_first()) {
                difference.removed.push(fact.id);
                touch(&mut difference.touched, fact);
                before = rest;
            } else if let (Ordering::Greater, Some((fact, rest))) = (order, after.split_first()) {
                difference.added.push(fact.id);
                touch(&mut difference.touched, fact);
                after = rest;
            } else if let (Some((one, rest)), Some((other, others))) = (before.split_first(), after.split_first()) {
                if other.evidence.len() < one.evidence.len() {
                    difference.weakened.push(one.id);
                }
                (before, after) = (rest, others);
            }
        }
        let gone = self.entities.iter().filter(|entity| !later.by_iri.contains_key(&entity.iri));
        difference.orphans = gone.map(|entity| entity.iri.clone()).collect();
        difference
    }
}
