//! How classes hang together in the data: who is of which class, and which hops lead from one class to another.

use crate::question::path::{self, Step};
use factmask_graph::{EntityId, Snapshot, Value};
use factmask_schema::{Iri, Schema};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What is said of things by their classes, counted over one snapshot.
#[derive(Debug, Default)]
pub struct Ties {
    members: HashMap<Iri, Vec<EntityId>>,
    /// From one class to another: for each hop how many members of the first take it.
    links: HashMap<(Iri, Iri), BTreeMap<Step, usize>>,
    /// How many members of a class take each hop, wherever it leads.
    taken: HashMap<Iri, BTreeMap<Step, usize>>,
    /// The relations that give members of a class a number or a date.
    measures: HashMap<Iri, BTreeSet<Iri>>,
    /// The unit of a relation's first number.
    units: HashMap<Iri, Option<String>>,
}

impl Ties {
    /// Looks at every entity once.
    pub fn new(snapshot: &Snapshot) -> Self {
        let schema = snapshot.schema();
        let mut ties = Self::default();
        let above = Above::new(schema);
        for number in 0..snapshot.entities().len() {
            let id = EntityId(number as u32);
            let own = above.of(&snapshot.entity(id).classes);
            let (mut reached, mut measured): (BTreeSet<(Iri, Step)>, BTreeSet<&Iri>) = Default::default();
            let classes =
                |end: &Iri| snapshot.find(end).map(|end| above.of(&snapshot.entity(end).classes)).unwrap_or_default();
            for fact in snapshot.facts_of(id) {
                let statement = &fact.statement;
                match &statement.object {
                    Value::Entity(end) => {
                        let step = path::plain(schema, Step { relation: statement.relation.clone(), forward: true });
                        reached.extend(classes(end).into_iter().map(|class| (class, step.clone())));
                    }
                    Value::Number(number) => {
                        measured.insert(&statement.relation);
                        ties.units.entry(statement.relation.clone()).or_insert_with(|| number.unit.clone());
                    }
                    Value::Date(_) => drop(measured.insert(&statement.relation)),
                    Value::Text { .. } | Value::Boolean(_) => {}
                }
            }
            for fact in snapshot.facts_to(id) {
                let step = Step { relation: fact.statement.relation.clone(), forward: false };
                let step = path::plain(schema, step);
                reached.extend(classes(&fact.statement.subject).into_iter().map(|class| (class, step.clone())));
            }
            for class in own {
                for (end, step) in &reached {
                    let links = ties.links.entry((class.clone(), end.clone())).or_default();
                    *links.entry(step.clone()).or_default() += 1;
                }
                for step in path::observed_steps(snapshot, id) {
                    *ties.taken.entry(class.clone()).or_default().entry(step).or_default() += 1;
                }
                for relation in &measured {
                    ties.measures.entry(class.clone()).or_default().insert((*relation).clone());
                }
                ties.members.entry(class).or_default().push(id);
            }
        }
        ties
    }

    /// The things of a class and of the classes below it.
    pub fn members(&self, class: &Iri) -> &[EntityId] {
        self.members.get(class).map_or(&[], Vec::as_slice)
    }

    /// The hops that lead from one class to another, each with how many members of the first take it.
    pub fn links(&self, from: &Iri, to: &Iri) -> impl Iterator<Item = (&Step, usize)> {
        self.links.get(&(from.clone(), to.clone())).into_iter().flatten().map(|(step, count)| (step, *count))
    }

    /// The classes that hops lead to from one.
    pub fn beside(&self, from: &Iri) -> BTreeSet<&Iri> {
        self.links.keys().filter(|(own, _)| own == from).map(|(_, to)| to).collect()
    }

    /// How many members of a class take a hop.
    pub fn taking(&self, class: &Iri, step: &Step) -> usize {
        self.taken.get(class).and_then(|steps| steps.get(step)).copied().unwrap_or(0)
    }

    /// The classes of which members take a hop, each with how many do.
    pub fn takers(&self, step: &Step) -> Vec<(&Iri, usize)> {
        self.taken.iter().filter_map(|(class, steps)| Some((class, *steps.get(step)?))).collect()
    }

    /// The unit that the numbers of a relation have.
    pub fn unit(&self, relation: &Iri) -> Option<&str> {
        self.units.get(relation)?.as_deref()
    }

    /// The relations that give members of a class a number or a date.
    pub fn measures(&self, class: &Iri) -> impl Iterator<Item = &Iri> {
        self.measures.get(class).into_iter().flatten()
    }
}

/// Classes with what stands above them, looked up once.
struct Above(HashMap<Iri, Vec<Iri>>);

impl Above {
    fn new(schema: &Schema) -> Self {
        let all = |class: &Iri| schema.with_ancestors(class).into_iter().cloned().collect();
        Self(schema.classes.keys().map(|class| (class.clone(), all(class))).collect())
    }

    fn of(&self, classes: &[Iri]) -> BTreeSet<Iri> {
        let known = |class: &Iri| self.0.get(class).cloned().unwrap_or_else(|| vec![class.clone()]);
        classes.iter().flat_map(known).collect()
    }
}
