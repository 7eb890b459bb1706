//! `GET` and `POST /v1/identity`.

use super::{
    App, Problem,
    extract::{Object, Parameters, iri, unfit},
};
use crate::wire::{DecisionBody, IdentityBody, PairBody, PairStateBody, default_tenant};
use axum::{Json, extract::State};
use factmask_graph::Decision;
use serde::Deserialize;
use std::sync::Arc;

/// Pairs of a list at most.
const MOST_PAIRS: usize = 1_000;

/// Which pairs.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct IdentityQuery {
    /// Whose knowledge base.
    #[serde(default = "default_tenant")]
    #[param(default = "default")]
    tenant: String,
    /// Language of names.
    #[serde(default = "crate::wire::english")]
    #[param(default = "en")]
    lang: String,
    /// Only those of this state.
    #[param(inline)]
    state: Option<PairStateBody>,
    /// Pairs, 1 to 1,000.
    #[serde(default = "hundred")]
    #[param(default = 100, minimum = 1, maximum = 1000)]
    limit: usize,
}

/// List pairs of entities that are or may be one
///
/// With a score and the reasons of each: what was merged by rule or by hand, what is proposed for review, and what shares a name
/// and was kept apart.
#[utoipa::path(
    get,
    path = "/v1/identity",
    params(IdentityQuery),
    responses(
        (status = 200, description = "The pairs, the surest first", body = IdentityBody),
        (status = 404, description = "No such tenant", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "A wrong parameter", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "Queue full; see Retry-After", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
pub(super) async fn list(
    State(app): State<App>,
    Parameters(query): Parameters<IdentityQuery>,
) -> Result<Json<IdentityBody>, Problem> {
    if !(1..=MOST_PAIRS).contains(&query.limit) {
        return Err(unfit(format!("limit: is {}, and may be 1 to {MOST_PAIRS}", query.limit)));
    }
    let service = Arc::clone(&app.service);
    let read = move || service.identity(&query.tenant, query.state.map(Into::into), query.limit, &query.lang);
    Ok(Json(app.reads.run("listing who is who".to_owned(), read).await?))
}

/// Decide whether two entities are one
///
/// A decision goes before every rule and stays when documents are read again. `undecided` takes it back. All names and all
/// evidence of merged entities stay; nothing in the documents' facts is changed.
#[utoipa::path(
    post,
    path = "/v1/identity",
    request_body = DecisionBody,
    responses(
        (status = 200, description = "The pair as it is now", body = PairBody),
        (status = 404, description = "No such entity or tenant", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "Not a decision", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "Queue full; see Retry-After", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
pub(super) async fn decide(
    State(app): State<App>,
    Object(body): Object<DecisionBody>,
) -> Result<Json<PairBody>, Problem> {
    let DecisionBody { tenant, one, other, decision, author, reason } = body;
    let (one, other) = (iri("one", &one)?, iri("other", &other)?);
    let decision = Decision::new(one, other, decision.into(), &author, &reason);
    app.service.tenants().tenant(&tenant)?;
    let queue = app.writers.of(&tenant)?;
    let service = Arc::clone(&app.service);
    let decide = move || {
        let pair = service.decide(&tenant, &decision, "en")?;
        service.work_ahead(&tenant);
        Ok(pair)
    };
    Ok(Json(queue.run("deciding who is who".to_owned(), decide).await?))
}

fn hundred() -> usize {
    100
}
