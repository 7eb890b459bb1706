//! Drafts of a schema, what publishing one would do, and its versions.

use super::{FactSample, FaultBody, MisfitBody, NameSample, Named, SchemaBody, SeverityBody, SplitBody};
use factmask_graph::{Rename, TermKind};
use factmask_schema::{Difference, DifferenceKind, Iri};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A term is called otherwise in the new schema; where `to` was there before, the two are merged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RenameBody {
    /// What it is.
    pub kind: TermKindBody,
    /// Its IRI before.
    pub from: String,
    /// Its IRI in the new schema.
    pub to: String,
}

/// What a term of a schema is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TermKindBody {
    /// A class.
    Class,
    /// A relation.
    Relation,
    /// A qualifier.
    Qualifier,
}

impl RenameBody {
    /// As the store takes it; what is wrong where one of the two is no IRI.
    pub fn rename(&self) -> Result<Rename, String> {
        let iri = |text: &str| Iri::new(text).map_err(|error| format!("<{text}> is not an IRI: {error}"));
        let kind = match self.kind {
            TermKindBody::Class => TermKind::Class,
            TermKindBody::Relation => TermKind::Relation,
            TermKindBody::Qualifier => TermKind::Qualifier,
        };
        Ok(Rename { kind, from: iri(&self.from)?, to: iri(&self.to)? })
    }
}

/// A schema that is being edited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DraftBody {
    /// ETag, without quotes, of the schema that was edited.
    pub base: String,
    /// The schema so far. It need not be right.
    pub schema: SchemaBody,
    /// What is called otherwise in it.
    #[serde(default)]
    pub renames: Vec<RenameBody>,
    /// Parts of terms that become terms of their own or of others, in order, after the renames.
    #[serde(default)]
    pub splits: Vec<SplitBody>,
    /// Who edits it.
    #[serde(default)]
    pub author: String,
}

/// A schema that is to be published, in one of two forms.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposalBody {
    /// ETag, without quotes, of the schema that was edited; where it is left out, whatever is there is replaced.
    pub base: Option<String>,
    /// The new schema.
    pub schema: Option<SchemaBody>,
    /// The new schema as Turtle, instead.
    pub turtle: Option<String>,
    /// What is called otherwise in it.
    #[serde(default)]
    pub renames: Vec<RenameBody>,
    /// Parts of terms that become terms of their own or of others, in order, after the renames; what does not meet the condition stays.
    #[serde(default)]
    pub splits: Vec<SplitBody>,
    /// Who changes it.
    #[serde(default)]
    pub author: String,
    /// Why.
    #[serde(default)]
    pub reason: String,
    /// Language of names.
    #[serde(default = "super::english")]
    #[schema(default = "en")]
    pub lang: String,
}

/// Who goes back to an earlier version, and why.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RestoreBody {
    /// Who.
    #[serde(default)]
    pub author: String,
    /// Why.
    #[serde(default)]
    pub reason: String,
    /// Only tell what it would do.
    #[serde(default)]
    pub dry_run: bool,
    /// Language of names.
    #[serde(default = "super::english")]
    #[schema(default = "en")]
    pub lang: String,
}

/// What a text or a body says as a schema.
#[derive(Debug, Serialize, ToSchema)]
pub struct CheckBody {
    /// As Turtle: canonical where there are no faults, else as it was sent.
    pub turtle: String,
    /// As JSON; null where there are faults.
    pub schema: Option<SchemaBody>,
    /// Everything that is wrong. Lines are those of `turtle`; 0 where it cannot be said in Turtle at all.
    pub faults: Vec<FaultBody>,
    /// Of an import what would be a fault in a schema of ours and is carried along instead, by line of what was sent.
    pub notes: Vec<FaultBody>,
    /// As a shapes graph of SHACL in Turtle; null where it was not asked for, or there are faults.
    pub shacl: Option<String>,
}

/// One difference between two schemas.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DifferenceBody {
    /// `added`, `removed`, `changed`, `renamed` or `split`.
    pub kind: &'static str,
    /// `class`, `relation` or `qualifier`.
    pub of: &'static str,
    /// The term; of a renamed one its name of now, of a split the one that the part became.
    pub iri: String,
    /// All of it in a sentence.
    pub sentence: String,
}

impl From<Difference> for DifferenceBody {
    fn from(found: Difference) -> Self {
        let kind = match found.kind {
            DifferenceKind::Added => "added",
            DifferenceKind::Removed => "removed",
            DifferenceKind::Changed => "changed",
            DifferenceKind::Renamed => "renamed",
            DifferenceKind::Split => "split",
        };
        Self { kind, of: found.of, iri: found.iri.into_string(), sentence: found.sentence }
    }
}

/// What publishing a schema does, or would do.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImpactBody {
    /// The version that was published; null where nothing was.
    pub version: Option<u32>,
    /// ETag of the new schema, without quotes.
    pub etag: String,
    /// Whether anything changes.
    pub changed: bool,
    /// What differs, in sentences.
    pub changes: Vec<DifferenceBody>,
    /// Facts that break a rule of the new schema and broke none of the one before. They stand nevertheless.
    pub unfit: Vec<MisfitBody>,
    /// Rules of classes that are broken under the new schema and were not before. The facts stand nevertheless.
    pub broken_rules: BrokenRules,
    /// What is said with another term than before.
    pub migrated: MigratedBody,
    /// Facts that are gone or new under the new terms; empty where the same is said.
    pub facts_changed: FactSample,
    /// Entities that are of other classes than before.
    pub retyped: NameSample,
    /// Stored documents that were read by another schema, and must be sent or ingested again to be read by this one.
    pub documents_to_read_again: usize,
    /// Entities whose cards say something else, so that they are encoded anew.
    pub cards_encoded_again: usize,
    /// Questions of the kept feedback that are answered otherwise.
    pub questions: Vec<QuestionChangeBody>,
    /// How many such questions were asked, of both schemas.
    pub questions_asked: usize,
    /// State of the knowledge base afterwards.
    pub epoch: u64,
}

/// Some broken rules and how many there are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct BrokenRules {
    /// How many.
    pub count: usize,
    /// The first 100 of them.
    pub first: Vec<BrokenRuleBody>,
}

/// A rule that is broken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct BrokenRuleBody {
    /// The entity that breaks it.
    pub entity: Named,
    /// IRI of the class whose rule it is.
    pub class: String,
    /// IRI of the relation.
    pub relation: String,
    /// What of the rule is broken, as the field of a rule is called (`min_count`), or `closed`.
    pub constraint: &'static str,
    /// The value that is wrong; null where their number is, or one is missing.
    pub value: Option<String>,
    /// All of it in a sentence, or the rule's own message.
    pub message: String,
    /// How bad it is.
    pub severity: SeverityBody,
}

/// What renames and splits move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct MigratedBody {
    /// Pieces of evidence whose facts are said with another relation or qualifier.
    pub facts: usize,
    /// Descriptions of entities that name another class.
    pub entities: usize,
}

/// A question that is answered otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct QuestionChangeBody {
    /// The question.
    pub question: String,
    /// The answer before.
    pub before: String,
    /// The answer afterwards.
    pub after: String,
}

/// The versions of a schema.
#[derive(Debug, Serialize, ToSchema)]
pub struct VersionList {
    /// The latest first.
    pub versions: Vec<VersionBody>,
    /// ETag of the schema of now, without quotes.
    pub current: String,
}

/// A version of a schema.
#[derive(Debug, Serialize, ToSchema)]
pub struct VersionBody {
    /// Its number.
    pub version: u32,
    /// ETag, without quotes.
    pub etag: String,
    /// When it was published, in seconds since 1970; 0 for what was there before versions were kept.
    pub at: u64,
    /// Who published it; empty where that was not said.
    pub author: String,
    /// Why.
    pub reason: String,
    /// What differs from the version before.
    pub changes: Vec<DifferenceBody>,
}
