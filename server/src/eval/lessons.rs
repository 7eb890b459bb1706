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
use std::{collections::BTreeMap, sync::Arc, time::Instant};

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
        let mut models = Vec::new();
        for fold in 0..FOLDS {
            let others = instances.iter().zip(&folds).filter(|(_, its)| **its != fold).map(|(instance, _)| instance);
            models.push(taught(&others.collect::<Vec<_>>()));
        }
        eprintln!("learned {FOLDS} times in {:.1} s", started.elapsed().as_secs_f64());
        Ok(Self { folds, models })
    }

    /// Learns from examples for questions that are not among them.
    ///
    /// # Errors
    /// As [`Lessons::cross_validated`].
    pub fn from(engine: &Engine, snapshot: &Arc<Snapshot>, examples: &[Question], questions: usize) -> Result<Self> {
        let instances = instances(engine, snapshot, examples)?;
        Ok(Self { folds: vec![0; questions], models: vec![taught(&instances.iter().collect::<Vec<_>>())] })
    }

    /// Has the engine take what it may know for a question.
    pub fn teach(&self, engine: &Engine, question: usize) {
        let models = self.folds.get(question).and_then(|fold| self.models.get(*fold));
        for lang in factmask_engine::question::language::READ {
            engine.teach(TENANT, lang, models.and_then(|models| models.get(*lang)).cloned());
        }
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

fn taught(instances: &[&(String, Instance)]) -> Models {
    let learned = learn_paths(instances);
    for (lang, (_, Held { examples, reached, right, brier, .. })) in &learned {
        eprintln!(
            "{lang}: {examples} examples, {reached} in reach, {right} right when left out, Brier score {brier:.3}"
        );
    }
    learned.into_iter().map(|(lang, (model, _))| (lang, Arc::new(model))).collect()
}

/// The folds of a cross-validation.
pub fn folds(questions: &[Question], by_path: bool) -> Vec<usize> {
    if by_path { folds::folds(questions) } else { folds::by_text(questions) }
}
