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

struct Words {
    system: &'static str,
    facts: &'static str,
    question: &'static str,
}

fn words(lang: &str) -> Words {
    match lang {
        "zh" => Words {
            system: "只根据给出的事实回答问题。只回答数值或名称本身。",
            facts: "事实：\n",
            question: "\n问题：",
        },
        _ => Words {
            system: "Answer the question using only the facts. Reply with only the value.",
            facts: "Facts:\n",
            question: "\nQuestion: ",
        },
    }
}

/// What the branch for "the knowledge base does not hold it" says.
pub fn not_in_kb(lang: &str) -> &'static str {
    if lang == "zh" { "知识库中没有" } else { "not in the knowledge base" }
}

impl Prompt {
    /// Renders the model's chat template around the cards.
    pub fn new(model: &LanguageModel, lang: &str) -> Result<Self, EngineError> {
        let words = words(lang);
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
