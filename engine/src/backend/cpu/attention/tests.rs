#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::{
    backend::cpu::{made::values, shares::attention_shares},
    kv::{Context, Part, Placed},
};
use half::f16;
use proptest::prelude::*;
use std::sync::Arc;

/// A part of a context: tokens, those hidden, those with a bias.
type Shape = (usize, Vec<Range<u32>>, Vec<(Range<u32>, f32)>);

/// Keys and values of some tokens, in a precision that keeps them exactly.
struct Tokens {
    keys: Matrix,
    values: Matrix,
}

impl Tokens {
    fn new(count: usize, heads: Heads, precision: KvPrecision, seed: u64) -> Self {
        let columns = heads.kv_heads * heads.head_dim;
        let matrix = |seed, size: f32| {
            let values = values(count * columns, seed).into_iter().map(|value| size * value);
            let kept: Vec<f32> = match precision {
                KvPrecision::F32 => values.collect(),
                KvPrecision::F16 | KvPrecision::Int8 => values.map(|value| f16::from_f32(value).to_f32()).collect(),
            };
            Matrix { columns, values: kept.into() }
        };
        Self { keys: matrix(seed, 4.0), values: matrix(!seed, 1.0) }
    }

    fn placed(&self, heads: Heads, precision: KvPrecision) -> Arc<Placed> {
        let layers = vec![LayerPanels::pack(&self.keys.values, &self.values.values, heads, precision)];
        Arc::new(Placed { start: 0, len: self.keys.rows() as u32, layers })
    }
}

/// What one query head sees: key, value and bias of each token.
type Seen<'a> = Vec<(&'a [f32], &'a [f32], f32)>;

/// Attention of one query in f64, what each token gets of it, and how far a result in f32 may be off.
fn exact(query: &[f32], seen: &Seen<'_>) -> (Vec<f64>, Vec<f64>, f64) {
    let logits: Vec<f64> = seen
        .iter()
        .map(|(key, _, bias)| {
            let product: f64 = query.iter().zip(*key).map(|(q, k)| f64::from(*q) * f64::from(*k)).sum();
            product / (query.len() as f64).sqrt() + f64::from(*bias)
        })
        .collect();
    let largest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = logits.iter().map(|logit| (logit - largest).exp()).collect();
    let total: f64 = weights.iter().sum();
    let mut out = vec![0.0; query.len()];
    for (weight, (_, value, _)) in weights.iter().zip(seen) {
        out.iter_mut().zip(*value).for_each(|(out, value)| *out += weight / total * f64::from(*value));
    }
    // No logit is above 4 · sqrt(head_dim) + bias, no value above 1: errors of logits, of the sum and of the weights in turn.
    let size = 4.0 * (query.len() as f64).sqrt() + 4.0;
    let bound = f64::from(f32::EPSILON) * (2.0 * size * query.len() as f64 + 2.0 * seen.len() as f64 + 8.0);
    (out, weights.into_iter().map(|weight| weight / total).collect(), bound)
}

/// Every set against sums in f64; the same bits on one thread, for a span alone, and where only its last rows are wanted.
fn check(
    heads: Heads,
    precision: KvPrecision,
    shapes: &[Shape],
    rows: &[usize],
    seed: u64,
) -> Result<(), TestCaseError> {
    let tokens: Vec<_> =
        shapes.iter().zip(1..).map(|(shape, n)| Tokens::new(shape.0, heads, precision, seed ^ n << 8)).collect();
    let mut context = Context::new();
    for (tokens, (_, hidden, bias)) in tokens.iter().zip(shapes) {
        let placed = tokens.placed(heads, precision);
        context.push(Part { placed, hidden: hidden.clone(), bias: bias.clone() });
    }
    let empty = Context::new();
    let all: usize = rows.iter().sum();
    let own = Tokens::new(all, heads, precision, seed);
    let columns = heads.heads * heads.head_dim;
    let q = Matrix { columns, values: values(all * columns, seed ^ 77).into() };
    let mut spans = Vec::new();
    for (number, rows) in rows.iter().enumerate() {
        let start = spans.last().map_or(0, |span: &Span<'_>| span.rows.end);
        let context = if number == 1 { &empty } else { &context };
        spans.push(Span { rows: start..start + rows, wanted: start, context });
    }
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let three = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let mut fused: Option<Matrix> = None;
    for isa in Isa::available() {
        let run = |spans: &[Span<'_>]| attend(isa, [&q, &own.keys, &own.values], spans, 0, heads, precision);
        let found = three.install(|| run(&spans));
        prop_assert_eq!(&found, &one.install(|| run(&spans)), "{:?}: threads show", isa);
        if isa.fuses() {
            prop_assert_eq!(&*fused.get_or_insert_with(|| found.clone()), &found, "{:?}: another set", isa);
        }
        for span in &spans {
            let last = Span { wanted: span.rows.end - 1, ..span.clone() };
            let alone = run(&[last]);
            prop_assert_eq!(alone.row(span.rows.end - 1), found.row(span.rows.end - 1), "{:?}: alone", isa);
            let mut shares = attention_shares([&q, &own.keys], span, 0, heads, precision);
            prop_assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{:?}", shares);
            for row in span.rows.clone() {
                for head in 0..heads.heads {
                    let kv = head / (heads.heads / heads.kv_heads) * heads.head_dim;
                    let cut = |row: &'_ [f32]| kv..kv + heads.head_dim.min(row.len());
                    let mut seen: Seen<'_> = Vec::new();
                    let parts = if span.context.is_empty() { &[] } else { shapes };
                    for (tokens, (count, hidden, bias)) in tokens.iter().zip(parts) {
                        for token in 0..*count as u32 {
                            if !hidden.iter().any(|range| range.contains(&token)) {
                                let bias =
                                    bias.iter().filter(|(range, _)| range.contains(&token)).map(|(_, b)| b).sum();
                                let [key, value] = [&tokens.keys, &tokens.values].map(|all| all.row(token as usize));
                                seen.push((&key[cut(key)], &value[cut(value)], bias));
                            }
                        }
                    }
                    for token in span.rows.start..=row {
                        let [key, value] = [&own.keys, &own.values].map(|all| all.row(token));
                        seen.push((&key[cut(key)], &value[cut(value)], 0.0));
                    }
                    let at = head * heads.head_dim;
                    let (expected, weights, bound) = exact(&q.row(row)[at..][..heads.head_dim], &seen);
                    for (found, expected) in found.row(row)[at..].iter().zip(expected) {
                        let error = (f64::from(*found) - expected).abs();
                        prop_assert!(error <= bound, "{isa:?} row {row} head {head}: {found}, not {expected}");
                    }
                    if row + 1 == span.rows.end {
                        prop_assert_eq!(shares.len(), weights.len());
                        shares.iter_mut().zip(weights).for_each(|(share, own)| *share -= own / heads.heads as f64);
                    }
                }
            }
            prop_assert!(shares.iter().all(|rest| rest.abs() < 1e-12), "{:?}: not the mean of the heads", shares);
        }
    }
    Ok(())
}

fn shape() -> impl Strategy<Value = Shape> {
    let range = || (0_u32..100, 0_u32..40).prop_map(|(start, len)| start..start + len);
    let hidden = prop::collection::vec(range(), 0..3);
    (0_usize..100, hidden, prop::collection::vec((range(), -2.0_f32..2.0), 0..3))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_context(
        (kv_heads, group, head_dim) in (1_usize..4, 1_usize..5, prop_oneof![Just(32_usize), Just(40), Just(64)]),
        shapes in prop::collection::vec(shape(), 0..5),
        rows in prop::collection::vec(1_usize..20, 1..4),
        wide: bool,
        seed: u64,
    ) {
        let heads = Heads { heads: kv_heads * group, kv_heads, head_dim };
        check(heads, if wide { KvPrecision::F32 } else { KvPrecision::F16 }, &shapes, &rows, seed)?;
    }
}

#[test]
fn long_contexts_are_cut_in_pieces() {
    let heads = Heads { heads: 6, kv_heads: 3, head_dim: 64 };
    let shapes = [
        (700, vec![3..40, 64..96], vec![(90..400, 1.5)]),
        (33, vec![], vec![]),
        (500, vec![490..494, 499..500], vec![]),
    ];
    for rows in [&[1][..], &[9, 2, 600]] {
        if let Err(error) = check(heads, KvPrecision::F16, &shapes, rows, 5) {
            unreachable!("{rows:?} rows: {error}");
        }
    }
}
