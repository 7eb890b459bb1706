//! The HTTP service: `POST /v1/answers`, `GET /health`, the OpenAPI document with its page, and a small page to ask on.
//!
//! tokio does input and output only. A question is put into a bounded [`Queue`] and answered by a thread of the engine; a
//! client that goes away takes its question back as long as it has not been started. Every error, whoever raises it, leaves
//! as `application/problem+json` (RFC 9457).

mod answers;
mod health;
mod openapi;
mod problem;
mod queue;
mod serve;

pub use health::{Facts, ModelBody, accelerator};
pub use openapi::document as openapi;
pub use problem::Problem;
pub use queue::{Full, Queue, Reply, Workers, start};
pub use serve::{Listener, Options, serve};

use crate::Service;
use axum::{
    Router,
    extract::DefaultBodyLimit,
    http::{StatusCode, header},
    middleware,
    response::{Html, IntoResponse},
    routing::{get, post},
};
use std::{sync::Arc, time::Duration};
use tower_http::{catch_panic::CatchPanicLayer, timeout::TimeoutLayer, trace::TraceLayer};

/// Longest request body in bytes.
pub const BODY_LIMIT: usize = 1 << 20;

/// What the handlers share.
#[derive(Clone)]
pub struct App {
    pub(crate) service: Arc<Service>,
    pub(crate) queue: Queue,
    pub(crate) facts: Arc<Facts>,
}

impl App {
    /// The state of a service whose questions go through `queue`.
    pub fn new(service: Arc<Service>, queue: Queue, facts: Facts) -> Self {
        Self { service, queue, facts: Arc::new(facts) }
    }
}

/// All routes with their layers. A request that takes longer than `timeout` is given up with 504.
pub fn router(app: App, timeout: Duration) -> Router {
    Router::new()
        .route("/", get(page))
        .route("/v1/answers", post(answers::ask))
        .route("/health", get(health::health))
        .merge(openapi::routes())
        .with_state(app)
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .layer(TimeoutLayer::with_status_code(StatusCode::GATEWAY_TIMEOUT, timeout))
        .layer(CatchPanicLayer::custom(problem::panicked))
        .layer(TraceLayer::new_for_http())
        // Outermost: whatever a layer or an extractor answers with, an error leaves as a problem.
        .layer(middleware::map_response(problem::from_response))
}

async fn page() -> impl IntoResponse {
    // The page needs nothing from elsewhere, and nothing from elsewhere may run in it.
    const POLICY: &str =
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'";
    ([(header::CONTENT_SECURITY_POLICY, POLICY)], Html(include_str!("page.html")))
}
