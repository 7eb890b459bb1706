//! The real model, for tests inside the crate.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use crate::model::{LanguageModel, ModelOptions};
use std::{env, path::PathBuf, sync::Arc};

/// SmolLM2 as the product loads it.
pub fn smollm2() -> Arc<LanguageModel> {
    let from = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let models = from("FACTMASK_MODELS").unwrap_or_else(|| {
        from("XDG_CACHE_HOME").unwrap_or_else(|| from("HOME").unwrap().join(".cache")).join("factmask/models")
    });
    let file = models.join("smollm2-135m-instruct/SmolLM2-135M-Instruct.Q4_1.gguf");
    assert!(file.is_file(), "{} is not there; `./run test` or `factmask model pull` fetches it", file.display());
    Arc::new(LanguageModel::open(&file, &ModelOptions::default()).unwrap())
}
