//! What people look behind an answer with: a document's text, a query's table, how the service has done.

use factmask_engine::kv::BlockStore;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A part of a document's text, as it was ingested.
#[derive(Debug, Serialize, ToSchema)]
pub struct SourceBody {
    /// The document.
    pub document: String,
    /// Title for people.
    pub title: String,
    /// Media type; with `read-from` where the text is the reading of a file that is no text.
    pub media_type: String,
    /// SHA-256 of all its bytes.
    pub sha256: String,
    /// How many bytes it has.
    pub bytes: u64,
    /// First byte of `text`.
    pub from: u64,
    /// The byte after the last of `text`.
    pub to: u64,
    /// The bytes from `from` to `to`; bytes that are no UTF-8 are U+FFFD.
    pub text: String,
    /// Page, from 1, in which `text` begins, where the document has pages.
    pub page: Option<u32>,
}

/// A query.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct QueryBody {
    /// SPARQL 1.1: `SELECT`, `ASK`, `CONSTRUCT` or `DESCRIBE`.
    #[schema(example = "SELECT DISTINCT ?class WHERE { ?thing a ?class }")]
    pub query: String,
    /// Language of names.
    #[serde(default = "super::english")]
    #[schema(default = "en")]
    pub lang: String,
}

/// What a query gave.
#[derive(Debug, Serialize, ToSchema)]
pub struct TableBody {
    /// Names of the columns; `subject`, `predicate` and `object` where triples were asked for.
    pub columns: Vec<String>,
    /// One cell a column; null where it is unbound.
    pub rows: Vec<Vec<Option<TermBody>>>,
    /// There are more rows than are sent.
    pub truncated: bool,
    /// What `ASK` gave.
    pub boolean: Option<bool>,
}

/// An RDF term.
#[derive(Debug, Serialize, ToSchema)]
pub struct TermBody {
    /// `iri`, `blank`, `literal` or `triple`.
    pub kind: &'static str,
    /// The IRI, the label, the words, or the triple as Turtle.
    pub value: String,
    /// BCP 47 tag of a literal with one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// Datatype of a literal that has another than `xsd:string`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub datatype: Option<String>,
    /// Name of the entity, class, relation or qualifier that the IRI is of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// How questions went since the service started.
#[derive(Debug, Serialize, ToSchema)]
pub struct NumbersBody {
    /// When it started, in seconds since 1970.
    pub since: u64,
    /// What came of the questions.
    pub answers: AnswerCounts,
    /// Time by stage, of the latest 10,000 answers of the latest hour.
    pub stages: Vec<StageTimes>,
    /// Minute by minute, the latest hour; a minute without a question is left out.
    pub minutes: Vec<MinuteBody>,
    /// The store of encoded cards; null without a language model.
    pub blocks: Option<BlocksBody>,
}

/// Questions by what came of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct AnswerCounts {
    /// All.
    pub total: u64,
    /// A value of the graph.
    pub answered: u64,
    /// A span of a document.
    pub from_text: u64,
    /// Refused: not in the knowledge base.
    pub not_in_kb: u64,
    /// Asked back.
    pub ambiguous: u64,
    /// Ended in an error.
    pub failed: u64,
}

/// Milliseconds of a stage over many answers.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct StageTimes {
    /// `link`, `plan`, `encode`, `prefill`, `decode`, `first_token` or `total`.
    pub stage: &'static str,
    /// How many answers.
    pub count: usize,
    /// Half of them took at most this.
    pub p50_ms: f64,
    /// 95 of 100 took at most this.
    pub p95_ms: f64,
    /// The longest.
    pub max_ms: f64,
    /// How many fall between the bound before and this one.
    pub buckets: Vec<BucketBody>,
}

/// Answers that took at most so long, and longer than the bucket before.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct BucketBody {
    /// Upper bound; null: without one.
    pub le_ms: Option<f64>,
    /// How many.
    pub count: usize,
}

/// One minute.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct MinuteBody {
    /// When it began, in seconds since 1970.
    pub at: u64,
    /// Questions.
    pub asked: usize,
    /// Of them, those that got no answer.
    pub refused: usize,
    /// Half of them took at most this.
    pub p50_ms: f64,
    /// 95 of 100 took at most this.
    pub p95_ms: f64,
}

/// What somebody thinks of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum VerdictBody {
    /// It is right.
    Right,
    /// It is wrong.
    Wrong,
    /// There should have been none.
    ShouldRefuse,
}

/// An opinion about an answer.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FeedbackBody {
    /// The question as it was asked.
    pub question: String,
    /// Language of the question, where known.
    #[serde(default)]
    pub lang: Option<String>,
    /// What is thought of the answer.
    pub verdict: VerdictBody,
    /// The values that would be right.
    #[serde(default)]
    pub expected: Vec<String>,
    /// What was answered.
    #[serde(default)]
    pub answer: Option<String>,
    /// Anything else.
    #[serde(default)]
    pub note: Option<String>,
}

/// An opinion that is kept.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct FeedbackItem {
    /// Its id.
    pub id: String,
    /// When it came, in seconds since 1970.
    pub at: u64,
    /// The opinion.
    #[serde(flatten)]
    pub feedback: FeedbackBody,
}

/// All opinions, the latest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct FeedbackList {
    /// The opinions.
    pub items: Vec<FeedbackItem>,
}

/// The store of encoded cards.
#[derive(Debug, Serialize, ToSchema)]
pub struct BlocksBody {
    /// Blocks in it.
    pub held: usize,
    /// Those of them that were encoded ahead and that no question has asked for yet.
    pub ahead: usize,
    /// Memory that they take.
    pub bytes: usize,
    /// Memory that they may take.
    pub room_bytes: usize,
    /// Blocks that questions asked for and found, since the start. Each question asks for its cards and for the beginning of the prompt.
    pub hits: u64,
    /// Blocks that questions asked for and did not find.
    pub misses: u64,
    /// `hits` of both, 0 to 1; null before the first question.
    pub hit_rate: Option<f64>,
}

impl From<&BlockStore> for BlocksBody {
    fn from(store: &BlockStore) -> Self {
        let stats = store.stats();
        let asked = stats.hits + stats.misses;
        Self {
            held: stats.blocks,
            ahead: stats.ahead,
            bytes: stats.bytes,
            room_bytes: store.room(),
            hits: stats.hits,
            misses: stats.misses,
            hit_rate: (asked > 0).then(|| stats.hits as f64 / asked as f64),
        }
    }
}
