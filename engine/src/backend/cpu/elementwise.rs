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

for_each_isa! {
    /// Brings a row to mean 0 and variance 1, times the weight, plus the bias.
    pub fn layer_norm(row: &mut [f32], weight: &[f32], bias: &[f32], eps: f32) = layer_norm_body
}
for_each_isa! {
    /// `x · Φ(x)` for each value, Φ being the normal distribution function (Hendrycks, Gimpel: Gaussian Error Linear Units, 2016).
    pub fn gelu(values: &mut [f32]) = gelu_body
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
fn layer_norm_body<const FUSED: bool>(row: &mut [f32], weight: &[f32], bias: &[f32], eps: f32) {
    let mean = sum(row, |value| value) / row.len() as f32;
    let variance = sum(row, |value| (value - mean) * (value - mean)) / row.len() as f32;
    let scale = 1.0 / (variance + eps).sqrt();
    for ((value, weight), bias) in row.iter_mut().zip(weight).zip(bias) {
        *value = add_product::<FUSED>(*bias, (*value - mean) * scale, *weight);
    }
}

#[inline(always)]
fn gelu_body<const FUSED: bool>(values: &mut [f32]) {
    for value in values {
        *value *= add_product::<FUSED>(0.5, 0.5, erf::<FUSED>(*value * std::f32::consts::FRAC_1_SQRT_2));
    }
}

#[inline(always)]
pub(super) fn exponentials_body<const FUSED: bool>(logits: &mut [f32]) -> f32 {
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

/// The sum of what is made of each value.
#[inline(always)]
fn sum(row: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let mut lanes = [0.0; LANES];
    let (whole, rest) = row.as_chunks::<LANES>();
    for chunk in whole {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane += of(*value);
        }
    }
    for (lane, value) in lanes.iter_mut().zip(rest) {
        *lane += of(*value);
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
pub(super) fn add_product<const FUSED: bool>(sum: f32, a: f32, b: f32) -> f32 {
    if FUSED { a.mul_add(b, sum) } else { a * b + sum }
}

/// The error function, off by at most 2e-7 (Abramowitz, Stegun: Handbook of Mathematical Functions, 7.1.26).
#[inline(always)]
fn erf<const FUSED: bool>(x: f32) -> f32 {
    let z = x.abs();
    let t = 1.0 / add_product::<FUSED>(1.0, 0.327_591_1, z);
    let mut series = 1.061_405_4;
    for coefficient in [-1.453_152_1, 1.421_413_8, -0.284_496_72, 0.254_829_6] {
        series = add_product::<FUSED>(coefficient, series, t);
    }
    (1.0 - series * t * exp::<FUSED>(-z * z)).copysign(x)
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

    /// By Simpson's rule from −8.
    fn normal_distribution(x: f64) -> f64 {
        const STEPS: i32 = 4_000;
        let width = (x + 8.0) / f64::from(STEPS);
        let density = |at: i32| (-0.5 * (-8.0 + f64::from(at) * width).powi(2)).exp() / std::f64::consts::TAU.sqrt();
        let weight = |at: i32| if at == 0 || at == STEPS { 1.0 } else { f64::from(2 + 2 * (at % 2)) };
        (0..=STEPS).map(|at| weight(at) * density(at)).sum::<f64>() * width / 3.0
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
            let (mut centred, mut units) = (row.clone(), row.clone());
            layer_norm(isa, &mut centred, &weight, &row, 1e-5);
            gelu(isa, &mut units);
            let mut powers = row.clone();
            let sum = exponentials(isa, &mut powers);
            let mut expected_sum = 0.0;
            for i in 0..77 {
                let (x, w) = (f64::from(row[i]), f64::from(weight[i]));
                let power = (x - f64::from(largest)).exp();
                let level = row.iter().map(|v| f64::from(*v)).sum::<f64>() / 77.0;
                let variance = row.iter().map(|v| (f64::from(*v) - level).powi(2)).sum::<f64>() / 77.0;
                expected_sum += power;
                for (what, found, expected) in [
                    ("norm", normal[i], x / (mean + 1e-5).sqrt() * w),
                    ("silu", gate[i], x / (1.0 + (-x).exp()) * w),
                    ("layer norm", centred[i], (x - level) / (variance + 1e-5).sqrt() * w + x),
                    ("gelu", units[i], x * normal_distribution(x)),
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
