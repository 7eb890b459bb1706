//! Looking into the knowledge base.

use super::{
    command::FACTS,
    support::{get, is, json, problem, real_app, upload},
};
use serde_json::Value;

const FREEDONIA: &str = "http%3A%2F%2Fexample.com%2Ffreedonia";
const MARXVILLE: &str = "http%3A%2F%2Fexample.com%2Fmarxville";

#[tokio::test]
async fn an_entity_with_the_facts_about_it() {
    let app = real_app();
    let body = json(&app, get(&format!("/v1/entities/{FREEDONIA}"))).await;
    assert_eq!((&body["iri"], &body["name"]), (&"http://example.com/freedonia".into(), &"Freedonia".into()), "{body}");
    assert_eq!(body["labels"][0]["lang"], "en", "{body}");
    assert_eq!(body["classes"][0]["name"], "country", "{body}");
    assert_eq!((&body["facts_of"]["total"], &body["facts_to"]["total"]), (&1.into(), &0.into()), "{body}");
    let evidence = &body["facts_of"]["facts"][0]["evidence"][0];
    let at = |key: &str| evidence[key].as_u64().unwrap() as usize;
    assert_eq!(evidence["quote"].as_str().unwrap(), &FACTS[at("start")..at("end")], "{body}");
    let body = json(&app, get(&format!("/v1/entities/{MARXVILLE}"))).await;
    assert_eq!(body["facts_to"]["facts"][0]["subject"]["name"], "Freedonia", "{body}");

    for (path, status, kind) in [
        ("/v1/entities/http%3A%2F%2Fexample.com%2Fnobody", 404, "no-entity"),
        ("/v1/entities/not%20an%20iri", 422, "request"),
        ("/v1/entities/%ff%fe", 422, "request"),
        ("/v1/entities/e%3Ax?limit=0", 422, "request"),
        ("/v1/entities/e%3Ax?tenant=absent", 404, "no-tenant"),
        ("/v1/entities/e%3Ax?tenant=..", 422, "tenant-name"),
    ] {
        problem(&app, get(path), status, &is(kind)).await;
    }
}

/// Twelve cities: a table that a folder of documents would hold, and a text beside it.
async fn with_cities(app: &axum::Router) {
    let rows: String = (1..=12).map(|number| format!("Land {number},Town {number}\n")).collect();
    let table = format!("Country,Capital\n{rows}");
    let text = "The capital of Land 1 is Town 1.\n";
    let files: [(&str, &str, &[u8]); 2] =
        [("notes.txt", "text/plain", text.as_bytes()), ("lands.csv", "text/csv", table.as_bytes())];
    let body = json(app, upload("/v1/documents", &files)).await;
    let outcomes: Vec<&Value> = body["documents"].as_array().unwrap().iter().map(|file| &file["outcome"]).collect();
    assert_eq!(outcomes, ["ingested", "ingested"], "{body}");
}

#[tokio::test]
async fn facts_by_every_condition() {
    let app = real_app();
    with_cities(&app).await;
    let capital = "http%3A%2F%2Fexample.com%2Fcapital";
    for (query, total) in [
        (String::new(), 13),
        (format!("subject={FREEDONIA}"), 1),
        ("subject=e%3Anobody".to_owned(), 0),
        (format!("relation={capital}"), 13),
        (format!("object={MARXVILLE}"), 1),
        (format!("subject={FREEDONIA}&object={MARXVILLE}&relation={capital}"), 1),
        (format!("subject={MARXVILLE}&object={MARXVILLE}"), 0),
        ("object=words".to_owned(), 0),
        ("document=notes.txt".to_owned(), 1),
        ("document=lands.csv".to_owned(), 12),
        ("document=nothing".to_owned(), 0),
        ("class=http%3A%2F%2Fexample.com%2FCountry".to_owned(), 13),
        ("class=http%3A%2F%2Fexample.com%2FCity".to_owned(), 0),
        ("text=TOWN%201".to_owned(), 4),
        ("text=marx".to_owned(), 1),
        ("text=Capital".to_owned(), 13),
        ("text=nothing".to_owned(), 0),
    ] {
        let body = json(&app, get(&format!("/v1/facts?{query}"))).await;
        assert_eq!(body["total"], total, "{query}: {body}");
        assert_eq!(body["facts"].as_array().unwrap().len(), total, "{query}: {body}");
        assert!(body["next"].is_null(), "{query}: {body}");
    }
    for query in ["limit=201", "limit=0", "limit=-1", "limit=x", "subject=no%20iri", "cursor=x", "nonsense=1"] {
        problem(&app, get(&format!("/v1/facts?{query}")), 422, &is("request")).await;
    }
}

#[tokio::test]
async fn pages_hang_together_within_an_epoch() {
    let app = real_app();
    with_cities(&app).await;
    let whole = json(&app, get("/v1/facts?limit=200")).await;
    let mut seen = Vec::new();
    let mut cursor = String::new();
    loop {
        let body = json(&app, get(&format!("/v1/facts?limit=5{cursor}"))).await;
        seen.extend(body["facts"].as_array().unwrap().clone());
        assert_eq!(body["total"], 13);
        let Some(next) = body["next"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(Value::Array(seen), whole["facts"]);

    let documents = json(&app, get("/v1/documents?limit=2")).await;
    let next = documents["next"].as_str().unwrap();
    let rest = json(&app, get(&format!("/v1/documents?cursor={next}"))).await;
    let ids = |body: &Value| -> Vec<String> {
        body["documents"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(
        (ids(&documents), ids(&rest)),
        (vec!["countries.ttl".into(), "lands.csv".into()], vec!["notes.txt".into()])
    );
    assert_eq!((&documents["total"], documents["documents"][0]["facts"].as_u64()), (&3.into(), Some(1)), "{documents}");

    // After a change an old cursor would mix two states.
    json(&app, upload("/v1/documents", &[("more.txt", "text/plain", b"The capital of Land 99 is Town 1.\n")])).await;
    for path in [format!("/v1/facts?limit=5{cursor}"), format!("/v1/documents?cursor={next}")] {
        problem(&app, get(&path), 410, &is("stale-cursor")).await;
    }
}
