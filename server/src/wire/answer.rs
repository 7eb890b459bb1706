//! Questions and answers.

use super::{EvidenceBody, FactBody, ValueBody};
use factmask_engine::answer::{Clause, Sentence, Timings};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A question.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AskBody {
    /// The question, 1 to 4,000 characters.
    #[schema(example = "What was Apple's research and development expense in fiscal year 2023?")]
    pub question: String,
    /// Language of names and sentences (`en`, `zh`); detected from the question when absent.
    pub lang: Option<String>,
    /// Send the plan with the answer.
    #[serde(default)]
    pub explain: bool,
    /// Whether a literal span of a document may answer what the graph does not hold.
    #[serde(default = "allowed")]
    #[schema(default = true)]
    pub from_text: bool,
    /// Whether documents are looked at also where the graph holds an answer, for text that says otherwise.
    #[serde(default)]
    pub compare_text: bool,
    /// Put the answer into sentences too.
    #[serde(default)]
    pub sentence: bool,
    /// What was asked before in the conversation, the earliest first, so that "who directed it?" is understood. The latest six questions
    /// are looked at.
    #[serde(default)]
    pub history: Vec<TurnBody>,
    /// Whose facts answer.
    #[serde(default = "super::default_tenant")]
    #[schema(default = "default")]
    pub tenant: String,
}

/// An earlier question of a conversation.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnBody {
    /// The question as it was asked.
    #[schema(example = "Who leads Apple?")]
    pub question: String,
    /// The text of what was answered; looked up again when absent.
    pub answer: Option<String>,
}

fn allowed() -> bool {
    true
}

/// An answer. Values, facts and quotes are looked up in the knowledge base or computed from it, none is generated.
#[derive(Debug, Serialize, ToSchema)]
pub struct AnswerBody {
    /// What came of the question.
    pub status: StatusBody,
    /// For people: the value or values, or a sentence that says there is none.
    pub text: String,
    /// Language that the question was read in.
    pub lang: String,
    /// The values, typed.
    pub values: Vec<ValueBody>,
    /// Calibrated probability that the answer is right, 0 to 1.
    pub confidence: f32,
    /// The facts that the answer stands on, path order.
    pub facts: Vec<FactBody>,
    /// Whether the values were made from the facts (counted, compared, summed up) and stand in none of them as such.
    pub computed: bool,
    /// Where the answer stands word for word, for an answer `from_text`.
    pub spans: Vec<EvidenceBody>,
    /// Where a document's text says otherwise than the facts; only with `compare_text`.
    pub conflicts: Vec<EvidenceBody>,
    /// Why the answer may not be what was asked for: a name that is all that identifies a thing seems to be shared, or it holds only of what
    /// the knowledge base has. With `not_in_kb` the words of the question that nothing found accounts for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubt: Option<String>,
    /// The question that was answered, where it is not the one that was asked: names as the knowledge base writes them, and
    /// what it takes over from earlier questions put in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub understood_as: Option<String>,
    /// Names that the question writes otherwise than the knowledge base, each with what it was taken for.
    pub read_as: Vec<ReadAsBody>,
    /// The answer in sentences, where asked for. They are made from the schema's wordings and the values of the facts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sentence: Option<SentenceBody>,
    /// What an ambiguous question could mean.
    pub choices: Vec<String>,
    /// State of the knowledge base that was asked; grows with each change.
    pub epoch: u64,
    /// Time by stage.
    pub timings: TimingsBody,
    /// How the answer came about, where asked for: links, paths, readings, and the mask. `cards` are the visible ones, with each line its
    /// emphasis and the share of attention that it got before the answer's first token, on average over heads and layers;
    /// `attention_elsewhere` is the rest, all together 1; `hidden` are cards of entities that were thinkable and were not shown. Its
    /// shape may grow.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub explanation: Option<serde_json::Value>,
}

/// A name that was taken for another writing of one in the knowledge base.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReadAsBody {
    /// As the question has it.
    pub written: String,
    /// As the knowledge base has it.
    pub meant: String,
}

/// An answer in sentences.
#[derive(Debug, Serialize, ToSchema)]
pub struct SentenceBody {
    /// All clauses in a row.
    pub text: String,
    /// Clause by clause.
    pub clauses: Vec<ClauseBody>,
}

impl From<Sentence> for SentenceBody {
    fn from(said: Sentence) -> Self {
        let clause = |clause: Clause| ClauseBody { text: clause.text, facts: clause.facts };
        Self { text: said.text, clauses: said.clauses.into_iter().map(clause).collect() }
    }
}

/// A part of an answer's sentences.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClauseBody {
    /// Its words, with the numbers of its facts in brackets.
    pub text: String,
    /// The facts that it says, by their places in `facts`, counted from 1.
    pub facts: Vec<usize>,
}

/// What came of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StatusBody {
    /// `values` holds the answer, `facts` what it stands on.
    Answered,
    /// The graph does not hold it; `values` holds a literal span of a document, `spans` where it stands.
    FromText,
    /// The knowledge base does not hold it, or not safely enough.
    NotInKb,
    /// The question fits several things; `choices` names them.
    Ambiguous,
}

/// Milliseconds by stage.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TimingsBody {
    /// Linking, constraints and path ranking.
    pub link_ms: f64,
    /// Compiling the plan, cold cards included.
    pub plan_ms: f64,
    /// Encoding cold cards, part of `plan_ms`.
    pub encode_ms: f64,
    /// Prefill of the question.
    pub prefill_ms: f64,
    /// Reading the answers.
    pub decode_ms: f64,
    /// From the question's arrival to the first token that may be released.
    pub first_token_ms: f64,
    /// Everything.
    pub total_ms: f64,
}

impl From<&Timings> for TimingsBody {
    fn from(timings: &Timings) -> Self {
        Self {
            link_ms: timings.link_ms,
            plan_ms: timings.plan_ms,
            encode_ms: timings.encode_ms,
            prefill_ms: timings.prefill_ms,
            decode_ms: timings.decode_ms,
            first_token_ms: timings.first_token_ms,
            total_ms: timings.total_ms,
        }
    }
}
