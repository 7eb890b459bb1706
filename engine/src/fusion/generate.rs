//! Free text, token by token: how the baselines answer that know no graph.
//!
//! The product never answers this way; closed-book and serial RAG do, and are measured beside it.

use super::{
    Fuser,
    prompt::{Prompt, Words},
    run::{Last, last},
};
use crate::{
    EngineError,
    kv::{Context, Part},
    model::{Rows, Segment},
};
use std::time::{Duration, Instant};

/// What the model wrote.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The text up to an end token, trimmed.
    pub text: String,
    /// Tokens of the prompt.
    pub prompt_tokens: usize,
    /// From the start of the prefill to the first token.
    pub first_token: Duration,
    /// Everything.
    pub total: Duration,
}

impl Fuser {
    /// The likeliest continuation, at most `most` tokens, of a question behind `facts` (plain text; what it says is never read as
    /// markup). The whole prompt is prefilled.
    ///
    /// # Errors
    /// A prompt beyond the model's context.
    pub fn generate(&self, words: &Words, facts: &str, question: &str, most: usize) -> Result<Generated, EngineError> {
        let started = Instant::now();
        let tokenizer = self.model.tokenizer();
        let prompt = Prompt::of(&self.model, words)?;
        let mut tokens = prompt.prefix.clone();
        tokens.extend(tokenizer.encode(facts)?);
        tokens.extend(prompt.tail(tokenizer, question)?);
        let prompt_tokens = tokens.len();

        let (mut context, mut position) = (Context::new(), 0);
        let (mut written, mut first_token) = (Vec::new(), Duration::ZERO);
        for step in 0..most.max(1) {
            let segment =
                Segment { tokens: &tokens, start: position, context: &context, logits: Rows::Last, capture: &[] };
            let Last { kv, logits, .. } = last(self.model.forward(&[segment])?)?;
            if step == 0 {
                first_token = started.elapsed();
            }
            let Some(next) =
                logits.as_deref().and_then(likeliest).filter(|token| !tokenizer.end_tokens().contains(token))
            else {
                break;
            };
            written.push(next);
            context = context.with(Part::new(self.model.place(&kv, position)?));
            position += tokens.len() as u32;
            tokens = vec![next];
        }
        let text = tokenizer.decode(&written).trim().to_owned();
        Ok(Generated { text, prompt_tokens, first_token, total: started.elapsed() })
    }
}

/// The token with the largest logit, the first of several alike.
fn likeliest(logits: &[f32]) -> Option<u32> {
    let best = (0..logits.len()).rev().max_by(|a, b| logits[*a].total_cmp(&logits[*b]))?;
    u32::try_from(best).ok()
}
