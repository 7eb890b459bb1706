//! Weights of few bits as the integer kernels read them.

use super::pages::{Arena, Piece};
use crate::model::quantised::{BLOCK, Bits, GROUP, Groups, Scaling};
use half::f16;
use rayon::prelude::*;
use std::io;

/// Columns of a panel.
pub const COLUMNS: usize = 16;
/// Bytes of a cache line and of the widest register.
const LINE: usize = 64;

/// What scales the stored values, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    /// Before each group the outputs' scales; stored values are above this one.
    Centred(u8),
    /// Before each group the outputs' scales, then their minima.
    Minima,
    /// Before each block the outputs' scales and minima; before each of its groups their steps: six bits of the scale's and two of the
    /// minimum's in a byte, then the other four of the minimum's, those of output `i` and `i + 8` in a byte.
    Steps,
    /// Before each block the outputs' scales; before each of its groups their steps, of the first half and of the second. Stored values
    /// are above this one.
    Halves(u8),
}

impl Head {
    /// Bytes before each block.
    pub const fn of_block(self) -> usize {
        match self {
            Self::Centred(_) | Self::Minima => 0,
            Self::Steps => 4 * COLUMNS,
            Self::Halves(_) => 2 * COLUMNS,
        }
    }

    /// Bytes before each group.
    pub const fn of_group(self) -> usize {
        match self {
            Self::Centred(_) | Self::Halves(_) => 2 * COLUMNS,
            Self::Minima => 4 * COLUMNS,
            Self::Steps => 3 * COLUMNS / 2,
        }
    }

    /// Whether the halves of a group have scales of their own.
    pub fn splits(self) -> bool {
        matches!(self, Self::Halves(_))
    }
}

/// A weight in panels of [`COLUMNS`] outputs. A panel is read from front to back: group by group what scales the stored values
/// ([`Head`]), then these, in *rows* of four inputs of the first output, the same four of the second, and so on, so that one 32-bit lane
/// belongs to one output. Two rows share a line of 64 bytes, the earlier one in the low halves; bits beyond the fourth follow, those of
/// all rows in the same byte. Of eight-bit values a row is a line.
///
/// (Heads apart from the stored values, both aligned, were half as fast with one row: two streams in a page are not prefetched.)
#[derive(Debug)]
pub struct GroupPanels {
    form: Form,
    columns: usize,
    groups: usize,
    bytes: Piece,
}

/// How the bytes of a panel are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    pub bits: Bits,
    pub head: Head,
}

/// One panel.
#[derive(Clone, Copy, Debug)]
pub struct Panel<'a> {
    pub form: Form,
    pub groups: usize,
    pub bytes: &'a [u8],
}

impl Form {
    /// Bytes of so many groups.
    fn bytes(self, groups: usize) -> usize {
        groups.div_ceil(BLOCK) * self.head.of_block() + groups * (self.head.of_group() + self.bits.lines() * LINE)
    }

    /// Where a group's head begins.
    fn group(self, group: usize) -> usize {
        self.bytes(group / BLOCK * BLOCK)
            + self.head.of_block()
            + group % BLOCK * (self.head.of_group() + self.bits.lines() * LINE)
    }
}

impl GroupPanels {
    /// Packs rows of `depth` values, a multiple of [`GROUP`], where scales are shared by blocks of theirs.
    pub fn pack(weight: &Groups, depth: usize, arena: &Arena) -> io::Result<Self> {
        let groups = depth / GROUP;
        let (head, scales) = match &weight.scaling {
            Scaling::Centred { scales, centre } => (Head::Centred(*centre), scales.len()),
            Scaling::Minima { scales, .. } => (Head::Minima, scales.len()),
            Scaling::Steps { scales, .. } => (Head::Steps, scales.len() * BLOCK),
            Scaling::Halves { scales, centre, .. } => (Head::Halves(*centre), scales.len() * BLOCK),
        };
        assert!(
            depth.is_multiple_of(GROUP)
                && weight.stored.len() == scales * GROUP
                && scales.is_multiple_of(groups.max(1)),
            "groups fill the rows"
        );
        let columns = scales.checked_div(groups).unwrap_or(0);
        let form = Form { bits: weight.bits, head };
        let size = form.bytes(groups);
        let mut bytes = arena.take(columns.div_ceil(COLUMNS) * size)?;
        bytes.par_chunks_mut(size.max(1)).enumerate().for_each(|(panel, bytes)| {
            for lane in 0..COLUMNS.min(columns - panel * COLUMNS) {
                for group in 0..groups {
                    let at = (panel * COLUMNS + lane) * groups + group;
                    let block = &mut bytes[form.bytes(group / BLOCK * BLOCK)..];
                    write_block(block, &weight.scaling, at / BLOCK, lane);
                    let (head, planes) = bytes[form.group(group)..].split_at_mut(head.of_group());
                    write_group(head, &weight.scaling, at, lane);
                    for (number, stored) in weight.stored[at * GROUP..][..GROUP].iter().enumerate() {
                        form.bits.put(planes, number / 4, lane * 4 + number % 4, *stored);
                    }
                }
            }
        });
        Ok(Self { form, columns, groups, bytes })
    }

    /// How its bytes are to be read.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Memory that it takes.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Number of panels.
    pub fn panels(&self) -> usize {
        self.columns.div_ceil(COLUMNS)
    }

    /// A panel.
    pub fn panel(&self, panel: usize) -> Panel<'_> {
        let size = self.form.bytes(self.groups);
        Panel { form: self.form, groups: self.groups, bytes: &self.bytes[panel * size..][..size] }
    }

    /// Reads one output's weights back: the row of an embedding table.
    pub fn unpack(&self, column: usize, into: &mut [f32]) {
        let (panel, lane) = (self.panel(column / COLUMNS), column % COLUMNS);
        for (group, into) in into.chunks_exact_mut(GROUP).enumerate() {
            let halves = panel.scaling(group, lane);
            for (number, into) in into.iter_mut().enumerate() {
                let (factor, addend) = halves[number / (GROUP / 2)];
                *into = factor.mul_add(f32::from(panel.stored(group, lane, number)), addend);
            }
        }
    }
}

impl Panel<'_> {
    /// One output's stored value of a group.
    pub fn stored(&self, group: usize, lane: usize, number: usize) -> u8 {
        let planes = &self.bytes[self.form.group(group) + self.form.head.of_group()..];
        self.form.bits.get(planes, number / 4, lane * 4 + number % 4)
    }

    /// What one output's values of a group are multiplied with and what is added, for each half of the group.
    pub fn scaling(&self, group: usize, lane: usize) -> [(f32, f32); 2] {
        let half = |bytes: &[u8], at: usize| f16::from_le_bytes([bytes[2 * at], bytes[2 * at + 1]]).to_f32();
        let block = &self.bytes[self.form.bytes(group / BLOCK * BLOCK)..];
        let head = &self.bytes[self.form.group(group)..];
        match self.form.head {
            Head::Centred(centre) => {
                let scale = half(head, lane);
                [(scale, scale * -f32::from(centre)); 2]
            }
            Head::Minima => [(half(head, lane), half(head, COLUMNS + lane)); 2],
            Head::Steps => {
                let high = head[COLUMNS + lane % 8] >> (lane / 8 * 4) & 15;
                let (step, below) = (head[lane] & 63, head[lane] >> 6 | high << 2);
                let (scale, minimum) = (half(block, lane), half(block, COLUMNS + lane));
                [(scale * f32::from(step), minimum * -f32::from(below)); 2]
            }
            Head::Halves(centre) => [head[lane], head[COLUMNS + lane]].map(|step| {
                let scale = half(block, lane) * f32::from(step as i8);
                (scale, scale * -f32::from(centre))
            }),
        }
    }
}

fn write_half(bytes: &mut [u8], at: usize, value: f16) {
    bytes[2 * at..][..2].copy_from_slice(&value.to_le_bytes());
}

/// Writes what one output's groups of a block share.
fn write_block(head: &mut [u8], scaling: &Scaling, block: usize, lane: usize) {
    match scaling {
        Scaling::Centred { .. } | Scaling::Minima { .. } => {}
        Scaling::Steps { scales, minima, .. } => {
            write_half(head, lane, scales[block]);
            write_half(head, COLUMNS + lane, minima[block]);
        }
        Scaling::Halves { scales, .. } => write_half(head, lane, scales[block]),
    }
}

/// Writes what is one output's group's own.
fn write_group(head: &mut [u8], scaling: &Scaling, group: usize, lane: usize) {
    match scaling {
        Scaling::Centred { scales, .. } => write_half(head, lane, scales[group]),
        Scaling::Minima { scales, minima } => {
            write_half(head, lane, scales[group]);
            write_half(head, COLUMNS + lane, minima[group]);
        }
        Scaling::Steps { steps, .. } => {
            let [step, below] = steps[group];
            head[lane] = step | below << 6;
            head[COLUMNS + lane % 8] |= (below >> 2) << (lane / 8 * 4);
        }
        Scaling::Halves { steps, .. } => {
            [head[lane], head[COLUMNS + lane]] = steps[group].map(|step| step as u8);
        }
    }
}

impl Bits {
    /// Lines of a group's stored values.
    pub const fn lines(self) -> usize {
        match self {
            Self::Four => 4,
            Self::Five => 5,
            Self::Six => 6,
            Self::Eight => 8,
        }
    }

    /// The stored value in a row's byte.
    fn get(self, planes: &[u8], row: usize, byte: usize) -> u8 {
        let low = || planes[row / 2 * LINE + byte] >> (row % 2 * 4) & 15;
        match self {
            Self::Four => low(),
            Self::Five => low() | (planes[4 * LINE + byte] >> row & 1) << 4,
            Self::Six => low() | (planes[(4 + row / 4) * LINE + byte] >> (row % 4 * 2) & 3) << 4,
            Self::Eight => planes[row * LINE + byte],
        }
    }

    fn put(self, planes: &mut [u8], row: usize, byte: usize, value: u8) {
        if self == Self::Eight {
            planes[row * LINE + byte] = value;
            return;
        }
        planes[row / 2 * LINE + byte] |= (value & 15) << (row % 2 * 4);
        match self {
            Self::Five => planes[4 * LINE + byte] |= (value >> 4) << row,
            Self::Six => planes[(4 + row / 4) * LINE + byte] |= (value >> 4) << (row % 4 * 2),
            Self::Four | Self::Eight => {}
        }
    }
}
