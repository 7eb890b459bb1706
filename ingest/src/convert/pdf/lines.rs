//! Glyphs to segments: pieces of a line without a wide gap.

use super::glyphs::Glyph;
use crate::text::is_cjk;

/// Words that stand together on a line.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub(super) text: String,
    pub(super) left: f64,
    pub(super) right: f64,
    /// Its baseline, growing down the page.
    pub(super) y: f64,
    pub(super) size: f64,
    /// Its words from the left, each with where it begins and ends.
    pub(super) words: Vec<(f64, f64, String)>,
}

/// A gap from which on two glyphs are two words, in sizes of the font.
const WORD_GAP: f64 = 0.17;
/// The same between letters that are as wide as the font is high, which are not parted by spaces.
const WIDE_WORD_GAP: f64 = 0.6;
/// A gap from which on two words are two columns; a space that is drawn makes it wider, since lines are stretched to be even.
const COLUMN_GAP: f64 = 1.0;
const SPACED_COLUMN_GAP: f64 = 1.7;
/// The same between what was not drawn one after the other.
const JOINING_GAP: f64 = 0.6;

/// The segments of glyphs in the order in which they are drawn, sorted by line and place.
pub(super) fn segments(glyphs: Vec<Glyph>) -> Vec<Segment> {
    let mut open: Option<Growing> = None;
    let mut all = Vec::new();
    let mut space = false;
    for glyph in glyphs {
        if glyph.text.trim().is_empty() {
            space = true;
            continue;
        }
        let fits = open.as_ref().is_some_and(|growing| growing.takes(&glyph, space));
        if !fits {
            all.extend(open.take());
        }
        open.get_or_insert_with(|| Growing::new(&glyph)).push(glyph, space && fits);
        space = false;
    }
    all.extend(open);
    joined(all).into_iter().map(Growing::finish).filter(|segment| !segment.text.is_empty()).collect()
}

/// A segment with its glyphs.
struct Growing {
    glyphs: Vec<(Glyph, bool)>,
    left: f64,
    right: f64,
    y: f64,
    size: f64,
}

impl Growing {
    fn new(glyph: &Glyph) -> Self {
        Self { glyphs: Vec::new(), left: glyph.x, right: glyph.x, y: glyph.y, size: glyph.size }
    }

    fn is_level_with(&self, y: f64, size: f64) -> bool {
        // Raised and lowered figures are smaller and stand off the line.
        let (small, large) = if size < self.size { (size, self.size) } else { (self.size, size) };
        (y - self.y).abs() < if small < large * 0.85 { large * 0.5 } else { large * 0.25 }
    }

    fn takes(&self, glyph: &Glyph, space: bool) -> bool {
        let gap = glyph.x - self.right;
        let size = self.size.max(glyph.size);
        let widest = if space { SPACED_COLUMN_GAP } else { COLUMN_GAP };
        self.is_level_with(glyph.y, glyph.size) && gap < widest * size && gap > -0.6 * size
    }

    fn push(&mut self, glyph: Glyph, space: bool) {
        let wide = |text: &str| text.chars().next().is_some_and(is_cjk);
        let gap = glyph.x - self.right;
        let before = self.glyphs.last();
        let threshold = match before {
            Some((last, _)) if wide(&last.text) && wide(&glyph.text) => WIDE_WORD_GAP,
            _ => WORD_GAP,
        };
        let space = before.is_some() && (space || gap > threshold * glyph.size.min(self.size));
        // What is raised is no digit of the number before it.
        let raised = glyph.size < self.size * 0.85 && glyph.y < self.y - self.size * 0.15;
        let behind_word =
            before.is_some_and(|(last, _)| last.text.ends_with(char::is_alphanumeric) && last.y > glyph.y);
        let mut glyph = glyph;
        if raised && behind_word && !space && glyph.text.starts_with(|char: char| char.is_ascii_digit()) {
            glyph.text.insert(0, '^');
        }
        self.left = self.left.min(glyph.x);
        self.right = self.right.max(glyph.x + glyph.advance);
        if glyph.size > self.size * 1.15 {
            (self.size, self.y) = (glyph.size, glyph.y);
        }
        self.glyphs.push((glyph, space));
    }

    fn finish(self) -> Segment {
        let Self { mut glyphs, left, right, y, size } = self;
        let strong = |text: &str| text.chars().next().is_some_and(is_right_to_left);
        if glyphs.iter().filter(|(glyph, _)| strong(&glyph.text)).count() * 2 > glyphs.len() {
            glyphs = right_to_left(glyphs);
        }
        let mut words: Vec<(f64, f64, String)> = Vec::new();
        for (glyph, space) in &glyphs {
            let (from, to) = (glyph.x, glyph.x + glyph.advance);
            match words.last_mut().filter(|_| !*space) {
                Some((left, right, word)) => {
                    (*left, *right) = (left.min(from), right.max(to));
                    word.push_str(glyph.text.trim());
                }
                None => words.push((from, to, glyph.text.trim().to_owned())),
            }
        }
        let text = words.iter().map(|(_, _, word)| word.as_str()).collect::<Vec<_>>().join(" ");
        Segment { text, left, right, y, size, words }
    }
}

/// Joins what stands side by side on a line and was drawn apart, and sorts by line and place.
fn joined(mut segments: Vec<Growing>) -> Vec<Growing> {
    segments.sort_by(|a, b| a.y.total_cmp(&b.y));
    let mut lines: Vec<Vec<Growing>> = Vec::new();
    for segment in segments {
        match lines
            .last_mut()
            .filter(|line| line.first().is_some_and(|first| first.is_level_with(segment.y, segment.size)))
        {
            Some(line) => line.push(segment),
            None => lines.push(vec![segment]),
        }
    }
    let mut all = Vec::new();
    for mut line in lines {
        line.sort_by(|a, b| a.left.total_cmp(&b.left));
        let mut whole: Vec<Growing> = Vec::new();
        for segment in line {
            let gap_of = |last: &Growing| (segment.left - last.right) / last.size.max(segment.size);
            match whole.last_mut().filter(|last| (-0.3..JOINING_GAP).contains(&gap_of(last))) {
                Some(last) => {
                    let mut glyphs = segment.glyphs.into_iter();
                    // A space that was drawn before it went with the segment it was drawn behind.
                    if let Some((first, _)) = glyphs.next() {
                        last.push(first, false);
                    }
                    for (glyph, space) in glyphs {
                        last.push(glyph, space);
                    }
                }
                None => whole.push(segment),
            }
        }
        all.extend(whole);
    }
    all
}

fn is_right_to_left(char: char) -> bool {
    matches!(char, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}')
}

/// Glyphs as they are read where they run from the right; numbers and foreign words in between keep their direction.
fn right_to_left(mut glyphs: Vec<(Glyph, bool)>) -> Vec<(Glyph, bool)> {
    // A space belongs to the gap, which the other order has on the other side of its glyph.
    let spaces: Vec<bool> = glyphs.iter().map(|(_, space)| *space).skip(1).chain([false]).collect();
    for ((_, space), behind) in glyphs.iter_mut().zip(spaces) {
        *space = behind;
    }
    glyphs.sort_by(|(a, _), (b, _)| b.x.total_cmp(&a.x));
    let mut start = 0;
    while start < glyphs.len() {
        let runs_left = |at: usize| {
            glyphs.get(at).is_some_and(|(glyph, _)| {
                glyph.text.chars().any(|char| char.is_alphanumeric() && !is_right_to_left(char))
            })
        };
        let mut end = start;
        while runs_left(end) {
            end += 1;
        }
        if let Some(run) = glyphs.get_mut(start..end) {
            run.reverse();
        }
        start = end.max(start + 1);
    }
    glyphs
}
