//! The real model, for tests inside the crate.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use crate::{
    embed::SentenceEncoder,
    model::{LanguageModel, ModelOptions},
};
use std::{env, path::PathBuf, sync::Arc};

/// Where `factmask model pull` puts models.
fn models() -> PathBuf {
    let from = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    from("FACTMASK_MODELS").unwrap_or_else(|| {
        from("XDG_CACHE_HOME").unwrap_or_else(|| from("HOME").unwrap().join(".cache")).join("factmask/models")
    })
}

/// SmolLM2 as the product loads it.
pub fn smollm2() -> Arc<LanguageModel> {
    let file = models().join("smollm2-135m-instruct/SmolLM2-135M-Instruct.Q4_1.gguf");
    assert!(file.is_file(), "{} is not there; `./run test` or `factmask model pull` fetches it", file.display());
    Arc::new(LanguageModel::open(&file, &ModelOptions::default()).unwrap())
}

/// The sentence encoder for English.
pub fn minilm() -> SentenceEncoder {
    SentenceEncoder::open(&models().join("all-minilm-l6-v2")).unwrap()
}
