//! `GET` and `PUT /v1/schema`.

use super::{App, Problem, extract::Parameters};
use crate::{
    service::Expected,
    wire::{SchemaBody, SchemaChangeBody, default_tenant, english},
};
use axum::{
    Json,
    body::Bytes,
    extract::{State, rejection::BytesRejection},
    http::{HeaderMap, HeaderName, StatusCode, header},
    response::{IntoResponse, Response},
};
use factmask_schema::Schema;
use serde::Deserialize;
use std::sync::Arc;

/// Longest schema in bytes.
pub(super) const MOST_BYTES: usize = 16 << 20;

const TURTLE: &str = "text/turtle";

/// Whose schema.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct SchemaQuery {
    /// Whose knowledge base.
    #[serde(default = "default_tenant")]
    #[param(default = "default")]
    tenant: String,
}

/// How a schema is to be replaced.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ChangeQuery {
    /// Whose knowledge base.
    #[serde(default = "default_tenant")]
    #[param(default = "default")]
    tenant: String,
    /// Only tell what the new schema would do.
    #[serde(default)]
    #[param(default = false)]
    dry_run: bool,
    /// Language of names.
    #[serde(default = "english")]
    #[param(default = "en")]
    lang: String,
}

/// Get the schema
///
/// As canonical Turtle, or as JSON where `Accept` says so, with a hash of the Turtle as `ETag`. Send that as `If-Match` when you put a
/// changed one.
#[utoipa::path(
    get,
    path = "/v1/schema",
    params(SchemaQuery),
    responses(
        (status = 200, description = "The schema", content((String = "text/turtle"), (SchemaBody = "application/json")),
            headers(("ETag" = String, description = "Hash of the schema"))),
        (status = 304, description = "It is still the one named in If-None-Match"),
        (status = 404, description = "No such tenant", body = Problem, content_type = "application/problem+json"),
        (status = 406, description = "Accept leaves out text/turtle and application/json", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
pub(super) async fn get(
    State(app): State<App>,
    Parameters(query): Parameters<SchemaQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let service = Arc::clone(&app.service);
    let (schema, etag) = app.reads.run("getting a schema".to_owned(), move || service.schema(&query.tenant)).await?;
    let known = tags(&headers, header::IF_NONE_MATCH);
    let tag = [(header::ETAG, format!("\"{etag}\"")), (header::VARY, "accept".to_owned())];
    Ok(match known {
        Some(Expected::Any) => (StatusCode::NOT_MODIFIED, tag).into_response(),
        Some(Expected::OneOf(tags)) if tags.contains(&etag) => (StatusCode::NOT_MODIFIED, tag).into_response(),
        _ => (tag, turtle_or_json(&headers, &schema)?).into_response(),
    })
}

/// A schema in the form that the client accepts: Turtle, and JSON where that is asked for and Turtle is not.
pub(super) fn turtle_or_json(headers: &HeaderMap, schema: &Schema) -> Result<Response, Problem> {
    if accepts(headers, &["application/json"]) && !accepts(headers, &[TURTLE]) {
        return Ok(Json(SchemaBody::from(schema)).into_response());
    }
    if !accepts(headers, &[TURTLE, "text/*", "*/*"]) {
        let detail =
            "the schema is sent as text/turtle or application/json; leave Accept out, or let it name one of them";
        return Err(Problem::new(StatusCode::NOT_ACCEPTABLE, "not-acceptable", "Not in that format", detail));
    }
    Ok(([(header::CONTENT_TYPE, TURTLE)], schema.to_turtle()).into_response())
}

/// A body as text.
pub(super) fn text_of(body: Result<Bytes, BytesRejection>) -> Result<String, Problem> {
    let body = body.map_err(|error| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Problem::too_large(format!("a schema has at most {MOST_BYTES} bytes")),
        _ => Problem::new(StatusCode::BAD_REQUEST, "malformed", "Malformed request", error.body_text()),
    })?;
    String::from_utf8(body.into()).map_err(|error| {
        let good = error.as_bytes().get(..error.utf8_error().valid_up_to()).unwrap_or_default();
        let line = good.iter().filter(|byte| **byte == b'\n').count() + 1;
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "schema", "A faulty schema", format!("line {line}: not UTF-8"))
    })
}

/// Replace the schema
///
/// The whole is checked first, and every fault is told with its line and term. `If-Match` names the schema that was changed,
/// or is `*`. Facts stand whatever the schema says; the answer counts those that no longer fit, and the documents that must
/// be sent again to be read by it.
#[utoipa::path(
    put,
    path = "/v1/schema",
    params(ChangeQuery, ("If-Match" = String, Header, description = "ETag of the schema that is replaced, or `*`")),
    request_body(content = String, content_type = "text/turtle"),
    responses(
        (status = 200, description = "What was done, or would be", body = SchemaChangeBody,
            headers(("ETag" = String, description = "Hash of the schema that is stored now"))),
        (status = 404, description = "No such tenant", body = Problem, content_type = "application/problem+json"),
        (status = 412, description = "Somebody else has changed the schema", body = Problem,
            content_type = "application/problem+json"),
        (status = 413, description = "Over 16 MiB", body = Problem, content_type = "application/problem+json"),
        (status = 415, description = "Not text/turtle", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "A faulty schema; `faults` lists all", body = Problem,
            content_type = "application/problem+json"),
        (status = 428, description = "No If-Match", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "Queue full; see Retry-After", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
pub(super) async fn put(
    State(app): State<App>,
    Parameters(query): Parameters<ChangeQuery>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Problem> {
    app.service.tenants().tenant(&query.tenant)?;
    if media_type(headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()) != TURTLE
    {
        return Err(Problem::unsupported("send the schema as text/turtle"));
    }
    let expected = tags(&headers, header::IF_MATCH).ok_or_else(|| {
        let detail = "send If-Match with the ETag of the schema that you changed, or * to replace whatever is there";
        Problem::new(StatusCode::PRECONDITION_REQUIRED, "if-match", "Which schema is replaced?", detail)
    })?;
    let turtle = text_of(body)?;
    if turtle.trim().is_empty() {
        let detail = "the body is empty; a schema that declares nothing would leave no fact that can be asked for";
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "schema", "A faulty schema", detail));
    }
    let service = Arc::clone(&app.service);
    let queue = if query.dry_run { app.reads.clone() } else { app.writers.of(&query.tenant)? };
    let what = format!("replacing the schema of tenant {}", query.tenant);
    let (dry_run, tenant) = (query.dry_run, query.tenant.clone());
    let change = move || service.put_schema(&query.tenant, &turtle, &expected, query.dry_run, &query.lang);
    let body = queue.run(what, change).await?;
    if body.changed && !dry_run {
        app.service.work_ahead(&tenant);
    }
    let etag = format!("\"{}\"", body.etag);
    Ok(if dry_run { Json(body).into_response() } else { ([(header::ETAG, etag)], Json(body)).into_response() })
}

/// The tags of `If-Match` or `If-None-Match`; `None` without one. Weak tags never match, since ours are strong.
fn tags(headers: &HeaderMap, name: HeaderName) -> Option<Expected> {
    let values = headers.get_all(name).iter().map(|value| value.to_str().unwrap_or_default());
    let all: Vec<&str> = values.flat_map(|value| value.split(',')).map(str::trim).collect();
    if all.is_empty() {
        return None;
    }
    if all.contains(&"*") {
        return Some(Expected::Any);
    }
    let strong = |tag: &&str| tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"')).map(str::to_owned);
    Some(Expected::OneOf(all.iter().filter_map(strong).collect()))
}

/// Whether the client takes one of these ranges; without a word about it anything but JSON, which must be asked for.
fn accepts(headers: &HeaderMap, wanted: &[&str]) -> bool {
    let values: Vec<&str> =
        headers.get_all(header::ACCEPT).iter().map(|value| value.to_str().unwrap_or_default()).collect();
    let refused = |range: &str| range.split(';').skip(1).any(is_zero);
    (values.is_empty() && wanted.contains(&"*/*"))
        || values
            .iter()
            .flat_map(|value| value.split(','))
            .any(|range| wanted.contains(&media_type(range).as_str()) && !refused(range))
}

/// `q=0`, `q=0.0`: by no means this.
fn is_zero(parameter: &str) -> bool {
    parameter.trim().strip_prefix("q=").and_then(|weight| weight.parse::<f32>().ok()) == Some(0.0)
}

/// A media type without its parameters, in lower case.
pub(super) fn media_type(value: &str) -> String {
    value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}
