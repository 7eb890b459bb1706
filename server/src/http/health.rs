//! `GET /health`.

use super::{App, Problem};
use crate::{
    ServiceError,
    service::{Stage, Warming},
    wire::BlocksBody,
};
use axum::{Json, extract::State};
use factmask_engine::{
    backend::cuda::{Probe, probe},
    fusion::Layout,
    gate::Calibration,
};
use serde::Serialize;
use std::sync::Arc;
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
    /// How facts reach the language model; null without one.
    fusion: Option<FusionBody>,
    /// Work done ahead of the default tenant's questions.
    warming: WarmingBody,
    /// The store of encoded cards, of all tenants; null without a language model.
    blocks: Option<BlocksBody>,
}

/// How facts reach the language model, and what that was chosen by: a calibration of this model, measured once.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct FusionBody {
    /// Which way is on.
    path: PathBody,
    /// Questions of the calibration set.
    asked: usize,
    /// Those of them that are answered alike over precomputed blocks and by full recomputation.
    agreed: usize,
    /// Mean divergence of the answers' probabilities from those of full recomputation, in nats.
    divergence: f64,
}

/// How facts reach the language model.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum PathBody {
    /// As precomputed blocks under the mask.
    Blocks,
    /// As one text that each question recomputes: the model does not read blocks well enough.
    Pasted,
}

impl From<Calibration> for FusionBody {
    fn from(calibration: Calibration) -> Self {
        let path = match calibration.layout() {
            Layout::Blocks => PathBody::Blocks,
            Layout::Pasted => PathBody::Pasted,
        };
        let Calibration { asked, agreed, divergence } = calibration;
        Self { path, asked, agreed, divergence }
    }
}

/// Work done ahead of questions. It gives way to them.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct WarmingBody {
    /// What is being done.
    stage: StageBody,
    /// Cards that are likely to be asked for and for which there is room; 0 until the schema is read.
    cards_wanted: usize,
    /// Those of them that are encoded.
    cards_ready: usize,
}

/// A stage of the work ahead.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum StageBody {
    /// Nothing was to be done yet.
    None,
    /// It waits for its turn.
    Waiting,
    /// The models read the schema.
    Schema,
    /// Cards are encoded.
    Cards,
    /// All is done.
    Done,
    /// It was given up: the knowledge base changed, the service stops, or a fault that is in the log.
    Stopped,
}

impl From<Warming> for WarmingBody {
    fn from(warming: Warming) -> Self {
        let stage = match warming.stage {
            Stage::None => StageBody::None,
            Stage::Waiting => StageBody::Waiting,
            Stage::Schema => StageBody::Schema,
            Stage::Cards => StageBody::Cards,
            Stage::Done => StageBody::Done,
            Stage::Stopped => StageBody::Stopped,
        };
        Self { stage, cards_wanted: warming.wanted, cards_ready: warming.ready }
    }
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
    let (service, tenant) = (Arc::clone(&app.service), facts.tenant.clone());
    // The first look at a new epoch builds its index, which is work, not waiting.
    let snapshot = tokio::task::spawn_blocking(move || service.snapshot(&tenant))
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
        fusion: app.service.engine().calibration().map(Into::into),
        warming: app.service.warming(&facts.tenant).into(),
        blocks: app.service.engine().fuser().map(|fuser| fuser.blocks().into()),
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
