//! Activations rounded to eight bits, as the integer kernels read them.

#![allow(unsafe_code, reason = "instruction sets chosen at run time")]

#[cfg(target_arch = "x86_64")]
mod avx512;

use super::{
    elementwise::{LANES, ROUND, for_each_isa},
    isa::{Isa, PORTABLE_FUSES},
    matrix::Matrix,
    scratch::Scratch,
};
use crate::model::quantised::GROUP;
use rayon::prelude::*;

/// Heights of tiles, the greatest that fits first.
const HEIGHTS: [usize; 5] = [12, 8, 4, 2, 1];
/// Where the scale of a row stands among its words: behind 32 values of eight bits.
pub const SCALE: usize = GROUP / 4;
/// Then the scale times the sum of all values.
pub const SUM: usize = SCALE + 1;
/// Then, where a weight splits its groups, the scale times the sums of both halves.
pub const HALF_SUMS: [usize; 2] = [SCALE + 2, SCALE + 3];

/// Groups below this are taken for zeros.
const SMALLEST: f32 = 1e-30;

/// Rows in tiles. A tile of `height` rows holds for each group of [`GROUP`] values: the first four of each row as one word, the next
/// four of each row, and so on; then each row's [`SCALE`], and so on.
///
/// A row is rounded alone, by the largest value of each group, so it has the same bits in whatever tile it stands.
#[derive(Debug)]
pub struct RoundedRows {
    groups: usize,
    /// Of a row in one group.
    group_words: usize,
    tiles: Vec<Tile>,
    words: Scratch<u32>,
}

/// Some rows.
#[derive(Clone, Copy, Debug)]
pub struct Tile {
    /// The first.
    pub row: usize,
    /// How many, 1 to 12.
    pub height: usize,
}

impl RoundedRows {
    /// Rounds all rows, whose width is a multiple of [`GROUP`]; with the sums of halves when a weight `splits` its groups.
    pub fn new(isa: Isa, x: &Matrix, splits: bool) -> Self {
        let (rows, groups) = (x.rows(), x.columns / GROUP);
        let group_words = if splits { HALF_SUMS[1] + 1 } else { SUM + 1 };
        let mut tiles = Vec::new();
        let mut row = 0;
        while row < rows {
            let height = HEIGHTS.into_iter().find(|height| *height <= rows - row).unwrap_or(1);
            tiles.push(Tile { row, height });
            row += height;
        }
        let mut words = Scratch::to_write(rows * groups * group_words);
        let mut rest = &mut *words;
        let mut parts = Vec::with_capacity(tiles.len());
        for tile in &tiles {
            let (part, after) = rest.split_at_mut(tile.height * groups * group_words);
            parts.push((tile, part));
            rest = after;
        }
        parts.into_par_iter().for_each(|(tile, words)| {
            for line in 0..tile.height {
                round_row(isa, x.row(tile.row + line), words, [tile.height, group_words, line]);
            }
        });
        Self { groups, group_words, tiles, words }
    }

    /// The tiles, and their words.
    pub fn tiles(&self) -> impl Iterator<Item = (Tile, &[u32])> {
        let of_row = self.groups * self.group_words;
        self.tiles.iter().map(move |tile| (*tile, &self.words[tile.row * of_row..][..tile.height * of_row]))
    }

    /// Words of a row in one group.
    pub fn group_words(&self) -> usize {
        self.group_words
    }

    /// Number of tiles.
    pub fn len(&self) -> usize {
        self.tiles.len()
    }
}

/// Rounds a row into the words of its tile, given the tile's height, the words of a row in one group, and the row's line.
fn round_row(isa: Isa, row: &[f32], words: &mut [u32], place: [usize; 3]) {
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: an `Isa` is only made when the machine has it.
        Isa::Avx512 => unsafe { avx512::round_row(row, words, place) },
        _ => round_row_by_loops(isa, row, words, place),
    }
}

for_each_isa! {
    /// [`round_row`] in loops, for any set.
    pub fn round_row_by_loops(row: &[f32], words: &mut [u32], place: [usize; 3]) = round_row_body
}

#[inline(always)]
fn round_row_body<const FUSED: bool>(row: &[f32], words: &mut [u32], [height, group_words, line]: [usize; 3]) {
    let groups = row.as_chunks::<GROUP>().0.iter().zip(words.chunks_exact_mut(height * group_words));
    for (values, words) in groups {
        let mut rounded = [0; GROUP];
        let scale = round_group(values, &mut rounded);
        let (first, second) = rounded.split_at(GROUP / 2);
        // At most 16 · 127; checked sums would go one by one.
        let sum = |half: &[i8]| half.iter().fold(0_i32, |sum, value| sum.wrapping_add(i32::from(*value)));
        let (first, second) = (sum(first), sum(second));
        let mut lines = words[line..].iter_mut().step_by(height);
        // The fours first: they end before a further line is taken.
        for (four, word) in rounded.as_chunks::<4>().0.iter().zip(lines.by_ref()) {
            let [a, b, c, d] = *four;
            *word = u32::from_le_bytes([a as u8, b as u8, c as u8, d as u8]);
        }
        // SCALE, SUM, HALF_SUMS.
        for (word, factor) in lines.zip([1.0, first.wrapping_add(second) as f32, first as f32, second as f32]) {
            *word = (scale * factor).to_bits();
        }
    }
}

/// Sets a group's values as −127 … 127 of the scale that is returned; ties go to the even number.
#[inline(always)]
fn round_group(values: &[f32; GROUP], rounded: &mut [i8; GROUP]) -> f32 {
    // Bits of positive values are ordered like the values, and those of what is no number are above all: it must not get lost.
    let mut lanes = [0_u32; LANES];
    for chunk in values.chunks_exact(LANES) {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = (*lane).max(value.abs().to_bits());
        }
    }
    let largest = f32::from_bits(lanes.into_iter().fold(0, u32::max));
    // What is so small has no inverse, and nothing to say.
    if largest < SMALLEST {
        rounded.fill(0);
        return 0.0;
    }
    let inverse = 127.0 / largest;
    for (rounded, value) in rounded.iter_mut().zip(values) {
        // The lowest byte of the shifted value is the whole number. Product and sum stay apart in every set, so all round alike.
        *rounded = (value * inverse + ROUND).to_bits() as i8;
    }
    largest / 127.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_spoils_its_group() {
        for isa in Isa::available() {
            for (value, expected) in [(f32::NAN, f32::NAN), (f32::INFINITY, f32::INFINITY), (2.54, 0.02)] {
                let mut values = [1.0; GROUP];
                values[21] = value;
                let mut words = [0; SUM + 1];
                round_row(isa, &values, &mut words, [1, SUM + 1, 0]);
                let scale = f32::from_bits(words[SCALE]);
                assert!(scale == expected || (scale.is_nan() && expected.is_nan()), "{isa:?} {value}: {scale}");
            }
        }
    }
}
