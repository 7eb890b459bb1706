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
use std::ops::Range;

/// Rows that one task takes, all heads of a group: enough to fill a sweep, few enough to share out.
const TASK_ROWS: usize = 8;

/// Attention of each span's wanted rows; the other rows of the result are whatever stood there: queries and result `rows × heads · head_dim`, keys and values `rows × kv_heads · head_dim`.
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
    let mut tasks = Vec::new();
    for (span, own) in spans.iter().zip(&own) {
        for head in 0..heads.kv_heads {
            for first in (span.wanted - span.rows.start..span.rows.len()).step_by(TASK_ROWS) {
                let rows = first..span.rows.len().min(first + TASK_ROWS);
                tasks.push(Task { isa, q, span, own, rows, layer, head, heads });
            }
        }
    }
    let mut out = Matrix::to_write(q.rows(), q.columns);
    let (columns, target) = (out.columns, Target::new(&mut out));
    let width = heads.heads / heads.kv_heads * heads.head_dim;
    tasks.into_par_iter().for_each(|task| {
        for (row, values) in task.rows.clone().zip(task.run().chunks_exact(width)) {
            let at = (task.span.rows.start + row) * columns + task.head * width;
            // SAFETY: the row is one of the span's and the group's heads are within its columns; no other task has both.
            unsafe { target.write(at, values) };
        }
    });
    out
}

/// Some rows of a span, the query heads that share one key/value head.
struct Task<'a> {
    isa: Isa,
    q: &'a Matrix,
    span: &'a Span<'a>,
    own: &'a LayerPanels,
    /// Counted from the span's first.
    rows: Range<usize>,
    layer: usize,
    /// The key/value head.
    head: usize,
    heads: Heads,
}

impl Task<'_> {
    /// The result, for each row the heads of the group.
    fn run(&self) -> Scratch<f32> {
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
        let mut logits = Scratch::to_write(count * width);
        let mut out = Scratch::to_write(count * head_dim);
        for first in (0..count).step_by(ROWS) {
            let tile = first..count.min(first + ROWS);
            let logits = &mut logits[first * width..tile.end * width];
            self.logits(&queries[first * head_dim..tile.end * head_dim], logits, width);
            // Row of each query, and with it the number of its own tokens that it sees.
            let own: Vec<_> = tile.clone().map(|query| self.rows.start + query / group + 1).collect();
            let mut totals = [0.0; ROWS];
            for ((logits, own), total) in logits.chunks_exact_mut(width).zip(&own).zip(&mut totals) {
                *total = elementwise::exponentials(self.isa, &mut logits[..seen + own]);
            }
            self.sums(logits, width, &own, &totals, &mut out[first * head_dim..tile.end * head_dim]);
        }
        out
    }

    /// Scaled and biased logits of a tile of queries for every visible token.
    fn logits(&self, queries: &[f32], logits: &mut [f32], width: usize) {
        let mut at = 0;
        for (panels, runs) in self.seen() {
            self.part_logits(queries, panels, runs, &mut logits[at..], width);
            at += runs.iter().map(|run| run.tokens.len()).sum::<usize>();
        }
        let own = Run { tokens: 0..self.rows.end as u32, bias: 0.0 };
        self.part_logits(queries, self.own, &[own], &mut logits[at..], width);
    }

    /// Logits for the runs of one part, one row of them every `width` values.
    fn part_logits(&self, queries: &[f32], panels: &LayerPanels, runs: &[Run], logits: &mut [f32], width: usize) {
        let head_dim = self.heads.head_dim;
        let scale = 1.0 / (head_dim as f32).sqrt();
        let rows = queries.len() / head_dim;
        let mut sums = Sums::ZERO;
        // Runs that meet inside a panel share its products.
        let mut held = None;
        let mut at = 0;
        for run in runs {
            let (mut token, end) = (run.tokens.start as usize, run.tokens.end as usize);
            while token < end {
                let panel = token / PANEL;
                if held != Some(panel) {
                    sums = Sums::ZERO;
                    let keys = panels.key_panel(self.head, panel);
                    sweep(self.isa, queries, head_dim, keys, head_dim, &mut sums.0[..rows]);
                    held = Some(panel);
                }
                let upto = end.min((panel + 1) * PANEL);
                for (row, sums) in sums.0[..rows].iter().enumerate() {
                    let into = &mut logits[row * width + at..][..upto - token];
                    for (logit, sum) in into.iter_mut().zip(&sums[token % PANEL..]) {
                        *logit = sum * scale + run.bias;
                    }
                }
                at += upto - token;
                token = upto;
            }
        }
    }

    /// Values weighed by `weights / totals`. `own` is the number of the segment's own tokens that each query sees, ascending.
    fn sums(&self, weights: &[f32], width: usize, own: &[usize], totals: &[f32; ROWS], out: &mut [f32]) {
        let head_dim = self.heads.head_dim;
        let rows = own.len();
        for (panel, column) in (0..head_dim).step_by(PANEL).enumerate() {
            let mut sums = Sums::ZERO;
            let sums = &mut sums.0[..rows];
            let mut at = 0;
            for (panels, runs) in self.seen() {
                let values = panels.value_panel(self.head, panel);
                for run in runs {
                    let values = values.skip(run.tokens.start as usize);
                    sweep(self.isa, &weights[at..], width, values, run.tokens.len(), sums);
                    at += run.tokens.len();
                }
            }
            let values = self.own.value_panel(self.head, panel);
            // What all rows of the tile see in one sweep, then each row its rest: the same order as each row alone.
            let shared = own.first().copied().unwrap_or(0);
            sweep(self.isa, &weights[at..], width, values, shared, sums);
            for (row, own) in own.iter().enumerate() {
                let weights = &weights[row * width + at + shared..];
                sweep(self.isa, weights, width, values.skip(shared), own - shared, &mut sums[row..=row]);
            }
            let columns = PANEL.min(head_dim - column);
            for ((out, sums), total) in out.chunks_exact_mut(head_dim).zip(sums).zip(totals) {
                for (out, sum) in out[column..][..columns].iter_mut().zip(sums) {
                    *out = *sum / total;
                }
            }
        }
    }

    /// The visible parts of the context in this layer.
    fn seen(&self) -> impl Iterator<Item = (&LayerPanels, &[Run])> {
        self.span.context.parts().filter_map(|(placed, runs)| Some((placed.layers.get(self.layer)?, runs)))
    }
}
