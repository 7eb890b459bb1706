//! The one inner loop that everything heavy runs through: a few rows times one panel.
//!
//! A *panel* holds [`PANEL`] columns of a matrix, all of them at depth 0, then all of them at depth 1, and so on. [`sweep`] adds
//! `Σ x[r][k] · panel[k][c]` to `sums[r][c]`, `k` ascending, one product at a time. That order is the whole contract: it does not
//! depend on how many rows are swept together, so a row gets the same bits alone and in any batch.

#![allow(unsafe_code, reason = "vector loads and instruction sets chosen at run time")]

mod vector;

use super::isa::Isa;
use half::f16;
use vector::{Plain, Vector};

/// Columns of a panel.
pub const PANEL: usize = 32;
/// Most rows that one sweep takes.
pub const ROWS: usize = 8;

/// Sums of up to [`ROWS`] rows over one panel. Aligned so that a row is whole cache lines.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct Sums(pub [[f32; PANEL]; ROWS]);

impl Sums {
    /// All zero.
    pub const ZERO: Self = Self([[0.0; PANEL]; ROWS]);
}

/// A panel's values, as wide as they are kept.
#[derive(Clone, Copy, Debug)]
pub enum Panel<'a> {
    Wide(&'a [f32]),
    Half(&'a [f16]),
}

impl Panel<'_> {
    /// Without the values up to a depth.
    pub fn skip(self, depth: usize) -> Self {
        match self {
            Self::Wide(values) => Self::Wide(&values[depth * PANEL..]),
            Self::Half(values) => Self::Half(&values[depth * PANEL..]),
        }
    }

    /// One lane at all depths.
    pub fn lane(self, lane: usize) -> Vec<f32> {
        match self {
            Self::Wide(values) => values.iter().skip(lane).step_by(PANEL).copied().collect(),
            Self::Half(values) => values.iter().skip(lane).step_by(PANEL).map(|value| value.to_f32()).collect(),
        }
    }

    fn len(self) -> usize {
        match self {
            Self::Wide(values) => values.len(),
            Self::Half(values) => values.len(),
        }
    }
}

/// Adds the products of rows of `x` with a panel to `sums`, up to [`ROWS`] rows, as many as there are `sums`.
///
/// `x` holds rows of `depth` values, the starts of two rows `stride` values apart. `panel` holds `depth · PANEL` values.
///
/// # Panics
/// When the slices are shorter than `stride` and `depth` say, which is a mistake of the calling kernel.
pub fn sweep(isa: Isa, x: &[f32], stride: usize, panel: Panel<'_>, depth: usize, sums: &mut [[f32; PANEL]]) {
    let rows = sums.len();
    if rows == 0 || depth == 0 {
        return;
    }
    assert!(rows <= ROWS && x.len() >= (rows - 1) * stride + depth && panel.len() >= depth * PANEL);
    let (x, sums) = (x.as_ptr(), sums.as_mut_ptr().cast::<f32>());
    // SAFETY: the assertion above covers all reads, and `sums` has rows · PANEL values.
    unsafe {
        match panel {
            Panel::Wide(values) => on(isa, x, stride, rows, values.as_ptr(), depth, sums),
            Panel::Half(values) => on(isa, x, stride, rows, values.as_ptr(), depth, sums),
        }
    }
}

/// # Safety
/// As [`block`], with `rows` rows, 1 to [`ROWS`].
unsafe fn on<S: Stored>(
    isa: Isa,
    x: *const f32,
    stride: usize,
    rows: usize,
    panel: *const S,
    depth: usize,
    sums: *mut f32,
) {
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: passed on from the caller; `Isa` is only made when detected.
        Isa::Avx512 => unsafe { x86::avx512(x, stride, rows, panel, depth, sums) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Isa::Avx2 => unsafe { x86::avx2(x, stride, rows, panel, depth, sums) },
        // SAFETY: as above; the portable vectors need no instruction set.
        Isa::Portable => unsafe { by_fours::<Plain, S>(x, stride, rows, panel, depth, sums) },
    }
}

/// What a panel holds.
trait Stored: Copy {
    /// # Safety
    /// `from` points to WIDTH readable values and the instruction set is there.
    unsafe fn load<V: Vector>(from: *const Self) -> V;
}

impl Stored for f32 {
    #[inline(always)]
    unsafe fn load<V: Vector>(from: *const Self) -> V {
        // SAFETY: passed on from the caller.
        unsafe { V::load(from) }
    }
}

impl Stored for f16 {
    #[inline(always)]
    unsafe fn load<V: Vector>(from: *const Self) -> V {
        // SAFETY: passed on from the caller.
        unsafe { V::load_halves(from) }
    }
}

/// Sweeps R rows, C vectors of columns at a time: R · C sums stay in registers over the whole depth.
///
/// # Safety
/// `x` has R rows of `depth` values `stride` apart, `panel` has `depth · PANEL`, `sums` R · PANEL; V's instruction set is there.
#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "the indices address pointers as well as registers")]
unsafe fn block<V: Vector, S: Stored, const R: usize, const C: usize>(
    x: *const f32,
    stride: usize,
    panel: *const S,
    depth: usize,
    sums: *mut f32,
) {
    // SAFETY: all offsets stay inside what the caller vouches for: r < R, k < depth, column + WIDTH <= PANEL.
    unsafe {
        let mut column = 0;
        while column < PANEL {
            let mut held = [[V::splat(0.0); C]; R];
            for r in 0..R {
                for c in 0..C {
                    held[r][c] = V::load(sums.add(r * PANEL + column + c * V::WIDTH));
                }
            }
            for k in 0..depth {
                let mut weights = [V::splat(0.0); C];
                for c in 0..C {
                    weights[c] = S::load(panel.add(k * PANEL + column + c * V::WIDTH));
                }
                for r in 0..R {
                    let value = V::splat(*x.add(r * stride + k));
                    for c in 0..C {
                        held[r][c] = held[r][c].add_product(value, weights[c]);
                    }
                }
            }
            for r in 0..R {
                for c in 0..C {
                    held[r][c].store(sums.add(r * PANEL + column + c * V::WIDTH));
                }
            }
            column += C * V::WIDTH;
        }
    }
}

/// Sweeps in groups of four rows, two vectors wide: eight sums, for sets with sixteen registers.
///
/// # Safety
/// As [`block`], with `rows` rows.
#[inline(always)]
unsafe fn by_fours<V: Vector, S: Stored>(
    x: *const f32,
    stride: usize,
    rows: usize,
    panel: *const S,
    depth: usize,
    sums: *mut f32,
) {
    let mut done = 0;
    while done < rows {
        // SAFETY: rows `done..` are inside what the caller vouches for.
        unsafe {
            let (x, sums) = (x.add(done * stride), sums.add(done * PANEL));
            match rows - done {
                1 => block::<V, S, 1, 2>(x, stride, panel, depth, sums),
                2 => block::<V, S, 2, 2>(x, stride, panel, depth, sums),
                3 => block::<V, S, 3, 2>(x, stride, panel, depth, sums),
                _ => block::<V, S, 4, 2>(x, stride, panel, depth, sums),
            }
        }
        done += 4;
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Stored, block, by_fours};
    use std::arch::x86_64::{__m256, __m512};

    /// Eight rows by two vectors: sixteen sums of the thirty-two registers.
    ///
    /// # Safety
    /// As [`block`], with `rows` rows (1 to 8); AVX-512F is there.
    #[target_feature(enable = "avx512f")]
    pub unsafe fn avx512<S: Stored>(
        x: *const f32,
        stride: usize,
        rows: usize,
        panel: *const S,
        depth: usize,
        sums: *mut f32,
    ) {
        // SAFETY: passed on from the caller.
        unsafe {
            match rows {
                1 => block::<__m512, S, 1, 2>(x, stride, panel, depth, sums),
                2 => block::<__m512, S, 2, 2>(x, stride, panel, depth, sums),
                3 => block::<__m512, S, 3, 2>(x, stride, panel, depth, sums),
                4 => block::<__m512, S, 4, 2>(x, stride, panel, depth, sums),
                5 => block::<__m512, S, 5, 2>(x, stride, panel, depth, sums),
                6 => block::<__m512, S, 6, 2>(x, stride, panel, depth, sums),
                7 => block::<__m512, S, 7, 2>(x, stride, panel, depth, sums),
                _ => block::<__m512, S, 8, 2>(x, stride, panel, depth, sums),
            }
        }
    }

    /// # Safety
    /// As [`block`], with `rows` rows; AVX2, FMA and F16C are there.
    #[target_feature(enable = "avx2,fma,f16c")]
    pub unsafe fn avx2<S: Stored>(
        x: *const f32,
        stride: usize,
        rows: usize,
        panel: *const S,
        depth: usize,
        sums: *mut f32,
    ) {
        // SAFETY: passed on from the caller.
        unsafe { by_fours::<__m256, S>(x, stride, rows, panel, depth, sums) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_give_the_bits_of_the_same_values_kept_wide() {
        let depth = 37;
        let value = |at: usize| f16::from_f32((at * 7919 % 4093) as f32 / 512.0 - 4.0);
        let half: Vec<f16> = (0..depth * PANEL).map(value).collect();
        let wide: Vec<f32> = half.iter().map(|value| value.to_f32()).collect();
        let x: Vec<f32> = (0..ROWS * depth).map(|at| (at * 104_729 % 997) as f32 / 97.0 - 5.0).collect();
        for isa in Isa::available() {
            for rows in 1..=ROWS {
                let [of_wide, of_half] = [Panel::Wide(&wide), Panel::Half(&half)].map(|panel| {
                    let mut sums = Sums::ZERO;
                    sweep(isa, &x, depth, panel.skip(3), depth - 3, &mut sums.0[..rows]);
                    sums.0[..rows].as_flattened().iter().map(|sum| sum.to_bits()).collect::<Vec<_>>()
                });
                assert_eq!(of_wide, of_half, "{isa:?}, {rows} rows");
            }
        }
    }
}
