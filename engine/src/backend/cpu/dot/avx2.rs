//! Eight outputs a register, the first half of a panel, then the second. Without a dot product for bytes: pairs of products are summed
//! in 16 bits, which holds 2 · 63 · 127, so eight-bit values go in two parts.

use super::{RowTile, Sums};
use crate::{
    backend::cpu::{
        groups::{COLUMNS, Head, Panel},
        rounded::{HALF_SUMS, SCALE, SUM},
    },
    model::quantised::{BLOCK, Bits},
};
use std::arch::x86_64::*;

/// # Safety
/// `panel` is a whole panel, `tile` a tile over as many groups with the words that the head needs, of 1, 2, 4, 8 or 12
/// rows; AVX2, FMA and F16C are there.
#[target_feature(enable = "avx2,fma,f16c")]
pub unsafe fn dot(panel: Panel<'_>, tile: RowTile<'_>, sums: &mut Sums) {
    let mut row = 0;
    while row < tile.height {
        // SAFETY: passed on from the caller; row + rows <= height.
        unsafe {
            if tile.height - row >= 4 {
                by_bits::<4>(panel, tile, row, sums);
                row += 4;
            } else {
                by_bits::<1>(panel, tile, row, sums);
                row += 1;
            }
        }
    }
}

/// # Safety
/// As [`dot`], with rows `row .. row + R` of the tile.
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn by_bits<const R: usize>(panel: Panel<'_>, tile: RowTile<'_>, row: usize, sums: &mut Sums) {
    // SAFETY: passed on from the caller.
    unsafe {
        match panel.form.bits {
            Bits::Four => rows::<4, R>(panel, tile, row, sums),
            Bits::Five => rows::<5, R>(panel, tile, row, sums),
            Bits::Six => rows::<6, R>(panel, tile, row, sums),
            Bits::Eight => rows::<8, R>(panel, tile, row, sums),
        }
    }
}

/// # Safety
/// As [`by_bits`].
#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
#[allow(clippy::needless_range_loop, reason = "the indices address pointers as well as registers")]
unsafe fn rows<const BITS: usize, const R: usize>(panel: Panel<'_>, tile: RowTile<'_>, row: usize, sums: &mut Sums) {
    let head = panel.form.head;
    let height = tile.height;
    let ones = _mm256_set1_epi16(1);
    for side in 0..2 {
        let mut held = [_mm256_setzero_ps(); R];
        let (mut at, mut block, mut words) = (panel.bytes.as_ptr(), panel.bytes.as_ptr(), tile.words.as_ptr());
        for group in 0..panel.groups {
            // SAFETY: the panel has heads and lines of `groups` groups, read in order, half of each line at a time, and the tile has
            // height · group_words words for each, as the caller vouches.
            unsafe {
                if group % BLOCK == 0 {
                    block = at;
                    at = at.add(head.of_block());
                }
                let scales = scaling(head, block, at, side);
                at = at.add(head.of_group());
                let mut products = [_mm256_setzero_si256(); R];
                for half in 0..2 {
                    for line in 4 * half..4 * half + 4 {
                        let (lower, upper) = stored::<BITS>(at.add(side * 32), line);
                        for r in 0..R {
                            let four = _mm256_set1_epi32(*words.add(line * height + row + r) as i32);
                            let sum = _mm256_madd_epi16(_mm256_maddubs_epi16(lower, four), ones);
                            products[r] = _mm256_add_epi32(products[r], sum);
                            if let Some(upper) = upper {
                                let sum = _mm256_madd_epi16(_mm256_maddubs_epi16(upper, four), ones);
                                products[r] = _mm256_add_epi32(products[r], _mm256_slli_epi32::<4>(sum));
                            }
                        }
                    }
                    let splits = head.splits();
                    if splits || half == 1 {
                        let (factor, addend) = scales[if splits { half } else { 0 }];
                        let sum = if splits { HALF_SUMS[half] } else { SUM };
                        for r in 0..R {
                            let of_row = _mm256_set1_ps(f32::from_bits(*words.add(SCALE * height + row + r)));
                            let sum_of_row = _mm256_set1_ps(f32::from_bits(*words.add(sum * height + row + r)));
                            let product = _mm256_cvtepi32_ps(products[r]);
                            held[r] = _mm256_fmadd_ps(product, _mm256_mul_ps(factor, of_row), held[r]);
                            held[r] = _mm256_fmadd_ps(addend, sum_of_row, held[r]);
                            products[r] = _mm256_setzero_si256();
                        }
                    }
                }
                at = at.add(BITS * 64);
                words = words.add(height * tile.group_words);
            }
        }
        for r in 0..R {
            // SAFETY: half a row of sums has COLUMNS / 2 values.
            unsafe { _mm256_storeu_ps(sums.0[row + r].as_mut_ptr().add(side * COLUMNS / 2), held[r]) };
        }
    }
}

/// Factors and addends of a group's halves, outputs `8 · side` and following.
///
/// # Safety
/// `block` and `group` are what stands before a block and a group with this head.
#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn scaling(head: Head, block: *const u8, group: *const u8, side: usize) -> [(__m256, __m256); 2] {
    // SAFETY: offsets are those of the head's layout, see `Head`.
    unsafe {
        let halves = |from: *const u8| _mm256_cvtph_ps(_mm_loadu_si128(from.add(side * 16).cast()));
        let below = |centre: u8| _mm256_set1_ps(-f32::from(centre));
        match head {
            Head::Centred(centre) => {
                let scale = halves(group);
                [(scale, _mm256_mul_ps(scale, below(centre))); 2]
            }
            Head::Minima => [(halves(group), halves(group.add(32))); 2],
            Head::Steps => {
                let low = _mm256_cvtepu8_epi32(_mm_loadl_epi64(group.add(side * 8).cast()));
                let high = _mm256_cvtepu8_epi32(_mm_loadl_epi64(group.add(16).cast()));
                let high = if side == 0 { high } else { _mm256_srli_epi32::<4>(high) };
                let high = _mm256_and_si256(high, _mm256_set1_epi32(15));
                let step = _mm256_and_si256(low, _mm256_set1_epi32(63));
                let down = _mm256_or_si256(_mm256_srli_epi32::<6>(low), _mm256_slli_epi32::<2>(high));
                let down = _mm256_sub_ps(_mm256_setzero_ps(), _mm256_cvtepi32_ps(down));
                let factor = _mm256_mul_ps(halves(block), _mm256_cvtepi32_ps(step));
                [(factor, _mm256_mul_ps(halves(block.add(32)), down)); 2]
            }
            Head::Halves(centre) => [0, 16].map(|half| {
                let step = _mm256_cvtepi8_epi32(_mm_loadl_epi64(group.add(half + side * 8).cast()));
                let factor = _mm256_mul_ps(halves(block), _mm256_cvtepi32_ps(step));
                (factor, _mm256_mul_ps(factor, below(centre)))
            }),
        }
    }
}

/// One row of a group, half of its line; of eight bits the low and the high half of each value.
///
/// # Safety
/// `planes` are those of a group of so many bits, from the half on; `row` is below 8.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn stored<const BITS: usize>(planes: *const u8, row: usize) -> (__m256i, Option<__m256i>) {
    // SAFETY: a group has BITS lines of 64 bytes.
    unsafe {
        let line = |at: usize| _mm256_loadu_si256(planes.add(at * 64).cast());
        let low = _mm256_set1_epi8(15);
        let high_of = |bytes: __m256i| _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), low);
        if BITS == 8 {
            let own = line(row);
            return (_mm256_and_si256(own, low), Some(high_of(own)));
        }
        let both = line(row / 2);
        let four = if row.is_multiple_of(2) { _mm256_and_si256(both, low) } else { high_of(both) };
        let above = |line: __m256i, from: usize, mask: i8| {
            let by = |count: usize| _mm_cvtsi32_si128(count as i32);
            let moved =
                if from <= 4 { _mm256_sll_epi16(line, by(4 - from)) } else { _mm256_srl_epi16(line, by(from - 4)) };
            _mm256_or_si256(four, _mm256_and_si256(moved, _mm256_set1_epi8(mask)))
        };
        let all = match BITS {
            4 => four,
            5 => above(line(4), row, 16),
            _ => above(line(4 + row / 4), row % 4 * 2, 48),
        };
        (all, None)
    }
}
