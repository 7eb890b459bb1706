//! How attention is shared out among tokens. The kernels that answer keep no weights, so these are computed beside them, in f64 and from
//! the same rounded keys.

use super::{LayerPanels, Matrix, tile::PANEL};
use crate::{
    backend::{Heads, Span},
    kv::{KvPrecision, Run},
};

/// What each token that a span's last row sees gets of its attention, on average over the heads.
pub fn attention_shares(
    [q, k]: [&Matrix; 2],
    span: &Span<'_>,
    layer: usize,
    heads: Heads,
    precision: KvPrecision,
) -> Vec<f64> {
    let Heads { heads: count, kv_heads, head_dim } = heads;
    let keys = &k.values[span.rows.start * k.columns..span.rows.end * k.columns];
    // Packed as attention packs them, so that they are rounded alike; the values are not looked at.
    let own = LayerPanels::pack(keys, keys, heads, precision);
    let itself = [Run { tokens: 0..span.rows.len() as u32, bias: 0.0 }];
    let context = span.context.parts().filter_map(|(placed, runs)| Some((placed.layers.get(layer)?, runs)));
    let parts: Vec<(&LayerPanels, &[Run])> = context.chain([(&own, &itself[..])]).collect();
    let query = q.row(span.rows.end - 1);
    let group = count / kv_heads;
    let mut shares = vec![0.0; span.context.len() + span.rows.len()];
    for (head, queries) in query.chunks_exact(group * head_dim).enumerate() {
        let tokens = parts.iter().flat_map(|(panels, runs)| {
            let tokens = runs.iter().flat_map(|run| run.tokens.clone().map(|token| (token as usize, run.bias)));
            tokens.map(|(token, bias)| (panels.key_panel(head, token / PANEL).lane(token % PANEL), bias))
        });
        let keys: Vec<(Vec<f32>, f32)> = tokens.collect();
        for query in queries.chunks_exact(head_dim) {
            let logits: Vec<f64> = keys.iter().map(|(key, bias)| logit(query, key) + f64::from(*bias)).collect();
            let largest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let weights: Vec<f64> = logits.into_iter().map(|logit| (logit - largest).exp()).collect();
            let total: f64 = weights.iter().sum::<f64>() * count as f64;
            shares.iter_mut().zip(weights).for_each(|(share, weight)| *share += weight / total);
        }
    }
    shares
}

fn logit(query: &[f32], key: &[f32]) -> f64 {
    let product: f64 = query.iter().zip(key).map(|(query, key)| f64::from(*query) * f64::from(*key)).sum();
    product / (query.len() as f64).sqrt()
}
