//! Sizes and constants of a model.

use super::{Pairing, Rope, file::ModelFile};
use crate::{EngineError, backend::Heads};

/// Architectures that can be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Llama, SmolLM2 and what else is built like them.
    Llama,
    /// Qwen2 and Qwen2.5: biases on queries, keys and values, rotation by halves.
    Qwen2,
}

/// Sizes and constants of a model, checked: none of them is zero and they fit together.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Architecture.
    pub family: Family,
    /// Transformer layers.
    pub layers: usize,
    /// Values of a token between layers.
    pub hidden: usize,
    /// Query heads.
    pub heads: usize,
    /// Key/value heads; divides `heads`.
    pub kv_heads: usize,
    /// Values of a head.
    pub head_dim: usize,
    /// Values between the two halves of a feed-forward layer.
    pub feed_forward: usize,
    /// Tokens that have an embedding.
    pub vocab: usize,
    /// Positions that the model was trained for.
    pub context: usize,
    /// Added to the mean square in normalisations.
    pub rms_eps: f32,
    /// Rotary positions.
    pub rope: Rope,
}

impl Config {
    /// Reads and checks a file's configuration.
    pub(super) fn read(file: &mut ModelFile) -> Result<Self, EngineError> {
        let supported = "supported are llama and qwen2";
        let Some(architecture) = file.text("general.architecture") else {
            return Err(file.fault(&format!("does not say its architecture; {supported}")));
        };
        let (family, pairing) = match architecture.as_str() {
            "llama" => (Family::Llama, Pairing::Interleaved),
            "qwen2" => (Family::Qwen2, Pairing::Halves),
            other => return Err(file.fault(&format!("is of the architecture {other:?}; {supported}"))),
        };
        let keys = Keys { file, architecture: &architecture };
        if keys.number("expert_count").unwrap_or(0) > 0 {
            return Err(
                file.fault(&format!("is a mixture of experts, which is not supported; {supported} without experts"))
            );
        }
        let [layers, hidden, heads, feed_forward, context] = [
            keys.size("block_count", 1_024)?,
            keys.size("embedding_length", 1 << 17)?,
            keys.size("attention.head_count", 1_024)?,
            keys.size("feed_forward_length", 1 << 20)?,
            keys.size("context_length", 1 << 24)?,
        ];
        let kv_heads = keys.size_or("attention.head_count_kv", 1_024, heads)?;
        let head_dim = keys.size_or("attention.key_length", 1_024, hidden / heads)?;
        if head_dim == 0 || !head_dim.is_multiple_of(2) || !heads.is_multiple_of(kv_heads) {
            let fault =
                format!("has {heads} heads of {head_dim} values over {kv_heads} key/value heads, which do not fit");
            return Err(file.fault(&format!("{fault}; fetch it again")));
        }
        if keys.size_or("attention.value_length", 1_024, head_dim)? != head_dim {
            return Err(
                file.fault("has keys and values of different length, which is not supported; take another model")
            );
        }
        let rms_eps = keys.real("attention.layer_norm_rms_epsilon").filter(|eps| (0.0..1.0).contains(eps));
        let Some(rms_eps) = rms_eps else {
            return Err(keys.missing("attention.layer_norm_rms_epsilon"));
        };
        let vocab = match file.shape("token_embd.weight") {
            Some([vocab, _]) if (1..=1 << 24).contains(vocab) => *vocab,
            _ => return Err(file.fault("has no table token_embd.weight; take a complete file")),
        };
        let rope = rope(file, &architecture, head_dim, pairing)?;
        Ok(Self { family, layers, hidden, heads, kv_heads, head_dim, feed_forward, vocab, context, rms_eps, rope })
    }

    /// How rows are shared out among heads.
    pub(crate) fn heads(&self) -> Heads {
        Heads { heads: self.heads, kv_heads: self.kv_heads, head_dim: self.head_dim }
    }

    /// Refuses positions beyond the context.
    pub(super) fn check_positions(&self, what: &str, start: u32, len: usize) -> Result<(), EngineError> {
        let needed = (start as usize).saturating_add(len);
        if needed > self.context {
            return Err(EngineError::TooLong { what: what.to_owned(), needed, limit: self.context });
        }
        Ok(())
    }
}

/// Rotary parameters with what stretches them.
fn rope(file: &mut ModelFile, architecture: &str, head_dim: usize, pairing: Pairing) -> Result<Rope, EngineError> {
    let keys = Keys { file, architecture };
    let base = keys.real("rope.freq_base").unwrap_or(10_000.0);
    let dimensions = keys.size_or("rope.dimension_count", head_dim, head_dim)?;
    if !(base.is_finite() && base > 1.0 && dimensions.is_multiple_of(2)) {
        return Err(file.fault(&format!("turns {dimensions} values with base {base}, which cannot be; fetch it again")));
    }
    let rope = Rope::new(base, dimensions, pairing);
    let scaling = file.text(&format!("{architecture}.rope.scaling.type"));
    let factor = keys.real("rope.scaling.factor").unwrap_or(1.0);
    let rope = match scaling.as_deref() {
        None | Some("none") => rope,
        Some("linear") if factor.is_finite() && factor > 0.0 => rope.slowed(vec![factor; dimensions / 2]),
        Some(other) => {
            let fault = format!("stretches positions by {other:?} with factor {factor}, which is not supported");
            return Err(file.fault(&format!("{fault}; take a model with plain or linear positions")));
        }
    };
    if !file.has("rope_freqs.weight") {
        return Ok(rope);
    }
    let divisors = file.tensor("rope_freqs.weight", &[dimensions / 2])?;
    if divisors.iter().any(|divisor| *divisor <= 0.0) {
        return Err(file.fault("has divisors of frequencies that are not positive; fetch it again"));
    }
    Ok(rope.slowed(divisors))
}

/// Metadata under an architecture's name.
struct Keys<'a> {
    file: &'a ModelFile,
    architecture: &'a str,
}

impl Keys<'_> {
    fn number(&self, key: &str) -> Option<usize> {
        self.file.number(&format!("{}.{key}", self.architecture))
    }

    fn real(&self, key: &str) -> Option<f32> {
        self.file.real(&format!("{}.{key}", self.architecture))
    }

    /// A size from 1 to `most`: nothing is allocated for a number that cannot be meant.
    fn size(&self, key: &str, most: usize) -> Result<usize, EngineError> {
        match self.number(key) {
            Some(size) if (1..=most).contains(&size) => Ok(size),
            Some(size) => {
                let key = format!("{}.{key}", self.architecture);
                Err(self.file.fault(&format!("says {key} = {size}, which is not from 1 to {most}; fetch it again")))
            }
            None => Err(self.missing(key)),
        }
    }

    fn size_or(&self, key: &str, most: usize, default: usize) -> Result<usize, EngineError> {
        match self.number(key) {
            Some(_) => self.size(key, most),
            None => Ok(default),
        }
    }

    fn missing(&self, key: &str) -> EngineError {
        let key = format!("{}.{key}", self.architecture);
        self.file.fault(&format!("does not say {key} or says it wrongly; take a complete file"))
    }
}
