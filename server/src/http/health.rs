//! `GET /health`.

use super::{App, Problem};
use crate::ServiceError;
use axum::{Json, extract::State};
use factmask_engine::backend::cuda::{Probe, probe};
use serde::Serialize;
use utoipa::ToSchema;

/// What does not change while the service runs.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The tenant whose state is shown.
    pub tenant: String,
    /// The language model, if there is one.
    pub model: Option<ModelBody>,
    /// What was found of an accelerator, one line.
    pub accelerator: String,
}

/// A language model by name and content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ModelBody {
    /// Catalogue name or path.
    pub name: String,
    /// SHA-256 of the file.
    pub sha256: String,
}

/// State of the service.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct HealthBody {
    /// `ok`: questions are answered.
    status: &'static str,
    /// Version of the service.
    version: &'static str,
    /// State of the default tenant's knowledge base; grows with each change.
    epoch: u64,
    /// Distinct facts in it.
    facts: usize,
    /// Entities in it.
    entities: usize,
    /// The language model; null when the service answers from the graph alone.
    model: Option<ModelBody>,
    /// What was found of an accelerator.
    accelerator: String,
}

/// Whether the service answers, and over what
#[utoipa::path(
    get,
    path = "/health",
    responses(
        (status = 200, description = "Questions are answered", body = HealthBody),
        (status = 500, description = "The store cannot be read", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(super) async fn health(State(app): State<App>) -> Result<Json<HealthBody>, Problem> {
    let facts = app.facts;
    let tenant = facts.tenant.clone();
    // The first look at a new epoch builds its index, which is work, not waiting.
    let snapshot = tokio::task::spawn_blocking(move || app.service.snapshot(&tenant))
        .await
        .map_err(|_| Problem::from(ServiceError::Defect))??;
    Ok(Json(HealthBody {
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
        epoch: snapshot.epoch(),
        facts: snapshot.facts().len(),
        entities: snapshot.entities().len(),
        model: facts.model.clone(),
        accelerator: facts.accelerator.clone(),
    }))
}

/// What was found of an accelerator, in one line.
pub fn accelerator() -> String {
    match probe() {
        Probe::Available { name, memory_bytes, compute_capability: (major, minor) } => {
            format!(
                "{name}, {} GiB, compute capability {major}.{minor}; this version computes on the CPU",
                memory_bytes >> 30
            )
        }
        Probe::Unavailable { reason } => format!("none: {reason}"),
    }
}
