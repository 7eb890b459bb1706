//! Who is who, and what people decide of it.

use super::support::{get, is, json, problem, real_app, request, upload};
use axum::{body::Body, http::Method, http::Request};
use serde_json::{Value, json as object};

const GIVEN: &str = "http://example.com/freedonia";
const MINTED: &str = "urn:factmask:entity:Country:freedonia";

fn decision(body: &Value) -> Request<Body> {
    request(Method::POST, "/v1/identity", Some("application/json"), body.to_string())
}

#[tokio::test]
async fn pairs_and_decisions() {
    let app = real_app();
    let table = b"Country,Capital\nFreedonia,Marxville\nFredonia,Otherville\n";
    json(&app, upload("/v1/documents", &[("lands.csv", "text/csv", table)])).await;
    let merged = json(&app, get("/v1/identity?state=merged")).await;
    let of = |body: &Value| {
        let pair = body["pairs"].as_array().unwrap().iter().find(|pair| pair["other"]["iri"] == MINTED).cloned();
        pair.unwrap_or_else(|| panic!("{body}"))
    };
    let pair = of(&merged);
    assert_eq!((&pair["one"]["iri"], &pair["by"]), (&GIVEN.into(), &"rule".into()), "{pair}");
    assert!(pair["score"].as_f64().unwrap() > 0.8 && pair["reasons"][0] == "the same name", "{pair}");
    let epoch = merged["epoch"].as_u64().unwrap();

    let same = |one: &str, other: &str, decision: &str| object!({"one": one, "other": other, "decision": decision, "author": "ann", "reason": "two lands"});
    let pair = json(&app, decision(&same(MINTED, GIVEN, "different"))).await;
    assert_eq!((&pair["state"], &pair["by"]), (&"apart".into(), &"hand".into()), "{pair}");
    assert_eq!(pair["reasons"], object!(["ann: two lands"]), "{pair}");
    let apart = json(&app, get("/v1/identity?state=apart")).await;
    assert_eq!(of(&apart)["id"], pair["id"], "{apart}");
    assert_eq!(apart["epoch"].as_u64().unwrap(), epoch + 1);
    let facts = json(&app, get("/v1/facts?subject=http%3A%2F%2Fexample.com%2Ffreedonia")).await;
    assert_eq!(facts["facts"][0]["evidence"].as_array().unwrap().len(), 1, "{facts}");

    let pair = json(&app, decision(&same(GIVEN, MINTED, "undecided"))).await;
    assert_eq!((&pair["state"], &pair["by"]), (&"merged".into(), &"rule".into()), "{pair}");
    let facts = json(&app, get("/v1/facts?subject=http%3A%2F%2Fexample.com%2Ffreedonia")).await;
    assert_eq!(facts["facts"][0]["evidence"].as_array().unwrap().len(), 2, "{facts}");

    for (body, status, kind) in [
        (same(GIVEN, "urn:nobody", "same"), 404, "no-entity"),
        (same(GIVEN, GIVEN, "same"), 422, "request"),
        (same(GIVEN, "not an iri", "same"), 422, "request"),
        (same(GIVEN, MINTED, "perhaps"), 422, "request"),
        (object!({"one": GIVEN, "other": MINTED, "decision": "same", "author": "", "reason": "x"}), 422, "request"),
    ] {
        problem(&app, decision(&body), status, &is(kind)).await;
    }
    for path in ["/v1/identity?state=perhaps", "/v1/identity?limit=0"] {
        problem(&app, get(path), 422, &is("request")).await;
    }
}
