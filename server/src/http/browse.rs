//! `GET /v1/entities/{id}`, `GET /v1/facts`, `GET /v1/documents`: what the knowledge base holds.

use super::{
    App, Problem,
    extract::{Id, Parameters, iri, unfit},
};
use crate::{
    service::{FactFilter, Page},
    wire::{DocumentPage, EntityBody, FactPage, default_tenant, english},
};
use axum::{Json, extract::State};
use serde::Deserialize;
use std::sync::Arc;

/// Items of a page at most; a fact brings its quotes along.
const MOST_ITEMS: usize = 200;

/// Which entity, in which words.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct EntityQuery {
    /// Whose knowledge base.
    #[serde(default = "default_tenant")]
    #[param(default = "default")]
    tenant: String,
    /// Language of names.
    #[serde(default = "english")]
    #[param(default = "en")]
    lang: String,
    /// Facts of a list, 1 to 200.
    #[serde(default = "fifty")]
    #[param(default = 50, minimum = 1, maximum = 200)]
    limit: usize,
}

/// Which facts; each condition that is given must be met.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct FactQuery {
    /// Whose knowledge base.
    #[serde(default = "default_tenant")]
    #[param(default = "default")]
    tenant: String,
    /// Language of names.
    #[serde(default = "english")]
    #[param(default = "en")]
    lang: String,
    /// IRI of the subject.
    subject: Option<String>,
    /// IRI of the relation.
    relation: Option<String>,
    /// The object: an entity's IRI, a plain decimal in base units, an ISO date, `true`, `false`, or the very words.
    object: Option<String>,
    /// Id of a document that states them.
    document: Option<String>,
    /// IRI of a class of the subject, or of one above it.
    class: Option<String>,
    /// Words in a name of subject, relation or object, or in the value; case does not count.
    text: Option<String>,
    /// Facts of a page, 1 to 200.
    #[serde(default = "fifty")]
    #[param(default = 50, minimum = 1, maximum = 200)]
    limit: usize,
    /// `next` of the page before.
    cursor: Option<String>,
}

/// Which documents.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct DocumentQuery {
    /// Whose knowledge base.
    #[serde(default = "default_tenant")]
    #[param(default = "default")]
    tenant: String,
    /// Documents of a page, 1 to 200.
    #[serde(default = "fifty")]
    #[param(default = 50, minimum = 1, maximum = 200)]
    limit: usize,
    /// `next` of the page before.
    cursor: Option<String>,
}

/// Show an entity
///
/// Its names by language, its classes, and the first of the facts of it and to it, each with its evidence. The id is the
/// entity's IRI, percent-encoded as a whole.
#[utoipa::path(
    get,
    path = "/v1/entities/{id}",
    params(("id" = String, Path, description = "The entity's IRI, percent-encoded"), EntityQuery),
    responses(
        (status = 200, description = "The entity", body = EntityBody),
        (status = 404, description = "No such entity or tenant", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "Not an IRI, or a wrong parameter", body = Problem,
            content_type = "application/problem+json"),
        (status = 503, description = "Queue full; see Retry-After", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
pub(super) async fn entity(
    State(app): State<App>,
    Id(id): Id,
    Parameters(query): Parameters<EntityQuery>,
) -> Result<Json<EntityBody>, Problem> {
    let iri = iri("id", &id)?;
    let page = page(query.limit, None, query.lang)?;
    let service = Arc::clone(&app.service);
    let read = move || service.entity(&query.tenant, &iri, &page);
    Ok(Json(app.reads.run("showing an entity".to_owned(), read).await?))
}

/// List facts
///
/// In a stable order, with evidence. A cursor is valid as long as the epoch lasts; after a change, begin again.
#[utoipa::path(
    get,
    path = "/v1/facts",
    params(FactQuery),
    responses(
        (status = 200, description = "A page of facts", body = FactPage),
        (status = 404, description = "No such tenant", body = Problem, content_type = "application/problem+json"),
        (status = 410, description = "The knowledge base has changed since the page before", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "A wrong parameter", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "Queue full; see Retry-After", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
pub(super) async fn facts(
    State(app): State<App>,
    Parameters(query): Parameters<FactQuery>,
) -> Result<Json<FactPage>, Problem> {
    let one = |name, text: Option<String>| text.map(|text| iri(name, &text)).transpose();
    let filter = FactFilter {
        subject: one("subject", query.subject)?,
        relation: one("relation", query.relation)?,
        object: query.object,
        document: query.document,
        class: one("class", query.class)?,
        text: query.text.filter(|text| !text.trim().is_empty()),
    };
    let page = page(query.limit, query.cursor, query.lang)?;
    let service = Arc::clone(&app.service);
    let read = move || service.facts(&query.tenant, &filter, &page);
    Ok(Json(app.reads.run("listing facts".to_owned(), read).await?))
}

/// List documents
#[utoipa::path(
    get,
    path = "/v1/documents",
    params(DocumentQuery),
    responses(
        (status = 200, description = "A page of documents", body = DocumentPage),
        (status = 404, description = "No such tenant", body = Problem, content_type = "application/problem+json"),
        (status = 410, description = "The knowledge base has changed since the page before", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "A wrong parameter", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "Queue full; see Retry-After", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
pub(super) async fn documents(
    State(app): State<App>,
    Parameters(query): Parameters<DocumentQuery>,
) -> Result<Json<DocumentPage>, Problem> {
    let page = page(query.limit, query.cursor, english())?;
    let service = Arc::clone(&app.service);
    let read = move || service.documents(&query.tenant, &page);
    Ok(Json(app.reads.run("listing documents".to_owned(), read).await?))
}

fn page(limit: usize, cursor: Option<String>, lang: String) -> Result<Page, Problem> {
    if !(1..=MOST_ITEMS).contains(&limit) {
        return Err(unfit(format!("limit: is {limit}, and may be 1 to {MOST_ITEMS}")));
    }
    let cursor = cursor.map(|cursor| cursor.parse()).transpose()?;
    Ok(Page { limit, cursor, lang })
}

fn fifty() -> usize {
    50
}
