//! The names that tables and RDF have brought: prose is read by them, and again when they change.

use super::load::sha256;
use crate::names::NameIndex;
use crate::readers::Format;
use factmask_graph::{Answer, ContentHash, Entity, GraphError, Store};
use factmask_schema::Text;
use factmask_schema::vocabulary::{RDF_TYPE, RDFS_LABEL, SKOS_ALT_LABEL};
use oxrdf::{NamedNode, Term};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

/// Names and classes of all entities that a document other than prose describes.
///
/// What prose itself brings or mentions does not count: else each document would change what the next one depends on.
pub(super) struct Gazetteer {
    /// Over all of it.
    pub(super) hash: ContentHash,
    pub(super) names: Arc<NameIndex>,
}

/// Reads the names out of the store.
pub(super) fn gazetteer(store: &Store) -> Result<Gazetteer, GraphError> {
    let prose: HashSet<String> = store
        .documents()?
        .into_iter()
        .filter(|document| Format::by_media_type(&document.media_type).is_some_and(Format::is_prose))
        .map(|document| format!("<{}>", document.id.graph_iri(store.tenant()).as_str()))
        .collect();
    let mut lines = BTreeSet::new();
    let mut entities: BTreeMap<NamedNode, Entity> = BTreeMap::new();
    for predicate in [RDF_TYPE, RDFS_LABEL, SKOS_ALT_LABEL] {
        let query = format!("SELECT ?graph ?entity ?name WHERE {{ GRAPH ?graph {{ ?entity <{predicate}> ?name }} }}");
        let Answer::Solutions { rows, .. } = store.query(&query)? else { continue };
        for row in rows {
            if let [Some(graph), Some(entity), Some(name)] = row.as_slice()
                && !prose.contains(&graph.to_string())
                && lines.insert(format!("{entity} {predicate} {name}"))
                && let Term::NamedNode(iri) = entity
            {
                let known = entities.entry(iri.clone()).or_insert_with(|| Entity {
                    iri: iri.clone(),
                    classes: Vec::new(),
                    labels: Vec::new(),
                    aliases: Vec::new(),
                });
                describe(known, predicate, name);
            }
        }
    }
    let parts: Vec<&[u8]> = lines.iter().map(|line| line.as_bytes()).collect();
    let mut names = NameIndex::default();
    for entity in entities.values_mut() {
        // As they are sorted in a snapshot, whatever the order of the rows.
        entity.classes.sort();
        entity.labels.sort();
        entity.aliases.sort();
        names.learn(entity, None);
    }
    Ok(Gazetteer { hash: sha256(&parts), names: Arc::new(names) })
}

fn describe(entity: &mut Entity, predicate: &str, name: &Term) {
    let text = |name: &Term| match name {
        Term::Literal(name) => Some(Text::new(name.language().unwrap_or_default(), name.value())),
        _ => None,
    };
    match (predicate, name) {
        (RDF_TYPE, Term::NamedNode(class)) => entity.classes.push(class.clone()),
        (RDFS_LABEL, name) => entity.labels.extend(text(name)),
        (SKOS_ALT_LABEL, name) => entity.aliases.extend(text(name)),
        _ => {}
    }
}
