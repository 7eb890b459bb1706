//! Terms of a schema that are called otherwise now, as a whole or in part.

use crate::split::{self, Ground, Split, When};
use crate::{Entity, NewFact};
use factmask_schema::{Iri, Schema};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What a term of a schema is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TermKind {
    /// A class.
    Class,
    /// A relation.
    Relation,
    /// A qualifier.
    Qualifier,
}

impl TermKind {
    /// Whether a schema has a term of this kind.
    pub fn declares(self, schema: &Schema, iri: &Iri) -> bool {
        match self {
            Self::Class => schema.classes.contains_key(iri),
            Self::Relation => schema.relations.contains_key(iri),
            Self::Qualifier => schema.qualifiers.contains_key(iri),
        }
    }

    /// The English name of a schema's term of this kind.
    pub fn label(self, schema: &Schema, iri: &Iri) -> Option<String> {
        let label = match self {
            Self::Class => schema.classes.get(iri)?.label("en"),
            Self::Relation => schema.relations.get(iri)?.label("en"),
            Self::Qualifier => schema.qualifiers.get(iri)?.label("en"),
        };
        Some(label.into_owned())
    }

    /// The English word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Class => "class",
            Self::Relation => "relation",
            Self::Qualifier => "qualifier",
        }
    }
}

/// A term is called otherwise from now on: what is said with `from` is said with `to`. Where `to` was a term already, the two are
/// merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rename {
    /// What both are.
    pub kind: TermKind,
    /// The name before.
    pub from: Iri,
    /// The name from now on.
    pub to: Iri,
}

/// All names that terms had before, each with the name of now, and the parts of terms that are terms of their own. Documents that still
/// use the old ones are understood by it, each by itself: what it does not say, it is not taken to say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Renames {
    names: BTreeMap<(TermKind, Iri), Iri>,
    /// In the order in which they were made.
    splits: Vec<Standing>,
}

/// A split, with the classes that count as the one that it asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Standing {
    split: Split,
    classes: BTreeSet<Iri>,
}

impl Renames {
    /// Takes a rename up; names that led to `from` lead to `to` now.
    pub fn add(&mut self, rename: &Rename) {
        for ((kind, _), to) in &mut self.names {
            if *kind == rename.kind && *to == rename.from {
                *to = rename.to.clone();
            }
        }
        self.names.insert((rename.kind, rename.from.clone()), rename.to.clone());
        self.names.retain(|(_, from), to| from != to);
        self.splits.iter_mut().for_each(|standing| standing.split.follow(rename));
    }

    /// Takes a split up.
    pub(crate) fn add_split(&mut self, split: Split) {
        self.splits.push(Standing { split, classes: BTreeSet::new() });
    }

    /// Leaves out what a schema has made otherwise: names that it declares are terms of their own again, and parts whose term is gone are
    /// none any more.
    pub(crate) fn settle(&mut self, schema: &Schema) {
        self.names.retain(|(kind, from), _| !kind.declares(schema, from));
        self.splits.retain(|standing| standing.split.kind().declares(schema, &standing.split.to));
        for standing in &mut self.splits {
            standing.classes = split::classes(&standing.split.when, schema);
        }
    }

    /// Each rename.
    pub fn iter(&self) -> impl Iterator<Item = Rename> {
        self.names.iter().map(|((kind, from), to)| Rename { kind: *kind, from: from.clone(), to: to.clone() })
    }

    /// Whether no term was ever renamed or split.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.splits.is_empty()
    }

    /// Says what one document says by the terms of now.
    pub(crate) fn document(&self, entities: &mut [Entity], facts: &mut [NewFact]) {
        for class in entities.iter_mut().flat_map(|entity| &mut entity.classes) {
            self.term(TermKind::Class, class);
        }
        facts.iter_mut().for_each(|fact| self.fact(fact));
        for Standing { split, classes } in &self.splits {
            let statements = facts.iter().map(|fact| &fact.statement);
            let ground = Ground::new(split.when.clone(), classes.clone(), entities.iter(), statements);
            let become_part = |term: &mut Iri| {
                if *term == split.from {
                    term.clone_from(&split.to);
                }
            };
            match split.kind() {
                TermKind::Class => {
                    let moved = entities.iter_mut().filter(|entity| ground.moves_entity(&entity.iri));
                    moved.flat_map(|entity| &mut entity.classes).for_each(become_part);
                }
                TermKind::Relation | TermKind::Qualifier => {
                    let moved = facts.iter_mut().filter(|fact| ground.moves_statement(&fact.statement));
                    moved.for_each(|fact| become_part(&mut fact.statement.relation));
                }
            }
        }
    }

    /// Says a fact by the names of now.
    pub(crate) fn fact(&self, fact: &mut NewFact) {
        let statement = &mut fact.statement;
        self.term(TermKind::Relation, &mut statement.relation);
        statement.qualifiers.iter_mut().for_each(|(qualifier, _)| self.term(TermKind::Qualifier, qualifier));
    }

    fn term(&self, kind: TermKind, term: &mut Iri) {
        if let Some(now) = self.names.get(&(kind, term.clone())) {
            *term = now.clone();
        }
    }

    /// As JSON.
    pub(crate) fn to_json(&self) -> serde_json::Value {
        let names = self.iter().map(|rename| StoredTerm::of(rename, None, None));
        let splits = self
            .splits
            .iter()
            .map(|Standing { split, classes }| StoredTerm::of(split.rename(), Some(&split.when), Some(classes)));
        serde_json::to_value(names.chain(splits).collect::<Vec<_>>()).unwrap_or_default()
    }

    /// Out of what [`to_json`](Self::to_json) made.
    pub(crate) fn from_json(json: &serde_json::Value) -> Result<Self, String> {
        let stored: Vec<StoredTerm> = Deserialize::deserialize(json).map_err(|error| error.to_string())?;
        let mut renames = Self::default();
        for stored in stored {
            let (Rename { kind, from, to }, when) = stored.read()?;
            let classes = stored.classes.into_iter().map(Iri::new_unchecked).collect();
            match when {
                None => _ = renames.names.insert((kind, from), to),
                Some(when) => renames.splits.push(Standing { split: Split { from, to, when }, classes }),
            }
        }
        Ok(renames)
    }
}

impl FromIterator<Rename> for Renames {
    fn from_iter<I: IntoIterator<Item = Rename>>(all: I) -> Self {
        let mut renames = Self::default();
        all.into_iter().for_each(|rename| renames.add(&rename));
        renames
    }
}

/// A rename or split as it is stored.
#[derive(Serialize, Deserialize)]
pub(crate) struct StoredTerm {
    kind: TermKind,
    from: String,
    to: String,
    /// Of a split.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    when: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    classes: Vec<String>,
}

impl StoredTerm {
    pub(crate) fn of(rename: Rename, when: Option<&When>, classes: Option<&BTreeSet<Iri>>) -> Self {
        let Rename { kind, from, to } = rename;
        let classes = classes.into_iter().flatten().map(|class| class.as_str().to_owned()).collect();
        Self { kind, from: from.into_string(), to: to.into_string(), when: when.map(When::to_string), classes }
    }

    pub(crate) fn read(&self) -> Result<(Rename, Option<When>), String> {
        let Self { kind, from, to, when, .. } = self;
        let rename = Rename { kind: *kind, from: Iri::new_unchecked(from), to: Iri::new_unchecked(to) };
        Ok((rename, when.as_ref().map(|when| when.parse()).transpose()?))
    }
}
