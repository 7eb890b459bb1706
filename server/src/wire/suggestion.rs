//! Terms that documents have and the schema has not.

use super::{ClassBody, EvidenceBody, RelationBody};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What the documents say and the schema has no word for: stored facts first, then what is not read, each by how often it comes.
#[derive(Debug, Serialize, ToSchema)]
pub struct SuggestionList {
    /// The first of them.
    pub suggestions: Vec<SuggestionBody>,
    /// How many there are.
    pub total: usize,
    /// State of the knowledge base.
    pub epoch: u64,
}

/// A term that could be added.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SuggestionBody {
    /// The same as long as the term is found.
    pub id: String,
    /// Class or relation.
    pub kind: SuggestedKind,
    /// Where it was found.
    pub source: SuggestionSource,
    /// What it would be called.
    pub label: String,
    /// IRI of the class that a relation is said of, where nearly all of its subjects are in one.
    pub domain: Option<String>,
    /// What a relation's objects are: IRI of a class or of a datatype; null: things of several classes.
    pub range: Option<String>,
    /// How often it was found.
    pub count: usize,
    /// Of how many things.
    pub subjects: usize,
    /// The first places.
    pub evidence: Vec<EvidenceBody>,
    /// What was decided.
    pub state: SuggestionState,
    /// The class that would be added.
    pub class: Option<ClassBody>,
    /// The relation that would be added, with wordings: they are what reads it in documents.
    pub relation: Option<RelationBody>,
}

/// What a suggested term is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SuggestedKind {
    /// A class.
    Class,
    /// A relation.
    Relation,
}

/// Where a suggested term was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SuggestionSource {
    /// Facts are stored under it.
    Facts,
    /// It heads a column that is not read.
    Column,
    /// It stands between names in running text.
    Phrase,
}

/// What was decided on a suggestion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SuggestionState {
    /// Nothing yet.
    Open,
    /// It is in a draft. Once that is published, it is suggested no more.
    Accepted,
    /// It is not wanted.
    Rejected,
}

/// A decision on a suggestion.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SuggestionDecision {
    /// What is decided; `open` takes it back.
    pub state: SuggestionState,
}
