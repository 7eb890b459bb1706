//! Editing the schema: `/v1/schema/...`.

use super::{
    App, Problem,
    extract::{Id, Object, Parameters, unfit},
    inspect::TenantQuery,
    schema::{media_type, text_of, turtle_or_json},
};
use crate::{
    Service,
    wire::{CheckBody, DraftBody, ImpactBody, ProposalBody, RestoreBody, SchemaBody, VersionList},
};
use axum::{
    Json,
    body::Bytes,
    extract::{State, rejection::BytesRejection},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use std::sync::Arc;

/// How a schema is to be checked.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct CheckQuery {
    /// Give its shapes graph too. In JSON it can be a key of the schema instead.
    #[serde(default)]
    #[param(default = false)]
    shacl: bool,
}

/// Check a schema
///
/// Turtle or JSON in, both out, with everything that is wrong. Nothing is kept.
#[utoipa::path(
    post,
    path = "/v1/schema/check",
    params(CheckQuery),
    request_body(content((SchemaBody = "application/json"), (String = "text/turtle"))),
    responses(
        (status = 200, description = "Right or wrong", body = CheckBody),
        (status = 413, description = "Over 16 MiB", body = Problem, content_type = "application/problem+json"),
        (status = 415, description = "Neither text/turtle nor application/json", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "JSON of another shape, or not UTF-8", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
pub(super) async fn check(
    State(app): State<App>,
    Parameters(CheckQuery { mut shacl }): Parameters<CheckQuery>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<CheckBody>, Problem> {
    let given = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let given = media_type(given);
    let text = text_of(body)?;
    let check: Box<dyn FnOnce() -> CheckBody + Send> = match given.as_str() {
        "text/turtle" => Box::new(move || Service::check_turtle(&text)),
        "application/json" => {
            let mut json: serde_json::Value = serde_json::from_str(&text).map_err(unfit)?;
            shacl |= json.as_object_mut().and_then(|json| json.remove("shacl")) == Some(true.into());
            let schema: SchemaBody = serde_json::from_value(json).map_err(unfit)?;
            Box::new(move || Service::check_schema(&schema))
        }
        _ => return Err(Problem::unsupported("send the schema as text/turtle or application/json")),
    };
    let check = move || Ok(if shacl { Service::with_shacl(check()) } else { check() });
    Ok(Json(app.reads.run("checking a schema".to_owned(), check).await?))
}

/// Read an ontology as a schema
///
/// Turtle that others wrote, or an export of ours. What is not understood is carried along in the schema's `kept`, and an export has it
/// again. Nothing is stored.
#[utoipa::path(
    post,
    path = "/v1/schema/import",
    request_body(content = String, content_type = "text/turtle"),
    responses(
        (status = 200, description = "The schema with notes, or the faults of what is no Turtle", body = CheckBody),
        (status = 413, description = "Over 16 MiB", body = Problem, content_type = "application/problem+json"),
        (status = 415, description = "Not text/turtle", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(super) async fn import(
    State(app): State<App>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<CheckBody>, Problem> {
    let given = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if media_type(given) != "text/turtle" {
        return Err(Problem::unsupported("send the ontology as text/turtle"));
    }
    let text = text_of(body)?;
    let import = move || Ok(Service::import_turtle(&text));
    Ok(Json(app.queries.run("importing a schema".to_owned(), import).await?))
}

/// Write a schema for others
///
/// As Turtle in which what is carried along stands as triples of its own. Nothing is stored.
#[utoipa::path(
    post,
    path = "/v1/schema/export",
    request_body = SchemaBody,
    responses(
        (status = 200, description = "The schema", body = String, content_type = "text/turtle"),
        (status = 422, description = "A faulty schema; `faults` lists all", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
pub(super) async fn export(State(app): State<App>, Object(schema): Object<SchemaBody>) -> Result<Response, Problem> {
    let export = move || Service::export_schema(&schema);
    let turtle = app.reads.run("exporting a schema".to_owned(), export).await?;
    Ok(([(header::CONTENT_TYPE, "text/turtle")], turtle).into_response())
}

/// Get the draft
#[utoipa::path(
    get,
    path = "/v1/schema/draft",
    params(TenantQuery),
    responses(
        (status = 200, description = "The draft", body = DraftBody),
        (status = 404, description = "No draft, or no such tenant", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
pub(super) async fn draft(
    State(app): State<App>,
    Parameters(TenantQuery { tenant }): Parameters<TenantQuery>,
) -> Result<Json<DraftBody>, Problem> {
    let service = Arc::clone(&app.service);
    let draft = app.reads.run("getting a draft".to_owned(), move || service.draft(&tenant)).await?;
    draft.map(Json).ok_or_else(no_draft)
}

/// Keep a draft
///
/// One a tenant, right or wrong. It changes no answer.
#[utoipa::path(
    put,
    path = "/v1/schema/draft",
    params(TenantQuery),
    request_body = DraftBody,
    responses(
        (status = 204, description = "It is kept"),
        (status = 404, description = "No such tenant", body = Problem, content_type = "application/problem+json"),
        (status = 413, description = "Over 16 MiB", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "Unknown or missing field", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
pub(super) async fn keep_draft(
    State(app): State<App>,
    Parameters(TenantQuery { tenant }): Parameters<TenantQuery>,
    Object(draft): Object<DraftBody>,
) -> Result<StatusCode, Problem> {
    let service = Arc::clone(&app.service);
    app.reads.run("keeping a draft".to_owned(), move || service.keep_draft(&tenant, &draft)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Throw the draft away
#[utoipa::path(
    delete,
    path = "/v1/schema/draft",
    params(TenantQuery),
    responses(
        (status = 204, description = "There is none now"),
        (status = 404, description = "No draft, or no such tenant", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
pub(super) async fn discard_draft(
    State(app): State<App>,
    Parameters(TenantQuery { tenant }): Parameters<TenantQuery>,
) -> Result<StatusCode, Problem> {
    let service = Arc::clone(&app.service);
    let discarded = app.reads.run("discarding a draft".to_owned(), move || service.discard_draft(&tenant)).await?;
    discarded.then_some(StatusCode::NO_CONTENT).ok_or_else(no_draft)
}

/// Preview a schema
///
/// Tells what publishing it would do, from the very transaction that publishing makes, thrown away.
#[utoipa::path(
    post,
    path = "/v1/schema/preview",
    params(TenantQuery),
    request_body = ProposalBody,
    responses(
        (status = 200, description = "What it would do", body = ImpactBody),
        (status = 404, description = "No such tenant", body = Problem, content_type = "application/problem+json"),
        (status = 412, description = "Somebody else has changed the schema; `changes` says what", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "A faulty schema; `faults` lists all", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
pub(super) async fn preview(
    State(app): State<App>,
    Parameters(TenantQuery { tenant }): Parameters<TenantQuery>,
    Object(proposal): Object<ProposalBody>,
) -> Result<Json<ImpactBody>, Problem> {
    let service = Arc::clone(&app.service);
    let preview = move || service.publish_schema(&tenant, &proposal, true);
    Ok(Json(app.queries.run("previewing a schema".to_owned(), preview).await?))
}

/// Publish a schema
///
/// One transaction: the schema, the facts of what is renamed, and the version with who and why. A draft of this very schema is thrown
/// away; one of another schema stays.
#[utoipa::path(
    post,
    path = "/v1/schema/publish",
    params(TenantQuery),
    request_body = ProposalBody,
    responses(
        (status = 200, description = "What it did", body = ImpactBody),
        (status = 404, description = "No such tenant", body = Problem, content_type = "application/problem+json"),
        (status = 412, description = "Somebody else has changed the schema; `changes` says what", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "A faulty schema; `faults` lists all", body = Problem,
            content_type = "application/problem+json"),
        (status = 503, description = "Queue full; see Retry-After", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
pub(super) async fn publish(
    State(app): State<App>,
    Parameters(TenantQuery { tenant }): Parameters<TenantQuery>,
    Object(proposal): Object<ProposalBody>,
) -> Result<Json<ImpactBody>, Problem> {
    app.service.tenants().tenant(&tenant)?;
    let service = Arc::clone(&app.service);
    let what = format!("publishing a schema of tenant {tenant}");
    let queue = app.writers.of(&tenant)?;
    let publish = move || {
        let body = service.publish_schema(&tenant, &proposal, false)?;
        service.settle_draft(&tenant, &proposal)?;
        if body.changed {
            service.work_ahead(&tenant);
        }
        Ok(body)
    };
    Ok(Json(queue.run(what, publish).await?))
}

/// List the schema's versions
#[utoipa::path(
    get,
    path = "/v1/schema/versions",
    params(TenantQuery),
    responses(
        (status = 200, description = "The latest first", body = VersionList),
        (status = 404, description = "No such tenant", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(super) async fn versions(
    State(app): State<App>,
    Parameters(TenantQuery { tenant }): Parameters<TenantQuery>,
) -> Result<Json<VersionList>, Problem> {
    let service = Arc::clone(&app.service);
    let read = move || service.schema_versions(&tenant);
    Ok(Json(app.reads.run("listing versions".to_owned(), read).await?))
}

/// Get a version of the schema
///
/// As Turtle, or as JSON where `Accept` says so.
#[utoipa::path(
    get,
    path = "/v1/schema/versions/{version}",
    params(("version" = u32, Path, description = "Its number"), TenantQuery),
    responses(
        (status = 200, description = "The version", content((SchemaBody = "application/json"), (String = "text/turtle"))),
        (status = 404, description = "No such version or tenant", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
pub(super) async fn version(
    State(app): State<App>,
    Id(id): Id,
    Parameters(TenantQuery { tenant }): Parameters<TenantQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let number = number(&id)?;
    let service = Arc::clone(&app.service);
    let read = move || service.schema_version(&tenant, number);
    let schema = app.reads.run("getting a version".to_owned(), read).await?;
    turtle_or_json(&headers, &schema)
}

/// Go back to a version of the schema
///
/// What was renamed since is called as it was then, and what was merged is taken apart.
#[utoipa::path(
    post,
    path = "/v1/schema/versions/{version}/restore",
    params(("version" = u32, Path, description = "Its number"), TenantQuery),
    request_body = RestoreBody,
    responses(
        (status = 200, description = "What it did, or would do", body = ImpactBody),
        (status = 404, description = "No such version or tenant", body = Problem,
            content_type = "application/problem+json"),
        (status = 503, description = "Queue full; see Retry-After", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
pub(super) async fn restore(
    State(app): State<App>,
    Id(id): Id,
    Parameters(TenantQuery { tenant }): Parameters<TenantQuery>,
    Object(body): Object<RestoreBody>,
) -> Result<Json<ImpactBody>, Problem> {
    let number = number(&id)?;
    app.service.tenants().tenant(&tenant)?;
    let queue = if body.dry_run { app.queries.clone() } else { app.writers.of(&tenant)? };
    let service = Arc::clone(&app.service);
    let what = format!("restoring version {number} of the schema of tenant {tenant}");
    let restore = move || {
        let told = service.restore_schema(&tenant, number, &body)?;
        if told.changed && !body.dry_run {
            service.work_ahead(&tenant);
        }
        Ok(told)
    };
    Ok(Json(queue.run(what, restore).await?))
}

fn number(id: &str) -> Result<u32, Problem> {
    id.parse().map_err(|_| unfit(format!("version: {id:?} is not the number of one")))
}

fn no_draft() -> Problem {
    let detail = "nobody has kept a draft of this schema; see PUT /v1/schema/draft";
    Problem::new(StatusCode::NOT_FOUND, "no-draft", "No draft", detail)
}
