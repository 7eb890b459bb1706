//! Who is who, and what people decide of it.

use super::{Named, default_tenant};
use factmask_graph::{DecidedBy, PairState, Verdict};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Pairs of entities that are or may be one, or share a name and are two; the surest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct IdentityBody {
    /// The first of them.
    pub pairs: Vec<PairBody>,
    /// How many there are.
    pub total: usize,
    /// State of the knowledge base.
    pub epoch: u64,
}

/// Two entities, and whether they are one.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PairBody {
    /// A short name of the pair, from the two IRIs.
    pub id: String,
    /// The one whose IRI comes first.
    pub one: Named,
    /// The other.
    pub other: Named,
    /// How sure it is that they are one, 0 to 1; of what a person has decided 1 or 0.
    pub score: f32,
    /// What speaks for and against it.
    pub reasons: Vec<String>,
    /// What follows. A pair on which nothing speaks for the two being one, and no decision stands, is `apart`.
    pub state: PairStateBody,
    /// Who has decided.
    pub by: DecidedByBody,
}

/// What is made of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PairStateBody {
    /// They may be one; a person should say.
    Proposed,
    /// They are one.
    Merged,
    /// They are two.
    Apart,
}

/// Who has decided on a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DecidedByBody {
    /// The rules.
    Rule,
    /// A person.
    Hand,
}

/// A person's decision on two entities. It goes before every rule, and stays when documents change.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DecisionBody {
    /// Whose knowledge base.
    #[serde(default = "default_tenant")]
    #[schema(default = "default")]
    pub tenant: String,
    /// IRI of the one.
    pub one: String,
    /// IRI of the other.
    pub other: String,
    /// What they are.
    pub decision: SamenessBody,
    /// Who decides.
    pub author: String,
    /// Why.
    pub reason: String,
}

/// What two entities are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SamenessBody {
    /// One.
    Same,
    /// Two.
    Different,
    /// What the rules say: takes a decision back.
    Undecided,
}

impl From<PairStateBody> for PairState {
    fn from(state: PairStateBody) -> Self {
        match state {
            PairStateBody::Proposed => Self::Proposed,
            PairStateBody::Merged => Self::Merged,
            PairStateBody::Apart => Self::Apart,
        }
    }
}

impl From<PairState> for PairStateBody {
    fn from(state: PairState) -> Self {
        match state {
            PairState::Proposed => Self::Proposed,
            PairState::Merged => Self::Merged,
            PairState::Apart => Self::Apart,
        }
    }
}

impl From<DecidedBy> for DecidedByBody {
    fn from(by: DecidedBy) -> Self {
        match by {
            DecidedBy::Rule => Self::Rule,
            DecidedBy::Hand => Self::Hand,
        }
    }
}

impl From<SamenessBody> for Verdict {
    fn from(verdict: SamenessBody) -> Self {
        match verdict {
            SamenessBody::Same => Self::Same,
            SamenessBody::Different => Self::Different,
            SamenessBody::Undecided => Self::Undecided,
        }
    }
}
