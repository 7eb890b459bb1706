//! Sentence embeddings: a BERT encoder such as all-MiniLM-L6-v2, run by candle.

use crate::EngineError;
use candle_core::{DType, Device, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::bert::{BertModel, Config};
use std::{
    fmt, fs,
    path::{Path, PathBuf},
};
use tokenizers::{PaddingParams, PaddingStrategy, Tokenizer, TruncationParams};

/// Texts that are encoded in one pass; more take more memory and no less time.
const BATCH: usize = 32;

/// A loaded sentence encoder. Shared between threads.
pub struct SentenceEncoder {
    folder: PathBuf,
    model: BertModel,
    tokenizer: Tokenizer,
    width: usize,
}

impl SentenceEncoder {
    /// Loads `config.json`, `tokenizer.json` and `model.safetensors` of a folder.
    ///
    /// # Errors
    /// [`EngineError::Encoder`] with the file that is missing or damaged.
    pub fn open(dir: &Path) -> Result<Self, EngineError> {
        let read = |name: &str| {
            let path = dir.join(name);
            let bytes = fs::read(&path);
            bytes.map_err(|cause| fault(&path, format!("cannot be read: {cause}; fetch it with `factmask model pull`")))
        };
        let damaged = |name: &str, cause: &dyn fmt::Display| {
            let cause = cause.to_string();
            let cause = cause.lines().next().unwrap_or_default();
            fault(&dir.join(name), format!("is damaged: {cause}; fetch it again with `factmask model pull`"))
        };
        let config: Config =
            serde_json::from_slice(&read("config.json")?).map_err(|cause| damaged("config.json", &cause))?;
        let mut tokenizer =
            Tokenizer::from_bytes(read("tokenizer.json")?).map_err(|cause| damaged("tokenizer.json", &cause))?;
        tokenizer.with_padding(Some(PaddingParams {
            strategy: PaddingStrategy::BatchLongest,
            pad_id: config.pad_token_id as u32,
            ..PaddingParams::default()
        }));
        tokenizer
            .with_truncation(Some(TruncationParams {
                max_length: config.max_position_embeddings,
                ..Default::default()
            }))
            .map_err(|cause| damaged("tokenizer.json", &cause))?;
        let weights = VarBuilder::from_buffered_safetensors(read("model.safetensors")?, DType::F32, &Device::Cpu)
            .map_err(|cause| damaged("model.safetensors", &cause))?;
        let model = BertModel::load(weights, &config).map_err(|cause| damaged("model.safetensors", &cause))?;
        Ok(Self { folder: dir.to_owned(), model, tokenizer, width: config.hidden_size })
    }

    /// Values of an embedding.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// The embedding of each text, of unit length: the mean over its tokens. Texts longer than the encoder takes are cut.
    ///
    /// # Errors
    /// [`EngineError::Encoder`] when a text has characters that the tokenizer cannot take.
    pub fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EngineError> {
        let failed = |cause: &dyn fmt::Display| fault(&self.folder, format!("cannot encode a text: {cause}"));
        // Texts of like length together, so that short ones are not padded to the longest of all.
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|index| texts[*index].len());
        let mut embeddings = vec![Vec::new(); texts.len()];
        for batch in order.chunks(BATCH) {
            let batch_texts: Vec<&str> = batch.iter().map(|index| texts[*index]).collect();
            let encodings = self.tokenizer.encode_batch(batch_texts, true).map_err(|cause| failed(&cause))?;
            let tokens: Vec<Vec<u32>> = encodings.iter().map(|encoding| encoding.get_ids().to_vec()).collect();
            let masks: Vec<Vec<u32>> =
                encodings.iter().map(|encoding| encoding.get_attention_mask().to_vec()).collect();
            let pooled = self.pooled(tokens, masks).map_err(|cause| failed(&cause))?;
            for (index, embedding) in batch.iter().zip(pooled) {
                embeddings[*index] = unit(embedding);
            }
        }
        Ok(embeddings)
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

impl fmt::Debug for SentenceEncoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SentenceEncoder").field("folder", &self.folder).finish_non_exhaustive()
    }
}

fn unit(mut values: Vec<f32>) -> Vec<f32> {
    let length = values.iter().map(|value| value * value).sum::<f32>().sqrt();
    if length > 0.0 {
        values.iter_mut().for_each(|value| *value /= length);
    }
    values
}

fn fault(path: &Path, fault: String) -> EngineError {
    EngineError::Encoder { path: path.to_owned(), fault }
}
