//! The integer inner loop: a tile of rounded rows times a panel of weights of few bits.
//!
//! For each group (of a weight that splits them: for each half) the products of whole numbers are summed exactly; then `factor of
//! weight · scale of row · sum` and `addend · (scale of row · sum of row)` are added to the result, groups ascending. That order is the
//! whole contract: it does not depend on how many rows stand in the tile, so a row gets the same bits alone and in any batch, and all
//! sets that fuse agree.

#![allow(unsafe_code, reason = "vector loads and instruction sets chosen at run time")]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

use super::{
    groups::{COLUMNS, Panel},
    isa::{Isa, PORTABLE_FUSES},
    rounded::{HALF_SUMS, SCALE, SUM},
};
use crate::model::quantised::GROUP;

/// Most rows of a tile.
pub const ROWS: usize = 12;

/// Results of a tile over a panel.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct Sums(pub [[f32; COLUMNS]; ROWS]);

impl Sums {
    /// All zero.
    pub const ZERO: Self = Self([[0.0; COLUMNS]; ROWS]);
}

/// Some rounded rows, as [`super::rounded`] lays them out.
#[derive(Clone, Copy)]
pub struct RowTile<'a> {
    /// 1, 2, 4, 8 or 12 rows.
    pub height: usize,
    /// Of a row in one group.
    pub group_words: usize,
    /// Group by group.
    pub words: &'a [u32],
}

/// Sets the first rows of `sums` to the products of a tile with a panel.
///
/// # Panics
/// When the tile has other groups than the panel, or a height that no tile has.
pub fn dot(isa: Isa, panel: Panel<'_>, tile: RowTile<'_>, sums: &mut Sums) {
    let needed = if panel.form.head.splits() { HALF_SUMS[1] + 1 } else { SUM + 1 };
    assert!(matches!(tile.height, 1 | 2 | 4 | 8 | 12) && tile.group_words >= needed);
    assert!(tile.words.len() == tile.height * panel.groups * tile.group_words);
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the assertions cover all reads of the tile, `panel` is a whole panel, `sums` has room for every height
        // that the assertion lets through, and an `Isa` is only made when the machine has it.
        Isa::Avx512 => unsafe { avx512::dot(panel, tile, sums) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Isa::Avx2 => unsafe { avx2::dot(panel, tile, sums) },
        Isa::Portable => portable(panel, tile, sums),
    }
}

fn portable(panel: Panel<'_>, tile: RowTile<'_>, sums: &mut Sums) {
    let RowTile { height, group_words, words } = tile;
    sums.0[..height].fill([0.0; COLUMNS]);
    let add = |sum: f32, a: f32, b: f32| if PORTABLE_FUSES { a.mul_add(b, sum) } else { a * b + sum };
    for (group, words) in words.chunks_exact(height * group_words).enumerate() {
        for lane in 0..COLUMNS {
            let scaling = panel.scaling(group, lane);
            let mut stored = [0; GROUP];
            for (number, stored) in stored.iter_mut().enumerate() {
                *stored = panel.stored(group, lane, number);
            }
            for (line, sums) in sums.0.iter_mut().take(height).enumerate() {
                let of_row = |at: usize| f32::from_bits(words[at * height + line]);
                let products = stored.as_chunks::<4>().0.iter().enumerate().map(|(row, stored)| {
                    let values = words[row * height + line].to_le_bytes();
                    stored.iter().zip(values).map(|(stored, value)| i32::from(*stored) * i32::from(value as i8)).sum()
                });
                let mut halves = [0_i32; 2];
                for (row, product) in products.enumerate() {
                    let product: i32 = product;
                    halves[row / (GROUP / 8)] += product;
                }
                let sum = &mut sums[lane];
                if panel.form.head.splits() {
                    for half in 0..2 {
                        let (factor, addend) = scaling[half];
                        *sum = add(*sum, halves[half] as f32, factor * of_row(SCALE));
                        *sum = add(*sum, addend, of_row(HALF_SUMS[half]));
                    }
                } else {
                    let (factor, addend) = scaling[0];
                    *sum = add(*sum, (halves[0] + halves[1]) as f32, factor * of_row(SCALE));
                    *sum = add(*sum, addend, of_row(SUM));
                }
            }
        }
    }
}
