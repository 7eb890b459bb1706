//! Host matrices: plain rows for activations, panels for what activations are multiplied with.

use super::tile::PANEL;

/// Activations: `rows` rows of `columns` values, one row after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// Values of a row.
    pub columns: usize,
    /// All values; the length is a multiple of `columns`.
    pub values: Vec<f32>,
}

impl Matrix {
    /// A matrix of zeros.
    #[must_use]
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Self { columns, values: vec![0.0; rows * columns] }
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

/// A weight of `columns` outputs by `depth` inputs in panels of [`PANEL`] outputs (see [`super::tile`]). The last panel is filled
/// up with zeros.
#[derive(Debug)]
pub struct Weight {
    /// Outputs.
    pub columns: usize,
    /// Inputs.
    pub depth: usize,
    panels: Vec<f32>,
}

impl Weight {
    /// Packs a weight given as one row of `depth` values for each output.
    #[must_use]
    pub fn pack(rows: &[f32], depth: usize) -> Self {
        let columns = rows.len().checked_div(depth).unwrap_or(0);
        let mut panels = vec![0.0; columns.div_ceil(PANEL) * depth * PANEL];
        for (panel, rows) in panels.chunks_exact_mut((depth * PANEL).max(1)).zip(rows.chunks((depth * PANEL).max(1))) {
            for (lane, row) in rows.chunks_exact(depth).enumerate() {
                for (at, value) in panel[lane..].iter_mut().step_by(PANEL).zip(row) {
                    *at = *value;
                }
            }
        }
        Self { columns, depth, panels }
    }

    /// Number of panels.
    #[must_use]
    pub fn panels(&self) -> usize {
        self.columns.div_ceil(PANEL)
    }

    /// A panel, `depth · PANEL` values.
    #[must_use]
    pub fn panel(&self, panel: usize) -> &[f32] {
        &self.panels[panel * self.depth * PANEL..][..self.depth * PANEL]
    }

    /// Reads one output's weights back: the row of an embedding table.
    pub fn unpack(&self, column: usize, into: &mut [f32]) {
        let panel = self.panel(column / PANEL);
        for (value, at) in into.iter_mut().zip(panel[column % PANEL..].iter().step_by(PANEL)) {
            *value = *at;
        }
    }
}
