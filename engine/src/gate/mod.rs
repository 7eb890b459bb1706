//! Whether a model reads precomputed blocks as well as it reads the same facts as one text.
//!
//! A card's block is encoded without sight of the other cards, which saves its prefill and changes what the model computes. How much is
//! measured once for each model, numerics and precision of keys and values: every question of a small calibration set is read both
//! ways, and where the two part too often or too far, the engine recomputes everything for each question ([`Layout::Pasted`]) and says so.

mod kept;
mod set;

use crate::{
    EngineError,
    decode::LeafScores,
    fusion::{AttentionPlan, Fuser, Layout, run::RunOptions},
    model::LanguageModel,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::{fmt::Write as _, path::Path, time::Instant};

/// The share of questions whose likeliest answer must be the same both ways: of ten one may be a near tie. SmolLM2 and Qwen2.5-Coder-0.5B
/// agree on all; with the blocks of other cards in place of the right ones, on a first set, on 3 of 12 and 5 of 18.
const LEAST_AGREEMENT: f64 = 0.9;
/// Nats by which the answers' probabilities may part, on average. Measured: SmolLM2 0.004, Qwen2.5-Coder-0.5B 0.003. Blocks that were
/// encoded without the prefix in view cost SmolLM2 0.11, at wrong positions 0.13, before a single answer turns; the bar lies between,
/// ten times above what is sound and below half of what is broken. (Qwen hardly minds either: 0.002.)
const MOST_DIVERGENCE: f64 = 0.05;
/// Room for the blocks of the calibration set, in bytes; they are gone afterwards.
const BLOCK_BYTES: usize = 1 << 28;
/// What an answer's probability counts for at least, so that one that a reading rules out does not make the divergence infinite.
const LEAST_PROBABILITY: f64 = 1e-6;

/// How precomputed blocks compare with full recomputation on the calibration set.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Questions that were read both ways.
    pub asked: usize,
    /// Those of them whose likeliest answer is the same.
    pub agreed: usize,
    /// Mean Kullback-Leibler divergence of the answers' probabilities, recomputed to fused, in nats.
    pub divergence: f64,
}

/// Everything that a calibration depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Origin {
    /// SHA-256 of the model's file.
    model: String,
    /// [`LanguageModel::numerics`].
    numerics: u32,
    /// Rounding of keys and values.
    precision: String,
    /// SHA-256 of the calibration set as the model sees it: prompts, cards, questions and answers.
    set: String,
}

impl Calibration {
    /// How the cards of a question reach the model: as blocks where that is as good, else as one text.
    #[must_use]
    pub fn layout(&self) -> Layout {
        let agreement = self.agreed as f64 / self.asked.max(1) as f64;
        let good = agreement >= LEAST_AGREEMENT && self.divergence <= MOST_DIVERGENCE;
        if good { Layout::Blocks } else { Layout::Pasted }
    }

    /// The calibration of a model: from the folder where it was kept, else measured and kept. `reads` says which languages the model
    /// reads.
    ///
    /// # Errors
    /// A model whose tokenizer, template or context cannot take the calibration set.
    pub fn of(fuser: &Fuser, reads: impl Fn(&str) -> bool, folder: Option<&Path>) -> Result<Self, EngineError> {
        let plans = set::plans(fuser.model(), reads)?;
        let origin = Origin::of(fuser.model(), &plans);
        let known = folder.and_then(|folder| kept::read(folder, &origin));
        if let Some(known) = known.filter(|known| known.could_be_of(plans.len())) {
            return Ok(known);
        }
        let started = Instant::now();
        let calibration = Self::measure(fuser, &plans)?;
        tracing::info!(
            "{}: precomputed blocks compared with full recomputation in {:.1} s, once: {} of {} answers agree, divergence {:.4} nats",
            fuser.model().name(),
            started.elapsed().as_secs_f64(),
            calibration.agreed,
            calibration.asked,
            calibration.divergence
        );
        if let Some(folder) = folder {
            kept::write(folder, &origin, calibration);
        }
        Ok(calibration)
    }

    /// Whether so many plans can have given these figures; what cannot is a damaged file.
    fn could_be_of(&self, plans: usize) -> bool {
        self.asked == plans && self.agreed <= plans && self.divergence.is_finite() && self.divergence > -1e-3
    }

    fn measure(fuser: &Fuser, plans: &[AttentionPlan]) -> Result<Self, EngineError> {
        // A store of its own: nothing of it is anybody's.
        let fuser = Fuser::new(fuser.shared_model(), BLOCK_BYTES);
        let (mut agreed, mut divergence) = (0, 0.0);
        for plan in plans {
            let read = |layout| {
                let options = RunOptions { layout, ..RunOptions::default() };
                fuser.run("", plan, options, |_| Ok(0)).map(|readings| readings.guided)
            };
            let (fused, recomputed) = (read(Layout::Blocks)?, read(Layout::Pasted)?);
            agreed += usize::from(likeliest(&fused) == likeliest(&recomputed));
            divergence += divergence_from(&recomputed, &fused);
        }
        Ok(Self { asked: plans.len(), agreed, divergence: divergence / plans.len().max(1) as f64 })
    }
}

impl Origin {
    fn of(model: &LanguageModel, plans: &[AttentionPlan]) -> Self {
        let mut hash = Sha256::new();
        let mut field = |tokens: &[u32]| {
            hash.update((tokens.len() as u64).to_le_bytes());
            hash.update(tokens.iter().flat_map(|token| token.to_le_bytes()).collect::<Vec<u8>>());
        };
        for plan in plans {
            field(&plan.prefix);
            plan.cards.iter().for_each(|planned| field(&planned.card.tokens()));
            field(&plan.question);
            for guide in plan.guides.iter().take(1) {
                field(&guide.stem);
                field(&guide.emphasis.values().map(|bias| bias.to_bits()).collect::<Vec<u32>>());
            }
            plan.answers.iter().for_each(|answer| field(&answer.said.chars().map(u32::from).collect::<Vec<u32>>()));
        }
        let mut set = String::new();
        for byte in hash.finalize() {
            // Writing to a string cannot fail.
            let _ = write!(set, "{byte:02x}");
        }
        let precision = format!("{:?}", model.precision());
        Self { model: model.hash().to_string(), numerics: model.numerics(), precision, set }
    }
}

/// The answer with the greatest probability.
fn likeliest(scores: &LeafScores) -> Option<usize> {
    let probabilities = scores.probabilities.iter().enumerate();
    probabilities.max_by(|(_, one), (_, other)| one.total_cmp(other)).map(|(answer, _)| answer)
}

/// Kullback-Leibler divergence of `other` from `reference`, in nats.
fn divergence_from(reference: &LeafScores, other: &LeafScores) -> f64 {
    let probability = |value: &f32| f64::from(*value).max(LEAST_PROBABILITY);
    let pairs = reference.probabilities.iter().zip(&other.probabilities);
    pairs.map(|(p, q)| (probability(p), probability(q))).map(|(p, q)| p * (p / q).ln()).sum()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
    use super::*;
    use crate::testing;

    #[test]
    fn the_bar() {
        let table = [
            (12, 11, 0.04, Layout::Blocks),
            (12, 10, 0.01, Layout::Pasted),
            (12, 12, 0.06, Layout::Pasted),
            (0, 0, 0.0, Layout::Pasted),
        ];
        for (asked, agreed, divergence, expected) in table {
            let calibration = Calibration { asked, agreed, divergence };
            assert_eq!(calibration.layout(), expected, "{calibration:?}");
        }
    }

    #[test]
    fn what_was_measured_is_not_measured_again() {
        let folder = tempfile::tempdir().unwrap();
        let fuser = Fuser::new(testing::smollm2(), 1 << 20);
        let english = |lang: &str| lang == "en";
        let measured = Calibration::of(&fuser, english, Some(folder.path())).unwrap();
        assert_eq!(measured.layout(), Layout::Blocks, "{measured:?}");
        assert_eq!(fuser.blocks().stats(), crate::kv::StoreStats::default());
        // What is kept is believed, unless it cannot be.
        let file = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
        let text = std::fs::read_to_string(&file).unwrap();
        let agreed = format!("\"agreed\": {}", measured.agreed);
        for (figure, believed) in [("\"agreed\": 7", 7), ("\"agreed\": 99", measured.agreed)] {
            assert!(text.contains(&agreed));
            std::fs::write(&file, text.replace(&agreed, figure)).unwrap();
            assert_eq!(Calibration::of(&fuser, english, Some(folder.path())).unwrap().agreed, believed);
        }
    }
}
