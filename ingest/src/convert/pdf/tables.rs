//! Tables among the lines of a region: by cells that stand far apart, or by white strips between columns of figures.

use super::blocks::Line;

/// A table has at least so many rows, and so many of a hundred have several cells.
const FEWEST_ROWS: usize = 3;
const ROWS_WITH_CELLS: usize = 70;
/// A table's usual cell has at most so many letters: two columns of prose are none.
const LONGEST_CELL: usize = 40;
/// Rows of a table whose cells have several lines stand this much farther apart than the lines.
const ROWS_APART: f64 = 1.3;

/// Words, and where they begin and end.
pub(super) type Piece = (f64, f64, String);

/// Whether a region of one line is the header of the table close below it.
pub(super) fn is_header(above: &[Line], below: &[Line]) -> bool {
    let ([header], [first, ..]) = (above, below) else { return false };
    let words = header.words();
    if first.y() - header.y() > first.size() * 4.0 || figures(&words) * 2 >= words.len() {
        return false;
    }
    let whole: Vec<Line> = above.iter().chain(below).cloned().collect();
    let loose = header.cells.len() > 1 && loose_table(below).is_some() && loose_table(&whole).is_some();
    loose || (words.len() > 2 && tight_table(below).is_some())
}

/// A table among the lines of a region: it begins behind the first and ends before the other.
pub(super) struct Table {
    pub(super) above: usize,
    pub(super) rows: Vec<Vec<String>>,
    pub(super) below: usize,
}

/// The table of a region: most lines have several short cells, and the cells stand below each other.
pub(super) fn table(lines: &[Line]) -> Option<Table> {
    loose_table(lines).or_else(|| tight_table(lines))
}

/// A table whose columns stand far apart.
fn loose_table(lines: &[Line]) -> Option<Table> {
    // A title over the table, and a note below it.
    let above = lines.iter().take_while(|line| line.cells.len() < 2).count();
    let long = |line: &&Line| line.cells.len() < 2 && line.text().chars().count() > LONGEST_CELL;
    let below = lines.len() - lines.iter().rev().take_while(long).count().min(lines.len() - above);
    let rows_of_lines = rows_of_lines(lines.get(above..below)?);
    let several = rows_of_lines.iter().filter(|row| row.len() > 1).count();
    if several < FEWEST_ROWS || several * 100 < rows_of_lines.len() * ROWS_WITH_CELLS {
        return None;
    }
    let mut lengths: Vec<usize> = rows_of_lines.iter().flatten().map(|(_, _, cell)| cell.chars().count()).collect();
    lengths.sort_unstable();
    if lengths.get(lengths.len() / 2).is_none_or(|median| *median > LONGEST_CELL) {
        return None;
    }
    let spans: Vec<Vec<Piece>> = rows_of_lines.iter().filter(|row| row.len() > 1).cloned().collect();
    let joins = rows_of_lines.len() < below - above;
    let placing = Placing { middles: false, joins };
    let rows = rows(rows_of_lines.into_iter(), &columns(&spans, 0, 0.0), placing)?;
    Some(Table { above, rows, below })
}

/// The cells of each row; a row has several lines where cells are written on several, and these stand closer than rows do.
fn rows_of_lines(lines: &[Line]) -> Vec<Vec<Piece>> {
    let gaps: Vec<f64> = lines
        .windows(2)
        .map(|pair| match pair {
            [a, b] => b.y() - a.y(),
            _ => 0.0,
        })
        .collect();
    let least = gaps.iter().copied().fold(f64::INFINITY, f64::min);
    let most = gaps.iter().copied().fold(0.0, f64::max);
    let apart = gaps.len() > 1 && most > least * ROWS_APART;
    let limit = f64::midpoint(least, most);
    let mut rows: Vec<Vec<Piece>> = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let pieces = line.cells.iter().map(|cell| (cell.left, cell.right, cell.text.clone()));
        let gap = number.checked_sub(1).and_then(|before| gaps.get(before));
        match rows.last_mut().filter(|_| apart && gap.is_some_and(|gap| *gap < limit)) {
            Some(row) => row.extend(pieces),
            None => rows.push(pieces.collect()),
        }
    }
    rows
}

/// A table of figures whose columns stand as close as words do: white strips go through nearly all its lines.
fn tight_table(lines: &[Line]) -> Option<Table> {
    let is_row = |line: &Line| figures(&line.words()) > 1;
    let first = lines.iter().position(is_row)?;
    let last = lines.iter().rposition(is_row)?;
    let body: Vec<Vec<Piece>> = lines.get(first..=last)?.iter().map(Line::words).collect();
    let (count, of) =
        (body.iter().map(|words| figures(words)).sum::<usize>(), body.iter().map(Vec::len).sum::<usize>());
    if body.len() < FEWEST_ROWS + 2 || count * 2 < of {
        return None;
    }
    let size = lines.get(first)?.size();
    let columns = columns(&body, body.len() / 20, size * 0.25);
    if columns.len() < 3 {
        return None;
    }
    // The line above the figures says what they are.
    let above = first.saturating_sub(1);
    let placing = Placing { middles: true, joins: true };
    let rows = rows(lines.get(above..=last)?.iter().map(Line::words), &columns, placing)?;
    Some(Table { above, rows, below: last + 1 })
}

/// How many of these are figures.
fn figures(words: &[Piece]) -> usize {
    let is_figure = |word: &str| {
        word.chars().any(|char| char.is_ascii_digit())
            && word.chars().all(|char| {
                char.is_ascii_digit()
                    || matches!(char, '.' | ',' | '-' | '+' | '%' | '$' | '€' | '£' | '¥' | '(' | ')' | '−')
            })
    };
    words.iter().filter(|(_, _, word)| is_figure(word)).count()
}

/// How pieces are put into columns.
#[derive(Clone, Copy)]
struct Placing {
    /// By their middle, nearest: headers stand over the middle of their columns, whose figures end at one side. Else by where they
    /// begin.
    middles: bool,
    /// Several pieces of a row in one column are one cell. Else they say that these are no columns.
    joins: bool,
}

/// Puts the pieces of each row into columns.
fn rows(lines: impl Iterator<Item = Vec<Piece>>, columns: &[(f64, f64)], placing: Placing) -> Option<Vec<Vec<String>>> {
    if columns.len() < 2 {
        return None;
    }
    let mut rows: Vec<Vec<String>> = Vec::new();
    for line in lines {
        let count = line.len();
        let mut row = vec![String::new(); columns.len()];
        for (left, right, text) in line {
            let middle = f64::midpoint(left, right);
            let place = if placing.middles {
                let ends =
                    columns.windows(2).take_while(|pair| matches!(pair, [a, b] if f64::midpoint(a.1, b.0) < middle));
                ends.count()
            } else {
                columns.iter().rposition(|column| column.0 <= middle.max(left)).unwrap_or(0)
            };
            let own = row.get_mut(place)?;
            if !own.is_empty() {
                if !placing.joins {
                    return None;
                }
                own.push(' ');
            }
            own.push_str(&text);
        }
        // A line with one cell, and that not in the first column, goes on with the cells above it.
        match rows.last_mut().filter(|_| count == 1 && row.first().is_some_and(String::is_empty)) {
            Some(last) => {
                for (above, below) in last.iter_mut().zip(row).filter(|(_, below)| !below.is_empty()) {
                    above.push(' ');
                    above.push_str(&below);
                }
            }
            None => rows.push(row),
        }
    }
    Some(rows)
}

/// Where columns lie: what overlaps, or stands closer than `gap`, stands in one. A strip counts as white that up to `most` lines
/// cross.
fn columns(lines: &[Vec<Piece>], most: usize, gap: f64) -> Vec<(f64, f64)> {
    // Where a piece begins and ends; beginnings first where both are.
    let mut edges: Vec<(f64, bool)> =
        lines.iter().flatten().flat_map(|(left, right, _)| [(*left, false), (*right, true)]).collect();
    edges.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut columns: Vec<(f64, f64)> = Vec::new();
    let mut open = 0_usize;
    for (at, end) in edges {
        let before = open;
        open = if end { open.saturating_sub(1) } else { open + 1 };
        if before == most && open > most {
            match columns.last_mut().filter(|column| at < column.1 + gap) {
                Some(column) => column.1 = f64::INFINITY,
                None => columns.push((at, f64::INFINITY)),
            }
        } else if before > most
            && open == most
            && let Some(column) = columns.last_mut()
        {
            column.1 = at;
        }
    }
    columns
}
