//! `factmask demo`.

use super::{
    ListenArgs, ModelArgs, ask,
    ingest::{self, Plan},
    models, open, output, serve,
};
use crate::{Ask, Settings, http::Listener, models::Cache};
use anyhow::Context;
use clap::Args;
use factmask_engine::AskOptions;
use std::path::{Path, PathBuf};

/// What the demo asks of the sample documents: in English, the same in Chinese, and something they do not hold.
const QUESTIONS: [&str; 3] = [
    "How much did Apple spend on research and development in 2023?",
    "苹果公司2023年研发投入是多少?",
    "What was the revenue of Siemens in fiscal year 2023?",
];

/// Pull the default models, read the sample documents, ask three questions, then serve.
#[derive(Args, Debug)]
pub(super) struct DemoArgs {
    /// End after the questions
    #[arg(long)]
    pub(super) no_serve: bool,
    #[command(flatten)]
    pub(super) listen: ListenArgs,
    #[command(flatten)]
    pub(super) model: ModelArgs,
}

pub(super) fn run(_: &DemoArgs, mut settings: Settings) -> anyhow::Result<()> {
    // A folder of its own, so that sample facts never mix with someone's documents.
    settings.data = settings.data.join("demo");
    let samples = sample_folder()?;
    // Before the work, so that a port in use is told at once.
    let listener = if settings.demo_no_serve { None } else { Some(Listener::bind(&settings.host, settings.port)?) };
    pull_missing(&settings)?;
    let plan = Plan {
        paths: vec![samples.join("corpus")],
        schema: Some(samples.join("schema.ttl")),
        prune: true,
        ..Plan::default()
    };
    ingest::ingest(&plan, &settings)?;
    let opened = open::service(&settings)?;
    let mut reading = ingest::Reading::default();
    let mut progress = |done, of| {
        reading.step(done, of);
        Ok(())
    };
    opened.service.read_ahead(&settings.tenant, &mut progress)?;
    for question in QUESTIONS {
        let options = AskOptions { tenant: settings.tenant.clone(), ..AskOptions::default() };
        let ask = Ask { question: question.to_owned(), options, ..Ask::default() };
        let answer = opened.service.ask(&ask).with_context(|| format!("question \u{201c}{question}\u{201d}"))?;
        output::print_line(&format!("\n> {question}\n{}", ask::shown(&answer).trim_end()))?;
    }
    let data = settings.data.display();
    output::print_line(&format!(
        "\nThe demo's store is {data}; with the service stopped, ask it more by: ask --data {data} \"...\""
    ))?;
    match listener {
        Some(listener) => {
            output::print_line("")?;
            serve::serve(listener, opened, &settings)
        }
        None => Ok(()),
    }
}

fn pull_missing(settings: &Settings) -> anyhow::Result<()> {
    let cache = Cache::new(&settings.models);
    let missing: Vec<_> = models::defaults().into_iter().filter(|model| !cache.has(model)).collect();
    if missing.is_empty() || settings.no_model { Ok(()) } else { models::pull_all(&missing, settings) }
}

/// `data/` of the working folder, else of the source tree that this binary was built from.
fn sample_folder() -> anyhow::Result<PathBuf> {
    let built_from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data");
    [PathBuf::from("data"), built_from]
        .into_iter()
        .find(|folder| folder.join("schema.ttl").is_file() && folder.join("corpus").is_dir())
        .context("sample documents: not found in data/ (run the demo from the source tree)")
}
