//! Host matrices: plain rows for activations, panels for what activations are multiplied with.

use super::{
    groups::{COLUMNS, GroupPanels},
    pages::Arena,
    scratch::Scratch,
    tile::PANEL,
};
use crate::model::quantised::Tensor;
use std::io;

/// Activations: `rows` rows of `columns` values, one row after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// Values of a row.
    pub columns: usize,
    /// All values; the length is a multiple of `columns`.
    pub values: Scratch<f32>,
}

impl Matrix {
    /// A matrix all of whose values are still to be written.
    #[must_use]
    pub fn to_write(rows: usize, columns: usize) -> Self {
        Self { columns, values: Scratch::to_write(rows * columns) }
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.values.len().checked_div(self.columns).unwrap_or(0)
    }

    /// One row.
    #[must_use]
    pub fn row(&self, row: usize) -> &[f32] {
        &self.values[row * self.columns..][..self.columns]
    }
}

/// A weight of `columns` outputs by `depth` inputs.
#[derive(Debug)]
pub struct Weight {
    /// Outputs.
    pub columns: usize,
    /// Inputs.
    pub depth: usize,
    /// Its values.
    pub(super) form: Form,
}

/// How a weight's values are laid out.
#[derive(Debug)]
pub(super) enum Form {
    /// In panels of [`PANEL`] outputs (see [`super::tile`]). The last panel is filled up with zeros.
    Plain(Vec<f32>),
    /// In groups of few bits.
    Groups(GroupPanels),
}

impl Weight {
    /// Packs a weight given as one row of `depth` values for each output.
    ///
    /// # Errors
    /// When the system has no room left.
    pub fn pack(tensor: &Tensor, depth: usize, arena: &Arena) -> io::Result<Self> {
        Ok(match tensor {
            Tensor::Plain(rows) => Self {
                columns: rows.len().checked_div(depth).unwrap_or(0),
                depth,
                form: Form::Plain(pack(rows, depth)),
            },
            Tensor::Groups(groups) => Self {
                columns: groups.stored.len().checked_div(depth).unwrap_or(0),
                depth,
                form: Form::Groups(GroupPanels::pack(groups, depth, arena)?),
            },
        })
    }

    /// Memory that it takes, what fills up the last panel included.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match &self.form {
            Form::Plain(values) => size_of_val(&**values),
            Form::Groups(groups) => groups.bytes(),
        }
    }

    /// Outputs of a panel.
    pub(super) fn panel_width(&self) -> usize {
        match &self.form {
            Form::Plain(_) => PANEL,
            Form::Groups(_) => COLUMNS,
        }
    }

    /// Reads one output's weights back: the row of an embedding table.
    pub fn unpack(&self, column: usize, into: &mut [f32]) {
        match &self.form {
            Form::Plain(panels) => {
                let panel = plain_panel(panels, self.depth, column / PANEL);
                for (value, at) in into.iter_mut().zip(panel[column % PANEL..].iter().step_by(PANEL)) {
                    *value = *at;
                }
            }
            Form::Groups(groups) => groups.unpack(column, into),
        }
    }
}

/// A panel, `depth · PANEL` values.
pub(super) fn plain_panel(panels: &[f32], depth: usize, panel: usize) -> &[f32] {
    &panels[panel * depth * PANEL..][..depth * PANEL]
}

fn pack(rows: &[f32], depth: usize) -> Vec<f32> {
    let columns = rows.len().checked_div(depth).unwrap_or(0);
    let mut panels = vec![0.0; columns.div_ceil(PANEL) * depth * PANEL];
    for (panel, rows) in panels.chunks_exact_mut((depth * PANEL).max(1)).zip(rows.chunks((depth * PANEL).max(1))) {
        for (lane, row) in rows.chunks_exact(depth).enumerate() {
            for (at, value) in panel[lane..].iter_mut().step_by(PANEL).zip(row) {
                *at = *value;
            }
        }
    }
    panels
}
