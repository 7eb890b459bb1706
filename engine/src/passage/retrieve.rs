//! The passages that a question is answered from: found by words, and ranked by words and meaning together.

use super::{Index, Passage};
use crate::{
    EngineError,
    question::{rank::Meant, words},
};
use factmask_graph::DocumentId;
use std::collections::BTreeSet;

/// Passages whose sentences are compared with the question, the best by words. Each new one costs the encoder some 20 ms.
const COMPARED: usize = 12;
/// The usual constant of reciprocal rank fusion: how little it matters whether something is first or second.
const RANK: f32 = 60.0;

/// A passage that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Its number in the index.
    pub number: usize,
    /// Its score by words (BM25).
    pub words: f32,
    /// Likeness of each of its sentences to the question, 0 to 1; empty where the language has no encoder.
    pub likeness: Vec<f32>,
}

/// Finds passages.
pub struct Retriever<'a> {
    /// All passages.
    pub index: &'a Index,
    /// The encoder of the question's language, and where its vectors are kept.
    pub meant: Option<Meant<'a>>,
}

impl Retriever<'_> {
    /// The `most` best passages, best first; of the documents in `only` alone, where it is given.
    ///
    /// # Errors
    /// A text that the encoder cannot take.
    pub fn best(
        &self,
        question: &str,
        only: Option<&BTreeSet<DocumentId>>,
        most: usize,
    ) -> Result<Vec<Found>, EngineError> {
        let by_words = self.index.search(&words::units(question), only, COMPARED);
        let passages = by_words.into_iter().filter_map(|(number, words)| {
            let (_, passage) = self.index.passage(number)?;
            Some((Found { number, words, likeness: Vec::new() }, passage))
        });
        let (mut found, passages): (Vec<Found>, Vec<&Passage>) = passages.unzip();
        if let Some(meant) = self.meant.filter(|_| !found.is_empty()) {
            let sentences: Vec<String> = passages.iter().flat_map(|passage| in_context(passage)).collect();
            let vector = meant.meaning.of(question)?;
            let mut likeness = meant.meaning.likeness(meant.shelf, &vector, &sentences)?.into_iter();
            for (found, passage) in found.iter_mut().zip(passages) {
                found.likeness = likeness.by_ref().take(passage.sentences.len()).collect();
            }
        }
        let order = fuse(&found);
        let mut ranked: Vec<Found> = order.into_iter().filter_map(|at| found.get(at).cloned()).collect();
        ranked.truncate(most);
        Ok(ranked)
    }
}

/// The sentences of a passage as they are embedded.
pub fn in_context(passage: &Passage) -> impl Iterator<Item = String> + '_ {
    (0..passage.sentences.len()).map(|sentence| passage.in_context(sentence))
}

/// The places of passages that stand in the order of their words, in the order of the reciprocal ranks by words and by the likest
/// sentence together.
fn fuse(found: &[Found]) -> Vec<usize> {
    let likest = |found: &Found| found.likeness.iter().copied().fold(0.0, f32::max);
    let mut by_meaning: Vec<usize> = (0..found.len()).collect();
    by_meaning.sort_by(|one, other| {
        let likest = |at: &usize| found.get(*at).map_or(0.0, likest);
        likest(other).total_cmp(&likest(one))
    });
    let mut fused: Vec<(usize, f32)> = by_meaning
        .into_iter()
        .enumerate()
        .map(|(rank, at)| (at, 1.0 / (RANK + rank as f32) + 1.0 / (RANK + at as f32)))
        .collect();
    fused.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
    fused.into_iter().map(|(at, _)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ranks_count() {
        let table: &[(&[&[f32]], &[usize])] = &[
            (&[], &[]),
            (&[&[], &[], &[]], &[0, 1, 2]),
            (&[&[0.9], &[0.1], &[0.2]], &[0, 1, 2]),
            (&[&[0.1], &[0.2, 0.9], &[0.3]], &[1, 0, 2]),
            (&[&[0.5], &[0.1], &[0.2], &[0.9]], &[0, 3, 1, 2]),
        ];
        for (likeness, expected) in table {
            let found: Vec<Found> = likeness
                .iter()
                .enumerate()
                .map(|(number, likeness)| Found { number, words: 1.0, likeness: likeness.to_vec() })
                .collect();
            assert_eq!(fuse(&found), *expected, "{likeness:?}");
        }
    }
}
