//! What a forward pass needs of the machine it runs on.
//!
//! A [`Backend`] knows matrices, tokens' rows and [contexts](crate::kv::Context); it knows nothing of layers, files or text. [`cpu`] implements it;
//! [`cuda`] finds out whether there is a device.

pub mod cpu;
pub mod cuda;
mod span;

pub use span::{Heads, Span};

use crate::{
    EngineError,
    kv::{KeyValues, KvPrecision, Placed, Rounded},
    model::{Rope, quantised::Tensor},
};

/// Operations of a forward pass.
///
/// Contract for all of them: a row of the result has the same bits whatever other rows are in the batch and however many threads
/// work; a hidden token has no influence on any bit. Sizes have been checked by the caller.
pub(crate) trait Backend: Send + Sync {
    /// Activations, rows of equal width.
    type Buffer: Send + Sync;
    /// A loaded matrix.
    type Weight: Send + Sync;
    /// A loaded vector.
    type Vector: Send + Sync;
    /// Angles of a run of positions.
    type Turns: Send + Sync;

    /// Loads a matrix given as one row of `depth` values for each output; of groups, `depth` is a multiple of their size.
    fn weight(&self, tensor: &Tensor, depth: usize) -> Result<Self::Weight, EngineError>;

    /// Loads a vector.
    fn vector(&self, values: Vec<f32>) -> Result<Self::Vector, EngineError>;

    /// Bytes that a loaded matrix takes as it lies in memory.
    fn weight_bytes(&self, weight: &Self::Weight) -> usize;

    /// Bytes that a loaded vector takes.
    fn vector_bytes(&self, vector: &Self::Vector) -> usize;

    /// The table's rows of these tokens.
    fn embed(&self, table: &Self::Weight, tokens: &[u32]) -> Result<Self::Buffer, EngineError>;

    /// Each row divided by its root mean square, times the weight.
    fn rms_norm(&self, x: &Self::Buffer, weight: &Self::Vector, eps: f32) -> Result<Self::Buffer, EngineError>;

    /// `x · weightᵀ` for weights that share their input.
    fn matmul<const N: usize>(
        &self,
        x: &Self::Buffer,
        weights: [&Self::Weight; N],
    ) -> Result<[Self::Buffer; N], EngineError>;

    /// Some outputs of `x · weightᵀ`, in the order given.
    fn matmul_outputs(
        &self,
        x: &Self::Buffer,
        weight: &Self::Weight,
        outputs: &[u32],
    ) -> Result<Self::Buffer, EngineError>;

    /// Adds the bias to each row.
    fn add_bias(&self, x: &mut Self::Buffer, bias: &Self::Vector) -> Result<(), EngineError>;

    /// Rounds keys or values as they are stored, in place, and returns each span's in that form.
    fn keep(
        &self,
        x: &mut Self::Buffer,
        spans: &[Span<'_>],
        precision: KvPrecision,
    ) -> Result<Vec<Rounded>, EngineError>;

    /// The angles of these positions, for all layers.
    fn turns(&self, positions: &[u32], rope: &Rope) -> Result<Self::Turns, EngineError>;

    /// Rotates each head of each row to the row's position.
    fn rotate(&self, x: &mut Self::Buffer, turns: &Self::Turns, head_dim: usize) -> Result<(), EngineError>;

    /// Attention of each span's rows over its context's visible tokens and over its own rows up to and with the row itself.
    fn attend(
        &self,
        queries_keys_values: [&Self::Buffer; 3],
        spans: &[Span<'_>],
        layer: usize,
        heads: Heads,
        precision: KvPrecision,
    ) -> Result<Self::Buffer, EngineError>;

    /// How the last row of a span shares out the attention that [`attend`](Self::attend) gives it: what each token gets on average over
    /// the heads, the context's visible tokens first, in its order, then the span's own. Together 1. For people who want to see it, so
    /// it may take its time; it changes nothing.
    fn attention_shares(
        &self,
        queries_keys: [&Self::Buffer; 2],
        span: &Span<'_>,
        layer: usize,
        heads: Heads,
        precision: KvPrecision,
    ) -> Result<Vec<f64>, EngineError>;

    /// `gate · sigmoid(gate) · up`.
    fn silu_mul(&self, gate: Self::Buffer, up: &Self::Buffer) -> Result<Self::Buffer, EngineError>;

    /// Adds `y` to `x`.
    fn add(&self, x: &mut Self::Buffer, y: &Self::Buffer) -> Result<(), EngineError>;

    /// Some of the rows.
    fn gather(&self, x: &Self::Buffer, rows: &[usize]) -> Result<Self::Buffer, EngineError>;

    /// Brings the rows to the host.
    fn read(&self, x: Self::Buffer) -> Result<Vec<Vec<f32>>, EngineError>;

    /// Rotates stored keys to the positions from `start` on and lays them out for [`attend`](Self::attend).
    fn place(&self, kv: &KeyValues, start: u32, rope: &Rope, heads: Heads) -> Result<Placed, EngineError>;
}
