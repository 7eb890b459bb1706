//! Which path the language model itself takes a question for.
//!
//! The question's state is read where its masked prefill ends, right before the answer would start, so it costs nothing; the
//! sentences that would ask for a path are read in the same prompt without cards, once, and kept on the tenant's shelf. Both are
//! seen from the middle of the schema's sentences, since the states of a model share a large common part.

use super::Prompt;
use crate::{
    EngineError,
    model::{Config, LanguageModel},
    question::{Reader, path::Path, wordings},
    represent::{HiddenStates, Kept, Origin, Space, cosine},
};
use factmask_graph::Snapshot;
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// Sentences, spread over the schema, whose mean is its middle. A mean changes little with more.
const MOST_FOR_MIDDLE: usize = 128;
/// Sentences of a path of several steps that are compared. There are too many such paths to read them all ahead: those that the data
/// shows most often are, each other one is paid for by the first question that comes near it.
const MOST_OF_A_CHAIN: usize = 1;
/// Sentences between two reports of progress.
const STRIDE: usize = 16;

/// The layer whose output is compared, counted from 0: at three quarters of the depth. Chosen with `factmask bench relations
/// --cards` on the schema's own questions, each left out in turn: beside the encoder layer 22 of SmolLM2's 30 finds 92 of 127 (the
/// best, 18, finds 94) and layer 18 of Qwen2.5-0.5B's 24 finds 99 of 119 in Chinese (22: 100). Both lie on a plateau.
pub fn layer(config: &Config) -> usize {
    config.layers * 3 / 4
}

/// The sentences that a question is compared with for a path.
pub fn sentences_of(snapshot: &Snapshot, path: &Path, lang: &str) -> Vec<String> {
    let mut sentences = wordings::of_path(snapshot, path, lang);
    if path.steps.len() > 1 {
        sentences.truncate(MOST_OF_A_CHAIN);
    }
    sentences
}

/// Compares questions with paths in the language model's space.
#[derive(Clone, Copy)]
pub struct Aligner<'a> {
    /// Whose questions are read: the snapshot, its shelf, and the middle of its schema.
    pub reader: &'a Reader,
    /// The language model.
    pub model: &'a LanguageModel,
    /// Prompt of the question's language.
    pub prompt: &'a Prompt,
    /// `en` or `zh`.
    pub lang: &'a str,
}

impl Aligner<'_> {
    /// How like each path is to a question's state: the greatest cosine of its sentences about the schema's middle, -1 to 1. Zero
    /// for a path that no sentence asks for.
    ///
    /// # Errors
    /// A sentence beyond the model's context.
    pub fn likeness<'p>(
        &self,
        state: &[f32],
        paths: impl IntoIterator<Item = &'p Path>,
    ) -> Result<Vec<f32>, EngineError> {
        let snapshot: &Snapshot = self.reader.snapshot();
        let sentences: Vec<Vec<String>> =
            paths.into_iter().map(|path| sentences_of(snapshot, path, self.lang)).collect();
        let flat: Vec<&str> = sentences.iter().flatten().map(String::as_str).collect();
        let middle = self.middle()?;
        let asked = middle.direction(state);
        let mut cosines = self.states(&flat)?.into_iter().map(|kept| cosine(&asked, &middle.direction(&wide(&kept))));
        let nearest = sentences.iter().map(|own| own.len()).map(|own| cosines.by_ref().take(own).reduce(f32::max));
        Ok(nearest.map(|nearest| nearest.unwrap_or(0.0)).collect())
    }

    /// Reads sentences ahead of questions, and the schema's middle. `progress` hears how many of how many are done, before the next
    /// are begun; it may wait or fail.
    ///
    /// # Errors
    /// A sentence beyond the model's context, and whatever `progress` fails with.
    pub fn read(
        &self,
        sentences: &[String],
        progress: &mut dyn FnMut(usize, usize) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        for (number, some) in sentences.chunks(STRIDE).enumerate() {
            progress(number * STRIDE, sentences.len())?;
            self.states(&some.iter().map(String::as_str).collect::<Vec<_>>())?;
        }
        progress(sentences.len(), sentences.len())?;
        self.middle().map(drop)
    }

    fn middle(&self) -> Result<Arc<Space>, EngineError> {
        self.reader.space(self.lang, || {
            let sentences = wordings::of_schema(self.reader.snapshot().schema(), self.lang);
            let step = sentences.len().div_ceil(MOST_FOR_MIDDLE).max(1);
            let spread: Vec<&str> = sentences.iter().step_by(step).map(String::as_str).collect();
            let vectors: Vec<Vec<f32>> = self.states(&spread)?.iter().map(wide).collect();
            Ok(Space::about(vectors.iter().map(Vec::as_slice)))
        })
    }

    fn states(&self, sentences: &[&str]) -> Result<Vec<Kept>, EngineError> {
        let layer = layer(self.model.config());
        self.reader.shelf().vectors(self.origin(layer), sentences, |missing| {
            HiddenStates::new(self.model, self.prompt)?.at_answer(missing, layer)
        })
    }

    /// Everything that a sentence's state depends on.
    fn origin(&self, layer: usize) -> Origin {
        let mut hash = Sha256::new();
        let mut field = |bytes: &[u8]| {
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        field(b"factmask state 1");
        field(&self.model.hash().0);
        field(&self.model.numerics().to_le_bytes());
        field(format!("{:?}", self.model.precision()).as_bytes());
        field(&(layer as u64).to_le_bytes());
        for tokens in [&self.prompt.prefix, &self.prompt.before_question, &self.prompt.after_question] {
            field(&tokens.iter().flat_map(|token| token.to_le_bytes()).collect::<Vec<u8>>());
        }
        Origin { model: hash.finalize().into(), width: self.model.config().hidden }
    }
}

fn wide(kept: &Kept) -> Vec<f32> {
    kept.iter().map(|value| value.to_f32()).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
    use super::*;
    use crate::{question::path::Step, represent::Shelf, testing};
    use factmask_graph::Entity;
    use factmask_schema::{Iri, Schema, Text};

    const EX: &str = "https://example.org/factmask/";

    fn iri(name: &str) -> Iri {
        Iri::new_unchecked(format!("{EX}{name}"))
    }

    /// One company under the sample schema, and the paths to what can be asked of it.
    fn world(schema: &str) -> (Snapshot, Vec<(&'static str, Path)>) {
        let company = Entity {
            iri: iri("acme"),
            classes: vec![iri("Company")],
            labels: vec![Text::new("en", "Acme")],
            aliases: vec![],
        };
        let snapshot = Snapshot::build(1, Schema::parse(schema, "schema").unwrap(), vec![company], vec![]);
        let topic = snapshot.find(&iri("acme")).unwrap();
        let relations = ["revenue", "researchAndDevelopmentExpense", "employees", "headquarters", "chiefExecutive"];
        let path =
            |name: &'static str| (name, Path { topic, steps: vec![Step { relation: iri(name), forward: true }] });
        (snapshot, relations.map(path).to_vec())
    }

    fn sample_schema() -> String {
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../data/schema.ttl")).unwrap()
    }

    #[test]
    fn a_question_in_other_words_lies_near_its_relation() {
        let model = testing::smollm2();
        let prompt = Prompt::new(&model, "en").unwrap();
        let (snapshot, paths) = world(&sample_schema());
        let reader = Reader::new(Arc::new(snapshot), Arc::new(Shelf::new(None))).unwrap();
        let aligner = Aligner { reader: &reader, model: &model, prompt: &prompt, lang: "en" };
        let table = [
            ("How many people work for Acme?", "employees"),
            ("In which city does Acme have its head office?", "headquarters"),
            ("Who is the boss of Acme?", "chiefExecutive"),
            ("How much did Acme invest in scientific work?", "researchAndDevelopmentExpense"),
            ("How much money did customers pay Acme?", "revenue"),
        ];
        let states = HiddenStates::new(&model, &prompt).unwrap();
        for (question, expected) in table {
            let state = states.at_answer(&[question], layer(model.config())).unwrap().remove(0);
            let likeness = aligner.likeness(&state, paths.iter().map(|(_, path)| path)).unwrap();
            let best = (0..paths.len()).max_by(|a, b| likeness[*a].total_cmp(&likeness[*b])).unwrap();
            assert_eq!(paths[best].0, expected, "{question}: {likeness:?}");
            assert!(likeness.iter().all(|like| (-1.0..=1.001).contains(like)), "{likeness:?}");
        }
    }

    #[test]
    fn a_changed_wording_is_read_and_nothing_else() {
        let model = testing::smollm2();
        let prompt = Prompt::new(&model, "en").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let stored = || -> u64 {
            let files =
                std::fs::read_dir(folder.path()).map(|files| files.map(|file| file.unwrap().metadata().unwrap()));
            files.map_or(0, |files| files.map(|file| file.len()).sum())
        };
        let read = |schema: &str, lang: &str| {
            let shelf = Arc::new(Shelf::new(Some(folder.path().to_owned())));
            let (snapshot, paths) = world(schema);
            let reader = Reader::new(Arc::new(snapshot), shelf).unwrap();
            let aligner = Aligner { reader: &reader, model: &model, prompt: &prompt, lang };
            let (mut told, sentences) = (0, wordings::of_schema(reader.snapshot().schema(), lang));
            let mut told_of = |done: usize, of: usize| {
                told = of - done;
                Ok(())
            };
            aligner.read(&sentences, &mut told_of).unwrap();
            assert_eq!(told, 0);
            aligner.likeness(&vec![0.0; model.config().hidden], [&paths[0].1]).unwrap()
        };
        let schema = sample_schema();
        read(&schema, "en");
        let first = stored();
        assert!(first > 0);
        read(&schema, "en");
        assert_eq!(stored(), first);
        // One label more is one sentence more.
        let more = schema.replace("\"turnover\"@en", "\"turnover\"@en , \"money taken in\"@en");
        assert_ne!(more, schema);
        read(&more, "en");
        assert_eq!(stored() - first, 16 + 2 * model.config().hidden as u64 + 4);
    }
}
