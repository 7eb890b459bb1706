//! Uploading and deleting documents.

use super::{
    command::FACTS,
    support::{LIMITS, form, get, is, json, over, problem, question, real_app, request, send, service, upload},
};
use axum::{
    body::{Body, Bytes},
    http::{Method, StatusCode, header},
};
use factmask_server::{Ask, http::Limits};
use serde_json::Value;
use std::{
    convert::Infallible,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::{Duration, Instant},
};

const SYLVANIA: &[u8] = b"@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix e: <http://example.com/> .\n\
    e:sylvania a e:Country ; rdfs:label \"Sylvania\"@en ; e:capital e:marxville .\n\
    e:freedonia e:capital e:marxville .\n";

#[tokio::test]
async fn an_upload_is_in_the_next_answer() {
    let app = real_app();
    let ask = || question(r#"{"question": "What is the capital of Sylvania?"}"#);
    assert_eq!(json(&app, ask()).await["status"], "not_in_kb");
    let before = json(&app, get("/health")).await["epoch"].as_u64().unwrap();
    let large = vec![b'x'; 2_001];
    let files: [(&str, &str, &[u8]); 6] = [
        ("sylvania.ttl", "application/octet-stream", SYLVANIA),
        ("countries.ttl", "text/turtle", FACTS.as_bytes()),
        ("broken.ttl", "text/turtle", b"e:x e:y"),
        ("large.txt", "text/plain", &large),
        ("picture.png", "image/png", b"\x89PNG"),
        ("sylvania.ttl", "text/turtle", b"<e:a> <e:b> <e:c> ."),
    ];
    let body = json(&app, upload("/v1/documents", &files)).await;
    let ends: Vec<(String, String, u64, String)> = body["documents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| {
            let said = |key: &str| file[key].as_str().unwrap_or_default().to_owned();
            (said("document"), said("outcome"), file["facts"].as_u64().unwrap(), said("reason"))
        })
        .collect();
    for ((name, outcome, facts, reason), (expected, end, count, words)) in ends.iter().zip([
        ("sylvania.ttl", "ingested", 2, ""),
        ("countries.ttl", "unchanged", 1, ""),
        ("broken.ttl", "rejected", 0, "broken.ttl:1"),
        ("large.txt", "rejected", 0, "2001 bytes, more than the limit of 2000"),
        ("picture.png", "rejected", 0, "media type image/png"),
        ("sylvania.ttl", "rejected", 0, "twice"),
    ]) {
        assert_eq!((name.as_str(), outcome.as_str(), *facts), (expected, end, count), "{body}");
        assert!(reason.contains(words) && reason.is_empty() == words.is_empty(), "{body}");
    }
    // What is to be done ahead of questions is done anew.
    let began = Instant::now();
    while json(&app, get("/health")).await["warming"]["stage"] != "done" {
        assert!(began.elapsed() < Duration::from_secs(20));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(body["epoch"].as_u64().unwrap() > before, "{body}");

    let answer = json(&app, ask()).await;
    assert_eq!((&answer["text"], &answer["epoch"]), (&"Marxville".into(), &body["epoch"]), "{answer}");
    assert_eq!(answer["facts"][0]["evidence"][0]["document"], "sylvania.ttl", "{answer}");
}

#[tokio::test]
async fn a_deletion_is_told_before_it_is_done() {
    let app = real_app();
    json(&app, upload("/v1/documents", &[("sylvania.ttl", "text/turtle", SYLVANIA)])).await;
    let delete = |query: &str| request(Method::DELETE, &format!("/v1/documents/sylvania.ttl{query}"), None, "");
    let told = json(&app, delete("?dry_run=true")).await;
    assert_eq!((&told["facts_removed"]["count"], &told["facts_kept"]["count"]), (&1.into(), &1.into()), "{told}");
    assert_eq!(told["facts_removed"]["first"][0]["subject"]["name"], "Sylvania", "{told}");
    assert_eq!(told["orphaned_entities"]["first"][0]["name"], "Sylvania", "{told}");
    assert_eq!(json(&app, get("/v1/documents")).await["total"], 2, "nothing was done");

    let done = json(&app, delete("")).await;
    for key in ["facts_removed", "facts_kept", "orphaned_entities"] {
        assert_eq!(done[key], told[key], "{key}");
    }
    assert_eq!(done["epoch"].as_u64(), told["epoch"].as_u64().map(|epoch| epoch + 1), "{done}");
    assert_eq!(json(&app, get("/v1/facts")).await["total"], 1);
    assert_eq!(
        json(&app, question(r#"{"question": "What is the capital of Sylvania?"}"#)).await["status"],
        "not_in_kb"
    );
    problem(&app, delete(""), 404, &is("no-document")).await;
    problem(&app, delete("?dry_run=true"), 404, &is("no-document")).await;
    problem(&app, delete("?dry_run=perhaps"), 422, &is("request")).await;
    problem(&app, delete("?tenant=absent"), 404, &is("no-tenant")).await;
    problem(&app, request(Method::DELETE, "/v1/documents/%0a", None, ""), 422, &is("request")).await;
}

#[tokio::test]
async fn uploads_that_cannot_be_taken() {
    let app = real_app();
    let post = |content_type: &str, body: Vec<u8>| request(Method::POST, "/v1/documents", Some(content_type), body);
    let multipart = "multipart/form-data; boundary=edge";
    let whole = form(&[("a.txt", "text/plain", b"words")]);
    let field = b"--edge\r\ncontent-disposition: form-data; name=\"tenant\"\r\n\r\ndefault\r\n--edge--\r\n".to_vec();
    let many: Vec<(&str, &str, &[u8])> = vec![("a.txt", "text/plain", b"words"); 1_001];
    let cases = [
        (post("text/plain", b"words".to_vec()), 415, "about:blank".to_owned()),
        (post("application/json", b"{}".to_vec()), 415, "about:blank".to_owned()),
        (post("multipart/form-data", whole.clone()), 400, is("malformed")),
        (post(multipart, whole[..whole.len() - 12].to_vec()), 400, is("malformed")),
        (post(multipart, b"nonsense".to_vec()), 400, is("malformed")),
        (post(multipart, b"--edge--\r\n".to_vec()), 422, is("request")),
        (post(multipart, field), 422, is("request")),
        (post(multipart, vec![b'-'; 200_000]), 413, "about:blank".to_owned()),
        (upload("/v1/documents?tenant=absent", &[("a.txt", "text/plain", b"words")]), 404, is("no-tenant")),
        (upload("/v1/documents?tenat=default", &[("a.txt", "text/plain", b"words")]), 422, is("request")),
    ];
    for (request, status, kind) in cases {
        problem(&app, request, status, &kind).await;
    }
    let service = service();
    let roomy = over(service, Arc::new(|_: &Ask| unreachable!()), Limits { upload_bytes: 1 << 20, ..LIMITS }, false);
    problem(&roomy, upload("/v1/documents", &many), 422, &is("request")).await;
    assert_eq!(json(&app, get("/v1/documents")).await["total"], 1, "nothing of it was kept");
}

/// A body that begins and never ends.
struct Stalled(Option<Bytes>);

impl futures_core::Stream for Stalled {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.take().map_or(Poll::Pending, |bytes| Poll::Ready(Some(Ok(bytes))))
    }
}

fn stalled() -> axum::http::Request<Body> {
    let mut begun = form(&[("slow.txt", "text/plain", b"The capital of Sylvania is Marxville.")]);
    begun.truncate(begun.len() - 20);
    let body = Body::from_stream(Stalled(Some(Bytes::from(begun))));
    request(Method::POST, "/v1/documents", Some("multipart/form-data; boundary=edge"), body)
}

#[tokio::test]
async fn a_slow_upload_is_given_up_and_leaves_nothing() {
    let service = service();
    let limits = Limits { upload_timeout: Duration::from_millis(200), ..LIMITS };
    let app = over(Arc::clone(&service), Arc::new(|_: &Ask| unreachable!()), limits, false);
    problem(&app, stalled(), 408, &is("slow-upload")).await;
    let tenant = service.tenants().tenant("default").unwrap();
    let left = || std::fs::read_dir(service.tenants().uploads(&tenant).unwrap()).unwrap().count();
    assert_eq!(left(), 0);
    assert_eq!(json(&app, get("/v1/documents")).await["total"], 1);
}

#[tokio::test]
async fn a_client_that_leaves_takes_its_upload_along() {
    let service = service();
    let app = over(Arc::clone(&service), Arc::new(|_: &Ask| unreachable!()), LIMITS, false);
    let tenant = service.tenants().tenant("default").unwrap();
    let left = || std::fs::read_dir(service.tenants().uploads(&tenant).unwrap()).unwrap().count();
    let sending = tokio::spawn({
        let app = app.clone();
        async move { send(&app, stalled()).await.0 }
    });
    while left() == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    // Meanwhile the one place for uploads is taken, and reading goes on.
    let (_, headers) =
        problem(&app, upload("/v1/documents", &[("a.txt", "text/plain", b"x")]), 503, &is("queue-full")).await;
    assert_eq!(headers[header::RETRY_AFTER], "1");
    assert_eq!(json(&app, get("/v1/documents")).await["total"], 1);
    sending.abort();
    let _ = sending.await;
    assert_eq!(left(), 0);
    let body: Value = json(&app, upload("/v1/documents", &[("a.csv", "text/csv", b"Country,Capital\nA,B\n")])).await;
    assert_eq!(body["documents"][0]["outcome"], "ingested", "{body}");
    assert_eq!((left(), json(&app, get("/v1/documents")).await["total"].as_u64()), (0, Some(2)));
}

#[tokio::test]
async fn another_method_names_those_that_the_path_takes() {
    let app = real_app();
    let (_, headers) = problem(&app, request(Method::PUT, "/v1/documents", None, ""), 405, "about:blank").await;
    let allowed = headers[header::ALLOW].to_str().unwrap();
    assert!(allowed.contains("GET") && allowed.contains("POST"), "{allowed}");
    assert_eq!(send(&app, get("/v1/documents")).await.0, StatusCode::OK);
}
