//! Rows times weights.

#![allow(unsafe_code, reason = "panels of one output are written by several threads, each its own columns")]

use super::{
    dot,
    groups::COLUMNS,
    isa::Isa,
    matrix::{Form, Matrix, Weight, plain_panel},
    rounded::RoundedRows,
    tile::{self, PANEL, sweep},
};
use rayon::prelude::*;

/// Rows that one task takes of a plain weight: enough to pay for bringing a panel into the cache, few enough to share out long inputs.
const TASK_ROWS: usize = 16 * tile::ROWS;
/// Tiles of rounded rows that one task takes.
const TASK_TILES: usize = 16;
/// Panels of groups that one task takes: with one row a panel alone is little work.
const TASK_PANELS: usize = 4;

/// A part of an output.
struct Task {
    weight: usize,
    /// The first panel.
    panel: usize,
    /// The first row, of groups the first tile.
    first: usize,
}

/// `x · weightᵀ` for several weights that share their input, so that small ones do not wait for each other. Where a weight is in groups
/// of few bits the rows are rounded to eight bits.
///
/// An output value is the sum over the depth in ascending order, whatever else is in `x` and whoever computes it.
#[must_use]
pub fn matmul<const N: usize>(isa: Isa, x: &Matrix, weights: [&Weight; N]) -> [Matrix; N] {
    let rows = x.rows();
    let mut outputs = weights.map(|weight| Matrix::zeros(rows, weight.columns));
    let targets = outputs.each_mut().map(|output| Target(output.values.as_mut_ptr()));
    let grouped = weights.iter().any(|weight| matches!(weight.form, Form::Groups(_)));
    let rounded = grouped.then(|| RoundedRows::new(isa, x));
    let mut tasks = Vec::new();
    for (number, weight) in weights.iter().enumerate() {
        assert_eq!(weight.depth, x.columns, "a weight takes inputs of its depth");
        let (panels, together, parts, most) = match &weight.form {
            Form::Plain(_) => (weight.columns.div_ceil(PANEL), 1, rows, TASK_ROWS),
            Form::Groups(panels) => {
                (panels.panels(), TASK_PANELS, rounded.as_ref().map_or(0, RoundedRows::len), TASK_TILES)
            }
        };
        for panel in (0..panels).step_by(together) {
            tasks.extend((0..parts).step_by(most).map(|first| Task { weight: number, panel, first }));
        }
    }
    tasks.into_par_iter().for_each(|task| {
        let (weight, target) = (weights[task.weight], &targets[task.weight]);
        match (&weight.form, &rounded) {
            (Form::Groups(panels), Some(rounded)) => {
                let mut sums = dot::Sums::ZERO;
                for panel in task.panel..panels.panels().min(task.panel + TASK_PANELS) {
                    let column = panel * COLUMNS;
                    let width = COLUMNS.min(weight.columns - column);
                    for (tile, words) in rounded.tiles().skip(task.first).take(TASK_TILES) {
                        dot::dot(isa, panels, panel, words, tile.height, &mut sums);
                        for (line, sums) in sums.0[..tile.height].iter().enumerate() {
                            // SAFETY: a tile's rows are rows of x and column + width <= columns; no other task has this panel
                            // and these tiles.
                            unsafe { target.write((tile.row + line) * weight.columns + column, &sums[..width]) };
                        }
                    }
                }
            }
            (Form::Groups(_), None) => unreachable!("the rows are rounded where a weight is in groups"),
            (Form::Plain(panels), _) => {
                let column = task.panel * PANEL;
                let width = PANEL.min(weight.columns - column);
                let panel = plain_panel(panels, weight.depth, task.panel);
                for row in (task.first..rows.min(task.first + TASK_ROWS)).step_by(tile::ROWS) {
                    let height = tile::ROWS.min(rows - row);
                    let mut sums = tile::Sums::ZERO;
                    let sums = &mut sums.0[..height];
                    sweep(isa, &x.values[row * x.columns..], x.columns, panel, weight.depth, sums);
                    for (line, sums) in sums.iter().enumerate() {
                        // SAFETY: row + line < rows and column + width <= columns; no other task has this panel and these rows.
                        unsafe { target.write((row + line) * weight.columns + column, &sums[..width]) };
                    }
                }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::quantised::{Bits, GROUP, Groups, Offset, Tensor};
    use half::f16;
    use proptest::prelude::*;

    /// Values from -1 to 1 that are the same in every run.
    fn values(count: usize, mut seed: u64) -> Vec<f32> {
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 40) as f32 / (1_u64 << 23) as f32 - 1.0
        };
        (0..count).map(|_| next()).collect()
    }

    /// Every set against sums in f64, and each row alone against the row among others.
    fn check(rows: usize, depth: usize, widths: [usize; 2], seed: u64) -> Result<(), TestCaseError> {
        let x = Matrix { columns: depth, values: values(rows * depth, seed) };
        let plain = widths.map(|width| values(width * depth, seed ^ width as u64));
        let packed = plain.each_ref().map(|plain| Weight::pack(&Tensor::Plain(plain.clone()), depth));
        let mut fused: Option<[Matrix; 2]> = None;
        for isa in Isa::available() {
            let found = matmul(isa, &x, packed.each_ref());
            for (found, plain) in found.iter().zip(&plain) {
                for (row, found) in found.values.chunks_exact(found.columns).enumerate() {
                    for (weight, found) in plain.chunks_exact(depth).zip(found) {
                        let products = x.row(row).iter().zip(weight).map(|(x, w)| f64::from(*x) * f64::from(*w));
                        let (exact, size) = products.fold((0.0, 0.0), |(sum, size), p| (sum + p, size + p.abs()));
                        let error = (f64::from(*found) - exact).abs();
                        // Each addition may round by half a unit of a partial sum, which is never above `size`.
                        let bound = depth as f64 * f64::from(f32::EPSILON) * size + 1e-12;
                        prop_assert!(error <= bound, "{isa:?} {rows}x{depth}: {found} is {error:e} from {exact}");
                    }
                }
            }
            for row in 0..rows {
                let alone = Matrix { columns: depth, values: x.row(row).to_vec() };
                for (alone, found) in matmul(isa, &alone, packed.each_ref()).iter().zip(&found) {
                    prop_assert_eq!(alone.row(0), found.row(row), "{:?}: row {} of {} differs alone", isa, row, rows);
                }
            }
            if isa.fuses() {
                let first = fused.get_or_insert_with(|| found.clone());
                prop_assert_eq!(&*first, &found, "{:?} differs from another fused set", isa);
            }
        }
        Ok(())
    }

    /// Every set against sums in f64 over the rounded rows, each row alone against the row among others, and the sets against each other.
    fn check_groups(rows: usize, groups: usize, widths: [usize; 2], seed: u64) -> Result<(), TestCaseError> {
        let depth = groups * GROUP;
        let x = Matrix { columns: depth, values: values(rows * depth, seed) };
        let weight = |bits: Bits, minima: bool, width: usize| {
            let drawn = values(width * depth, seed ^ width as u64);
            let top = if bits == Bits::Four { 15.0 } else { 255.0 };
            let halves = |seed: u64| values(width * groups, seed).into_iter().map(f16::from_f32).collect::<Vec<_>>();
            let centre = if bits == Bits::Four { 8 } else { 128 };
            Groups {
                bits,
                scales: halves(seed ^ 1),
                offset: if minima { Offset::Minima(halves(seed ^ 2)) } else { Offset::Centre(centre) },
                stored: drawn.iter().map(|value| ((value + 1.0) / 2.0 * top).round() as u8).collect(),
            }
        };
        for (bits, minima) in [(Bits::Four, false), (Bits::Four, true), (Bits::Eight, false), (Bits::Eight, true)] {
            let plain = widths.map(|width| weight(bits, minima, width));
            let packed = plain.each_ref().map(|plain| Weight::pack(&Tensor::Groups(plain.clone()), depth));
            let mut fused: Option<[Matrix; 2]> = None;
            for isa in Isa::available() {
                let found = matmul(isa, &x, packed.each_ref());
                for (found, plain) in found.iter().zip(&plain) {
                    for (row, found) in found.values.chunks_exact(found.columns).enumerate() {
                        for (column, found) in found.iter().enumerate() {
                            let (mut exact, mut size) = (0.0, 0.0);
                            for (group, values) in x.row(row).chunks_exact(GROUP).enumerate() {
                                let largest = values.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
                                let scale = f64::from(largest / 127.0);
                                for (at, value) in values.iter().enumerate() {
                                    let at = column * depth + group * GROUP + at;
                                    let rounded = f64::from((value * (127.0 / largest)).round_ties_even()) * scale;
                                    exact += rounded * f64::from(plain.value(at));
                                    // Before what is stored and what it is above cancel.
                                    let above = f32::from(plain.stored[at]) * plain.scales[at / GROUP].to_f32();
                                    size += (rounded * f64::from(above)).abs() * 2.0;
                                    size += (rounded * f64::from(plain.value(at))).abs();
                                }
                            }
                            // Whole numbers are exact; two products and two additions a group are rounded.
                            let bound = size * (4 * groups + 4) as f64 * f64::from(f32::EPSILON) + 1e-6;
                            let error = (f64::from(*found) - exact).abs();
                            prop_assert!(error <= bound, "{isa:?} {bits:?} {rows}x{depth}: {found} is not {exact}");
                        }
                    }
                }
                for row in 0..rows {
                    let alone = Matrix { columns: depth, values: x.row(row).to_vec() };
                    for (alone, found) in matmul(isa, &alone, packed.each_ref()).iter().zip(&found) {
                        prop_assert_eq!(
                            alone.row(0),
                            found.row(row),
                            "{:?}: row {} of {} differs alone",
                            isa,
                            row,
                            rows
                        );
                    }
                }
                if isa.fuses() {
                    let first = fused.get_or_insert_with(|| found.clone());
                    prop_assert_eq!(&*first, &found, "{:?} differs from another fused set", isa);
                }
            }
            for (packed, plain) in packed.iter().zip(&plain) {
                let mut row = vec![0.0; depth];
                for column in 0..packed.columns {
                    packed.unpack(column, &mut row);
                    for (at, value) in row.iter().enumerate() {
                        let expected = plain.value(column * depth + at);
                        prop_assert!((value - expected).abs() <= 1e-5 * (1.0 + expected.abs()), "{value} {expected}");
                    }
                }
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn any_shape(rows in 1_usize..40, depth in 1_usize..80, a in 1_usize..100, b in 1_usize..70, seed: u64) {
            check(rows, depth, [a, b], seed)?;
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        #[test]
        fn any_shape_of_groups(rows in 1_usize..30, groups in 1_usize..5, a in 1_usize..40, b in 1_usize..70, seed: u64) {
            check_groups(rows, groups, [a, b], seed)?;
        }
    }

    #[test]
    fn ragged_ends_of_groups() {
        for rows in [1, 11, 12, 13, 25] {
            for width in [1, 15, 16, 17] {
                if let Err(error) = check_groups(rows, 3, [width, 48], 7) {
                    unreachable!("{rows} rows, {width} columns: {error}");
                }
            }
        }
    }

    #[test]
    fn ragged_ends() {
        for rows in [1, 7, 8, 9, 127, 128, 129] {
            for width in [1, 31, 32, 33] {
                if let Err(error) = check(rows, 65, [width, 64], 7) {
                    unreachable!("{rows} rows, {width} columns: {error}");
                }
            }
        }
    }

    #[test]
    fn tables_are_read_back() {
        let plain = values(70 * 9, 3);
        let packed = Weight::pack(&Tensor::Plain(plain.clone()), 9);
        for (column, expected) in plain.chunks_exact(9).enumerate() {
            let mut found = [0.0; 9];
            packed.unpack(column, &mut found);
            assert_eq!(found, expected);
        }
    }
}
