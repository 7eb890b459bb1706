//! What attention is asked for.

use crate::kv::Context;
use std::ops::Range;

/// How the values of a row are shared out among attention heads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heads {
    /// Query heads.
    pub heads: usize,
    /// Key/value heads; divides `heads`.
    pub kv_heads: usize,
    /// Values of a head.
    pub head_dim: usize,
}

/// The rows of one segment in a batch, and what they see beside the earlier ones of themselves.
#[derive(Clone, Debug)]
pub struct Span<'a> {
    /// Its rows.
    pub rows: Range<usize>,
    /// Those from which on attention is wanted.
    pub wanted: usize,
    /// What all of them see.
    pub context: &'a Context,
}
