//! Rotary positions.

use crate::model::{Pairing, Rope};
use rayon::prelude::*;

/// Rows that one task turns; fewer are not worth waking a thread.
const SHARE: usize = 32;

/// Cosines and sines of a run of positions.
#[derive(Debug)]
pub struct Rotation {
    pairing: Pairing,
    /// Pairs of values of a head.
    pairs: usize,
    /// (cosine, sine) for each pair of each position.
    turns: Vec<(f32, f32)>,
}

impl Rotation {
    /// Computes the angles in f64: at position 8,000 an angle in f32 is off by a thousandth.
    pub fn new(rope: &Rope, positions: impl Iterator<Item = u32>) -> Self {
        let turn = |angle: f64| (angle.cos() as f32, angle.sin() as f32);
        let of = |position| rope.frequencies().iter().map(move |frequency| turn(f64::from(position) * frequency));
        let positions: Vec<u32> = positions.collect();
        let turns = positions.into_par_iter().with_min_len(SHARE).flat_map_iter(of).collect();
        Self { pairing: rope.pairing, pairs: rope.frequencies().len(), turns }
    }

    /// Rotates rows of `width` values, one for each position, head by head.
    pub fn apply(&self, rows: &mut [f32], width: usize, head_dim: usize) {
        let pairs = self.pairs;
        let rows = rows.par_chunks_exact_mut(width).zip(self.turns.par_chunks_exact(pairs.max(1)));
        rows.with_min_len(SHARE).for_each(|(row, turns)| {
            for head in row.chunks_exact_mut(head_dim) {
                match self.pairing {
                    Pairing::Interleaved => {
                        for (pair, turn) in head.as_chunks_mut::<2>().0.iter_mut().zip(turns) {
                            *pair = rotated(*pair, *turn);
                        }
                    }
                    Pairing::Halves => {
                        let (first, second) = head.split_at_mut(pairs);
                        for ((a, b), turn) in first.iter_mut().zip(second).zip(turns) {
                            [*a, *b] = rotated([*a, *b], *turn);
                        }
                    }
                }
            }
        });
    }
}

fn rotated([a, b]: [f32; 2], (cosine, sine): (f32, f32)) -> [f32; 2] {
    [a * cosine - b * sine, a * sine + b * cosine]
}
