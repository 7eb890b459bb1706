//! From words to parts of an operation, whatever the language: what a thing is tied to, what it is measured by, and what a name
//! can mean beside it. What does not fit together gives nothing, so that a reading of the question falls away.

use super::{
    behind::Behind,
    called::{Called, Name},
    lexicon::Adjective,
    query::{End, Figure, Measure, Query, Set, Than, Truth},
    ties::Ties,
};
use crate::question::path::{self, Step};
use factmask_graph::{EntityId, Snapshot};
use factmask_schema::{Functional, Iri, Range};
use std::collections::BTreeSet;

/// What it costs to take things to lie in another by way of third ones: states in a country because cities of theirs do. Whatever has no
/// third one known is left out then.
pub(super) const THROUGH: u32 = 10;
/// A tie between classes counts as their common one where this part of the things have it.
const COMMON: f64 = 0.9;

/// What is known of a snapshot when a question is read.
#[derive(Clone, Copy)]
pub struct Sense<'a> {
    /// The facts.
    pub snapshot: &'a Snapshot,
    /// How classes hang together.
    pub ties: &'a Ties,
    /// What classes and relations are called.
    pub called: &'a Called,
    /// Whether a name is taken for something of which others of its class have what is said; for a question whether it has.
    pub lenient: bool,
}

impl<'a> Sense<'a> {
    /// The classes that members of a set are known to be of.
    pub fn classes(&self, set: &Set) -> BTreeSet<Iri> {
        match set {
            Set::Named(id) => self.snapshot.entity(*id).classes.iter().cloned().collect(),
            Set::Class(class) => BTreeSet::from([class.clone()]),
            Set::Image { of, step } => {
                let from = self.classes(of);
                let schema = self.snapshot.schema();
                let relation = schema.relation(&step.relation);
                let said = match &relation.range {
                    Range::Entity(class) if step.forward => class.clone(),
                    Range::Entity(_) => relation.domain.clone(),
                    Range::Value(_) if !step.forward => relation.domain.clone(),
                    Range::Value(_) => return BTreeSet::new(),
                };
                if let Some(class) = said {
                    return BTreeSet::from([class]);
                }
                let reached = from.iter().flat_map(|class| {
                    let ends = self.ties.beside(class).into_iter();
                    ends.filter(|end| self.ties.links(class, end).any(|(link, _)| link == step))
                        .cloned()
                        .collect::<Vec<_>>()
                });
                reached.collect()
            }
            Set::Both(one, other) => {
                let known = self.classes(one);
                if known.is_empty() { self.classes(other) } else { known }
            }
            Set::Either(one, _) | Set::Without(one, _) => self.classes(one),
            Set::Where { of, .. } | Set::Extreme { of, .. } => self.classes(of),
        }
    }

    /// Whether members of one set can be members of the other.
    pub fn meet(&self, one: &Set, other: &Set) -> bool {
        let schema = self.snapshot.schema();
        let (one, other) = (self.classes(one), self.classes(other));
        one.iter().any(|a| other.iter().any(|b| schema.is_a(a, b) || schema.is_a(b, a)))
    }

    /// Whether a hop can be taken from members of a set.
    pub fn takes(&self, set: &Set, step: &Step) -> bool {
        match set {
            Set::Named(id) if !self.lenient => !path::hop(self.snapshot, *id, step).is_empty(),
            _ => self.classes(set).iter().any(|class| self.ties.taking(class, step) > 0),
        }
    }

    /// The hops from one set's members to another's, each with how common it is among the first.
    fn links(&self, from: &Set, to: &Set) -> Vec<(Step, usize)> {
        let (own, ends) = (self.classes(from), self.classes(to));
        let mut found: Vec<(Step, usize)> = Vec::new();
        for (class, end) in own.iter().flat_map(|class| ends.iter().map(move |end| (class, end))) {
            for (step, count) in self.ties.links(class, end) {
                match found.iter_mut().find(|(known, _)| known == step) {
                    Some((_, known)) => *known = (*known).max(count),
                    None => found.push((step.clone(), count)),
                }
            }
        }
        if let Set::Named(id) = to
            && !self.lenient
        {
            let schema = self.snapshot.schema();
            found.retain(|(step, _)| !path::hop(self.snapshot, *id, &path::back(schema, step)).is_empty());
        }
        found
    }

    /// What of `base` lies in, belongs to or has `object`, where no word says how: the hop that says where things are, else the only
    /// one, else the one that nearly all of them take. With the cost of guessing.
    pub fn tied(&self, base: &Set, object: &Set, through: bool) -> Vec<(Set, u32)> {
        let back = |step: &Step| path::back(self.snapshot.schema(), step);
        if let Some((step, cost)) = self.tie(base, object) {
            return vec![(object.clone().image(back(&step)), cost)];
        }
        if !through || self.classes(base).is_empty() {
            return Vec::new();
        }
        // In something that it is in.
        let mut found: Vec<(Set, u32)> = Vec::new();
        for middle in self.classes(base).iter().flat_map(|class| self.ties.beside(class)).collect::<BTreeSet<_>>() {
            let middle = Set::Class(middle.clone());
            if self.meet(&middle, base) || self.meet(&middle, object) {
                continue;
            }
            if let (Some((first, cost)), Some((second, more))) = (self.tie(base, &middle), self.tie(&middle, object)) {
                found.push((object.clone().image(back(&second)).image(back(&first)), cost + more + THROUGH));
            }
        }
        let least = found.iter().map(|(_, cost)| *cost).min();
        found.retain(|(_, cost)| Some(*cost) == least);
        if found.len() == 1 { found } else { Vec::new() }
    }

    fn tie(&self, base: &Set, object: &Set) -> Option<(Step, u32)> {
        let schema = self.snapshot.schema();
        let mut links = self.links(base, object);
        links.retain(|(step, _)| !schema.relations.get(&step.relation).is_some_and(|relation| relation.symmetric));
        let says_where = |step: &Step| {
            step.forward && (self.called.places.contains(&step.relation) || self.is_named_after(step, object))
        };
        let places: Vec<&(Step, usize)> = links.iter().filter(|(step, _)| says_where(step)).collect();
        match (places.as_slice(), links.as_slice()) {
            ([(only, _)], _) => Some((only.clone(), 0)),
            ([], [(only, _)]) if !self.meet(base, object) => Some((only.clone(), 1)),
            ([], _) if !self.meet(base, object) => {
                let all = self.classes(base).iter().map(|class| self.ties.members(class).len()).max().unwrap_or(0);
                let common = links.iter().filter(|(_, count)| *count as f64 >= COMMON * all as f64).collect::<Vec<_>>();
                let [(only, _)] = common.as_slice() else { return None };
                Some((only.clone(), 2))
            }
            _ => None,
        }
    }

    /// The hop by which members of `base` have `object`: it lies in them, or it was named as theirs, or nothing else ties them.
    pub fn has(&self, base: &Set, object: &Set) -> Option<(Step, u32)> {
        let schema = self.snapshot.schema();
        if let Some((step, _)) = self.tie(object, base).filter(|(_, cost)| *cost == 0) {
            return Some((path::back(schema, &step), 0));
        }
        origin(object)
            .filter(|step| self.takes(base, step))
            .map(|step| (step.clone(), 0))
            .or_else(|| self.tie(base, object))
    }

    /// The hops by which things lie in members of `base`.
    pub fn lies_in(&self, things: &Set, base: &Set) -> Vec<(Step, u32)> {
        let tied = self.tie(things, base).filter(|(step, cost)| *cost <= 1 && self.takes(things, step));
        tied.into_iter().collect()
    }

    /// The hop that says where members of a set are, where there is one only.
    pub fn whereabouts(&self, set: &Set) -> Option<Step> {
        let mut places = BTreeSet::new();
        for class in self.classes(set) {
            for end in self.ties.beside(&class) {
                let end = Set::Class(end.clone());
                let says = |step: &Step| {
                    step.forward && (self.called.places.contains(&step.relation) || self.is_named_after(step, &end))
                };
                places.extend(self.links(set, &end).into_iter().map(|(step, _)| step).filter(says));
            }
        }
        let only = places.pop_first().filter(|_| places.is_empty())?;
        self.takes(set, &only).then_some(only)
    }

    /// Whether a relation is called as what it leads to: "country".
    fn is_named_after(&self, step: &Step, object: &Set) -> bool {
        let classes = self.classes(object);
        let called = |class: &Iri, relation: &Iri| {
            self.called.classes.iter().any(|(phrase, named)| {
                named.contains(class)
                    && self
                        .called
                        .nouns
                        .get(phrase)
                        .is_some_and(|names| names.iter().any(|name| name.relation == *relation))
            })
        };
        classes.iter().any(|class| called(class, &step.relation))
    }

    /// What a relation as a noun leads to from a set: "the capital of". Where the set itself has none, from what lies in it.
    pub fn of(&self, name: &Name, set: &Set) -> Vec<(Set, u32)> {
        let step = Step { relation: name.relation.clone(), forward: true };
        if self.takes(set, &step) {
            return vec![(set.clone().image(step), name.cost)];
        }
        let Some(domain) = self.domain(&name.relation) else { return Vec::new() };
        let base = Set::Class(domain);
        if matches!(self.snapshot.schema().relation(&name.relation).range, Range::Value(_)) || self.meet(&base, set) {
            return Vec::new();
        }
        // "The states of a country" are things of a class, of which those that lie in it are only known by way of others.
        let more = if self.calls_things(&name.relation) { THROUGH } else { 1 };
        let within = self.tied(&base, set, false);
        within
            .into_iter()
            .map(|(within, cost)| (base.clone().and(within).image(step.clone()), name.cost + cost + more))
            .collect()
    }

    /// Whether a relation is called as a class is.
    fn calls_things(&self, relation: &Iri) -> bool {
        let names = |phrase| self.called.nouns.get(phrase).into_iter().flatten();
        self.called.classes.keys().any(|phrase| names(phrase).any(|name| name.relation == *relation))
    }

    /// The class whose members a relation is said of.
    pub fn domain(&self, relation: &Iri) -> Option<Iri> {
        let said = self.snapshot.schema().relations.get(relation).and_then(|relation| relation.domain.clone());
        said.or_else(|| {
            let step = Step { relation: relation.clone(), forward: true };
            let takers = self.ties.takers(&step);
            let [(only, _)] = takers.as_slice() else { return None };
            Some((*only).clone())
        })
    }

    /// What an adjective orders a set by: its first dimension that the set has, if it has it in one relation only.
    pub fn by(&self, set: &Set, adjective: &Adjective) -> Option<(Iri, u32)> {
        let classes = self.classes(set);
        let own: BTreeSet<&Iri> = match set {
            _ if classes.is_empty() => return None,
            _ => classes.iter().flat_map(|class| self.ties.measures(class)).collect(),
        };
        for (rank, dimension) in adjective.by.iter().enumerate() {
            let measured = |relation: &&&Iri| {
                self.called.dimensions.get(**relation).is_some_and(|names| names.contains(dimension))
            };
            let fitting: Vec<&&Iri> = own.iter().filter(measured).collect();
            match fitting.as_slice() {
                [] => {}
                [only] => return Some(((**only).clone(), u32::from(rank > 0))),
                _ => return None,
            }
        }
        None
    }

    /// The relations of a set that a noun names and that give a number or a date.
    pub fn measures(&self, set: &Set, phrase: &str) -> Vec<Name> {
        let own: BTreeSet<Iri> =
            self.classes(set).iter().flat_map(|class| self.ties.measures(class)).cloned().collect();
        let names = self.called.nouns.get(phrase).into_iter().flatten();
        names.filter(|name| own.contains(&name.relation)).cloned().collect()
    }

    /// The members that an adjective puts at one end.
    pub fn extreme(&self, set: Set, adjective: &Adjective, end: End) -> Option<(Set, u32)> {
        let (relation, cost) = self.by(&set, adjective)?;
        Some((set.extreme(Measure::Value(relation), end), cost))
    }

    /// A sum or mean over what a relation gives to a set.
    pub fn figure(&self, set: Set, figure: Figure) -> Option<Query> {
        match set {
            Set::Image { of, step }
                if step.forward
                    && self
                        .classes(&of)
                        .iter()
                        .any(|class| self.ties.measures(class).any(|own| *own == step.relation)) =>
            {
                Some(Query::Figure { of: *of, relation: step.relation, figure })
            }
            _ => None,
        }
    }

    /// A sum or mean over what a relation gives to the things that lie in another that has none of its own.
    pub fn figure_of_parts(&self, relation: &Iri, whole: &Set, figure: Figure) -> Option<(Query, u32)> {
        let step = Step { relation: relation.clone(), forward: true };
        let parts = Set::Class(self.domain(relation)?);
        let (within, cost) = self.tied(&parts, whole, false).pop().filter(|_| !self.takes(whole, &step))?;
        Some((Query::Figure { of: parts.and(within), relation: relation.clone(), figure }, cost + 1))
    }

    /// Whether something is said of a thing, with what is known of the thing in that respect.
    pub fn truth(&self, of: &Set, said: &Behind) -> Option<Query> {
        let (within, known) = match said {
            Behind::In(Set::Image { of: object, step }) => {
                let schema = self.snapshot.schema();
                let (back, within) = (path::back(schema, step), object.clone().image(step.clone()));
                // Where a thing has one only, another one is a no.
                let one = step.forward && schema.relation(&step.relation).functional == Functional::Per(Vec::new());
                let known = if one { within.clone() } else { of.clone().image(back) };
                (within, known)
            }
            Behind::Where(Measure::Value(relation), test) => {
                let step = Step { relation: relation.clone(), forward: true };
                let own = of.clone().image(step.clone());
                let known = match &test.than {
                    Than::Of(fellow) => Set::Either(Box::new(own), Box::new((**fellow).clone().image(step))),
                    Than::Amount(_) | Than::Time(_) => own,
                };
                (Behind::all(of.clone(), std::slice::from_ref(said)), known)
            }
            // Of one thing among others it is said that it is at one end.
            Behind::In(set @ Set::Extreme { .. }) => (set.clone(), set.clone()),
            _ => return None,
        };
        Some(Query::Truth(Box::new(Truth { of: of.clone(), within, known })))
    }

    /// Whether a thing is of a class.
    pub fn is_of(&self, id: EntityId, class: &Iri) -> bool {
        self.snapshot.entity(id).classes.iter().any(|own| self.snapshot.schema().is_a(own, class))
    }
}

/// The hop that a set's members were named by.
fn origin(set: &Set) -> Option<&Step> {
    match set {
        Set::Image { step, .. } => Some(step),
        Set::Both(of, _) | Set::Without(of, _) => origin(of),
        Set::Where { of, .. } | Set::Extreme { of, .. } => origin(of),
        Set::Named(_) | Set::Class(_) | Set::Either(..) => None,
    }
}
