//! Byte-level BPE from GGUF metadata.

use crate::{EngineError, model::ModelFile};
use aho_corasick::{AhoCorasick, MatchKind};
use candle_core::quantized::gguf_file::Value;
use std::{collections::HashMap, fmt};
use tokenizers::{
    DecoderWrapper, ModelWrapper, NormalizerWrapper, PostProcessorWrapper, PreTokenizerWrapper, SplitDelimiterBehavior,
    TokenizerImpl,
    models::bpe::{BPE, Vocab},
    pre_tokenizers::{
        byte_level::ByteLevel,
        digits::Digits,
        sequence::Sequence,
        split::{Split, SplitPattern},
    },
};

/// Where qwen2 cuts text before merging: contractions, words with one leading character, single digits, punctuation, space.
const QWEN2: &str = concat!(
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}|",
    r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
);

/// Types of tokens in GGUF files.
const CONTROL: i64 = 3;
const USER_DEFINED: i64 = 4;

/// Texts that end a turn in the templates of the supported families, for files that name only one end token.
const TURN_ENDS: [&str; 3] = ["<|im_end|>", "<|endoftext|>", "<|eot_id|>"];

type Bpe = TokenizerImpl<ModelWrapper, NormalizerWrapper, PreTokenizerWrapper, PostProcessorWrapper, DecoderWrapper>;

/// A model's tokenizer.
pub struct Tokenizer {
    bpe: Bpe,
    tokens: Vec<String>,
    ids: HashMap<String, u32>,
    /// Finds the texts of control tokens in markup; pattern number to token.
    controls: AhoCorasick,
    control_ids: Vec<u32>,
    is_control: Vec<bool>,
    bytes: HashMap<char, u8>,
    end_tokens: Vec<u32>,
    begin: Option<u32>,
    end: Option<u32>,
}

impl Tokenizer {
    /// Reads the tokenizer of a model's file.
    pub(crate) fn from_metadata(file: &ModelFile) -> Result<Self, EngineError> {
        let kind = file.text("tokenizer.ggml.model").unwrap_or_default();
        if kind != "gpt2" {
            let fault = format!("has a tokenizer of the kind {kind:?}; supported is \"gpt2\", byte-level BPE");
            return Err(file.fault(&format!("{fault}; take another model")));
        }
        let cut = file.text("tokenizer.ggml.pre");
        let pre_tokenizer = pre_tokenizer(cut.as_deref().unwrap_or("default")).map_err(|fault| file.fault(&fault))?;
        let damaged = |what: &str| file.fault(&format!("its {what} is missing or damaged; take a complete file"));
        let texts = |key: &str, what: &str| -> Result<Vec<String>, EngineError> {
            let list = file.list(key).ok_or_else(|| damaged(what))?;
            list.iter().map(|text| text.to_string().cloned().map_err(|_| damaged(what))).collect()
        };
        let tokens = texts("tokenizer.ggml.tokens", "list of tokens")?;
        let merges = texts("tokenizer.ggml.merges", "list of merges")?;
        let merges: Option<Vec<_>> = merges.iter().map(|merge| merge.split_once(' ').map(owned)).collect();
        let merges = merges.ok_or_else(|| damaged("list of merges"))?;
        let types: Vec<i64> = file.list("tokenizer.ggml.token_type").unwrap_or_default().iter().map(whole).collect();
        let ids: HashMap<String, u32> = tokens.iter().cloned().zip(0..).collect();
        let vocab: Vocab = tokens.iter().cloned().zip(0..).collect();
        let model = BPE::builder().vocab_and_merges(vocab, merges).build();
        let model = model.map_err(|cause| file.fault(&format!("its merges are damaged: {cause}; fetch it again")))?;
        let mut bpe = Bpe::new(ModelWrapper::BPE(model));
        bpe.with_pre_tokenizer(Some(pre_tokenizer));

        let kind = |id: usize| types.get(id).copied().unwrap_or_default();
        let is_control: Vec<_> = (0..tokens.len()).map(|id| matches!(kind(id), CONTROL | USER_DEFINED)).collect();
        let control_ids: Vec<u32> = (0..)
            .zip(&tokens)
            .zip(&is_control)
            .filter(|((_, text), is)| **is && !text.is_empty())
            .map(|((id, _), _)| id)
            .collect();
        let controls = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(control_ids.iter().map(|id| &tokens[*id as usize]))
            .map_err(|cause| {
                file.fault(&format!("its control tokens cannot be searched for: {cause}; fetch it again"))
            })?;
        let named = |key: &str| {
            let id = file.number(key).filter(|id| *id < tokens.len());
            id.and_then(|id| u32::try_from(id).ok())
        };
        let end = named("tokenizer.ggml.eos_token_id");
        let mut end_tokens: Vec<u32> = end.into_iter().chain(named("tokenizer.ggml.eot_token_id")).collect();
        end_tokens.extend(TURN_ENDS.iter().filter_map(|text| ids.get(*text)).filter(|id| is_control[**id as usize]));
        let mut seen = std::collections::HashSet::new();
        end_tokens.retain(|id| seen.insert(*id));
        let begin = named("tokenizer.ggml.bos_token_id");
        Ok(Self {
            bpe,
            ids,
            controls,
            control_ids,
            is_control,
            bytes: byte_characters(),
            end_tokens,
            begin,
            end,
            tokens,
        })
    }

    /// Number of tokens.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Whether there are no tokens.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// Tokens of plain text. Texts of control tokens are taken letter by letter, so what a user writes can never end a turn.
    ///
    /// # Errors
    /// [`EngineError::Tokenizer`] when the text cannot be written with this vocabulary.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>, EngineError> {
        let encoding = self.bpe.encode_fast(text, false).map_err(|cause| EngineError::Tokenizer(cause.to_string()))?;
        Ok(encoding.get_ids().to_vec())
    }

    /// Tokens of markup: texts of control tokens become these tokens, the rest is plain text. For templates, never for what a
    /// user or a document says.
    ///
    /// # Errors
    /// As [`encode`](Self::encode).
    pub fn encode_markup(&self, text: &str) -> Result<Vec<u32>, EngineError> {
        let mut tokens = Vec::new();
        let mut from = 0;
        for found in self.controls.find_iter(text) {
            tokens.extend(self.encode(&text[from..found.start()])?);
            tokens.push(self.control_ids[found.pattern().as_usize()]);
            from = found.end();
        }
        tokens.extend(self.encode(&text[from..])?);
        Ok(tokens)
    }

    /// The text of tokens, control tokens as they are written. Bytes that are no UTF-8, as at a cut inside a character, become U+FFFD; tokens that
    /// the model does not have are left out.
    #[must_use]
    pub fn decode(&self, tokens: &[u32]) -> String {
        let mut bytes = Vec::new();
        for token in tokens {
            let Some(text) = self.token(*token) else { continue };
            let plain = !self.is_control.get(*token as usize).copied().unwrap_or_default();
            let decoded: Option<Vec<u8>> = text.chars().map(|character| self.bytes.get(&character).copied()).collect();
            match decoded.filter(|_| plain) {
                Some(decoded) => bytes.extend(decoded),
                None => bytes.extend(text.as_bytes()),
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// A token as the vocabulary writes it: a character for each byte, "Ġ" for a space.
    #[must_use]
    pub fn token(&self, id: u32) -> Option<&str> {
        self.tokens.get(id as usize).map(String::as_str)
    }

    /// The token that the vocabulary writes so.
    #[must_use]
    pub fn id(&self, token: &str) -> Option<u32> {
        self.ids.get(token).copied()
    }

    /// Tokens that end an answer.
    #[must_use]
    pub fn end_tokens(&self) -> &[u32] {
        &self.end_tokens
    }

    /// Text of the token that begins and of the one that ends a text, for templates that write them.
    pub(super) fn begin_and_end(&self) -> [&str; 2] {
        [self.begin, self.end].map(|id| id.and_then(|id| self.token(id)).unwrap_or_default())
    }
}

impl fmt::Debug for Tokenizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokenizer").field("tokens", &self.tokens.len()).finish_non_exhaustive()
    }
}

/// How text is cut before merging, by the name that GGUF files give it.
fn pre_tokenizer(name: &str) -> Result<PreTokenizerWrapper, String> {
    let bytes = |use_regex| ByteLevel::new(false, false, use_regex).into();
    let parts: Vec<PreTokenizerWrapper> = match name {
        "default" | "gpt-2" | "gpt2" => vec![bytes(true)],
        "smollm" => vec![Digits::new(true).into(), bytes(true)],
        "qwen2" => {
            let split = Split::new(SplitPattern::Regex(QWEN2.to_owned()), SplitDelimiterBehavior::Isolated, false);
            vec![split.map_err(|cause| cause.to_string())?.into(), bytes(false)]
        }
        other => {
            return Err(format!("cuts text as {other:?}; supported are smollm, qwen2 and gpt-2; take another model"));
        }
    };
    Ok(Sequence::new(parts).into())
}

/// The character that stands for each byte: printable ones for themselves, the others from U+0100 on, in order.
fn byte_characters() -> HashMap<char, u8> {
    let mut next = 0x100;
    let character = |byte: u8| match byte {
        b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff => (char::from(byte), byte),
        _ => {
            let character = char::from_u32(next).unwrap_or_default();
            next += 1;
            (character, byte)
        }
    };
    (0..=u8::MAX).map(character).collect()
}

fn owned((left, right): (&str, &str)) -> (String, String) {
    (left.to_owned(), right.to_owned())
}

fn whole(value: &Value) -> i64 {
    match value {
        Value::I8(number) => i64::from(*number),
        Value::I16(number) => i64::from(*number),
        Value::I32(number) => i64::from(*number),
        Value::I64(number) => *number,
        value => value.to_u64().ok().and_then(|number| i64::try_from(number).ok()).unwrap_or_default(),
    }
}
