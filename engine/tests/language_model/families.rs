//! Tiny llama and qwen2 models against a scalar forward pass in f64.

use crate::support::{Noise, TINY_VOCAB, Tiny, all, alone, difference, options};
use candle_core::{Device, quantized::QTensor};
use factmask_engine::{
    kv::{Context, KvPrecision, Part},
    model::{LanguageModel, Rows, Segment},
};
use std::collections::BTreeMap;

/// A key that a query sees: whose, at which position it stands, what is added to its logit.
pub type Sight = (usize, u32, f64);

/// The plainest possible forward pass: one token, one head, one number at a time, in f64.
pub struct Reference<'a> {
    shape: &'a Tiny,
    weights: BTreeMap<String, (Vec<f64>, usize)>,
}

impl<'a> Reference<'a> {
    pub fn new(shape: &'a Tiny, tensors: &BTreeMap<String, QTensor>) -> Self {
        let wide = |tensor: &QTensor| {
            let flat = tensor.dequantize(&Device::Cpu).unwrap().flatten_all().unwrap().to_vec1::<f32>().unwrap();
            (flat.into_iter().map(f64::from).collect(), *tensor.shape().dims().last().unwrap())
        };
        Self { shape, weights: tensors.iter().map(|(name, tensor)| (name.clone(), wide(tensor))).collect() }
    }

    /// Logits of all tokens. `positions` turn the queries; `sights` lists what each token sees, itself included.
    pub fn logits(&self, tokens: &[u32], positions: &[u32], sights: &[Vec<Sight>]) -> Vec<Vec<f64>> {
        let shape = self.shape;
        let (embeddings, hidden) = &self.weights["token_embd.weight"];
        let mut xs: Vec<Vec<f64>> =
            tokens.iter().map(|token| embeddings[*token as usize * hidden..][..*hidden].to_vec()).collect();
        for layer in 0..shape.layers {
            let name = |part: &str| format!("blk.{layer}.{part}");
            let project = |part: &str, x: &[f64]| self.project(&name(part), x);
            let normal: Vec<_> = xs.iter().map(|x| self.norm(x, &name("attn_norm.weight"))).collect();
            let [queries, keys, values] =
                ["attn_q", "attn_k", "attn_v"].map(|part| normal.iter().map(|x| project(part, x)).collect::<Vec<_>>());
            for (index, x) in xs.iter_mut().enumerate() {
                let mut seen = Vec::new();
                for head in 0..shape.heads {
                    let kv = head / (shape.heads / shape.kv_heads) * shape.head_dim;
                    let query = self.turned(&queries[index][head * shape.head_dim..], positions[index]);
                    let weights: Vec<f64> = sights[index]
                        .iter()
                        .map(|(key, position, bias)| {
                            let key = self.turned(&keys[*key][kv..], *position);
                            let dot: f64 = query.iter().zip(&key).map(|(q, k)| q * k).sum();
                            (dot / (shape.head_dim as f64).sqrt() + bias).exp()
                        })
                        .collect();
                    let total: f64 = weights.iter().sum();
                    seen.extend((0..shape.head_dim).map(|i| {
                        let weighed = sights[index].iter().zip(&weights).map(|(sight, w)| w * values[sight.0][kv + i]);
                        weighed.sum::<f64>() / total
                    }));
                }
                x.iter_mut().zip(project("attn_output", &seen)).for_each(|(x, y)| *x += y);
            }
            for x in &mut xs {
                let normal = self.norm(x, &name("ffn_norm.weight"));
                let (gate, up) = (project("ffn_gate", &normal), project("ffn_up", &normal));
                let product: Vec<_> = gate.iter().zip(&up).map(|(g, u)| g / (1.0 + (-g).exp()) * u).collect();
                x.iter_mut().zip(project("ffn_down", &product)).for_each(|(x, y)| *x += y);
            }
        }
        let output = if shape.untied { "output" } else { "token_embd" };
        xs.iter().map(|x| self.project(output, &self.norm(x, "output_norm.weight"))).collect()
    }

    fn norm(&self, x: &[f64], weight: &str) -> Vec<f64> {
        let root = (x.iter().map(|x| x * x).sum::<f64>() / x.len() as f64 + 1e-5).sqrt();
        x.iter().zip(&self.weights[weight].0).map(|(x, w)| x / root * w).collect()
    }

    fn project(&self, name: &str, x: &[f64]) -> Vec<f64> {
        let (weight, inputs) = &self.weights[&format!("{name}.weight")];
        let mut out: Vec<f64> = weight.chunks(*inputs).map(|row| row.iter().zip(x).map(|(w, x)| w * x).sum()).collect();
        if let Some((bias, _)) = self.weights.get(&format!("{name}.bias")) {
            out.iter_mut().zip(bias).for_each(|(out, bias)| *out += bias);
        }
        out
    }

    fn turned(&self, head: &[f64], position: u32) -> Vec<f64> {
        let dim = self.shape.head_dim;
        let mut out = head[..dim].to_vec();
        for pair in 0..dim / 2 {
            let (a, b) = match self.shape.architecture {
                "llama" => (2 * pair, 2 * pair + 1),
                _ => (pair, pair + dim / 2),
            };
            let angle = f64::from(position) * f64::from(self.shape.rope_base).powf(-2.0 * pair as f64 / dim as f64);
            let (x, y) = (out[a], out[b]);
            (out[a], out[b]) = (x * angle.cos() - y * angle.sin(), x * angle.sin() + y * angle.cos());
        }
        out
    }
}

/// What each token of a plain text sees.
pub fn causal(len: usize, start: u32) -> Vec<Vec<Sight>> {
    (0..len).map(|query| (0..=query).map(|key| (key, start + key as u32, 0.0)).collect()).collect()
}

fn shapes() -> Vec<(&'static str, Tiny)> {
    vec![
        ("llama", Tiny::llama()),
        ("qwen2", Tiny::qwen2()),
        ("llama untied, one key head", Tiny { untied: true, kv_heads: 1, ..Tiny::llama() }),
        ("llama, every head its own keys", Tiny { kv_heads: 4, rope_base: 1e6, ..Tiny::llama() }),
        ("qwen2 tied, many heads a group", Tiny { untied: false, heads: 12, kv_heads: 1, ..Tiny::qwen2() }),
        ("llama with biases", Tiny { biases: true, ..Tiny::llama() }),
    ]
}

#[test]
fn plain_text_as_the_scalar_reference_has_it() {
    for (name, shape) in shapes() {
        let folder = tempfile::tempdir().unwrap();
        let model = LanguageModel::open(&shape.write(folder.path(), 1), &options(2, KvPrecision::F32)).unwrap();
        let tokens = Noise(2).tokens(41, TINY_VOCAB);
        let positions: Vec<u32> = (7..48).collect();
        let expected = Reference::new(&shape, &shape.tensors(1)).logits(&tokens, &positions, &causal(41, 7));
        let found = alone(&model, all(&tokens, 7, &Context::new())).logits;
        let apart = difference(&found, &expected);
        assert!(apart < 2e-5, "{name}: {apart:e} apart");
    }
}

/// A prefix, two cards that see it, moved; a question that sees the prefix, the first card with a line hidden and a line
/// emphasised across another bias, and the second card whole.
#[test]
fn cards_masks_and_biases_as_the_scalar_reference_has_them() {
    for (name, shape) in shapes() {
        let folder = tempfile::tempdir().unwrap();
        let model = LanguageModel::open(&shape.write(folder.path(), 3), &options(2, KvPrecision::F32)).unwrap();
        let mut noise = Noise(4);
        let [prefix, first, second, question] = [5, 70, 33, 12].map(|count| noise.tokens(count, TINY_VOCAB));

        // Both cards are encoded behind the prefix at positions 5.., then placed at 5.. and 80...
        let none = Context::new();
        let kv = alone(&model, all(&prefix, 0, &none)).kv;
        let mut context = Context::new();
        context.push(Part::new(model.place(&kv, 0).unwrap()));
        let cards = [&first, &second].map(|card| alone(&model, all(card, 5, &context)).kv);
        let mut part = Part::new(model.place(&cards[0], 5).unwrap());
        part.hidden = vec![10..25, 60..70];
        part.bias = vec![(25..40, 2.0), (30..45, -0.5)];
        let second_place = model.place(&cards[1], 80).unwrap();
        let context = context.with(part).with(Part::new(second_place));
        assert_eq!(context.len(), 5 + 70 - 25 + 33);
        let segment = Segment { tokens: &question, start: 113, context: &context, logits: Rows::All, capture: &[] };
        let found = alone(&model, segment).logits;

        let tokens: Vec<u32> = [&prefix, &first, &second, &question].into_iter().flatten().copied().collect();
        let positions: Vec<u32> = (0..5).chain(5..75).chain(5..38).chain(113..125).collect();
        let of_prefix = || (0..5).map(|key| (key, key as u32, 0.0));
        let mut sights = causal(5, 0);
        for (start, len) in [(5, 70), (75, 33)] {
            for query in 0..len {
                let own = (0..=query).map(|key| (start + key, 5 + key as u32, 0.0));
                sights.push(of_prefix().chain(own).collect());
            }
        }
        for query in 0..question.len() {
            let visible = (0..70_usize).filter(|key| !(10..25).contains(key) && *key < 60);
            let of_first = visible.map(|key| {
                let emphasis = if (25..40).contains(&key) { 2.0 } else { 0.0 };
                let doubt = if (30..45).contains(&key) { -0.5 } else { 0.0 };
                (5 + key, 5 + key as u32, emphasis + doubt)
            });
            let of_second = (0..33).map(|key| (75 + key, 80 + key as u32, 0.0));
            let own = (0..=query).map(|key| (108 + key, 113 + key as u32, 0.0));
            sights.push(of_prefix().chain(of_first).chain(of_second).chain(own).collect());
        }
        let expected = Reference::new(&shape, &shape.tensors(3)).logits(&tokens, &positions, &sights);
        let apart = difference(&found, &expected[108..]);
        assert!(apart < 2e-5, "{name}: {apart:e} apart");
    }
}

#[test]
fn captured_states_lead_to_the_logits() {
    let shape = Tiny::qwen2();
    let folder = tempfile::tempdir().unwrap();
    let model = LanguageModel::open(&shape.write(folder.path(), 5), &options(1, KvPrecision::F32)).unwrap();
    let (tokens, none) = (Noise(6).tokens(9, TINY_VOCAB), Context::new());
    let segment = Segment { tokens: &tokens, start: 0, context: &none, logits: Rows::Last, capture: &[1, 0, 1] };
    let done = alone(&model, segment);
    assert_eq!(done.hidden.len(), 3);
    assert_eq!(done.hidden[0], done.hidden[2]);
    assert_ne!(done.hidden[0], done.hidden[1]);
    let tensors = shape.tensors(5);
    let reference = Reference::new(&shape, &tensors);
    let last: Vec<f64> = done.hidden[0].iter().map(|value| f64::from(*value)).collect();
    let logits = reference.project("output", &reference.norm(&last, "output_norm.weight"));
    let apart = difference(&done.logits, &[logits]);
    assert!(apart < 1e-5, "{apart:e} apart");
}
