//! The facts of all documents as they read once it is known who is who.

use super::Resolution;
use super::view::row;
use crate::{DocumentId, Entity, Fact, Value};
use factmask_schema::{Iri, Schema, Text};
use std::collections::{BTreeMap, HashMap, HashSet};

/// An entity as one document describes it.
pub(crate) type Description = (DocumentId, Entity);

/// Gives facts and entities the IRIs by which one thing is one IRI. `described` gives what each document says of an entity of
/// this IRI; it is asked for those that are several things.
pub(crate) fn apply<E>(
    resolution: &Resolution,
    schema: &Schema,
    entities: Vec<Entity>,
    facts: &mut [Fact],
    described: &mut dyn FnMut(&Iri) -> Result<Vec<Description>, E>,
) -> Result<Vec<Entity>, E> {
    let renamed = resolution.identity.renamed();
    if renamed.is_empty() && resolution.splits.is_empty() {
        return Ok(entities);
    }
    for fact in facts {
        rename_in(fact, resolution);
    }
    let mut parted = Vec::with_capacity(entities.len());
    for entity in entities {
        match resolution.splits.get(&entity.iri) {
            Some(split) => {
                let descriptions = described(&entity.iri)?;
                let from = usize::from(!split.rest);
                for (part, iri) in split.iris.iter().enumerate().skip(from) {
                    parted.push(part_of(iri, &descriptions, &split.documents(part)));
                }
            }
            None => parted.push(entity),
        }
    }
    Ok(join(parted, renamed, schema))
}

/// Gives what a fact names the IRIs by which one thing is one IRI.
pub(crate) fn rename_in(fact: &mut Fact, resolution: &Resolution) {
    let Some(evidence) = fact.evidence.first() else { return };
    let (document, row) = (evidence.document.clone(), row(evidence));
    let rename = |iri: &mut Iri| {
        if let Some(split) = resolution.splits.get(iri)
            && let Some(part) = split.iris.get(split.part(&document, row))
        {
            iri.clone_from(part);
        }
        if let Some(canonical) = resolution.identity.renamed().get(iri) {
            iri.clone_from(canonical);
        }
    };
    let statement = &mut fact.statement;
    rename(&mut statement.subject);
    for value in statement.qualifiers.iter_mut().map(|(_, value)| value).chain([&mut statement.object]) {
        if let Value::Entity(iri) = value {
            rename(iri);
        }
    }
}

impl Resolution {
    /// The things that a document means by a name, by their IRIs of a snapshot. Where it says nothing that tells one of them, what is left.
    pub(crate) fn meant<'a>(&'a self, iri: &'a Iri, document: &DocumentId) -> Vec<&'a Iri> {
        let parts = match self.splits.get(iri) {
            None => vec![iri],
            Some(split) => {
                let parts = split.iris.iter().enumerate();
                let own: Vec<&Iri> =
                    parts.filter(|(part, _)| split.documents(*part).contains(document)).map(|(_, part)| part).collect();
                if own.is_empty() { vec![iri] } else { own }
            }
        };
        parts.into_iter().map(|part| self.identity.canonical(part)).collect()
    }
}

/// What those documents describe in which a part is meant.
fn part_of(iri: &Iri, descriptions: &[Description], documents: &std::collections::BTreeSet<&DocumentId>) -> Entity {
    let mut entity = Entity { iri: iri.clone(), classes: Vec::new(), labels: Vec::new(), aliases: Vec::new() };
    for (_, described) in descriptions.iter().filter(|(document, _)| documents.contains(document)) {
        entity.classes.extend(described.classes.iter().cloned());
        entity.labels.extend(described.labels.iter().cloned());
        entity.aliases.extend(described.aliases.iter().cloned());
    }
    entity
}

/// One entity for all that are one: called as the one whose IRI stands, and the others' names are further names.
fn join(entities: Vec<Entity>, renamed: &HashMap<Iri, Iri>, schema: &Schema) -> Vec<Entity> {
    let canonical: HashSet<&Iri> = renamed.values().collect();
    let mut merged: BTreeMap<Iri, Vec<Entity>> = BTreeMap::new();
    let mut joined = Vec::with_capacity(entities.len());
    for entity in entities {
        let iri = renamed.get(&entity.iri).unwrap_or(&entity.iri);
        if canonical.contains(iri) {
            merged.entry(iri.clone()).or_default().push(entity);
        } else {
            joined.push(entity);
        }
    }
    joined.extend(merged.into_iter().map(|(iri, members)| one_of(iri, members, schema)));
    joined
}

fn one_of(iri: Iri, mut members: Vec<Entity>, schema: &Schema) -> Entity {
    members.sort_by(|one, other| (one.iri != iri, &one.iri).cmp(&(other.iri != iri, &other.iri)));
    let mut entity = Entity { iri, classes: Vec::new(), labels: Vec::new(), aliases: Vec::new() };
    let known = |entity: &Entity, name: &Text| {
        entity.labels.iter().chain(&entity.aliases).any(|known| known.text.to_lowercase() == name.text.to_lowercase())
    };
    for member in members {
        entity.classes.extend(member.classes);
        for label in member.labels {
            let first = entity.labels.is_empty();
            let speaks = entity.labels.iter().any(|known| known.lang == label.lang || label.lang.is_empty());
            if known(&entity, &label) {
                continue;
            }
            if first || !speaks { entity.labels.push(label) } else { entity.aliases.push(label) }
        }
        for alias in member.aliases {
            if !known(&entity, &alias) {
                entity.aliases.push(alias);
            }
        }
    }
    // What one document calls a place and another a city is a city.
    let all = entity.classes.clone();
    entity.classes.retain(|class| !all.iter().any(|other| other != class && schema.is_a(other, class)));
    entity
}
