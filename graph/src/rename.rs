//! Terms of a schema that are called otherwise now.

use crate::{Entity, NewFact, Statement};
use factmask_schema::{Iri, Schema};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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

impl Rename {
    /// Whether the new name is a term of the schema.
    pub fn is_declared(&self, schema: &Schema) -> bool {
        match self.kind {
            TermKind::Class => schema.classes.contains_key(&self.to),
            TermKind::Relation => schema.relations.contains_key(&self.to),
            TermKind::Qualifier => schema.qualifiers.contains_key(&self.to),
        }
    }
}

/// All names that terms had before, each with the name of now. Documents that still use the old ones are understood by it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renames(BTreeMap<(TermKind, Iri), Iri>);

impl Renames {
    /// Takes a rename up; names that led to `from` lead to `to` now.
    pub fn add(&mut self, rename: &Rename) {
        for ((kind, _), to) in &mut self.0 {
            if *kind == rename.kind && *to == rename.from {
                *to = rename.to.clone();
            }
        }
        self.0.insert((rename.kind, rename.from.clone()), rename.to.clone());
        self.0.retain(|(_, from), to| from != to);
    }

    /// Leaves out the names that the schema declares: they are terms of their own again.
    pub fn forget_declared(&mut self, schema: &Schema) {
        self.0.retain(|(kind, from), _| match kind {
            TermKind::Class => !schema.classes.contains_key(from),
            TermKind::Relation => !schema.relations.contains_key(from),
            TermKind::Qualifier => !schema.qualifiers.contains_key(from),
        });
    }

    /// Each rename.
    pub fn iter(&self) -> impl Iterator<Item = Rename> {
        self.0.iter().map(|((kind, from), to)| Rename { kind: *kind, from: from.clone(), to: to.clone() })
    }

    /// Whether no term was ever renamed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Says an entity's classes by their names of now.
    pub(crate) fn entity(&self, entity: &mut Entity) {
        entity.classes.iter_mut().for_each(|class| self.term(TermKind::Class, class));
    }

    /// Says a fact by the names of now.
    pub(crate) fn fact(&self, fact: &mut NewFact) {
        self.statement(&mut fact.statement);
    }

    fn statement(&self, statement: &mut Statement) {
        self.term(TermKind::Relation, &mut statement.relation);
        statement.qualifiers.iter_mut().for_each(|(qualifier, _)| self.term(TermKind::Qualifier, qualifier));
    }

    fn term(&self, kind: TermKind, term: &mut Iri) {
        if let Some(now) = self.0.get(&(kind, term.clone())) {
            *term = now.clone();
        }
    }
}

impl FromIterator<Rename> for Renames {
    fn from_iter<I: IntoIterator<Item = Rename>>(all: I) -> Self {
        let mut renames = Self::default();
        all.into_iter().for_each(|rename| renames.add(&rename));
        renames
    }
}

/// As it is stored.
#[derive(Serialize, Deserialize)]
struct Stored {
    kind: TermKind,
    from: String,
    to: String,
}

/// Renames as JSON.
pub(crate) fn write(renames: impl Iterator<Item = Rename>) -> serde_json::Value {
    let stored =
        |rename: Rename| Stored { kind: rename.kind, from: rename.from.into_string(), to: rename.to.into_string() };
    serde_json::to_value(renames.map(stored).collect::<Vec<_>>()).unwrap_or_default()
}

/// Renames out of what [`write`] made.
pub(crate) fn read(json: &serde_json::Value) -> Result<Vec<Rename>, String> {
    let stored: Vec<Stored> = Deserialize::deserialize(json).map_err(|error| error.to_string())?;
    let rename = |stored: Stored| Rename {
        kind: stored.kind,
        from: Iri::new_unchecked(stored.from),
        to: Iri::new_unchecked(stored.to),
    };
    Ok(stored.into_iter().map(rename).collect())
}
