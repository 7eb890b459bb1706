//! Attention over the visible tokens of a context and over the segment itself.
//!
//! Logits are written one after the other for visible tokens only, in the context's order, then the segment's own. All sums run
//! over that list, so a hidden token leaves no trace: not in a product, not in a maximum, not in the order of a sum.

#![allow(unsafe_code, reason = "tasks write their own parts of one output")]

use super::{
    elementwise,
    isa::Isa,
    matrix::Matrix,
    panels::LayerPanels,
    parts::Target,
    scratch::Scratch,
    tile::{PANEL, ROWS, Sums, sweep},
};
use crate::{
    backend::{Heads, Span},
    kv::{KvPrecision, Run},
};
use rayon::prelude::*;
use std::{borrow::Cow, ops::Range};

/// Rows that one task takes, all heads of a group: enough to fill a sweep, few enough to share out.
const TASK_ROWS: usize = 8;
/// Panels of keys that one piece of a task takes: with one row the heads alone are too few tasks.
const PIECE: usize = 16;

/// Attention of each span's wanted rows; the other rows of the result are whatever stood there: queries and result
/// `rows × heads · head_dim`, keys and values `rows × kv_heads · head_dim`.
#[must_use]
pub fn attend(
    isa: Isa,
    [q, k, v]: [&Matrix; 3],
    spans: &[Span<'_>],
    layer: usize,
    heads: Heads,
    precision: KvPrecision,
) -> Matrix {
    let own: Vec<_> = spans
        .par_iter()
        .map(|span| {
            let range = span.rows.start * k.columns..span.rows.end * k.columns;
            LayerPanels::pack(&k.values[range.clone()], &v.values[range], heads, precision)
        })
        .collect();
    let views: Vec<_> = spans.iter().zip(&own).map(|(span, own)| View::new(span, own, layer)).collect();
    let mut tasks = Vec::new();
    for (span, view) in spans.iter().zip(&views) {
        for head in 0..heads.kv_heads {
            for first in (span.wanted - span.rows.start..span.rows.len()).step_by(TASK_ROWS) {
                let rows = first..span.rows.len().min(first + TASK_ROWS);
                tasks.push(Task { isa, q, span, view, rows, head, heads });
            }
        }
    }
    let mut out = Matrix::to_write(q.rows(), q.columns);
    let target = Target::new(&mut out.values);
    // SAFETY: `out` is shaped like the queries, and no two tasks have the same heads of the same row.
    tasks.into_par_iter().for_each(|task| unsafe { task.run(&target) });
    out
}

/// What a span's rows see in one layer: the visible parts of the context, then the span itself.
struct View<'a> {
    parts: Vec<(&'a LayerPanels, Cow<'a, [Run]>)>,
    strips: Vec<Strip>,
}

/// Visible tokens that lie side by side in one panel of keys.
struct Strip {
    part: usize,
    panel: usize,
    /// Lanes of the panel.
    lanes: Range<usize>,
    bias: f32,
    /// Where their logits stand among all that are visible.
    at: usize,
}

impl<'a> View<'a> {
    fn new(span: &'a Span<'_>, own: &'a LayerPanels, layer: usize) -> Self {
        let seen = span.context.parts();
        let seen = seen.filter_map(|(placed, runs)| Some((placed.layers.get(layer)?, Cow::Borrowed(runs))));
        let itself = Run { tokens: 0..span.rows.len() as u32, bias: 0.0 };
        let parts: Vec<_> = seen.chain([(own, Cow::Owned(vec![itself]))]).collect();
        let (mut strips, mut at) = (Vec::new(), 0);
        for (part, (_, runs)) in parts.iter().enumerate() {
            for run in runs.iter() {
                let (mut token, end) = (run.tokens.start as usize, run.tokens.end as usize);
                while token < end {
                    let panel = token / PANEL;
                    let upto = end.min((panel + 1) * PANEL);
                    let lanes = token % PANEL..upto - panel * PANEL;
                    strips.push(Strip { part, panel, lanes, bias: run.bias, at });
                    at += upto - token;
                    token = upto;
                }
            }
        }
        Self { parts, strips }
    }
}

/// Some rows of a span, the query heads that share one key/value head.
struct Task<'a> {
    isa: Isa,
    q: &'a Matrix,
    span: &'a Span<'a>,
    view: &'a View<'a>,
    /// Counted from the span's first.
    rows: Range<usize>,
    /// The key/value head.
    head: usize,
    heads: Heads,
}

impl Task<'_> {
    /// Writes the result where the queries stand in their matrix.
    ///
    /// # Safety
    /// `out` has the shape of the queries, and nobody else writes there.
    unsafe fn run(&self, out: &Target<'_>) {
        let head_dim = self.heads.head_dim;
        let group = self.heads.heads / self.heads.kv_heads;
        // The queries one after the other: the heads of the first row, those of the second, ...
        let mut queries = Vec::with_capacity(self.rows.len() * group * head_dim);
        for row in self.rows.clone() {
            let row = self.q.row(self.span.rows.start + row);
            queries.extend_from_slice(&row[self.head * group * head_dim..][..group * head_dim]);
        }
        let count = self.rows.len() * group;
        let seen = self.span.context.len();
        let width = seen + self.rows.end;
        let mut logits = Scratch::to_write(count.min(ROWS) * width);
        for first in (0..count).step_by(ROWS) {
            let tile = first..count.min(first + ROWS);
            let logits = &mut logits[..tile.len() * width];
            self.logits(&queries[first * head_dim..tile.end * head_dim], logits, width);
            // Row of each query, and with it the number of its own tokens that it sees.
            let own: Vec<_> = tile.clone().map(|query| self.rows.start + query / group + 1).collect();
            let mut totals = [0.0; ROWS];
            for ((logits, own), total) in logits.chunks_exact_mut(width).zip(&own).zip(&mut totals) {
                *total = elementwise::exponentials(self.isa, &mut logits[..seen + own]);
            }
            let place = |query: usize| {
                let row = self.span.rows.start + self.rows.start + query / group;
                row * self.q.columns + (self.head * group + query % group) * head_dim
            };
            self.sums(logits, width, &own, &totals, |query, column, values| {
                // SAFETY: a row of the task, and values in one of its heads; each is put once.
                unsafe { out.write(place(first + query) + column, values) };
            });
        }
    }

    /// Scaled and biased logits of a tile of queries for the first `width` visible tokens, one row of them every `width` values.
    fn logits(&self, queries: &[f32], logits: &mut [f32], width: usize) {
        let head_dim = self.heads.head_dim;
        let scale = 1.0 / (head_dim as f32).sqrt();
        let rows = queries.len() / head_dim;
        let strips = &self.view.strips[..self.view.strips.partition_point(|strip| strip.at < width)];
        let target = Target::new(logits);
        each(strips.len().div_ceil(PIECE), |piece| {
            let mut sums = Sums::ZERO;
            // Strips of one panel share its products.
            let mut held = None;
            for strip in &strips[piece * PIECE..strips.len().min((piece + 1) * PIECE)] {
                if held != Some((strip.part, strip.panel)) {
                    sums = Sums::ZERO;
                    let keys = self.view.parts[strip.part].0.key_panel(self.head, strip.panel);
                    sweep(self.isa, queries, head_dim, keys, head_dim, &mut sums.0[..rows]);
                    held = Some((strip.part, strip.panel));
                }
                let count = strip.lanes.len().min(width - strip.at);
                for (row, sums) in sums.0[..rows].iter().enumerate() {
                    let logits = sums.map(|sum| sum * scale + strip.bias);
                    // SAFETY: one of `rows` rows of `width` logits, within the row; no other strip has these columns.
                    unsafe { target.write(row * width + strip.at, &logits[strip.lanes.start..][..count]) };
                }
            }
        });
    }

    /// Values weighed by `weights / totals`, put query by query from a column on. `own` is the number of the segment's own tokens that
    /// each query sees, ascending.
    fn sums(
        &self,
        weights: &[f32],
        width: usize,
        own: &[usize],
        totals: &[f32; ROWS],
        put: impl Fn(usize, usize, &[f32]) + Send + Sync,
    ) {
        let head_dim = self.heads.head_dim;
        let rows = own.len();
        let panel = |panel: usize| {
            let mut sums = Sums::ZERO;
            let sums = &mut sums.0[..rows];
            let mut at = 0;
            let Some(((itself, _), seen)) = self.view.parts.split_last() else { return };
            for (panels, runs) in seen {
                let values = panels.value_panel(self.head, panel);
                for run in runs.iter() {
                    let values = values.skip(run.tokens.start as usize);
                    sweep(self.isa, &weights[at..], width, values, run.tokens.len(), sums);
                    at += run.tokens.len();
                }
            }
            let values = itself.value_panel(self.head, panel);
            // What all rows of the tile see in one sweep, then each row its rest: the same order as each row alone.
            let shared = own.first().copied().unwrap_or(0);
            sweep(self.isa, &weights[at..], width, values, shared, sums);
            for (row, own) in own.iter().enumerate() {
                let weights = &weights[row * width + at + shared..];
                sweep(self.isa, weights, width, values.skip(shared), own - shared, &mut sums[row..=row]);
            }
            let column = panel * PANEL;
            for (query, (sums, total)) in sums.iter().zip(totals).enumerate() {
                put(query, column, &sums.map(|sum| sum / total)[..PANEL.min(head_dim - column)]);
            }
        };
        let panels = head_dim.div_ceil(PANEL);
        if width > PIECE * PANEL { each(panels, panel) } else { (0..panels).for_each(panel) }
    }
}

/// Does what is numbered; several on all threads.
fn each(count: usize, work: impl Fn(usize) + Send + Sync) {
    if count > 1 { (0..count).into_par_iter().for_each(work) } else { (0..count).for_each(work) }
}

#[cfg(test)]
mod tests;
