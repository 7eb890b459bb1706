//! Weights of few bits, in one form whatever the file calls them.

use candle_core::quantized::GgmlDType;
use half::f16;

/// Values that share a scale.
pub const GROUP: usize = 32;

/// Bits of a stored value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bits {
    /// 0 to 15.
    Four,
    /// 0 to 255.
    Eight,
}

/// What is added to a group's scaled values.
#[derive(Clone, Debug, PartialEq)]
pub enum Offset {
    /// A value for each group.
    Minima(Vec<f16>),
    /// The same whole number of scales below zero for all groups: stored value 8 means 0 with a centre of 8.
    Centre(u8),
}

/// Rows of a matrix cut into groups of [`GROUP`] values: `scale · stored + minimum`, or `scale · (stored − centre)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Groups {
    /// Bits of a stored value.
    pub bits: Bits,
    /// A scale for each group, row after row.
    pub scales: Vec<f16>,
    /// What is added.
    pub offset: Offset,
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
    /// From a tensor's bytes, without any loss, for the types that have groups of [`GROUP`] values; none for others.
    pub fn exact(kind: GgmlDType, bytes: &[u8]) -> Option<Self> {
        let half = |block: &[u8], at: usize| f16::from_le_bytes([block[at], block[at + 1]]);
        // The first sixteen values are in the low halves of the bytes, the others in the high ones.
        let nibbles = |bytes: &[u8], stored: &mut Vec<u8>| {
            stored.extend(bytes.iter().map(|byte| byte & 15));
            stored.extend(bytes.iter().map(|byte| byte >> 4));
        };
        let blocks = bytes.chunks_exact(kind.type_size());
        let (mut scales, mut minima, mut stored) = (Vec::new(), Vec::new(), Vec::new());
        let (bits, centre) = match kind {
            GgmlDType::Q4_0 => {
                for block in blocks {
                    scales.push(half(block, 0));
                    nibbles(&block[2..18], &mut stored);
                }
                (Bits::Four, Some(8))
            }
            GgmlDType::Q4_1 => {
                for block in blocks {
                    scales.push(half(block, 0));
                    minima.push(half(block, 2));
                    nibbles(&block[4..20], &mut stored);
                }
                (Bits::Four, None)
            }
            GgmlDType::Q5_0 => {
                for block in blocks {
                    scales.push(half(block, 0));
                    let high = u32::from_le_bytes([block[2], block[3], block[4], block[5]]);
                    let first = stored.len();
                    nibbles(&block[6..22], &mut stored);
                    for (at, value) in stored[first..].iter_mut().enumerate() {
                        *value |= ((high >> at & 1) as u8) << 4;
                    }
                }
                (Bits::Eight, Some(16))
            }
            GgmlDType::Q8_0 => {
                for block in blocks {
                    scales.push(half(block, 0));
                    stored.extend(block[2..34].iter().map(|byte| byte ^ 128));
                }
                (Bits::Eight, Some(128))
            }
            _ => return None,
        };
        let offset = centre.map_or(Offset::Minima(minima), Offset::Centre);
        Some(Self { bits, scales, offset, stored })
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
        Self { bits: Bits::Eight, scales, offset: Offset::Centre(128), stored }
    }

    /// Whether all values are numbers.
    pub fn is_finite(&self) -> bool {
        let minima = match &self.offset {
            Offset::Minima(minima) => minima.as_slice(),
            Offset::Centre(_) => &[],
        };
        self.scales.iter().chain(minima).all(|half| half.is_finite())
    }

    /// One value.
    pub fn value(&self, at: usize) -> f32 {
        let (group, stored) = (at / GROUP, f32::from(self.stored[at]));
        let scale = self.scales[group].to_f32();
        match &self.offset {
            Offset::Minima(minima) => scale.mul_add(stored, minima[group].to_f32()),
            Offset::Centre(centre) => scale * (stored - f32::from(*centre)),
        }
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
        let plain = values(4 * 256);
        let tensor = candle_core::Tensor::new(plain.as_slice(), &Device::Cpu).unwrap().reshape((4, 256)).unwrap();
        for kind in [GgmlDType::Q4_0, GgmlDType::Q4_1, GgmlDType::Q5_0, GgmlDType::Q8_0] {
            let packed = QTensor::quantize(&tensor, kind).unwrap();
            let read = packed.dequantize(&Device::Cpu).unwrap().flatten_all().unwrap().to_vec1::<f32>().unwrap();
            let groups = Groups::exact(kind, &packed.data().unwrap()).unwrap();
            assert_eq!(groups.stored.len(), plain.len());
            for (at, read) in read.iter().enumerate() {
                assert!(
                    (groups.value(at) - read).abs() <= read.abs() * 1e-6,
                    "{kind:?} {at}: {} {read}",
                    groups.value(at)
                );
            }
        }
        assert_eq!(Groups::exact(GgmlDType::Q6K, &[0; 210]), None);
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
