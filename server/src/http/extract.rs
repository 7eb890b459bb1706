//! What a request brings, told in our own words where it is wrong.

use super::Problem;
use axum::{
    Json,
    extract::{FromRequest, FromRequestParts, Path, Query, Request, rejection::JsonRejection},
    http::{StatusCode, request::Parts},
    response::IntoResponse,
};
use factmask_schema::Iri;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// A JSON object as body. An array of the fields' values is none, whatever serde would make of it.
pub(super) struct Object<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Object<T> {
    type Rejection = axum::response::Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Self::Rejection> {
        let Json(fields) =
            Json::<Map<String, Value>>::from_request(request, state).await.map_err(|error| match error {
                JsonRejection::JsonDataError(_) => unfit("send a JSON object").into_response(),
                error => error.into_response(),
            })?;
        serde_json::from_value(Value::Object(fields)).map(Self).map_err(|error| unfit(error).into_response())
    }
}

/// The parameters behind the `?`.
pub(super) struct Parameters<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Parameters<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        Query::from_request_parts(parts, state).await.map(|Query(found)| Self(found)).map_err(|error| {
            let text = error.body_text();
            let said = text.strip_prefix("Failed to deserialize query string: ").unwrap_or(&text);
            unfit(format!("parameters: {said}"))
        })
    }
}

/// The last part of the path, without its percent-encoding.
pub(super) struct Id(pub(super) String);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let found = Path::<String>::from_request_parts(parts, state).await;
        found.map(|Path(id)| Self(id)).map_err(|_| unfit("the path is not UTF-8 in percent-encoding"))
    }
}

/// An IRI that a path or parameter gives.
pub(super) fn iri(name: &str, text: &str) -> Result<Iri, Problem> {
    Iri::new(text).map_err(|error| unfit(format!("{name}: is not an IRI: {error} (percent-encode it as a whole)")))
}

/// A request that can be read and not be done.
pub(super) fn unfit(detail: impl ToString) -> Problem {
    let detail = format!("{}; see /docs", detail.to_string());
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "request", "Not a request that this path takes", detail)
}
