//! The one inner loop that everything heavy runs through: a few rows times one panel.
//!
//! A *panel* holds [`PANEL`] columns of a matrix, all of them at depth 0, then all of them at depth 1, and so on. [`sweep`] adds
//! `Σ x[r][k] · panel[k][c]` to `sums[r][c]`, `k` ascending, one product at a time. That order is the whole contract: it does not
//! depend on how many rows are swept together, so a row gets the same bits alone and in any batch.

#![allow(unsafe_code, reason = "vector loads and instruction sets chosen at run time")]

use super::isa::Isa;

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

/// Adds the products of rows of `x` with a panel to `sums`, up to [`ROWS`] rows, as many as there are `sums`.
///
/// `x` holds rows of `depth` values, the starts of two rows `stride` values apart. `panel` holds `depth · PANEL` values.
///
/// # Panics
/// When the slices are shorter than `stride` and `depth` say, which is a mistake of the calling kernel.
pub fn sweep(isa: Isa, x: &[f32], stride: usize, panel: &[f32], depth: usize, sums: &mut [[f32; PANEL]]) {
    let rows = sums.len();
    if rows == 0 || depth == 0 {
        return;
    }
    assert!(rows <= ROWS && x.len() >= (rows - 1) * stride + depth && panel.len() >= depth * PANEL);
    let (x, panel, sums) = (x.as_ptr(), panel.as_ptr(), sums.as_mut_ptr().cast::<f32>());
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the assertion above covers all reads, `sums` has rows · PANEL values, and `Isa` is only made when detected.
        Isa::Avx512 => unsafe { x86::avx512(x, stride, rows, panel, depth, sums) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Isa::Avx2 => unsafe { x86::avx2(x, stride, rows, panel, depth, sums) },
        // SAFETY: as above; the portable vectors need no instruction set.
        Isa::Portable => unsafe { by_fours::<Plain>(x, stride, rows, panel, depth, sums) },
    }
}

/// A vector register. The methods are inlined into functions that switch the instruction set on.
trait Vector: Copy {
    const WIDTH: usize;
    /// # Safety
    /// `from` points to WIDTH readable values and the instruction set is there.
    unsafe fn load(from: *const f32) -> Self;
    /// # Safety
    /// `to` points to WIDTH writable values and the instruction set is there.
    unsafe fn store(self, to: *mut f32);
    /// # Safety
    /// The instruction set is there.
    unsafe fn splat(value: f32) -> Self;
    /// `self + a · b`.
    /// # Safety
    /// The instruction set is there.
    unsafe fn add_product(self, a: Self, b: Self) -> Self;
}

/// Sweeps R rows, C vectors of columns at a time: R · C sums stay in registers over the whole depth.
///
/// # Safety
/// `x` has R rows of `depth` values `stride` apart, `panel` has `depth · PANEL`, `sums` R · PANEL; V's instruction set is there.
#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "the indices address pointers as well as registers")]
unsafe fn block<V: Vector, const R: usize, const C: usize>(
    x: *const f32,
    stride: usize,
    panel: *const f32,
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
                    weights[c] = V::load(panel.add(k * PANEL + column + c * V::WIDTH));
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
unsafe fn by_fours<V: Vector>(
    x: *const f32,
    stride: usize,
    rows: usize,
    panel: *const f32,
    depth: usize,
    sums: *mut f32,
) {
    let mut done = 0;
    while done < rows {
        // SAFETY: rows `done..` are inside what the caller vouches for.
        unsafe {
            let (x, sums) = (x.add(done * stride), sums.add(done * PANEL));
            match rows - done {
                1 => block::<V, 1, 2>(x, stride, panel, depth, sums),
                2 => block::<V, 2, 2>(x, stride, panel, depth, sums),
                3 => block::<V, 3, 2>(x, stride, panel, depth, sums),
                _ => block::<V, 4, 2>(x, stride, panel, depth, sums),
            }
        }
        done += 4;
    }
}

/// Four values without any special instruction. Fused only where the target always has it: elsewhere it is a library call.
#[derive(Clone, Copy)]
struct Plain([f32; 4]);

impl Vector for Plain {
    const WIDTH: usize = 4;

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the caller vouches for four readable values; an array of f32 needs no more alignment than f32.
        unsafe { Self(from.cast::<[f32; 4]>().read()) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller vouches for four writable values.
        unsafe { to.cast::<[f32; 4]>().write(self.0) }
    }

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        Self([value; 4])
    }

    #[inline(always)]
    unsafe fn add_product(self, a: Self, b: Self) -> Self {
        Self(std::array::from_fn(|i| {
            if super::isa::PORTABLE_FUSES { a.0[i].mul_add(b.0[i], self.0[i]) } else { a.0[i] * b.0[i] + self.0[i] }
        }))
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Vector, block, by_fours};
    use std::arch::x86_64::*;

    macro_rules! vector {
        ($register:ty, $width:literal, $load:ident, $store:ident, $splat:ident, $fused:ident) => {
            impl Vector for $register {
                const WIDTH: usize = $width;
                #[inline(always)]
                unsafe fn load(from: *const f32) -> Self {
                    // SAFETY: passed on from the caller.
                    unsafe { $load(from) }
                }
                #[inline(always)]
                unsafe fn store(self, to: *mut f32) {
                    // SAFETY: passed on from the caller.
                    unsafe { $store(to, self) }
                }
                #[inline(always)]
                unsafe fn splat(value: f32) -> Self {
                    // SAFETY: passed on from the caller.
                    unsafe { $splat(value) }
                }
                #[inline(always)]
                unsafe fn add_product(self, a: Self, b: Self) -> Self {
                    // SAFETY: passed on from the caller.
                    unsafe { $fused(a, b, self) }
                }
            }
        };
    }
    vector!(__m512, 16, _mm512_loadu_ps, _mm512_storeu_ps, _mm512_set1_ps, _mm512_fmadd_ps);
    vector!(__m256, 8, _mm256_loadu_ps, _mm256_storeu_ps, _mm256_set1_ps, _mm256_fmadd_ps);

    /// Eight rows by two vectors: sixteen sums of the thirty-two registers.
    ///
    /// # Safety
    /// As [`block`], with `rows` rows (1 to 8); AVX-512F is there.
    #[target_feature(enable = "avx512f")]
    pub unsafe fn avx512(x: *const f32, stride: usize, rows: usize, panel: *const f32, depth: usize, sums: *mut f32) {
        // SAFETY: passed on from the caller.
        unsafe {
            match rows {
                1 => block::<__m512, 1, 2>(x, stride, panel, depth, sums),
                2 => block::<__m512, 2, 2>(x, stride, panel, depth, sums),
                3 => block::<__m512, 3, 2>(x, stride, panel, depth, sums),
                4 => block::<__m512, 4, 2>(x, stride, panel, depth, sums),
                5 => block::<__m512, 5, 2>(x, stride, panel, depth, sums),
                6 => block::<__m512, 6, 2>(x, stride, panel, depth, sums),
                7 => block::<__m512, 7, 2>(x, stride, panel, depth, sums),
                _ => block::<__m512, 8, 2>(x, stride, panel, depth, sums),
            }
        }
    }

    /// # Safety
    /// As [`block`], with `rows` rows; AVX2 and FMA are there.
    #[target_feature(enable = "avx2,fma")]
    pub unsafe fn avx2(x: *const f32, stride: usize, rows: usize, panel: *const f32, depth: usize, sums: *mut f32) {
        // SAFETY: passed on from the caller.
        unsafe { by_fours::<__m256>(x, stride, rows, panel, depth, sums) }
    }
}
