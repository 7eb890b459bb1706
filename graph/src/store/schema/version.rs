//! The versions of a schema: who, when, why, and what is needed to go back.

use super::migrate::{Moved, Step};
use super::{Publication, Store};
use crate::rdf::decode::Failure;
use crate::rdf::{VERSION, VERSION_RECORD, VERSIONS};
use crate::rename::{Rename, Renames, StoredTerm};
use crate::{ContentHash, GraphError, Split, When};
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
    /// What was split with it, in order.
    pub splits: Vec<Split>,
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
            let (renames, splits) =
                parted(record.steps_made().map_err(|message| corrupt(number, message))?.into_iter().map(|made| made.0));
            let Record { at, author, reason, turtle, .. } = record;
            Ok(SchemaVersion { number, at, author, reason, turtle, renames, splits })
        };
        records.into_iter().map(version).collect()
    }
}

/// Renames and splits apart, each in their order.
pub(super) fn parted(steps: impl Iterator<Item = (Rename, Option<When>)>) -> (Vec<Rename>, Vec<Split>) {
    let (mut renames, mut splits) = (Vec::new(), Vec::new());
    for (rename, when) in steps {
        match when {
            None => renames.push(rename),
            Some(when) => splits.push(Split { from: rename.from, to: rename.to, when }),
        }
    }
    (renames, splits)
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
    /// The version that was restored with it: what is called how is as it was then.
    #[serde(default)]
    restored: Option<u32>,
}

/// What a step renames, and which part of it.
type Made = (Rename, Option<When>);

/// One rename or split with what it has moved.
#[derive(Serialize, Deserialize)]
struct StoredStep {
    rename: (StoredTerm,),
    /// What was moved; empty where everything under the new name had come from the old one, so that all of it goes back.
    moved: Option<Moved>,
    /// The version whose rename it does once more.
    of: Option<u32>,
}

impl Record {
    pub(super) fn new(publication: &Publication, turtle: &str, renames: &Renames, moved: Vec<Moved>) -> Self {
        let steps = publication.steps.iter().zip(moved).map(|(step, moved)| StoredStep {
            rename: (StoredTerm::of(step.rename.clone(), step.when.as_ref(), None),),
            moved: step.merges.then_some(moved),
            of: step.of,
        });
        Self {
            at: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
            author: publication.change.author.clone(),
            reason: publication.change.reason.clone(),
            turtle: turtle.to_owned(),
            renames: renames.to_json(),
            steps: steps.collect(),
            restored: publication.restored,
        }
    }

    /// All names that terms had before, as of this version.
    pub(super) fn renames(&self) -> Result<Renames, String> {
        if self.renames.is_null() {
            return Ok(Renames::default());
        }
        Renames::from_json(&self.renames)
    }

    /// The version that it was made from, of which `number` is its own.
    fn parent(&self, number: u32) -> u32 {
        self.restored.unwrap_or(number.saturating_sub(1))
    }

    fn steps_made(&self) -> Result<Vec<(Made, &StoredStep)>, String> {
        self.steps.iter().map(|step| Ok((step.rename.0.read()?, step))).collect()
    }
}

/// The steps from the latest version to another one. Versions are a tree, in which one that restores another stands beside it: back to
/// where both come from, and from there to the other.
pub(super) fn steps_between(records: &BTreeMap<u32, Record>, from: u32, to: u32) -> Result<Vec<Step>, GraphError> {
    let up = |start: u32| -> Vec<u32> {
        let next = |number: &u32| records.get(number).map(|record| record.parent(*number)).filter(|parent| *parent > 0);
        std::iter::successors(Some(start), next).collect()
    };
    let (mut back, mut forth) = (up(from), up(to));
    while back.last().is_some() && back.last() == forth.last() {
        back.pop();
        forth.pop();
    }
    let all = records
        .iter()
        .map(|(number, record)| Ok((*number, record.steps_made().map_err(|message| corrupt(*number, message))?)));
    let all: BTreeMap<u32, Vec<(Made, &StoredStep)>> = all.collect::<Result<_, GraphError>>()?;
    let all = &all;
    let own = |number: &u32| {
        let made = records.get(number).filter(|record| record.restored.is_none()).and_then(|_| all.get(number));
        (*number, made.map(Vec::as_slice).unwrap_or_default())
    };
    let taken_back = back.iter().map(own).flat_map(|(number, steps)| {
        let again = move |made: &Made| {
            // What it has moved when it was done once more.
            let again = all.values().flatten().filter(|(other, step)| step.of == Some(number) && other == made);
            again.filter_map(|(_, step)| step.moved.as_ref()).collect()
        };
        steps.iter().rev().map(move |(made, step)| Step {
            merges: false,
            of: None,
            only: step.moved.as_ref().map(|moved| moved.with(again(made))),
            when: None,
            rename: Rename { kind: made.0.kind, from: made.0.to.clone(), to: made.0.from.clone() },
        })
    });
    let done_again = forth.iter().rev().map(own).flat_map(|(number, steps)| {
        steps.iter().map(move |((rename, when), step)| Step {
            merges: step.moved.is_some(),
            of: Some(number),
            only: None,
            when: when.clone(),
            rename: rename.clone(),
        })
    });
    Ok(taken_back.chain(done_again).collect())
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
