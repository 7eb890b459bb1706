//! What a change did or would do.

use super::{FactBody, Named};
use serde::Serialize;
use utoipa::ToSchema;

/// What became of each file of an upload, in the order in which they came.
#[derive(Debug, Serialize, ToSchema)]
pub struct UploadBody {
    /// The files.
    pub documents: Vec<UploadedBody>,
    /// State of the knowledge base afterwards.
    pub epoch: u64,
}

/// What became of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct UploadedBody {
    /// Its name, which is the document's id.
    pub document: String,
    /// What became of it.
    pub outcome: UploadOutcome,
    /// Why it was rejected, and the remedy; else null. What was stored under this id before stands.
    pub reason: Option<String>,
    /// Facts that the document states; 0 for a rejected one.
    pub facts: u64,
    /// What was left out or is doubtful.
    pub warnings: Vec<String>,
}

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UploadOutcome {
    /// Its facts are stored; an earlier revision was replaced.
    Ingested,
    /// The store holds the very same.
    Unchanged,
    /// It gave nothing.
    Rejected,
}

/// Some facts and how many there are.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct FactSample {
    /// How many.
    pub count: usize,
    /// The first 100 of them.
    pub first: Vec<FactBody>,
}

/// Some names and how many there are.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct NameSample {
    /// How many.
    pub count: usize,
    /// The first 100 of them.
    pub first: Vec<Named>,
}

/// What deleting a document did, or would do.
#[derive(Debug, Serialize, ToSchema)]
pub struct RemovalBody {
    /// The document.
    pub document: String,
    /// Nothing was done.
    pub dry_run: bool,
    /// Facts that only this document states.
    pub facts_removed: FactSample,
    /// Facts that stay because another document states them too.
    pub facts_kept: FactSample,
    /// Entities that no other document describes or mentions.
    pub orphaned_entities: NameSample,
    /// State of the knowledge base afterwards.
    pub epoch: u64,
}

/// What putting documents would do. Facts come without evidence: what would be new is not stored yet.
#[derive(Debug, Serialize, ToSchema)]
pub struct PreviewBody {
    /// Documents that would be new.
    pub documents_added: Vec<String>,
    /// Documents that would replace an earlier revision.
    pub documents_replaced: Vec<String>,
    /// Documents that have not changed.
    pub documents_unchanged: usize,
    /// Files that would give nothing, each with the reason.
    pub rejected: Vec<String>,
    /// Facts that would be new.
    pub facts_added: FactSample,
    /// Facts that no document would state any longer.
    pub facts_removed: FactSample,
    /// Facts that would stand with less evidence.
    pub facts_weakened: FactSample,
    /// Entities that nothing would be known of any longer.
    pub orphaned_entities: NameSample,
    /// Entities of which other facts would be known, so that their cards are encoded again.
    pub cards_touched: usize,
    /// State of the knowledge base, which is as it was.
    pub epoch: u64,
}

/// What replacing the schema did, or would do.
#[derive(Debug, Serialize, ToSchema)]
pub struct SchemaChangeBody {
    /// Hash of the new schema, as `ETag` sends it.
    pub etag: String,
    /// Nothing was done.
    pub dry_run: bool,
    /// Whether the new schema differs from the one before.
    pub changed: bool,
    /// Facts that the schema before foresaw and this one does not, by what does not fit. They stand nevertheless.
    pub unfit: Vec<MisfitBody>,
    /// How many of the stored documents were read by another schema, and must be sent or ingested again to be read by this one.
    pub documents_to_read_again: usize,
    /// State of the knowledge base afterwards.
    pub epoch: u64,
}

/// Facts that do not fit for the same reason.
#[derive(Debug, Serialize, ToSchema)]
pub struct MisfitBody {
    /// `relation`, `domain`, `range` or `qualifier`: what of the fact the new schema does not foresee; `functional`: it has another value too,
    /// where there may be one.
    pub part: &'static str,
    /// The facts.
    pub facts: FactSample,
}

/// One fault of a schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FaultBody {
    /// Line, from 1; 0 where it cannot be said in Turtle at all.
    pub line: u64,
    /// The term at fault, as the text writes it.
    pub term: String,
    /// What is wrong, and the remedy.
    pub message: String,
}
