//! Rows times weights.

#![allow(unsafe_code, reason = "panels of one output are written by several threads, each its own columns")]

use super::{
    isa::Isa,
    matrix::{Matrix, Weight},
    tile::{PANEL, ROWS, Sums, sweep},
};
use rayon::prelude::*;

/// Rows that one task takes: enough to pay for bringing a panel into the cache, few enough to share out long inputs.
const TASK_ROWS: usize = 16 * ROWS;

/// `x · weightᵀ` for several weights that share their input, so that small ones do not wait for each other.
///
/// An output value is the sum over the depth in ascending order, whatever else is in `x` and whoever computes it.
#[must_use]
pub fn matmul<const N: usize>(isa: Isa, x: &Matrix, weights: [&Weight; N]) -> [Matrix; N] {
    let rows = x.rows();
    let mut outputs = weights.map(|weight| Matrix::zeros(rows, weight.columns));
    let targets = outputs.each_mut().map(|output| Target(output.values.as_mut_ptr()));
    let mut tasks = Vec::new();
    for (index, weight) in weights.iter().enumerate() {
        assert_eq!(weight.depth, x.columns, "a weight takes inputs of its depth");
        for panel in 0..weight.panels() {
            tasks.extend((0..rows).step_by(TASK_ROWS).map(|row| (index, panel, row)));
        }
    }
    tasks.into_par_iter().for_each(|(index, panel, first)| {
        let weight = weights[index];
        let column = panel * PANEL;
        let width = PANEL.min(weight.columns - column);
        for row in (first..rows.min(first + TASK_ROWS)).step_by(ROWS) {
            let height = ROWS.min(rows - row);
            let mut sums = Sums::ZERO;
            let sums = &mut sums.0[..height];
            sweep(isa, &x.values[row * x.columns..], x.columns, weight.panel(panel), weight.depth, sums);
            for (line, sums) in sums.iter().enumerate() {
                // SAFETY: row + line < rows and column + width <= columns; no other task has this panel and these rows.
                unsafe { targets[index].write((row + line) * weight.columns + column, &sums[..width]) };
            }
        }
    });
    outputs
}

/// Start of an output that several tasks write, each its own part.
struct Target(*mut f32);

// SAFETY: tasks write disjoint ranges through `write` and nobody reads before all of them are done.
unsafe impl Sync for Target {}
// SAFETY: as for Sync; the pointer is not tied to a thread.
unsafe impl Send for Target {}

impl Target {
    /// # Safety
    /// `offset..offset + values.len()` lies in the output and no other task writes there.
    unsafe fn write(&self, offset: usize, values: &[f32]) {
        // SAFETY: passed on from the caller; `values` is a local of the task and cannot overlap the output.
        unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), self.0.add(offset), values.len()) }
    }
}
