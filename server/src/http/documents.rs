//! `POST /v1/documents` and `DELETE /v1/documents/{id}`.

use super::{
    App, Problem,
    extract::{Id, Parameters, unfit},
    receive,
};
use crate::wire::{RemovalBody, UploadBody, UploadOutcome, default_tenant, english};
use axum::{
    Json,
    extract::{Request, State},
    http::StatusCode,
};
use factmask_graph::DocumentId;
use serde::Deserialize;
use std::sync::Arc;
use tokio::time::timeout;
use utoipa::ToSchema;

/// Where to put the files.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct UploadQuery {
    /// Whose knowledge base.
    #[serde(default = "default_tenant")]
    #[param(default = "default")]
    tenant: String,
}

/// How a document is to be deleted.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct DeleteQuery {
    /// Whose knowledge base.
    #[serde(default = "default_tenant")]
    #[param(default = "default")]
    tenant: String,
    /// Only tell what deleting would do.
    #[serde(default)]
    #[param(default = false)]
    dry_run: bool,
    /// Language of names.
    #[serde(default = "english")]
    #[param(default = "en")]
    lang: String,
}

/// Files to read.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes the form to OpenAPI; it is received piece by piece")]
pub(super) struct UploadForm {
    /// One part a file, under any field name; its file name becomes the document's id.
    #[schema(inline)]
    files: Vec<FilePart>,
}

/// The bytes of one file.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[allow(dead_code, reason = "as for the form")]
pub(super) struct FilePart(Vec<u8>);

/// Upload documents
///
/// PDF, office documents, web pages, books, tables, JSON, RDF and texts, several files a request. Each is stored whole or not at
/// all, and replaces the document of the same name. The answer says what became of each.
#[utoipa::path(
    post,
    path = "/v1/documents",
    params(UploadQuery),
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses(
        (status = 200, description = "What became of each file", body = UploadBody),
        (status = 400, description = "Not a whole form", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "No such tenant", body = Problem, content_type = "application/problem+json"),
        (status = 408, description = "Did not arrive in time", body = Problem, content_type = "application/problem+json"),
        (status = 413, description = "All files together are too large", body = Problem,
            content_type = "application/problem+json"),
        (status = 415, description = "Not multipart/form-data", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "No files, too many, or a part that is no file", body = Problem,
            content_type = "application/problem+json"),
        (status = 503, description = "Too many uploads or changes at once; see Retry-After", body = Problem,
            content_type = "application/problem+json"),
        (status = 504, description = "Received and still being read", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
pub(super) async fn upload(
    State(app): State<App>,
    Parameters(query): Parameters<UploadQuery>,
    request: Request,
) -> Result<Json<UploadBody>, Problem> {
    let tenant = app.service.tenants().tenant(&query.tenant)?;
    // Held until the files are read: so many uploads at once, and no more, can fill the disk.
    let permit = Arc::clone(&app.uploads).try_acquire_owned().map_err(|_| Problem::queue_full())?;
    let folder = app.service.tenants().uploads(&tenant)?;
    let receiving = receive::files(request, &folder, app.limits.file_bytes, app.limits.upload_bytes);
    let received = timeout(app.limits.upload_timeout, receiving).await.map_err(|_| {
        let detail = format!(
            "the files did not arrive within {} s, and none is kept; send fewer at once",
            app.limits.upload_timeout.as_secs()
        );
        Problem::new(StatusCode::REQUEST_TIMEOUT, "slow-upload", "The upload took too long", detail)
    })??;
    let service = Arc::clone(&app.service);
    let what = format!("reading {} files for tenant {}", received.len(), query.tenant);
    let queue = app.writers.of(&query.tenant)?;
    let read = move || {
        let _permit = permit;
        // The files go when the names they lie under do, behind the reading.
        let (files, _places): (Vec<_>, Vec<_>) = received.into_iter().map(receive::Arrived::parts).unzip();
        let body = service.ingest(&query.tenant, files)?;
        // Here and not behind the queue, so that it is also done where nobody has waited for the end of the reading.
        if body.documents.iter().any(|document| document.outcome == UploadOutcome::Ingested) {
            service.work_ahead(&query.tenant);
        }
        Ok(body)
    };
    match timeout(app.limits.upload_timeout, queue.run(what, read)).await {
        Ok(body) => Ok(Json(body?)),
        Err(_) => {
            let detail = "the files arrived; what had been begun goes on: see /v1/documents for what is stored";
            Err(Problem::new(StatusCode::GATEWAY_TIMEOUT, "timeout", "The files are still being read", detail))
        }
    }
}

/// Delete a document
///
/// What other documents state as well stays. With `dry_run=true` nothing is done and the answer says what would be.
#[utoipa::path(
    delete,
    path = "/v1/documents/{id}",
    params(("id" = String, Path, description = "The document's id, percent-encoded"), DeleteQuery),
    responses(
        (status = 200, description = "What was done, or would be", body = RemovalBody),
        (status = 404, description = "No such document or tenant", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "Not a document's id, or a wrong parameter", body = Problem,
            content_type = "application/problem+json"),
        (status = 503, description = "Queue full; see Retry-After", body = Problem,
            content_type = "application/problem+json"),
        (status = 504, description = "Not in time; done all the same where it was begun", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
pub(super) async fn delete(
    State(app): State<App>,
    Id(id): Id,
    Parameters(query): Parameters<DeleteQuery>,
) -> Result<Json<RemovalBody>, Problem> {
    let document = DocumentId::new(id).map_err(unfit)?;
    app.service.tenants().tenant(&query.tenant)?;
    let queue = if query.dry_run { app.reads.clone() } else { app.writers.of(&query.tenant)? };
    let service = Arc::clone(&app.service);
    let what = format!("deleting {document} of tenant {}", query.tenant);
    let delete = move || {
        let body = service.delete(&query.tenant, &document, query.dry_run, &query.lang)?;
        if !query.dry_run {
            service.work_ahead(&query.tenant);
        }
        Ok(body)
    };
    Ok(Json(queue.run(what, delete).await?))
}
