//! Rules of classes: in and out, as SHACL, and what breaks them.

use super::support::{is, json, post, problem, real_app, request, schema_as_json, send};
use axum::http::Method;
use serde_json::{Value, json};

const COUNTRY: &str = "http://example.com/Country";
const CITY: &str = "http://example.com/City";
const CAPITAL: &str = "http://example.com/capital";

/// The class of the schema with this IRI.
fn class<'a>(schema: &'a mut Value, iri: &str) -> &'a mut Value {
    schema["classes"].as_array_mut().unwrap().iter_mut().find(|class| class["iri"] == iri).unwrap()
}

fn every_kind() -> Value {
    json!([
        {
            "relation": CAPITAL, "inverse": false, "min_count": 1, "max_count": 2, "class": CITY, "node_kind": "blank_node_or_iri",
            "one_of": ["<http://example.com/a>", "<http://example.com/b>"], "has_value": ["<http://example.com/a>"],
            "severity": "warning", "message": [{ "lang": "en", "text": "One \"capital\", please." }],
        },
        { "relation": CAPITAL, "inverse": true, "max_count": 0, "iri": "http://example.com/no-capital-of-its-own" },
        {
            "relation": "http://www.w3.org/2000/01/rdf-schema#label", "inverse": false, "pattern": "^\\p{Lu}", "flags": "s",
            "min_length": 2, "max_length": 9, "language_in": ["en", "zh"], "unique_lang": true, "node_kind": "literal",
            "notes": [{ "property": "http://www.w3.org/ns/shacl#order", "value": "1" }],
        },
        {
            "relation": CAPITAL, "inverse": false, "datatype": "http://www.w3.org/2001/XMLSchema#date",
            "min_inclusive": "\"2020-01-01\"^^<http://www.w3.org/2001/XMLSchema#date>",
            "max_exclusive": "\"2021-01-01\"^^<http://www.w3.org/2001/XMLSchema#date>",
        },
        { "relation": CAPITAL, "inverse": false, "min_exclusive": "5", "max_inclusive": "7.5", "one_of": ["6", "\"x\"@en"] },
    ])
}

#[tokio::test]
async fn rules_are_the_same_in_both_forms() {
    let app = real_app();
    let (mut schema, _) = schema_as_json(&app).await;
    let country = class(&mut schema, COUNTRY).clone();
    assert_eq!((&country["rules"], &country["closed"]), (&json!([]), &json!(false)));
    class(&mut schema, COUNTRY)["rules"] = every_kind();
    class(&mut schema, COUNTRY)["closed"] = json!(true);
    let checked = json(&app, post("/v1/schema/check", &schema)).await;
    assert_eq!(
        (&checked["faults"], &checked["schema"], &checked["shacl"]),
        (&json!([]), &schema, &Value::Null),
        "{checked}"
    );
    let turtle = checked["turtle"].as_str().unwrap().to_owned();
    let of_turtle = json(&app, request(Method::POST, "/v1/schema/check?shacl=true", Some("text/turtle"), turtle)).await;
    assert_eq!((&of_turtle["schema"], &of_turtle["turtle"]), (&schema, &checked["turtle"]), "{of_turtle}");

    // The shapes graph has the rules, and what the relation says of its ends.
    let mut asked = schema.clone();
    asked["shacl"] = json!(true);
    let with = json(&app, post("/v1/schema/check", &asked)).await;
    assert_eq!(with["shacl"], of_turtle["shacl"]);
    let shacl = with["shacl"].as_str().unwrap();
    assert!(shacl.contains("sh:targetSubjectsOf :capital ;\n    sh:class :Country ;"), "{shacl}");
    let again = json(&app, request(Method::POST, "/v1/schema/import", Some("text/turtle"), shacl.to_owned())).await;
    let of_country = |schema: &Value| class(&mut schema.clone(), COUNTRY)["rules"].clone();
    assert_eq!(of_country(&again["schema"]), every_kind(), "{again}");
    problem(&app, post("/v1/schema/check?shacl=perhaps", &schema), 422, &is("request")).await;
}

#[tokio::test]
async fn what_is_wrong_with_a_rule_is_told() {
    let app = real_app();
    let (schema, _) = schema_as_json(&app).await;
    for (rule, line, words) in [
        (json!({ "relation": CAPITAL, "min_count": 2, "max_count": 1 }), "sh:maxCount 1", "nothing can be both"),
        (json!({ "relation": CAPITAL, "pattern": "(" }), "sh:pattern \"(\"", "not a regular expression"),
        (json!({ "relation": "http://example.com/captal" }), "sh:path :captal", "did you mean"),
        (json!({ "relation": CAPITAL, "class": "http://example.com/Town" }), "sh:class :Town", "not a declared class"),
        (json!({ "relation": CAPITAL, "min_inclusive": "five" }), "", "no term"),
        (json!({ "relation": CAPITAL, "min_inclusive": "<http://example.com/a>" }), "", "not a literal"),
        (json!({ "relation": CAPITAL, "has_value": ["\"a\" . <a:b> <c:d> \"e\""] }), "", "not one IRI or literal"),
        (json!({ "relation": "no iri" }), "", "not an IRI"),
    ] {
        let mut faulty = schema.clone();
        class(&mut faulty, COUNTRY)["rules"] = json!([rule]);
        let checked = json(&app, post("/v1/schema/check", &faulty)).await;
        let fault = checked["faults"]
            .as_array()
            .unwrap()
            .iter()
            .find(|fault| fault["message"].as_str().unwrap().contains(words));
        let fault = fault.unwrap_or_else(|| panic!("{rule}: {checked}"));
        let at = fault["line"].as_u64().unwrap() as usize;
        let found =
            at.checked_sub(1).and_then(|at| checked["turtle"].as_str().unwrap().lines().nth(at)).unwrap_or_default();
        assert!(found.contains(line) && (at == 0) == line.is_empty(), "{rule}: {fault}: {found}");
        assert_eq!(checked["schema"], Value::Null);
    }
    for rule in [
        json!({ "relation": CAPITAL, "node_kind": "word" }),
        json!({ "relation": CAPITAL, "min_count": -1 }),
        json!({}),
    ] {
        let mut faulty = schema.clone();
        class(&mut faulty, COUNTRY)["rules"] = json!([rule]);
        problem(&app, post("/v1/schema/check", &faulty), 422, &is("request")).await;
    }
}

#[tokio::test]
async fn rules_that_would_be_broken_are_told_before_they_are_published() {
    let app = real_app();
    let (mut schema, tag) = schema_as_json(&app).await;
    class(&mut schema, COUNTRY)["rules"] = json!([
        { "relation": CAPITAL, "min_count": 2, "message": [{ "lang": "en", "text": "Two, please." }, { "lang": "zh", "text": "请写两个。" }] },
        { "relation": CAPITAL, "max_count": 1, "severity": "info" },
    ]);
    class(&mut schema, CITY)["rules"] =
        json!([{ "relation": "http://www.w3.org/2000/01/rdf-schema#label", "pattern": "^M.*n$" }]);
    let proposal = json!({ "base": tag, "schema": schema });
    let foreseen = json(&app, post("/v1/schema/preview", &proposal)).await;
    let broken = &foreseen["broken_rules"];
    assert_eq!(broken["count"], 2, "{foreseen}");
    let label = "http://www.w3.org/2000/01/rdf-schema#label";
    let city = json!({
        "entity": { "iri": "http://example.com/marxville", "name": "Marxville" }, "class": CITY, "relation": label,
        "constraint": "pattern", "value": "Marxville", "message": "Each value of “label” must match /^M.*n$/.", "severity": "violation",
    });
    let country = json!({
        "entity": { "iri": "http://example.com/freedonia", "name": "Freedonia" }, "class": COUNTRY, "relation": CAPITAL,
        "constraint": "min_count", "value": null, "message": "Two, please.", "severity": "violation",
    });
    assert_eq!(broken["first"], json!([city, country]), "{foreseen}");
    assert_eq!(foreseen["documents_to_read_again"], 0, "nothing is read by rules: {foreseen}");
    let told: Vec<&str> =
        foreseen["changes"].as_array().unwrap().iter().map(|change| change["sentence"].as_str().unwrap()).collect();
    assert_eq!(
        told,
        [
            "Of the class “city”, the rule on rdfs:label is new: pattern /^M.*n$/.",
            "Of the class “country”, the rule on “capital” is new: least number of values 2; message “Two, please.” (en), “请写两个。” (zh); the rule on “capital” is new: greatest number of values 1; severity info.",
        ]
    );
    let mut published = json(&app, post("/v1/schema/publish", &proposal)).await;
    assert_eq!(published["version"], 2);
    for told in ["version", "epoch"] {
        published[told] = foreseen[told].clone();
    }
    assert_eq!(published, foreseen, "what was foreseen is what was done");

    // What is broken already is no news; a rule that is renamed with its relation and class is the same rule.
    let (schema, tag) = schema_as_json(&app).await;
    let renamed: Value = serde_json::from_str(
        &schema.to_string().replace(CAPITAL, "http://example.com/seat").replace(COUNTRY, "http://example.com/Land"),
    )
    .unwrap();
    let renames = json!([
        { "kind": "relation", "from": CAPITAL, "to": "http://example.com/seat" },
        { "kind": "class", "from": COUNTRY, "to": "http://example.com/Land" },
    ]);
    let proposal = json!({ "base": tag, "schema": renamed, "renames": renames, "lang": "zh" });
    let foreseen = json(&app, post("/v1/schema/preview", &proposal)).await;
    assert_eq!(foreseen["broken_rules"], json!({ "count": 0, "first": [] }), "{foreseen}");
    let kinds: Vec<&Value> = foreseen["changes"].as_array().unwrap().iter().map(|change| &change["kind"]).collect();
    assert_eq!(kinds, ["renamed", "renamed"], "{foreseen}");
    // The second version is left for the first: its rules are gone.
    let back = json(&app, post("/v1/schema/versions/1/restore", &json!({}))).await;
    assert!(back["changes"].to_string().contains("the rule on “capital” is gone"), "{back}");
}

#[tokio::test]
async fn shapes_of_others_are_imported_and_exported() {
    let app = real_app();
    let shapes = "@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix e: <http://example.com/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
e:FirmShape a sh:NodeShape ; sh:targetClass e:Firm ; sh:property [ sh:path e:founded ; sh:datatype xsd:date ; sh:maxCount 1 ] ,
    [ sh:path ( e:seat e:land ) ; sh:minCount 1 ] .\n";
    let imported = json(&app, request(Method::POST, "/v1/schema/import", Some("text/turtle"), shapes)).await;
    let mut schema = imported["schema"].clone();
    let rules = class(&mut schema, "http://example.com/Firm")["rules"].clone();
    let rule = json!({
        "relation": "http://example.com/founded", "inverse": false, "max_count": 1, "datatype": "http://www.w3.org/2001/XMLSchema#date",
        "shape": "http://example.com/FirmShape",
    });
    assert_eq!(rules, json!([rule]), "{imported}");
    assert_eq!(schema["relations"][0]["range"]["value"], "date");
    assert!(imported["notes"].to_string().contains("inversePath"), "{imported}");
    assert!(schema["kept"].to_string().contains("minCount"), "{imported}");
    let (status, _, full) = send(&app, post("/v1/schema/export", &schema)).await;
    let full = String::from_utf8(full).unwrap();
    assert!(status.is_success() && full.contains("FirmShape") && full.contains("shacl#minCount> \"1\""), "{full}");
}
