//! What a schema says, as plain values.

use crate::{Iri, Rule, Text, Wording, local_name};
use std::collections::{BTreeMap, BTreeSet};

/// A checked schema. Every IRI that one part names is declared in another part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schema {
    /// Classes by IRI.
    pub classes: BTreeMap<Iri, Class>,
    /// Relations by IRI.
    pub relations: BTreeMap<Iri, Relation>,
    /// Qualifiers by IRI.
    pub qualifiers: BTreeMap<Iri, Qualifier>,
    /// Triples of an [imported](Schema::import) file that say what we do not understand, each as a line of N-Triples. They mean nothing
    /// here and are carried along for those who do understand them.
    pub kept: BTreeSet<String>,
}

/// A kind of entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// Its IRI.
    pub iri: Iri,
    /// Names by language.
    pub labels: Vec<Text>,
    /// Other names.
    pub aliases: Vec<Text>,
    /// Direct superclasses; the whole is free of cycles.
    pub parents: Vec<Iri>,
    /// Nothing but what its rules name may be said of its entities.
    pub closed: bool,
    /// What must hold of its entities. Those of one [shape](Rule::shape) stand together, those without one first.
    pub rules: Vec<Rule>,
}

/// What can be said of an entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// Its IRI.
    pub iri: Iri,
    /// Names by language ("research and development expense").
    pub labels: Vec<Text>,
    /// Other names ("R&D spending").
    pub aliases: Vec<Text>,
    /// The class of its subjects, where the schema says.
    pub domain: Option<Iri>,
    /// What its objects are.
    pub range: Range,
    /// How many objects a subject may have.
    pub functional: Functional,
    /// `a R b` implies `b R a`.
    pub symmetric: bool,
    /// The relation that says the same the other way round.
    pub inverse: Option<Iri>,
    /// How people ask for it: wordings with the slot `{s}`.
    pub questions: Vec<Wording>,
    /// How a fact is said: wordings with `{s}`, `{o}` and qualifier slots. The first of a language is used for cards, the
    /// others are for finding facts in text.
    pub statements: Vec<Wording>,
}

/// The objects of a relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Range {
    /// Entities of this class; `None`: any entity.
    Entity(Option<Iri>),
    /// A typed value.
    Value(ValueType),
}

/// The type of a value and, for numbers, the unit that is meant when a source gives none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueType {
    /// Text, number, date, year or truth value.
    pub kind: ValueKind,
    /// The unit, as the values carry it (`USD`, `km²`, `%`).
    pub unit: Option<String>,
}

/// Kinds of literal values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// Words, with or without language.
    Text,
    /// An exact decimal.
    Number,
    /// A calendar date of any precision.
    Date,
    /// A year alone.
    Year,
    /// True or false.
    Boolean,
}

/// "Functional" means functional *per qualifier*: one revenue a company and fiscal year.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Functional {
    /// Any number of objects.
    No,
    /// At most one object for each combination of these qualifiers (none: one object a subject).
    Per(Vec<Iri>),
}

/// What a fact can be qualified with: fiscal year, role, valid from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Qualifier {
    /// Its IRI.
    pub iri: Iri,
    /// Names by language ("fiscal year", "财年").
    pub labels: Vec<Text>,
    /// Other names.
    pub aliases: Vec<Text>,
    /// What its values are.
    pub value: ValueType,
    /// Its years are fiscal years (`fm:calendar "fiscal"`), which are not calendar years.
    pub fiscal: bool,
}

impl Schema {
    /// Whether `class` is `ancestor` or below it.
    pub fn is_a(&self, class: &Iri, ancestor: &Iri) -> bool {
        self.with_ancestors(class).contains(ancestor)
    }

    /// The class and everything above it. Ends on a cycle too, since a schema made by hand may have one.
    pub fn with_ancestors<'a>(&'a self, class: &'a Iri) -> BTreeSet<&'a Iri> {
        let mut seen = BTreeSet::from([class]);
        let mut open = vec![class];
        while let Some(class) = open.pop() {
            for parent in self.classes.get(class).into_iter().flat_map(|class| &class.parents) {
                if seen.insert(parent) {
                    open.push(parent);
                }
            }
        }
        seen
    }

    /// Whether any class has something that its entities must keep.
    pub fn has_rules(&self) -> bool {
        self.classes.values().any(|class| class.closed || !class.rules.is_empty())
    }

    /// The same without the rules of classes, on which neither documents are read nor questions answered.
    pub fn without_rules(&self) -> Self {
        let without = |class: &Class| Class { closed: false, rules: Vec::new(), ..class.clone() };
        let classes = self.classes.iter().map(|(iri, class)| (iri.clone(), without(class))).collect();
        Self { classes, ..self.clone() }
    }

    /// The qualifier that a wording's slot names.
    pub fn qualifier_by_slot(&self, slot: &str) -> Option<&Qualifier> {
        self.qualifiers.values().find(|qualifier| local_name(qualifier.iri.as_str()) == slot)
    }
}
