//! Errors as `application/problem+json`.

use super::extract::unfit;
use crate::{
    ServiceError,
    wire::{DifferenceBody, FaultBody},
};
use axum::{
    body::{Body, to_bytes},
    http::{HeaderValue, Response, StatusCode, header},
    response::IntoResponse,
};
use factmask_engine::EngineError;
use factmask_graph::GraphError;
use factmask_schema::Fault;
use serde::Serialize;
use std::any::Any;
use utoipa::ToSchema;

const MEDIA_TYPE: &str = "application/problem+json";

/// Longest text of another layer that is taken over as detail.
const DETAIL_BYTES: usize = 4_096;

/// What went wrong with a request (RFC 9457).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Problem {
    /// What kind of problem: `urn:factmask:problem:...`, or `about:blank` where the status says all.
    #[serde(rename = "type")]
    #[schema(value_type = String)]
    pub kind: Box<str>,
    /// The kind in words.
    pub title: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// What happened here, and the remedy.
    pub detail: String,
    /// Every single fault, where the problem is a faulty schema.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[schema(required = false, value_type = Vec<FaultBody>)]
    pub faults: Box<[FaultBody]>,
    /// ETag, without quotes, of the schema of now, where another was expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub current: Option<Box<str>>,
    /// What has changed since the schema that was expected.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[schema(required = false, value_type = Vec<DifferenceBody>)]
    pub changes: Box<[DifferenceBody]>,
    /// Seconds after which to try again; sent as `Retry-After`.
    #[serde(skip)]
    pub retry_after: Option<u32>,
}

impl Problem {
    /// A problem of our own kinds.
    pub fn new(status: StatusCode, kind: &str, title: &'static str, detail: impl Into<String>) -> Self {
        Self {
            kind: format!("urn:factmask:problem:{kind}").into(),
            title,
            status: status.as_u16(),
            detail: detail.into(),
            faults: Box::default(),
            current: None,
            changes: Box::default(),
            retry_after: None,
        }
    }

    /// A problem that its status says all of but `detail`.
    fn blank(status: StatusCode, detail: impl Into<String>) -> Self {
        let title = status.canonical_reason().unwrap_or("Error");
        Self { kind: "about:blank".into(), ..Self::new(status, "", title, detail) }
    }

    /// A body in a format that the path does not take.
    pub(super) fn unsupported(detail: impl Into<String>) -> Self {
        Self::blank(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail)
    }

    /// A body over its limit.
    pub(super) fn too_large(detail: impl Into<String>) -> Self {
        Self::blank(StatusCode::PAYLOAD_TOO_LARGE, detail)
    }

    /// All places in the queue are taken.
    pub(super) fn queue_full() -> Self {
        let detail = "all places in the queue are taken; try again in a moment";
        let problem = Self::new(StatusCode::SERVICE_UNAVAILABLE, "queue-full", "The service is busy", detail);
        Self { retry_after: Some(1), ..problem }
    }

    /// The engine's thread went away; only a service that is shutting down does that.
    pub(super) fn stopping() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", "The service is stopping", "ask again when it is back")
    }

    fn of_status(status: StatusCode, said: &str) -> Self {
        let (kind, remedy) = match status {
            StatusCode::NOT_FOUND => (None, "there is nothing at this path; see /docs"),
            StatusCode::METHOD_NOT_ALLOWED => (None, "this path takes other methods; see Allow and /docs"),
            StatusCode::PAYLOAD_TOO_LARGE => (None, "a request body has at most 1 MiB"),
            StatusCode::UNSUPPORTED_MEDIA_TYPE => (None, "send application/json"),
            StatusCode::BAD_REQUEST => (Some(("malformed", "Malformed request")), ""),
            StatusCode::UNPROCESSABLE_ENTITY => (Some(("request", "Not a request that this path takes")), "see /docs"),
            StatusCode::GATEWAY_TIMEOUT => {
                (Some(("timeout", "No answer in time")), "ask again later, or raise timeout_s")
            }
            _ => (None, ""),
        };
        let detail = [said.trim(), remedy].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ");
        match kind {
            Some((kind, title)) => Self::new(status, kind, title, detail),
            None => Self::blank(status, detail),
        }
    }

    fn internal() -> Self {
        let detail = "a defect of the service; its log says more";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "Internal error", detail)
    }
}

impl From<ServiceError> for Problem {
    fn from(error: ServiceError) -> Self {
        let detail = error.to_string();
        match error {
            ServiceError::Engine(EngineError::Question { .. } | EngineError::Language { .. }) => {
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, "question", "Not a question that can be asked", detail)
            }
            ServiceError::Engine(EngineError::TooLong { .. }) => {
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, "too-long", "Too long for the model", detail)
            }
            ServiceError::Graph(GraphError::InvalidTenant { .. }) => {
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, "tenant-name", "Not a tenant's name", detail)
            }
            ServiceError::Graph(GraphError::Query { .. }) => {
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, "query", "Not a query that can be run", detail)
            }
            ServiceError::NoTenant(_) => Self::new(StatusCode::NOT_FOUND, "no-tenant", "No such tenant", detail),
            ServiceError::NoEntity(_) => Self::new(StatusCode::NOT_FOUND, "no-entity", "No such entity", detail),
            ServiceError::NoDocument(_) => Self::new(StatusCode::NOT_FOUND, "no-document", "No such document", detail),
            ServiceError::StaleCursor { .. } => {
                Self::new(StatusCode::GONE, "stale-cursor", "The knowledge base has changed", detail)
            }
            ServiceError::Parameter { .. } => unfit(detail),
            ServiceError::Schema(error) => {
                let faults =
                    error.faults.into_iter().map(|Fault { line, term, message, .. }| FaultBody { line, term, message });
                let problem = Self::new(StatusCode::UNPROCESSABLE_ENTITY, "schema", "A faulty schema", detail);
                Self { faults: faults.collect(), ..problem }
            }
            ServiceError::SchemaChanged { current, changes } => {
                let status = StatusCode::PRECONDITION_FAILED;
                let problem = Self::new(status, "schema-changed", "The schema has been changed", detail);
                Self { current: Some(current.into()), changes: changes.into(), ..problem }
            }
            ServiceError::Graph(GraphError::NoSuchVersion { .. }) => {
                Self::new(StatusCode::NOT_FOUND, "no-version", "No such version", detail)
            }
            // Only where documents are replaced all the time.
            ServiceError::Graph(GraphError::Superseded { .. }) => {
                let status = StatusCode::SERVICE_UNAVAILABLE;
                let problem = Self::new(status, "changing", "The knowledge base is changing", detail);
                Self { retry_after: Some(1), ..problem }
            }
            // Paths and causes are for the one who runs the service, not for the one who asks.
            error => {
                tracing::error!("{error}");
                Self::internal()
            }
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response<Body> {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let mut response = (status, [(header::CONTENT_TYPE, MEDIA_TYPE)], body).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

/// Turns an error of a layer or an extractor into a problem; keeps headers such as `Allow`.
pub(super) async fn from_response(response: Response<Body>) -> Response<Body> {
    let status = response.status();
    let is_problem = response.headers().get(header::CONTENT_TYPE) == Some(&HeaderValue::from_static(MEDIA_TYPE));
    if is_problem || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let problem = if status == StatusCode::INTERNAL_SERVER_ERROR {
        Problem::internal()
    } else {
        // What an extractor says of the request ("missing field `question` at line 1") is worth keeping.
        let said = to_bytes(body, DETAIL_BYTES).await.unwrap_or_default();
        Problem::of_status(status, &String::from_utf8_lossy(&said))
    };
    for name in [header::CONTENT_TYPE, header::CONTENT_LENGTH] {
        parts.headers.remove(name);
    }
    let mut replaced = problem.into_response();
    for (name, value) in parts.headers {
        if let Some(name) = name {
            replaced.headers_mut().append(name, value);
        }
    }
    replaced
}

/// A handler that panicked: the log has the message, the client gets a problem.
pub(super) fn panicked(_: Box<dyn Any + Send + 'static>) -> Response<Body> {
    Problem::internal().into_response()
}
