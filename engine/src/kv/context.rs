//! What tokens may see.

use super::Placed;
use std::{ops::Range, sync::Arc};

/// A placed run of tokens and how it is seen. Ranges count tokens from the part's first.
#[derive(Clone, Debug)]
pub struct Part {
    /// The keys and values.
    pub placed: Arc<Placed>,
    /// Tokens that must not be seen. Attention passes over them; they are not multiplied by zero.
    pub hidden: Vec<Range<u32>>,
    /// Added to the attention logits of these tokens, in every layer and head. Where ranges overlap, all of them count.
    pub bias: Vec<(Range<u32>, f32)>,
}

impl Part {
    /// A part seen whole and without bias.
    #[must_use]
    pub fn new(placed: Arc<Placed>) -> Self {
        Self { placed, hidden: Vec::new(), bias: Vec::new() }
    }
}

/// Visible tokens of a part with the same bias.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The tokens, counted from the part's first; never empty.
    pub tokens: Range<u32>,
    /// Added to their attention logits.
    pub bias: f32,
}

/// The parts that a segment's tokens see beside each other, in order. Cloning and [`with`](Self::with) share the parts.
#[derive(Clone, Debug, Default)]
pub struct Context {
    parts: Vec<Arc<(Arc<Placed>, Vec<Run>)>>,
    visible: usize,
}

impl Context {
    /// Nothing to see.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a part behind the others. Ranges that reach beyond the part are cut at its end.
    pub fn push(&mut self, part: Part) {
        let runs = runs(part.placed.len(), &part.hidden, &part.bias);
        self.visible += runs.iter().map(|run| run.tokens.len()).sum::<usize>();
        self.parts.push(Arc::new((part.placed, runs)));
    }

    /// The same context with one more part.
    #[must_use]
    pub fn with(&self, part: Part) -> Self {
        let mut more = self.clone();
        more.push(part);
        more
    }

    /// Number of visible tokens.
    #[must_use]
    pub fn len(&self) -> usize {
        self.visible
    }

    /// Whether there is nothing to see.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.visible == 0
    }

    /// The parts with their visible runs, in order.
    pub fn parts(&self) -> impl Iterator<Item = (&Placed, &[Run])> {
        self.parts.iter().map(|part| (&*part.0, part.1.as_slice()))
    }

    /// Position after the last token of any part, hidden or not; 0 without parts.
    #[must_use]
    pub fn end(&self) -> u32 {
        self.parts.iter().map(|part| part.0.end()).max().unwrap_or(0)
    }
}

/// Cuts a part of `len` tokens where visibility or bias changes.
fn runs(len: u32, hidden: &[Range<u32>], bias: &[(Range<u32>, f32)]) -> Vec<Run> {
    let ranges = || hidden.iter().chain(bias.iter().map(|(range, _)| range));
    let mut cuts: Vec<u32> = ranges().flat_map(|range| [range.start.min(len), range.end.min(len)]).collect();
    cuts.extend([0, len]);
    cuts.sort_unstable();
    cuts.dedup();
    let mut runs: Vec<Run> = Vec::new();
    for pair in cuts.windows(2) {
        let [start, end] = [pair[0], pair[1]];
        if hidden.iter().any(|range| range.contains(&start)) {
            continue;
        }
        let bias = bias.iter().filter(|(range, _)| range.contains(&start)).map(|(_, bias)| bias).sum();
        match runs.last_mut() {
            Some(last) if last.tokens.end == start && last.bias == bias => last.tokens.end = end,
            _ => runs.push(Run { tokens: start..end, bias }),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    #![allow(clippy::single_range_in_vec_init, reason = "a list of one range is meant")]
    use super::*;

    fn check(len: u32, hidden: &[Range<u32>], bias: &[(Range<u32>, f32)], expected: &[(Range<u32>, f32)]) {
        let found: Vec<_> = runs(len, hidden, bias).into_iter().map(|run| (run.tokens, run.bias)).collect();
        assert_eq!(found, expected, "{len} tokens, hidden {hidden:?}, bias {bias:?}");
    }

    #[test]
    fn runs_are_cut_where_something_changes() {
        check(5, &[], &[], &[(0..5, 0.0)]);
        check(0, &[], &[], &[]);
        check(5, &[0..5], &[], &[]);
        check(5, &[1..2, 1..3], &[], &[(0..1, 0.0), (3..5, 0.0)]);
        check(5, &[3..99], &[(4..7, 1.0)], &[(0..3, 0.0)]);
        check(5, &[], &[(1..3, 2.0)], &[(0..1, 0.0), (1..3, 2.0), (3..5, 0.0)]);
        check(5, &[2..3], &[(0..5, 1.0), (3..5, -0.5)], &[(0..2, 1.0), (3..5, 0.5)]);
        check(5, &[7..9], &[(2..2, 1.0)], &[(0..5, 0.0)]);
        #[allow(clippy::reversed_empty_ranges, reason = "a caller's mistake must do no harm")]
        check(5, &[4..1], &[], &[(0..5, 0.0)]);
    }
}
