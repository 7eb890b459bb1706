//! The HTTP interface: answers with their quotes, what the knowledge base holds and how it changes, and an error of every kind as
//! a problem.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod answers;
mod browse;
#[path = "../support/command.rs"]
mod command;
mod documents;
mod identity;
mod inspect;
mod page;
mod publish;
mod queue;
mod rules;
mod schema;
mod suggestions;
mod support;

use std::fs;

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
