//! Segments to regions in the order of reading: a page is cut along white strips, first between columns, else between lines
//! (the recursive cut of Nagy and Seth, 1984), as long as what is cut apart reads as text and not as the columns of a table.

use super::lines::Segment;

/// What is read as one piece: a column of text, a heading, a table.
pub(super) type Region = Vec<Segment>;

/// A column holds at least so many lines.
const FEWEST_LINES: usize = 4;
/// A column's usual line has at least so many letters; a table's cells have fewer.
const SHORTEST_LINE: usize = 22;
/// Rows of a table stand closer than so many sizes of the font, and so many cells before and behind a gap tell whether it goes on.
const SAME_TABLE: f64 = 2.6;
const COMPARED: usize = 6;
/// How often a region is cut; a page of nothing but single words would be cut without an end.
const DEEPEST: usize = 24;

/// The regions of a page.
pub(super) fn regions(segments: Vec<Segment>) -> Vec<Region> {
    let mut found = Vec::new();
    cut(segments, 0, &mut found);
    found
}

fn cut(segments: Vec<Segment>, depth: usize, found: &mut Vec<Region>) {
    if segments.is_empty() {
        return;
    }
    if depth < DEEPEST && has_neighbours(&segments) {
        if let Some((left, right)) = columns(&segments) {
            cut(left, depth + 1, found);
            cut(right, depth + 1, found);
            return;
        }
        if let Some((above, below)) = halves(&segments) {
            cut(above, depth + 1, found);
            cut(below, depth + 1, found);
            return;
        }
    }
    found.push(segments);
}

/// Whether any line has more than one segment.
fn has_neighbours(segments: &[Segment]) -> bool {
    segments.windows(2).any(|pair| matches!(pair, [a, b] if (a.y - b.y).abs() < a.size.min(b.size) * 0.5))
}

/// Cuts between two columns of text.
fn columns(segments: &[Segment]) -> Option<(Region, Region)> {
    let mut spans: Vec<(f64, f64)> = segments.iter().map(|segment| (segment.left, segment.right)).collect();
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut reach = spans.first()?.1;
    let mut best: Option<(f64, f64)> = None;
    for (left, right) in spans {
        if left > reach && best.is_none_or(|(_, width)| left - reach > width) {
            best = Some((f64::midpoint(left, reach), left - reach));
        }
        reach = reach.max(right);
    }
    let (middle, _) = best?;
    let (left, right): (Region, Region) = segments.iter().cloned().partition(|segment| segment.right < middle);
    (is_text(&left) && is_text(&right)).then_some((left, right))
}

fn is_text(segments: &[Segment]) -> bool {
    let mut lengths: Vec<usize> = segments.iter().map(|segment| segment.text.chars().count()).collect();
    lengths.sort_unstable();
    let cjk =
        segments.iter().flat_map(|segment| segment.text.chars()).filter(|char| crate::text::is_cjk(*char)).count();
    let shortest = if cjk * 2 > lengths.iter().sum::<usize>() { SHORTEST_LINE / 2 } else { SHORTEST_LINE };
    segments.len() >= FEWEST_LINES && lengths.get(lengths.len() / 2).is_some_and(|median| *median >= shortest)
}

/// Cuts between two lines: where the white strip is widest, or where columns begin or end below or above what spans them.
fn halves(segments: &[Segment]) -> Option<(Region, Region)> {
    widest(segments).or_else(|| {
        let at = starts_of_lines(segments);
        let below = at.clone().find(|at| segments.get(*at..).is_some_and(|rest| columns(rest).is_some()));
        let cut =
            below.or_else(|| at.rev().find(|at| segments.get(..*at).is_some_and(|rest| columns(rest).is_some())))?;
        let (above, below) = segments.split_at(cut);
        Some((above.to_vec(), below.to_vec()))
    })
}

/// Where each line but the first begins.
fn starts_of_lines(segments: &[Segment]) -> impl DoubleEndedIterator<Item = usize> + Clone {
    segments.windows(2).enumerate().filter_map(|(at, pair)| match pair {
        [a, b] if b.y - a.y > a.size.min(b.size) * 0.5 => Some(at + 1),
        _ => None,
    })
}

/// Cuts where the white strip is widest; nowhere in what is evenly spaced, as a table is.
fn widest(segments: &[Segment]) -> Option<(Region, Region)> {
    let gaps = segments.windows(2).enumerate().filter_map(|(at, pair)| match pair {
        [a, b] => Some((at + 1, (b.y - a.y) / a.size.max(b.size))),
        _ => None,
    });
    let (at, gap) = gaps.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let usual = usual_distance(segments);
    let (above, below) = segments.split_at_checked(at)?;
    let parts = gap > 1.2 * usual && gap > 0.5 && !(gap < SAME_TABLE && share_columns(above, below));
    parts.then(|| (above.to_vec(), below.to_vec()))
}

/// Whether the lines before a gap and behind it stand in the same two columns at least.
fn share_columns(above: &[Segment], below: &[Segment]) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() < 3.0;
    let last = above.len().saturating_sub(COMPARED);
    let columns = below.iter().take(COMPARED).filter(|segment| {
        above.get(last..).is_some_and(|above| {
            above.iter().any(|other| near(other.left, segment.left) || near(other.right, segment.right))
        })
    });
    let mut lefts: Vec<f64> = columns.map(|segment| segment.left).collect();
    lefts.sort_by(f64::total_cmp);
    lefts.windows(2).filter(|pair| matches!(pair, [a, b] if b - a > 20.0)).count() > 0
}

/// The usual distance of lines, in sizes of the font.
pub(super) fn usual_distance(segments: &[Segment]) -> f64 {
    let mut distances: Vec<f64> = segments
        .windows(2)
        .filter_map(|pair| match pair {
            [a, b] => Some((b.y - a.y) / a.size.max(b.size)),
            _ => None,
        })
        .filter(|distance| *distance > 0.5)
        .collect();
    distances.sort_by(f64::total_cmp);
    distances.get(distances.len() / 2).copied().unwrap_or(1.2)
}
