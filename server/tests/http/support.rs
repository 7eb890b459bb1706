//! A service over one small document, held in memory, that answers without a language model; and requests to it.

use super::command;
use axum::{
    Router,
    body::{Body, to_bytes},
    http::{HeaderMap, Method, Request, StatusCode, header},
};
use factmask_engine::{Engine, EngineOptions};
use factmask_graph::{Store, TenantId};
use factmask_ingest::{Pipeline, PipelineOptions};
use factmask_schema::Schema;
use factmask_server::{
    Ask, Service, Tenants,
    http::{App, Facts, Limits, Reply, router},
};
use serde_json::Value;
use std::{fs, sync::Arc, time::Duration};
use tower::ServiceExt;

pub const LIMITS: Limits = Limits {
    timeout: Duration::from_secs(30),
    upload_timeout: Duration::from_secs(30),
    upload_bytes: 100_000,
    file_bytes: 2_000,
    uploads: 1,
    queue: 4,
};

pub fn service() -> Arc<Service> {
    let tenant = TenantId::new("default").unwrap();
    let store = Store::in_memory(&tenant).unwrap();
    let schema = Schema::parse(command::SCHEMA, "schema.ttl").unwrap();
    store.put_schema(&schema).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("countries.ttl");
    fs::write(&path, command::FACTS).unwrap();
    let pipeline = Pipeline::new(&store, &schema, PipelineOptions::new(folder.path().join("jobs"))).unwrap();
    pipeline.ingest_paths(&[path], &mut |_| {}).unwrap();
    let engine = Engine::open(&EngineOptions::default()).unwrap();
    Arc::new(Service::new(engine, Tenants::of([(tenant, store)])))
}

/// The interface over a service whose questions are answered by `answer`.
pub fn app(answer: impl Fn(&Ask) -> Reply + Send + Sync + 'static, queue: usize, timeout: Duration) -> Router {
    over(service(), Arc::new(answer), Limits { queue, timeout, ..LIMITS }, false)
}

pub fn real_app() -> Router {
    let service = service();
    let answering = Arc::clone(&service);
    over(service, Arc::new(move |ask: &Ask| answering.ask(ask)), LIMITS, false)
}

pub fn over(service: Arc<Service>, answer: factmask_server::http::Answer, limits: Limits, local: bool) -> Router {
    let facts = Facts { tenant: "default".to_owned(), model: None, accelerator: "none: not looked for".to_owned() };
    let (app, _threads) = App::start(service, answer, facts, limits, 1).unwrap();
    router(app, local)
}

pub fn request(method: Method, path: &str, content_type: Option<&str>, body: impl Into<Body>) -> Request<Body> {
    let mut request = Request::builder().method(method).uri(path);
    if let Some(value) = content_type {
        request = request.header(header::CONTENT_TYPE, value);
    }
    request.body(body.into()).unwrap()
}

pub fn get(path: &str) -> Request<Body> {
    request(Method::GET, path, None, "")
}

pub fn post(path: &str, body: &Value) -> Request<Body> {
    request(Method::POST, path, Some("application/json"), body.to_string())
}

/// The schema as JSON, and its ETag.
pub async fn schema_as_json(app: &Router) -> (Value, String) {
    let mut wanted = get("/v1/schema");
    wanted.headers_mut().insert(header::ACCEPT, "application/json".parse().unwrap());
    let (status, headers, body) = send(app, wanted).await;
    assert_eq!(status, StatusCode::OK, "{}", String::from_utf8_lossy(&body));
    let tag = headers[header::ETAG].to_str().unwrap().trim_matches('"').to_owned();
    (serde_json::from_slice(&body).unwrap(), tag)
}

pub fn question(body: &str) -> Request<Body> {
    request(Method::POST, "/v1/answers", Some("application/json"), body.to_owned())
}

/// An upload of files: name, media type, bytes.
pub fn upload(path: &str, files: &[(&str, &str, &[u8])]) -> Request<Body> {
    request(Method::POST, path, Some("multipart/form-data; boundary=edge"), form(files))
}

pub fn form(files: &[(&str, &str, &[u8])]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, media_type, bytes) in files {
        let disposition = format!("form-data; name=\"files\"; filename=\"{name}\"");
        let head = format!("--edge\r\ncontent-disposition: {disposition}\r\ncontent-type: {media_type}\r\n\r\n");
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--edge--\r\n");
    body
}

pub async fn send(app: &Router, request: Request<Body>) -> (StatusCode, HeaderMap, Vec<u8>) {
    let response = app.clone().oneshot(request).await.unwrap();
    let (parts, body) = response.into_parts();
    (parts.status, parts.headers, to_bytes(body, usize::MAX).await.unwrap().to_vec())
}

/// Sends a request that must succeed, and gives its JSON.
pub async fn json(app: &Router, request: Request<Body>) -> Value {
    let told = format!("{} {}", request.method(), request.uri());
    let (status, _, body) = send(app, request).await;
    assert_eq!(status, StatusCode::OK, "{told}: {}", String::from_utf8_lossy(&body));
    serde_json::from_slice(&body).unwrap()
}

/// A kind of problem of our own.
pub fn is(kind: &str) -> String {
    format!("urn:factmask:problem:{kind}")
}

/// Sends a request that must come back as a problem of this status and kind.
pub async fn problem(app: &Router, request: Request<Body>, status: u16, kind: &str) -> (Value, HeaderMap) {
    let told = format!("{} {}", request.method(), request.uri());
    let (found, headers, body) = send(app, request).await;
    let text = String::from_utf8_lossy(&body).into_owned();
    assert_eq!(found.as_u16(), status, "{told}: {text}");
    assert_eq!(headers[header::CONTENT_TYPE], "application/problem+json", "{told}: {text}");
    let body: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(body["type"], kind, "{told}: {text}");
    assert_eq!(body["status"], status, "{told}: {text}");
    let said = |key: &str| body[key].as_str().unwrap_or_default().to_owned();
    assert!(!said("title").is_empty() && !said("detail").is_empty(), "{told}: {text}");
    // What the program is built from is nobody's business.
    assert!(
        !["struct ", "Body", "factmask_", "axum", "serde"].iter().any(|inner| text.contains(inner)),
        "{told}: {text}"
    );
    (body, headers)
}
