//! One question asked one way.

use super::{
    passages::Passages,
    score::Given,
    set::{CorpusDocument, Question},
    world::World,
};
use crate::wire::{AnswerBody, Quoting, StatusBody, Writer};
use anyhow::{Context as _, Result};
use factmask_engine::{
    AskOptions, Engine,
    answer::{MAX_QUESTION_CHARS, Mode},
    decode::Features,
    fusion::{CardMaker, generate::Generated, prompt::Words},
};
use factmask_graph::{EntityId, Snapshot, Value};
use serde::Serialize;

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
    /// Inputs of the decision, where one was made.
    pub witnesses: Option<Features>,
    /// Milliseconds to the first token that may be released.
    pub first_token_ms: f64,
    /// The whole answer, for those who read dumps.
    pub body: Option<AnswerBody>,
}

/// Longest free answer, in tokens.
const MOST_TOKENS: usize = 48;
/// What the free answers are told to say when they do not know, and what models say instead; a reply that holds it is a refusal.
const REFUSALS: [&str; 9] = [
    "not in the knowledge base",
    "don't know",
    "do not know",
    "not mentioned",
    "not provided",
    "no information",
    "知识库中没有",
    "不知道",
    "没有提到",
];

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
        let options = AskOptions { tenant: TENANT.to_owned(), mode, explain: true, lang: None, bar: Some(0.0) };
        let answer = self.engine.answer(&self.world.snapshot, &question.question, &options)?;
        let forms = |value: &Value| forms(&self.world.snapshot, value, &answer.lang);
        let given = Given { values: answer.values.iter().map(forms).collect(), free: false };
        let body =
            Writer::new(&self.world.snapshot, &self.world.store, &answer.lang, Quoting::Ranges).answer(&answer)?;
        Ok(Reply {
            // What is ambiguous is asked back, not given.
            given: if body.status == StatusBody::Answered { given } else { Given::default() },
            confidence: answer.confidence,
            witnesses: answer.explanation.as_ref().and_then(|explanation| explanation.witnesses),
            first_token_ms: answer.timings.first_token_ms,
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
        let words = words(mode, &question.lang);
        let Generated { text, first_token, .. } = fuser.generate(&words, &facts, &question.question, MOST_TOKENS)?;
        let refused = text.is_empty() || REFUSALS.iter().any(|refusal| text.to_lowercase().contains(refusal));
        let values = pieces(&text).into_iter().map(|piece| vec![piece.to_owned()]).collect();
        Ok(Reply {
            given: if refused { Given::default() } else { Given { values, free: true } },
            confidence: 1.0,
            witnesses: None,
            first_token_ms: (retrieved + first_token).as_secs_f64() * 1e3,
            body: None,
        })
    }
}

/// The values that a free text names, parted by commas and the like; a comma within a number (29,915) parts nothing.
fn pieces(text: &str) -> Vec<&str> {
    let within_number = |at: usize| {
        let (before, after) = (text.get(..at).unwrap_or_default(), text.get(at + 1..).unwrap_or_default());
        let digits = after.chars().take_while(char::is_ascii_digit).count();
        before.ends_with(|char: char| char.is_ascii_digit()) && digits == 3
    };
    let (mut pieces, mut start) = (Vec::new(), 0);
    for (at, mark) in text.match_indices([',', '，', '、', ';', '；', '\n']) {
        if mark != "," || !within_number(at) {
            pieces.extend(text.get(start..at));
            start = at + mark.len();
        }
    }
    pieces.extend(text.get(start..));
    let pieces = pieces.into_iter().map(|piece| piece.trim().trim_end_matches(['.', '。']));
    pieces.filter(|piece| !piece.is_empty()).collect()
}

fn words(mode: EvalMode, lang: &str) -> Words {
    match (mode, lang) {
        (EvalMode::ClosedBook, "zh") => {
            Words { system: "只回答数值或名称本身。", facts: "", question: "问题：" }
        }
        (EvalMode::ClosedBook, _) => Words {
            system: "Reply with only the value. If you do not know it, reply: I don't know.",
            facts: "",
            question: "Question: ",
        },
        (_, "zh") => Words {
            system: "只根据给出的资料回答问题。只回答数值或名称本身。资料中没有答案时，回答：知识库中没有。",
            facts: "资料：\n",
            question: "\n问题：",
        },
        _ => Words {
            system: "Answer the question using only the passages. Reply with only the value. If the passages do not hold it, reply: not in the knowledge base.",
            facts: "Passages:\n",
            question: "\nQuestion: ",
        },
    }
}

/// The ways a value may be written in a set: as it is said, all names of an entity, plain figures, ISO dates.
fn forms(snapshot: &Snapshot, value: &Value, lang: &str) -> Vec<String> {
    let mut forms = vec![snapshot.said(value, lang)];
    match value {
        Value::Entity(iri) => {
            if let Some(id) = snapshot.find(iri) {
                let entity = snapshot.entity(id);
                forms.extend(entity.labels.iter().chain(&entity.aliases).map(|name| name.text.clone()));
            }
        }
        Value::Number(number) => {
            forms.push(number.plain());
            forms.extend(number.written.clone());
        }
        Value::Date(date) => {
            forms.push(date.iso());
            forms.extend(date.written.clone());
        }
        Value::Text { .. } | Value::Boolean(_) => {}
    }
    forms.dedup();
    forms
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
        return Ok(Passages::new(documents));
    }
    let fuser = engine.fuser().context("serial RAG needs a language model (pull one with `factmask model pull`)")?;
    let maker = CardMaker { snapshot: &world.snapshot, tokenizer: fuser.model().tokenizer(), lang };
    let mut documents = Vec::new();
    for number in 0..world.snapshot.entities().len() {
        let entity = EntityId(u32::try_from(number).unwrap_or(u32::MAX));
        for card in maker.cards(entity)? {
            let text: String = card.lines.iter().map(|line| line.text.as_str()).collect();
            documents.push((world.snapshot.name(entity, lang).to_owned(), text));
        }
    }
    Ok(Passages::new(documents))
}

#[cfg(test)]
mod tests {
    use super::pieces;

    #[test]
    fn free_text_parts_at_commas_outside_numbers() {
        let table: &[(&str, &[&str])] = &[
            ("Harpo, Zeppo; Chico.", &["Harpo", "Zeppo", "Chico"]),
            ("北京、上海，广州。", &["北京", "上海", "广州"]),
            ("$29,915,000,000", &["$29,915,000,000"]),
            ("1,200 and 3,5", &["1,200 and 3", "5"]),
            ("May 29, 2020", &["May 29", "2020"]),
            ("1998,2001", &["1998", "2001"]),
            (" , \n", &[]),
            ("", &[]),
        ];
        for (text, expected) in table {
            assert_eq!(pieces(text), *expected, "{text}");
        }
    }
}
