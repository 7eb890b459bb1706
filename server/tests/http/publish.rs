//! Editing the schema: checks, drafts, previews, publications, versions.

use super::support::{get, is, json, post, problem, question, real_app, request, schema_as_json, send, upload};
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

const CAPITAL: &str = "http://example.com/capital";
const SEAT: &str = "http://example.com/seat";

/// The schema with its relation called otherwise.
fn renamed(schema: &Value) -> Value {
    serde_json::from_str(&schema.to_string().replace(CAPITAL, SEAT)).unwrap()
}

fn rename() -> Value {
    json!([{ "kind": "relation", "from": CAPITAL, "to": SEAT }])
}

#[tokio::test]
async fn a_schema_is_the_same_in_both_forms() {
    let app = real_app();
    let (schema, _) = schema_as_json(&app).await;
    let (_, _, turtle) = send(&app, get("/v1/schema")).await;
    let turtle = String::from_utf8(turtle).unwrap();
    let of_json = json(&app, post("/v1/schema/check", &schema)).await;
    let of_turtle = json(&app, request(Method::POST, "/v1/schema/check", Some("text/turtle"), turtle.clone())).await;
    for checked in [of_json, of_turtle] {
        assert_eq!(
            (&checked["turtle"], &checked["schema"], &checked["faults"]),
            (&turtle.as_str().into(), &schema, &json!([]))
        );
    }
}

#[tokio::test]
async fn faults_are_told_at_their_line_whatever_form_they_came_in() {
    let app = real_app();
    let (schema, _) = schema_as_json(&app).await;
    let mut faulty = schema.clone();
    faulty["relations"][0]["questions"] = json!([{ "lang": "en", "text": "Where is {nothing}?" }]);
    faulty["relations"][0]["domain"] = json!("http://example.com/Nowhere");
    faulty["classes"][0]["parents"] = json!(["not an iri"]);
    faulty["classes"][0]["labels"] = json!([{ "lang": "en us", "text": "x\" . <a> <b> <c> . \"" }]);
    let checked = json(&app, post("/v1/schema/check", &faulty)).await;
    assert_eq!(checked["schema"], Value::Null, "{checked}");
    let turtle = checked["turtle"].as_str().unwrap();
    let at = |words: &str| {
        let faults = checked["faults"].as_array().unwrap();
        let fault = faults.iter().find(|fault| fault.to_string().contains(words));
        let line = fault.unwrap_or_else(|| panic!("{words}: {checked}"))["line"].as_u64().unwrap() as usize;
        line.checked_sub(1).map(|line| turtle.lines().nth(line).unwrap())
    };
    assert!(at("{s}").unwrap().contains("Where is {nothing}?"), "{checked}");
    assert!(at("Nowhere").unwrap().contains("Nowhere"), "{checked}");
    assert_eq!((at("not an iri"), at("en us")), (None, None), "{checked}");

    let checked = json(&app, request(Method::POST, "/v1/schema/check", Some("text/turtle"), "e:x a e:y .")).await;
    assert_eq!((&checked["turtle"], &checked["faults"][0]["line"]), (&"e:x a e:y .".into(), &1.into()), "{checked}");
    problem(&app, post("/v1/schema/check", &json!({ "classes": 1 })), 422, &is("request")).await;
    problem(&app, request(Method::POST, "/v1/schema/check", Some("text/plain"), ""), 415, "about:blank").await;
}

#[tokio::test]
async fn a_rename_is_previewed_published_and_taken_back() {
    let app = real_app();
    let (schema, tag) = schema_as_json(&app).await;
    json(&app, post("/v1/feedback", &json!({ "question": "What is the capital of Freedonia?", "verdict": "right" })))
        .await;
    let proposal =
        json!({ "base": tag, "schema": renamed(&schema), "renames": rename(), "author": "Ann", "reason": "clearer" });
    let foreseen = json(&app, post("/v1/schema/preview", &proposal)).await;
    assert_eq!(schema_as_json(&app).await, (schema.clone(), tag.clone()), "nothing was done");
    assert_eq!((&foreseen["changed"], &foreseen["version"]), (&true.into(), &Value::Null), "{foreseen}");
    assert_eq!(foreseen["migrated"], json!({ "facts": 1, "entities": 0 }), "{foreseen}");
    assert_eq!((&foreseen["unfit"], &foreseen["questions"]), (&json!([]), &json!([])), "{foreseen}");
    assert_eq!(foreseen["questions_asked"], 1, "{foreseen}");
    assert_eq!(foreseen["changes"][0]["kind"], "renamed", "{foreseen}");

    let mut published = json(&app, post("/v1/schema/publish", &proposal)).await;
    assert_eq!(published["version"], 2, "{published}");
    for told in ["version", "epoch"] {
        published[told] = foreseen[told].clone();
    }
    assert_eq!(published, foreseen, "what was foreseen is what was done");
    let facts = json(&app, get(&format!("/v1/facts?relation={}", SEAT.replace(':', "%3A").replace('/', "%2F")))).await;
    assert_eq!(facts["total"], 1, "{facts}");
    let answer = json(&app, question(r#"{"question": "What is the capital of Freedonia?"}"#)).await;
    assert_eq!(
        (&answer["text"], &answer["facts"][0]["relation"]["iri"]),
        (&"Marxville".into(), &SEAT.into()),
        "{answer}"
    );

    // A second editor, who has seen none of it, is told what has changed.
    let mut stale = json!({ "base": tag, "schema": schema, "author": "Bob", "reason": "" });
    stale["schema"]["classes"][0]["labels"][0]["text"] = json!("land");
    let (told, _) = problem(&app, post("/v1/schema/publish", &stale), 412, &is("schema-changed")).await;
    assert_eq!(told["current"], foreseen["etag"], "{told}");
    assert_eq!(told["changes"], foreseen["changes"], "{told}");

    let versions = json(&app, get("/v1/schema/versions")).await;
    let last = &versions["versions"][0];
    assert_eq!(
        (&last["version"], &last["author"], &last["reason"]),
        (&2.into(), &"Ann".into(), &"clearer".into()),
        "{versions}"
    );
    assert_eq!((&last["etag"], &last["changes"]), (&versions["current"], &foreseen["changes"]), "{versions}");

    let back = json!({ "author": "Ann", "reason": "no, it was not", "dry_run": true });
    let foreseen = json(&app, post("/v1/schema/versions/1/restore", &back)).await;
    assert_eq!((&foreseen["etag"], &foreseen["version"]), (&tag.as_str().into(), &Value::Null), "{foreseen}");
    let done = json(&app, post("/v1/schema/versions/1/restore", &json!({ "author": "Ann" }))).await;
    assert_eq!((&done["version"], &done["migrated"]), (&3.into(), &json!({ "facts": 1, "entities": 0 })), "{done}");
    assert_eq!(schema_as_json(&app).await, (schema, tag));
    let answer = json(&app, question(r#"{"question": "What is the capital of Freedonia?"}"#)).await;
    assert_eq!(
        (&answer["text"], &answer["facts"][0]["relation"]["iri"]),
        (&"Marxville".into(), &CAPITAL.into()),
        "{answer}"
    );
    problem(&app, post("/v1/schema/versions/9/restore", &json!({})), 404, &is("no-version")).await;
    problem(&app, get("/v1/schema/versions/9"), 404, &is("no-version")).await;
    problem(&app, get("/v1/schema/versions/x"), 422, &is("request")).await;
}

#[tokio::test]
async fn what_breaks_and_which_answers_change_is_told_before() {
    let app = real_app();
    let rows: String = (1..=3).map(|number| format!("Land {number},Town {number}\n")).collect();
    let table = format!("Country,Capital\n{rows}");
    json(&app, upload("/v1/documents", &[("lands.csv", "text/csv", table.as_bytes())])).await;
    for (asked, verdict) in [("What is the capital of Freedonia?", "right"), ("Who is Zaphod?", "should_refuse")] {
        json(&app, post("/v1/feedback", &json!({ "question": asked, "verdict": verdict }))).await;
    }
    let (mut schema, tag) = schema_as_json(&app).await;
    // A capital is a truth value now, and nobody asks for it in those words.
    schema["relations"][0]["range"] = json!({ "value": "boolean" });
    let proposal = json!({ "base": tag, "schema": schema });
    let foreseen = json(&app, post("/v1/schema/preview", &proposal)).await;
    assert_eq!(foreseen["unfit"][0]["part"], "range", "{foreseen}");
    assert_eq!(foreseen["unfit"][0]["facts"]["count"], 4, "{foreseen}");
    assert_eq!(foreseen["documents_to_read_again"], 2, "{foreseen}");
    let mut published = json(&app, post("/v1/schema/publish", &proposal)).await;
    for told in ["version", "epoch"] {
        published[told] = foreseen[told].clone();
    }
    assert_eq!(published, foreseen);

    // Nobody asks for it in those words any more.
    let (mut schema, tag) = schema_as_json(&app).await;
    let relation = &mut schema["relations"][0];
    for (field, value) in [("iri", json!("http://example.com/motto")), ("range", json!({ "class": null }))] {
        relation[field] = value;
    }
    for field in ["labels", "aliases", "questions", "statements"] {
        relation[field] = json!([]);
    }
    let renames = json!([{ "kind": "relation", "from": CAPITAL, "to": "http://example.com/motto" }]);
    let proposal = json!({ "base": tag, "schema": schema, "renames": renames });
    let foreseen = json(&app, post("/v1/schema/preview", &proposal)).await;
    assert_eq!(foreseen["questions_asked"], 2, "{foreseen}");
    let changed = foreseen["questions"].as_array().unwrap();
    assert_eq!((changed.len(), &changed[0]["before"]), (1, &"Marxville".into()), "{foreseen}");
    let after = changed[0]["after"].clone();
    json(&app, post("/v1/schema/publish", &proposal)).await;
    let answer = json(&app, question(r#"{"question": "What is the capital of Freedonia?"}"#)).await;
    assert_eq!(answer["text"], after, "{answer}");
}

#[tokio::test]
async fn merged_classes_retype_their_entities() {
    let app = real_app();
    let (mut schema, tag) = schema_as_json(&app).await;
    let city = "http://example.com/City";
    schema["classes"].as_array_mut().unwrap().retain(|class| class["iri"] != city);
    schema["relations"][0]["range"] = json!({ "class": "http://example.com/Country" });
    let renames = json!([{ "kind": "class", "from": city, "to": "http://example.com/Country" }]);
    let proposal = json!({ "base": tag, "schema": schema, "renames": renames });
    let foreseen = json(&app, post("/v1/schema/preview", &proposal)).await;
    assert_eq!((&foreseen["retyped"]["count"], &foreseen["unfit"]), (&1.into(), &json!([])), "{foreseen}");
    assert_eq!(foreseen["retyped"]["first"][0]["name"], "Marxville", "{foreseen}");

    // A rename must lead from what is there to what will be.
    for (kind, from, to) in [
        ("class", "http://example.com/Nothing", "http://example.com/Country"),
        ("class", city, "http://example.com/Nothing"),
        ("relation", city, "http://example.com/Country"),
        ("class", "no iri", "http://example.com/Country"),
        ("class", "http://example.com/Country", "http://example.com/Country"),
    ] {
        let mut wrong = proposal.clone();
        wrong["renames"] = json!([{ "kind": kind, "from": from, "to": to }]);
        problem(&app, post("/v1/schema/preview", &wrong), 422, &is("request")).await;
    }
    for wrong in
        [json!({}), json!({ "schema": schema, "turtle": "" }), json!({ "turtle": "x", "reason": "a".repeat(9_000) })]
    {
        let (status, _, body) = send(&app, post("/v1/schema/preview", &wrong)).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{}", String::from_utf8_lossy(&body));
    }
}

#[tokio::test]
async fn a_draft_is_kept_until_it_is_published() {
    let app = real_app();
    let (schema, tag) = schema_as_json(&app).await;
    let path = "/v1/schema/draft";
    problem(&app, get(path), 404, &is("no-draft")).await;
    let splits = json!([{ "kind": "class", "from": "http://example.com/City", "to": "http://example.com/Town",
        "when": { "entities": ["http://example.com/marxville"] } }]);
    let mut draft =
        json!({ "base": tag, "schema": renamed(&schema), "renames": rename(), "splits": splits, "author": "Ann" });
    // It may be wrong for a while.
    draft["schema"]["relations"][0]["domain"] = json!("http://example.com/Nowhere");
    let put = || request(Method::PUT, path, Some("application/json"), draft.to_string());
    assert_eq!(send(&app, put()).await.0, StatusCode::NO_CONTENT);
    assert_eq!(json(&app, get(path)).await, draft);
    let faulty = json!({ "base": tag, "schema": draft["schema"] });
    let (told, _) = problem(&app, post("/v1/schema/publish", &faulty), 422, &is("schema")).await;
    assert!(told["faults"].to_string().contains("Nowhere"), "{told}");
    assert_eq!(json(&app, get(path)).await, draft, "a refused publication throws nothing away");

    // Somebody else publishes something else, and the draft is still there.
    let mut other = json!({ "base": tag, "schema": schema });
    other["schema"]["classes"][0]["labels"][0]["text"] = json!("land");
    json(&app, post("/v1/schema/publish", &other)).await;
    assert_eq!(json(&app, get(path)).await, draft);
    // What is published is a draft no more.
    let (_, tag) = schema_as_json(&app).await;
    draft["schema"] = renamed(&schema);
    let put = || request(Method::PUT, path, Some("application/json"), draft.to_string());
    assert_eq!(send(&app, put()).await.0, StatusCode::NO_CONTENT);
    let proposal = json!({ "base": tag, "schema": draft["schema"], "renames": rename() });
    json(&app, post("/v1/schema/publish", &proposal)).await;
    problem(&app, get(path), 404, &is("no-draft")).await;
    assert_eq!(send(&app, put()).await.0, StatusCode::NO_CONTENT);
    let delete = || request(Method::DELETE, path, None, "");
    assert_eq!(send(&app, delete()).await.0, StatusCode::NO_CONTENT);
    problem(&app, delete(), 404, &is("no-draft")).await;
}

#[tokio::test]
async fn a_split_is_previewed_published_told_and_taken_back() {
    let app = real_app();
    let (schema, tag) = schema_as_json(&app).await;
    let mut new = schema.clone();
    let relation = |of: &Value, iri: &str| serde_json::from_str(&of.to_string().replace(CAPITAL, iri)).unwrap();
    let more: Value = relation(&schema["relations"][0], SEAT);
    new["relations"].as_array_mut().unwrap().push(more);
    let city = "http://example.com/City";
    let splits = json!([{ "kind": "relation", "from": CAPITAL, "to": SEAT, "when": { "object_class": city } }]);
    let proposal = json!({ "base": tag, "schema": new, "splits": splits, "author": "Ann", "reason": "clearer" });
    let foreseen = json(&app, post("/v1/schema/preview", &proposal)).await;
    assert_eq!(schema_as_json(&app).await.1, tag, "nothing was done");
    assert_eq!(foreseen["migrated"], json!({ "facts": 1, "entities": 0 }), "{foreseen}");
    let told = "Of the relation “capital”, what has a “city” as its object becomes “capital”.";
    let first = &foreseen["changes"][0];
    assert_eq!(
        (&first["kind"], &first["iri"], &first["sentence"]),
        (&"split".into(), &SEAT.into(), &told.into()),
        "{foreseen}"
    );
    let mut published = json(&app, post("/v1/schema/publish", &proposal)).await;
    for told in ["version", "epoch"] {
        published[told] = foreseen[told].clone();
    }
    assert_eq!(published, foreseen, "what was foreseen is what was done");
    let versions = json(&app, get("/v1/schema/versions")).await;
    assert_eq!(versions["versions"][0]["changes"], foreseen["changes"], "{versions}");
    let stale = json!({ "base": tag, "schema": schema });
    let (told, _) = problem(&app, post("/v1/schema/publish", &stale), 412, &is("schema-changed")).await;
    assert_eq!(told["changes"], foreseen["changes"], "{told}");
    let done = json(&app, post("/v1/schema/versions/1/restore", &json!({ "author": "Ann" }))).await;
    assert_eq!((&done["etag"], &done["migrated"]["facts"]), (&tag.as_str().into(), &1.into()), "{done}");

    for (split, fault) in [
        (json!({ "kind": "class", "from": CAPITAL, "to": SEAT, "when": { "object_class": city } }), "is not split by"),
        (json!({ "kind": "relation", "from": CAPITAL, "to": SEAT, "when": { "object_class": "x" } }), "is not an IRI"),
        (
            json!({ "kind": "relation", "from": CAPITAL, "to": SEAT, "when": { "object_class": SEAT } }),
            "is not a class",
        ),
        (
            json!({ "kind": "relation", "from": SEAT, "to": CAPITAL, "when": { "object_kind": "entity" } }),
            "is not a relation of the schema of now",
        ),
    ] {
        let proposal = json!({ "schema": new, "splits": [split] });
        let (told, _) = problem(&app, post("/v1/schema/preview", &proposal), 422, &is("request")).await;
        let told = told.to_string();
        assert!(told.contains("splits") && told.contains(fault), "{told}");
    }
    let unknown = json!({ "schema": new, "splits": [{ "kind": "relation", "from": CAPITAL, "to": SEAT, "when": {} }] });
    problem(&app, post("/v1/schema/preview", &unknown), 422, &is("request")).await;
}
