//! Regions to headings, paragraphs, items and tables.

use super::lines::Segment;
use super::regions::{Region, usual_distance};
use crate::convert::Block;
use crate::text::is_cjk;
use std::collections::BTreeMap;

/// What is larger than the text by this factor and short is a heading.
const HEADING: f64 = 1.15;
const LONGEST_HEADING: usize = 160;
/// A table has at least so many rows, and so many of a hundred have several cells.
const FEWEST_ROWS: usize = 3;
const ROWS_WITH_CELLS: usize = 70;
/// A table's usual cell has at most so many letters: two columns of prose are none.
const LONGEST_CELL: usize = 40;

/// Rows of a table whose cells have several lines stand this much farther apart than the lines.
const ROWS_APART: f64 = 1.3;

/// The sizes of a document's letters.
pub(super) struct Sizes {
    text: f64,
    /// Sizes of headings, the largest first.
    headings: Vec<f64>,
}

impl Sizes {
    /// Of all pages.
    pub(super) fn of<'r>(segments: impl Iterator<Item = &'r Segment>) -> Self {
        let mut letters: BTreeMap<u64, usize> = BTreeMap::new();
        for segment in segments {
            *letters.entry(halves(segment.size)).or_default() += segment.text.chars().count();
        }
        let text = letters.iter().max_by_key(|(_, count)| **count).map_or(10.0, |(size, _)| points(*size));
        let headings = letters.keys().rev().map(|size| points(*size)).filter(|size| *size >= text * HEADING).collect();
        Self { text, headings }
    }

    /// The level, from 1, of a heading of this size.
    fn level(&self, size: f64) -> Option<u8> {
        if size < self.text * HEADING {
            return None;
        }
        let larger = self.headings.iter().filter(|other| halves(**other) > halves(size)).count();
        Some(u8::try_from(larger + 1).unwrap_or(6).min(6))
    }
}

/// A size in half points, as a whole number.
fn halves(size: f64) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a font's size in points")]
    let halves = (size * 2.0).round().clamp(0.0, 4096.0) as u64;
    halves
}

fn points(halves: u64) -> f64 {
    f64::from(u32::try_from(halves).unwrap_or(0)) / 2.0
}

/// Words, and where they begin and end.
type Piece = (f64, f64, String);

/// A line of a region.
#[derive(Clone)]
struct Line {
    cells: Vec<Segment>,
}

impl Line {
    fn text(&self) -> String {
        self.cells.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    fn words(&self) -> Vec<Piece> {
        self.cells.iter().flat_map(|cell| cell.words.clone()).collect()
    }

    fn size(&self) -> f64 {
        self.cells.iter().map(|cell| cell.size).fold(0.0, f64::max)
    }

    fn left(&self) -> f64 {
        self.cells.first().map_or(0.0, |cell| cell.left)
    }

    fn right(&self) -> f64 {
        self.cells.last().map_or(0.0, |cell| cell.right)
    }

    fn y(&self) -> f64 {
        self.cells.first().map_or(0.0, |cell| cell.y)
    }
}

/// What the regions of a page say, in order.
pub(super) fn blocks(regions: Vec<Region>, sizes: &Sizes, into: &mut Vec<Block>) {
    let mut lines: Vec<(Vec<Line>, f64)> = Vec::new();
    for region in regions {
        let usual = usual_distance(&region);
        let region = lines_of(region);
        // The header of a table of figures often stands a little off it.
        match lines.last_mut().filter(|(above, _)| is_header(above, &region)) {
            Some((above, _)) => above.extend(region),
            None => lines.push((region, usual)),
        }
    }
    for (lines, usual) in lines {
        match table(&lines) {
            Some(Table { above, rows, below }) => {
                paragraphs(lines.get(..above).unwrap_or_default(), usual, sizes, into);
                into.push(Block::Table(rows));
                paragraphs(lines.get(below..).unwrap_or_default(), usual, sizes, into);
            }
            None => paragraphs(&lines, usual, sizes, into),
        }
    }
}

fn lines_of(region: Region) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for segment in region {
        match lines.last_mut().filter(|line| (line.y() - segment.y).abs() < line.size().min(segment.size) * 0.5) {
            Some(line) => line.cells.push(segment),
            None => lines.push(Line { cells: vec![segment] }),
        }
    }
    for line in &mut lines {
        line.cells.sort_by(|a, b| a.left.total_cmp(&b.left));
    }
    lines
}

/// Whether a region of one line is the header of the table close below it.
fn is_header(above: &[Line], below: &[Line]) -> bool {
    let ([header], [first, ..]) = (above, below) else { return false };
    let words = header.words();
    if first.y() - header.y() > first.size() * 4.0 || figures(&words) * 2 >= words.len() {
        return false;
    }
    let whole: Vec<Line> = above.iter().chain(below).cloned().collect();
    let loose = header.cells.len() > 1 && loose_table(below).is_some() && loose_table(&whole).is_some();
    loose || (words.len() > 2 && tight_table(below).is_some())
}

fn paragraphs(lines: &[Line], usual: f64, sizes: &Sizes, into: &mut Vec<Block>) {
    let left = lines.iter().map(Line::left).fold(f64::INFINITY, f64::min);
    let right = lines.iter().map(Line::right).fold(f64::NEG_INFINITY, f64::max);
    let mut paragraph: Vec<&Line> = Vec::new();
    for line in lines {
        let ends = paragraph.last().is_some_and(|last| {
            let size = last.size().max(line.size());
            let parted = (line.y() - last.y()) / size > usual * 1.3;
            let other_size = (line.size() / last.size() - 1.0).abs() > 0.12;
            let finished = ends_sentence(&last.text());
            let short = last.right() < right - (right - left) * 0.15;
            let indented = line.left() > left + size * 0.8 && last.left() <= left + size * 0.8;
            // A line with wide gaps is no line of a sentence.
            let apart = line.cells.len() > 1 || last.cells.len() > 1;
            apart || parted || other_size || bullet(&line.text()).is_some() || (finished && (short || indented))
        });
        if ends {
            into.push(block(&paragraph, sizes));
            paragraph.clear();
        }
        paragraph.push(line);
    }
    if !paragraph.is_empty() {
        into.push(block(&paragraph, sizes));
    }
}

fn block(lines: &[&Line], sizes: &Sizes) -> Block {
    let mut text = String::new();
    for line in lines {
        join(&mut text, &line.text());
    }
    let size = lines.iter().map(|line| line.size()).fold(0.0, f64::max);
    if let Some(level) = sizes.level(size)
        && text.chars().count() <= LONGEST_HEADING
        && text.chars().any(char::is_alphabetic)
    {
        return Block::Heading(level, text.replace('\n', " "));
    }
    match bullet(&text) {
        Some(item) => Block::Item(item.to_owned()),
        None => Block::Paragraph(text),
    }
}

/// Adds a line; a word that was divided at its end is made whole, and Chinese runs on.
pub(super) fn join(text: &mut String, line: &str) {
    let before = text.chars().next_back();
    let begins = line.chars().next();
    let runs_on = before.is_some_and(is_cjk) && begins.is_some_and(is_cjk);
    let divided = text.ends_with('-')
        && text.chars().rev().nth(1).is_some_and(char::is_alphabetic)
        && begins.is_some_and(char::is_lowercase);
    if divided {
        text.pop();
    } else if !text.is_empty() && !runs_on {
        text.push('\n');
    }
    text.push_str(line);
}

fn ends_sentence(text: &str) -> bool {
    text.trim_end_matches(['"', '”', '’', ')', '）', '」', '』'])
        .ends_with(['.', '!', '?', ':', '。', '！', '？', '：', '؟'])
}

/// What stands behind a bullet.
fn bullet(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(['•', '‣', '◦', '▪', '■', '●', '○', '◆', '➢', '·', '∙'])?;
    Some(rest.trim_start()).filter(|rest| !rest.is_empty())
}

/// A table among the lines of a region: it begins behind the first and ends before the other.
struct Table {
    above: usize,
    rows: Vec<Vec<String>>,
    below: usize,
}

/// The table of a region: most lines have several short cells, and the cells stand below each other.
fn table(lines: &[Line]) -> Option<Table> {
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
