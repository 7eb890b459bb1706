//! The names that tables and RDF have brought, as one hash: prose is read again when they change.

use super::load::sha256;
use crate::readers::Format;
use factmask_graph::{Answer, ContentHash, GraphError, Store};
use factmask_schema::vocabulary::{RDF_TYPE, RDFS_LABEL, SKOS_ALT_LABEL};
use std::collections::{BTreeSet, HashSet};

/// A hash over the names and classes of all entities that a document other than prose describes.
///
/// What prose itself brings or mentions does not count: else each run would change what the next one depends on.
pub(super) fn gazetteer(store: &Store) -> Result<ContentHash, GraphError> {
    let prose: HashSet<String> = store
        .documents()?
        .into_iter()
        .filter(|document| Format::by_media_type(&document.media_type).is_some_and(Format::is_prose))
        .map(|document| format!("<{}>", document.id.graph_iri(store.tenant()).as_str()))
        .collect();
    let mut lines = BTreeSet::new();
    for predicate in [RDF_TYPE, RDFS_LABEL, SKOS_ALT_LABEL] {
        let query = format!("SELECT ?graph ?entity ?name WHERE {{ GRAPH ?graph {{ ?entity <{predicate}> ?name }} }}");
        let Answer::Solutions { rows, .. } = store.query(&query)? else { continue };
        for row in rows {
            if let [Some(graph), Some(entity), Some(name)] = row.as_slice()
                && !prose.contains(&graph.to_string())
            {
                lines.insert(format!("{entity} {predicate} {name}"));
            }
        }
    }
    let parts: Vec<&[u8]> = lines.iter().map(|line| line.as_bytes()).collect();
    Ok(sha256(&parts))
}
