//! Text to tokens and back, and messages to text, as the model's file defines them.

mod template;
mod tokenizer;

pub use template::{ChatTemplate, Message};
pub use tokenizer::Tokenizer;
