//! Tables of a page: cells that span others written out, and a table that tells of one thing turned into its row.

use super::blocks::words;
use dom_query::NodeRef;

/// Cells are not written out beyond so many rows and columns.
const MOST_SPANNED: usize = 100;
/// Nor beyond so many cells of one table.
const MOST_WRITTEN_OUT: usize = 100_000;
/// A page's layout is not a table: its cells hold more letters than this.
const LONGEST_CELL: usize = 2000;
/// What a thing is called is shorter.
const LONGEST_NAME: usize = 80;

/// A cell as it is written.
#[derive(Clone, Default)]
struct Cell {
    text: String,
    /// Says what the cells beside or below it are (`th`).
    head: bool,
}

impl Cell {
    fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }
}

/// The rows of a table that holds data; `title` is what the page is about.
pub(super) fn rows(table: &NodeRef<'_>, title: &str) -> Option<Vec<Vec<String>>> {
    let layout = matches!(table.attr("role").as_deref(), Some("presentation" | "none"));
    if layout || table.descendants_it().any(|node| node.has_name("table")) {
        return None;
    }
    let grid = grid(table)?;
    let several = |row: &&Vec<Cell>| row.iter().filter(|cell| !cell.is_empty()).count() > 1;
    if grid.iter().filter(several).count() < 2 {
        return None;
    }
    let texts = |row: Vec<Cell>| row.into_iter().map(|cell| cell.text).collect();
    Some(of_one_thing(&grid, title).unwrap_or_else(|| grid.into_iter().map(texts).collect()))
}

/// All cells in their places; none where the table is a page's layout.
fn grid(table: &NodeRef<'_>) -> Option<Vec<Vec<Cell>>> {
    let mut grid: Vec<Vec<Option<Cell>>> = Vec::new();
    let mut written_out = 0;
    for (number, row) in table.descendants_it().filter(|node| node.has_name("tr")).enumerate() {
        let cells: Vec<NodeRef<'_>> =
            row.children_it(false).filter(|node| node.has_name("td") || node.has_name("th")).collect();
        let alone = cells.len() == 1;
        let mut column = 0;
        for node in cells {
            while grid.get(number).and_then(|row| row.get(column)).is_some_and(Option::is_some) {
                column += 1;
            }
            let cell = Cell { text: words(&node), head: node.has_name("th") };
            if cell.text.chars().count() > LONGEST_CELL {
                return None;
            }
            let span = |name: &str| {
                let count = node.attr(name).and_then(|count| count.trim().parse::<usize>().ok()).unwrap_or(1);
                count.clamp(1, MOST_SPANNED)
            };
            let (mut wide, mut high) = (span("colspan"), span("rowspan"));
            written_out += wide * high - 1;
            if written_out > MOST_WRITTEN_OUT {
                (wide, high) = (1, 1);
            }
            for (below, beside) in (0..high).flat_map(|below| (0..wide).map(move |beside| (below, beside))) {
                // A value holds for each row that it spans, and belongs to one column; a header heads each, unless it is a title.
                let said = if beside > 0 && (alone || !cell.head) { Cell::default() } else { cell.clone() };
                put(&mut grid, number + below, column + beside, said);
            }
            column += wide;
        }
    }
    let rows = grid.into_iter().map(|row| row.into_iter().map(Option::unwrap_or_default).collect::<Vec<_>>());
    Some(rows.filter(|row| row.iter().any(|cell| !cell.is_empty())).collect())
}

fn put(grid: &mut Vec<Vec<Option<Cell>>>, row: usize, column: usize, cell: Cell) {
    if grid.len() <= row {
        grid.resize(row + 1, Vec::new());
    }
    if let Some(row) = grid.get_mut(row) {
        if row.len() <= column {
            row.resize(column + 1, None);
        }
        if let Some(place) = row.get_mut(column) {
            *place = Some(cell);
        }
    }
}

/// A table whose rows each say one thing of the same ("Born | 1815"), as boxes beside articles do, as a table of one row: the name
/// of what it tells of, then what is said. The name stands in its first row or is what the page is about.
fn of_one_thing(grid: &[Vec<Cell>], title: &str) -> Option<Vec<Vec<String>>> {
    let filled = |row: &Vec<Cell>| row.iter().filter(|cell| !cell.is_empty()).count();
    let pair = |row: &Vec<Cell>| match row.as_slice() {
        [key, value, ..] if key.head && !key.is_empty() && !value.head && !value.is_empty() => {
            Some((key.text.clone(), value.text.clone()))
        }
        _ => None,
    };
    let pairs: Vec<(String, String)> = grid.iter().filter_map(pair).collect();
    if pairs.len() < 2 || pairs.len() * 2 <= grid.len() || grid.iter().any(|row| filled(row) > 2) {
        return None;
    }
    let first = grid.first().filter(|row| filled(row) == 1).and_then(|row| row.iter().find(|cell| !cell.is_empty()));
    let name = first.map(|cell| cell.text.as_str()).filter(|name| name.chars().count() < LONGEST_NAME).unwrap_or(title);
    let (keys, values): (Vec<String>, Vec<String>) = pairs.into_iter().unzip();
    Some(vec![
        std::iter::once("Name".to_owned()).chain(keys).collect(),
        std::iter::once(name.to_owned()).chain(values).collect(),
    ])
}
