//! The language model: a GGUF file in, keys, values and logits out.
//!
//! [`LanguageModel::open`] reads configuration, tokenizer, chat template and weights. [`LanguageModel::forward`] computes
//! [`Segment`]s, each over its own [`Context`](crate::kv::Context) of [placed](LanguageModel::place) keys and values and causally
//! over itself. Segments of one call share the passes over the weights and nothing else: what one computes does not depend on the
//! others, to the last bit.

mod config;
mod file;
pub(crate) mod quantised;
mod rope;
mod segment;
mod transformer;

pub use config::{Config, Family};
pub use rope::{Pairing, Rope};
pub use segment::{Forward, Rows, Segment};

use crate::{
    EngineError,
    backend::cpu::{Cpu, Isa},
    kv::{BlockIdentity, BlockKey, KeyValues, KvPrecision, Placed},
    tokens::{ChatTemplate, Tokenizer},
};
pub(crate) use file::ModelFile;
use std::{fmt, path::Path, sync::Arc};
use transformer::Transformer;

/// Raised when a change of the kernels changes bits, so that stored blocks are not mixed with new ones. Two bits below it tell
/// fused from unfused and exact from integer arithmetic.
const NUMERICS: u32 = 3;

/// How a model is set up.
#[derive(Clone, Debug, Default)]
pub struct ModelOptions {
    /// Threads for the kernels; 0 takes one a core.
    pub threads: usize,
    /// Rounding of keys and values.
    pub precision: KvPrecision,
    /// What the weights are multiplied in.
    pub arithmetic: Arithmetic,
}

/// What weights of few bits are multiplied in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arithmetic {
    /// In whole numbers, with activations rounded to eight bits: fast, and what others compute with such files too.
    #[default]
    Integer,
    /// In f32: the reference that the other is held against.
    Exact,
}

/// SHA-256 of a model's file.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ModelHash(pub [u8; 32]);

/// A loaded model. Shared between threads; calls from several threads run beside each other on the same pool.
pub struct LanguageModel {
    name: String,
    hash: ModelHash,
    config: Config,
    tokenizer: Tokenizer,
    template: ChatTemplate,
    precision: KvPrecision,
    numerics: u32,
    transformer: Transformer<Cpu>,
    pool: rayon::ThreadPool,
}

impl LanguageModel {
    /// Loads a GGUF file of the llama or qwen2 family, with any quantisation that candle reads.
    ///
    /// # Errors
    /// [`EngineError::Model`] with the path, what is wrong and the remedy, for a file that is missing, cut short, not GGUF, of
    /// another family, or whose tensors do not fit its configuration.
    pub fn open(path: &Path, options: &ModelOptions) -> Result<Self, EngineError> {
        Self::open_on(path, options, Isa::detect())
    }

    /// Loads with a given instruction set, for tests that compare them.
    pub(crate) fn open_on(path: &Path, options: &ModelOptions, isa: Isa) -> Result<Self, EngineError> {
        let mut file = ModelFile::open(path)?;
        let config = Config::read(&mut file)?;
        let tokenizer = Tokenizer::from_metadata(&file)?;
        if tokenizer.len() > config.vocab {
            let fault = format!("it has {} tokens but embeddings for {}", tokenizer.len(), config.vocab);
            return Err(file.fault(&format!("{fault}; take an unmodified file")));
        }
        let template = ChatTemplate::from_metadata(&file, &tokenizer);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(options.threads)
            .thread_name(|index| format!("model-{index}"))
            .build()
            .map_err(|error| file.fault(&format!("cannot start the model's threads: {error}; lower `threads`")))?;
        let transformer = pool.install(|| Transformer::load(Cpu::new(isa), &mut file, &config, options.arithmetic))?;
        let name =
            file.text("general.name").or_else(|| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
        Ok(Self {
            name: name.unwrap_or_default(),
            hash: file.hash()?,
            config,
            tokenizer,
            template,
            precision: options.precision,
            numerics: NUMERICS << 2 | u32::from(options.arithmetic == Arithmetic::Exact) << 1 | u32::from(isa.fuses()),
            transformer,
            pool,
        })
    }

    /// SHA-256 of the file.
    #[must_use]
    pub fn hash(&self) -> ModelHash {
        self.hash
    }

    /// The name that the file gives itself, else the file's.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Sizes and constants.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The tokenizer that the file carries.
    #[must_use]
    pub fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }

    /// The chat template that the file carries.
    #[must_use]
    pub fn template(&self) -> &ChatTemplate {
        &self.template
    }

    /// Rounding of keys and values.
    #[must_use]
    pub fn precision(&self) -> KvPrecision {
        self.precision
    }

    /// Version of the arithmetic, part of every block's key.
    #[must_use]
    pub fn numerics(&self) -> u32 {
        self.numerics
    }

    /// Threads that the model computes with.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Bytes that all weights take as they lie in memory: panels, vectors and embeddings.
    #[must_use]
    pub fn weight_bytes(&self) -> usize {
        self.transformer.weight_bytes()
    }

    /// The key of a tenant's block in this model: `tokens` encoded in sight of `prefix` and nothing else.
    #[must_use]
    pub fn block_key(&self, tenant: &str, prefix: &[u32], lexicon: u32, tokens: &[u32]) -> BlockKey {
        let (model, numerics, precision, rope) = (self.hash, self.numerics, self.precision, &self.config.rope);
        BlockIdentity { tenant, model, numerics, precision, rope, prefix, lexicon, tokens }.key()
    }

    /// Rotates stored keys to the positions `start .. start + kv.len()` and lays them out for attention.
    ///
    /// # Errors
    /// [`EngineError::TooLong`] beyond the model's context, [`EngineError::ForeignBlock`] for keys of another model.
    pub fn place(&self, kv: &KeyValues, start: u32) -> Result<Arc<Placed>, EngineError> {
        let config = &self.config;
        if kv.layers() != config.layers || kv.width() != config.kv_heads * config.head_dim {
            return Err(EngineError::ForeignBlock {
                found: format!("{} layers of {}", kv.layers(), kv.width()),
                expected: format!("{} layers of {}", config.layers, config.kv_heads * config.head_dim),
            });
        }
        config.check_positions("a block", start, kv.len())?;
        self.pool.install(|| self.transformer.place(kv, start)).map(Arc::new)
    }

    /// Computes segments together.
    ///
    /// # Errors
    /// [`EngineError::EmptySegment`] for a batch or segment without tokens, [`EngineError::UnknownToken`],
    /// [`EngineError::UnknownLayer`], [`EngineError::TooLong`] beyond the model's context, [`EngineError::ForeignBlock`] for a
    /// context of another model, and [`EngineError::Bias`] for a bias that is not a finite number.
    pub fn forward(&self, batch: &[Segment<'_>]) -> Result<Vec<Forward>, EngineError> {
        segment::check(batch, &self.config)?;
        self.pool.install(|| self.transformer.forward(batch, self.precision, false))
    }

    /// Computes a segment, to the same bits, and looks on where its last token's attention goes.
    ///
    /// # Errors
    /// As [`forward`](Self::forward).
    pub fn observe(&self, segment: Segment<'_>) -> Result<Vec<Forward>, EngineError> {
        let batch = [segment];
        segment::check(&batch, &self.config)?;
        self.pool.install(|| self.transformer.forward(&batch, self.precision, true))
    }
}

impl fmt::Debug for LanguageModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("LanguageModel");
        debug.field("name", &self.name).field("hash", &self.hash).field("config", &self.config).finish_non_exhaustive()
    }
}

impl fmt::Display for ModelHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ModelHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ModelHash({self})")
    }
}
