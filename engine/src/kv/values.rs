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
}

impl KeyValues {
    /// Those of no tokens. `width` values make the keys of one token in one layer.
    pub(crate) fn empty(layers: usize, width: usize, precision: KvPrecision) -> Self {
        let layer = Layer { keys: Rounded::new(&[], precision), values: Rounded::new(&[], precision) };
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
        let size = match self.precision {
            KvPrecision::F32 => size_of::<f32>(),
            KvPrecision::F16 => size_of::<f16>(),
        };
        2 * self.layers.len() * self.len * self.width * size
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
    /// Rounds values. What is too large for f16 becomes its largest number rather than infinity, which would spoil every sum.
    pub fn new(values: &[f32], precision: KvPrecision) -> Self {
        match precision {
            KvPrecision::F32 => Self::F32(values.to_vec()),
            KvPrecision::F16 => {
                let (low, high) = (f16::MIN.to_f32(), f16::MAX.to_f32());
                let inside: Vec<f32> = values.iter().map(|value| value.clamp(low, high)).collect();
                let mut rounded = vec![f16::ZERO; values.len()];
                rounded.convert_from_f32_slice(&inside);
                Self::F16(rounded)
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
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::F32(values) => values.len(),
            Self::F16(values) => values.len(),
        }
    }

    fn slice(&self, range: Range<usize>) -> Self {
        match self {
            Self::F32(values) => Self::F32(values[range].to_vec()),
            Self::F16(values) => Self::F16(values[range].to_vec()),
        }
    }

    fn extend(&mut self, more: &Self) {
        match (self, more) {
            (Self::F32(values), Self::F32(more)) => values.extend_from_slice(more),
            (Self::F16(values), Self::F16(more)) => values.extend_from_slice(more),
            // `KeyValues::concat` has compared the precisions.
            (Self::F32(values), Self::F16(_)) => values.extend(more.to_f32()),
            (Self::F16(_), Self::F32(_)) => {}
        }
    }
}
