//! Rotary position parameters.

/// Which values of a head turn together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// Neighbours, 2i and 2i + 1: llama, whose query and key rows GGUF files carry reordered for it.
    Interleaved,
    /// i and i + half: qwen2.
    Halves,
}

/// Rotary parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Rope {
    /// Base of the frequencies.
    pub base: f32,
    /// Which values turn together.
    pub pairing: Pairing,
    frequencies: Vec<f64>,
}

impl Rope {
    /// Rotation of the first `dimensions` values of each head: frequency `base^(-2i / dimensions)` for pair i.
    #[must_use]
    pub fn new(base: f32, dimensions: usize, pairing: Pairing) -> Self {
        let frequency = |pair| f64::from(base).powf(-2.0 * pair as f64 / dimensions as f64);
        Self { base, pairing, frequencies: (0..dimensions / 2).map(frequency).collect() }
    }

    /// Divides the frequencies, each by its own divisor: how longer contexts are reached. Divisors beyond the pairs are ignored.
    #[must_use]
    pub fn slowed(mut self, divisors: impl IntoIterator<Item = f32>) -> Self {
        for (frequency, divisor) in self.frequencies.iter_mut().zip(divisors) {
            *frequency /= f64::from(divisor);
        }
        self
    }

    /// Radians a position for each pair.
    #[must_use]
    pub fn frequencies(&self) -> &[f64] {
        &self.frequencies
    }

    /// Bytes that differ wherever two rotations differ.
    pub(crate) fn identity(&self) -> Vec<u8> {
        let pairing = match self.pairing {
            Pairing::Interleaved => 0,
            Pairing::Halves => 1,
        };
        let frequencies = self.frequencies.iter().flat_map(|frequency| frequency.to_le_bytes());
        [pairing].into_iter().chain(frequencies).collect()
    }
}
