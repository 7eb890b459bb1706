//! What was learned from a tenant's example questions.

use super::Engine;
use crate::{
    EngineError,
    learn::{self, Example, Held, PathModel, train::Instance},
    question::{Reader, language, rank::Meaning},
};
use factmask_graph::TenantId;
use rayon::prelude::*;
use std::{
    collections::{BTreeMap, HashMap},
    path::PathBuf,
    sync::{Arc, PoisonError},
};

/// By tenant and language; `None` where nothing was learned.
pub(super) type Learned = HashMap<(String, String), Option<Arc<PathModel>>>;

impl Engine {
    /// The tenant's path model of a language, read at its first use. One that cannot be read is told and left out.
    pub(super) fn learned(&self, tenant: &str, lang: &str) -> Option<Arc<PathModel>> {
        let mut learned = self.learned.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (tenant.to_owned(), lang.to_owned());
        let read = || {
            let model = PathModel::load(&self.learned_file(tenant, lang)?);
            model
                .inspect_err(|error| tracing::warn!("{error}; questions are read without it"))
                .ok()
                .flatten()
                .map(Arc::new)
        };
        learned.entry(key).or_insert_with(read).clone()
    }

    /// The hash of a language's sentence encoder; empty where there is none.
    pub fn encoder_of(&self, lang: &str) -> String {
        self.meanings.get(lang).map(Meaning::name).unwrap_or_default()
    }

    /// Takes this model for a tenant's questions in a language from now on; it lasts as long as the engine.
    pub fn teach(&self, tenant: &str, lang: &str, model: Option<Arc<PathModel>>) {
        let mut learned = self.learned.lock().unwrap_or_else(PoisonError::into_inner);
        learned.insert((tenant.to_owned(), lang.to_owned()), model);
    }

    /// Examples made ready for training, each with its language; in the order given.
    ///
    /// # Errors
    /// A text that the encoder cannot take.
    pub fn instances(&self, reader: &Reader, examples: &[Example]) -> Result<Vec<(String, Instance)>, EngineError> {
        let ready = |example: &Example| {
            let lang = example.lang.clone().unwrap_or_else(|| language::detect(&example.question).to_owned());
            Ok((lang, reader.instance(example, &self.meanings)?))
        };
        let mut instances: Vec<(String, Instance)> =
            examples.par_iter().map(ready).collect::<Result<_, EngineError>>()?;
        // What one example means another topic may lack: then it must not be taken to mean what is there.
        let meant = learn::train::meant(instances.iter().map(|(_, instance)| instance));
        let add = |((_, instance), example): (&mut (String, Instance), &Example)| {
            reader.add_absent(instance, example, &meant, &self.meanings)
        };
        instances.par_iter_mut().zip(examples.par_iter()).try_for_each(add)?;
        Ok(instances)
    }

    /// Where a tenant's path model is kept; nowhere for one without a folder.
    pub fn learned_file(&self, tenant: &str, lang: &str) -> Option<PathBuf> {
        let id = TenantId::new(tenant).ok()?;
        let folder = self.tenants.as_ref()?.join(id.as_str());
        folder.is_dir().then(|| folder.join(learn::FOLDER).join(format!("{lang}.json")))
    }
}

/// A path model for each language among the instances, and how well it does on what it has not seen.
pub fn learn(instances: &[&(String, Instance)]) -> BTreeMap<String, (PathModel, Held)> {
    let mut by_lang: BTreeMap<&str, Vec<&Instance>> = BTreeMap::new();
    for (lang, instance) in instances {
        by_lang.entry(lang).or_default().push(instance);
    }
    by_lang.into_iter().map(|(lang, own)| (lang.to_owned(), learn::train(&own))).collect()
}
