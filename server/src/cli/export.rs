//! `factmask export`.

use super::open;
use crate::Settings;
use clap::Args;
use factmask_graph::{Calendar, Entity, Fact, Locator, Value};
use factmask_schema::Text;
use serde_json::{Value as Json, json};
use std::io::{BufWriter, Write};

/// Print all facts, sorted; equal stores print equal bytes.
///
/// JSON Lines: a line with the format version, entities by IRI, then facts by id, each with its evidence. Ids come from content;
/// there are no times.
#[derive(Args, Debug)]
pub(super) struct ExportArgs {}

/// Version of the lines' shape.
const FORMAT: u32 = 1;

pub(super) fn run(settings: &Settings) -> anyhow::Result<()> {
    let store = open::existing_store(settings)?;
    let snapshot = store.snapshot()?;
    let mut entities: Vec<&Entity> = snapshot.entities().iter().collect();
    entities.sort_by(|a, b| a.iri.cmp(&b.iri));
    let mut out = BufWriter::new(std::io::stdout().lock());
    writeln!(out, "{}", json!({ "export": "factmask", "format": FORMAT }))?;
    for entity in entities {
        writeln!(out, "{}", entity_line(entity))?;
    }
    for fact in snapshot.facts() {
        writeln!(out, "{}", fact_line(fact))?;
    }
    out.flush()?;
    Ok(())
}

fn entity_line(entity: &Entity) -> Json {
    let classes: Vec<_> = entity.classes.iter().map(|class| class.as_str()).collect();
    json!({ "entity": entity.iri.as_str(), "classes": classes, "labels": texts(&entity.labels), "aliases": texts(&entity.aliases) })
}

fn texts(texts: &[Text]) -> Vec<Json> {
    texts.iter().map(|text| json!({ "text": text.text, "lang": text.lang })).collect()
}

fn fact_line(fact: &Fact) -> Json {
    let statement = &fact.statement;
    let qualifiers: Vec<_> =
        statement.qualifiers.iter().map(|(iri, found)| json!([iri.as_str(), value(found)])).collect();
    let evidence: Vec<_> = fact
        .evidence
        .iter()
        .map(|found| {
            let locator = match found.locator {
                Some(Locator::Page(page)) => json!({ "page": page }),
                Some(Locator::Row(row)) => json!({ "row": row }),
                None => Json::Null,
            };
            json!({
                "document": found.document.as_str(), "start": found.span.start, "end": found.span.end, "locator": locator,
                "extractor": found.extractor, "confidence": found.confidence,
            })
        })
        .collect();
    json!({
        "fact": fact.id.to_string(), "subject": statement.subject.as_str(), "relation": statement.relation.as_str(),
        "object": value(&statement.object), "qualifiers": qualifiers, "evidence": evidence,
    })
}

/// A value without the names that a reader's language would give it.
fn value(value: &Value) -> Json {
    match value {
        Value::Entity(iri) => json!({ "entity": iri.as_str() }),
        Value::Text { text, lang } => json!({ "text": text, "lang": lang }),
        Value::Number(number) => json!({ "number": number.plain(), "unit": number.unit, "written": number.written }),
        Value::Date(date) => {
            let fiscal = date.calendar == Calendar::Fiscal;
            json!({ "date": date.iso(), "fiscal": fiscal, "written": date.written })
        }
        Value::Boolean(truth) => json!({ "boolean": truth }),
    }
}
