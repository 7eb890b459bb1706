//! BERT encoders in safetensors, as most sentence encoders are published.

use super::{
    File,
    body::{Body, Layer, Linear, Norm},
};
use crate::{
    EngineError,
    backend::{
        Backend,
        cpu::{Cpu, Isa},
    },
    model::quantised::Tensor as Values,
};
use candle_core::{DType, Device, Error, Result, Tensor, bail, safetensors};
use serde::Deserialize;
use std::collections::HashMap;
use tokenizers::{Tokenizer, TruncationParams};

/// Its settings, of which the file has more.
#[derive(Deserialize)]
struct Config {
    vocab_size: usize,
    hidden_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    intermediate_size: usize,
    hidden_act: String,
    max_position_embeddings: usize,
    type_vocab_size: usize,
    layer_norm_eps: f32,
}

/// Reads the tokenizer and the weights.
pub(super) fn open(
    config: &File,
    tokenizer: &File,
    weights: &File,
) -> std::result::Result<(Tokenizer, Body), EngineError> {
    let settings: Config = serde_json::from_slice(&config.bytes).map_err(|cause| config.damaged(&cause))?;
    if settings.num_attention_heads == 0 || !settings.hidden_size.is_multiple_of(settings.num_attention_heads) {
        return Err(config.damaged(&"its heads do not share its width"));
    }
    if settings.hidden_act != "gelu" {
        return Err(config.damaged(&format_args!("the activation {:?} is none that is known", settings.hidden_act)));
    }
    let mut splitter = Tokenizer::from_bytes(&tokenizer.bytes).map_err(|cause| tokenizer.damaged(&cause))?;
    splitter.with_padding(None);
    let longest = TruncationParams { max_length: settings.max_position_embeddings, ..Default::default() };
    splitter.with_truncation(Some(longest)).map_err(|cause| tokenizer.damaged(&cause))?;
    let body = Tensors::read(&weights.bytes).and_then(|tensors| tensors.body(&settings));
    let body = body.map_err(|cause| weights.damaged(&cause))?;
    if splitter.get_vocab_size(true) > settings.vocab_size {
        return Err(tokenizer.damaged(&"it has more tokens than the weights have embeddings"));
    }
    Ok((splitter, body))
}

struct Tensors {
    all: HashMap<String, Tensor>,
    cpu: Cpu,
}

impl Tensors {
    fn read(bytes: &[u8]) -> Result<Self> {
        Ok(Self { all: safetensors::load_buffer(bytes, &Device::Cpu)?, cpu: Cpu::new(Isa::detect()) })
    }

    fn body(self, settings: &Config) -> Result<Body> {
        let width = settings.hidden_size;
        let embeddings = |name: &str, rows: usize| self.values(&format!("embeddings.{name}.weight"), &[rows, width]);
        let words = Values::Plain(embeddings("word_embeddings", settings.vocab_size)?);
        let mut kind = embeddings("token_type_embeddings", settings.type_vocab_size)?;
        kind.truncate(width);
        Ok(Body {
            words: self.cpu.weight(&words, width).map_err(Error::wrap)?,
            positions: embeddings("position_embeddings", settings.max_position_embeddings)?,
            kind,
            norm: self.norm("embeddings.LayerNorm", settings)?,
            layers: (0..settings.num_hidden_layers).map(|at| self.layer(at, settings)).collect::<Result<_>>()?,
            heads: settings.num_attention_heads,
            cpu: self.cpu,
        })
    }

    fn layer(&self, at: usize, settings: &Config) -> Result<Layer> {
        let (width, inner) = (settings.hidden_size, settings.intermediate_size);
        let linear = |part: &str, outputs: usize, inputs: usize| {
            let name = format!("encoder.layer.{at}.{part}");
            let weight = Values::Plain(self.values(&format!("{name}.weight"), &[outputs, inputs])?);
            let weight = self.cpu.weight(&weight, inputs).map_err(Error::wrap)?;
            Ok::<_, Error>(Linear { weight, bias: self.values(&format!("{name}.bias"), &[outputs])? })
        };
        let norm = |part: &str| self.norm(&format!("encoder.layer.{at}.{part}"), settings);
        Ok(Layer {
            queries: linear("attention.self.query", width, width)?,
            keys: linear("attention.self.key", width, width)?,
            values: linear("attention.self.value", width, width)?,
            output: linear("attention.output.dense", width, width)?,
            attention_norm: norm("attention.output.LayerNorm")?,
            inner: linear("intermediate.dense", inner, width)?,
            outer: linear("output.dense", width, inner)?,
            norm: norm("output.LayerNorm")?,
        })
    }

    fn norm(&self, name: &str, settings: &Config) -> Result<Norm> {
        let part = |part: &str| self.values(&format!("{name}.{part}"), &[settings.hidden_size]);
        Ok(Norm { weight: part("weight")?, bias: part("bias")?, epsilon: settings.layer_norm_eps })
    }

    /// A tensor's values; some files name all of them behind "bert.".
    fn values(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        let tensor = self.all.get(name).or_else(|| self.all.get(&format!("bert.{name}")));
        let Some(tensor) = tensor else { bail!("the tensor {name} is not there") };
        if tensor.dims() != shape {
            bail!("the tensor {name} has the shape {:?}, not {shape:?}", tensor.dims());
        }
        tensor.to_dtype(DType::F32)?.flatten_all()?.to_vec1()
    }
}
