//! Looking behind an answer: a document's text, and queries in SPARQL.

use super::{Service, ServiceError, error::again};
use crate::wire::{SourceBody, TableBody, TermBody};
use factmask_graph::{Answer, Bounds, CancellationToken, DocumentId, NamedOrBlankNode, Snapshot, Store, Term};
use factmask_ingest::page_in;
use factmask_schema::{Iri, vocabulary::XSD_STRING};

/// Bytes of a document that are sent where nothing is said.
const WINDOW: u64 = 64 << 10;

/// Bytes of a document that are sent at most.
const MOST_BYTES: u64 = 4 << 20;

/// Rows of a query's table that are sent.
const MOST_ROWS: usize = 1_000;

impl Service {
    /// A part of a document's text, moved outwards to whole characters; the first 64 KiB where no end is given. At most 4 MiB.
    pub fn source(
        &self,
        tenant: &str,
        document: &DocumentId,
        from: u64,
        to: Option<u64>,
    ) -> Result<SourceBody, ServiceError> {
        let store = self.tenants.store(tenant)?;
        again(|| {
            let info = store.document(document)?.ok_or_else(|| ServiceError::NoDocument(document.clone()))?;
            let from = from.min(info.bytes);
            let to = to.unwrap_or(from.saturating_add(WINDOW)).clamp(from, info.bytes).min(from + MOST_BYTES);
            // A character has at most four bytes.
            let around = from.saturating_sub(3)..to.saturating_add(3).min(info.bytes);
            let bytes = store.source_of(document, info.hash, Some(around.clone()))?;
            let inside = |at: u64| bytes.get(at as usize).is_some_and(|byte| byte & 0xc0 == 0x80);
            let mut start = from - around.start;
            while start > 0 && inside(start) {
                start -= 1;
            }
            let mut end = to - around.start;
            while inside(end) {
                end += 1;
            }
            let text = bytes.get(start as usize..end as usize).unwrap_or_default();
            Ok(SourceBody {
                document: info.id.as_str().to_owned(),
                title: info.title.clone(),
                page: page(&store, document, &info.media_type, around.start + start)?,
                media_type: info.media_type,
                sha256: info.hash.to_string(),
                bytes: info.bytes,
                from: around.start + start,
                to: around.start + end,
                text: String::from_utf8_lossy(text).into_owned(),
            })
        })
    }

    /// Runs a read-only SPARQL query; ended when `cancelled` is.
    pub fn query(
        &self,
        tenant: &str,
        sparql: &str,
        lang: &str,
        cancelled: CancellationToken,
    ) -> Result<TableBody, ServiceError> {
        let store = self.tenants.store(tenant)?;
        let answer = store.query_within(sparql, &Bounds { rows: MOST_ROWS + 1, cancelled })?;
        let snapshot = store.snapshot()?;
        let term = |term: &Term| body(&snapshot, term, lang);
        let mut table = match answer {
            Answer::Boolean(truth) => {
                TableBody { columns: Vec::new(), rows: Vec::new(), truncated: false, boolean: Some(truth) }
            }
            Answer::Solutions { variables, rows } => TableBody {
                columns: variables,
                rows: rows.iter().map(|row| row.iter().map(|cell| cell.as_ref().map(term)).collect()).collect(),
                truncated: false,
                boolean: None,
            },
            Answer::Triples(triples) => TableBody {
                columns: ["subject", "predicate", "object"].map(str::to_owned).into(),
                rows: triples
                    .into_iter()
                    .map(|triple| {
                        let subject = match triple.subject {
                            NamedOrBlankNode::NamedNode(iri) => Term::NamedNode(iri),
                            NamedOrBlankNode::BlankNode(node) => Term::BlankNode(node),
                        };
                        [subject, Term::NamedNode(triple.predicate), triple.object]
                            .iter()
                            .map(|cell| Some(term(cell)))
                            .collect()
                    })
                    .collect(),
                truncated: false,
                boolean: None,
            },
        };
        table.truncated = table.rows.len() > MOST_ROWS;
        table.rows.truncate(MOST_ROWS);
        Ok(table)
    }
}

/// The page of a byte. Pages are counted from the start, so all before it is read, where the document has pages at all.
fn page(store: &Store, document: &DocumentId, media_type: &str, at: u64) -> Result<Option<u32>, ServiceError> {
    if page_in(media_type, b"", 0).is_none() {
        return Ok(None);
    }
    Ok(page_in(media_type, &store.source_range(document, 0..at)?, at))
}

fn body(snapshot: &Snapshot, term: &Term, lang: &str) -> TermBody {
    let plain = |kind, value: String| TermBody { kind, value, lang: None, datatype: None, name: None };
    match term {
        Term::NamedNode(iri) => TermBody { name: name(snapshot, iri, lang), ..plain("iri", iri.as_str().to_owned()) },
        Term::BlankNode(node) => plain("blank", node.as_str().to_owned()),
        Term::Literal(literal) => TermBody {
            lang: literal.language().map(str::to_owned),
            datatype: (literal.language().is_none() && literal.datatype().as_str() != XSD_STRING)
                .then(|| literal.datatype().as_str().to_owned()),
            ..plain("literal", literal.value().to_owned())
        },
        Term::Triple(triple) => plain("triple", triple.to_string()),
    }
}

/// What the snapshot or its schema calls an IRI.
fn name(snapshot: &Snapshot, iri: &Iri, lang: &str) -> Option<String> {
    let schema = snapshot.schema();
    let entity = || snapshot.find(iri).map(|id| snapshot.name(id, lang).to_owned());
    let class = || schema.classes.get(iri).map(|class| class.label(lang).into_owned());
    let relation = || schema.relations.get(iri).map(|relation| relation.label(lang).into_owned());
    let qualifier = || schema.qualifiers.get(iri).map(|qualifier| qualifier.label(lang).into_owned());
    relation().or_else(class).or_else(qualifier).or_else(entity)
}
