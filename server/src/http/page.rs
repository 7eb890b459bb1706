//! The page, whose built files are part of the program: nothing is fetched from elsewhere, and nothing from elsewhere runs in it.

use super::Problem;
use axum::{
    extract::Path,
    http::{HeaderName, StatusCode, header},
    response::{IntoResponse, Response},
};
use rust_embed::{EmbeddedFile, RustEmbed};

/// What `npm run build` made of `server/web`.
#[derive(RustEmbed)]
#[folder = "web/dist"]
struct Built;

/// Styles are set on single elements by the canvas; scripts are files of ours alone.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; \
     img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// `GET /`
pub(super) async fn index() -> Response {
    // Its name stays while what it names changes with each build.
    send("index.html", "no-cache")
}

/// `GET /assets/{name}`
pub(super) async fn asset(Path(name): Path<String>) -> Response {
    // A file's name changes with its contents.
    send(&format!("assets/{name}"), "public, max-age=31536000, immutable")
}

fn send(name: &str, cache: &'static str) -> Response {
    let Some(EmbeddedFile { data, metadata }) = Built::get(name) else {
        let detail = "the page has no such file; load it anew";
        return Problem::new(StatusCode::NOT_FOUND, "no-file", "No such file", detail).into_response();
    };
    let headers: [(HeaderName, &str); 5] = [
        (header::CONTENT_TYPE, metadata.mimetype()),
        (header::CACHE_CONTROL, cache),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (headers, data).into_response()
}
