//! Documents for tests, short to write.

#![allow(dead_code, clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly and use what it needs")]

use factmask_graph::{
    Answer, ContentHash, Document, DocumentId, Entity, Locator, NewFact, Number, Snapshot, Statement, Store, TenantId,
    Value,
};
use factmask_schema::{Iri, Text};
use std::{fs, path::Path};

pub fn tenant() -> TenantId {
    TenantId::new("acme").unwrap()
}

pub fn memory() -> Store {
    Store::in_memory(&tenant()).unwrap()
}

pub fn iri(name: &str) -> Iri {
    Iri::new(format!("http://example.com/{name}")).unwrap()
}

pub fn id(name: &str) -> DocumentId {
    DocumentId::new(name).unwrap()
}

pub fn entity(name: &str) -> Value {
    Value::Entity(iri(name))
}

/// A fact without qualifiers, found at the start of its document.
pub fn fact(subject: &str, relation: &str, object: Value) -> NewFact {
    qualified(subject, relation, object, vec![])
}

pub fn qualified(subject: &str, relation: &str, object: Value, qualifiers: Vec<(&str, Value)>) -> NewFact {
    let qualifiers = qualifiers.into_iter().map(|(name, value)| (iri(name), value)).collect();
    NewFact {
        statement: Statement::new(iri(subject), iri(relation), object, qualifiers),
        span: 0..5,
        locator: Some(Locator::Row(1)),
        extractor: "test".to_owned(),
        confidence: 0.9,
    }
}

/// A document whose bytes follow from its facts, so that other facts make another revision.
pub fn document(name: &str, facts: Vec<NewFact>) -> Document {
    Document {
        id: id(name),
        media_type: "text/plain".to_owned(),
        title: format!("Title of {name}"),
        source: format!("{facts:?}").into_bytes(),
        recipe: ContentHash::of(b"recipe"),
        entities: Vec::new(),
        facts,
    }
}

pub fn described(name: &str, class: &str, labels: &[(&str, &str)], aliases: &[(&str, &str)]) -> Entity {
    let texts = |all: &[(&str, &str)]| all.iter().map(|(lang, text)| Text::new(*lang, *text)).collect();
    Entity { iri: iri(name), classes: vec![iri(class)], labels: texts(labels), aliases: texts(aliases) }
}

pub fn number(mantissa: i128) -> Value {
    Value::Number(Number::new(mantissa, 0).with_unit("USD"))
}

/// Each fact as `subject relation object`, sorted, with the documents it was found in.
pub fn facts(snapshot: &Snapshot) -> Vec<String> {
    let mut lines: Vec<String> = snapshot
        .facts()
        .iter()
        .map(|fact| {
            let statement = &fact.statement;
            let name = |value: &Value| snapshot.said(value, "en");
            let subject = snapshot.name(snapshot.find(&statement.subject).unwrap(), "en").to_owned();
            let qualifiers: String =
                statement.qualifiers.iter().map(|(_, value)| format!(" @{}", name(value))).collect();
            let documents: Vec<&str> = fact.evidence.iter().map(|evidence| evidence.document.as_str()).collect();
            let relation = factmask_schema::local_name(statement.relation.as_str());
            format!("{subject} {relation} {}{qualifiers} ({})", name(&statement.object), documents.join(","))
        })
        .collect();
    lines.sort();
    lines
}

pub fn count(store: &Store, sparql: &str) -> usize {
    match store.query(sparql).unwrap() {
        Answer::Solutions { rows, .. } => rows.len(),
        other => panic!("{other:?}"),
    }
}

pub fn sources(data: &Path) -> Vec<String> {
    let entries = fs::read_dir(data.join("tenants/acme/sources")).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
