//! Examples made ready for training a path model.

use super::{
    language,
    read::{Meanings, Reader},
    walk::{MOST_STEPS, Wanted},
};
use crate::{
    EngineError,
    learn::{Example, train::Instance},
};

/// Where no path yields exactly an example's answers, one whose answers are as near as this (F1) is taken for meant.
const NEAR_ENOUGH: f32 = 0.6;

impl Reader {
    /// An example made ready for training: all paths, and which of them yield its answers.
    ///
    /// # Errors
    /// A text that the encoder cannot take.
    pub fn instance(&self, example: &Example, meanings: &Meanings) -> Result<Instance, EngineError> {
        let lang = example.lang.as_deref().unwrap_or_else(|| language::detect(&example.question));
        let walked = self.walk(&example.question, lang, meanings, &Wanted { most_steps: MOST_STEPS, meant: &[] })?;
        let wanted = example.wanted();
        let (mut quality, mut yields) = (Vec::new(), Vec::new());
        for walk in &walked.paths {
            let (found, _) = self.follow(&walked, walk);
            quality.push(wanted.quality(&self.snapshot, &found.values(), &walked.lang));
            yields.push(found.fingerprint());
        }
        let best = quality.iter().copied().fold(0.0, f32::max);
        let (clues, mut choices) = walked.features(self.snapshot.schema());
        choices.iter_mut().zip(yields).for_each(|(choice, yields)| choice.yields = yields);
        let choices = choices.into_iter().zip(quality).filter(|(choice, quality)| {
            // As in `read`.
            *quality >= 0.0 || choice.steps.len() < 3
        });
        let choices = choices.map(|(mut choice, quality)| {
            choice.right = best >= NEAR_ENOUGH && quality >= best;
            choice
        });
        Ok(Instance { text: walked.folded, clues, choices: choices.collect() })
    }

    /// Adds to an example made ready those of the paths that examples mean which its topics do not have.
    ///
    /// # Errors
    /// A text that the encoder cannot take.
    pub fn add_absent(
        &self,
        instance: &mut Instance,
        example: &Example,
        meant: &[Vec<String>],
        meanings: &Meanings,
    ) -> Result<(), EngineError> {
        let lang = example.lang.as_deref().unwrap_or_else(|| language::detect(&example.question));
        let walked = self.walk(&example.question, lang, meanings, &Wanted { most_steps: MOST_STEPS, meant })?;
        let (_, choices) = walked.features(self.snapshot.schema());
        instance.choices.extend(choices.into_iter().filter(|choice| choice.absent));
        Ok(())
    }
}
