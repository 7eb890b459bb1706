//! Rotary positions.

use crate::model::{Pairing, Rope};

/// Cosines and sines of a run of positions.
pub struct Rotation<'a> {
    rope: &'a Rope,
    /// (cosine, sine) for each pair of each position.
    turns: Vec<(f32, f32)>,
}

impl<'a> Rotation<'a> {
    /// Computes the angles in f64: at position 8,000 an angle in f32 is off by a thousandth.
    pub fn new(rope: &'a Rope, positions: impl Iterator<Item = u32>) -> Self {
        let turn = |angle: f64| (angle.cos() as f32, angle.sin() as f32);
        let turns = positions
            .flat_map(|position| rope.frequencies().iter().map(move |frequency| turn(f64::from(position) * frequency)))
            .collect();
        Self { rope, turns }
    }

    /// Rotates rows of `width` values, one for each position, head by head.
    pub fn apply(&self, rows: &mut [f32], width: usize, head_dim: usize) {
        let pairs = self.rope.frequencies().len();
        for (row, turns) in rows.chunks_exact_mut(width).zip(self.turns.chunks_exact(pairs.max(1))) {
            for head in row.chunks_exact_mut(head_dim) {
                match self.rope.pairing {
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
        }
    }
}

fn rotated([a, b]: [f32; 2], (cosine, sine): (f32, f32)) -> [f32; 2] {
    [a * cosine - b * sine, a * sine + b * cosine]
}
