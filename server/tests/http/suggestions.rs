//! What the documents have and the schema has not, and what people decide of it.

use super::support::{get, is, json, post, problem, question, real_app, request, schema_as_json, upload};
use axum::{body::Body, http::Method, http::Request};
use serde_json::{Value, json as object};

const TABLE: &[u8] = b"Country,Capital,Anthem\nFreedonia,Marxville,Hail\nSylvania,Otherville,Onward\n";

fn put(id: &str, body: &Value) -> Request<Body> {
    request(Method::PUT, &format!("/v1/schema/suggestions/{id}"), Some("application/json"), body.to_string())
}

#[tokio::test]
async fn suggestions_are_shown_decided_on_and_read_once_they_are_published() {
    let app = real_app();
    let none = json(&app, get("/v1/schema/suggestions")).await;
    json(&app, upload("/v1/documents", &[("lands.csv", "text/csv", TABLE)])).await;
    let listed = json(&app, get("/v1/schema/suggestions")).await;
    assert_eq!(listed["total"].as_u64(), none["total"].as_u64().map(|total| total + 1), "{listed}");
    let found = listed["suggestions"].as_array().unwrap().iter().find(|one| one["label"] == "anthem").cloned();
    let found = found.unwrap_or_else(|| panic!("{listed}"));
    for (key, expected) in [
        ("kind", object!("relation")),
        ("source", object!("column")),
        ("domain", object!("http://example.com/Country")),
        ("count", object!(2)),
        ("subjects", object!(2)),
        ("state", object!("open")),
        ("class", object!(null)),
    ] {
        assert_eq!(found[key], expected, "{key} of {found}");
    }
    assert_eq!(
        (&found["evidence"][0]["quote"], &found["evidence"][0]["start"]),
        (&object!("Hail"), &object!(43)),
        "{found}"
    );

    let id = found["id"].as_str().unwrap().to_owned();
    let rejected = json(&app, put(&id, &object!({ "state": "rejected" }))).await;
    assert_eq!(rejected["state"], "rejected");
    for (state, expected) in [("rejected", 1), ("open", none["total"].as_u64().unwrap()), ("accepted", 0)] {
        let listed = json(&app, get(&format!("/v1/schema/suggestions?state={state}"))).await;
        assert_eq!(listed["total"], expected, "{listed}");
    }
    // A new epoch forgets no decision; a decision can be taken back.
    json(&app, upload("/v1/documents", &[("more.csv", "text/csv", b"Country,Capital\nNowhere,Nowheretown\n")])).await;
    assert_eq!(json(&app, get("/v1/schema/suggestions?state=rejected")).await["total"], 1);
    json(&app, put(&id, &object!({ "state": "open" }))).await;
    assert_eq!(json(&app, get("/v1/schema/suggestions?state=rejected")).await["total"], 0);

    // What is suggested is a relation that can be published as it is, and then the column is read.
    let (mut with, _) = schema_as_json(&app).await;
    with["relations"].as_array_mut().unwrap().push(found["relation"].clone());
    let proposal = object!({ "schema": with, "author": "ann", "reason": "suggested" });
    assert!(json(&app, post("/v1/schema/publish", &proposal)).await["version"].is_u64());
    json(&app, upload("/v1/documents", &[("lands.csv", "text/csv", TABLE)])).await;
    let left = json(&app, get("/v1/schema/suggestions")).await;
    assert_eq!(left["total"], none["total"], "{left}");
    let answer = json(&app, question(r#"{"question": "What is the anthem of Freedonia?"}"#)).await;
    assert_eq!((&answer["status"], &answer["values"][0]["text"]), (&object!("answered"), &object!("Hail")), "{answer}");

    for (wrong, status, kind) in [
        (put("0123456789abcdef", &object!({ "state": "open" })), 404, "no-suggestion"),
        (put(&id, &object!({ "state": "perhaps" })), 422, "request"),
        (get("/v1/schema/suggestions?least=0"), 422, "request"),
        (get("/v1/schema/suggestions?limit=0"), 422, "request"),
        (get("/v1/schema/suggestions?tenant=nobody"), 404, "no-tenant"),
    ] {
        problem(&app, wrong, status, &is(kind)).await;
    }
}
