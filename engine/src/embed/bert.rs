//! BERT encoders in safetensors, run by candle in f32.

use super::{File, damaged};
use crate::EngineError;
use candle_core::{DType, Device, Error, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::bert::{BertModel, Config};
use rayon::prelude::*;
use tokenizers::{Tokenizer, TruncationParams};

pub(super) struct Bert {
    model: BertModel,
    tokenizer: Tokenizer,
    width: usize,
}

impl Bert {
    pub fn new(config: File, tokenizer: File, weights: File) -> Result<Self, EngineError> {
        let settings: Config = serde_json::from_slice(&config.bytes).map_err(|cause| config.damaged(&cause))?;
        let mut splitter = Tokenizer::from_bytes(&tokenizer.bytes).map_err(|cause| tokenizer.damaged(&cause))?;
        splitter.with_padding(None);
        let longest = TruncationParams { max_length: settings.max_position_embeddings, ..Default::default() };
        splitter.with_truncation(Some(longest)).map_err(|cause| tokenizer.damaged(&cause))?;
        let path = weights.path;
        let model = VarBuilder::from_buffered_safetensors(weights.bytes, DType::F32, &Device::Cpu)
            .and_then(|weights| BertModel::load(weights, &settings))
            .map_err(|cause| damaged(&path, &cause))?;
        Ok(Self { model, tokenizer: splitter, width: settings.hidden_size })
    }

    pub fn width(&self) -> usize {
        self.width
    }

    pub fn knows(&self, word: &str) -> bool {
        self.tokenizer.token_to_id(word).is_some()
    }

    /// Mean over the tokens of each text, in order. Each text is computed alone: in a batch its last bits would depend on the others,
    /// and vectors that are kept would depend on the order of questions.
    pub fn means(&self, texts: &[&str]) -> candle_core::Result<Vec<Vec<f32>>> {
        texts.par_iter().map(|text| self.mean(text)).collect()
    }

    fn mean(&self, text: &str) -> candle_core::Result<Vec<f32>> {
        let encoding = self.tokenizer.encode(text, true).map_err(Error::msg)?;
        let tokens = Tensor::new(encoding.get_ids(), &Device::Cpu)?.unsqueeze(0)?;
        let states = self.model.forward(&tokens, &tokens.zeros_like()?, None)?;
        states.squeeze(0)?.mean(0)?.to_vec1()
    }
}
