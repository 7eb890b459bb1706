//! Joins what several documents say of the same thing.

use crate::{Entity, Evidence, Fact, FactId};
use factmask_schema::{Iri, Text};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// One fact for each statement, sorted by id, with all evidence in order. Where documents wrote a value in different words,
/// the words of the first piece of evidence stand.
pub(super) fn facts(all: Vec<Fact>) -> Vec<Fact> {
    let mut joined: HashMap<FactId, Fact> = HashMap::with_capacity(all.len());
    for mut fact in all {
        fact.statement.normalise();
        fact.id = fact.statement.id();
        fact.evidence.sort_by(Evidence::order);
        match joined.entry(fact.id) {
            Entry::Vacant(place) => {
                place.insert(fact);
            }
            Entry::Occupied(mut place) => {
                let known = place.get_mut();
                if first_is_earlier(&fact, known) {
                    known.statement = fact.statement;
                }
                known.evidence.append(&mut fact.evidence);
                known.evidence.sort_by(Evidence::order);
            }
        }
    }
    let mut facts: Vec<Fact> = joined.into_values().collect();
    facts.iter_mut().for_each(|fact| fact.evidence.dedup());
    facts.sort_unstable_by_key(|fact| fact.id);
    facts
}

fn first_is_earlier(one: &Fact, other: &Fact) -> bool {
    match (one.evidence.first(), other.evidence.first()) {
        (Some(one), Some(other)) => one.order(other).is_lt(),
        (one, other) => one.is_some() && other.is_none(),
    }
}

/// One entity for each IRI that is described or used, sorted by IRI; each with at least one label.
pub(super) fn entities(all: Vec<Entity>, facts: &[Fact]) -> Vec<Entity> {
    let mut joined: HashMap<Iri, Entity> = HashMap::with_capacity(all.len());
    for mut entity in all {
        match joined.entry(entity.iri.clone()) {
            Entry::Vacant(place) => {
                place.insert(entity);
            }
            Entry::Occupied(mut place) => {
                let known = place.get_mut();
                known.classes.append(&mut entity.classes);
                known.labels.append(&mut entity.labels);
                known.aliases.append(&mut entity.aliases);
            }
        }
    }
    for fact in facts {
        for iri in fact.statement.entities() {
            if !joined.contains_key(iri) {
                joined.insert(iri.clone(), Entity::unnamed(iri.clone()));
            }
        }
    }
    let mut entities: Vec<Entity> = joined.into_values().map(tidy).collect();
    entities.sort_unstable_by(|one, other| one.iri.cmp(&other.iri));
    entities
}

fn tidy(mut entity: Entity) -> Entity {
    sort(&mut entity.classes);
    for texts in [&mut entity.labels, &mut entity.aliases] {
        texts.iter_mut().for_each(|text| text.lang = text.lang.to_lowercase());
        texts.retain(|text| !text.text.is_empty());
        sort(texts);
    }
    entity.aliases.retain(|alias| !entity.labels.contains(alias));
    if entity.labels.is_empty() {
        entity.labels.push(Text::new("", Entity::name_in(&entity.iri)));
    }
    entity
}

fn sort<T: Ord>(all: &mut Vec<T>) {
    all.sort();
    all.dedup();
}
