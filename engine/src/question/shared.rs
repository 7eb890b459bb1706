//! Names that several things seem to share although the graph has one thing of that name: where a name is all that identifies, as in
//! files of bare triples, what is said of two films of one title is said of one.

use factmask_graph::{EntityId, Snapshot, Value, is_minted};
use factmask_schema::Iri;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Share of what a relation dates that has one date, for a second one to be strange.
const MOSTLY_ONE: f32 = 0.9;
/// Things that a relation must date before that is judged.
const LEAST_DATED: usize = 50;

/// Things that have dates in several years of a relation of which nearly all things have one: "Emma", of 1932 and of 1996.
#[derive(Debug, Default)]
pub struct SharedNames(HashMap<EntityId, Iri>);

impl SharedNames {
    /// Looks at every dated fact once.
    pub fn new(snapshot: &Snapshot) -> Self {
        let mut dated: BTreeMap<&Iri, BTreeMap<&Iri, BTreeSet<i32>>> = BTreeMap::new();
        for fact in snapshot.facts() {
            let statement = &fact.statement;
            if let (Value::Date(date), true) = (&statement.object, statement.qualifiers.is_empty()) {
                // May 1996 is no other date than 1996.
                dated.entry(&statement.relation).or_default().entry(&statement.subject).or_default().insert(date.year);
            }
        }
        let mut shared = HashMap::new();
        for (relation, things) in dated {
            let once = things.values().filter(|years| years.len() == 1).count();
            let (all, mostly_one) = (things.len(), once as f32 >= MOSTLY_ONE * things.len() as f32);
            if all < LEAST_DATED || !mostly_one {
                continue;
            }
            let twice = things.into_iter().filter(|(subject, years)| years.len() > 1 && is_minted(subject));
            shared.extend(twice.filter_map(|(subject, _)| Some((snapshot.find(subject)?, relation.clone()))));
        }
        Self(shared)
    }

    /// The relation that says it, of a thing whose name several seem to share.
    pub fn told_by(&self, thing: EntityId) -> Option<&Iri> {
        self.0.get(&thing)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
    use super::*;
    use factmask_graph::{Date, Fact, FactId, Statement, mint};
    use factmask_schema::Schema;

    fn snapshot(films: usize, twice: usize) -> Snapshot {
        let iri = |text: &str| Iri::new(text).unwrap();
        let film = iri("urn:t:Film");
        let dated = |at: usize, year: i32| {
            let date = Value::Date(Date::from_year(year));
            let statement = Statement::new(mint(&film, &format!("film {at}")), iri("urn:t:released"), date, Vec::new());
            Fact { id: FactId::of(&statement), statement, evidence: Vec::new() }
        };
        let facts = (0..films).map(|at| dated(at, 1990)).chain((0..twice).map(|at| dated(at, 1950)));
        Snapshot::build(1, Schema::default(), Vec::new(), facts.collect())
    }

    #[test]
    fn a_second_date_is_strange_where_nearly_all_have_one() {
        for (films, twice, expected) in [(100, 3, 3), (100, 0, 0), (100, 30, 0), (20, 1, 0)] {
            let snapshot = snapshot(films, twice);
            let shared = SharedNames::new(&snapshot);
            let found = (0..snapshot.entities().len()).filter(|at| shared.told_by(EntityId(*at as u32)).is_some());
            assert_eq!(found.count(), expected, "{films} {twice}");
        }
    }
}
