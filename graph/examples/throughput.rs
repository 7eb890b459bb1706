//! How fast the store takes facts in and how long a snapshot takes.
//!
//! ```text
//! cargo run -p factmask-graph --example throughput [FACTS] [FACTS_PER_DOCUMENT] [DOCUMENTS_PER_GROUP]
//! ```
//!
//! Facts are spread over a third as many entities; half of them have an entity as their object and half a number with a unit
//! and a fiscal year. The store lies in a new folder below the system's temporary one (`TMPDIR`), which is deleted at the end.

use factmask_graph::{
    ContentHash, Date, Document, DocumentId, Entity, GraphError, Locator, NewFact, Number, Statement, Store, TenantId,
    Value,
};
use factmask_schema::{Iri, Text};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let mut next = |default| arguments.next().unwrap_or(Ok(default));
    let (facts, per_document, per_group) = (next(134_000)?, next(1_000)?.max(1), next(10)?.max(1));
    let folder = tempfile::tempdir()?;
    let tenant = TenantId::new("throughput")?;
    let store = Store::open(folder.path(), &tenant)?;

    let documents: Vec<Document> = (0..facts.div_ceil(per_document))
        .map(|number| document(number, per_document, facts))
        .collect::<Result<_, _>>()?;
    let start = Instant::now();
    for group in documents.chunks(usize::try_from(per_group)?) {
        store.put_all(group)?;
    }
    report("put", start, facts);

    let start = Instant::now();
    let quads = store.export()?.lines().count();
    report(&format!("export ({quads} quads)"), start, facts);
    let start = Instant::now();
    let snapshot = store.snapshot()?;
    report("snapshot", start, facts);
    println!("{} facts, {} entities in the snapshot", snapshot.facts().len(), snapshot.entities().len());

    let start = Instant::now();
    drop(store);
    let store = Store::open(folder.path(), &tenant)?;
    report("close and open", start, facts);
    let start = Instant::now();
    store.snapshot()?;
    report("snapshot after opening", start, facts);

    let mut changed = documents.first().cloned().ok_or("no documents")?;
    changed.source.push(b'!');
    let start = Instant::now();
    store.put(&changed)?;
    report("replace one document", start, per_document);
    let start = Instant::now();
    store.snapshot()?;
    report("snapshot after that", start, facts);
    let start = Instant::now();
    store.delete(&changed.id)?;
    report("delete one document", start, per_document);
    println!("{} bytes a fact on disk", size(folder.path())? / facts.max(1));
    Ok(())
}

fn report(what: &str, start: Instant, facts: u64) {
    let seconds = start.elapsed().as_secs_f64();
    println!("{what}: {seconds:.3} s, {:.0} facts/s", facts as f64 / seconds);
}

fn document(number: u64, per_document: u64, all: u64) -> Result<Document, GraphError> {
    let range = number * per_document..((number + 1) * per_document).min(all);
    let iri = |kind: &str, number: u64| Iri::new_unchecked(format!("http://example.com/resource/{kind}{number}"));
    let entities = all / 3 + 1;
    let facts: Vec<NewFact> = range
        .clone()
        .map(|fact| {
            // A multiplier without common factors scatters the objects.
            let (object, qualifiers) = if fact % 2 == 0 {
                (Value::Entity(iri("entity", fact.wrapping_mul(7_919) % entities)), vec![])
            } else {
                let year = Value::Date(Date::fiscal_year(2000 + i32::try_from(fact % 24).unwrap_or(0)));
                let number = Number::new(i128::from(fact) * 1_000_000, 0)
                    .with_unit("USD")
                    .with_written(format!("${fact} million"));
                (Value::Number(number), vec![(iri("fiscalYear", 0), year)])
            };
            NewFact {
                statement: Statement::new(
                    iri("entity", fact % entities),
                    iri("relation", fact % 40),
                    object,
                    qualifiers,
                ),
                span: fact * 80..fact * 80 + 60,
                locator: u32::try_from(fact).ok().map(Locator::Row),
                extractor: "csv".to_owned(),
                confidence: 1.0,
            }
        })
        .collect();
    let described = range.filter(|fact| *fact < entities).map(|number| Entity {
        iri: iri("entity", number),
        classes: vec![iri("Class", number % 7)],
        labels: vec![Text::new("en", format!("Entity number {number}"))],
        aliases: vec![],
    });
    Ok(Document {
        id: DocumentId::new(format!("document-{number}.csv"))?,
        media_type: "text/csv".to_owned(),
        title: format!("Document {number}"),
        source: format!("source {number}").into_bytes(),
        recipe: ContentHash::of(b"throughput"),
        entities: described.collect(),
        facts,
    })
}

fn size(path: &std::path::Path) -> std::io::Result<u64> {
    let mut total = 0;
    for entry in std::fs::read_dir(path)? {
        let entry = entry?;
        total += if entry.file_type()?.is_dir() { size(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(total)
}
