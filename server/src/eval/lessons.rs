//! What the engine learns from examples before it is asked: never from the question itself.

use super::{
    folds::{self, FOLDS},
    modes::TENANT,
    set::Question,
};
use anyhow::Result;
use factmask_engine::{
    Engine,
    learn::{Example, Held, PathModel, train::Instance},
    learn_paths,
};
use factmask_graph::Snapshot;
use factmask_schema::Schema;
use std::{collections::BTreeMap, sync::Arc, time::Instant};

/// Confusions that are told.
const TOLD: usize = 5;

/// Path models by language.
type Models = BTreeMap<String, Arc<PathModel>>;

/// For each question the models that have not seen it.
pub struct Lessons {
    /// The fold of each question.
    pub folds: Vec<usize>,
    models: Vec<Models>,
}

impl Lessons {
    /// Learns from all folds but one, for each.
    ///
    /// # Errors
    /// A question that the encoder cannot take.
    pub fn cross_validated(
        engine: &Engine,
        snapshot: &Arc<Snapshot>,
        questions: &[Question],
        folds: Vec<usize>,
    ) -> Result<Self> {
        let started = Instant::now();
        let instances = instances(engine, snapshot, questions)?;
        eprintln!("{} examples made ready in {:.1} s", instances.len(), started.elapsed().as_secs_f64());
        let (mut models, mut confused) = (Vec::new(), BTreeMap::new());
        for fold in 0..FOLDS {
            let others = instances.iter().zip(&folds).filter(|(_, its)| **its != fold).map(|(instance, _)| instance);
            models.push(taught(&others.collect::<Vec<_>>(), snapshot.schema(), &mut confused));
        }
        eprintln!("learned {FOLDS} times in {:.1} s", started.elapsed().as_secs_f64());
        tell(confused);
        Ok(Self { folds, models })
    }

    /// Learns from examples for questions that are not among them.
    ///
    /// # Errors
    /// As [`Lessons::cross_validated`].
    pub fn from(engine: &Engine, snapshot: &Arc<Snapshot>, examples: &[Question], questions: usize) -> Result<Self> {
        let (instances, mut confused) = (instances(engine, snapshot, examples)?, BTreeMap::new());
        let models = vec![taught(&instances.iter().collect::<Vec<_>>(), snapshot.schema(), &mut confused)];
        tell(confused);
        Ok(Self { folds: vec![0; questions], models })
    }

    /// Has the engine take what it may know for a question.
    pub fn teach(&self, engine: &Engine, question: usize) {
        let models = self.folds.get(question).and_then(|fold| self.models.get(*fold));
        for lang in factmask_engine::question::language::READ {
            engine.teach(TENANT, lang, models.and_then(|models| models.get(*lang)).cloned());
        }
    }
}

/// Has the engine know nothing but the schema again.
pub fn forget(engine: &Engine) {
    for lang in factmask_engine::question::language::READ {
        engine.teach(TENANT, lang, None);
    }
}

fn instances(engine: &Engine, snapshot: &Arc<Snapshot>, questions: &[Question]) -> Result<Vec<(String, Instance)>> {
    let reader = engine.reader(TENANT, snapshot)?;
    let example = |question: &Question| Example {
        question: question.question.clone(),
        answers: if question.is_answerable() { question.answers.clone() } else { Vec::new() },
        lang: None,
    };
    Ok(engine.instances(&reader, &questions.iter().map(example).collect::<Vec<_>>())?)
}

/// How often a path (the second) was taken for another in the models' own trials.
type Confused = BTreeMap<(String, String), usize>;

fn taught(instances: &[&(String, Instance)], schema: &Schema, confused: &mut Confused) -> Models {
    let learned = learn_paths(instances);
    for (lang, (_, held)) in &learned {
        let Held { examples, reached, right, brier, .. } = held;
        eprintln!(
            "{lang}: {examples} examples, {reached} in reach, {right} right when left out, Brier score {brier:.3}"
        );
        for (meant, taken, count) in held.confusions(schema, lang) {
            *confused.entry((meant, taken)).or_default() += count;
        }
    }
    learned.into_iter().map(|(lang, (model, _))| (lang, Arc::new(model))).collect()
}

fn tell(confused: Confused) {
    let mut confused: Vec<_> = confused.into_iter().collect();
    confused.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    for ((meant, taken), count) in confused.iter().take(TOLD) {
        eprintln!("{count} times `{taken}` was taken for `{meant}`");
    }
}

/// The folds of a cross-validation.
pub fn folds(questions: &[Question], by_path: bool) -> Vec<usize> {
    if by_path { folds::folds(questions) } else { folds::by_text(questions) }
}
