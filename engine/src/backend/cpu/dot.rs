//! The integer inner loop: a tile of rounded rows times a panel of weights of few bits.
//!
//! For each group the products of whole numbers are summed exactly; then `scale of weight · scale of row · sum` and `minimum · (scale
//! of row · sum of row)` are added to the result, groups ascending. That order is the whole contract: it does not depend on how many
//! rows stand in the tile, so a row gets the same bits alone and in any batch, and all sets that fuse agree.

#![allow(unsafe_code, reason = "vector loads and instruction sets chosen at run time")]

use super::{
    groups::{COLUMNS, GroupPanels},
    isa::{Isa, PORTABLE_FUSES},
    rounded::WORDS,
};
use crate::model::quantised::{Bits, GROUP};
use half::f16;

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

/// Sets the first `height` rows of `sums` to the products of a tile of as many rows with a panel.
///
/// # Panics
/// When the tile has not the words of `height` rows, or a height that no tile has.
pub fn dot(isa: Isa, weight: &GroupPanels, panel: usize, tile: &[u32], height: usize, sums: &mut Sums) {
    let panel = weight.panel(panel);
    assert!(tile.len() == height * weight.groups() * WORDS && matches!(height, 1 | 2 | 4 | 8 | 12));
    let four = weight.bits == Bits::Four;
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the assertion covers all reads of the tile, `panel` is a whole panel, `sums` has room for every height that the
        // assertion lets through, and an `Isa` is only made when the machine has it.
        Isa::Avx512 => unsafe {
            let run = if four { x86::avx512::<true> } else { x86::avx512::<false> };
            run(panel, weight.centre, tile, height, sums);
        },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Isa::Avx2 => unsafe {
            let run = if four { x86::avx2::<true> } else { x86::avx2::<false> };
            run(panel, weight.centre, tile, height, sums);
        },
        Isa::Portable => portable(weight, panel, tile, height, sums),
    }
}

fn portable(weight: &GroupPanels, panel: &[u8], tile: &[u32], height: usize, sums: &mut Sums) {
    sums.0[..height].fill([0.0; COLUMNS]);
    let add = |sum: f32, a: f32, b: f32| if PORTABLE_FUSES { a.mul_add(b, sum) } else { a * b + sum };
    let size = weight.group_bytes();
    let head = size - weight.bits.group_bytes();
    for (bytes, words) in panel.chunks_exact(size).zip(tile.chunks_exact(height * WORDS)) {
        let half = |at: usize| f16::from_le_bytes([bytes[2 * at], bytes[2 * at + 1]]).to_f32();
        for (line, sums) in sums.0.iter_mut().take(height).enumerate() {
            let scale = f32::from_bits(words[(WORDS - 2) * height + line]);
            let scaled_sum = f32::from_bits(words[(WORDS - 1) * height + line]);
            for (lane, sum) in sums.iter_mut().enumerate() {
                let mut products = 0_i32;
                for row in 0..GROUP / 4 {
                    let values = words[row * height + line].to_le_bytes();
                    for (byte, value) in values.into_iter().enumerate() {
                        let stored = match weight.bits {
                            Bits::Four => bytes[head + row / 2 * 64 + lane * 4 + byte] >> (row % 2 * 4) & 15,
                            Bits::Eight => bytes[head + row * 64 + lane * 4 + byte],
                        };
                        products += i32::from(stored) * i32::from(value as i8);
                    }
                }
                let own = half(lane);
                let minimum = weight.centre.map_or_else(|| half(COLUMNS + lane), |centre| own * -f32::from(centre));
                *sum = add(*sum, products as f32, own * scale);
                *sum = add(*sum, minimum, scaled_sum);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{COLUMNS, GROUP, Sums, WORDS};
    use std::arch::x86_64::*;

    /// # Safety
    /// `panel` holds whole groups of 16 outputs, four-bit values where FOUR, with minima where there is no centre; `tile` holds as many
    /// groups of `height` rows, which is 1, 2, 4, 8 or 12; AVX-512 F, BW and VNNI are there.
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    pub unsafe fn avx512<const FOUR: bool>(
        panel: &[u8],
        centre: Option<u8>,
        tile: &[u32],
        height: usize,
        sums: &mut Sums,
    ) {
        // SAFETY: passed on from the caller.
        unsafe {
            match height {
                1 => wide::<FOUR, 1>(panel, centre, tile, sums),
                2 => wide::<FOUR, 2>(panel, centre, tile, sums),
                4 => wide::<FOUR, 4>(panel, centre, tile, sums),
                8 => wide::<FOUR, 8>(panel, centre, tile, sums),
                _ => wide::<FOUR, 12>(panel, centre, tile, sums),
            }
        }
    }

    /// All sixteen outputs in one register.
    ///
    /// # Safety
    /// As [`avx512`], with `H` rows.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    #[allow(clippy::needless_range_loop, reason = "the indices address pointers as well as registers")]
    unsafe fn wide<const FOUR: bool, const H: usize>(panel: &[u8], centre: Option<u8>, tile: &[u32], sums: &mut Sums) {
        let head = if centre.is_some() { 32 } else { 64 };
        let size = head + if FOUR { 256 } else { 512 };
        let below = _mm512_set1_ps(-f32::from(centre.unwrap_or(0)));
        let low = _mm512_set1_epi8(15);
        let mut held = [_mm512_setzero_ps(); H];
        let mut bytes = panel.as_ptr();
        let mut words = tile.as_ptr();
        for _ in 0..panel.len() / size {
            // SAFETY: `panel` has `size` bytes for each group and `tile` H · WORDS words, as the caller vouches.
            unsafe {
                let scale = _mm512_cvtph_ps(_mm256_loadu_si256(bytes.cast()));
                let minimum = match centre {
                    Some(_) => _mm512_mul_ps(scale, below),
                    None => _mm512_cvtph_ps(_mm256_loadu_si256(bytes.add(32).cast())),
                };
                let stored = bytes.add(head);
                // Few rows would wait for one another's products: a chain for each half of the group. Whole numbers, so no order shows.
                let mut products = [_mm512_setzero_si512(); H];
                let mut others = [_mm512_setzero_si512(); H];
                for pair in 0..GROUP / 8 {
                    let (first, second) = if FOUR {
                        let both = _mm512_loadu_si512(stored.add(pair * 64).cast());
                        (_mm512_and_si512(both, low), _mm512_and_si512(_mm512_srli_epi16::<4>(both), low))
                    } else {
                        (
                            _mm512_loadu_si512(stored.add(pair * 128).cast()),
                            _mm512_loadu_si512(stored.add(pair * 128 + 64).cast()),
                        )
                    };
                    for r in 0..H {
                        let four = _mm512_set1_epi32(*words.add(2 * pair * H + r) as i32);
                        products[r] = _mm512_dpbusd_epi32(products[r], first, four);
                    }
                    for r in 0..H {
                        let four = _mm512_set1_epi32(*words.add((2 * pair + 1) * H + r) as i32);
                        if H <= 4 {
                            others[r] = _mm512_dpbusd_epi32(others[r], second, four);
                        } else {
                            products[r] = _mm512_dpbusd_epi32(products[r], second, four);
                        }
                    }
                }
                for r in 0..H {
                    let of_row = _mm512_set1_ps(f32::from_bits(*words.add((WORDS - 2) * H + r)));
                    let sum_of_row = _mm512_set1_ps(f32::from_bits(*words.add((WORDS - 1) * H + r)));
                    if H <= 4 {
                        products[r] = _mm512_add_epi32(products[r], others[r]);
                    }
                    let product = _mm512_cvtepi32_ps(products[r]);
                    held[r] = _mm512_fmadd_ps(product, _mm512_mul_ps(scale, of_row), held[r]);
                    held[r] = _mm512_fmadd_ps(minimum, sum_of_row, held[r]);
                }
                bytes = bytes.add(size);
                words = words.add(H * WORDS);
            }
        }
        for r in 0..H {
            // SAFETY: a row of sums has COLUMNS values.
            unsafe { _mm512_storeu_ps(sums.0[r].as_mut_ptr(), held[r]) };
        }
    }

    /// # Safety
    /// As [`avx512`]; AVX2, FMA and F16C are there.
    #[target_feature(enable = "avx2,fma,f16c")]
    pub unsafe fn avx2<const FOUR: bool>(
        panel: &[u8],
        centre: Option<u8>,
        tile: &[u32],
        height: usize,
        sums: &mut Sums,
    ) {
        let mut row = 0;
        while row < height {
            // SAFETY: passed on from the caller; row + rows <= height.
            unsafe {
                if height - row >= 4 {
                    narrow::<FOUR, 4>(panel, centre, tile, height, row, sums);
                    row += 4;
                } else {
                    narrow::<FOUR, 1>(panel, centre, tile, height, row, sums);
                    row += 1;
                }
            }
        }
    }

    /// Eight outputs a register, the first half of a panel, then the second. Without a dot product for bytes: pairs of products are
    /// summed in 16 bits, which holds 2 · 15 · 127, so eight-bit values go in two halves.
    ///
    /// # Safety
    /// As [`avx512`], with rows `row .. row + R` of the tile.
    #[inline]
    #[target_feature(enable = "avx2,fma,f16c")]
    #[allow(clippy::needless_range_loop, reason = "the indices address pointers as well as registers")]
    unsafe fn narrow<const FOUR: bool, const R: usize>(
        panel: &[u8],
        centre: Option<u8>,
        tile: &[u32],
        height: usize,
        row: usize,
        sums: &mut Sums,
    ) {
        let head = if centre.is_some() { 32 } else { 64 };
        let size = head + if FOUR { 256 } else { 512 };
        let below = _mm256_set1_ps(-f32::from(centre.unwrap_or(0)));
        let (low, ones) = (_mm256_set1_epi8(15), _mm256_set1_epi16(1));
        for half in 0..2 {
            let mut held = [_mm256_setzero_ps(); R];
            let mut bytes = panel.as_ptr();
            let mut words = tile.as_ptr();
            for _ in 0..panel.len() / size {
                // SAFETY: as in `wide`, half of each row of 64 bytes at a time.
                unsafe {
                    let scale = _mm256_cvtph_ps(_mm_loadu_si128(bytes.add(half * 16).cast()));
                    let minimum = match centre {
                        Some(_) => _mm256_mul_ps(scale, below),
                        None => _mm256_cvtph_ps(_mm_loadu_si128(bytes.add(32 + half * 16).cast())),
                    };
                    let stored = bytes.add(head + half * 32);
                    let mut products = [_mm256_setzero_si256(); R];
                    for pair in 0..GROUP / 8 {
                        let at = if FOUR { pair * 64 } else { pair * 128 };
                        let one = _mm256_loadu_si256(stored.add(at).cast());
                        let high = |bytes| _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), low);
                        for (number, which) in [2 * pair, 2 * pair + 1].into_iter().enumerate() {
                            let (lower, upper) = if FOUR {
                                (if number == 0 { _mm256_and_si256(one, low) } else { high(one) }, None)
                            } else {
                                let own = _mm256_loadu_si256(stored.add(at + number * 64).cast());
                                (_mm256_and_si256(own, low), Some(high(own)))
                            };
                            for r in 0..R {
                                let four = _mm256_set1_epi32(*words.add(which * height + row + r) as i32);
                                let sum = _mm256_madd_epi16(_mm256_maddubs_epi16(lower, four), ones);
                                products[r] = _mm256_add_epi32(products[r], sum);
                                if let Some(upper) = upper {
                                    let sum = _mm256_madd_epi16(_mm256_maddubs_epi16(upper, four), ones);
                                    products[r] = _mm256_add_epi32(products[r], _mm256_slli_epi32::<4>(sum));
                                }
                            }
                        }
                    }
                    for r in 0..R {
                        let of_row = _mm256_set1_ps(f32::from_bits(*words.add((WORDS - 2) * height + row + r)));
                        let sum_of_row = _mm256_set1_ps(f32::from_bits(*words.add((WORDS - 1) * height + row + r)));
                        let product = _mm256_cvtepi32_ps(products[r]);
                        held[r] = _mm256_fmadd_ps(product, _mm256_mul_ps(scale, of_row), held[r]);
                        held[r] = _mm256_fmadd_ps(minimum, sum_of_row, held[r]);
                    }
                    bytes = bytes.add(size);
                    words = words.add(height * WORDS);
                }
            }
            for r in 0..R {
                // SAFETY: half a row of sums has COLUMNS / 2 values.
                unsafe { _mm256_storeu_ps(sums.0[row + r].as_mut_ptr().add(half * COLUMNS / 2), held[r]) };
            }
        }
    }
}
