//! Model files, tiny models made on the spot, and comparisons.

use candle_core::{
    Device, Tensor,
    quantized::{
        GgmlDType, QTensor,
        gguf_file::{self, Value},
    },
};
use factmask_engine::{
    kv::{Context, KvPrecision},
    model::{Arithmetic, Forward, LanguageModel, ModelOptions, Rows, Segment},
};
use std::{
    collections::BTreeMap,
    env,
    fs::File,
    path::{Path, PathBuf},
    sync::OnceLock,
};

/// A file of a model that `factmask model pull` fetches.
pub fn model_file(model: &str, file: &str) -> PathBuf {
    let path = models().join(model).join(file);
    assert!(path.is_file(), "{} is not there; `./run test` or `factmask model pull` fetches it", path.display());
    path
}

/// The same of a model that is not pulled by default; says so and is `None` where it is not there.
pub fn pulled(model: &str, file: &str) -> Option<PathBuf> {
    let path = models().join(model).join(file);
    if !path.is_file() {
        println!("skipped: {} is not there; `factmask model pull {model}` fetches it", path.display());
    }
    path.is_file().then_some(path)
}

fn models() -> PathBuf {
    let from = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    from("FACTMASK_MODELS").unwrap_or_else(|| {
        let home = || from("HOME").expect("HOME says where the cache is").join(".cache");
        from("XDG_CACHE_HOME").unwrap_or_else(home).join("factmask/models")
    })
}

pub fn smollm_file() -> PathBuf {
    model_file("smollm2-135m-instruct", "SmolLM2-135M-Instruct.Q4_1.gguf")
}

pub fn options(threads: usize, precision: KvPrecision) -> ModelOptions {
    ModelOptions { threads, precision, ..ModelOptions::default() }
}

/// The same, computed in f32 throughout: the reference.
pub fn exact(threads: usize, precision: KvPrecision) -> ModelOptions {
    ModelOptions { arithmetic: Arithmetic::Exact, ..options(threads, precision) }
}

/// SmolLM2 with exact keys and values; loaded once.
pub fn smollm() -> &'static LanguageModel {
    static MODEL: OnceLock<LanguageModel> = OnceLock::new();
    MODEL.get_or_init(|| LanguageModel::open(&smollm_file(), &options(0, KvPrecision::F32)).unwrap())
}

/// One segment with the logits of all its tokens.
pub fn all<'a>(tokens: &'a [u32], start: u32, context: &'a Context) -> Segment<'a> {
    Segment { tokens, start, context, logits: Rows::All, capture: &[] }
}

/// Computes one segment alone.
pub fn alone(model: &LanguageModel, segment: Segment<'_>) -> Forward {
    model.forward(&[segment]).unwrap().remove(0)
}

/// Largest difference between two sets of rows of equal shape.
pub fn difference<A: Copy + Into<f64>, B: Copy + Into<f64>>(a: &[Vec<A>], b: &[Vec<B>]) -> f64 {
    assert_eq!(a.len(), b.len());
    let mut largest = 0.0_f64;
    for (a, b) in a.iter().zip(b) {
        assert_eq!(a.len(), b.len());
        for (a, b) in a.iter().zip(b) {
            let apart = ((*a).into() - (*b).into()).abs();
            assert!(apart.is_finite());
            largest = largest.max(apart);
        }
    }
    largest
}

/// The bits of rows, to tell them apart exactly.
pub fn bits(rows: &[Vec<f32>]) -> Vec<Vec<u32>> {
    rows.iter().map(|row| row.iter().map(|value| value.to_bits()).collect()).collect()
}

/// Numbers that look random and are the same in every run.
pub struct Noise(pub u64);

impl Noise {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.next() as usize % end
    }

    /// From -1 to 1.
    pub fn value(&mut self) -> f32 {
        self.next() as f32 / (1_u64 << 30) as f32 - 1.0
    }

    pub fn tokens(&mut self, count: usize, vocab: usize) -> Vec<u32> {
        (0..count).map(|_| self.below(vocab) as u32).collect()
    }
}

/// A small model with random weights.
#[derive(Clone)]
pub struct Tiny {
    pub architecture: &'static str,
    pub layers: usize,
    pub hidden: usize,
    pub heads: usize,
    pub kv_heads: usize,
    pub head_dim: usize,
    pub feed_forward: usize,
    /// Type of the matrices; vectors are always F32.
    pub dtype: GgmlDType,
    /// Whether queries, keys and values have biases.
    pub biases: bool,
    /// Whether the output has a matrix of its own.
    pub untied: bool,
    pub rope_base: f32,
}

/// Tokens of a tiny model: a character for each byte, a few merges, two control tokens.
pub const TINY_VOCAB: usize = 256 + 6 + 2;
pub const TINY_CONTEXT: usize = 512;

impl Tiny {
    pub fn llama() -> Self {
        Self {
            architecture: "llama",
            layers: 2,
            hidden: 64,
            heads: 4,
            kv_heads: 2,
            head_dim: 16,
            feed_forward: 96,
            dtype: GgmlDType::F32,
            biases: false,
            untied: false,
            rope_base: 10_000.0,
        }
    }

    /// Head of 40 values, so that panels have ragged ends.
    pub fn qwen2() -> Self {
        Self { architecture: "qwen2", head_dim: 40, heads: 6, biases: true, untied: true, ..Self::llama() }
    }

    pub fn metadata(&self) -> BTreeMap<String, Value> {
        let a = self.architecture;
        let number = |value: usize| Value::U32(value as u32);
        let text = |value: &str| Value::String(value.to_owned());
        let texts = |values: Vec<String>| Value::Array(values.into_iter().map(Value::String).collect());
        let kinds = (0..TINY_VOCAB).map(|id| Value::I32(if id >= TINY_VOCAB - 2 { 3 } else { 1 })).collect();
        let merges = ["a b", "ab c", "Ġ a", "- a", "1 2", "Ċ Ċ"].map(str::to_owned).to_vec();
        let pre = if a == "qwen2" { "qwen2" } else { "smollm" };
        [
            ("general.architecture".to_owned(), text(a)),
            ("general.name".to_owned(), text("Tiny")),
            (format!("{a}.block_count"), number(self.layers)),
            (format!("{a}.context_length"), number(TINY_CONTEXT)),
            (format!("{a}.embedding_length"), number(self.hidden)),
            (format!("{a}.feed_forward_length"), number(self.feed_forward)),
            (format!("{a}.attention.head_count"), number(self.heads)),
            (format!("{a}.attention.head_count_kv"), number(self.kv_heads)),
            (format!("{a}.attention.key_length"), number(self.head_dim)),
            (format!("{a}.attention.value_length"), number(self.head_dim)),
            (format!("{a}.attention.layer_norm_rms_epsilon"), Value::F32(1e-5)),
            (format!("{a}.rope.freq_base"), Value::F32(self.rope_base)),
            ("tokenizer.ggml.model".to_owned(), text("gpt2")),
            ("tokenizer.ggml.pre".to_owned(), text(pre)),
            ("tokenizer.ggml.tokens".to_owned(), texts(tiny_tokens())),
            ("tokenizer.ggml.token_type".to_owned(), Value::Array(kinds)),
            ("tokenizer.ggml.merges".to_owned(), texts(merges)),
            ("tokenizer.ggml.eos_token_id".to_owned(), number(TINY_VOCAB - 1)),
        ]
        .into()
    }

    pub fn tensors(&self, seed: u64) -> BTreeMap<String, QTensor> {
        let mut noise = Noise(seed);
        let mut tensors = BTreeMap::new();
        let mut add = |name: String, dims: &[usize], centre: f32, spread: f32| {
            let count = dims.iter().product();
            let values: Vec<f32> = (0..count).map(|_| centre + spread * noise.value()).collect();
            let dtype = if dims.len() == 2 { self.dtype } else { GgmlDType::F32 };
            let tensor = Tensor::from_vec(values, dims, &Device::Cpu).unwrap();
            tensors.insert(name, QTensor::quantize(&tensor, dtype).unwrap());
        };
        let (hidden, inner) = (self.hidden, self.feed_forward);
        let (queries, keys) = (self.heads * self.head_dim, self.kv_heads * self.head_dim);
        add("token_embd.weight".into(), &[TINY_VOCAB, hidden], 0.0, 1.0);
        add("output_norm.weight".into(), &[hidden], 1.0, 0.3);
        if self.untied {
            add("output.weight".into(), &[TINY_VOCAB, hidden], 0.0, 0.4);
        }
        for layer in 0..self.layers {
            for (name, outputs, inputs) in [
                ("attn_q", queries, hidden),
                ("attn_k", keys, hidden),
                ("attn_v", keys, hidden),
                ("attn_output", hidden, queries),
                ("ffn_gate", inner, hidden),
                ("ffn_up", inner, hidden),
                ("ffn_down", hidden, inner),
            ] {
                add(format!("blk.{layer}.{name}.weight"), &[outputs, inputs], 0.0, 2.0 / (inputs as f32).sqrt());
            }
            for name in ["attn_norm", "ffn_norm"] {
                add(format!("blk.{layer}.{name}.weight"), &[hidden], 1.0, 0.3);
            }
            if self.biases {
                for (name, len) in [("attn_q", queries), ("attn_k", keys), ("attn_v", keys)] {
                    add(format!("blk.{layer}.{name}.bias"), &[len], 0.0, 0.5);
                }
            }
        }
        tensors
    }

    /// Writes the model into a folder and returns its file.
    pub fn write(&self, folder: &Path, seed: u64) -> PathBuf {
        write(folder, &self.metadata(), &self.tensors(seed))
    }
}

pub fn write(folder: &Path, metadata: &BTreeMap<String, Value>, tensors: &BTreeMap<String, QTensor>) -> PathBuf {
    let path = folder.join("tiny.gguf");
    let metadata: Vec<_> = metadata.iter().map(|(key, value)| (key.as_str(), value)).collect();
    let tensors: Vec<_> = tensors.iter().map(|(name, tensor)| (name.as_str(), tensor)).collect();
    gguf_file::write(&mut File::create(&path).unwrap(), &metadata, &tensors).unwrap();
    path
}

/// The byte characters, six merged tokens and two control tokens.
fn tiny_tokens() -> Vec<String> {
    let printable = |byte: u8| matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff);
    let mut next = 0x100;
    let mut tokens: Vec<String> = Vec::new();
    for byte in 0..=u8::MAX {
        let character = if printable(byte) { char::from(byte) } else { char::from_u32(next).unwrap() };
        next += u32::from(!printable(byte));
        tokens.push(character.to_string());
    }
    tokens.extend(["ab", "abc", "Ġa", "-a", "12", "ĊĊ", "<|im_start|>", "<|im_end|>"].map(str::to_owned));
    tokens
}
