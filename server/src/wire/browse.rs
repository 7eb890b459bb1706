//! What the knowledge base holds, page by page.

use super::{FactBody, Named};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Facts of one epoch, in the order of their ids.
#[derive(Debug, Serialize, ToSchema)]
pub struct FactPage {
    /// Some of the facts that were asked for.
    pub facts: Vec<FactBody>,
    /// How many there are in all.
    pub total: usize,
    /// `cursor` of the next page; null behind the last. Valid as long as the epoch lasts.
    pub next: Option<String>,
    /// State of the knowledge base; grows with each change.
    pub epoch: u64,
}

/// Words with their language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TextBody {
    /// BCP 47 tag; empty where none is known.
    #[serde(default)]
    #[schema(required = true)]
    pub lang: String,
    /// The words.
    pub text: String,
}

/// An entity with the facts about it.
#[derive(Debug, Serialize, ToSchema)]
pub struct EntityBody {
    /// Its IRI.
    pub iri: String,
    /// Its name in the language that was asked for.
    pub name: String,
    /// Its names by language.
    pub labels: Vec<TextBody>,
    /// Its other names.
    pub aliases: Vec<TextBody>,
    /// Its classes.
    pub classes: Vec<Named>,
    /// Facts whose subject it is: the first page of `GET /v1/facts?subject=...`, which takes `next` as `cursor`.
    pub facts_of: FactPage,
    /// Facts whose object it is: the first page of `GET /v1/facts?object=...`, which takes `next` as `cursor`.
    pub facts_to: FactPage,
}

/// A stored document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DocumentBody {
    /// Its id: the path or name that it was read under.
    pub id: String,
    /// Title for people.
    pub title: String,
    /// Media type; with `transcoded-from` where the source was not UTF-8, `read-from` where it is the reading of a file that is no text.
    pub media_type: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Statements that it makes.
    pub facts: u64,
    /// SHA-256 of its bytes.
    pub sha256: String,
}

/// Documents in the order of their ids.
#[derive(Debug, Serialize, ToSchema)]
pub struct DocumentPage {
    /// Some of the documents.
    pub documents: Vec<DocumentBody>,
    /// How many there are in all.
    pub total: usize,
    /// `cursor` of the next page; null behind the last. Valid as long as the epoch lasts.
    pub next: Option<String>,
    /// State of the knowledge base; grows with each change.
    pub epoch: u64,
}
