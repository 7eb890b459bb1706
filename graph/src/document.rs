//! What is put into the store, and what it says of what it holds.

use crate::{ContentHash, DocumentId, Entity, NewFact};

/// A document with everything that was read out of it: the unit that is stored, replaced and deleted.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its identity within the tenant.
    pub id: DocumentId,
    /// `text/turtle`, `text/csv`, `text/markdown`, `text/plain` and so on.
    pub media_type: String,
    /// A title for people.
    pub title: String,
    /// The bytes as they came; citations are byte ranges in them.
    pub source: Vec<u8>,
    /// What the extraction depended on besides the bytes (schema, mapping, extractor version), hashed by the caller. A document
    /// is unchanged only when bytes and recipe both are.
    pub recipe: ContentHash,
    /// Entities that it names.
    pub entities: Vec<Entity>,
    /// Facts that it states.
    pub facts: Vec<NewFact>,
}

/// What the store knows of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentInfo {
    /// Its identity.
    pub id: DocumentId,
    /// SHA-256 of its bytes.
    pub hash: ContentHash,
    /// See [`Document::recipe`].
    pub recipe: ContentHash,
    /// Media type.
    pub media_type: String,
    /// Title.
    pub title: String,
    /// Size in bytes.
    pub bytes: u64,
    /// How many statements it makes.
    pub facts: u64,
}

/// What putting a document did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was not there before.
    Added,
    /// It replaced an earlier revision.
    Replaced,
    /// Bytes and recipe were the same; nothing was written.
    Unchanged,
}
