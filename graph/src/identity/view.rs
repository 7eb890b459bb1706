//! Entities and facts by number, as identity looks at them.

use super::name::Name;
use crate::ids::minted_key;
use crate::{Date, DocumentId, Entity, Evidence, Fact, Locator, Value};
use factmask_schema::normal::fold;
use factmask_schema::{Functional, Iri, Schema};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The class of what nothing is known of.
const ANYTHING: &str = "urn:factmask:schema#Thing";

/// What all documents say, by number.
pub(super) struct View<'a> {
    pub(super) schema: &'a Schema,
    pub(super) entities: &'a [Entity],
    /// One for each piece of evidence, as it comes from the store.
    pub(super) facts: &'a [Fact],
    /// Whether an entity has nothing but its name: no IRI from a source, and no key.
    minted: Vec<bool>,
    numbers: HashMap<&'a Iri, u32>,
    /// What each fact is about, and its object where that is an entity.
    ends: Vec<(Option<u32>, Option<u32>)>,
}

/// Where a name stands: what is said there is said of one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Place<'a> {
    pub(super) document: &'a DocumentId,
    /// Of a table, where its rows are about different things.
    pub(super) row: Option<u32>,
}

/// One thing that is said of an entity, seen from it.
#[derive(Clone, Debug)]
pub(super) struct Item<'a> {
    pub(super) relation: &'a Iri,
    /// The entity is the object.
    pub(super) back: bool,
    pub(super) value: Said<'a>,
    pub(super) document: &'a DocumentId,
    pub(super) row: Option<u32>,
    qualifiers: &'a [(Iri, Value)],
}

/// A value with entities by the number that the last round gave them.
#[derive(Clone, Copy, Debug)]
pub(super) enum Said<'a> {
    Entity(u32),
    Value(&'a Value),
}

/// How two values of one relation stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Likeness {
    Same,
    Different,
    /// Neither can be said: figures are measured twice, words are chosen, names may mean one thing.
    Open,
}

impl<'a> View<'a> {
    pub(super) fn new(schema: &'a Schema, entities: &'a [Entity], facts: &'a [Fact]) -> Self {
        let numbers: HashMap<&Iri, u32> = entities.iter().map(|entity| &entity.iri).zip(0..).collect();
        let number = |iri: &Iri| numbers.get(iri).copied();
        let ends = facts
            .iter()
            .map(|fact| (number(&fact.statement.subject), fact.statement.object.as_entity().and_then(number)))
            .collect();
        let minted = entities.iter().map(has_but_its_name).collect();
        Self { schema, entities, facts, minted, numbers, ends }
    }

    pub(super) fn number(&self, iri: &Iri) -> Option<u32> {
        self.numbers.get(iri).copied()
    }

    pub(super) fn entity(&self, number: u32) -> Option<&'a Entity> {
        self.entities.get(number as usize)
    }

    pub(super) fn is_minted(&self, number: u32) -> bool {
        self.minted.get(number as usize).copied().unwrap_or(false)
    }

    /// Facts with their ends.
    pub(super) fn edges(&self) -> impl Iterator<Item = (usize, &'a Fact, Option<u32>, Option<u32>)> {
        self.facts
            .iter()
            .zip(&self.ends)
            .enumerate()
            .map(|(at, (fact, (subject, object)))| (at, fact, *subject, *object))
    }

    /// The facts that some entities take part in, by entity.
    pub(super) fn facts_of(&self, wanted: &HashSet<u32>) -> HashMap<u32, Vec<usize>> {
        let mut found: HashMap<u32, Vec<usize>> = wanted.iter().map(|entity| (*entity, Vec::new())).collect();
        if wanted.is_empty() {
            return found;
        }
        for (at, _, subject, object) in self.edges() {
            for end in [subject, object.filter(|object| Some(*object) != subject)].into_iter().flatten() {
                if let Some(facts) = found.get_mut(&end) {
                    facts.push(at);
                }
            }
        }
        // Whatever the order of the facts: reasons name the first, and sums of fractions depend on their order.
        let key = |at: &usize| {
            let fact = self.facts.get(*at)?;
            Some((fact.id, fact.evidence.first().map(|evidence| (&evidence.document, evidence.span.start))))
        };
        found.values_mut().for_each(|facts| facts.sort_by(|one, other| key(one).cmp(&key(other))));
        found
    }

    /// What a fact says of one of its ends. `known` gives an entity at a place the number that the last round gave it.
    pub(super) fn item(&self, at: usize, entity: u32, known: &dyn Fn(u32, Place<'a>) -> u32) -> Option<Item<'a>> {
        let (fact, (subject, object)) = (self.facts.get(at)?, self.ends.get(at)?);
        let evidence = fact.evidence.first()?;
        let row = row(evidence);
        let place = Place { document: &evidence.document, row };
        let back = *subject != Some(entity);
        let value = match (back, subject, object) {
            (true, Some(subject), _) => Said::Entity(known(*subject, place)),
            (false, _, Some(object)) => Said::Entity(known(*object, place)),
            (true, None, _) => return None,
            (false, _, None) => Said::Value(&fact.statement.object),
        };
        let Fact { statement, .. } = fact;
        Some(Item {
            relation: &statement.relation,
            back,
            value,
            document: &evidence.document,
            row,
            qualifiers: &statement.qualifiers,
        })
    }

    /// Whether the schema allows one object at all, so that two objects are two subjects.
    pub(super) fn is_functional(&self, relation: &Iri) -> bool {
        let known = self.schema.relations.get(relation);
        known.is_some_and(|relation| matches!(&relation.functional, Functional::Per(per) if per.is_empty()))
    }

    /// The classes of an entity that say anything.
    pub(super) fn classes(&self, entity: u32) -> impl Iterator<Item = &'a Iri> {
        let classes = self.entity(entity).map_or(&[][..], |entity| entity.classes.as_slice());
        classes.iter().filter(|class| class.as_str() != ANYTHING)
    }

    /// The names of an entity, taken to pieces.
    pub(super) fn names(&self, entity: u32) -> Vec<Name> {
        let Some(entity) = self.entity(entity) else { return Vec::new() };
        let mut names: Vec<Name> = Vec::new();
        for text in entity.labels.iter().chain(&entity.aliases) {
            let name = Name::new(&text.text);
            if !name.words.is_empty() && !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// What an entity is called in a reason.
    pub(super) fn called(&self, entity: u32) -> String {
        self.entity(entity).map_or_else(String::new, |entity| {
            entity.labels.iter().map(|label| label.text.clone()).min().unwrap_or_else(|| Entity::name_in(&entity.iri))
        })
    }
}

/// Two of one name that a table gives two keys are two, as those that RDF gives two IRIs are.
fn has_but_its_name(entity: &Entity) -> bool {
    let by_name = |key: &String| entity.labels.iter().any(|label| fold(&label.text) == *key);
    minted_key(&entity.iri).is_some_and(|key| by_name(&key))
}

impl<'a> Item<'a> {
    /// Whether it can tell one thing from another of its name: an object, day or word that is said without conditions.
    pub(super) fn tells(&self) -> bool {
        let kind = match self.value {
            Said::Entity(_) => true,
            Said::Value(value) => matches!(value, Value::Date(_) | Value::Text { .. }),
        };
        kind && !self.back && self.is_plain()
    }

    /// Whether it is said without conditions.
    pub(super) fn is_plain(&self) -> bool {
        self.qualifiers.is_empty()
    }

    /// How it stands to what another says by the same relation in the same direction.
    pub(super) fn compare(&self, other: &Self, may_be_one: &dyn Fn(u32, u32) -> bool) -> Likeness {
        match (self.value, other.value) {
            (Said::Entity(one), Said::Entity(other)) if one == other => Likeness::Same,
            (Said::Entity(one), Said::Entity(other)) if may_be_one(one, other) => Likeness::Open,
            (Said::Entity(_), Said::Entity(_)) => Likeness::Different,
            (Said::Value(Value::Date(one)), Said::Value(Value::Date(other))) => dates(one, other),
            (Said::Value(Value::Text { text: one, .. }), Said::Value(Value::Text { text: other, .. })) => {
                texts(one, other)
            }
            (Said::Value(Value::Number(one)), Said::Value(Value::Number(two))) => {
                let same = one.unit == two.unit && self.qualifiers == other.qualifiers && one.cmp_value(two).is_eq();
                if same { Likeness::Same } else { Likeness::Open }
            }
            _ => Likeness::Open,
        }
    }
}

/// A year holds its months and a month its days.
fn dates(one: &Date, other: &Date) -> Likeness {
    let parts = |one: Option<u8>, other: Option<u8>| one.zip(other).is_some_and(|(one, other)| one != other);
    if one.calendar != other.calendar {
        Likeness::Open
    } else if one.year != other.year || parts(one.month, other.month) || parts(one.day, other.day) {
        Likeness::Different
    } else {
        Likeness::Same
    }
}

/// Words that hold each other may say one thing more or less exactly.
fn texts(one: &str, other: &str) -> Likeness {
    let (one, other) = (fold(one), fold(other));
    if one == other {
        Likeness::Same
    } else if one.contains(&other) || other.contains(&one) || one.is_ascii() != other.is_ascii() {
        Likeness::Open
    } else {
        Likeness::Different
    }
}

/// Extractors of tables. In them a row is about one thing, and two rows may be about two of one name; in running text a name means
/// one thing throughout.
const TABLES: &[&str] = &["csv", "tsv", "json", "markdown-table"];

/// The row of a table that says something.
pub(super) fn row(evidence: &Evidence) -> Option<u32> {
    match evidence.locator {
        Some(Locator::Row(row)) if TABLES.contains(&evidence.extractor.as_str()) => Some(row),
        _ => None,
    }
}

/// Relations by which nearly everything has one object in a document, whatever the schema says of them. Empty where no name stands in
/// two documents, since then nothing is asked of it.
pub(super) fn mostly_one<'a>(view: &View<'a>) -> HashSet<&'a Iri> {
    /// Share of subjects with one object. Namesakes within a document have two.
    const SHARE: f32 = 0.9;
    let tells = |fact: &Fact| match &fact.statement.object {
        Value::Entity(_) | Value::Date(_) | Value::Text { .. } => fact.statement.qualifiers.is_empty(),
        Value::Number(_) | Value::Boolean(_) => false,
    };
    let said = || {
        let minted = view.edges().filter_map(|(_, fact, subject, _)| Some((fact, subject?, fact.evidence.first()?)));
        minted.filter(|(fact, subject, _)| view.is_minted(*subject) && tells(fact))
    };
    let mut first: HashMap<u32, &DocumentId> = HashMap::new();
    let in_two =
        said().any(|(_, subject, evidence)| *first.entry(subject).or_insert(&evidence.document) != &evidence.document);
    if !in_two {
        return HashSet::new();
    }
    let mut objects: HashMap<(&Iri, u32, &DocumentId), (&Value, bool)> = HashMap::new();
    for (fact, subject, evidence) in said().filter(|(fact, ..)| !view.is_functional(&fact.statement.relation)) {
        let key = (&fact.statement.relation, subject, &evidence.document);
        let (first, several) = objects.entry(key).or_insert((&fact.statement.object, false));
        *several |= *first != &fact.statement.object;
    }
    let mut counts: BTreeMap<&Iri, (usize, usize)> = BTreeMap::new();
    for ((relation, ..), (_, several)) in objects {
        let (all, one) = counts.entry(relation).or_default();
        *all += 1;
        *one += usize::from(!several);
    }
    let few = |count: usize| count as f32;
    let found = counts.into_iter().filter(|(_, (all, one))| few(*one) >= SHARE * few(*all));
    found.map(|(relation, _)| relation).collect()
}
