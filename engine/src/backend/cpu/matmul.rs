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

#[cfg(test)]
mod tests {
    use super::*;
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
        let packed = plain.each_ref().map(|plain| Weight::pack(plain, depth));
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

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn any_shape(rows in 1_usize..40, depth in 1_usize..80, a in 1_usize..100, b in 1_usize..70, seed: u64) {
            check(rows, depth, [a, b], seed)?;
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
        let packed = Weight::pack(&plain, 9);
        for (column, expected) in plain.chunks_exact(9).enumerate() {
            let mut found = [0.0; 9];
            packed.unpack(column, &mut found);
            assert_eq!(found, expected);
        }
    }
}
