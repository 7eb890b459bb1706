//! `factmask serve`.

use super::{ListenArgs, ModelArgs, open, output};
use crate::{
    Settings,
    http::{self, Facts, Limits, Listener, ModelBody, Options},
};
use clap::Args;
use std::{sync::Arc, time::Duration};

/// Uploads at the same time: each may fill the disk up to its limit.
const UPLOADS: usize = 4;

/// Answer over HTTP.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  factmask serve --port 7878
  curl -s http://127.0.0.1:7878/v1/answers -H 'content-type: application/json' -d '{\"question\": \"...\"}'")]
pub(super) struct ServeArgs {
    #[command(flatten)]
    pub(super) listen: ListenArgs,
    #[command(flatten)]
    pub(super) model: ModelArgs,
}

pub(super) fn run(settings: &Settings) -> anyhow::Result<()> {
    let listener = Listener::bind(&settings.host, settings.port)?;
    let opened = open::service(settings)?;
    serve(listener, opened, settings)
}

/// Serves what was opened, until it is stopped.
pub(super) fn serve(listener: Listener, opened: open::Opened, settings: &Settings) -> anyhow::Result<()> {
    let facts = Facts {
        tenant: settings.tenant.clone(),
        model: opened.model.map(|model| ModelBody { name: model.name, sha256: model.sha256 }),
        accelerator: http::accelerator(),
    };
    let limits = Limits {
        timeout: Duration::from_secs(settings.timeout_s),
        upload_timeout: Duration::from_secs(settings.upload_timeout_s),
        upload_bytes: settings.upload_bytes,
        file_bytes: settings.upload_file_bytes,
        uploads: UPLOADS,
        queue: settings.queue,
    };
    let options = Options { workers: settings.workers, limits };
    let service = Arc::new(opened.service);
    service.work_ahead(&settings.tenant);
    http::serve(listener, service, facts, options, |address| {
        // A closed standard output must not end the service.
        let _ = output::print_line(&format!("Serving on http://{address} (Ctrl-C stops; the interface is at /docs)"));
    })
}
