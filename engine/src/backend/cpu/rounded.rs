//! Activations rounded to eight bits, as the integer kernels read them.

use super::{elementwise, isa::Isa, matrix::Matrix};
use crate::model::quantised::GROUP;
use rayon::prelude::*;

/// Heights of tiles, the greatest that fits first.
const HEIGHTS: [usize; 5] = [12, 8, 4, 2, 1];
/// Words of a row in one group: 32 values of eight bits, the scale, and the scale times their sum.
pub const WORDS: usize = GROUP / 4 + 2;

/// Rows in tiles. A tile of `height` rows holds for each group of [`GROUP`] values: the first four of each row as one word, the next
/// four of each row, and so on; then each row's scale, and each row's scale times the sum of its rounded values.
///
/// A row is rounded alone, by the largest value of each group, so it has the same bits in whatever tile it stands.
#[derive(Debug)]
pub struct RoundedRows {
    groups: usize,
    tiles: Vec<Tile>,
    words: Vec<u32>,
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
    /// Rounds all rows, whose width is a multiple of [`GROUP`].
    pub fn new(isa: Isa, x: &Matrix) -> Self {
        let (rows, groups) = (x.rows(), x.columns / GROUP);
        let mut tiles = Vec::new();
        let mut row = 0;
        while row < rows {
            let height = HEIGHTS.into_iter().find(|height| *height <= rows - row).unwrap_or(1);
            tiles.push(Tile { row, height });
            row += height;
        }
        let mut words = vec![0; rows * groups * WORDS];
        let mut rest = words.as_mut_slice();
        let mut parts = Vec::with_capacity(tiles.len());
        for tile in &tiles {
            let (part, after) = rest.split_at_mut(tile.height * groups * WORDS);
            parts.push((tile, part));
            rest = after;
        }
        parts.into_par_iter().for_each(|(tile, words)| {
            let mut rounded = [0_i8; GROUP];
            for (group, words) in words.chunks_exact_mut(tile.height * WORDS).enumerate() {
                for line in 0..tile.height {
                    let values = &x.row(tile.row + line)[group * GROUP..][..GROUP];
                    let scale = elementwise::round_group(isa, values, &mut rounded);
                    let sum: i32 = rounded.iter().map(|value| i32::from(*value)).sum();
                    for (word, four) in rounded.as_chunks::<4>().0.iter().enumerate() {
                        words[word * tile.height + line] = u32::from_le_bytes(four.map(|value| value as u8));
                    }
                    words[(WORDS - 2) * tile.height + line] = scale.to_bits();
                    words[(WORDS - 1) * tile.height + line] = (scale * sum as f32).to_bits();
                }
            }
        });
        Self { groups, tiles, words }
    }

    /// The tiles, and their words.
    pub fn tiles(&self) -> impl Iterator<Item = (Tile, &[u32])> {
        let of_row = self.groups * WORDS;
        self.tiles.iter().map(move |tile| (*tile, &self.words[tile.row * of_row..][..tile.height * of_row]))
    }

    /// Number of tiles.
    pub fn len(&self) -> usize {
        self.tiles.len()
    }
}
