//! A store's quads back to documents, entities and facts.

use super::{DECISION, EPOCH, EVIDENCE, FACT, META_GRAPH, RENAMES, REVISION, SCHEMA, record};
use crate::rename::Renames;
use crate::{Decision, DocumentId, DocumentInfo, Entity, Fact, GraphError};
use factmask_schema::vocabulary::{RDF_TYPE, RDFS_LABEL, SKOS_ALT_LABEL};
use factmask_schema::{Iri, Text};
use oxigraph::model::{GraphName, NamedNodeRef, NamedOrBlankNode, Quad, Term};
use oxigraph::store::{StorageError, Transaction};
use std::collections::{BTreeMap, HashMap};

/// What the meta graph says.
#[derive(Default)]
pub(crate) struct Meta {
    pub(crate) epoch: u64,
    /// As Turtle.
    pub(crate) schema: Option<String>,
    /// Names that terms had before.
    pub(crate) renames: Renames,
    /// By the IRI of the document's graph.
    pub(crate) documents: HashMap<String, DocumentInfo>,
    pub(crate) decisions: Vec<Decision>,
}

/// What the documents say.
#[derive(Default)]
pub(crate) struct Contents {
    pub(crate) entities: Vec<Entity>,
    pub(crate) facts: Vec<Fact>,
}

/// Why reading failed: the database, or what stands in it.
pub(crate) enum Failure {
    Database(StorageError),
    Contents(GraphError),
}

impl From<StorageError> for Failure {
    fn from(error: StorageError) -> Self {
        Self::Database(error)
    }
}

/// Reads the meta graph.
pub(crate) fn meta(database: &Transaction<'_>) -> Result<Meta, Failure> {
    let mut meta = Meta::default();
    let graph = NamedNodeRef::new_unchecked(META_GRAPH);
    for quad in database.quads_for_pattern(None, None, None, Some(graph.into())) {
        let quad = quad?;
        let Term::Literal(literal) = &quad.object else { continue };
        match (quad.predicate.as_str(), &quad.subject) {
            (REVISION, NamedOrBlankNode::NamedNode(graph)) => {
                let marker = literal.value();
                let info =
                    DocumentInfo::from_marker(marker).map_err(|message| corrupt(graph.as_str(), marker, message))?;
                meta.documents.insert(graph.as_str().to_owned(), info);
            }
            (DECISION, _) => {
                let record = literal.value();
                let decision = serde_json::from_str(record);
                meta.decisions.push(decision.map_err(|error| corrupt(META_GRAPH, record, error.to_string()))?);
            }
            (SCHEMA, _) => meta.schema = Some(literal.value().to_owned()),
            (RENAMES, _) => {
                let json = serde_json::from_str(literal.value()).map_err(|error| error.to_string());
                let renames = json.and_then(|json| Renames::from_json(&json));
                meta.renames = renames.map_err(|message| corrupt(META_GRAPH, literal.value(), message))?;
            }
            (EPOCH, _) => meta.epoch = meta.epoch.max(literal.value().parse().unwrap_or(0)),
            _ => {}
        }
    }
    Ok(meta)
}

/// Reads all facts and descriptions. One fact for each piece of evidence: equal ones are joined when a snapshot is built.
pub(crate) fn contents(database: &Transaction<'_>, meta: &Meta) -> Result<Contents, Failure> {
    let mut contents = Contents::default();
    let all = |predicate| database.quads_for_pattern(None, Some(NamedNodeRef::new_unchecked(predicate)), None, None);
    for quad in all(EVIDENCE) {
        contents.facts.push(fact(quad?, meta)?);
    }
    let mut entities: HashMap<Iri, Entity> = HashMap::new();
    for predicate in [RDF_TYPE, RDFS_LABEL, SKOS_ALT_LABEL] {
        for quad in all(predicate) {
            describe(quad?, &mut entities);
        }
    }
    contents.entities = entities.into_values().collect();
    Ok(contents)
}

/// What each document says of one entity.
pub(crate) fn descriptions(
    database: &Transaction<'_>,
    meta: &Meta,
    iri: &Iri,
) -> Result<Vec<(DocumentId, Entity)>, Failure> {
    let mut entities: BTreeMap<DocumentId, HashMap<Iri, Entity>> = BTreeMap::new();
    for predicate in [RDF_TYPE, RDFS_LABEL, SKOS_ALT_LABEL] {
        let predicate = NamedNodeRef::new_unchecked(predicate);
        for quad in database.quads_for_pattern(Some(iri.as_ref().into()), Some(predicate), None, None) {
            let quad = quad?;
            if let GraphName::NamedNode(graph) = &quad.graph_name
                && let Some(info) = meta.documents.get(graph.as_str())
            {
                describe(quad, entities.entry(info.id.clone()).or_default());
            }
        }
    }
    let all = entities.into_iter();
    Ok(all.flat_map(|(id, of)| of.into_values().map(move |entity| (id.clone(), entity))).collect())
}

fn fact(quad: Quad, meta: &Meta) -> Result<Fact, Failure> {
    let graph = match &quad.graph_name {
        GraphName::NamedNode(graph) => graph.as_str(),
        _ => "the default graph",
    };
    let document: &DocumentId = match meta.documents.get(graph) {
        Some(info) => &info.id,
        None => return Err(corrupt(graph, REVISION, "has no revision marker".to_owned())),
    };
    let (NamedOrBlankNode::NamedNode(reifier), Term::Literal(json)) = (&quad.subject, &quad.object) else {
        return Err(corrupt(graph, EVIDENCE, "is not a record of a fact".to_owned()));
    };
    let new = record::read(json.value()).map_err(|message| corrupt(graph, json.value(), message))?;
    let fact = new.into_fact(document.clone());
    if reifier.as_str().strip_prefix(FACT).and_then(|id| id.parse().ok()) != Some(fact.id) {
        return Err(corrupt(graph, reifier.as_str(), "is not the hash of what it states".to_owned()));
    }
    Ok(fact)
}

fn describe(quad: Quad, entities: &mut HashMap<Iri, Entity>) {
    let NamedOrBlankNode::NamedNode(iri) = quad.subject else { return };
    let new = || Entity { iri: iri.clone(), classes: Vec::new(), labels: Vec::new(), aliases: Vec::new() };
    let entity = entities.entry(iri.clone()).or_insert_with(new);
    match (quad.predicate.as_str(), quad.object) {
        (RDF_TYPE, Term::NamedNode(class)) => entity.classes.push(class),
        (RDFS_LABEL, Term::Literal(name)) => {
            entity.labels.push(Text::new(name.language().unwrap_or_default(), name.value()));
        }
        (SKOS_ALT_LABEL, Term::Literal(name)) => {
            entity.aliases.push(Text::new(name.language().unwrap_or_default(), name.value()));
        }
        _ => {}
    }
}

fn corrupt(graph: &str, term: &str, message: String) -> Failure {
    Failure::Contents(GraphError::Corrupt { graph: graph.to_owned(), term: term.to_owned(), message })
}
