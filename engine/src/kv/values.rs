//! Keys and values as they are stored.

use half::{f16, slice::HalfFloatSliceExt};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// How stored keys and values are rounded. Attention reads what is stored, also within the pass that computes it, so the
/// result does not depend on where a text was cut into blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KvPrecision {
    /// Four bytes a value, exact.
    F32,
    /// Two bytes a value.
    #[default]
    F16,
    /// One byte a value, and two for each 32 of them: none is off by more than 1/250 of the largest of its 32.
    Int8,
}

/// Keys (unrotated) and values of a run of tokens, all layers.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyValues {
    len: usize,
    width: usize,
    precision: KvPrecision,
    layers: Vec<Layer>,
}

#[derive(Clone, Debug, PartialEq)]
struct Layer {
    keys: Rounded,
    values: Rounded,
}

/// Values in the precision that they are kept in.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Rounded {
    F32(Vec<f32>),
    F16(Vec<f16>),
    Int8 {
        /// −127 to 127.
        values: Vec<i8>,
        /// Of each group of values.
        scales: Vec<f16>,
        /// Values of a group; divides the width of a token, so that no group holds values of two.
        group: usize,
    },
}

/// Most values that share a scale.
const GROUP: usize = 32;

impl KeyValues {
    /// Those of no tokens. `width` values make the keys of one token in one layer.
    pub(crate) fn empty(layers: usize, width: usize, precision: KvPrecision) -> Self {
        let none = || Rounded::round(&mut [], width, precision);
        let layer = Layer { keys: none(), values: none() };
        Self { len: 0, width, precision, layers: vec![layer; layers] }
    }

    /// Sets one layer's keys and values, `len · width` each, already rounded.
    pub(crate) fn set_layer(&mut self, layer: usize, keys: Rounded, values: Rounded) {
        self.len = keys.len().checked_div(self.width).unwrap_or(0);
        self.layers[layer] = Layer { keys, values };
    }

    /// Number of tokens.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no tokens.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Memory that the keys and values take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.layers.iter().map(|layer| layer.keys.bytes() + layer.values.bytes()).sum()
    }

    /// How they are rounded.
    #[must_use]
    pub fn precision(&self) -> KvPrecision {
        self.precision
    }

    /// Number of layers.
    #[must_use]
    pub fn layers(&self) -> usize {
        self.layers.len()
    }

    /// Values that make the keys of one token in one layer: key/value heads times the size of a head.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Those of some of the tokens. A range that reaches beyond the end is cut there.
    #[must_use]
    pub fn slice(&self, tokens: Range<usize>) -> Self {
        let end = tokens.end.min(self.len);
        let start = tokens.start.min(end);
        let range = start * self.width..end * self.width;
        let cut =
            |layer: &Layer| Layer { keys: layer.keys.slice(range.clone()), values: layer.values.slice(range.clone()) };
        Self { len: end - start, layers: self.layers.iter().map(cut).collect(), ..*self }
    }

    /// All tokens of the parts, in order. None of no parts, or when the parts come from different models or differ in precision.
    #[must_use]
    pub fn concat(parts: &[&Self]) -> Option<Self> {
        let (first, rest) = parts.split_first()?;
        let mut all = (*first).clone();
        for part in rest {
            if part.width != all.width || part.precision != all.precision || part.layers.len() != all.layers.len() {
                return None;
            }
            for (layer, more) in all.layers.iter_mut().zip(&part.layers) {
                layer.keys.extend(&more.keys);
                layer.values.extend(&more.values);
            }
            all.len += part.len;
        }
        Some(all)
    }

    /// One layer's keys and values in f32, `len · width` each.
    pub(crate) fn layer(&self, layer: usize) -> (Vec<f32>, Vec<f32>) {
        (self.layers[layer].keys.to_f32(), self.layers[layer].values.to_f32())
    }
}

impl Rounded {
    /// Rounds tokens of `width` values, also where they stand. What is too large for f16 becomes its largest number rather than
    /// infinity, which would spoil every sum.
    pub fn round(values: &mut [f32], width: usize, precision: KvPrecision) -> Self {
        match precision {
            KvPrecision::F32 => Self::F32(values.to_vec()),
            KvPrecision::F16 => {
                let (low, high) = (f16::MIN.to_f32(), f16::MAX.to_f32());
                values.iter_mut().for_each(|value| *value = value.clamp(low, high));
                let mut rounded = vec![f16::ZERO; values.len()];
                rounded.convert_from_f32_slice(values);
                rounded.convert_to_f32_slice(values);
                Self::F16(rounded)
            }
            KvPrecision::Int8 => {
                let group = GROUP.min(1 << width.trailing_zeros().min(GROUP.trailing_zeros()));
                let (mut rounded, mut scales) =
                    (Vec::with_capacity(values.len()), Vec::with_capacity(values.len() / group));
                for values in values.chunks_exact_mut(group) {
                    let largest = values.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
                    let mut scale = f16::from_f32((largest / 127.0).min(f16::MAX.to_f32()));
                    // Rounded up, so that the largest value still fits.
                    if scale.to_f32() * 127.0 < largest && scale < f16::MAX {
                        scale = f16::from_bits(scale.to_bits() + 1);
                    }
                    let inverse = if scale > f16::ZERO { 1.0 / scale.to_f32() } else { 0.0 };
                    for value in values {
                        let whole = (*value * inverse).round_ties_even() as i8;
                        rounded.push(whole);
                        *value = f32::from(whole) * scale.to_f32();
                    }
                    scales.push(scale);
                }
                Self::Int8 { values: rounded, scales, group }
            }
        }
    }

    pub fn to_f32(&self) -> Vec<f32> {
        match self {
            Self::F32(values) => values.clone(),
            Self::F16(values) => {
                let mut wide = vec![0.0; values.len()];
                values.convert_to_f32_slice(&mut wide);
                wide
            }
            Self::Int8 { values, scales, group } => {
                let groups = values.chunks_exact(*group).zip(scales).map(|(values, scale)| (values, scale.to_f32()));
                groups.flat_map(|(values, scale)| values.iter().map(move |value| f32::from(*value) * scale)).collect()
            }
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::F32(values) => values.len(),
            Self::F16(values) => values.len(),
            Self::Int8 { values, .. } => values.len(),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::F32(values) => size_of_val(&**values),
            Self::F16(values) => size_of_val(&**values),
            Self::Int8 { values, scales, .. } => size_of_val(&**values) + size_of_val(&**scales),
        }
    }

    /// Those of whole tokens.
    fn slice(&self, range: Range<usize>) -> Self {
        match self {
            Self::F32(values) => Self::F32(values[range].to_vec()),
            Self::F16(values) => Self::F16(values[range].to_vec()),
            Self::Int8 { values, scales, group } => Self::Int8 {
                scales: scales[range.start / group..range.end / group].to_vec(),
                values: values[range].to_vec(),
                group: *group,
            },
        }
    }

    /// Takes more values of the same precision; `KeyValues::concat` has compared them.
    fn extend(&mut self, more: &Self) {
        match (self, more) {
            (Self::F32(values), Self::F32(more)) => append(values, more),
            (Self::F16(values), Self::F16(more)) => append(values, more),
            (Self::Int8 { values, scales, .. }, Self::Int8 { values: more, scales: of_more, .. }) => {
                append(values, more);
                append(scales, of_more);
            }
            _ => {}
        }
    }
}

/// Leaves no room behind the values: blocks are kept for long, and are counted by what they hold.
fn append<T: Copy>(values: &mut Vec<T>, more: &[T]) {
    values.reserve_exact(more.len());
    values.extend_from_slice(more);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_takes_more_memory_than_it_counts() {
        for precision in [KvPrecision::F32, KvPrecision::F16, KvPrecision::Int8] {
            // As a card of 60 tokens is encoded ahead.
            let mut all = Rounded::round(&mut [1.0; 16 * 192], 192, precision);
            for more in [16, 16, 12] {
                all.extend(&Rounded::round(&mut vec![1.0; more * 192], 192, precision));
            }
            let taken = match &all {
                Rounded::F32(values) => 4 * values.capacity(),
                Rounded::F16(values) => 2 * values.capacity(),
                Rounded::Int8 { values, scales, .. } => values.capacity() + 2 * scales.capacity(),
            };
            assert_eq!(taken, all.bytes(), "{precision:?}");
        }
    }

    #[test]
    fn eight_bits_stay_within_their_bound_and_can_be_cut_anywhere() {
        // Two tokens and a half's worth of groups: 48 = 3 · 16, so groups of 16.
        for (width, group) in [(192, 32), (48, 16), (6, 2)] {
            let values: Vec<f32> = (0..5 * width).map(|i| ((i * 7919 % 997) as f32 - 498.0) * 0.37).collect();
            let round = |values: &[f32]| Rounded::round(&mut values.to_vec(), width, KvPrecision::Int8);
            let whole = round(&values);
            for (values, found) in values.chunks(group).zip(whole.to_f32().chunks(group)) {
                let largest = values.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
                for (value, found) in values.iter().zip(found) {
                    assert!((value - found).abs() <= largest / 250.0, "{value} {found}");
                }
            }
            let cut = round(&values[2 * width..]);
            assert_eq!(whole.slice(2 * width..5 * width), cut);
            let mut joined = whole.slice(0..2 * width);
            joined.extend(&cut);
            assert_eq!(joined, whole);
            // What is rounded stays as it is, and stands where it was.
            let mut again = whole.to_f32();
            assert_eq!(Rounded::round(&mut again, width, KvPrecision::Int8), whole);
            assert_eq!(again, whole.to_f32());
        }
    }
}
