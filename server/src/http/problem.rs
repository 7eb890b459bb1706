//! Errors as `application/problem+json`.

use crate::ServiceError;
use axum::{
    body::{Body, to_bytes},
    http::{HeaderValue, Response, StatusCode, header},
    response::IntoResponse,
};
use factmask_engine::EngineError;
use factmask_graph::GraphError;
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
    pub kind: String,
    /// The kind in words.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What happened here, and the remedy.
    pub detail: String,
    /// Seconds after which to try again; sent as `Retry-After`.
    #[serde(skip)]
    pub retry_after: Option<u32>,
}

impl Problem {
    /// A problem of our own kinds.
    pub fn new(status: StatusCode, kind: &str, title: &str, detail: impl Into<String>) -> Self {
        Self {
            kind: format!("urn:factmask:problem:{kind}"),
            title: title.to_owned(),
            status: status.as_u16(),
            detail: detail.into(),
            retry_after: None,
        }
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
        let (kind, title, remedy) = match status {
            StatusCode::NOT_FOUND => ("about:blank", None, "there is nothing at this path; see /docs"),
            StatusCode::METHOD_NOT_ALLOWED => {
                ("about:blank", None, "this path takes other methods; see Allow and /docs")
            }
            StatusCode::PAYLOAD_TOO_LARGE => ("about:blank", None, "a request body has at most 1 MiB"),
            StatusCode::UNSUPPORTED_MEDIA_TYPE => ("about:blank", None, "send application/json"),
            StatusCode::BAD_REQUEST => ("urn:factmask:problem:malformed", Some("Not JSON"), ""),
            StatusCode::UNPROCESSABLE_ENTITY => {
                ("urn:factmask:problem:request", Some("Not a request that this path takes"), "see /docs")
            }
            StatusCode::GATEWAY_TIMEOUT => {
                ("urn:factmask:problem:timeout", Some("No answer in time"), "ask again later, or raise timeout_s")
            }
            _ => ("about:blank", None, ""),
        };
        let detail = [said.trim(), remedy].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ");
        let title = title.or(status.canonical_reason()).unwrap_or("Error").to_owned();
        Self { kind: kind.to_owned(), title, status: status.as_u16(), detail, retry_after: None }
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
            ServiceError::NoTenant(_) => Self::new(StatusCode::NOT_FOUND, "no-tenant", "No such tenant", detail),
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
