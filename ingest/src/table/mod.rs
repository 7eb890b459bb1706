//! Tables to facts: which column says what, and what each row then states. CSV, TSV and Markdown tables all come here.

mod columns;
mod mapping;
mod rows;
#[cfg(test)]
mod tests;
mod triples;
mod typing;

pub(crate) use columns::{
    Columns, Role, class_called, find_relation, is_alias_header, is_key_header, is_name_header, map_columns,
    named_by_key,
};
pub(crate) use mapping::Mapping;
pub use mapping::MappingFault;
pub(crate) use rows::{read_rows, subjects_of_rows};
pub(crate) use triples::{are_triples_of, looks_like_triples, read_triples, relation_iri, triple_cells};
pub(crate) use typing::{says_class, says_name};

use std::ops::Range;

/// A cell with the bytes of the source that it stands in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) text: String,
    pub(crate) span: Range<usize>,
}

/// A row, numbered from 1 as people count, the header included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) number: u32,
    pub(crate) cells: Vec<Cell>,
}

impl Row {
    pub(crate) fn cell(&self, column: usize) -> Option<&Cell> {
        self.cells.get(column).filter(|cell| !is_empty(&cell.text))
    }
}

/// What people write where there is no value.
fn is_empty(text: &str) -> bool {
    matches!(
        text.trim().to_lowercase().as_str(),
        "" | "-"
            | "–"
            | "—"
            | "n/a"
            | "na"
            | "null"
            | "none"
            | "nan"
            | "?"
            | "不详"
            | "无数据"
            | "未披露"
            | "tbd"
            | "tba"
            | "vacant"
            | "unknown"
            | "n.a."
            | "未知"
            | "待定"
            | "空缺"
            | "暂无"
            | "not disclosed"
            | "not available"
    )
}
