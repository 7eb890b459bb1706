//! Quads back to facts and entities.

use super::encode::sorted_places;
use super::record::Record;
use super::{EPOCH, EVIDENCE, FACT, META_GRAPH, REVISION, SCHEMA, term};
use crate::{DocumentId, DocumentInfo, Entity, Fact, GraphError, NewFact, Statement};
use factmask_schema::Text;
use factmask_schema::vocabulary::{RDF_REIFIES, RDF_TYPE, RDFS_LABEL, SKOS_ALT_LABEL};
use oxigraph::model::{GraphName, NamedNode, NamedOrBlankNode, Quad, Term};
use std::collections::HashMap;

/// A store being read, quad by quad, in any order.
#[derive(Default)]
pub(crate) struct Reading {
    pub(crate) epoch: u64,
    pub(crate) schema: Option<String>,
    /// Markers by the IRI of the document's graph.
    markers: HashMap<String, String>,
    graphs: HashMap<String, Graph>,
    /// The graph of the last quad; they mostly come one graph after the other.
    current: Option<(String, Graph)>,
}

#[derive(Default)]
struct Graph {
    facts: HashMap<String, Draft>,
    entities: HashMap<NamedNode, Entity>,
}

#[derive(Default)]
struct Draft {
    triple: Option<(NamedNode, NamedNode, Term)>,
    qualifiers: Vec<(NamedNode, Term)>,
    records: Vec<String>,
}

/// Everything that was read.
pub(crate) struct Contents {
    pub(crate) documents: Vec<DocumentInfo>,
    pub(crate) entities: Vec<Entity>,
    pub(crate) facts: Vec<Fact>,
}

impl Reading {
    pub(crate) fn add(&mut self, quad: Quad) {
        let GraphName::NamedNode(graph) = &quad.graph_name else { return };
        if graph.as_str() == META_GRAPH {
            self.add_meta(quad);
            return;
        }
        if self.current.as_ref().is_none_or(|(iri, _)| iri != graph.as_str()) {
            self.put_back();
            let known = self.graphs.remove(graph.as_str()).unwrap_or_default();
            self.current = Some((graph.as_str().to_owned(), known));
        }
        if let Some((_, graph)) = &mut self.current {
            graph.add(quad);
        }
    }

    fn put_back(&mut self) {
        if let Some((iri, graph)) = self.current.take() {
            self.graphs.insert(iri, graph);
        }
    }

    fn add_meta(&mut self, quad: Quad) {
        let Term::Literal(literal) = &quad.object else { return };
        match (quad.predicate.as_str(), &quad.subject) {
            (REVISION, NamedOrBlankNode::NamedNode(graph)) => {
                self.markers.insert(graph.as_str().to_owned(), literal.value().to_owned());
            }
            (SCHEMA, _) => self.schema = Some(literal.value().to_owned()),
            (EPOCH, _) => self.epoch = literal.value().parse().unwrap_or(0),
            _ => {}
        }
    }

    /// Puts the pieces together; each graph must have its marker and each reifier its triple and evidence.
    pub(crate) fn finish(mut self) -> Result<Contents, GraphError> {
        self.put_back();
        let mut contents = Contents { documents: Vec::new(), entities: Vec::new(), facts: Vec::new() };
        let mut ids: HashMap<&str, DocumentId> = HashMap::new();
        for (graph, marker) in &self.markers {
            let info = DocumentInfo::from_marker(marker).map_err(|message| corrupt(graph, marker, message))?;
            ids.insert(graph, info.id.clone());
            contents.documents.push(info);
        }
        for (iri, graph) in self.graphs {
            let Some(document) = ids.get(iri.as_str()) else {
                return Err(corrupt(&iri, REVISION, "has no revision marker".to_owned()));
            };
            contents.entities.extend(graph.entities.into_values());
            for (reifier, draft) in graph.facts {
                draft.finish(&reifier, document, &mut contents.facts).map_err(|message| corrupt(&iri, &reifier, message))?;
            }
        }
        contents.documents.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(contents)
    }
}

impl Graph {
    fn add(&mut self, quad: Quad) {
        let NamedOrBlankNode::NamedNode(subject) = quad.subject else { return };
        if let Some(id) = subject.as_str().strip_prefix(FACT) {
            // Asked for before it is inserted, since all but one of a reifier's quads find it there.
            match self.facts.get_mut(id) {
                Some(draft) => draft.add(quad.predicate, quad.object),
                None => self.facts.entry(id.to_owned()).or_default().add(quad.predicate, quad.object),
            }
            return;
        }
        let entity = |entities: &mut HashMap<NamedNode, Entity>, add: &dyn Fn(&mut Entity)| {
            let new = || Entity { iri: subject.clone(), classes: Vec::new(), labels: Vec::new(), aliases: Vec::new() };
            add(entities.entry(subject.clone()).or_insert_with(new));
        };
        let text = |object: &Term| match object {
            Term::Literal(literal) => Some(Text::new(literal.language().unwrap_or_default(), literal.value())),
            _ => None,
        };
        match (quad.predicate.as_str(), &quad.object) {
            (RDF_TYPE, Term::NamedNode(class)) => {
                entity(&mut self.entities, &|entity| entity.classes.push(class.clone()));
            }
            (RDFS_LABEL, object) => entity(&mut self.entities, &|entity| entity.labels.extend(text(object))),
            (SKOS_ALT_LABEL, object) => entity(&mut self.entities, &|entity| entity.aliases.extend(text(object))),
            // The plain triple of a statement; its reifier says the same and more.
            _ => {}
        }
    }
}

impl Draft {
    fn add(&mut self, predicate: NamedNode, object: Term) {
        match (predicate.as_str(), object) {
            (RDF_REIFIES, Term::Triple(triple)) => {
                if let NamedOrBlankNode::NamedNode(subject) = triple.subject {
                    self.triple = Some((subject, triple.predicate, triple.object));
                }
            }
            (EVIDENCE, Term::Literal(record)) => self.records.push(record.value().to_owned()),
            (_, object) => self.qualifiers.push((predicate, object)),
        }
    }

    /// One fact for each record, since each may have its own words for the values.
    fn finish(self, reifier: &str, document: &DocumentId, facts: &mut Vec<Fact>) -> Result<(), String> {
        let (subject, relation, object) = self.triple.ok_or("reifies nothing")?;
        if self.records.is_empty() {
            return Err("has no evidence".to_owned());
        }
        let places = sorted_places(self.qualifiers.iter());
        for record in &self.records {
            let mut record: Record = serde_json::from_str(record).map_err(|error| format!("evidence {record}: {error}"))?;
            let object = term::decode(&object, std::mem::take(&mut record.object))?;
            let mut qualifiers = Vec::with_capacity(places.len());
            for (place, (iri, value)) in places.iter().enumerate() {
                let mut details = record.qualifiers.iter().filter(|(own, _)| *own == place).peekable();
                if details.peek().is_none() {
                    qualifiers.push((iri.clone(), term::decode(value, term::Detail::default())?));
                }
                for (_, detail) in details {
                    qualifiers.push((iri.clone(), term::decode(value, detail.clone())?));
                }
            }
            let statement = Statement::new(subject.clone(), relation.clone(), object, qualifiers);
            let new: NewFact = record.into_fact(statement);
            let fact = new.into_fact(document.clone());
            if fact.id.to_string() != reifier {
                return Err("is not the hash of what it states".to_owned());
            }
            facts.push(fact);
        }
        Ok(())
    }
}

fn corrupt(graph: &str, term: &str, message: String) -> GraphError {
    GraphError::Corrupt { graph: graph.to_owned(), term: term.to_owned(), message }
}
