//! The automaton of literal spans: what is decoded under it stands word for word in the text that it was made from.
//!
//! A state is the set of places in the text where the span so far can have ended; the next token is one that stands behind any of
//! them. A further branch says that the text does not hold the answer. The probability of a span is the product of the model's
//! probabilities at each token, among what is possible there and the end: those of all spans and of the refusal sum to one, whatever
//! their lengths, so that no length has to be divided out.

use std::{collections::BTreeMap, ops::Range};

/// Open beginnings this much less likely than the best span (in nats) are given up.
const NEGLIGIBLE: f32 = 7.0;

/// A token of the text, and what a span may do there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpanToken {
    /// The token.
    pub token: u32,
    /// How it is written where a span begins with it; `None` where none may.
    pub begins: Option<u32>,
    /// Whether a span may end with it.
    pub ends: bool,
    /// Whether a span may go on from it to the next token.
    pub goes_on: bool,
}

/// See the module.
#[derive(Clone, Debug)]
pub struct Spans {
    text: Vec<SpanToken>,
    refusal: Vec<u32>,
    ends: Vec<u32>,
    most: usize,
}

/// Where the decoding is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Tokens so far.
    length: usize,
    /// Places of the last one in the text, ascending.
    places: Vec<usize>,
    /// Whether the refusal begins like this.
    refuses: bool,
}

/// A span with its places in the text: it may stand there several times.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// Ranges of tokens, ascending; never none.
    pub places: Vec<Range<usize>>,
    /// Logarithm of its probability.
    pub log_probability: f32,
}

/// What the model reads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpanScores {
    /// The spans that were followed to their end, likeliest first.
    pub spans: Vec<Span>,
    /// Logarithm of the probability of the refusal; negative infinity where it was given up.
    pub refusal: f32,
}

/// What the model is asked: to write tokens behind what it wrote at an earlier step, and which of some tokens follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The place of the earlier step among those that were asked last; anything where none was asked before.
    pub from: usize,
    /// At least one token.
    pub written: Vec<u32>,
    /// What may follow.
    pub tokens: Vec<u32>,
}

impl Spans {
    /// Spans of at most `most` tokens of a text; `refusal` says that it holds no answer, and each of `ends` that a span is over.
    pub fn new(text: Vec<SpanToken>, refusal: Vec<u32>, ends: Vec<u32>, most: usize) -> Self {
        Self { text, refusal, ends, most }
    }

    /// Before the first token.
    pub fn begin(&self) -> State {
        State { refuses: !self.refusal.is_empty(), ..State::default() }
    }

    /// The token with which a span that stands at these places begins.
    pub fn begun(&self, tokens: &Range<usize>) -> Option<u32> {
        self.text.get(tokens.start)?.begins
    }

    /// Each token that may follow, ascending, and the state behind it.
    pub fn next(&self, state: &State) -> BTreeMap<u32, State> {
        let mut next: BTreeMap<u32, State> = BTreeMap::new();
        let fresh = || State { length: state.length + 1, ..State::default() };
        let mut put = |token: u32, place: usize| next.entry(token).or_insert_with(fresh).places.push(place);
        if state.length == 0 {
            for (at, token) in self.text.iter().enumerate() {
                token.begins.into_iter().for_each(|written| put(written, at));
            }
        } else if state.length < self.most {
            for at in state.places.iter().filter(|at| self.text.get(**at).is_some_and(|token| token.goes_on)) {
                self.text.get(at + 1).into_iter().for_each(|following| put(following.token, at + 1));
            }
        }
        if let Some(token) = self.refusal.get(state.length).filter(|_| state.refuses) {
            next.entry(*token).or_insert_with(fresh).refuses = true;
        }
        next
    }

    /// The spans that end here.
    pub fn ended(&self, state: &State) -> Vec<Range<usize>> {
        let ends = state.places.iter().filter(|at| self.text.get(**at).is_some_and(|token| token.ends));
        ends.map(|at| (at + 1).saturating_sub(state.length)..at + 1).collect()
    }

    /// What may stand behind a state: the tokens that go on, then those that end it, where it may end.
    pub fn tokens(&self, state: &State) -> Vec<u32> {
        let next = self.next(state);
        let ends = self.ends.iter().filter(|end| !self.ended(state).is_empty() && !next.contains_key(end));
        next.keys().chain(ends).copied().collect()
    }

    /// The likeliest spans. `root` holds the logits of [`tokens`](Self::tokens) at the [beginning](Self::begin); `ask` is called with at
    /// most `width` steps at once and returns the logits of each one's tokens.
    pub fn search<E>(
        &self,
        width: usize,
        root: Vec<f32>,
        mut ask: impl FnMut(&[Step]) -> Result<Vec<Vec<f32>>, E>,
    ) -> Result<SpanScores, E> {
        let mut scores = SpanScores { spans: Vec::new(), refusal: f32::NEG_INFINITY };
        let mut open = vec![Open::default().at(self.begin())];
        let mut rows = vec![root];
        while !open.is_empty() {
            let mut reached: Vec<(Open, Step)> = Vec::new();
            for (from, (here, logits)) in open.iter().zip(&rows).enumerate() {
                let among = log_sum_exp(logits);
                let next = self.next(&here.state);
                let (on, over) = logits.split_at(next.len().min(logits.len()));
                if !over.is_empty() {
                    scores.end(self.ended(&here.state), &here.chose(log_sum_exp(over) - among));
                }
                for ((token, state), logit) in next.into_iter().zip(on) {
                    let step = Step { from, written: vec![token], tokens: Vec::new() };
                    self.descend(here.chose(logit - among).at(state), step, &mut scores, &mut reached);
                }
            }
            let best = scores.spans.iter().map(|span| span.log_probability).fold(f32::NEG_INFINITY, f32::max);
            reached.retain(|(open, _)| open.log_probability > best - NEGLIGIBLE);
            reached.sort_by(|(one, _), (other, _)| other.log_probability.total_cmp(&one.log_probability));
            reached.truncate(width);
            let steps: Vec<Step>;
            (open, steps) = reached.into_iter().unzip();
            if !steps.is_empty() {
                rows = ask(&steps)?;
            }
        }
        scores.spans.sort_by(|one, other| other.log_probability.total_cmp(&one.log_probability));
        Ok(scores)
    }

    /// Down to the next state where there is a choice: what lies between is certain.
    fn descend(&self, mut open: Open, mut step: Step, scores: &mut SpanScores, reached: &mut Vec<(Open, Step)>) {
        loop {
            let state = &open.state;
            if state.refuses && state.length == self.refusal.len() {
                scores.refusal = open.log_probability;
            }
            let ended = self.ended(state);
            let mut next = self.next(state);
            match next.pop_first() {
                None if ended.is_empty() => return,
                None => return scores.end(ended, &open),
                Some((token, behind)) if next.is_empty() && ended.is_empty() => {
                    step.written.push(token);
                    open = open.at(behind);
                }
                Some(_) => {
                    step.tokens = self.tokens(state);
                    return reached.push((open, step));
                }
            }
        }
    }
}

impl SpanScores {
    fn end(&mut self, places: Vec<Range<usize>>, open: &Open) {
        if !places.is_empty() {
            self.spans.push(Span { places, log_probability: open.log_probability });
        }
    }
}

/// A beginning that is followed.
#[derive(Clone, Debug, Default)]
struct Open {
    state: State,
    log_probability: f32,
}

impl Open {
    fn at(self, state: State) -> Self {
        Self { state, ..self }
    }

    fn chose(&self, log_probability: f32) -> Self {
        Self { log_probability: self.log_probability + log_probability, state: self.state.clone() }
    }
}

/// Logarithm of the sum of exponentials; negative infinity for none.
pub fn log_sum_exp(values: &[f32]) -> f32 {
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    if most == f32::NEG_INFINITY {
        return most;
    }
    most + values.iter().map(|value| (value - most).exp()).sum::<f32>().ln()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
    #![allow(clippy::single_range_in_vec_init, reason = "a list of one range is meant")]
    use super::*;
    use proptest::prelude::*;
    use std::convert::Infallible;

    const END: u32 = 99;

    /// A text in which spans begin and end anywhere but at 0, which also parts sentences.
    fn spans(text: &[u32], refusal: &[u32], most: usize) -> Spans {
        let token = |token: &u32| SpanToken {
            token: *token,
            begins: (*token != 0).then_some(*token),
            ends: *token != 0,
            goes_on: *token != 0,
        };
        let text = text.iter().zip(text.iter().skip(1).chain([&0]));
        let text = text.map(|(own, next)| SpanToken { goes_on: *own != 0 && *next != 0, ..token(own) });
        Spans::new(text.collect(), refusal.to_vec(), vec![END], most)
    }

    /// Follows tokens; the spans that end there, or nothing where they cannot be followed.
    fn follow(spans: &Spans, tokens: &[u32]) -> Option<Vec<Range<usize>>> {
        let state = tokens.iter().try_fold(spans.begin(), |state, token| spans.next(&state).remove(token))?;
        Some(spans.ended(&state))
    }

    #[test]
    fn only_what_stands_there_can_be_followed() {
        let spans = spans(&[1, 2, 3, 0, 2, 3, 4], &[7, 2], 3);
        type Row<'a> = (&'a [u32], Option<&'a [Range<usize>]>);
        let table: &[Row<'_>] = &[
            (&[1], Some(&[0..1])),
            (&[2], Some(&[1..2, 4..5])),
            (&[2, 3], Some(&[1..3, 4..6])),
            (&[2, 3, 4], Some(&[4..7])),
            (&[1, 2, 3], Some(&[0..3])),
            (&[1, 3], None),
            (&[3, 0], None),
            (&[0], None),
            (&[3, 0, 2], None),
            (&[1, 2, 3, 4], None),
            (&[5], None),
            (&[7, 2], Some(&[])),
            (&[7, 3], None),
        ];
        for (tokens, expected) in table {
            assert_eq!(follow(&spans, tokens).as_deref(), *expected, "{tokens:?}");
        }
        assert_eq!(spans.tokens(&spans.begin()), [1, 2, 3, 4, 7]);
    }

    #[test]
    fn spans_begin_and_end_where_they_may() {
        let text = [
            SpanToken { token: 1, begins: Some(11), ends: false, goes_on: true },
            SpanToken { token: 2, begins: None, ends: true, goes_on: true },
            SpanToken { token: 3, begins: Some(3), ends: false, goes_on: false },
        ];
        let spans = Spans::new(text.to_vec(), Vec::new(), vec![END], 8);
        for (tokens, expected) in [
            (&[11, 2][..], Some(vec![0..2])),
            (&[11], Some(vec![])),
            (&[1], None),
            (&[2], None),
            (&[11, 2, 3], Some(vec![])),
            (&[3], Some(vec![])),
        ] {
            assert_eq!(follow(&spans, tokens), expected, "{tokens:?}");
        }
    }

    /// A model that gives each token its own logit, whatever stood before.
    fn read(spans: &Spans, width: usize, logit: impl Fn(u32) -> f32) -> SpanScores {
        let row = |tokens: &[u32]| tokens.iter().map(|token| logit(*token)).collect::<Vec<f32>>();
        let ask = |steps: &[Step]| {
            assert!(steps.len() <= width && steps.iter().all(|step| !step.written.is_empty() && step.tokens.len() > 1));
            Ok::<_, Infallible>(steps.iter().map(|step| row(&step.tokens)).collect())
        };
        spans.search(width, row(&spans.tokens(&spans.begin())), ask).unwrap()
    }

    proptest! {
        /// Whatever the model says: what comes out stands in the text, and all probabilities sum to one where nothing is given up.
        #[test]
        fn what_comes_out_stands_there(text in prop::collection::vec(0_u32..6, 1..24), seed in any::<u32>()) {
            let spans = spans(&text, &[7, 8], 4);
            let logit = |token: u32| ((token.wrapping_mul(seed | 1) >> 7) % 5) as f32 / 2.0;
            let scores = read(&spans, usize::MAX, logit);
            let narrow = read(&spans, 2, logit);
            for span in scores.spans.iter().chain(&narrow.spans) {
                let first = text.get(span.places[0].clone()).unwrap();
                prop_assert!(!first.contains(&0) && first.len() <= 4);
                for place in &span.places {
                    prop_assert_eq!(text.get(place.clone()).unwrap(), first);
                }
            }
            for scores in [scores, narrow] {
                let sum: f32 = scores.spans.iter().map(|span| span.log_probability.exp()).sum();
                prop_assert!(sum + scores.refusal.exp() < 1.001, "{:?}", scores);
            }
        }
    }

    #[test]
    fn the_likeliest_comes_first_and_the_refusal_is_weighed() {
        let spans = spans(&[1, 2, 0, 3], &[7, 8], 4);
        let scores = read(&spans, 8, |token| if token == 3 { 3.0 } else { 0.0 });
        assert_eq!(scores.spans[0].places, [Range { start: 3, end: 4 }]);
        let sum: f32 = scores.spans.iter().map(|span| span.log_probability.exp()).sum();
        assert!((sum + scores.refusal.exp() - 1.0).abs() < 1e-5, "{scores:?}");
        let scores = read(&spans, 8, |token| if token == 7 { 9.0 } else { 0.0 });
        assert!(scores.refusal > -0.01, "{scores:?}");
        let nothing = Spans::new(Vec::new(), Vec::new(), vec![END], 4);
        assert_eq!(read(&nothing, 8, |_| 0.0).spans, []);
    }
}
