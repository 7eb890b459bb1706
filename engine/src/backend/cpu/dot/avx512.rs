//! All sixteen outputs of a panel in one register, four products a lane and instruction (VNNI).

use super::{RowTile, Sums};
use crate::{
    backend::cpu::{
        groups::{Head, Panel},
        rounded::{HALF_SUMS, SCALE, SUM},
    },
    model::quantised::{BLOCK, Bits, GROUP},
};
use std::arch::x86_64::*;

/// # Safety
/// `panel` is a whole panel, `tile` a tile over as many groups with the words that the head needs, of 1, 2, 4, 8 or 12
/// rows; AVX-512 F, BW and VNNI are there.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub unsafe fn dot(panel: Panel<'_>, tile: RowTile<'_>, sums: &mut Sums) {
    use Bits::{Eight, Five, Four, Six};
    // SAFETY: passed on from the caller.
    unsafe {
        match (panel.form.bits, panel.form.head) {
            (Four, Head::Centred(centre)) => by_height::<4, CENTRED>(centre, panel, tile, sums),
            (Five, Head::Centred(centre)) => by_height::<5, CENTRED>(centre, panel, tile, sums),
            (Six, Head::Centred(centre)) => by_height::<6, CENTRED>(centre, panel, tile, sums),
            (Eight, Head::Centred(centre)) => by_height::<8, CENTRED>(centre, panel, tile, sums),
            (Four, Head::Minima) => by_height::<4, MINIMA>(0, panel, tile, sums),
            (Five, Head::Minima) => by_height::<5, MINIMA>(0, panel, tile, sums),
            (Six, Head::Minima) => by_height::<6, MINIMA>(0, panel, tile, sums),
            (Eight, Head::Minima) => by_height::<8, MINIMA>(0, panel, tile, sums),
            (Four, Head::Steps) => by_height::<4, STEPS>(0, panel, tile, sums),
            (Five, Head::Steps) => by_height::<5, STEPS>(0, panel, tile, sums),
            (Six, Head::Steps) => by_height::<6, STEPS>(0, panel, tile, sums),
            (Eight, Head::Steps) => by_height::<8, STEPS>(0, panel, tile, sums),
            (Four, Head::Halves(centre)) => by_height::<4, HALVES>(centre, panel, tile, sums),
            (Five, Head::Halves(centre)) => by_height::<5, HALVES>(centre, panel, tile, sums),
            (Six, Head::Halves(centre)) => by_height::<6, HALVES>(centre, panel, tile, sums),
            (Eight, Head::Halves(centre)) => by_height::<8, HALVES>(centre, panel, tile, sums),
        }
    }
}

// [`Head`] as a constant.
const CENTRED: u8 = 0;
const MINIMA: u8 = 1;
const STEPS: u8 = 2;
const HALVES: u8 = 3;

/// # Safety
/// As [`dot`].
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
unsafe fn by_height<const BITS: usize, const HEAD: u8>(
    centre: u8,
    panel: Panel<'_>,
    tile: RowTile<'_>,
    sums: &mut Sums,
) {
    // SAFETY: passed on from the caller.
    unsafe {
        match tile.height {
            1 => rows::<BITS, HEAD, 1>(centre, panel, tile, sums),
            2 => rows::<BITS, HEAD, 2>(centre, panel, tile, sums),
            4 => rows::<BITS, HEAD, 4>(centre, panel, tile, sums),
            8 => rows::<BITS, HEAD, 8>(centre, panel, tile, sums),
            _ => rows::<BITS, HEAD, 12>(centre, panel, tile, sums),
        }
    }
}

/// # Safety
/// As [`dot`], with H rows.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[allow(clippy::needless_range_loop, reason = "the indices address pointers as well as registers")]
unsafe fn rows<const BITS: usize, const HEAD: u8, const H: usize>(
    centre: u8,
    panel: Panel<'_>,
    tile: RowTile<'_>,
    sums: &mut Sums,
) {
    let below = _mm512_set1_ps(-f32::from(centre));
    let mut held = [_mm512_setzero_ps(); H];
    let (mut at, mut words) = (panel.bytes.as_ptr(), tile.words.as_ptr());
    let (mut block_scale, mut block_minimum) = (_mm512_setzero_ps(), _mm512_setzero_ps());
    for group in 0..panel.groups {
        // SAFETY: the panel has heads and lines of `groups` groups, read in order, and the tile has H · group_words words for each,
        // as the caller vouches.
        unsafe {
            let mut scales = [(_mm512_setzero_ps(), _mm512_setzero_ps()); 2];
            match HEAD {
                CENTRED => {
                    let scale = halves(at);
                    scales[0] = (scale, _mm512_mul_ps(scale, below));
                    at = at.add(32);
                }
                MINIMA => {
                    scales[0] = (halves(at), halves(at.add(32)));
                    at = at.add(64);
                }
                STEPS => {
                    if group % BLOCK == 0 {
                        (block_scale, block_minimum) = (halves(at), halves(at.add(32)));
                        at = at.add(64);
                    }
                    let low = _mm512_cvtepu8_epi32(_mm_loadu_si128(at.cast()));
                    let high = _mm_loadl_epi64(at.add(16).cast());
                    let four = _mm_set1_epi8(15);
                    let upper = _mm_and_si128(_mm_srli_epi16::<4>(high), four);
                    let high = _mm512_cvtepu8_epi32(_mm_unpacklo_epi64(_mm_and_si128(high, four), upper));
                    let step = _mm512_and_si512(low, _mm512_set1_epi32(63));
                    let down = _mm512_or_si512(_mm512_srli_epi32::<6>(low), _mm512_slli_epi32::<2>(high));
                    let down = _mm512_sub_ps(_mm512_setzero_ps(), _mm512_cvtepi32_ps(down));
                    scales[0] =
                        (_mm512_mul_ps(block_scale, _mm512_cvtepi32_ps(step)), _mm512_mul_ps(block_minimum, down));
                    at = at.add(24);
                }
                _ => {
                    if group % BLOCK == 0 {
                        block_scale = halves(at);
                        at = at.add(32);
                    }
                    for half in 0..2 {
                        let step = _mm512_cvtepi8_epi32(_mm_loadu_si128(at.add(16 * half).cast()));
                        let scale = _mm512_mul_ps(block_scale, _mm512_cvtepi32_ps(step));
                        scales[half] = (scale, _mm512_mul_ps(scale, below));
                    }
                    at = at.add(32);
                }
            }
            let mut products = [_mm512_setzero_si512(); H];
            // Few rows would wait for one another's products: a chain for each half of the group. Whole numbers, so no order shows.
            let mut others = [_mm512_setzero_si512(); H];
            for half in 0..2 {
                for pair in 2 * half..2 * half + 2 {
                    let (first, second) = two_rows::<BITS>(at, pair);
                    for (row, stored) in [(2 * pair, first), (2 * pair + 1, second)] {
                        for r in 0..H {
                            let four = _mm512_set1_epi32(*words.add(row * H + r) as i32);
                            if H <= 4 && HEAD != HALVES && half == 1 {
                                others[r] = _mm512_dpbusd_epi32(others[r], stored, four);
                            } else {
                                products[r] = _mm512_dpbusd_epi32(products[r], stored, four);
                            }
                        }
                    }
                }
                if HEAD == HALVES {
                    add::<H>(&mut held, &products, scales[half], words, HALF_SUMS[half]);
                    products = [_mm512_setzero_si512(); H];
                }
            }
            if HEAD != HALVES {
                if H <= 4 {
                    for r in 0..H {
                        products[r] = _mm512_add_epi32(products[r], others[r]);
                    }
                }
                add::<H>(&mut held, &products, scales[0], words, SUM);
            }
            at = at.add(BITS * 64);
            words = words.add(H * tile.group_words);
        }
    }
    for r in 0..H {
        // SAFETY: a row of sums has COLUMNS values.
        unsafe { _mm512_storeu_ps(sums.0[r].as_mut_ptr(), held[r]) };
    }
}

/// Adds a group's products, or those of one of its halves.
///
/// # Safety
/// `words` has the words of H rows.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
unsafe fn add<const H: usize>(
    held: &mut [__m512; H],
    products: &[__m512i; H],
    (factor, addend): (__m512, __m512),
    words: *const u32,
    sum: usize,
) {
    for r in 0..H {
        // SAFETY: SCALE and `sum` are among the words of a row.
        unsafe {
            let of_row = _mm512_set1_ps(f32::from_bits(*words.add(SCALE * H + r)));
            let sum_of_row = _mm512_set1_ps(f32::from_bits(*words.add(sum * H + r)));
            let product = _mm512_cvtepi32_ps(products[r]);
            held[r] = _mm512_fmadd_ps(product, _mm512_mul_ps(factor, of_row), held[r]);
            held[r] = _mm512_fmadd_ps(addend, sum_of_row, held[r]);
        }
    }
}

/// Sixteen half-precision values.
///
/// # Safety
/// 32 bytes can be read.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn halves(from: *const u8) -> __m512 {
    // SAFETY: passed on from the caller.
    unsafe { _mm512_cvtph_ps(_mm256_loadu_si256(from.cast())) }
}

/// Rows `2 · pair` and `2 · pair + 1` of a group.
///
/// # Safety
/// `planes` are those of a group of so many bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn two_rows<const BITS: usize>(planes: *const u8, pair: usize) -> (__m512i, __m512i) {
    const LINES_OF_FOUR: usize = GROUP / 8;
    // SAFETY: a group has BITS lines of 64 bytes; pair < 4.
    unsafe {
        let line = |at: usize| _mm512_loadu_si512(planes.add(at * 64).cast());
        if BITS == 8 {
            return (line(2 * pair), line(2 * pair + 1));
        }
        let low = _mm512_set1_epi8(15);
        let both = line(pair);
        let (first, second) = (_mm512_and_si512(both, low), _mm512_and_si512(_mm512_srli_epi16::<4>(both), low));
        let row = 2 * pair;
        match BITS {
            4 => (first, second),
            5 => {
                let (high, bit) = (line(LINES_OF_FOUR), _mm512_set1_epi8(16));
                (with(first, up(high, 4, row), bit), with(second, up(high, 4, row + 1), bit))
            }
            _ => {
                let (high, two) = (line(LINES_OF_FOUR + row / 4), _mm512_set1_epi8(48));
                (with(first, up(high, 4, row % 4 * 2), two), with(second, up(high, 4, row % 4 * 2 + 2), two))
            }
        }
    }
}

/// Brings bit `from` of each byte to bit `to`; the rest is to be masked away.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn up(bytes: __m512i, to: usize, from: usize) -> __m512i {
    let by = |count: usize| _mm_cvtsi32_si128(count as i32);
    if to >= from { _mm512_sll_epi16(bytes, by(to - from)) } else { _mm512_srl_epi16(bytes, by(from - to)) }
}

/// `low | high & mask`.
#[inline]
#[target_feature(enable = "avx512f")]
fn with(low: __m512i, high: __m512i, mask: __m512i) -> __m512i {
    _mm512_ternarylogic_epi32::<0xEA>(high, mask, low)
}
