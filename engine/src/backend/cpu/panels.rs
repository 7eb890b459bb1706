//! Keys and values as the attention kernel reads them.

use super::{
    scratch::{Reused, Scratch},
    tile::{PANEL, Panel},
};
use crate::{backend::Heads, kv::KvPrecision};
use half::{f16, slice::HalfFloatSliceExt};
use rayon::prelude::*;
use std::ops::Range;

/// Tokens of a head that one task lays out; fewer are not worth waking a thread.
const SHARE: usize = 64;

/// One layer's keys and values in panels (see [`super::tile`]), head by head. For the logits a panel's columns are tokens and its
/// depth the values of a head; for the weighted sum its columns are values of a head and its depth the tokens. So both products
/// are the same sweep, and a run of tokens is a run of lanes in the one and of depth in the other. What fills up the last panels is
/// anything, and no result takes it in.
#[derive(Debug)]
pub struct LayerPanels {
    len: usize,
    head_dim: usize,
    stored: Stored,
}

/// Keys, then values.
#[derive(Debug)]
enum Stored {
    Wide([Scratch<f32>; 2]),
    /// Where keys and values are kept in two bytes or less: rotated keys are rounded once more, wherever a text was cut.
    Half([Scratch<f16>; 2]),
}

impl LayerPanels {
    /// Lays out rotated keys and values, given token by token.
    #[must_use]
    pub fn pack(keys: &[f32], values: &[f32], heads: Heads, precision: KvPrecision) -> Self {
        let len = keys.len().checked_div(heads.kv_heads * heads.head_dim).unwrap_or(0);
        let stored = match precision {
            KvPrecision::F32 => Stored::Wide(laid_out([keys, values], len, heads)),
            KvPrecision::F16 | KvPrecision::Int8 => {
                let halves = [keys, values].map(|wide| {
                    let mut half = Scratch::to_write(wide.len());
                    half.convert_from_f32_slice(wide);
                    half
                });
                Stored::Half(laid_out(halves.each_ref().map(|half| &**half), len, heads))
            }
        };
        Self { len, head_dim: heads.head_dim, stored }
    }

    /// Whether it was laid out for heads like these.
    pub(crate) fn fits(&self, heads: Heads) -> bool {
        let keys = heads.kv_heads * self.len.div_ceil(PANEL) * heads.head_dim * PANEL;
        let found = match &self.stored {
            Stored::Wide([found, _]) => found.len(),
            Stored::Half([found, _]) => found.len(),
        };
        self.head_dim == heads.head_dim && found == keys
    }

    /// Memory that it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match &self.stored {
            Stored::Wide([keys, values]) => size_of_val(&**keys) + size_of_val(&**values),
            Stored::Half([keys, values]) => size_of_val(&**keys) + size_of_val(&**values),
        }
    }

    /// Keys of the tokens from `panel · PANEL` on.
    pub(super) fn key_panel(&self, head: usize, panel: usize) -> Panel<'_> {
        let start = (head * self.len.div_ceil(PANEL) + panel) * self.head_dim * PANEL;
        self.part(0, start..start + self.head_dim * PANEL)
    }

    /// Values from `panel · PANEL` on of all tokens, [`PANEL`] for each token.
    pub(super) fn value_panel(&self, head: usize, panel: usize) -> Panel<'_> {
        let start = (head * self.head_dim.div_ceil(PANEL) + panel) * self.len * PANEL;
        self.part(1, start..start + self.len * PANEL)
    }

    fn part(&self, which: usize, range: Range<usize>) -> Panel<'_> {
        match &self.stored {
            Stored::Wide(stored) => Panel::Wide(&stored[which][range]),
            Stored::Half(stored) => Panel::Half(&stored[which][range]),
        }
    }
}

fn laid_out<T: Reused + Send + Sync>([keys, values]: [&[T]; 2], len: usize, heads: Heads) -> [Scratch<T>; 2] {
    let Heads { kv_heads, head_dim, .. } = heads;
    let width = (kv_heads * head_dim).max(1);
    let (of_keys, of_values) = (len.div_ceil(PANEL) * head_dim * PANEL, head_dim.div_ceil(PANEL) * len * PANEL);
    let mut into_keys = Scratch::to_write(kv_heads * of_keys);
    let mut into_values = Scratch::to_write(kv_heads * of_values);
    let parts = into_keys.par_chunks_exact_mut(of_keys.max(1)).zip(into_values.par_chunks_exact_mut(of_values.max(1)));
    parts.with_min_len(SHARE / len.max(1)).enumerate().for_each(|(head, (into_keys, into_values))| {
        for (token, (keys, values)) in keys.chunks_exact(width).zip(values.chunks_exact(width)).enumerate() {
            let at = token / PANEL * head_dim * PANEL + token % PANEL;
            let lanes = into_keys[at..].iter_mut().step_by(PANEL);
            lanes.zip(&keys[head * head_dim..][..head_dim]).for_each(|(lane, key)| *lane = *key);
            for (panel, part) in values[head * head_dim..][..head_dim].chunks(PANEL).enumerate() {
                into_values[(panel * len + token) * PANEL..][..part.len()].copy_from_slice(part);
            }
        }
    });
    [into_keys, into_values]
}
