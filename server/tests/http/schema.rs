//! Getting and replacing the schema.

use super::{
    command::SCHEMA,
    support::{get, is, problem, real_app, request, send},
};
use axum::{
    Router,
    body::Body,
    http::{HeaderMap, HeaderName, Method, Request, StatusCode, header},
};
use serde_json::Value;

fn put(query: &str, turtle: impl Into<Body>, if_match: Option<&str>) -> Request<Body> {
    let mut request = request(Method::PUT, &format!("/v1/schema{query}"), Some("text/turtle; charset=utf-8"), turtle);
    if let Some(tag) = if_match {
        request.headers_mut().insert(header::IF_MATCH, tag.parse().unwrap());
    }
    request
}

async fn current(app: &Router) -> (String, String) {
    let (status, headers, body) = send(app, get("/v1/schema")).await;
    assert_eq!((status, &headers[header::CONTENT_TYPE]), (StatusCode::OK, &"text/turtle".parse().unwrap()));
    (String::from_utf8(body).unwrap(), headers[header::ETAG].to_str().unwrap().to_owned())
}

async fn done(app: &Router, request: Request<Body>) -> (HeaderMap, Value) {
    let (status, headers, body) = send(app, request).await;
    assert_eq!(status, StatusCode::OK, "{}", String::from_utf8_lossy(&body));
    (headers, serde_json::from_slice(&body).unwrap())
}

#[tokio::test]
async fn two_editors_do_not_overwrite_each_other() {
    let app = real_app();
    let (turtle, tag) = current(&app).await;
    let first = turtle.replace("\"capital\"@en", "\"chief town\"@en");
    let second = turtle.replace("\"country\"@en", "\"land\"@en");
    let (headers, body) = done(&app, put("", first, Some(&tag))).await;
    assert_eq!(
        (&body["changed"], &body["unfit"], &body["documents_to_read_again"]),
        (&true.into(), &Value::Array(vec![]), &1.into()),
        "{body}"
    );
    let (now, new_tag) = current(&app).await;
    assert_eq!(headers[header::ETAG].to_str().unwrap(), new_tag);
    assert!(now.contains("chief town") && new_tag != tag);

    let (problem_body, _) = problem(&app, put("", second.clone(), Some(&tag)), 412, &is("schema-changed")).await;
    assert!(problem_body["detail"].as_str().unwrap().contains(new_tag.trim_matches('"')), "{problem_body}");
    assert_eq!(current(&app).await.0, now);
    // Whoever knows, may; and the same again changes nothing.
    for (tag, changed) in [("*", true), ("*", false)] {
        let (_, body) = done(&app, put("", second.clone(), Some(tag))).await;
        assert_eq!(body["changed"], changed, "{body}");
    }
    let (_, tag) = current(&app).await;
    done(&app, put("", second, Some(&format!("\"other\", {tag}")))).await;
}

#[tokio::test]
async fn what_a_schema_would_do_is_told() {
    let app = real_app();
    let (turtle, tag) = current(&app).await;
    // A capital is a country now; and there is no capital at all.
    let (_, capital) = turtle.rsplit_once("\n\n").unwrap();
    for (other, part) in [
        (turtle.replace("rdfs:range :City", "rdfs:range :Country"), "range"),
        (turtle.replace(capital, ""), "relation"),
    ] {
        assert_ne!(other, turtle);
        let (headers, body) = done(&app, put("?dry_run=true", other, Some(&tag))).await;
        assert!(headers.get(header::ETAG).is_none());
        assert_eq!((&body["dry_run"], &body["changed"]), (&true.into(), &true.into()), "{body}");
        assert_eq!(body["unfit"].as_array().unwrap().len(), 1, "{body}");
        assert_eq!(
            (&body["unfit"][0]["part"], &body["unfit"][0]["facts"]["count"]),
            (&part.into(), &1.into()),
            "{body}"
        );
        assert_eq!(body["unfit"][0]["facts"]["first"][0]["subject"]["name"], "Freedonia", "{body}");
    }
    assert_eq!(current(&app).await, (turtle, tag), "nothing was done");
}

#[tokio::test]
async fn every_fault_is_told_with_line_and_term() {
    let app = real_app();
    let (_, tag) = current(&app).await;
    let faulty = SCHEMA.replace("e:Country ; rdfs:range", "e:Contry ; rdfs:range").replace("fm:question", "fm:qestion");
    let (body, _) = problem(&app, put("", faulty, Some(&tag)), 422, &is("schema")).await;
    let faults: Vec<(u64, &str)> = body["faults"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| (fault["line"].as_u64().unwrap(), fault["term"].as_str().unwrap()))
        .collect();
    assert!(faults.contains(&(9, "fm:qestion")) || faults.contains(&(8, "fm:qestion")), "{body}");
    assert!(faults.iter().any(|(_, term)| term.contains("Contry")) && faults.len() >= 2, "{body}");

    for (request, status, kind) in [
        (put("", "e:x e:y", Some(&tag)), 422, is("schema")),
        (put("", vec![b'\n', 0xff], Some(&tag)), 422, is("schema")),
        (put("", SCHEMA, None), 428, is("if-match")),
        (put("", SCHEMA, Some("W/\"weak\"")), 412, is("schema-changed")),
        (put("?tenant=absent", SCHEMA, Some("*")), 404, is("no-tenant")),
        (put("", vec![b' '; (16 << 20) + 1], Some("*")), 413, "about:blank".to_owned()),
        (request(Method::PUT, "/v1/schema", Some("application/json"), "{}"), 415, "about:blank".to_owned()),
        (request(Method::PUT, "/v1/schema", None, "{}"), 415, "about:blank".to_owned()),
    ] {
        problem(&app, request, status, &kind).await;
    }
    assert_eq!(current(&app).await.1, tag, "nothing was changed");
}

#[tokio::test]
async fn the_schema_is_sent_as_turtle_and_only_when_it_is_new() {
    let app = real_app();
    let (turtle, tag) = current(&app).await;
    assert_eq!(factmask_schema::Schema::parse(&turtle, "sent").unwrap().to_turtle(), turtle);
    let with = |name: HeaderName, value: &str| {
        let mut request = get("/v1/schema");
        request.headers_mut().insert(name, value.parse().unwrap());
        request
    };
    for (accept, status) in [
        ("text/turtle", 200),
        ("application/json, text/*;q=0.5", 200),
        ("*/*", 200),
        ("application/json", 200),
        ("image/png", 406),
        ("application/json;q=0", 406),
        ("text/turtle;q=0", 406),
    ] {
        assert_eq!(send(&app, with(header::ACCEPT, accept)).await.0.as_u16(), status, "{accept}");
    }
    for (known, status) in [(tag.as_str(), 304), ("*", 304), ("\"other\"", 200)] {
        assert_eq!(send(&app, with(header::IF_NONE_MATCH, known)).await.0.as_u16(), status, "{known}");
    }
}
