//! The HTTP interface: answers with their quotes, and an error of every kind as a problem.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use axum::{
    body::{Body, to_bytes},
    http::{HeaderMap, Method, Request, StatusCode, header},
};
use factmask_engine::{Engine, EngineOptions};
use factmask_graph::{Store, TenantId};
use factmask_ingest::{Pipeline, PipelineOptions};
use factmask_schema::Schema;
use factmask_server::{
    Ask, Service, ServiceError, Tenants,
    http::{App, Facts, Reply, router, start},
};
use serde_json::Value;
use std::{
    fs,
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tower::ServiceExt;

#[path = "support/command.rs"]
mod command;

/// A service over one small document, held in memory, that answers without a language model.
fn service() -> Arc<Service> {
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

fn facts() -> Facts {
    Facts { tenant: "default".to_owned(), model: None, accelerator: "none: not looked for".to_owned() }
}

/// The interface over `service`, whose questions are answered by `answer`.
fn app(answer: impl Fn(&Ask) -> Reply + Send + Sync + 'static, places: usize, timeout: Duration) -> axum::Router {
    let (queue, _workers) = start(answer, 1, places).unwrap();
    router(App::new(service(), queue, facts()), timeout)
}

fn real_app() -> axum::Router {
    let service = service();
    app(move |ask| service.ask(ask), 4, Duration::from_secs(30))
}

fn request(method: Method, path: &str, content_type: Option<&str>, body: impl Into<Body>) -> Request<Body> {
    let mut request = Request::builder().method(method).uri(path);
    if let Some(value) = content_type {
        request = request.header(header::CONTENT_TYPE, value);
    }
    request.body(body.into()).unwrap()
}

fn question(body: &str) -> Request<Body> {
    request(Method::POST, "/v1/answers", Some("application/json"), body.to_owned())
}

async fn send(app: &axum::Router, request: Request<Body>) -> (StatusCode, HeaderMap, Vec<u8>) {
    let response = app.clone().oneshot(request).await.unwrap();
    let (parts, body) = response.into_parts();
    (parts.status, parts.headers, to_bytes(body, usize::MAX).await.unwrap().to_vec())
}

/// Sends a request that must come back as a problem of this status and kind.
async fn problem(app: &axum::Router, request: Request<Body>, status: u16, kind: &str) -> (Value, HeaderMap) {
    let told = format!("{} {}", request.method(), request.uri());
    let (found, headers, body) = send(app, request).await;
    let text = String::from_utf8_lossy(&body).into_owned();
    assert_eq!(found.as_u16(), status, "{told}: {text}");
    assert_eq!(headers[header::CONTENT_TYPE], "application/problem+json", "{told}: {text}");
    let body: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(body["type"], kind, "{told}: {text}");
    assert_eq!(body["status"], status, "{told}: {text}");
    assert!(
        !body["title"].as_str().unwrap().is_empty() && !body["detail"].as_str().unwrap().is_empty(),
        "{told}: {text}"
    );
    (body, headers)
}

#[tokio::test]
async fn an_answer_cites_bytes_that_hold_it() {
    let app = real_app();
    let (status, _, body) =
        send(&app, question(r#"{"question": "What is the capital of Freedonia?", "explain": true}"#)).await;
    let body: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(status, StatusCode::OK, "{body}");
    assert_eq!((body["status"].as_str(), body["text"].as_str()), (Some("answered"), Some("Marxville")), "{body}");
    assert_eq!(body["values"][0]["type"], "entity", "{body}");
    assert_eq!(body["facts"][0]["relation"]["name"], "capital", "{body}");
    let evidence = &body["facts"][0]["evidence"][0];
    let range = evidence["start"].as_u64().unwrap() as usize..evidence["end"].as_u64().unwrap() as usize;
    assert_eq!(evidence["quote"].as_str().unwrap(), &command::FACTS[range], "{body}");
    assert!(evidence["quote"].as_str().unwrap().contains("e:marxville"), "{body}");
    assert!(body["explanation"].is_object() && body["timings"]["total_ms"].is_number(), "{body}");

    let (status, _, body) = send(&app, question(r#"{"question": "What is the capital of Sylvania?"}"#)).await;
    let body: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!((status, body["status"].as_str()), (StatusCode::OK, Some("not_in_kb")), "{body}");
    assert_eq!(body["values"], Value::Array(Vec::new()), "{body}");
    assert!(body.get("explanation").is_none(), "{body}");
}

#[tokio::test]
async fn every_bad_request_is_a_problem() {
    let app = real_app();
    let json = Some("application/json");
    let long = format!(r#"{{"question": "{}"}}"#, "x".repeat(100_000));
    let huge = format!(r#"{{"question": "{}"}}"#, "x".repeat(2 << 20));
    let post = |content_type, body: &str| request(Method::POST, "/v1/answers", content_type, body.to_owned());
    let own = |kind: &str| format!("urn:factmask:problem:{kind}");
    let blank = "about:blank".to_owned();
    let cases = [
        (request(Method::GET, "/nowhere", None, ""), 404, blank.clone()),
        (request(Method::GET, "/v1/answers/7", None, ""), 404, blank.clone()),
        (request(Method::GET, "/docs/nowhere.js", None, ""), 404, blank.clone()),
        (request(Method::GET, "/v1/answers", None, ""), 405, blank.clone()),
        (request(Method::POST, "/health", None, ""), 405, blank.clone()),
        (post(json, &huge), 413, blank.clone()),
        (post(None, "{}"), 415, blank.clone()),
        (post(Some("text/plain"), r#"{"question": "x"}"#), 415, blank),
        (post(json, ""), 400, own("malformed")),
        (post(json, "{"), 400, own("malformed")),
        (post(json, "\u{0}\u{1}"), 400, own("malformed")),
        (post(json, "[]"), 422, own("request")),
        (post(json, "{}"), 422, own("request")),
        (post(json, r#"{"question": 7}"#), 422, own("request")),
        (post(json, r#"{"question": "x", "explian": true}"#), 422, own("request")),
        (post(json, r#"{"question": "  "}"#), 422, own("question")),
        (post(json, &long), 422, own("question")),
        (post(json, r#"{"question": "x", "tenant": "../etc"}"#), 422, own("tenant-name")),
        (post(json, r#"{"question": "x", "tenant": "absent"}"#), 404, own("no-tenant")),
    ];
    for (request, status, kind) in cases {
        problem(&app, request, status, &kind).await;
    }
    let (_, headers) = problem(&app, request(Method::PUT, "/v1/answers", None, ""), 405, "about:blank").await;
    assert_eq!(headers[header::ALLOW], "POST");
}

#[tokio::test]
async fn pages_and_health_are_there() {
    let app = real_app();
    for (path, status, content_type, words) in [
        ("/", 200, "text/html", "/v1/answers"),
        ("/docs/", 200, "text/html", "swagger"),
        ("/openapi.json", 200, "application/json", "/v1/answers"),
        ("/health", 200, "application/json", "\"facts\":1"),
        ("/docs", 303, "", ""),
    ] {
        let (found, headers, body) = send(&app, request(Method::GET, path, None, "")).await;
        let text = String::from_utf8_lossy(&body);
        assert_eq!(found.as_u16(), status, "{path}: {text}");
        let media_type = headers.get(header::CONTENT_TYPE).map_or("", |value| value.to_str().unwrap());
        assert!(media_type.starts_with(content_type) && text.contains(words), "{path}: {media_type} {text}");
    }
}

/// Holds questions until it is opened, and counts those that were begun.
#[derive(Default)]
struct Gate {
    open: Mutex<bool>,
    opened: Condvar,
    begun: AtomicUsize,
}

impl Gate {
    fn answer(&self) -> Reply {
        self.begun.fetch_add(1, Ordering::SeqCst);
        let open = self.open.lock().unwrap();
        drop(self.opened.wait_while(open, |open| !*open).unwrap());
        Err(ServiceError::NoTenant("held".to_owned()))
    }

    fn open(&self) {
        *self.open.lock().unwrap() = true;
        self.opened.notify_all();
    }

    async fn until_begun(&self, count: usize) {
        for _ in 0..1_000 {
            if self.begun.load(Ordering::SeqCst) >= count {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("{count} questions were not begun");
    }
}

#[tokio::test]
async fn a_full_queue_refuses_and_a_client_that_leaves_takes_its_question_back() {
    let gate = Arc::new(Gate::default());
    let held = Arc::clone(&gate);
    let app = app(move |_| held.answer(), 1, Duration::from_secs(60));
    let ask = || {
        let app = app.clone();
        tokio::spawn(async move { send(&app, question(r#"{"question": "x"}"#)).await.0 })
    };
    let first = ask();
    gate.until_begun(1).await;
    let second = ask();
    // The second takes the one place. How soon cannot be seen from here, so ask until it has.
    let mut refused = None;
    for _ in 0..1_000 {
        let (status, headers, _) =
            tokio::time::timeout(Duration::from_millis(50), send(&app, question(r#"{"question": "x"}"#)))
                .await
                .unwrap_or_default();
        if status == StatusCode::SERVICE_UNAVAILABLE {
            refused = Some(headers);
            break;
        }
    }
    let headers = refused.expect("the queue is full");
    assert_eq!(headers[header::RETRY_AFTER], "1");
    assert_eq!(headers[header::CONTENT_TYPE], "application/problem+json");

    second.abort();
    let _ = second.await;
    gate.open();
    assert_eq!(first.await.unwrap(), StatusCode::NOT_FOUND);
    // The place of the one that was taken back is free as soon as the thread has seen that it was.
    while ask().await.unwrap() == StatusCode::SERVICE_UNAVAILABLE {}
    assert_eq!(gate.begun.load(Ordering::SeqCst), 2, "what waited and was taken back was never begun");
}

#[tokio::test]
async fn slow_and_broken_answers_are_problems_and_the_next_question_is_answered() {
    let gate = Arc::new(Gate::default());
    let held = Arc::clone(&gate);
    let app = app(
        move |ask| match ask.question.as_str() {
            "slow" => held.answer(),
            "broken" => panic!("of the inside"),
            _ => Err(ServiceError::NoTenant("reached".to_owned())),
        },
        4,
        // Long enough for a panic to be printed with its backtrace on a busy machine.
        Duration::from_secs(8),
    );
    problem(&app, question(r#"{"question": "slow"}"#), 504, "urn:factmask:problem:timeout").await;
    gate.open();
    let (body, _) = problem(&app, question(r#"{"question": "broken"}"#), 500, "urn:factmask:problem:internal").await;
    assert!(!body.to_string().contains("inside"), "what broke is for the log: {body}");
    problem(&app, question(r#"{"question": "next"}"#), 404, "urn:factmask:problem:no-tenant").await;
}

/// The interface that is committed is the one that is served. `FACTMASK_WRITE_OPENAPI=1` writes it anew.
#[test]
fn the_openapi_document_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");
    let mut current = serde_json::to_string_pretty(&factmask_server::http::openapi()).unwrap();
    current.push('\n');
    if std::env::var_os("FACTMASK_WRITE_OPENAPI").is_some() {
        fs::write(path, &current).unwrap();
    }
    let committed = fs::read_to_string(path).unwrap_or_default();
    assert!(committed == current, "server/openapi.json is not current: run this test with FACTMASK_WRITE_OPENAPI=1");
}
