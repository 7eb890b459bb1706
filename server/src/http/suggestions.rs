//! `/v1/schema/suggestions`.

use super::{
    App, Problem,
    extract::{Id, Object, Parameters, unfit},
};
use crate::wire::{SuggestionBody, SuggestionDecision, SuggestionList, SuggestionState, default_tenant};
use axum::{Json, extract::State, http::StatusCode};
use serde::Deserialize;
use std::sync::Arc;

/// Suggestions of a list at most.
const MOST: usize = 1_000;

/// Which suggestions.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct SuggestionQuery {
    /// Whose documents.
    #[serde(default = "default_tenant")]
    #[param(default = "default")]
    tenant: String,
    /// Language of labels.
    #[serde(default = "crate::wire::english")]
    #[param(default = "en")]
    lang: String,
    /// Only those of this state.
    #[param(inline)]
    state: Option<SuggestionState>,
    /// Words of running text are suggested where they stand between so many different pairs of names, from 1.
    #[serde(default = "least")]
    #[param(default = 2, minimum = 1)]
    least: usize,
    /// Suggestions, 1 to 1,000.
    #[serde(default = "hundred")]
    #[param(default = 100, minimum = 1, maximum = 1000)]
    limit: usize,
}

/// List terms that documents have and the schema has not
///
/// Relations and classes that facts are stored under and nobody has declared, columns of tables that nothing reads, and words that
/// stand between names again and again. Each comes with the term that would be added, its wordings among it, and its first places.
#[utoipa::path(
    get,
    path = "/v1/schema/suggestions",
    operation_id = "list_suggestions",
    params(SuggestionQuery),
    responses(
        (status = 200, description = "The suggestions", body = SuggestionList),
        (status = 404, description = "No such tenant", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "A wrong parameter", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "Queue full; see Retry-After", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
pub(super) async fn list(
    State(app): State<App>,
    Parameters(query): Parameters<SuggestionQuery>,
) -> Result<Json<SuggestionList>, Problem> {
    if !(1..=MOST).contains(&query.limit) {
        return Err(unfit(format!("limit: is {}, and may be 1 to {MOST}", query.limit)));
    }
    if query.least == 0 {
        return Err(unfit("least: is 0, and may be 1 or more"));
    }
    let service = Arc::clone(&app.service);
    let read = move || service.suggestions(&query.tenant, query.state, query.least, query.limit, &query.lang);
    Ok(Json(app.queries.run("looking for what the schema has no word for".to_owned(), read).await?))
}

/// Whose suggestion.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct OneQuery {
    /// Whose documents.
    #[serde(default = "default_tenant")]
    #[param(default = "default")]
    tenant: String,
    /// Language of the label.
    #[serde(default = "crate::wire::english")]
    #[param(default = "en")]
    lang: String,
}

/// Decide on a suggestion
///
/// `accepted` only notes that it is in a draft; the draft is kept and published by itself. The decision is kept with the tenant and
/// holds as long as the term is found.
#[utoipa::path(
    put,
    path = "/v1/schema/suggestions/{id}",
    operation_id = "decide_suggestion",
    params(("id" = String, Path, description = "The suggestion's id"), OneQuery),
    request_body = SuggestionDecision,
    responses(
        (status = 200, description = "The suggestion as it is now", body = SuggestionBody),
        (status = 404, description = "No such suggestion or tenant", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "Not a decision", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "Queue full; see Retry-After", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
pub(super) async fn decide(
    State(app): State<App>,
    Id(id): Id,
    Parameters(OneQuery { tenant, lang }): Parameters<OneQuery>,
    Object(SuggestionDecision { state }): Object<SuggestionDecision>,
) -> Result<Json<SuggestionBody>, Problem> {
    let service = Arc::clone(&app.service);
    let detail = format!("suggestion {id}: is not found in the documents of now (see /v1/schema/suggestions)");
    let decide = move || service.decide_suggestion(&tenant, &id, state, &lang);
    let found = app.queries.run("deciding on a suggestion".to_owned(), decide).await?;
    found.map(Json).ok_or_else(|| Problem::new(StatusCode::NOT_FOUND, "no-suggestion", "No such suggestion", detail))
}

fn least() -> usize {
    crate::service::suggestions::LEAST
}

fn hundred() -> usize {
    100
}
