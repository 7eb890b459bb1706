//! Rounding with sixteen values a register: what loops of bytes and maxima become is ten times as long.

use super::{GROUP, HALF_SUMS, LANES, ROUND, SCALE, SMALLEST, SUM};
use std::arch::x86_64::*;

/// As [`super::round_row`], bit for bit.
///
/// # Safety
/// AVX-512 F is there.
#[target_feature(enable = "avx512f")]
pub unsafe fn round_row(row: &[f32], words: &mut [u32], [height, group_words, line]: [usize; 3]) {
    let groups = row.as_chunks::<GROUP>().0.iter().zip(words.chunks_exact_mut(height * group_words));
    for (values, words) in groups {
        // SAFETY: a group has twice LANES values.
        let halves = unsafe { [_mm512_loadu_ps(values.as_ptr()), _mm512_loadu_ps(values.as_ptr().add(LANES))] };
        let [first, second] =
            [_mm512_castps_si512(_mm512_abs_ps(halves[0])), _mm512_castps_si512(_mm512_abs_ps(halves[1]))];
        let largest = f32::from_bits(_mm512_reduce_max_epu32(_mm512_max_epu32(first, second)));
        let (scale, inverse) = if largest < SMALLEST { (0.0, 0.0) } else { (largest / 127.0, 127.0 / largest) };
        let [first, second] = [bytes(halves[0], inverse), bytes(halves[1], inverse)];
        let mut fours = [0_u32; SCALE];
        // SAFETY: a group has twice sixteen bytes, and no store needs more alignment than it has.
        unsafe {
            _mm_storeu_si128(fours.as_mut_ptr().cast(), first);
            _mm_storeu_si128(fours.as_mut_ptr().add(SCALE / 2).cast(), second);
        }
        for (at, four) in fours.into_iter().enumerate() {
            words[at * height + line] = four;
        }
        let pairs = _mm_hadd_epi32(by_fours(first), by_fours(second));
        let sums = _mm_hadd_epi32(pairs, pairs);
        let [first, second] = [_mm_extract_epi32::<0>(sums), _mm_extract_epi32::<1>(sums)];
        words[SCALE * height + line] = scale.to_bits();
        words[SUM * height + line] = (scale * (first + second) as f32).to_bits();
        if group_words > HALF_SUMS[0] {
            words[HALF_SUMS[0] * height + line] = (scale * first as f32).to_bits();
            words[HALF_SUMS[1] * height + line] = (scale * second as f32).to_bits();
        }
    }
}

/// The lowest bytes of the shifted values.
#[inline]
#[target_feature(enable = "avx512f")]
fn bytes(values: __m512, inverse: f32) -> __m128i {
    let product = _mm512_mul_ps(values, _mm512_set1_ps(inverse));
    _mm512_cvtepi32_epi8(_mm512_castps_si512(_mm512_add_ps(product, _mm512_set1_ps(ROUND))))
}

/// Sums of each four bytes.
#[inline]
#[target_feature(enable = "avx512f")]
fn by_fours(bytes: __m128i) -> __m128i {
    _mm_madd_epi16(_mm_maddubs_epi16(_mm_set1_epi8(1), bytes), _mm_set1_epi16(1))
}
