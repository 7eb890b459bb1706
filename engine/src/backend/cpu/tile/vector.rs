//! Vector registers of each instruction set.

#![allow(unsafe_code, reason = "vector loads and instruction sets chosen at run time")]

use crate::backend::cpu::isa::PORTABLE_FUSES;
use half::f16;

/// A vector register. The methods are inlined into functions that switch the instruction set on.
pub trait Vector: Copy {
    const WIDTH: usize;
    /// # Safety
    /// `from` points to WIDTH readable values and the instruction set is there.
    unsafe fn load(from: *const f32) -> Self;
    /// # Safety
    /// As [`load`](Self::load).
    unsafe fn load_halves(from: *const f16) -> Self;
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

/// Four values without any special instruction. Fused only where the target always has it: elsewhere it is a library call.
#[derive(Clone, Copy)]
pub struct Plain([f32; 4]);

impl Vector for Plain {
    const WIDTH: usize = 4;

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the caller vouches for four readable values; an array of f32 needs no more alignment than f32.
        unsafe { Self(from.cast::<[f32; 4]>().read()) }
    }

    #[inline(always)]
    unsafe fn load_halves(from: *const f16) -> Self {
        // SAFETY: as above, of f16.
        unsafe { Self(from.cast::<[f16; 4]>().read().map(f16::to_f32)) }
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
            if PORTABLE_FUSES { a.0[i].mul_add(b.0[i], self.0[i]) } else { a.0[i] * b.0[i] + self.0[i] }
        }))
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Vector, f16};
    use std::arch::x86_64::*;

    macro_rules! vector {
        ($register:ty, $width:literal, $load:ident, $load_halves:ident, $widen:ident, $store:ident, $splat:ident, $fused:ident) => {
            impl Vector for $register {
                const WIDTH: usize = $width;
                #[inline(always)]
                unsafe fn load(from: *const f32) -> Self {
                    // SAFETY: passed on from the caller.
                    unsafe { $load(from) }
                }
                #[inline(always)]
                unsafe fn load_halves(from: *const f16) -> Self {
                    // SAFETY: passed on from the caller.
                    unsafe { $widen($load_halves(from.cast())) }
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
    vector!(
        __m512,
        16,
        _mm512_loadu_ps,
        _mm256_loadu_si256,
        _mm512_cvtph_ps,
        _mm512_storeu_ps,
        _mm512_set1_ps,
        _mm512_fmadd_ps
    );
    vector!(
        __m256,
        8,
        _mm256_loadu_ps,
        _mm_loadu_si128,
        _mm256_cvtph_ps,
        _mm256_storeu_ps,
        _mm256_set1_ps,
        _mm256_fmadd_ps
    );
}
