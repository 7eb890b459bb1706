//! Rows times weights.

#![allow(unsafe_code, reason = "panels of one output are written by several threads, each its own columns")]

use super::{
    dot::{self, RowTile},
    groups::{COLUMNS, Panel},
    isa::Isa,
    matrix::{Form, Matrix, Weight, plain_panel},
    parts::Target,
    rounded::RoundedRows,
    tile::{self, PANEL, sweep},
};
use rayon::prelude::*;
use std::{collections::BTreeMap, ops::Range};

/// Rows that one task takes of a plain weight: enough to pay for bringing a panel into the cache, few enough to share out long inputs.
const TASK_ROWS: usize = 16 * tile::ROWS;
/// Tiles of rounded rows that one task takes.
const TASK_TILES: usize = 16;
/// Panels times tiles that one task takes at least: with one row a panel alone is little work.
const TASK_PRODUCTS: usize = 4;

/// A part of an output.
struct Task {
    weight: usize,
    panels: Range<usize>,
    /// Rows, of groups tiles.
    parts: Range<usize>,
}

/// `x · weightᵀ` for several weights that share their input, so that small ones do not wait for each other. Where a weight is in groups
/// of few bits the rows are rounded to eight bits.
///
/// An output value is the sum over the depth in ascending order, whatever else is in `x` and whoever computes it.
#[must_use]
pub fn matmul<const N: usize>(isa: Isa, x: &Matrix, weights: [&Weight; N]) -> [Matrix; N] {
    let input = Input::new(isa, x, weights.iter().copied());
    let mut outputs = weights.map(|weight| Matrix::to_write(x.rows(), weight.columns));
    let targets = outputs.each_mut().map(|output| Target::new(&mut output.values));
    let mut tasks = Vec::new();
    for (number, weight) in weights.iter().enumerate() {
        let parts = input.parts(weight);
        let (panels, together, most) = match &weight.form {
            Form::Plain(_) => (weight.columns.div_ceil(PANEL), 1, TASK_ROWS),
            Form::Groups(panels) => (panels.panels(), TASK_PRODUCTS.div_ceil(parts.max(1)), TASK_TILES),
        };
        for first in (0..panels).step_by(together) {
            let panels = first..panels.min(first + together);
            let cut = (0..parts).step_by(most).map(|first| first..parts.min(first + most));
            tasks.extend(cut.map(|parts| Task { weight: number, panels: panels.clone(), parts }));
        }
    }
    tasks.into_par_iter().for_each(|task| {
        let (weight, target) = (weights[task.weight], &targets[task.weight]);
        for panel in task.panels {
            let column = panel * weight.panel_width();
            let width = weight.panel_width().min(weight.columns - column);
            let at = |row: usize| row * weight.columns + column;
            match &weight.form {
                Form::Groups(panels) => {
                    let soon = |row| target.soon(at(row));
                    input.of_groups(panels.panel(panel), task.parts.clone(), soon, |row, sums| {
                        // SAFETY: a row of x, and column + width <= columns; no other task has this panel and these parts.
                        unsafe { target.write(at(row), &sums[..width]) };
                    });
                }
                Form::Plain(panels) => {
                    let panel = plain_panel(panels, weight.depth, panel);
                    input.of_plain(panel, task.parts.clone(), |row, sums| {
                        // SAFETY: as above.
                        unsafe { target.write(at(row), &sums[..width]) };
                    });
                }
            }
        }
    });
    outputs
}

/// [`matmul`] for some of the weight's outputs, in the order given: the same bits, without reading what nobody wants.
#[must_use]
pub fn matmul_outputs(isa: Isa, x: &Matrix, weight: &Weight, outputs: &[u32]) -> Matrix {
    let input = Input::new(isa, x, [weight].into_iter());
    let mut by_panel: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
    for (at, output) in outputs.iter().enumerate() {
        let (panel, lane) = (*output as usize / weight.panel_width(), *output as usize % weight.panel_width());
        by_panel.entry(panel).or_default().push((at, lane));
    }
    let found: Vec<_> = by_panel
        .par_iter()
        .map(|(panel, wanted)| {
            let mut values = Vec::with_capacity(x.rows() * wanted.len());
            let mut take = |row: usize, sums: &[f32]| {
                values.extend(wanted.iter().map(|(at, lane)| (row, *at, sums[*lane])));
            };
            let parts = 0..input.parts(weight);
            match &weight.form {
                Form::Groups(panels) => {
                    input.of_groups(panels.panel(*panel), parts, |_| (), |row, sums| take(row, sums))
                }
                Form::Plain(panels) => {
                    let panel = plain_panel(panels, weight.depth, *panel);
                    input.of_plain(panel, parts, |row, sums| take(row, sums));
                }
            }
            values
        })
        .collect();
    let mut out = Matrix::to_write(x.rows(), outputs.len());
    for (row, at, value) in found.into_iter().flatten() {
        out.values[row * outputs.len() + at] = value;
    }
    out
}

/// Rows to be multiplied, also rounded where a weight asks for it.
struct Input<'a> {
    isa: Isa,
    x: &'a Matrix,
    rounded: Option<RoundedRows>,
}

impl<'a> Input<'a> {
    fn new<'w>(isa: Isa, x: &'a Matrix, weights: impl Iterator<Item = &'w Weight>) -> Self {
        let grouped = weights.filter_map(|weight| {
            assert_eq!(weight.depth, x.columns, "a weight takes inputs of its depth");
            match &weight.form {
                Form::Groups(panels) => Some(panels.form().head.splits()),
                Form::Plain(_) => None,
            }
        });
        let rounded = grouped.reduce(|a, b| a || b).map(|splits| RoundedRows::new(isa, x, splits));
        Self { isa, x, rounded }
    }

    /// In how many parts a panel's products can be cut: rows, of groups tiles.
    fn parts(&self, weight: &Weight) -> usize {
        match (&weight.form, &self.rounded) {
            (Form::Groups(_), Some(rounded)) => rounded.len(),
            _ => self.x.rows(),
        }
    }

    /// Products of the rows of some tiles with a panel of groups, row by row in ascending order; tells before which rows come soon.
    fn of_groups(
        &self,
        panel: Panel<'_>,
        tiles: Range<usize>,
        soon: impl Fn(usize),
        mut put: impl FnMut(usize, &[f32; COLUMNS]),
    ) {
        let Some(rounded) = &self.rounded else { unreachable!("rows are rounded where a weight is in groups") };
        let mut sums = dot::Sums::ZERO;
        for (tile, words) in rounded.tiles().skip(tiles.start).take(tiles.len()) {
            let rows = RowTile { height: tile.height, group_words: rounded.group_words(), words };
            (tile.row..tile.row + tile.height).for_each(&soon);
            dot::dot(self.isa, panel, rows, &mut sums);
            sums.0[..tile.height].iter().enumerate().for_each(|(line, sums)| put(tile.row + line, sums));
        }
    }

    /// Products of some rows with a panel of plain values, row by row in ascending order.
    fn of_plain(&self, panel: &[f32], rows: Range<usize>, mut put: impl FnMut(usize, &[f32; PANEL])) {
        let depth = self.x.columns;
        for row in rows.clone().step_by(tile::ROWS) {
            let height = tile::ROWS.min(rows.end - row);
            let mut sums = tile::Sums::ZERO;
            let sums = &mut sums.0[..height];
            sweep(self.isa, &self.x.values[row * depth..], depth, tile::Panel::Wide(panel), depth, sums);
            sums.iter().enumerate().for_each(|(line, sums)| put(row + line, sums));
        }
    }
}

#[cfg(test)]
mod tests;
