//! The versions of a schema: who, when, why, and what is needed to go back.

use super::migrate::{Moved, Step};
use super::{Publication, Store};
use crate::rdf::decode::Failure;
use crate::rdf::{VERSION, VERSION_RECORD, VERSIONS};
use crate::rename::{self, Rename, Renames};
use crate::{ContentHash, GraphError};
use factmask_schema::Schema;
use oxigraph::model::{Literal, NamedNode, NamedNodeRef, NamedOrBlankNode, Quad, Term};
use oxigraph::store::Transaction;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

/// A version of the schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaVersion {
    /// From 1, growing.
    pub number: u32,
    /// When it was published, in seconds since 1970; 0 for what was there before versions were kept.
    pub at: u64,
    /// Who published it; empty where that was not said.
    pub author: String,
    /// Why.
    pub reason: String,
    /// The schema as canonical Turtle.
    pub turtle: String,
    /// What was renamed with it.
    pub renames: Vec<Rename>,
}

impl SchemaVersion {
    /// Hash of its Turtle.
    pub fn hash(&self) -> ContentHash {
        ContentHash::of(self.turtle.as_bytes())
    }
}

impl Store {
    /// Every version of the schema that was published, the earliest first.
    pub fn schema_versions(&self) -> Result<Vec<SchemaVersion>, GraphError> {
        let records = self.read("read its schemas", records)?;
        let version = |(number, record): (u32, Record)| {
            let renames = record.steps.iter().map(|step| rename::read(&step.rename));
            let renames: Vec<Vec<Rename>> =
                renames.collect::<Result<_, _>>().map_err(|message| corrupt(number, message))?;
            let Record { at, author, reason, turtle, .. } = record;
            Ok(SchemaVersion { number, at, author, reason, turtle, renames: renames.concat() })
        };
        records.into_iter().map(version).collect()
    }
}

/// A version as it is stored.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Record {
    at: u64,
    author: String,
    reason: String,
    pub(super) turtle: String,
    /// All names that terms had before, as of this version.
    #[serde(default)]
    renames: serde_json::Value,
    #[serde(default)]
    steps: Vec<StoredStep>,
}

/// One rename with what it has moved.
#[derive(Serialize, Deserialize)]
struct StoredStep {
    rename: serde_json::Value,
    moved: Moved,
}

impl Record {
    pub(super) fn new(publication: &Publication, turtle: &str, renames: &Renames, moved: Vec<Moved>) -> Self {
        let steps = publication.steps.iter().zip(moved);
        let steps =
            steps.map(|(step, moved)| StoredStep { rename: rename::write([step.rename.clone()].into_iter()), moved });
        Self {
            at: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
            author: publication.change.author.clone(),
            reason: publication.change.reason.clone(),
            turtle: turtle.to_owned(),
            renames: rename::write(renames.iter()),
            steps: steps.collect(),
        }
    }

    /// All names that terms had before, as of this version.
    pub(super) fn renames(&self) -> Result<Renames, String> {
        if self.renames.is_null() {
            return Ok(Renames::default());
        }
        Ok(rename::read(&self.renames)?.into_iter().collect())
    }

    /// What takes its renames back, the last one first.
    pub(super) fn steps_back(&self) -> Vec<Step> {
        let back = |step: &StoredStep| {
            let renames = rename::read(&step.rename).unwrap_or_default();
            let back = |rename: Rename| Step {
                rename: Rename { kind: rename.kind, from: rename.to, to: rename.from },
                only: Some(step.moved.clone()),
            };
            renames.into_iter().map(back).collect::<Vec<_>>()
        };
        self.steps.iter().rev().flat_map(back).collect()
    }
}

/// Keeps a version, and the one before where none was kept yet; its number.
pub(super) fn keep(transaction: &mut Transaction<'_>, current: &str, record: Record) -> Result<u32, Failure> {
    let known = records(transaction)?;
    let mut last = known.keys().next_back().copied().unwrap_or(0);
    let before = (known.is_empty() && current != Schema::default().to_turtle())
        .then(|| Record { turtle: current.to_owned(), ..Record::default() });
    for record in before.into_iter().chain([record]) {
        last += 1;
        let json =
            serde_json::to_string(&record).map_err(|error| Failure::Contents(corrupt(last, error.to_string())))?;
        transaction.insert(&Quad::new(
            NamedNode::new_unchecked(format!("{VERSION}{last}")),
            NamedNode::new_unchecked(VERSION_RECORD),
            Literal::from(json),
            NamedNode::new_unchecked(VERSIONS),
        ));
    }
    Ok(last)
}

/// All versions by number.
pub(super) fn records(database: &Transaction<'_>) -> Result<BTreeMap<u32, Record>, Failure> {
    let graph = NamedNodeRef::new_unchecked(VERSIONS);
    let mut records = BTreeMap::new();
    for quad in database.quads_for_pattern(None, None, None, Some(graph.into())) {
        let quad = quad?;
        let (NamedOrBlankNode::NamedNode(version), Term::Literal(json)) = (&quad.subject, &quad.object) else {
            continue;
        };
        let number = version.as_str().strip_prefix(VERSION).and_then(|number| number.parse().ok());
        let Some(number) = number else { continue };
        let record = serde_json::from_str(json.value())
            .map_err(|error| Failure::Contents(corrupt(number, error.to_string())))?;
        records.insert(number, record);
    }
    Ok(records)
}

pub(super) fn corrupt(version: u32, message: String) -> GraphError {
    GraphError::Corrupt { graph: VERSIONS.to_owned(), term: format!("{VERSION}{version}"), message }
}
