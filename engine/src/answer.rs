//! What goes into the engine and what comes out: options, answers, timings, explanations.

use crate::{
    decode::Features,
    fusion::Layout,
    kv::KvPrecision,
    passage::{evidence::Sufficiency, kind::Asked, witness::Candidate},
    question::near::ReadAs,
};
use factmask_graph::{DocumentId, Evidence, Fact, Value};
use serde::Serialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

/// Longer questions are refused before any work is done.
pub const MAX_QUESTION_CHARS: usize = 4_000;

/// How an engine is set up.
#[derive(Clone, Debug, Default)]
pub struct EngineOptions {
    /// The language model, a GGUF file. Without one the engine answers from graph and paths alone.
    pub model: Option<PathBuf>,
    /// Sentence encoders by language: a folder in safetensors or a packed file. In a language without one relations are ranked by
    /// words alone.
    pub encoders: BTreeMap<String, PathBuf>,
    /// The folder that has a folder for each tenant, in which vectors that were read once are kept. Without it they last as long as
    /// the engine.
    pub tenants: Option<PathBuf>,
    /// The folder in which it is kept how well the language model reads precomputed blocks. Without it that is measured at each start.
    pub calibrations: Option<PathBuf>,
    /// Threads for the model; 0 takes one a core.
    pub threads: usize,
    /// Bytes of key/value blocks kept in memory; 0 takes the default of 1 GiB.
    pub block_bytes: usize,
    /// Rounding of keys and values.
    pub precision: KvPrecision,
}

/// How one question is to be answered.
#[derive(Clone, Debug, Default)]
pub struct AskOptions {
    /// Whose question it is; blocks of different tenants are never shared.
    pub tenant: String,
    /// How the visible facts reach the model.
    pub mode: Mode,
    /// Return the plan with the answer.
    pub explain: bool,
    /// Language for names and sentences; detected from the question when absent.
    pub lang: Option<String>,
    /// Least confidence of an answer that is given, 0 to 1; the engine's own when absent. With 0 every proposal is given, so that
    /// a caller can draw the line afterwards.
    pub bar: Option<f32>,
    /// Whether text may answer where the graph does not.
    pub text: FromText,
    /// What was asked before, the earliest first: "who directed it?" goes on from there.
    pub history: Vec<Turn>,
}

/// An earlier question of a conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// The question as it was asked.
    pub question: String,
    /// What was answered, in words; looked up again where it is absent.
    pub answer: Option<String>,
}

/// Whether an answer may be a literal span of a document, where the graph does not hold one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FromText {
    /// Of any document.
    #[default]
    Allowed,
    /// Of these documents alone.
    Only(BTreeSet<DocumentId>),
    /// Of any document, and also where the graph holds an answer: what a document says otherwise is shown as a conflict.
    Beside,
    /// Never.
    Never,
}

/// How the facts in view reach the model. All but the first are baselines to measure against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// As precomputed blocks under the mask, with emphasis; as one text where the model does not read blocks as well
    /// ([`Calibration`](crate::gate::Calibration)).
    #[default]
    Fused,
    /// Pasted and prefilled with the question.
    ExactPrompt,
    /// Not at all: links, paths and graph decide.
    GraphOnly,
    /// As fused, with every token alike likely: what is left when the model knows nothing.
    Uniform,
}

/// What came of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// A value of the graph.
    Answered,
    /// Not in the graph; a literal span of a document's text, see [`Answer::spans`].
    FromText,
    /// The knowledge base does not hold it, or not safely enough.
    NotInKb,
    /// The question fits several things; `choices` names them.
    Ambiguous,
}

/// An answer. Everything in it is looked up in the graph or computed from it, or stands in a document's text; nothing is generated.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What came of it.
    pub status: Status,
    /// For people: the value or values, or a sentence that says there is none.
    pub text: String,
    /// The values, typed; sorted as the graph gives them.
    pub values: Vec<Value>,
    /// Calibrated probability that the answer is right, 0 to 1.
    pub confidence: f32,
    /// The facts that the answer stands on, path order, each with its evidence.
    pub facts: Vec<Fact>,
    /// Whether the values were made from the facts (counted, compared, summed up) and stand in none of them as such.
    pub computed: bool,
    /// What an ambiguous question could mean.
    pub choices: Vec<String>,
    /// Names that the question has in another writing than the graph.
    pub read_as: Vec<ReadAs>,
    /// The question that was answered, where it is not the one that was asked: names written as in the graph, and what it takes over from
    /// earlier questions put in.
    pub understood_as: Option<String>,
    /// Where the span of an answer from text stands.
    pub spans: Vec<Evidence>,
    /// Where a document's text says otherwise, surely enough to be an answer; only where it was [asked for](FromText::Beside).
    pub conflicts: Vec<Evidence>,
    /// Why the answer may be about several things at once or hold only of what is known; of a refusal, which words were passed over.
    pub doubt: Option<String>,
    /// The language that the question was read in.
    pub lang: String,
    /// Time by stage.
    pub timings: Timings,
    /// How the answer came about, where asked for.
    pub explanation: Option<Explanation>,
}

/// An answer in sentences, made from the schema's wordings and the values of the facts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentence {
    /// All clauses in a row.
    pub text: String,
    /// Clause by clause.
    pub clauses: Vec<Clause>,
}

/// A part of an answer's sentences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clause {
    /// Its words, with the numbers of its facts in brackets.
    pub text: String,
    /// The facts that it says, by their places in [`Answer::facts`], counted from 1.
    pub facts: Vec<usize>,
}

/// Milliseconds by stage. `first_token` counts from the question's arrival to the first token that may be released.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Timings {
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
    /// To the first token that may be released.
    pub first_token_ms: f64,
    /// Everything.
    pub total_ms: f64,
}

/// How an answer came about. For people and for `--explain`; its shape may grow.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Explanation {
    /// Mentions and the entities they were linked to.
    pub links: Vec<String>,
    /// Path candidates with their scores, best first.
    pub paths: Vec<PathScore>,
    /// How the cards reached the model: `blocks` or `pasted`; absent where no model has read.
    pub layout: Option<Layout>,
    /// Visible cards with their lines and emphasis.
    pub cards: Vec<CardView>,
    /// The rest of the attention beside that of the cards' lines; absent where no model has read.
    pub attention_elsewhere: Option<AttentionElsewhere>,
    /// What was near and was hidden; absent where there was no plan.
    pub hidden: Option<Hidden>,
    /// The values in the trie with the model's probability.
    pub readings: Vec<ReadingView>,
    /// The paths in view, best first, with what each yields and what speaks for it.
    pub view: Vec<PathView>,
    /// What the chosen path yields, whether or not it was given as the answer.
    pub proposed: Vec<String>,
    /// What was executed on the graph, as SPARQL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sparql: Option<String>,
    /// What the decision was made from: fit of the words, the log-odds of the path and of the model's reading, and the likeness in the
    /// model's own space.
    pub witnesses: Option<Features>,
    /// What was made of the documents' text, where it was looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<TextExplanation>,
}

/// What was made of the documents' text.
#[derive(Clone, Debug, Serialize)]
pub struct TextExplanation {
    /// The kind of answer that the question asks for.
    pub asked: Asked,
    /// The documents of the retrieved passages, best first.
    pub retrieved: Vec<String>,
    /// Those of the passages in view.
    pub passages: Vec<String>,
    /// The spans that were read with what speaks for each, best first.
    pub spans: Vec<Candidate>,
    /// Logarithm of the model's probability that the passages do not hold the answer.
    pub refusal: f32,
    /// What the decision was made from.
    pub witnesses: Option<Sufficiency>,
}

/// A path in view.
#[derive(Clone, Debug, Serialize)]
pub struct PathView {
    /// The path.
    pub path: String,
    /// What it yields.
    pub proposed: Vec<String>,
    /// How well its wordings fit the question, 0 to about 1.
    pub fit: f32,
    /// How far it accounts for the question's words, in nats, 0 at best; absent in a language whose words are not aligned.
    pub account: Option<f32>,
    /// Probability among the paths in view from its words.
    pub words: f32,
    /// Its likeness to the question in the model's own space, -1 to 1; absent where no model has read.
    pub likeness: Option<f32>,
}

/// A path candidate.
#[derive(Clone, Debug, Serialize)]
pub struct PathScore {
    /// "Apple Inc. → research and development expense [fiscal year 2023]".
    pub path: String,
    /// Score, higher is better.
    pub score: f32,
}

/// A visible card.
#[derive(Clone, Debug, Serialize)]
pub struct CardView {
    /// The entity's name.
    pub entity: String,
    /// Its visible lines: the sentence, the bias added to its attention logits, and the share of attention that it got, 0 to 1, in the row
    /// that predicts the answer's first token ([`Attention`](crate::fusion::Attention)); absent where no model has read.
    pub lines: Vec<(String, f32, Option<f32>)>,
}

/// Shares of attention that no line got. Together with those of all lines 1.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct AttentionElsewhere {
    /// On the prefix that all questions share.
    pub prefix: f32,
    /// On the question and the answer's stem.
    pub question: f32,
}

/// What was thinkable and has cards that the plan hides: link candidates, namesakes and neighbours of what is visible.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Hidden {
    /// How many cards.
    pub total: usize,
    /// The first entities that they are about.
    pub first: Vec<HiddenCards>,
}

/// An entity with hidden cards.
#[derive(Clone, Debug, Serialize)]
pub struct HiddenCards {
    /// Whose.
    pub entity: Named,
    /// How many of its cards are hidden.
    pub cards: usize,
}

/// An entity by IRI and name.
#[derive(Clone, Debug, Serialize)]
pub struct Named {
    /// Its IRI.
    pub iri: String,
    /// Its name in the question's language.
    pub name: String,
}

/// A value in the trie.
#[derive(Clone, Debug, Serialize)]
pub struct ReadingView {
    /// The value as said; `NOT_IN_KB` for the branch of that name.
    pub value: String,
    /// The model's probability for it, with stem and emphasis.
    pub probability: f32,
}
