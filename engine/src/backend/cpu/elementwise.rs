//! What is done value by value: normalisation, activation, softmax. Written as plain loops that the compiler turns into vectors
//! of whatever width the instruction set has; sums go through a fixed number of lanes, so the order never depends on the width.

#![allow(unsafe_code, reason = "instruction sets chosen at run time")]

use super::isa::{Isa, PORTABLE_FUSES};

/// Lanes of a sum: value `i` goes to lane `i % LANES`.
pub const LANES: usize = 16;

/// 1.5 · 2²³: a value near it keeps whole numbers only, and its lowest bits are that whole number.
pub const ROUND: f32 = 12_582_912.0;

/// Compiles a loop for each instruction set and calls the one that `isa` names.
macro_rules! for_each_isa {
    ($(#[$doc:meta])* pub fn $name:ident($($arg:ident: $type:ty),*) $(-> $out:ty)? = $body:ident) => {
        $(#[$doc])*
        pub fn $name(isa: Isa, $($arg: $type),*) $(-> $out)? {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f")]
            fn avx512($($arg: $type),*) $(-> $out)? { $body::<true>($($arg),*) }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            fn avx2($($arg: $type),*) $(-> $out)? { $body::<true>($($arg),*) }
            match isa {
                #[cfg(target_arch = "x86_64")]
                // SAFETY: an `Isa` is only made when the machine has it.
                Isa::Avx512 => unsafe { avx512($($arg),*) },
                #[cfg(target_arch = "x86_64")]
                // SAFETY: as above.
                Isa::Avx2 => unsafe { avx2($($arg),*) },
                Isa::Portable => $body::<PORTABLE_FUSES>($($arg),*),
            }
        }
    };
}

pub(super) use for_each_isa;

for_each_isa! {
    /// Divides a row by its root mean square and multiplies by the weight.
    pub fn rms_norm(row: &[f32], weight: &[f32], eps: f32, into: &mut [f32]) = rms_norm_body
}
for_each_isa! {
    /// `gate ← gate · sigmoid(gate) · up`.
    pub fn silu_mul(gate: &mut [f32], up: &[f32]) = silu_mul_body
}
for_each_isa! {
    /// Replaces logits by `exp(logit − largest)` and returns their sum.
    pub fn exponentials(logits: &mut [f32]) -> f32 = exponentials_body
}

#[inline(always)]
fn rms_norm_body<const FUSED: bool>(row: &[f32], weight: &[f32], eps: f32, into: &mut [f32]) {
    let mut lanes = [0.0; LANES];
    let (whole, rest) = row.as_chunks::<LANES>();
    for chunk in whole {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = add_product::<FUSED>(*lane, *value, *value);
        }
    }
    for (lane, value) in lanes.iter_mut().zip(rest) {
        *lane = add_product::<FUSED>(*lane, *value, *value);
    }
    let scale = 1.0 / (total(&lanes) / row.len() as f32 + eps).sqrt();
    for ((out, value), weight) in into.iter_mut().zip(row).zip(weight) {
        *out = value * scale * weight;
    }
}

#[inline(always)]
fn silu_mul_body<const FUSED: bool>(gate: &mut [f32], up: &[f32]) {
    for (gate, up) in gate.iter_mut().zip(up) {
        *gate = *gate / (1.0 + exp::<FUSED>(-*gate)) * up;
    }
}

#[inline(always)]
fn exponentials_body<const FUSED: bool>(logits: &mut [f32]) -> f32 {
    let (whole, rest) = logits.as_chunks_mut::<LANES>();
    let mut largest = [f32::NEG_INFINITY; LANES];
    for chunk in whole.iter() {
        for (lane, value) in largest.iter_mut().zip(chunk) {
            *lane = if *value > *lane { *value } else { *lane };
        }
    }
    for (lane, value) in largest.iter_mut().zip(rest.iter()) {
        *lane = if *value > *lane { *value } else { *lane };
    }
    let largest = largest.into_iter().fold(f32::NEG_INFINITY, f32::max);
    let mut lanes = [0.0; LANES];
    for chunk in whole {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *value = exp::<FUSED>(*value - largest);
            *lane += *value;
        }
    }
    for (lane, value) in lanes.iter_mut().zip(rest) {
        *value = exp::<FUSED>(*value - largest);
        *lane += *value;
    }
    total(&lanes)
}

/// Adds the lanes pairwise.
#[inline(always)]
fn total(lanes: &[f32; LANES]) -> f32 {
    let mut lanes = *lanes;
    let mut width = LANES / 2;
    while width > 0 {
        for i in 0..width {
            lanes[i] += lanes[i + width];
        }
        width /= 2;
    }
    lanes[0]
}

#[inline(always)]
fn add_product<const FUSED: bool>(sum: f32, a: f32, b: f32) -> f32 {
    if FUSED { a.mul_add(b, sum) } else { a * b + sum }
}

/// eˣ within two units in the last place, for x from −87 to 88; beyond, the value at the end of the range.
///
/// x = n · ln 2 + r with |r| <= ln 2 / 2; eʳ by its series to the seventh power, whose remainder is below 2⁻²⁷; 2ⁿ by adding n to
/// the exponent bits. No table and no branch, so that it becomes vector code.
#[inline(always)]
fn exp<const FUSED: bool>(x: f32) -> f32 {
    /// ln 2 in two parts; the first has few bits, so that n times it is exact.
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let x = if x > -87.0 { x } else { -87.0 };
    let x = if x < 88.0 { x } else { 88.0 };
    let shifted = add_product::<FUSED>(ROUND, x, std::f32::consts::LOG2_E);
    let n = shifted - ROUND;
    let r = add_product::<FUSED>(add_product::<FUSED>(x, n, -LN_2_HIGH), n, -LN_2_LOW);
    let mut series = 1.0 / 5_040.0;
    for coefficient in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        series = add_product::<FUSED>(coefficient, series, r);
    }
    f32::from_bits(series.to_bits().wrapping_add(shifted.to_bits() << 23))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
    use super::*;

    #[test]
    fn exp_is_close_to_the_library() {
        for step in -8_700..8_800 {
            let x = step as f32 / 100.0;
            for found in [exp::<true>(x), exp::<false>(x)] {
                let expected = f64::from(x).exp();
                let error = (f64::from(found) - expected).abs() / expected;
                assert!(error < 3e-7, "exp({x}) = {found:e}, not {expected:e}: off by {error:e}");
            }
        }
        assert!(exp::<true>(f32::NEG_INFINITY) < 2e-38);
    }

    #[test]
    fn every_set_agrees_with_doubles() {
        let row: Vec<f32> = (0..77).map(|i| ((i * 37 % 41) as f32 - 20.0) / 7.0).collect();
        let weight: Vec<f32> = (0..77).map(|i| 0.5 + i as f32 / 50.0).collect();
        let mean = row.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>() / 77.0;
        let largest = row.iter().copied().fold(f32::MIN, f32::max);
        for isa in Isa::available() {
            let mut normal = vec![0.0; 77];
            rms_norm(isa, &row, &weight, 1e-5, &mut normal);
            let mut gate = row.clone();
            silu_mul(isa, &mut gate, &weight);
            let mut powers = row.clone();
            let sum = exponentials(isa, &mut powers);
            let mut expected_sum = 0.0;
            for i in 0..77 {
                let (x, w) = (f64::from(row[i]), f64::from(weight[i]));
                let power = (x - f64::from(largest)).exp();
                expected_sum += power;
                for (what, found, expected) in [
                    ("norm", normal[i], x / (mean + 1e-5).sqrt() * w),
                    ("silu", gate[i], x / (1.0 + (-x).exp()) * w),
                    ("exp", powers[i], power),
                ] {
                    let error = (f64::from(found) - expected).abs();
                    assert!(error <= 1e-6 * (1.0 + expected.abs()), "{isa:?} {what} {i}: {found}, not {expected}");
                }
            }
            assert!((f64::from(sum) - expected_sum).abs() < 1e-5, "{isa:?} sum {sum}, not {expected_sum}");
        }
    }
}
