//! Activations rounded to eight bits, as the integer kernels read them.

use super::{elementwise, isa::Isa, matrix::Matrix, scratch::Scratch};
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
            let mut rounded = [0_i8; GROUP];
            for (group, words) in words.chunks_exact_mut(tile.height * group_words).enumerate() {
                for line in 0..tile.height {
                    let values = &x.row(tile.row + line)[group * GROUP..][..GROUP];
                    let scale = elementwise::round_group(isa, values, &mut rounded);
                    let (first, second) = rounded.split_at(GROUP / 2);
                    let [first, second] =
                        [first, second].map(|half| half.iter().map(|value| i32::from(*value)).sum::<i32>());
                    for (word, four) in rounded.as_chunks::<4>().0.iter().enumerate() {
                        words[word * tile.height + line] = u32::from_le_bytes(four.map(|value| value as u8));
                    }
                    let mut put = |at: usize, value: f32| words[at * tile.height + line] = value.to_bits();
                    put(SCALE, scale);
                    put(SUM, scale * (first + second) as f32);
                    if splits {
                        put(HALF_SUMS[0], scale * first as f32);
                        put(HALF_SUMS[1], scale * second as f32);
                    }
                }
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
