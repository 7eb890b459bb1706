//! BERT encoders in safetensors, run by candle in f32.

use super::{File, damaged};
use crate::EngineError;
use candle_core::{DType, Device, Error, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::bert::{BertModel, Config};
use tokenizers::{PaddingParams, PaddingStrategy, Tokenizer, TruncationParams};

/// Texts that are encoded in one pass; more take more memory and no less time.
const BATCH: usize = 32;

pub(super) struct Bert {
    model: BertModel,
    tokenizer: Tokenizer,
    width: usize,
}

impl Bert {
    pub fn new(config: File, tokenizer: File, weights: File) -> Result<Self, EngineError> {
        let settings: Config = serde_json::from_slice(&config.bytes).map_err(|cause| config.damaged(&cause))?;
        let mut splitter = Tokenizer::from_bytes(&tokenizer.bytes).map_err(|cause| tokenizer.damaged(&cause))?;
        splitter.with_padding(Some(PaddingParams {
            strategy: PaddingStrategy::BatchLongest,
            pad_id: settings.pad_token_id as u32,
            ..PaddingParams::default()
        }));
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

    /// Mean over the tokens of each text, in order.
    pub fn means(&self, texts: &[&str]) -> candle_core::Result<Vec<Vec<f32>>> {
        // Texts of like length together, so that short ones are not padded to the longest of all.
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|index| texts[*index].len());
        let mut means = vec![Vec::new(); texts.len()];
        for batch in order.chunks(BATCH) {
            let batch_texts: Vec<&str> = batch.iter().map(|index| texts[*index]).collect();
            let encodings = self.tokenizer.encode_batch(batch_texts, true).map_err(Error::msg)?;
            let tokens: Vec<Vec<u32>> = encodings.iter().map(|encoding| encoding.get_ids().to_vec()).collect();
            let masks: Vec<Vec<u32>> =
                encodings.iter().map(|encoding| encoding.get_attention_mask().to_vec()).collect();
            for (index, mean) in batch.iter().zip(self.pooled(tokens, masks)?) {
                means[*index] = mean;
            }
        }
        Ok(means)
    }

    /// Mean of the last layer over the tokens that the masks do not hide.
    fn pooled(&self, tokens: Vec<Vec<u32>>, masks: Vec<Vec<u32>>) -> candle_core::Result<Vec<Vec<f32>>> {
        let tokens = Tensor::new(tokens, &Device::Cpu)?;
        let masks = Tensor::new(masks, &Device::Cpu)?;
        let states = self.model.forward(&tokens, &tokens.zeros_like()?, Some(&masks))?;
        let weights = masks.to_dtype(DType::F32)?.unsqueeze(2)?;
        let sums = states.broadcast_mul(&weights)?.sum(1)?;
        sums.broadcast_div(&weights.sum(1)?)?.to_vec2()
    }
}
