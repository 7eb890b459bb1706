//! Regions to headings, paragraphs and items; what of them is a table is told by [`super::tables`].

use super::lines::Segment;
use super::regions::{Region, usual_distance};
use super::tables::{Piece, Table, is_header, table};
use crate::convert::Block;
use crate::text::is_cjk;
use std::collections::BTreeMap;

/// What is larger than the text by this factor and short is a heading.
const HEADING: f64 = 1.15;
const LONGEST_HEADING: usize = 160;

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

/// A line of a region.
#[derive(Clone)]
pub(super) struct Line {
    pub(super) cells: Vec<Segment>,
}

impl Line {
    pub(super) fn text(&self) -> String {
        self.cells.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    pub(super) fn words(&self) -> Vec<Piece> {
        self.cells.iter().flat_map(|cell| cell.words.clone()).collect()
    }

    pub(super) fn size(&self) -> f64 {
        self.cells.iter().map(|cell| cell.size).fold(0.0, f64::max)
    }

    fn left(&self) -> f64 {
        self.cells.first().map_or(0.0, |cell| cell.left)
    }

    fn right(&self) -> f64 {
        self.cells.last().map_or(0.0, |cell| cell.right)
    }

    pub(super) fn y(&self) -> f64 {
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
