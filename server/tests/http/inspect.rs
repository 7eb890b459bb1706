//! Looking behind answers: texts, queries, feedback, numbers.

use super::{
    command::FACTS,
    support::{get, is, json, problem, question, real_app, request, send, upload},
};
use axum::{
    body::Body,
    http::{Method, Request, StatusCode},
};
use serde_json::{Value, json};

fn post(path: &str, body: &Value) -> Request<Body> {
    request(Method::POST, path, Some("application/json"), body.to_string())
}

#[tokio::test]
async fn a_document_is_shown_by_bytes_in_whole_characters() {
    let app = real_app();
    let text = "The capital of Österland is Grün.\nVienna.\n";
    let files: [(&str, &str, &[u8]); 1] = [("notes ü.txt", "text/plain", text.as_bytes())];
    json(&app, upload("/v1/documents", &files)).await;
    let path = "/v1/documents/notes%20%C3%BC.txt/text";
    let body = json(&app, get(path)).await;
    assert_eq!((&body["text"], &body["from"], &body["to"]), (&text.into(), &0.into(), &text.len().into()), "{body}");
    assert_eq!((&body["bytes"], &body["page"]), (&text.len().into(), &Value::Null), "{body}");
    // Both ends fall into the middle of a character.
    let (start, end) = (text.find('Ö').unwrap(), text.find('ü').unwrap());
    let body = json(&app, get(&format!("{path}?from={}&to={}", start + 1, end + 1))).await;
    assert_eq!(body["text"], text[start..end + 2], "{body}");
    assert_eq!((&body["from"], &body["to"]), (&start.into(), &(end + 2).into()), "{body}");
    for (query, text) in [("from=9999", ""), ("from=20&to=3", "")] {
        assert_eq!(json(&app, get(&format!("{path}?{query}"))).await["text"], text, "{query}");
    }
    // What a fact cites is found in it.
    let body = json(&app, get("/v1/documents/countries.ttl/text")).await;
    assert_eq!(body["text"], FACTS);
    problem(&app, get("/v1/documents/absent/text"), 404, &is("no-document")).await;
    problem(&app, get(&format!("{path}?from=-1")), 422, &is("request")).await;
}

#[tokio::test]
async fn queries_give_tables_with_names() {
    let app = real_app();
    let ask = |query: &str| post("/v1/sparql", &json!({ "query": query }));
    let body = json(&app, ask("SELECT DISTINCT ?city WHERE { ?land <http://example.com/capital> ?city }")).await;
    assert_eq!(body["columns"], json!(["city"]), "{body}");
    let cell = json!({ "kind": "iri", "value": "http://example.com/marxville", "name": "Marxville" });
    assert_eq!((&body["rows"], &body["truncated"]), (&json!([[cell]]), &false.into()), "{body}");
    let body = json(&app, ask("ASK { ?land <http://example.com/capital> ?city }")).await;
    assert_eq!(body["boolean"], true, "{body}");
    let body = json(&app, ask("SELECT (1.5 AS ?n) (\"a\"@en AS ?t) ?u WHERE {}")).await;
    let row = json!([
        { "kind": "literal", "value": "1.5", "datatype": "http://www.w3.org/2001/XMLSchema#decimal" },
        { "kind": "literal", "value": "a", "lang": "en" },
        null
    ]);
    assert_eq!(body["rows"], json!([row]), "{body}");
    let body = json(&app, ask("CONSTRUCT { ?s ?p ?o } WHERE { ?s <http://example.com/capital> ?o ; ?p ?o }")).await;
    assert_eq!(body["columns"], json!(["subject", "predicate", "object"]), "{body}");
    // Nothing can be changed, and what is no query is told.
    for query in ["DELETE WHERE { ?s ?p ?o }", "SELECT", "SELECT * { SERVICE <http://example.com/> { ?s ?p ?o } }"] {
        problem(&app, ask(query), 422, &is("query")).await;
    }
    let (open, close) = ("{".repeat(2_000), "}".repeat(2_000));
    let (open_round, close_round) = ("(".repeat(2_000), ")".repeat(2_000));
    for query in [
        format!("SELECT * WHERE {{ {open} {close} }}"),
        format!("SELECT ({open_round}1{close_round} AS ?x) WHERE {{}}"),
        format!("SELECT ({}1 AS ?x) WHERE {{}}", "!".repeat(5_000)),
        format!("ASK {{ # {}\n }}", "x".repeat(200_000)),
    ] {
        problem(&app, ask(&query), 422, &is("query")).await;
    }
    problem(&app, post("/v1/sparql", &json!({ "sparql": "ASK {}" })), 422, &is("request")).await;
    problem(&app, post("/v1/sparql?tenant=absent", &json!({ "query": "ASK {}" })), 404, &is("no-tenant")).await;
}

/// A query without end must not hold up those that come after it.
#[tokio::test]
async fn a_query_whose_client_goes_away_is_ended() {
    let app = real_app();
    let triple = "?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o . ?p ?q ?r . ?s ?t ?u . ?v ?w ?x";
    let endless = post("/v1/sparql", &json!({ "query": format!("SELECT (COUNT(*) AS ?n) WHERE {{ {triple} }}") }));
    let short = std::time::Duration::from_millis(300);
    assert!(tokio::time::timeout(short, send(&app, endless)).await.is_err(), "the query was to take for ever");
    let next = post("/v1/sparql", &json!({ "query": "ASK {}" }));
    let patience = std::time::Duration::from_secs(20);
    let (status, ..) = tokio::time::timeout(patience, send(&app, next)).await.expect("held up");
    assert_eq!(status, StatusCode::OK);
}

#[tokio::test]
async fn feedback_is_kept_listed_and_forgotten() {
    let app = real_app();
    assert_eq!(json(&app, get("/v1/feedback")).await["items"], json!([]));
    let said =
        |question: &str, verdict: &str| post("/v1/feedback", &json!({ "question": question, "verdict": verdict }));
    let first = json(&app, said("Who?", "right")).await;
    let second = json(&app, said("Who?", "should_refuse")).await;
    assert_ne!(first["id"], second["id"]);
    let listed = json(&app, get("/v1/feedback")).await;
    assert_eq!(listed["items"], json!([second, first]), "the latest first");
    let id = first["id"].as_str().unwrap();
    let forget = || request(Method::DELETE, &format!("/v1/feedback/{id}"), None, "");
    assert_eq!(send(&app, forget()).await.0, StatusCode::NO_CONTENT);
    problem(&app, forget(), 404, &is("no-feedback")).await;
    assert_eq!(json(&app, get("/v1/feedback")).await["items"], json!([second]));
    problem(&app, said("", "right"), 422, &is("question")).await;
    problem(&app, said("Who?", "perhaps"), 422, &is("request")).await;
    let long = json!({ "question": "Who?", "verdict": "right", "note": "a".repeat(30_000) });
    problem(&app, post("/v1/feedback", &long), 422, &is("request")).await;
}

#[tokio::test]
async fn numbers_count_what_came_of_questions() {
    let app = real_app();
    json(&app, question(r#"{"question": "What is the capital of Freedonia?"}"#)).await;
    json(&app, question(r#"{"question": "What is the capital of Ruritania?"}"#)).await;
    let body = json(&app, get("/v1/numbers")).await;
    let answers = &body["answers"];
    assert_eq!(
        (&answers["total"], &answers["answered"], &answers["not_in_kb"]),
        (&2.into(), &1.into(), &1.into()),
        "{body}"
    );
    let total = body["stages"].as_array().unwrap().iter().find(|stage| stage["stage"] == "total").unwrap();
    assert_eq!(total["count"], 2, "{body}");
    assert!(total["max_ms"].as_f64().unwrap() > 0.0, "{body}");
    let minutes = body["minutes"].as_array().unwrap();
    assert_eq!(minutes.iter().map(|minute| minute["asked"].as_u64().unwrap()).sum::<u64>(), 2, "{body}");
    assert_eq!(minutes.iter().map(|minute| minute["refused"].as_u64().unwrap()).sum::<u64>(), 1, "{body}");
}
