//! Messages to the text that the model was trained to answer.

use super::Tokenizer;
use crate::{EngineError, model::ModelFile};
use minijinja::{Environment, Error, ErrorKind, Value, context, syntax::SyntaxConfig};
use serde::Serialize;

/// A turn of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    /// "system", "user" or "assistant".
    pub role: String,
    /// What was said.
    pub content: String,
}

/// The Jinja template that a model's file carries.
#[derive(Clone, Debug)]
pub struct ChatTemplate {
    source: Option<String>,
    begin: String,
    end: String,
}

impl ChatTemplate {
    pub(crate) fn from_metadata(file: &ModelFile, tokenizer: &Tokenizer) -> Self {
        let [begin, end] = tokenizer.begin_and_end().map(str::to_owned);
        Self { source: file.text("tokenizer.chat_template"), begin, end }
    }

    /// The text of these messages, control tokens written out: encode it with [`Tokenizer::encode_markup`].
    ///
    /// What a user said becomes part of that text, so render with placeholders where it must not be read as markup.
    ///
    /// # Errors
    /// [`EngineError::Template`] when the file has no template, or the template is damaged or refuses the messages.
    pub fn render(&self, messages: &[Message], add_generation_prompt: bool) -> Result<String, EngineError> {
        let Some(source) = &self.source else {
            let fault = "the model's file has none; take a model that was trained for conversations";
            return Err(EngineError::Template(fault.to_owned()));
        };
        // As the templates' authors ran them: a tag takes its line break and the space before it along.
        let mut environment = Environment::new();
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
        environment.set_syntax(syntax.map_err(|error| EngineError::Template(error.to_string()))?);
        environment.add_function("raise_exception", |message: String| -> Result<String, Error> {
            Err(Error::new(ErrorKind::InvalidOperation, message))
        });
        let messages: Value = messages.iter().map(|Message { role, content }| context! { role, content }).collect();
        environment
            .template_from_str(source)
            .and_then(|template| {
                let (bos_token, eos_token) = (&self.begin, &self.end);
                template.render(context! { messages, add_generation_prompt, bos_token, eos_token })
            })
            .map_err(|error| EngineError::Template(error.to_string()))
    }
}
