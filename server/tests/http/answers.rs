//! Answers, bad requests, pages.

use super::{
    command,
    support::{LIMITS, is, over, problem, question, real_app, request, send, service},
};
use axum::http::{HeaderName, Method, StatusCode, header};
use factmask_server::Ask;
use serde_json::Value;
use std::sync::Arc;

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

    let (status, _, body) =
        send(&app, question(r#"{"question": "What is the capital of Sylvania?", "from_text": false}"#)).await;
    let body: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!((status, body["status"].as_str()), (StatusCode::OK, Some("not_in_kb")), "{body}");
    for nothing in ["values", "spans", "conflicts"] {
        assert_eq!(body[nothing], Value::Array(Vec::new()), "{nothing}: {body}");
    }
    assert!(body.get("explanation").is_none(), "{body}");
}

#[tokio::test]
async fn a_later_question_goes_on_from_an_earlier_one_and_is_answered_in_a_sentence() {
    let app = real_app();
    let asked = r#"{"question": "What about Freedonia?", "sentence": true,
        "history": [{"question": "What is the capital of Freedonia?"}]}"#;
    let (status, _, body) = send(&app, question(asked)).await;
    let body: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!((status, body["text"].as_str()), (StatusCode::OK, Some("Marxville")), "{body}");
    assert_eq!(body["understood_as"], "What is the capital of Freedonia?", "{body}");
    assert_eq!(body["sentence"]["clauses"][0]["facts"], serde_json::json!([1]), "{body}");
    assert_eq!(body["sentence"]["text"], "The capital of Freedonia is Marxville [1].", "{body}");
}

#[tokio::test]
async fn every_bad_request_is_a_problem() {
    let app = real_app();
    let json = Some("application/json");
    let long = format!(r#"{{"question": "{}"}}"#, "x".repeat(100_000));
    let huge = format!(r#"{{"question": "{}"}}"#, "x".repeat(2 << 20));
    let post = |content_type, body: &str| request(Method::POST, "/v1/answers", content_type, body.to_owned());
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
        (post(json, ""), 400, is("malformed")),
        (post(json, "{"), 400, is("malformed")),
        (post(json, "\u{0}\u{1}"), 400, is("malformed")),
        (post(json, "[]"), 422, is("request")),
        (post(json, r#"["x", null, false, "default"]"#), 422, is("request")),
        (post(json, r#""x""#), 422, is("request")),
        (post(json, "null"), 422, is("request")),
        (post(json, "{}"), 422, is("request")),
        (post(json, r#"{"question": 7}"#), 422, is("request")),
        (post(json, r#"{"question": "x", "explian": true}"#), 422, is("request")),
        (post(json, r#"{"question": "x", "from_text": "no"}"#), 422, is("request")),
        (post(json, r#"{"question": "  "}"#), 422, is("question")),
        (post(json, r#"{"question": "x", "history": [{"question": " "}]}"#), 422, is("question")),
        (post(json, r#"{"question": "x", "history": [{"asked": "x"}]}"#), 422, is("request")),
        (post(json, &long), 422, is("question")),
        (post(json, r#"{"question": "x", "tenant": "../etc"}"#), 422, is("tenant-name")),
        (post(json, r#"{"question": "x", "tenant": "absent"}"#), 404, is("no-tenant")),
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
        ("/", 200, "text/html", "/assets/"),
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

/// Bound to a loopback address it answers this machine alone: neither a foreign name (DNS rebinding) nor a foreign page's form.
#[tokio::test]
async fn a_local_service_answers_this_machine_alone() {
    let service = service();
    let answering = Arc::clone(&service);
    let local = over(service, Arc::new(move |ask: &Ask| answering.ask(ask)), LIMITS, true);
    let with = |name: HeaderName, value: &str| {
        let mut request = request(Method::GET, "/health", None, "");
        request.headers_mut().insert(name, value.parse().unwrap());
        request
    };
    for host in ["localhost:7878", "127.0.0.1", "[::1]:7878"] {
        assert_eq!(send(&local, with(header::HOST, host)).await.0, StatusCode::OK, "{host}");
    }
    for host in ["evil.example:7878", "127.0.0.1.evil.example", ""] {
        problem(&local, with(header::HOST, host), 421, &is("foreign-host")).await;
    }
    assert_eq!(send(&local, with(header::ORIGIN, "http://localhost:7878")).await.0, StatusCode::OK);
    for origin in ["http://evil.example", "null"] {
        problem(&local, with(header::ORIGIN, origin), 403, &is("foreign-origin")).await;
    }
    // Elsewhere a service may have any name.
    assert_eq!(send(&real_app(), with(header::HOST, "evil.example")).await.0, StatusCode::OK);
}
