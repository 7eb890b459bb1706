//! What of the retrieved passages is looked at: the sentences that spans may come from, and those that the model sees.

use super::{
    Found, Index,
    kind::{self, Asked},
    witness::{Open, Question, Seen},
};
use crate::fusion::passages::{Shown, Sight};

/// The most bytes of passages that are looked at.
const MOST_BYTES: usize = 2_000;
/// Sentences that spans may come from, those most like the question.
const OPEN: usize = 12;
/// Bias on the likest. Without any of 30 questions SmolLM2 chose right for 2, with it for 4.
const STRENGTH: f32 = 1.5;

/// The best passages that there is room for, at least one.
pub fn seen<'a>(index: &'a Index, found: &'a [Found]) -> Vec<Seen<'a>> {
    let mut bytes = 0;
    let mut seen = Vec::new();
    for found in found {
        let Some((document, passage)) = index.passage(found.number) else { continue };
        bytes += passage.text().len();
        if bytes > MOST_BYTES && !seen.is_empty() {
            break;
        }
        seen.push(Seen { document, passage, found });
    }
    seen
}

/// The sentences that spans may come from, those most like the question first.
pub fn open(question: &Question, seen: &[Seen<'_>]) -> Vec<Open> {
    let units = question.units();
    let mut order: Vec<(f32, usize, usize)> = Vec::new();
    for (number, seen) in seen.iter().enumerate() {
        for sentence in 0..seen.passage.sentences.len() {
            let likeness = seen.found.likeness.get(sentence).copied().unwrap_or(0.0);
            order.push((question.around(seen.passage, sentence) + likeness, number, sentence));
        }
    }
    order.sort_by(|one, other| other.0.total_cmp(&one.0).then((one.1, one.2).cmp(&(other.1, other.2))));
    order.truncate(OPEN);
    let open = |(_, passage, sentence): (f32, usize, usize)| {
        let text = seen.get(passage)?.passage.sentences.get(sentence)?.as_str();
        let bounds = kind::bounds(question.asked, text, &units);
        // Where nothing looks like what is asked for, anything may be it.
        let some = bounds.iter().any(|bound| bound.begins);
        let bounds = if some { bounds } else { kind::bounds(Asked::Anything, text, &units) };
        Some(Open { passage, sentence, bounds })
    };
    order.into_iter().filter_map(open).collect()
}

/// The passages with all sentences hidden but those in view, the first of them emphasised.
pub fn shown<'a>(seen: &[Seen<'a>], in_view: &[Open]) -> Vec<Shown<'a>> {
    let sight = |number: usize, sentence: usize| {
        let rank = in_view.iter().position(|open| (open.passage, open.sentence) == (number, sentence));
        Sight {
            hidden: rank.is_none(),
            bias: if rank == Some(0) { STRENGTH } else { 0.0 },
            bounds: rank.and_then(|rank| in_view.get(rank)).map(|open| open.bounds.clone()).unwrap_or_default(),
        }
    };
    let passages = seen.iter().enumerate();
    let passages = passages.map(|(number, Seen { passage, .. })| Shown {
        passage,
        sentences: (0..passage.sentences.len()).map(|sentence| sight(number, sentence)).collect(),
    });
    passages.collect()
}
