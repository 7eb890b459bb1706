//! Attention in which each token of a text sees all of them, as encoders have it.

#![allow(unsafe_code, reason = "instruction sets chosen at run time")]

use super::{
    elementwise::{add_product, exponentials_body, for_each_isa},
    isa::Isa,
    isa::PORTABLE_FUSES,
};

/// Queries, keys and values of one text: rows of `heads · size` values.
#[derive(Clone, Copy)]
pub struct Text<'a> {
    pub queries: &'a [f32],
    pub keys: &'a [f32],
    pub values: &'a [f32],
}

for_each_isa! {
    /// The attention of a text's tokens to all of them, into rows like theirs; `columns` values a row, `size` of them a head.
    pub fn attend_all(text: Text<'_>, columns: usize, size: usize, into: &mut [f32]) = attend_all_body
}

#[inline(always)]
fn attend_all_body<const FUSED: bool>(text: Text<'_>, columns: usize, size: usize, into: &mut [f32]) {
    let tokens = into.len() / columns;
    let scale = 1.0 / (size as f32).sqrt();
    // Keys of one head, a row for each of its values, so that the products of one query with all keys are one loop over neighbours.
    let (mut turned, mut weights) = (vec![0.0; size * tokens], vec![0.0; tokens]);
    for head in (0..columns).step_by(size) {
        for (token, key) in text.keys.chunks_exact(columns).enumerate() {
            for (at, value) in key[head..head + size].iter().enumerate() {
                turned[at * tokens + token] = *value;
            }
        }
        for (query, into) in text.queries.chunks_exact(columns).zip(into.chunks_exact_mut(columns)) {
            weights.fill(0.0);
            for (value, keys) in query[head..head + size].iter().zip(turned.chunks_exact(tokens)) {
                for (weight, key) in weights.iter_mut().zip(keys) {
                    *weight = add_product::<FUSED>(*weight, value * scale, *key);
                }
            }
            let whole = 1.0 / exponentials_body::<FUSED>(&mut weights);
            let into = &mut into[head..head + size];
            into.fill(0.0);
            for (weight, value) in weights.iter().zip(text.values.chunks_exact(columns)) {
                for (into, value) in into.iter_mut().zip(&value[head..head + size]) {
                    *into = add_product::<FUSED>(*into, weight * whole, *value);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_agrees_with_doubles() {
        for (tokens, heads, size) in [(1, 1, 4), (3, 2, 8), (37, 3, 32), (70, 2, 5)] {
            let columns = heads * size;
            let made = |seed: usize| -> Vec<f32> {
                (0..tokens * columns).map(|i| ((i * 7919 + seed * 131) % 1009) as f32 / 252.0 - 2.0).collect()
            };
            let (queries, keys, values) = (made(1), made(2), made(3));
            let at = |rows: &[f32], token: usize, column: usize| f64::from(rows[token * columns + column]);
            for isa in Isa::available() {
                let mut found = vec![0.0; tokens * columns];
                attend_all(isa, Text { queries: &queries, keys: &keys, values: &values }, columns, size, &mut found);
                for token in 0..tokens {
                    for column in 0..columns {
                        let head = column / size * size..column / size * size + size;
                        let logit = |other: usize| {
                            let products = head.clone().map(|c| at(&queries, token, c) * at(&keys, other, c));
                            products.sum::<f64>() / (size as f64).sqrt()
                        };
                        let most = (0..tokens).map(logit).fold(f64::MIN, f64::max);
                        let power = |other: usize| (logit(other) - most).exp();
                        let sum: f64 = (0..tokens).map(power).sum();
                        let expected: f64 =
                            (0..tokens).map(|other| power(other) / sum * at(&values, other, column)).sum();
                        let found = f64::from(found[token * columns + column]);
                        assert!(
                            (found - expected).abs() < 1e-5,
                            "{isa:?} {tokens} {token} {column}: {found}, not {expected}"
                        );
                    }
                }
            }
        }
    }
}
