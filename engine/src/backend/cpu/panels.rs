//! Keys and values as the attention kernel reads them.

use super::{scratch::Scratch, tile::PANEL};
use crate::backend::Heads;
use rayon::prelude::*;

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
    keys: Scratch<f32>,
    values: Scratch<f32>,
}

impl LayerPanels {
    /// Lays out rotated keys and values, given token by token.
    #[must_use]
    pub fn pack(keys: &[f32], values: &[f32], heads: Heads) -> Self {
        let Heads { kv_heads, head_dim, .. } = heads;
        let width = kv_heads * head_dim;
        let len = keys.len().checked_div(width).unwrap_or(0);
        let mut this = Self {
            len,
            head_dim,
            keys: Scratch::to_write(kv_heads * len.div_ceil(PANEL) * head_dim * PANEL),
            values: Scratch::to_write(kv_heads * head_dim.div_ceil(PANEL) * len * PANEL),
        };
        let of_keys = (len.div_ceil(PANEL) * head_dim * PANEL).max(1);
        let of_values = (head_dim.div_ceil(PANEL) * len * PANEL).max(1);
        let parts = this.keys.par_chunks_exact_mut(of_keys).zip(this.values.par_chunks_exact_mut(of_values));
        parts.with_min_len(SHARE / len.max(1)).enumerate().for_each(|(head, (into_keys, into_values))| {
            let rows = keys.chunks_exact(width).zip(values.chunks_exact(width)).enumerate();
            for (token, (keys, values)) in rows {
                let at = token / PANEL * head_dim * PANEL + token % PANEL;
                let lanes = into_keys[at..].iter_mut().step_by(PANEL);
                lanes.zip(&keys[head * head_dim..][..head_dim]).for_each(|(lane, key)| *lane = *key);
                for (panel, part) in values[head * head_dim..][..head_dim].chunks(PANEL).enumerate() {
                    into_values[(panel * len + token) * PANEL..][..part.len()].copy_from_slice(part);
                }
            }
        });
        this
    }

    /// Whether it was laid out for heads like these.
    pub(crate) fn fits(&self, heads: Heads) -> bool {
        let keys = heads.kv_heads * self.len.div_ceil(PANEL) * heads.head_dim * PANEL;
        self.head_dim == heads.head_dim && self.keys.len() == keys
    }

    /// Memory that it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.keys) + size_of_val(&*self.values)
    }

    /// Keys of the tokens from `panel · PANEL` on.
    pub(super) fn key_panel(&self, head: usize, panel: usize) -> &[f32] {
        &self.keys[self.key_panel_at(head, panel)..][..self.head_dim * PANEL]
    }

    /// Values from `panel · PANEL` on of all tokens, [`PANEL`] for each token.
    pub(super) fn value_panel(&self, head: usize, panel: usize) -> &[f32] {
        &self.values[self.value_panel_at(head, panel)..][..self.len * PANEL]
    }

    fn key_panel_at(&self, head: usize, panel: usize) -> usize {
        (head * self.len.div_ceil(PANEL) + panel) * self.head_dim * PANEL
    }

    fn value_panel_at(&self, head: usize, panel: usize) -> usize {
        (head * self.head_dim.div_ceil(PANEL) + panel) * self.len * PANEL
    }
}
