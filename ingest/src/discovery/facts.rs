//! What is stored: facts under terms that nobody has declared, and which places of a document have given facts at all.

use super::DiscoverySource;
use super::ledger::{End, Key, Ledger};
use factmask_graph::{DocumentId, Fact, Snapshot, Value};
use factmask_schema::vocabulary::RDF_TYPE;
use factmask_schema::{Iri, local_name, percent_decode};
use std::collections::HashMap;
use std::ops::Range;

/// Counts relations and classes of a snapshot that its schema does not declare.
pub(super) fn undeclared(snapshot: &Snapshot, ledger: &mut Ledger) {
    let schema = snapshot.schema();
    for fact in snapshot.facts() {
        let relation = &fact.statement.relation;
        if schema.relations.contains_key(relation) || relation.as_str() == RDF_TYPE {
            continue;
        }
        let (subject, object) = (&fact.statement.subject, &fact.statement.object);
        let (name, said) = (named(snapshot, subject), snapshot.said(object, "en"));
        let key = Key { source: DiscoverySource::Facts, name: relation.as_str().to_owned() };
        let seen = ledger.relations.entry(key).or_default();
        let object_classes = object.as_entity().map(|iri| declared(snapshot, iri)).unwrap_or_default();
        seen.pair(
            &percent_decode(local_name(relation.as_str())),
            &End { name: &name, classes: &declared(snapshot, subject) },
            &End { name: &said, classes: &object_classes },
            matches!(object, Value::Entity(_)),
        );
        for evidence in &fact.evidence {
            seen.at(&evidence.document, evidence.span.clone());
        }
    }
    for entity in snapshot.entities() {
        for class in entity.classes.iter().filter(|class| !schema.classes.contains_key(*class)) {
            let key = Key { source: DiscoverySource::Facts, name: class.as_str().to_owned() };
            let seen = ledger.classes.entry(key).or_default();
            seen.member(&percent_decode(local_name(class.as_str())), entity.iri.as_str());
            let first = snapshot.find(&entity.iri).and_then(|id| snapshot.facts_of(id).next());
            if let Some(evidence) = first.and_then(|fact| fact.evidence.first()) {
                seen.at(&evidence.document, evidence.span.clone());
            }
        }
    }
}

/// The classes of an entity that the schema declares.
pub(super) fn declared(snapshot: &Snapshot, iri: &Iri) -> Vec<Iri> {
    let classes = snapshot.find(iri).map(|id| snapshot.entity(id).classes.as_slice()).unwrap_or_default();
    classes.iter().filter(|class| snapshot.schema().classes.contains_key(*class)).cloned().collect()
}

fn named(snapshot: &Snapshot, iri: &Iri) -> String {
    snapshot.find(iri).map_or_else(|| iri.as_str().to_owned(), |id| snapshot.name(id, "en").to_owned())
}

/// The facts of each document with their places.
pub(super) struct Stated<'s> {
    by_document: HashMap<&'s DocumentId, Vec<(Range<u64>, &'s Fact)>>,
}

impl<'s> Stated<'s> {
    pub(super) fn of(snapshot: &'s Snapshot) -> Self {
        let mut by_document: HashMap<&DocumentId, Vec<(Range<u64>, &Fact)>> = HashMap::new();
        for fact in snapshot.facts() {
            for evidence in &fact.evidence {
                by_document.entry(&evidence.document).or_default().push((evidence.span.clone(), fact));
            }
        }
        for places in by_document.values_mut() {
            places.sort_by_key(|(span, _)| (span.start, span.end));
        }
        Self { by_document }
    }

    /// Those of one document, in the order of their places.
    pub(super) fn in_document(&self, document: &DocumentId) -> &[(Range<u64>, &'s Fact)] {
        self.by_document.get(document).map(Vec::as_slice).unwrap_or_default()
    }
}

/// The facts that begin within `span`.
pub(super) fn within<'a, 's>(
    stated: &'a [(Range<u64>, &'s Fact)],
    span: &Range<u64>,
) -> impl Iterator<Item = &'s Fact> + use<'a, 's> {
    let from = stated.partition_point(|(place, _)| place.start < span.start);
    let end = span.end;
    stated.get(from..).unwrap_or_default().iter().take_while(move |(place, _)| place.start < end).map(|(_, fact)| *fact)
}
