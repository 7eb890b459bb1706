//! What in a text is mentioned: each token begins a mention, goes on with one, or stands outside.

use super::features::{Dictionary, Feature, Shuffle, feature};
use super::tokens::{Kind, Text};
use std::ops::Range;

const OUTSIDE: usize = 0;
const BEGINS: usize = 1;
const INSIDE: usize = 2;
const TAGS: usize = 3;
/// Times that the training texts are gone through.
const ROUNDS: usize = 10;
/// How far back an opening mark is looked for.
const REACH: usize = 20;

/// A linear model over tags and pairs of tags, decoded by Viterbi's algorithm.
pub(super) struct Tagger {
    dictionary: Dictionary,
    weights: Vec<[f32; TAGS]>,
    moves: [[f32; TAGS]; TAGS],
}

/// Features of each token, and its tag.
pub(super) type Tagged = (Vec<Vec<Feature>>, Vec<usize>);

impl Tagger {
    /// Weights averaged over all steps, which keeps the last texts from having the last word.
    pub(super) fn train(texts: &[&Tagged]) -> Self {
        let dictionary = Dictionary::of_frequent(texts.iter().flat_map(|(features, _)| features), 1);
        let numbers: Vec<Vec<Vec<usize>>> = texts
            .iter()
            .map(|(features, _)| features.iter().map(|features| dictionary.numbers(features).collect()).collect())
            .collect();
        let mut weights = vec![[0.0_f32; TAGS]; dictionary.len()];
        let mut totals = vec![[0.0_f32; TAGS]; dictionary.len()];
        let (mut moves, mut total_moves) = ([[0.0_f32; TAGS]; TAGS], [[0.0_f32; TAGS]; TAGS]);
        let mut order: Vec<usize> = (0..texts.len()).collect();
        let mut shuffle = Shuffle(1);
        let mut step = 1.0_f32;
        for _ in 0..ROUNDS {
            shuffle.shuffle(&mut order);
            for text in &order {
                let (Some(features), Some((_, gold))) = (numbers.get(*text), texts.get(*text)) else { continue };
                let found = decode(&scores(features, &weights), &moves, 0.0);
                step += 1.0;
                for (at, (right, wrong)) in gold.iter().zip(&found).enumerate() {
                    if right != wrong {
                        for number in features.get(at).into_iter().flatten() {
                            if let (Some(weights), Some(totals)) = (weights.get_mut(*number), totals.get_mut(*number)) {
                                weights[*right] += 1.0;
                                weights[*wrong] -= 1.0;
                                totals[*right] += step;
                                totals[*wrong] -= step;
                            }
                        }
                    }
                    let before = at.checked_sub(1);
                    if let Some((gold_before, found_before)) =
                        before.and_then(|before| Some((*gold.get(before)?, *found.get(before)?)))
                        && (right != wrong || gold_before != found_before)
                    {
                        moves[gold_before][*right] += 1.0;
                        moves[found_before][*wrong] -= 1.0;
                        total_moves[gold_before][*right] += step;
                        total_moves[found_before][*wrong] -= step;
                    }
                }
            }
        }
        for (weights, totals) in weights.iter_mut().zip(&totals).chain(moves.iter_mut().zip(&total_moves)) {
            for (weight, total) in weights.iter_mut().zip(totals) {
                *weight -= total / step;
            }
        }
        Self { dictionary, weights, moves }
    }

    /// What is mentioned, in order, dates and numbers always among it. `lean` speaks against standing outside.
    pub(super) fn mentions(&self, text: &Text<'_>, lean: f32) -> Vec<Range<usize>> {
        let features: Vec<Vec<usize>> =
            (0..text.tokens.len()).map(|at| self.dictionary.numbers(&token_features(text, at)).collect()).collect();
        let tags = decode(&scores(&features, &self.weights), &self.moves, lean);
        let mut found: Vec<Range<usize>> = Vec::new();
        for (at, tag) in tags.into_iter().enumerate() {
            match (tag, found.last_mut()) {
                (BEGINS, _) => found.push(at..at + 1),
                (INSIDE, Some(last)) if last.end == at => last.end = at + 1,
                _ => {}
            }
        }
        let overlaps = |a: &Range<usize>, b: &Range<usize>| a.start < b.end && b.start < a.end;
        for date in &text.dates {
            found.retain(|mention| !overlaps(mention, date));
            found.push(date.clone());
        }
        for (at, token) in text.tokens.iter().enumerate() {
            let number = at..at + 1;
            if token.kind == Kind::Number && !found.iter().any(|mention| overlaps(mention, &number)) {
                found.push(number);
            }
        }
        found.sort_by_key(|mention| (mention.start, mention.end));
        found
    }
}

/// The tags that mark these mentions; of those that overlap, the longest.
pub(super) fn tags(text: &Text<'_>, mentions: &[Range<usize>]) -> Vec<usize> {
    let mut tags = vec![OUTSIDE; text.tokens.len()];
    let mut longest: Vec<&Range<usize>> = mentions.iter().collect();
    longest.sort_by_key(|mention| (std::cmp::Reverse(mention.len()), mention.start));
    for mention in longest {
        if let Some(place) = tags.get_mut(mention.clone())
            && place.iter().all(|tag| *tag == OUTSIDE)
        {
            place.fill(INSIDE);
            if let Some(first) = place.first_mut() {
                *first = BEGINS;
            }
        }
    }
    tags
}

fn scores(features: &[Vec<usize>], weights: &[[f32; TAGS]]) -> Vec<[f32; TAGS]> {
    let of_token = |numbers: &Vec<usize>| {
        numbers
            .iter()
            .filter_map(|number| weights.get(*number))
            .fold([0.0; TAGS], |sum, weights| [sum[0] + weights[0], sum[1] + weights[1], sum[2] + weights[2]])
    };
    features.iter().map(of_token).collect()
}

/// The best row of tags; a mention begins before it goes on.
fn decode(scores: &[[f32; TAGS]], moves: &[[f32; TAGS]; TAGS], lean: f32) -> Vec<usize> {
    let mut best: Vec<[f32; TAGS]> = Vec::with_capacity(scores.len());
    let mut from: Vec<[usize; TAGS]> = Vec::with_capacity(scores.len());
    for score in scores {
        let own = [score[OUTSIDE] - lean, score[BEGINS], score[INSIDE]];
        let (mut values, mut origins) = ([f32::NEG_INFINITY; TAGS], [OUTSIDE; TAGS]);
        for tag in 0..TAGS {
            match best.last() {
                None if tag == INSIDE => {}
                None => values[tag] = own[tag],
                Some(before) => {
                    for (origin, value) in before.iter().enumerate() {
                        let value = value + moves[origin][tag] + own[tag];
                        if !(origin == OUTSIDE && tag == INSIDE) && value > values[tag] {
                            (values[tag], origins[tag]) = (value, origin);
                        }
                    }
                }
            }
        }
        best.push(values);
        from.push(origins);
    }
    let last =
        best.last().map(|values| (0..TAGS).fold(OUTSIDE, |top, tag| if values[tag] > values[top] { tag } else { top }));
    let mut tags: Vec<usize> = last.into_iter().collect();
    for origins in from.iter().skip(1).rev() {
        let tag = tags.last().copied().unwrap_or(OUTSIDE);
        tags.push(origins[tag]);
    }
    tags.reverse();
    tags
}

/// What tells of one token whether it is part of a mention.
pub(super) fn token_features(text: &Text<'_>, at: usize) -> Vec<Feature> {
    let word = |offset: isize| text.word(at, offset);
    let shape = |offset: isize| {
        at.checked_add_signed(offset).and_then(|at| text.tokens.get(at)).map_or("^", |token| token.shape.as_str())
    };
    let mut found = vec![
        feature(&["-3", word(-3)]),
        feature(&["-2", word(-2)]),
        feature(&["-1", word(-1)]),
        feature(&["0", word(0)]),
        feature(&["1", word(1)]),
        feature(&["2", word(2)]),
        feature(&["3", word(3)]),
        feature(&["s-1", shape(-1)]),
        feature(&["s0", shape(0)]),
        feature(&["s1", shape(1)]),
        feature(&["-2-1", word(-2), word(-1)]),
        feature(&["-10", word(-1), word(0)]),
        feature(&["01", word(0), word(1)]),
        feature(&["12", word(1), word(2)]),
        feature(&["-2-10", word(-2), word(-1), word(0)]),
        feature(&["-101", word(-1), word(0), word(1)]),
        feature(&["012", word(0), word(1), word(2)]),
    ];
    let suffix = word(0).char_indices().rev().nth(2).and_then(|(start, _)| word(0).get(start..)).unwrap_or(word(0));
    found.push(feature(&["suffix", suffix]));
    let upper = |offset: isize| if shape(offset).starts_with('A') { "A" } else { "a" };
    found.push(feature(&["capitals", upper(-1), upper(0), upper(1)]));
    let first = matches!(word(-1), "^" | "." | "!" | "?" | "。" | "！" | "？");
    found.push(feature(&["first", if first { "yes" } else { "no" }]));
    let before = text.tokens.get(at.saturating_sub(REACH)..at).unwrap_or_default();
    let mark = before.iter().rev().find(|token| "《“\"「(（》”」)）。，".contains(token.word.as_str()));
    let open = mark.map_or("", |token| token.word.as_str());
    let open = if "《“\"「(（".contains(open) { open } else { "" };
    found.push(feature(&["open", open]));
    found.push(feature(&["opens", open, if open == word(-1) { "yes" } else { "no" }]));
    found
}
