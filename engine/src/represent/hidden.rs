//! Hidden states of the language model: where a question stands in the space in which the model itself thinks.

use crate::{
    EngineError,
    fusion::Prompt,
    kv::{Context, Part},
    model::{LanguageModel, Rows, Segment},
};

/// Questions that share a pass over the weights.
const BATCH: usize = 16;

/// Where one question stands: a row of `hidden` values for each layer that was asked for, in that order.
#[derive(Clone, Debug)]
pub struct States {
    /// After the question's last token.
    pub question: Vec<Vec<f32>>,
    /// After the last token before the answer, when the model has turned to answering.
    pub answer: Vec<Vec<f32>>,
}

/// Reads hidden states of questions in the prompt that they are asked in.
pub struct HiddenStates<'a> {
    model: &'a LanguageModel,
    prompt: &'a Prompt,
    context: Context,
    next: u32,
}

impl<'a> HiddenStates<'a> {
    /// Questions behind the prompt's prefix, without any card in view.
    ///
    /// # Errors
    /// A prefix beyond the model's context.
    pub fn new(model: &'a LanguageModel, prompt: &'a Prompt) -> Result<Self, EngineError> {
        let empty = Self { model, prompt, context: Context::new(), next: 0 };
        empty.behind(&prompt.prefix)
    }

    /// Questions behind a card as well.
    ///
    /// # Errors
    /// A card beyond the model's context.
    pub fn behind(&self, tokens: &[u32]) -> Result<Self, EngineError> {
        let (start, context) = (self.next, &self.context);
        let segment = Segment { tokens, start, context, logits: Rows::None, capture: &[] };
        let done = self.model.forward(&[segment])?.into_iter().next().ok_or(EngineError::EmptySegment("a prefix"))?;
        let context = context.with(Part::new(self.model.place(&done.kv, start)?));
        Ok(Self { context, next: start + tokens.len() as u32, ..*self })
    }

    /// The states of each question at these layers, counted from 0.
    ///
    /// # Errors
    /// [`EngineError::UnknownLayer`], a question beyond the model's context, or one that the tokenizer refuses.
    pub fn of(&self, questions: &[&str], layers: &[usize]) -> Result<Vec<States>, EngineError> {
        let mut states = Vec::with_capacity(questions.len());
        for batch in questions.chunks(BATCH) {
            let asked: Vec<Vec<u32>> = batch.iter().map(|question| self.asked(question)).collect::<Result<_, _>>()?;
            let segments: Vec<Segment<'_>> =
                asked.iter().map(|tokens| segment(tokens, self.next, &self.context, layers)).collect();
            let asked_states = self.model.forward(&segments)?;
            let mut contexts = Vec::with_capacity(batch.len());
            for (done, tokens) in asked_states.iter().zip(&asked) {
                let context = self.context.with(Part::new(self.model.place(&done.kv, self.next)?));
                contexts.push((context, self.next + tokens.len() as u32));
            }
            let turned = &self.prompt.after_question;
            let segments: Vec<Segment<'_>> =
                contexts.iter().map(|(context, next)| segment(turned, *next, context, layers)).collect();
            let answering = self.model.forward(&segments)?;
            let both = asked_states.into_iter().zip(answering);
            states.extend(both.map(|(asked, answering)| States { question: asked.hidden, answer: answering.hidden }));
        }
        Ok(states)
    }

    /// The state of each question at one layer, after the last token before the answer. What [`States::answer`] has, in one pass.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn at_answer(&self, questions: &[&str], layer: usize) -> Result<Vec<Vec<f32>>, EngineError> {
        let mut states = Vec::with_capacity(questions.len());
        for batch in questions.chunks(BATCH) {
            let tails = batch.iter().map(|question| self.prompt.tail(self.model.tokenizer(), question));
            let tails: Vec<Vec<u32>> = tails.collect::<Result<_, _>>()?;
            let capture = [layer];
            let segments: Vec<Segment<'_>> =
                tails.iter().map(|tokens| segment(tokens, self.next, &self.context, &capture)).collect();
            let done = self.model.forward(&segments)?;
            states.extend(done.into_iter().map(|done| done.hidden.into_iter().next().unwrap_or_default()));
        }
        Ok(states)
    }

    fn asked(&self, question: &str) -> Result<Vec<u32>, EngineError> {
        let mut tokens = self.prompt.tail(self.model.tokenizer(), question)?;
        tokens.truncate(tokens.len() - self.prompt.after_question.len());
        Ok(tokens)
    }
}

fn segment<'a>(tokens: &'a [u32], start: u32, context: &'a Context, capture: &'a [usize]) -> Segment<'a> {
    Segment { tokens, start, context, logits: Rows::None, capture }
}
