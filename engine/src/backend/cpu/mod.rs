//! The backend for the host's processors.

mod attention;
mod bidirectional;
mod dot;
mod elementwise;
mod groups;
mod isa;
pub mod limits;
#[cfg(test)]
mod made;
mod matmul;
mod matrix;
mod pages;
mod panels;
mod parts;
mod rotary;
mod rounded;
mod scratch;
mod shares;
mod tile;

pub use isa::Isa;
pub use matrix::{Matrix, Weight};
pub use panels::LayerPanels;

use super::{Backend, Heads, Span};
use crate::{
    EngineError,
    kv::{KeyValues, KvPrecision, Placed, Rounded},
    model::{Rope, quantised::Tensor},
};
use pages::Arena;
use rayon::prelude::*;
use rotary::Rotation;

/// Values that one task adds; fewer are not worth waking a thread.
const SHARE: usize = 1 << 14;

/// Runs on the threads of the pool that it is called in.
#[derive(Debug)]
pub(crate) struct Cpu {
    isa: Isa,
    arena: Arena,
}

impl Cpu {
    pub fn new(isa: Isa) -> Self {
        Self { isa, arena: Arena::default() }
    }
}

/// What encoders need beside the operations of every backend; the same contract holds.
impl Cpu {
    /// Each row brought to mean 0 and variance 1, times the weight, plus the bias.
    pub fn layer_norm(&self, x: &mut Matrix, weight: &[f32], bias: &[f32], eps: f32) {
        let rows = x.values.par_chunks_exact_mut(weight.len()).with_min_len(16);
        rows.for_each(|row| elementwise::layer_norm(self.isa, row, weight, bias, eps));
    }

    /// `x · Φ(x)` for each value.
    pub fn gelu(&self, x: &mut Matrix) {
        x.values.par_chunks_mut(SHARE).for_each(|values| elementwise::gelu(self.isa, values));
    }

    /// Attention within texts whose tokens lie one after the other, `lengths` of them, each to all of its text; `size` values a head.
    pub fn attend_all(&self, [q, k, v]: [&Matrix; 3], lengths: &[usize], size: usize) -> Matrix {
        let columns = q.columns;
        let mut seen = Matrix::to_write(q.rows(), columns);
        let (mut rest, mut start, mut texts) = (&mut seen.values[..], 0, Vec::with_capacity(lengths.len()));
        for length in lengths {
            let (into, behind) = rest.split_at_mut(length * columns);
            texts.push((start..start + into.len(), into));
            (rest, start) = (behind, start + length * columns);
        }
        texts.into_par_iter().for_each(|(at, into)| {
            let text = bidirectional::Text {
                queries: &q.values[at.clone()],
                keys: &k.values[at.clone()],
                values: &v.values[at],
            };
            bidirectional::attend_all(self.isa, text, columns, size, into);
        });
        seen
    }
}

impl Backend for Cpu {
    type Buffer = Matrix;
    type Weight = Weight;
    type Vector = Vec<f32>;
    type Turns = Rotation;

    fn weight(&self, tensor: &Tensor, depth: usize) -> Result<Weight, EngineError> {
        Weight::pack(tensor, depth, &self.arena).map_err(EngineError::Memory)
    }

    fn vector(&self, values: Vec<f32>) -> Result<Vec<f32>, EngineError> {
        Ok(values)
    }

    fn weight_bytes(&self, weight: &Weight) -> usize {
        weight.bytes()
    }

    fn vector_bytes(&self, vector: &Vec<f32>) -> usize {
        size_of_val(&**vector)
    }

    fn embed(&self, table: &Weight, tokens: &[u32]) -> Result<Matrix, EngineError> {
        let mut x = Matrix::to_write(tokens.len(), table.depth);
        for (row, token) in x.values.chunks_exact_mut(table.depth).zip(tokens) {
            table.unpack(*token as usize, row);
        }
        Ok(x)
    }

    fn rms_norm(&self, x: &Matrix, weight: &Vec<f32>, eps: f32) -> Result<Matrix, EngineError> {
        let mut normal = Matrix::to_write(x.rows(), x.columns);
        let rows = normal.values.par_chunks_exact_mut(x.columns).zip(x.values.par_chunks_exact(x.columns));
        rows.with_min_len(16).for_each(|(into, row)| elementwise::rms_norm(self.isa, row, weight, eps, into));
        Ok(normal)
    }

    fn matmul<const N: usize>(&self, x: &Matrix, weights: [&Weight; N]) -> Result<[Matrix; N], EngineError> {
        Ok(matmul::matmul(self.isa, x, weights))
    }

    fn matmul_outputs(&self, x: &Matrix, weight: &Weight, outputs: &[u32]) -> Result<Matrix, EngineError> {
        Ok(matmul::matmul_outputs(self.isa, x, weight, outputs))
    }

    fn add_bias(&self, x: &mut Matrix, bias: &Vec<f32>) -> Result<(), EngineError> {
        for row in x.values.chunks_exact_mut(x.columns) {
            row.iter_mut().zip(bias).for_each(|(value, bias)| *value += bias);
        }
        Ok(())
    }

    fn keep(&self, x: &mut Matrix, spans: &[Span<'_>], precision: KvPrecision) -> Result<Vec<Rounded>, EngineError> {
        let mut kept = Vec::with_capacity(spans.len());
        for span in spans {
            let values = &mut x.values[span.rows.start * x.columns..span.rows.end * x.columns];
            kept.push(Rounded::round(values, x.columns, precision));
        }
        Ok(kept)
    }

    fn turns(&self, positions: &[u32], rope: &Rope) -> Result<Rotation, EngineError> {
        Ok(Rotation::new(rope, positions.iter().copied()))
    }

    fn rotate(&self, x: &mut Matrix, turns: &Rotation, head_dim: usize) -> Result<(), EngineError> {
        turns.apply(&mut x.values, x.columns, head_dim);
        Ok(())
    }

    fn attend(
        &self,
        [q, k, v]: [&Matrix; 3],
        spans: &[Span<'_>],
        layer: usize,
        heads: Heads,
        precision: KvPrecision,
    ) -> Result<Matrix, EngineError> {
        Ok(attention::attend(self.isa, [q, k, v], spans, layer, heads, precision))
    }

    fn attention_shares(
        &self,
        [q, k]: [&Matrix; 2],
        span: &Span<'_>,
        layer: usize,
        heads: Heads,
        precision: KvPrecision,
    ) -> Result<Vec<f64>, EngineError> {
        Ok(shares::attention_shares([q, k], span, layer, heads, precision))
    }

    fn silu_mul(&self, mut gate: Matrix, up: &Matrix) -> Result<Matrix, EngineError> {
        let rows = gate.values.par_chunks_exact_mut(up.columns).zip(up.values.par_chunks_exact(up.columns));
        rows.with_min_len(4).for_each(|(gate, up)| elementwise::silu_mul(self.isa, gate, up));
        Ok(gate)
    }

    fn add(&self, x: &mut Matrix, y: &Matrix) -> Result<(), EngineError> {
        let parts = x.values.par_chunks_mut(SHARE).zip(y.values.par_chunks(SHARE));
        parts.for_each(|(x, y)| x.iter_mut().zip(y).for_each(|(x, y)| *x += y));
        Ok(())
    }

    fn gather(&self, x: &Matrix, rows: &[usize]) -> Result<Matrix, EngineError> {
        let mut gathered = Matrix::to_write(rows.len(), x.columns);
        for (into, row) in gathered.values.chunks_exact_mut(x.columns).zip(rows) {
            into.copy_from_slice(x.row(*row));
        }
        Ok(gathered)
    }

    fn read(&self, x: Matrix) -> Result<Vec<Vec<f32>>, EngineError> {
        Ok(x.values.chunks_exact(x.columns.max(1)).map(<[f32]>::to_vec).collect())
    }

    fn place(&self, kv: &KeyValues, start: u32, rope: &Rope, heads: Heads) -> Result<Placed, EngineError> {
        let len = kv.len();
        let rotation = Rotation::new(rope, (start..).take(len));
        let place = |layer| {
            let (mut keys, values) = kv.layer(layer);
            rotation.apply(&mut keys, kv.width(), heads.head_dim);
            LayerPanels::pack(&keys, &values, heads, kv.precision())
        };
        let layers = (0..kv.layers()).into_par_iter().map(place).collect();
        Ok(Placed { start, len: len as u32, layers })
    }
}
