//! One question asked one way.

use super::{
    free_text::{self, FreeText},
    passages::{MOST_CHARS, Passages},
    score::Given,
    set::{CorpusDocument, Question},
    world::{World, file_name},
};
use crate::{
    service::StoredTexts,
    wire::{AnswerBody, Quoting, StatusBody, Writer},
};
use anyhow::{Context as _, Result};
use factmask_engine::{
    AskOptions, Engine, FromText,
    answer::{MAX_QUESTION_CHARS, Mode},
    fusion::CardMaker,
    learn::examples::forms,
};
use factmask_graph::{DocumentId, EntityId, Snapshot, Value};
use serde::Serialize;
use std::collections::BTreeSet;

/// How questions are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum EvalMode {
    /// As the product does.
    Fused,
    /// The facts in view pasted and prefilled.
    ExactPrompt,
    /// Passages retrieved by words, pasted, answered in free text.
    SerialRag,
    /// Links, paths and graph, no model.
    GraphOnly,
    /// Fused, with a model that knows nothing.
    Uniform,
    /// The model alone, in free text.
    ClosedBook,
}

impl EvalMode {
    /// Whether answers come from facts of the graph.
    pub fn asks_graph(self) -> bool {
        self.engine_mode().is_some()
    }

    /// Its name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fused => "fused",
            Self::ExactPrompt => "exact-prompt",
            Self::SerialRag => "serial-rag",
            Self::GraphOnly => "graph-only",
            Self::Uniform => "uniform",
            Self::ClosedBook => "closed-book",
        }
    }

    fn engine_mode(self) -> Option<Mode> {
        match self {
            Self::Fused => Some(Mode::Fused),
            Self::ExactPrompt => Some(Mode::ExactPrompt),
            Self::GraphOnly => Some(Mode::GraphOnly),
            Self::Uniform => Some(Mode::Uniform),
            Self::SerialRag | Self::ClosedBook => None,
        }
    }
}

/// What came of one question, before any line is drawn.
#[derive(Debug, Default)]
pub struct Reply {
    /// What would be given if no confidence were too low.
    pub given: Given,
    /// How sure, 0 to 1.
    pub confidence: f32,
    /// The documents of the passages that were retrieved, best first, where text was looked at.
    pub retrieved: Option<Vec<String>>,
    /// Milliseconds to the first token that may be released.
    pub first_token_ms: f64,
    /// The whole answer, for those who read dumps.
    pub body: Option<AnswerBody>,
}

/// Whose questions they are.
pub const TENANT: &str = "eval";

/// Asks questions of one world.
pub struct Asker<'a> {
    /// The engine.
    pub engine: &'a Engine,
    /// What is known.
    pub world: &'a World,
    /// For serial RAG.
    pub passages: Option<Passages>,
    /// Seconds in which the models read the schema.
    pub read_ahead_s: f64,
}

impl Asker<'_> {
    /// Asks one question.
    ///
    /// # Errors
    /// A model that is missing or fails; a question beyond the limits is refused, not an error.
    pub fn ask(&self, mode: EvalMode, question: &Question) -> Result<Reply> {
        if question.question.trim().is_empty() || question.question.chars().count() > MAX_QUESTION_CHARS {
            return Ok(Reply::default());
        }
        match mode.engine_mode() {
            Some(engine_mode) => self.by_graph(engine_mode, question),
            None => self.in_free_text(mode, question),
        }
    }

    fn by_graph(&self, mode: Mode, question: &Question) -> Result<Reply> {
        let only = question.context_docs.as_deref().map(documents).transpose()?;
        let options = AskOptions {
            tenant: TENANT.to_owned(),
            mode,
            explain: true,
            lang: None,
            bar: Some(0.0),
            text: only.map_or(FromText::Allowed, FromText::Only),
            history: Vec::new(),
        };
        let texts = StoredTexts { store: &self.world.store, snapshot: &self.world.snapshot };
        let answer = self.engine.answer_with_text(&self.world.snapshot, &texts, &question.question, &options)?;
        let forms = |value: &Value| forms(&self.world.snapshot, value, &answer.lang);
        let given = Given { values: answer.values.iter().map(forms).collect(), free: false };
        let body =
            Writer::new(&self.world.snapshot, &self.world.store, &answer.lang, Quoting::Ranges).answer(&answer)?;
        Ok(Reply {
            // What is ambiguous is asked back, not given.
            given: if matches!(body.status, StatusBody::Answered | StatusBody::FromText) {
                given
            } else {
                Given::default()
            },
            confidence: answer.confidence,
            first_token_ms: answer.timings.first_token_ms,
            retrieved: answer.explanation.and_then(|explanation| explanation.text).map(|text| text.retrieved),
            body: Some(body),
        })
    }

    fn in_free_text(&self, mode: EvalMode, question: &Question) -> Result<Reply> {
        let fuser =
            self.engine.fuser().context("this mode needs a language model (pull one with `factmask model pull`)")?;
        let retrieving = std::time::Instant::now();
        let facts = match &self.passages {
            Some(passages) if mode == EvalMode::SerialRag => {
                passages.for_question(&question.question, question.context_docs.as_deref())
            }
            _ => String::new(),
        };
        let retrieved = retrieving.elapsed();
        let FreeText { given, generated } = free_text::reply(fuser, mode, &question.lang, &facts, &question.question)?;
        Ok(Reply {
            given,
            confidence: 1.0,
            retrieved: None,
            first_token_ms: (retrieved + generated.first_token).as_secs_f64() * 1e3,
            body: None,
        })
    }
}

/// Documents of a corpus as the store knows them.
fn documents(names: &[String]) -> Result<BTreeSet<DocumentId>> {
    names.iter().map(|name| Ok(DocumentId::new(file_name(name))?)).collect()
}

/// The mean share of the questions' supporting documents among the documents retrieved for them; none where no set says which they
/// are or no text was looked at.
pub fn support_recall(questions: &[Question], replies: &[Reply]) -> Option<f64> {
    let shares: Vec<f64> = questions
        .iter()
        .zip(replies)
        .filter(|(question, _)| question.is_answerable() && !question.supporting.is_empty())
        .filter_map(|(question, reply)| {
            let retrieved = reply.retrieved.as_ref()?;
            let found = question.supporting.iter().filter(|name| retrieved.contains(&file_name(name))).count();
            Some(found as f64 / question.supporting.len() as f64)
        })
        .collect();
    (!shares.is_empty()).then(|| shares.iter().sum::<f64>() / shares.len() as f64)
}

/// The texts that serial RAG searches: the set's documents, or the cards of all entities.
///
/// # Errors
/// Without a language model, whose tokenizer measures the cards.
pub fn passages(engine: &Engine, world: &World, lang: &str) -> Result<Passages> {
    if !world.documents.is_empty() {
        let titled = |document: &CorpusDocument| match document.title.as_str() {
            "" => document.text.clone(),
            title => format!("{title}\n{}", document.text),
        };
        let documents = world.documents.iter().map(|document| (document.doc_id.clone(), titled(document)));
        return Ok(Passages::new(documents, MOST_CHARS));
    }
    Ok(Passages::new(card_texts(engine, &world.snapshot, lang)?, MOST_CHARS))
}

/// The cards of all entities as texts, each with its entity's name: what serial RAG reads where there are no documents.
///
/// # Errors
/// Without a language model, whose tokenizer measures the cards.
pub fn card_texts(engine: &Engine, snapshot: &Snapshot, lang: &str) -> Result<Vec<(String, String)>> {
    let fuser = engine.fuser().context("serial RAG needs a language model (pull one with `factmask model pull`)")?;
    let maker = CardMaker { snapshot, tokenizer: fuser.model().tokenizer(), lang };
    let mut texts = Vec::new();
    for number in 0..snapshot.entities().len() {
        let entity = EntityId(u32::try_from(number).unwrap_or(u32::MAX));
        for card in maker.cards(entity)? {
            let text: String = card.lines.iter().map(|line| line.text.as_str()).collect();
            texts.push((snapshot.name(entity, lang).to_owned(), text));
        }
    }
    Ok(texts)
}
