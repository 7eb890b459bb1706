//! What commands open: the store of a tenant, the engine.

use crate::{
    Service, Settings, Tenants,
    models::{Cache, ModelError, Selected},
    service::{folder, tenants_folder},
};
use anyhow::Context;
use factmask_engine::{
    Engine, EngineOptions,
    embed::SentenceEncoder,
    learn::FOLDER as LEARNED,
    model::{LanguageModel, ModelOptions},
    represent::VECTORS,
};
use factmask_graph::{Store, TenantId};
use factmask_ingest::Converter;
use std::{collections::BTreeMap, path::PathBuf};

/// A service over the data folder, and the model it answers with.
pub(super) struct Opened {
    pub(super) service: Service,
    pub(super) model: Option<Selected>,
}

/// The store of the tenant, made when it is not there, and the folder of its job progress.
pub(super) fn store(settings: &Settings) -> anyhow::Result<(Store, PathBuf)> {
    let tenant = TenantId::new(&settings.tenant)?;
    let store = Store::open(&settings.data, &tenant)?;
    Ok((store, folder(&settings.data, &tenant).join("jobs")))
}

/// Where the tenant's vectors are kept.
pub(super) fn vectors_folder(settings: &Settings) -> anyhow::Result<PathBuf> {
    Ok(folder(&settings.data, &TenantId::new(&settings.tenant)?).join(VECTORS))
}

/// Where it is kept what was learned from the tenant's examples.
pub(super) fn learned_folder(settings: &Settings) -> anyhow::Result<PathBuf> {
    Ok(folder(&settings.data, &TenantId::new(&settings.tenant)?).join(LEARNED))
}

/// The engine with the models of the settings, and all tenants below the data folder. The tenant of the settings must be
/// there, and is opened first: a store in use by another process is told before a model is loaded.
pub(super) fn service(settings: &Settings) -> anyhow::Result<Opened> {
    let tenants = Tenants::below(settings.data.clone());
    let models = models(settings)?;
    tenants.store(&settings.tenant)?;
    let service = Service::new(Engine::open(&models.options)?, tenants).converting_with(converter()?);
    Ok(Opened { service, model: models.language })
}

/// Files are converted by this program, started anew for each.
pub(super) fn converter() -> anyhow::Result<Converter> {
    let program = std::env::current_exe().context("cannot find this program's own file")?;
    Ok(Converter::Child { program, arguments: vec!["read".into(), "-".into()] })
}

/// The engine alone.
pub(super) fn engine(settings: &Settings) -> anyhow::Result<Engine> {
    Ok(Engine::open(&models(settings)?.options)?)
}

/// The engine, where its models are on this machine and wanted.
pub(super) fn pulled_engine(settings: &Settings) -> Option<Engine> {
    if settings.no_model {
        return None;
    }
    engine(settings).inspect_err(|error| tracing::debug!("no engine: {error:#}")).ok()
}

/// A language model and a sentence encoder without an engine, for the bench that compares them.
pub(super) struct Representations {
    pub(super) model: LanguageModel,
    pub(super) encoder: SentenceEncoder,
    pub(super) encoder_name: String,
}

/// The file of the settings' language model.
pub(super) fn language_model_file(settings: &Settings) -> anyhow::Result<PathBuf> {
    Ok(language_model(&Cache::new(&settings.models), settings)?.path)
}

/// The language model of the settings, and the encoder that is named or else the one of the language.
pub(super) fn representations(
    settings: &Settings,
    encoder: Option<&str>,
    lang: &str,
) -> anyhow::Result<Representations> {
    let cache = Cache::new(&settings.models);
    let options =
        ModelOptions { threads: settings.threads, precision: settings.block_precision, ..ModelOptions::default() };
    let encoder_name =
        encoder.unwrap_or(if lang == "zh" { &settings.encoder_zh } else { &settings.encoder }).to_owned();
    Ok(Representations {
        encoder: SentenceEncoder::open(&cache.encoder(&encoder_name)?)?,
        model: LanguageModel::open(&language_model(&cache, settings)?.path, &options)?,
        encoder_name,
    })
}

struct Models {
    options: EngineOptions,
    language: Option<Selected>,
}

fn models(settings: &Settings) -> anyhow::Result<Models> {
    let cache = Cache::new(&settings.models);
    let language = if settings.no_model { None } else { Some(language_model(&cache, settings)?) };
    let options = EngineOptions {
        model: language.as_ref().map(|model| model.path.clone()),
        encoders: encoders(&cache, settings)?,
        tenants: Some(tenants_folder(&settings.data)),
        calibrations: Some(cache.calibrations()),
        threads: settings.threads,
        block_bytes: settings.block_bytes,
        precision: settings.block_precision,
    };
    Ok(Models { options, language })
}

fn language_model(cache: &Cache, settings: &Settings) -> anyhow::Result<Selected> {
    cache.language_model(&settings.model).map_err(or_no_model)
}

/// The sentence encoders by language. With a language model the one for English is needed; without one it is used where it is
/// there, as the one for Chinese always is: whoever pulled it has chosen it.
fn encoders(cache: &Cache, settings: &Settings) -> anyhow::Result<BTreeMap<String, PathBuf>> {
    let mut encoders = BTreeMap::new();
    for (lang, name, needed) in [("en", &settings.encoder, !settings.no_model), ("zh", &settings.encoder_zh, false)] {
        match cache.encoder(name) {
            Ok(path) => _ = encoders.insert(lang.to_owned(), path),
            Err(ModelError::NotPulled { .. }) if !needed => {}
            Err(error) => return Err(or_no_model(error)),
        }
    }
    Ok(encoders)
}

fn or_no_model(error: ModelError) -> anyhow::Error {
    match error {
        ModelError::NotPulled { name } => anyhow::anyhow!(
            "model {name}: not on this machine (get it with `factmask model pull {name}`, or answer from the graph alone \
             with --no-model)"
        ),
        error => error.into(),
    }
}

/// The store of the tenant, which must be there: reading makes no tenant.
pub(super) fn existing_store(settings: &Settings) -> anyhow::Result<Store> {
    Ok(Tenants::below(settings.data.clone()).store(&settings.tenant)?)
}
