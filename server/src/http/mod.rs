//! The HTTP service: answers, what the knowledge base holds and how it is changed, the OpenAPI document, and the page.
//!
//! tokio does input and output only. Work is put into a bounded [`Queue`] and done by a thread of its own: questions by some,
//! looking things up by another, changes by one for each tenant. A client that goes away takes its work back as long as it has
//! not been started. Every error, whoever raises it, leaves as `application/problem+json` (RFC 9457).

mod answers;
mod browse;
mod documents;
mod extract;
mod health;
mod identity;
mod inspect;
mod local;
mod openapi;
mod page;
mod problem;
mod publish;
mod queue;
mod receive;
mod schema;
mod serve;
mod suggestions;

pub use health::{Facts, ModelBody, accelerator};
pub use openapi::document as openapi;
pub use problem::Problem;
pub use queue::{Queue, Workers, Writers, start};
pub use serve::{Listener, Options, serve};

use crate::{Ask, Service, ServiceError, wire::AnswerBody};
use axum::{Router, extract::DefaultBodyLimit, http::StatusCode, middleware, routing};
use std::{sync::Arc, time::Duration};
use tokio::sync::Semaphore;
use tower_http::{catch_panic::CatchPanicLayer, timeout::TimeoutLayer, trace::TraceLayer};

/// Longest request body in bytes, but for documents and the schema.
pub const BODY_LIMIT: usize = 1 << 20;

/// What comes of a question.
pub type Reply = Result<AnswerBody, ServiceError>;

/// Answers a question, on a thread where that may take its time.
pub type Answer = Arc<dyn Fn(&Ask) -> Reply + Send + Sync>;

/// What a request may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// When a request is given up, but for an upload.
    pub timeout: Duration,
    /// How long an upload may take to arrive, and again to be read.
    pub upload_timeout: Duration,
    /// Bytes of all files of one upload.
    pub upload_bytes: usize,
    /// Bytes of one file; a larger one is rejected.
    pub file_bytes: u64,
    /// Uploads at the same time.
    pub uploads: usize,
    /// Requests of one kind that wait for their thread.
    pub queue: usize,
}

/// What the handlers share.
#[derive(Clone)]
pub struct App {
    service: Arc<Service>,
    answer: Answer,
    answers: Queue,
    reads: Queue,
    /// Of queries that people write, so that a slow one holds up nothing else.
    queries: Queue,
    writers: Writers,
    uploads: Arc<Semaphore>,
    facts: Arc<Facts>,
    limits: Limits,
}

/// The threads behind an [`App`].
pub struct Threads {
    answers: Workers,
    reads: Workers,
    queries: Workers,
    writers: Writers,
}

impl App {
    /// The state of a service whose questions `answer` answers on `workers` threads.
    pub fn start(
        service: Arc<Service>,
        answer: Answer,
        facts: Facts,
        limits: Limits,
        workers: usize,
    ) -> std::io::Result<(Self, Threads)> {
        let (answers, answering) = start("answer", workers, limits.queue)?;
        let (reads, reading) = start("read", 1, limits.queue)?;
        let (queries, querying) = start("query", 2, limits.queue)?;
        let writers = Writers::new(limits.queue);
        let threads = Threads { answers: answering, reads: reading, queries: querying, writers: writers.clone() };
        let uploads = Arc::new(Semaphore::new(limits.uploads));
        let facts = Arc::new(facts);
        Ok((Self { service, answer, answers, reads, queries, writers, uploads, facts, limits }, threads))
    }
}

impl Threads {
    /// Waits for what was begun. The [`App`] is gone by now, so nothing new comes.
    pub fn join(self) {
        self.answers.join();
        self.reads.join();
        self.queries.join();
        self.writers.stop();
    }
}

/// All routes with their layers. `local`: the service listens on a loopback address, and answers this machine alone.
pub fn router(app: App, local: bool) -> Router {
    let limits = app.limits;
    let editing = Router::new()
        .route("/v1/schema", routing::get(schema::get).put(schema::put))
        .route("/v1/schema/check", routing::post(publish::check))
        .route("/v1/schema/suggestions", routing::get(suggestions::list))
        .route("/v1/schema/suggestions/{id}", routing::put(suggestions::decide))
        .route("/v1/schema/import", routing::post(publish::import))
        .route("/v1/schema/export", routing::post(publish::export))
        .route("/v1/schema/draft", routing::get(publish::draft).put(publish::keep_draft).delete(publish::discard_draft))
        .route("/v1/schema/preview", routing::post(publish::preview))
        .route("/v1/schema/publish", routing::post(publish::publish))
        .route("/v1/schema/versions", routing::get(publish::versions))
        .route("/v1/schema/versions/{version}", routing::get(publish::version))
        .route("/v1/schema/versions/{version}/restore", routing::post(publish::restore))
        .layer(DefaultBodyLimit::max(schema::MOST_BYTES));
    // An upload has limits of its own.
    let upload = routing::post(documents::upload).layer(DefaultBodyLimit::max(limits.upload_bytes));
    let routes = Router::new()
        .route("/", routing::get(page::index))
        .route("/assets/{name}", routing::get(page::asset))
        .route("/v1/answers", routing::post(answers::ask))
        .route("/v1/entities/{id}", routing::get(browse::entity))
        .route("/v1/facts", routing::get(browse::facts))
        .route("/v1/identity", routing::get(identity::list).post(identity::decide))
        .route("/v1/documents", routing::get(browse::documents))
        .route("/v1/documents/{id}", routing::delete(documents::delete))
        .route("/v1/documents/{id}/text", routing::get(inspect::source))
        .route("/v1/sparql", routing::post(inspect::sparql))
        .route("/v1/feedback", routing::get(inspect::feedback).post(inspect::give_feedback))
        .route("/v1/feedback/{id}", routing::delete(inspect::forget_feedback))
        .route("/v1/numbers", routing::get(inspect::numbers))
        .merge(editing)
        .route("/health", routing::get(health::health))
        .layer(TimeoutLayer::with_status_code(StatusCode::GATEWAY_TIMEOUT, limits.timeout))
        .route("/v1/documents", upload)
        .merge(openapi::routes())
        .with_state(app)
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .layer(CatchPanicLayer::custom(problem::panicked))
        .layer(TraceLayer::new_for_http());
    let routes = if local { routes.layer(middleware::from_fn(local::only)) } else { routes };
    // Outermost: whatever a layer or an extractor answers with, an error leaves as a problem.
    routes.layer(middleware::map_response(problem::from_response))
}
