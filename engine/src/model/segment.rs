//! What a forward pass takes and gives.

use super::Config;
use crate::{
    EngineError,
    kv::{Context, KeyValues},
};

/// Which logits of a segment are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rows<'a> {
    /// None: only keys and values.
    #[default]
    None,
    /// After the last token, of the whole vocabulary.
    Last,
    /// After the last token, of these tokens only, in their order; reads no more of the output matrix than they need.
    LastOf(&'a [u32]),
    /// After each token, of the whole vocabulary.
    All,
}

/// Tokens to compute, at the positions from `start` on, in sight of a context.
#[derive(Clone, Copy, Debug)]
pub struct Segment<'a> {
    /// At least one token.
    pub tokens: &'a [u32],
    /// Position of the first token.
    pub start: u32,
    /// What all tokens see, beside the earlier ones of the segment.
    pub context: &'a Context,
    /// Which logits are wanted.
    pub logits: Rows<'a>,
    /// Layers whose output for the last token is wanted, counted from 0.
    pub capture: &'a [usize],
}

/// What came of a segment.
#[derive(Clone, Debug)]
pub struct Forward {
    /// Keys, unrotated, and values of the segment's tokens.
    pub kv: KeyValues,
    /// One row of logits for each token that they were asked for, in order.
    pub logits: Vec<Vec<f32>>,
    /// One row of `hidden` values for each captured layer, in the order asked for.
    pub hidden: Vec<Vec<f32>>,
    /// What each token that the last one sees gets of its attention, on average over heads and layers: the context's visible tokens in
    /// order, then the segment's own. Only of a segment that was [observed](super::LanguageModel::observe).
    pub attention: Vec<f64>,
}

/// Refuses what cannot be computed, before any work.
pub(super) fn check(batch: &[Segment<'_>], config: &Config) -> Result<(), EngineError> {
    if batch.is_empty() {
        return Err(EngineError::EmptySegment("the batch has no segment"));
    }
    for segment in batch {
        if segment.tokens.is_empty() {
            return Err(EngineError::EmptySegment("a segment has no token"));
        }
        let wanted = if let Rows::LastOf(tokens) = segment.logits { tokens } else { &[] };
        if let Some(token) = segment.tokens.iter().chain(wanted).find(|token| **token as usize >= config.vocab) {
            return Err(EngineError::UnknownToken { token: *token, vocab: config.vocab });
        }
        if let Some(layer) = segment.capture.iter().find(|layer| **layer >= config.layers) {
            return Err(EngineError::UnknownLayer { layer: *layer, layers: config.layers });
        }
        config.check_positions("a segment", segment.start, segment.tokens.len())?;
        for (placed, runs) in segment.context.parts() {
            if placed.layers.len() != config.layers || placed.layers.iter().any(|layer| !layer.fits(config.heads())) {
                return Err(EngineError::ForeignBlock {
                    found: format!("{} layers", placed.layers.len()),
                    expected: format!("{} layers, heads of {}", config.layers, config.head_dim),
                });
            }
            if let Some(run) = runs.iter().find(|run| !run.bias.is_finite()) {
                return Err(EngineError::Bias(run.bias));
            }
        }
    }
    Ok(())
}
