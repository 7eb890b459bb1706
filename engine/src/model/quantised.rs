//! Weights of few bits, in one form whatever the file calls them.

use candle_core::quantized::GgmlDType;
use half::f16;

/// Values that share a scale.
pub const GROUP: usize = 32;
/// Groups of a block: those that share the scales which a [`Scaling`] of steps multiplies.
pub const BLOCK: usize = 8;

/// Bits of a stored value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bits {
    /// 0 to 15.
    Four,
    /// 0 to 31.
    Five,
    /// 0 to 63.
    Six,
    /// 0 to 255.
    Eight,
}

/// How stored values become weights.
#[derive(Clone, Debug, PartialEq)]
pub enum Scaling {
    /// `scale · (stored − centre)`, a scale for each group.
    Centred {
        /// By group.
        scales: Vec<f16>,
        /// The stored value that means 0.
        centre: u8,
    },
    /// `scale · stored + minimum`, both for each group.
    Minima {
        /// By group.
        scales: Vec<f16>,
        /// By group.
        minima: Vec<f16>,
    },
    /// `scale · step · stored − minimum · step'`: scale and minimum for each block, their steps (0 to 63) for each group.
    Steps {
        /// By block.
        scales: Vec<f16>,
        /// By block.
        minima: Vec<f16>,
        /// By group: of the scale, of the minimum.
        steps: Vec<[u8; 2]>,
    },
    /// `scale · step · (stored − centre)`: a scale for each block, a step for each half of a group.
    Halves {
        /// By block.
        scales: Vec<f16>,
        /// By group: of its first 16 values, of the others.
        steps: Vec<[i8; 2]>,
        /// The stored value that means 0.
        centre: u8,
    },
}

/// Rows of a matrix cut into groups of [`GROUP`] values.
#[derive(Clone, Debug, PartialEq)]
pub struct Groups {
    /// Bits of a stored value.
    pub bits: Bits,
    /// What the stored values mean.
    pub scaling: Scaling,
    /// A byte for each value, row after row.
    pub stored: Vec<u8>,
}

/// A tensor as it is computed with.
#[derive(Clone, Debug, PartialEq)]
pub enum Tensor {
    /// Values as they are.
    Plain(Vec<f32>),
    /// Values of few bits.
    Groups(Groups),
}

impl Groups {
    /// From a tensor's bytes, without any loss and without a bit more a value; none for types that have other groups.
    pub fn exact(kind: GgmlDType, bytes: &[u8]) -> Option<Self> {
        let blocks = bytes.chunks_exact(kind.type_size());
        let mut stored = Vec::new();
        let (bits, scaling) = match kind {
            GgmlDType::Q4_0 => {
                let scales = blocks.clone().map(|block| half(block, 0)).collect();
                blocks.for_each(|block| nibbles(&block[2..18], &mut stored));
                (Bits::Four, Scaling::Centred { scales, centre: 8 })
            }
            GgmlDType::Q4_1 => {
                let scales = blocks.clone().map(|block| half(block, 0)).collect();
                let minima = blocks.clone().map(|block| half(block, 2)).collect();
                blocks.for_each(|block| nibbles(&block[4..20], &mut stored));
                (Bits::Four, Scaling::Minima { scales, minima })
            }
            GgmlDType::Q5_0 => {
                let scales = blocks.clone().map(|block| half(block, 0)).collect();
                blocks.for_each(|block| fives(&block[6..22], &block[2..6], &mut stored));
                (Bits::Five, Scaling::Centred { scales, centre: 16 })
            }
            GgmlDType::Q5_1 => {
                let scales = blocks.clone().map(|block| half(block, 0)).collect();
                let minima = blocks.clone().map(|block| half(block, 2)).collect();
                blocks.for_each(|block| fives(&block[8..24], &block[4..8], &mut stored));
                (Bits::Five, Scaling::Minima { scales, minima })
            }
            GgmlDType::Q8_0 => {
                let scales = blocks.clone().map(|block| half(block, 0)).collect();
                blocks.for_each(|block| stored.extend(block[2..34].iter().map(|byte| byte ^ 128)));
                (Bits::Eight, Scaling::Centred { scales, centre: 128 })
            }
            GgmlDType::Q4K => {
                let scaling = steps(blocks.clone());
                // Two groups share 32 bytes: the first is in the low halves, the second in the high ones.
                for pair in blocks.flat_map(|block| block[16..144].chunks_exact(GROUP)) {
                    nibbles(pair, &mut stored);
                }
                (Bits::Four, scaling)
            }
            GgmlDType::Q5K => {
                let scaling = steps(blocks.clone());
                for block in blocks {
                    let high = &block[16..48];
                    for (group, pair) in block[48..176].chunks_exact(GROUP).enumerate() {
                        let first = stored.len();
                        nibbles(pair, &mut stored);
                        for (at, value) in stored[first..].iter_mut().enumerate() {
                            *value |= (high[at % GROUP] >> (2 * group + at / GROUP) & 1) << 4;
                        }
                    }
                }
                (Bits::Five, scaling)
            }
            GgmlDType::Q6K => {
                let (mut scales, mut steps) = (Vec::new(), Vec::new());
                for block in blocks {
                    // 128 values from 64 bytes of low halves and 32 of two high bits each.
                    for (low, high) in block[..128].chunks_exact(64).zip(block[128..192].chunks_exact(32)) {
                        let first = stored.len();
                        nibbles(low, &mut stored);
                        for (at, value) in stored[first..].iter_mut().enumerate() {
                            *value |= (high[at % 32] >> (at / 32 * 2) & 3) << 4;
                        }
                    }
                    steps.extend(block[192..208].as_chunks::<2>().0.iter().map(|pair| pair.map(|step| step as i8)));
                    scales.push(half(block, 208));
                }
                (Bits::Six, Scaling::Halves { scales, steps, centre: 32 })
            }
            _ => return None,
        };
        Some(Self { bits, scaling, stored })
    }

    /// Values rounded to eight bits about zero. Where the largest of a group is between 0.001 and 8 million none is further off than
    /// 1/250 of it; scales of smaller groups have few bits, and larger ones do not fit.
    pub fn rounded(values: &[f32]) -> Self {
        let (mut scales, mut stored) = (Vec::new(), Vec::with_capacity(values.len()));
        for group in values.chunks(GROUP) {
            let largest = group.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
            let mut scale = f16::from_f32((largest / 127.0).min(f16::MAX.to_f32()));
            // Rounded up, so that the largest value still fits.
            if scale.to_f32() * 127.0 < largest && scale < f16::MAX {
                scale = f16::from_bits(scale.to_bits() + 1);
            }
            let inverse = if scale > f16::ZERO { 1.0 / scale.to_f32() } else { 0.0 };
            stored
                .extend(group.iter().map(|value| ((value * inverse).round().clamp(-127.0, 127.0) as i16 + 128) as u8));
            scales.push(scale);
        }
        Self { bits: Bits::Eight, scaling: Scaling::Centred { scales, centre: 128 }, stored }
    }

    /// Whether all values are numbers.
    pub fn is_finite(&self) -> bool {
        let (scales, minima): (_, &[f16]) = match &self.scaling {
            Scaling::Centred { scales, .. } | Scaling::Halves { scales, .. } => (scales, &[]),
            Scaling::Minima { scales, minima } | Scaling::Steps { scales, minima, .. } => (scales, minima),
        };
        scales.iter().chain(minima).all(|half| half.is_finite())
    }

    /// Factor and addend of one value: `factor · stored + addend`.
    pub fn scale(&self, at: usize) -> (f32, f32) {
        let group = at / GROUP;
        match &self.scaling {
            Scaling::Centred { scales, centre } => {
                let scale = scales[group].to_f32();
                (scale, scale * -f32::from(*centre))
            }
            Scaling::Minima { scales, minima } => (scales[group].to_f32(), minima[group].to_f32()),
            Scaling::Steps { scales, minima, steps } => {
                let [scale, minimum] = steps[group].map(f32::from);
                (scales[group / BLOCK].to_f32() * scale, minima[group / BLOCK].to_f32() * -minimum)
            }
            Scaling::Halves { scales, steps, centre } => {
                let scale = scales[group / BLOCK].to_f32() * f32::from(steps[group][at / (GROUP / 2) % 2]);
                (scale, scale * -f32::from(*centre))
            }
        }
    }

    /// One value.
    #[cfg(test)]
    pub fn value(&self, at: usize) -> f32 {
        let (factor, addend) = self.scale(at);
        factor.mul_add(f32::from(self.stored[at]), addend)
    }
}

fn half(block: &[u8], at: usize) -> f16 {
    f16::from_le_bytes([block[at], block[at + 1]])
}

/// The low halves of the bytes, then the high ones.
fn nibbles(bytes: &[u8], stored: &mut Vec<u8>) {
    stored.extend(bytes.iter().map(|byte| byte & 15));
    stored.extend(bytes.iter().map(|byte| byte >> 4));
}

/// A group of five bits: the fifth of each value is in `high`.
fn fives(bytes: &[u8], high: &[u8], stored: &mut Vec<u8>) {
    let first = stored.len();
    nibbles(bytes, stored);
    for (at, value) in stored[first..].iter_mut().enumerate() {
        *value |= (high[at / 8] >> (at % 8) & 1) << 4;
    }
}

/// Scales, minima and steps of blocks that begin with both halves and twelve bytes of steps of six bits.
fn steps<'a>(blocks: impl Iterator<Item = &'a [u8]> + Clone) -> Scaling {
    let six = |packed: &[u8], group: usize| match group {
        0..4 => [packed[group] & 63, packed[group + 4] & 63],
        _ => [packed[group + 4] & 15 | packed[group - 4] >> 6 << 4, packed[group + 4] >> 4 | packed[group] >> 6 << 4],
    };
    Scaling::Steps {
        scales: blocks.clone().map(|block| half(block, 0)).collect(),
        minima: blocks.clone().map(|block| half(block, 2)).collect(),
        steps: blocks.flat_map(|block| (0..BLOCK).map(move |group| six(&block[4..16], group))).collect(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
    use super::*;
    use candle_core::{Device, quantized::QTensor};

    fn values(count: usize) -> Vec<f32> {
        (0..count).map(|i| ((i * 7919 % 1009) as f32 / 504.5 - 1.0) * (1.0 + (i / 64) as f32)).collect()
    }

    #[test]
    fn groups_hold_what_candle_reads() {
        use GgmlDType::{Q4_0, Q4_1, Q4K, Q5_0, Q5_1, Q5K, Q6K, Q8_0};
        let plain = values(4 * 512);
        let tensor = candle_core::Tensor::new(plain.as_slice(), &Device::Cpu).unwrap().reshape((4, 512)).unwrap();
        for kind in [Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q4K, Q5K, Q6K] {
            let packed = QTensor::quantize(&tensor, kind).unwrap();
            let read = packed.dequantize(&Device::Cpu).unwrap().flatten_all().unwrap().to_vec1::<f32>().unwrap();
            let groups = Groups::exact(kind, &packed.data().unwrap()).unwrap();
            assert_eq!(groups.stored.len(), plain.len());
            for (at, read) in read.iter().enumerate() {
                let found = groups.value(at);
                let (factor, addend) = groups.scale(at);
                // Two roundings of a product and a sum that may nearly cancel.
                let bound = (factor * f32::from(groups.stored[at])).abs().max(addend.abs()) * 3e-7;
                assert!((found - read).abs() <= bound, "{kind:?} {at}: {found} {read}");
            }
        }
        assert_eq!(Groups::exact(GgmlDType::Q2K, &[0; 84]), None);
    }

    #[test]
    fn rounding_stays_within_its_bound() {
        let mut plain = values(1024);
        plain[64..96].fill(0.0);
        plain[100] = 6e4;
        plain[160..192].iter_mut().for_each(|value| *value /= 1_000.0);
        plain[200] = 8e6;
        let groups = Groups::rounded(&plain);
        for (at, value) in plain.iter().enumerate() {
            let first = at / GROUP * GROUP;
            let largest = plain[first..first + GROUP].iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
            assert!((groups.value(at) - value).abs() <= largest / 250.0, "{at}: {} {value}", groups.value(at));
        }
    }
}
