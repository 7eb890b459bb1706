//! The OpenAPI document and its page. `server/openapi.json` is this document; a test keeps it so.

use super::{App, answers, browse, documents, health, identity, inspect, publish, schema, suggestions};
use axum::Router;
use utoipa::OpenApi;
use utoipa_swagger_ui::SwaggerUi;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "factmask",
        description = "Answers with the facts they stand on. Errors are application/problem+json (RFC 9457).",
        license(name = "Apache-2.0", identifier = "Apache-2.0"),
    ),
    paths(
        answers::ask,
        browse::entity,
        browse::facts,
        browse::documents,
        documents::upload,
        documents::delete,
        inspect::source,
        inspect::sparql,
        inspect::give_feedback,
        inspect::feedback,
        inspect::forget_feedback,
        inspect::numbers,
        identity::list,
        identity::decide,
        schema::get,
        schema::put,
        suggestions::list,
        suggestions::decide,
        publish::check,
        publish::import,
        publish::export,
        publish::draft,
        publish::keep_draft,
        publish::discard_draft,
        publish::preview,
        publish::publish,
        publish::versions,
        publish::version,
        publish::restore,
        health::health,
    )
)]
struct Api;

/// The OpenAPI document.
pub fn document() -> utoipa::openapi::OpenApi {
    Api::openapi()
}

/// `/openapi.json`, and `/docs` with everything it needs in the binary.
pub(super) fn routes() -> Router<App> {
    SwaggerUi::new("/docs").url("/openapi.json", document()).into()
}
