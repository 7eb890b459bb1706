//! Every quantisation is read right; no file brings the process down.

use crate::{
    families::{Reference, causal},
    support::{Noise, TINY_CONTEXT, TINY_VOCAB, Tiny, all, alone, difference, exact, options, write},
};
use candle_core::{
    Device, Tensor,
    quantized::{GgmlDType, QTensor, gguf_file::Value},
};
use factmask_engine::{
    EngineError,
    kv::{Context, KvPrecision, Part},
    model::{LanguageModel, Rows, Segment},
};
use std::{fs, path::Path};

fn open(path: &Path) -> Result<LanguageModel, EngineError> {
    LanguageModel::open(path, &options(1, KvPrecision::F32))
}

#[test]
fn every_quantisation_is_read() {
    use GgmlDType::*;
    for dtype in [F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q2K, Q3K, Q4K, Q5K, Q6K] {
        let shape = Tiny { dtype, hidden: 256, head_dim: 64, feed_forward: 256, layers: 1, ..Tiny::llama() };
        let folder = tempfile::tempdir().unwrap();
        let path = shape.write(folder.path(), 1);
        let [model, integer] = [exact(1, KvPrecision::F32), options(1, KvPrecision::F32)]
            .map(|options| LanguageModel::open(&path, &options).unwrap_or_else(|error| panic!("{dtype:?}: {error}")));
        let tokens = Noise(2).tokens(6, TINY_VOCAB);
        let positions: Vec<u32> = (0..6).collect();
        let expected = Reference::new(&shape, &shape.tensors(1)).logits(&tokens, &positions, &causal(6, 0));
        let apart = difference(&alone(&model, all(&tokens, 0, &Context::new())).logits, &expected);
        // Logits reach 30 here; a scale or a nibble read wrong would be off by more than one.
        assert!(apart < 2e-4, "{dtype:?}: {apart:e} apart");
        let apart = difference(&alone(&integer, all(&tokens, 0, &Context::new())).logits, &expected);
        println!("{dtype:?}: {apart:e} apart in whole numbers");
        assert!(apart < 1.0, "{dtype:?}: {apart:e} apart in whole numbers");
    }
}

/// Opening must fail with an error that names the file and says `expected`.
fn check_refused(path: &Path, what: &str, expected: &str) {
    match open(path) {
        Ok(_) => panic!("{what}: was opened"),
        Err(EngineError::Model { path: named, fault }) => {
            assert_eq!(named, path, "{what}");
            assert!(fault.contains(expected), "{what}: says {fault:?}, not {expected:?}");
            assert!(!fault.contains('\n'), "{what}: says more than a line: {fault:?}");
        }
        Err(other) => panic!("{what}: {other:?}"),
    }
}

#[test]
fn files_that_are_no_models_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.gguf");
    check_refused(&path, "nothing", "cannot be opened");
    check_refused(folder.path(), "a folder", "is not a file");
    for (what, content, expected) in [
        ("an empty file", &b""[..], "not GGUF"),
        ("another format", b"PK\x03\x04 a zip", "starts with \"PK\\x03\\x04\", which is not GGUF"),
        ("magic alone", b"GGUF", "header is damaged"),
        ("a future version", b"GGUF\xff\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "header is damaged"),
        ("absurd counts", b"GGUF\x03\0\0\0\xff\xff\xff\xff\xff\xff\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x7f", "damaged"),
    ] {
        fs::write(&path, content).unwrap();
        check_refused(&path, what, expected);
    }
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = Tiny::llama().write(folder.path(), 1);
    let whole = fs::read(&path).unwrap();
    let mut noise = Noise(3);
    // The last bytes may be padding, which nobody misses.
    for len in (0..100).map(|_| noise.below(whole.len() - 32)).chain([0, 1, 4, 8, whole.len() - 32]) {
        fs::write(&path, &whole[..len]).unwrap();
        check_refused(&path, &format!("{len} of {} bytes", whole.len()), "");
    }
}

#[test]
fn no_changed_byte_brings_the_process_down() {
    let folder = tempfile::tempdir().unwrap();
    let path = Tiny { layers: 1, ..Tiny::qwen2() }.write(folder.path(), 1);
    let whole = fs::read(&path).unwrap();
    let header = whole.len() - (TINY_VOCAB * 64 * 4 * 2);
    let mut noise = Noise(5);
    let mut refused = 0;
    for _ in 0..400 {
        let mut changed = whole.clone();
        for _ in 0..=noise.below(3) {
            let at = noise.below(header.min(12_000));
            changed[at] = noise.next() as u8;
        }
        fs::write(&path, &changed).unwrap();
        match open(&path) {
            Ok(model) => {
                let tokens = [1, 2, 3].map(|token| token % model.config().vocab as u32);
                let _ = model.forward(&[all(&tokens, 0, &Context::new())]);
                let _ =
                    model.tokenizer().encode("A 1\n<|im_end|> 你好").map(|tokens| model.tokenizer().decode(&tokens));
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 50, "only {refused} of 400 were refused; the changes miss what matters");
}

#[test]
fn contradictions_are_named() {
    let number = |value: u32| Some(Value::U32(value));
    let text = |value: &str| Some(Value::String(value.to_owned()));
    let list = |values: &[&str]| Some(Value::Array(values.iter().map(|v| Value::String((*v).to_owned())).collect()));
    for (key, value, expected) in [
        ("general.architecture", None, "does not say its architecture"),
        ("general.architecture", text("mamba"), "is of the architecture \"mamba\"; supported are llama and qwen2"),
        ("general.alignment", number(0), "header is damaged"),
        ("llama.block_count", None, "llama.block_count"),
        ("llama.block_count", number(0), "llama.block_count = 0"),
        ("llama.block_count", number(u32::MAX), "llama.block_count = 4294967295"),
        ("llama.block_count", number(3), "no tensor blk.2."),
        ("llama.block_count", number(1), "tensors that Llama models do not have: blk.1."),
        ("llama.block_count", text("two"), "llama.block_count"),
        ("llama.embedding_length", number(32), "tensor token_embd.weight is [264, 64]"),
        ("llama.feed_forward_length", number(97), "blk.0.ffn_gate.weight"),
        ("llama.attention.head_count", number(3), "3 heads of 16 values over 2 key/value heads"),
        ("llama.attention.head_count", number(6), "blk.0.attn_q.weight"),
        ("llama.attention.key_length", number(15), "heads of 15 values"),
        ("llama.attention.value_length", number(8), "keys and values of different length"),
        ("llama.attention.layer_norm_rms_epsilon", None, "layer_norm_rms_epsilon"),
        ("llama.expert_count", number(8), "mixture of experts"),
        ("llama.rope.freq_base", Some(Value::F32(f32::NAN)), "base NaN"),
        ("llama.rope.dimension_count", number(18), "rope.dimension_count = 18"),
        ("llama.rope.scaling.type", text("yarn"), "\"yarn\""),
        ("tokenizer.ggml.model", text("llama"), "tokenizer of the kind \"llama\""),
        ("tokenizer.ggml.pre", text("tekken"), "cuts text as \"tekken\"; supported are smollm, qwen2 and gpt-2"),
        ("tokenizer.ggml.tokens", None, "list of tokens"),
        ("tokenizer.ggml.tokens", list(&["a"; TINY_VOCAB + 1]), "damaged"),
        ("tokenizer.ggml.merges", list(&["nospace"]), "list of merges"),
        ("tokenizer.ggml.merges", list(&["not there"]), "merges are damaged"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let shape = Tiny::llama();
        let mut metadata = shape.metadata();
        match &value {
            Some(value) => metadata.insert(key.to_owned(), value.clone()),
            None => metadata.remove(key),
        };
        let path = write(folder.path(), &metadata, &shape.tensors(1));
        check_refused(&path, &format!("{key} = {value:?}").chars().take(200).collect::<String>(), expected);
    }
}

#[test]
fn tensors_that_do_not_belong_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let shape = Tiny::llama();
    let vector = |values: Vec<f32>| {
        let len = values.len();
        QTensor::quantize(&Tensor::from_vec(values, len, &Device::Cpu).unwrap(), GgmlDType::F32).unwrap()
    };
    for (name, values, expected) in [
        ("blk.0.attn_q_norm.weight", vec![1.0; 16], "models do not have: blk.0.attn_q_norm.weight"),
        ("output_norm.weight", vec![f32::NAN; 64], "tensor output_norm.weight has values that are not numbers"),
        ("output_norm.weight", vec![1.0; 63], "tensor output_norm.weight is [63], its configuration says [64]"),
        ("rope_freqs.weight", vec![0.0; 8], "divisors of frequencies"),
    ] {
        let mut tensors = shape.tensors(1);
        tensors.insert(name.to_owned(), vector(values));
        check_refused(&write(folder.path(), &shape.metadata(), &tensors), name, expected);
    }
}

#[test]
fn what_cannot_be_computed_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let model = open(&Tiny::llama().write(folder.path(), 1)).unwrap();
    let other_folder = tempfile::tempdir().unwrap();
    let other = open(&Tiny::qwen2().write(other_folder.path(), 1)).unwrap();
    let none = Context::new();
    let kv = alone(&model, all(&[1, 2, 3], 0, &none)).kv;
    let foreign = alone(&other, all(&[1, 2, 3], 0, &none)).kv;
    let mut biased = Part::new(model.place(&kv, 0).unwrap());
    biased.bias = vec![(0..1, f32::NAN)];
    let biased = none.with(biased);
    let strange = none.with(Part::new(other.place(&foreign, 0).unwrap()));
    let segment = |tokens, start, context, capture| Segment { tokens, start, context, logits: Rows::Last, capture };

    let refused = |batch: &[Segment<'_>], expected: &str| {
        let error = model.forward(batch).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error:?} does not say {expected:?}");
    };
    refused(&[], "the batch has no segment");
    refused(&[all(&[1], 0, &none), all(&[], 0, &none)], "a segment has no token");
    refused(&[all(&[1, TINY_VOCAB as u32], 0, &none)], "token 264 is not one of the model's 264");
    refused(&[all(&[1], TINY_CONTEXT as u32, &none)], "needs 513 tokens, the model takes 512");
    refused(&[all(&[1], u32::MAX, &none)], "the model takes 512");
    refused(&[segment(&[1], 0, &none, &[2])], "layer 2 was asked for, the model has 2");
    refused(&[all(&[1], 3, &biased)], "a bias of NaN");
    refused(&[all(&[1], 3, &strange)], "does not fit the model");
    assert!(model.place(&foreign, 0).is_err());
    assert!(model.place(&kv, TINY_CONTEXT as u32 - 2).is_err());
    assert!(model.forward(&[all(&[1], TINY_CONTEXT as u32 - 1, &none)]).is_ok());
}
