//! Looking behind answers: documents' texts, SPARQL, feedback, and how questions went.

use super::{
    App, Problem,
    extract::{Id, Object, Parameters, unfit},
};
use crate::wire::{
    FeedbackBody, FeedbackItem, FeedbackList, NumbersBody, QueryBody, SourceBody, TableBody, default_tenant,
};
use axum::{Json, extract::State, http::StatusCode};
use factmask_graph::{CancellationToken, DocumentId};
use serde::Deserialize;
use std::sync::Arc;

/// Whose knowledge base is meant.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct TenantQuery {
    /// Whose knowledge base.
    #[serde(default = "default_tenant")]
    #[param(default = "default")]
    pub(super) tenant: String,
}

/// Which part of a document.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct SourceQuery {
    /// Whose knowledge base.
    #[serde(default = "default_tenant")]
    #[param(default = "default")]
    tenant: String,
    /// First byte.
    #[serde(default)]
    #[param(default = 0)]
    from: u64,
    /// The byte after the last; 64 KiB behind `from` where it is left out, 4 MiB at most.
    to: Option<u64>,
}

/// Show a document's text
///
/// As it was ingested: what citations point into by bytes. Moved outwards to whole characters.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}/text",
    params(("id" = String, Path, description = "The document's id, percent-encoded"), SourceQuery),
    responses(
        (status = 200, description = "A part of the text", body = SourceBody),
        (status = 404, description = "No such document or tenant", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "A wrong parameter", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "Queue full; see Retry-After", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
pub(super) async fn source(
    State(app): State<App>,
    Id(id): Id,
    Parameters(query): Parameters<SourceQuery>,
) -> Result<Json<SourceBody>, Problem> {
    let document = DocumentId::new(id).map_err(unfit)?;
    let service = Arc::clone(&app.service);
    let read = move || service.source(&query.tenant, &document, query.from, query.to);
    Ok(Json(app.reads.run("showing a document".to_owned(), read).await?))
}

/// Run a SPARQL query
///
/// Read-only, over all documents. The union keeps a triple once for each document that states it, so say `DISTINCT`. The first
/// 1,000 rows are sent; a query whose client goes away, or that takes longer than the service's time limit, is ended.
#[utoipa::path(
    post,
    path = "/v1/sparql",
    params(TenantQuery),
    request_body = QueryBody,
    responses(
        (status = 200, description = "A table", body = TableBody),
        (status = 404, description = "No such tenant", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "Not a query; `detail` says where", body = Problem,
            content_type = "application/problem+json"),
        (status = 503, description = "Queue full; see Retry-After", body = Problem,
            content_type = "application/problem+json"),
        (status = 504, description = "Not in time", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(super) async fn sparql(
    State(app): State<App>,
    Parameters(TenantQuery { tenant }): Parameters<TenantQuery>,
    Object(body): Object<QueryBody>,
) -> Result<Json<TableBody>, Problem> {
    /// Ends the query when nobody waits for it any more.
    struct Waiting(CancellationToken);
    impl Drop for Waiting {
        fn drop(&mut self) {
            self.0.cancel();
        }
    }
    let waiting = Waiting(CancellationToken::new());
    let cancelled = waiting.0.clone();
    let service = Arc::clone(&app.service);
    let query = move || service.query(&tenant, &body.query, &body.lang, cancelled);
    let table = app.queries.run("a SPARQL query".to_owned(), query).await;
    drop(waiting);
    Ok(Json(table?))
}

/// Say what an answer is worth
///
/// Kept for the tenant. The preview of a schema change asks these questions under both schemas.
#[utoipa::path(
    post,
    path = "/v1/feedback",
    params(TenantQuery),
    request_body = FeedbackBody,
    responses(
        (status = 200, description = "It is kept", body = FeedbackItem),
        (status = 404, description = "No such tenant", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "Unknown or missing field, or too long", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
pub(super) async fn give_feedback(
    State(app): State<App>,
    Parameters(TenantQuery { tenant }): Parameters<TenantQuery>,
    Object(body): Object<FeedbackBody>,
) -> Result<Json<FeedbackItem>, Problem> {
    let service = Arc::clone(&app.service);
    let keep = move || service.give_feedback(&tenant, body);
    Ok(Json(app.reads.run("keeping feedback".to_owned(), keep).await?))
}

/// List what answers are worth
#[utoipa::path(
    get,
    path = "/v1/feedback",
    params(TenantQuery),
    responses(
        (status = 200, description = "The latest first", body = FeedbackList),
        (status = 404, description = "No such tenant", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(super) async fn feedback(
    State(app): State<App>,
    Parameters(TenantQuery { tenant }): Parameters<TenantQuery>,
) -> Result<Json<FeedbackList>, Problem> {
    let service = Arc::clone(&app.service);
    let read = move || Ok(FeedbackList { items: service.feedback(&tenant)? });
    Ok(Json(app.reads.run("listing feedback".to_owned(), read).await?))
}

/// Forget what was said of an answer
#[utoipa::path(
    delete,
    path = "/v1/feedback/{id}",
    params(("id" = String, Path, description = "The opinion's id"), TenantQuery),
    responses(
        (status = 204, description = "It is forgotten"),
        (status = 404, description = "No such opinion or tenant", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
pub(super) async fn forget_feedback(
    State(app): State<App>,
    Id(id): Id,
    Parameters(TenantQuery { tenant }): Parameters<TenantQuery>,
) -> Result<StatusCode, Problem> {
    let service = Arc::clone(&app.service);
    let forget = move || service.forget_feedback(&tenant, &id);
    if app.reads.run("forgetting feedback".to_owned(), forget).await? {
        return Ok(StatusCode::NO_CONTENT);
    }
    let detail = "no opinion has this id; see /v1/feedback";
    Err(Problem::new(StatusCode::NOT_FOUND, "no-feedback", "No such opinion", detail))
}

/// How questions went
///
/// Since the service started, of all tenants.
#[utoipa::path(
    get,
    path = "/v1/numbers",
    responses((status = 200, description = "Counters and times", body = NumbersBody)),
)]
pub(super) async fn numbers(State(app): State<App>) -> Json<NumbersBody> {
    Json(app.service.numbers())
}
