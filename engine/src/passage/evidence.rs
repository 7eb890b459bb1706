//! Which span is the best evidence for an answer, and whether it is sufficient.
//!
//! Two small models over generic [witnesses](super::witness): a conditional logit ranks the spans, a logistic model judges the first of
//! them by its own witnesses and by how far different spans stay behind it. How much a language model's reading is worth depends on how
//! well it reads, so there is one [`Judge`] for small models and one for larger ones.

use super::witness::{Candidate, WITNESSES, Witnesses};
use crate::question::words;

/// What speaks for the first of ranked candidates, in this order: its score, its share among all spans that differ, its lead before the
/// next that differs, the refusal's log-probability, and its own witnesses.
pub type Sufficiency = [f32; OWN + WITNESSES];
/// Those that are no span's own.
const OWN: usize = 4;
/// The share of the question's names that the document never has.
const MISSING: usize = OWN + 19;

/// Weights, and how many sentences are read, by what reads.
#[derive(Debug)]
pub struct Judge {
    /// Sentences that question and span see, those most like the question.
    pub in_view: usize,
    ranking: Witnesses,
    sufficiency: Sufficiency,
    constant: f32,
}

/// Models with hidden states at least this wide read whole passages; smaller ones read few lines well and many badly.
const WIDE: usize = 768;

impl Judge {
    /// The judge of what a model reads whose hidden states are so wide, in a language.
    pub fn of(hidden: usize, lang: &str) -> &'static Self {
        match (hidden >= WIDE, lang) {
            (true, "zh") => &LARGE_CHINESE,
            (true, _) => &LARGE,
            (false, _) => &SMALL,
        }
    }

    /// Scores candidates and puts them in order, best first.
    #[must_use]
    pub fn rank(&self, mut candidates: Vec<Candidate>) -> Vec<Candidate> {
        for candidate in &mut candidates {
            candidate.score = sum(&candidate.witnesses, &self.ranking);
        }
        candidates.sort_by(|one, other| other.score.total_cmp(&one.score));
        candidates
    }

    /// The probability that the answer is right; none where the document never has one of the question's names or years: it holds no
    /// answer to what it is silent about.
    #[must_use]
    pub fn confidence(&self, witnesses: &Sufficiency) -> f32 {
        if witnesses.get(MISSING).is_some_and(|share| *share > 0.0) {
            return 0.0;
        }
        1.0 / (1.0 + (-sum(witnesses, &self.sufficiency) - self.constant).exp())
    }
}

fn sum(witnesses: &[f32], weights: &[f32]) -> f32 {
    witnesses.iter().zip(weights).map(|(witness, weight)| witness * weight).sum()
}

/// What speaks for the first of ranked candidates; spans that say the same in more or in fewer words count with it.
pub fn sufficiency(ranked: &[Candidate], refusal: f32) -> Option<Sufficiency> {
    let best = ranked.first()?;
    let own = words::units(&best.text);
    let same = |other: &Candidate| {
        let units = words::units(&other.text);
        units.is_subset(&own) || own.is_subset(&units)
    };
    let (mut all, mut alike, mut next) = (0.0, 0.0, f32::NEG_INFINITY);
    for other in ranked {
        let weight = (other.score - best.score).exp();
        all += weight;
        if same(other) {
            alike += weight;
        } else {
            next = next.max(other.score);
        }
    }
    let mut found = [0.0; OWN + WITNESSES];
    let lead = (best.score - next).min(MOST_LEAD);
    let witnesses = [best.score, alike / all, lead, refusal.max(LEAST)].into_iter().chain(best.witnesses);
    found.iter_mut().zip(witnesses).for_each(|(place, witness)| *place = witness);
    Some(found)
}

/// Beyond this a lead says no more.
const MOST_LEAD: f32 = 6.0;
/// And below this a log-probability.
const LEAST: f32 = -12.0;

// Fitted on questions of public development sets whose rows were not reported on: SmolLM2 on 355 of four English sets, Qwen2.5-0.5B
// on 190 of three of them and 110 of two Chinese ones. Both English rankers share what does not come from the model.
const SMALL: Judge = Judge {
    in_view: 3,
    ranking: [
        0.19, -0.53, 0.21, 1.35, 1.16, 1.27, 0.74, 1.56, 0.98, -0.22, -0.83, -0.18, 0.19, 0.56, 1.75, 1.61, 1.96, 0.27,
        2.38, 0.42, 0.00, 0.82, 0.57,
    ],
    sufficiency: [
        -0.01, 1.39, 0.36, -0.09, 0.05, 0.0, 0.15, 0.72, -0.02, 0.0, 0.0, -0.09, -0.41, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
        1.70, 0.0, 0.0, 0.04, 0.48, -0.02, 0.0, 0.0,
    ],
    constant: -3.68,
};
const LARGE: Judge = Judge {
    in_view: 6,
    ranking: [
        0.25, 0.16, 0.12, 1.35, 1.16, 1.27, 0.74, 1.56, 0.98, -0.22, -0.83, -0.18, 0.19, 0.56, 1.75, 1.61, 1.96, 0.27,
        2.38, 0.42, 0.00, 0.82, 0.57,
    ],
    sufficiency: [
        0.06, 0.10, 0.27, -0.02, 0.13, 0.0, 0.01, 0.43, 0.05, 0.0, 0.0, 0.14, 0.08, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.71,
        0.0, 0.0, -0.05, -0.66, 0.21, 0.0, 0.0,
    ],
    constant: -3.70,
};
const LARGE_CHINESE: Judge = Judge {
    in_view: 6,
    ranking: [
        0.19, 0.17, 0.25, 0.89, 0.48, 0.57, 0.11, 1.68, -1.79, 0.39, -1.41, 0.15, 0.22, 0.56, -0.64, 4.51, 4.68, 0.50,
        1.27, -0.06, 0.0, -0.09, 0.09,
    ],
    sufficiency: [
        0.14, 1.31, 0.17, -0.16, 0.12, 0.0, -0.03, 0.03, 0.11, 0.0, 0.0, -0.19, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
        2.60, 0.0, 0.0, -0.02, -0.25, 0.19, 0.0, 0.0,
    ],
    constant: -5.09,
};

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
    use super::*;
    use crate::passage::kind::Looks;

    fn candidate(text: &str, score: f32) -> Candidate {
        let bytes = 0..text.len();
        let (looks, witnesses) = (Looks::Plain, [0.0; WITNESSES]);
        Candidate { text: text.to_owned(), passage: 0, sentence: 0, bytes, looks, witnesses, score }
    }

    #[test]
    fn what_says_the_same_in_other_words_does_not_speak_against() {
        type Spans<'a> = &'a [(&'a str, f32)];
        let table: &[(Spans<'_>, f32, f32)] = &[
            (&[("Marxville", 2.0)], 1.0, MOST_LEAD),
            (&[("Marxville", 2.0), ("the city of Marxville", 1.0)], 1.0, MOST_LEAD),
            (&[("Marxville", 2.0), ("Sylvania", 2.0)], 0.5, 0.0),
            (&[("Marxville", 2.0), ("Marxville city", 1.5), ("Sylvania", 1.0)], 0.814, 1.0),
        ];
        for (spans, share, lead) in table {
            let ranked: Vec<Candidate> = spans.iter().map(|(text, score)| candidate(text, *score)).collect();
            let [score, found, ahead, refusal, ..] = sufficiency(&ranked, f32::NEG_INFINITY).unwrap();
            assert_eq!((score, ahead, refusal), (2.0, *lead, LEAST), "{spans:?}");
            assert!((found - share).abs() < 1e-3, "{spans:?}: {found}");
        }
        assert!(sufficiency(&[], 0.0).is_none());
    }

    #[test]
    fn more_that_speaks_for_a_span_makes_it_surer() {
        for judge in [&SMALL, &LARGE, &LARGE_CHINESE] {
            let (mut doubted, mut sure) = ([0.0; OWN + WITNESSES], [0.0; OWN + WITNESSES]);
            (doubted[1], doubted[2]) = (0.3, 0.1);
            (sure[1], sure[2]) = (1.0, MOST_LEAD);
            assert!(judge.confidence(&sure) > judge.confidence(&doubted));
            let (mut near, mut far) = (candidate("near", 0.0), candidate("far", 0.0));
            (near.witnesses[3], far.witnesses[3]) = (1.0, 0.0);
            let ranked = judge.rank(vec![far, near]);
            assert_eq!(ranked.first().map(|best| best.text.as_str()), Some("near"));
        }
    }
}
