//! The words around cards and question, cut where the blocks go in. Made once for a model and language.

use crate::{
    EngineError,
    model::LanguageModel,
    tokens::{Message, Tokenizer},
};

/// Marks where cards and question go while the chat template is rendered; a private-use character that no template has.
const SLOT: char = '\u{F8F0}';

/// Token pieces of a prompt: `prefix cards before_question QUESTION after_question stem answer`.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// Everything before the cards. Every block sees it; its first tokens are the attention sink.
    pub prefix: Vec<u32>,
    /// Between cards and question.
    pub before_question: Vec<u32>,
    /// From the question's end to the place where the answer starts.
    pub after_question: Vec<u32>,
}

/// What stands around facts and question.
#[derive(Clone, Debug)]
pub struct Words {
    /// What the model is told to do.
    pub system: &'static str,
    /// Before the facts.
    pub facts: &'static str,
    /// Between facts and question.
    pub question: &'static str,
}

impl Words {
    /// For a plan, whose answers are constrained.
    pub fn of(lang: &str) -> Self {
        match lang {
            "zh" => Self {
                system: "只根据给出的事实回答问题。只回答数值或名称本身。",
                facts: "事实：\n",
                question: "\n问题：",
            },
            _ => Self {
                system: "Answer the question using only the facts. Reply with only the value.",
                facts: "Facts:\n",
                question: "\nQuestion: ",
            },
        }
    }

    /// For passages of documents, of which an answer is a literal piece.
    pub fn of_passages(lang: &str) -> Self {
        match lang {
            "zh" => Self {
                system: "只根据给出的资料回答问题。只用资料中的词语回答。",
                facts: "资料：\n",
                question: "\n问题：",
            },
            _ => Self {
                system: "Answer the question using only the passages. Reply with only the words of the answer.",
                facts: "Passages:\n",
                question: "\nQuestion: ",
            },
        }
    }
}

/// What an answer from passages begins with, so that the span follows as it stands in a sentence.
pub fn stem_of_span(lang: &str) -> &'static str {
    if lang == "zh" { "答案是" } else { "The answer is" }
}

/// A question that asks for nothing.
pub fn nothing_asked(lang: &str) -> &'static str {
    if lang == "zh" { "是什么？" } else { "What is it?" }
}

/// What the branch for "the knowledge base does not hold it" says.
pub fn not_in_kb(lang: &str) -> &'static str {
    if lang == "zh" { "知识库中没有" } else { "not in the knowledge base" }
}

impl Prompt {
    /// The words for a plan in a language.
    pub fn new(model: &LanguageModel, lang: &str) -> Result<Self, EngineError> {
        Self::of(model, &Words::of(lang))
    }

    /// Renders the model's chat template around facts and question.
    pub fn of(model: &LanguageModel, words: &Words) -> Result<Self, EngineError> {
        let user = format!("{}{SLOT}{}{SLOT}", words.facts, words.question);
        let messages = [
            Message { role: "system".to_owned(), content: words.system.to_owned() },
            Message { role: "user".to_owned(), content: user },
        ];
        let rendered = model.template().render(&messages, true)?;
        let pieces: Vec<&str> = rendered.split(SLOT).collect();
        let [prefix, before, after] = pieces.as_slice() else {
            return Err(EngineError::Tokenizer(
                "the model's chat template does not give back the user's message once; use a model with another template"
                    .to_owned(),
            ));
        };
        let markup = |text: &str| model.tokenizer().encode_markup(text);
        Ok(Self { prefix: markup(prefix)?, before_question: markup(before)?, after_question: markup(after)? })
    }

    /// The tokens from the last card to the answer. What a user typed is never read as markup.
    pub fn tail(&self, tokenizer: &Tokenizer, question: &str) -> Result<Vec<u32>, EngineError> {
        let mut tail = self.before_question.clone();
        tail.extend(tokenizer.encode(question)?);
        tail.extend(&self.after_question);
        Ok(tail)
    }
}
