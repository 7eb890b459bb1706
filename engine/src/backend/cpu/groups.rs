//! Weights of few bits as the integer kernels read them.

use crate::model::quantised::{Bits, GROUP, Groups, Offset};
use half::f16;

/// Columns of a panel.
pub const COLUMNS: usize = 16;

/// A weight in panels of [`COLUMNS`] outputs. A panel holds, for each group of [`GROUP`] inputs, the outputs' scales, their minima
/// (where each group has one), and the stored values: four inputs of the first output, the same four of the second, and so on, so
/// that one 32-bit lane belongs to one output. Of four-bit values two such rows share their bytes, the earlier one in the low halves.
#[derive(Debug)]
pub struct GroupPanels {
    pub bits: Bits,
    /// What the stored values are above; none where each group has its minimum.
    pub centre: Option<u8>,
    columns: usize,
    groups: usize,
    bytes: Vec<u8>,
}

impl GroupPanels {
    /// Packs rows of `depth` values, a multiple of [`GROUP`].
    pub fn pack(weight: &Groups, depth: usize) -> Self {
        assert!(
            depth.is_multiple_of(GROUP) && weight.stored.len() == weight.scales.len() * GROUP,
            "groups fill the rows"
        );
        let groups = depth / GROUP;
        let columns = weight.scales.len().checked_div(groups).unwrap_or(0);
        let centre = match &weight.offset {
            Offset::Minima(_) => None,
            Offset::Centre(centre) => Some(*centre),
        };
        let mut packed = Self { bits: weight.bits, centre, columns, groups, bytes: Vec::new() };
        let size = packed.group_bytes();
        packed.bytes = vec![0; columns.div_ceil(COLUMNS) * groups * size];
        for column in 0..columns {
            for group in 0..groups {
                let at = column * groups + group;
                let into = &mut packed.bytes[((column / COLUMNS) * groups + group) * size..][..size];
                let lane = column % COLUMNS;
                into[2 * lane..][..2].copy_from_slice(&weight.scales[at].to_le_bytes());
                if let Offset::Minima(minima) = &weight.offset {
                    into[2 * (COLUMNS + lane)..][..2].copy_from_slice(&minima[at].to_le_bytes());
                }
                let head = size - weight.bits.group_bytes();
                for (number, stored) in weight.stored[at * GROUP..][..GROUP].iter().enumerate() {
                    let (row, byte) = (number / 4, lane * 4 + number % 4);
                    match weight.bits {
                        Bits::Four => into[head + row / 2 * 64 + byte] |= stored << (row % 2 * 4),
                        Bits::Eight => into[head + row * 64 + byte] = *stored,
                    }
                }
            }
        }
        packed
    }

    /// Number of panels.
    pub fn panels(&self) -> usize {
        self.columns.div_ceil(COLUMNS)
    }

    /// Groups of an output.
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// A panel's bytes.
    pub fn panel(&self, panel: usize) -> &[u8] {
        let size = self.groups * self.group_bytes();
        &self.bytes[panel * size..][..size]
    }

    /// Bytes of one group of a panel.
    pub fn group_bytes(&self) -> usize {
        let head = if self.centre.is_some() { 1 } else { 2 };
        head * 2 * COLUMNS + self.bits.group_bytes()
    }

    /// Reads one output's weights back: the row of an embedding table.
    pub fn unpack(&self, column: usize, into: &mut [f32]) {
        let (size, lane) = (self.group_bytes(), column % COLUMNS);
        let head = size - self.bits.group_bytes();
        for (bytes, into) in self.panel(column / COLUMNS).chunks_exact(size).zip(into.chunks_exact_mut(GROUP)) {
            let half = |at: usize| f16::from_le_bytes([bytes[2 * at], bytes[2 * at + 1]]).to_f32();
            let scale = half(lane);
            let minimum = match self.centre {
                Some(centre) => -scale * f32::from(centre),
                None => half(COLUMNS + lane),
            };
            for (number, into) in into.iter_mut().enumerate() {
                let (row, byte) = (number / 4, lane * 4 + number % 4);
                let stored = match self.bits {
                    Bits::Four => bytes[head + row / 2 * 64 + byte] >> (row % 2 * 4) & 15,
                    Bits::Eight => bytes[head + row * 64 + byte],
                };
                *into = scale.mul_add(f32::from(stored), minimum);
            }
        }
    }
}

impl Bits {
    /// Bytes of the stored values of one group of a panel.
    pub fn group_bytes(self) -> usize {
        match self {
            Self::Four => GROUP / 2 * COLUMNS,
            Self::Eight => GROUP * COLUMNS,
        }
    }
}
