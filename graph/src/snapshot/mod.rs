//! One epoch of facts and schema, indexed for questions (petgraph).

mod difference;
mod index;
mod merge;

pub use difference::Difference;

use crate::{ContentHash, DocumentId, Entity, EntityId, Fact, FactId, Identity, Value};
use factmask_schema::{Iri, Schema, Text};
use index::Sides;
use petgraph::Direction;
use petgraph::graph::{DiGraph, EdgeReference, NodeIndex};
use petgraph::visit::EdgeRef;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// All facts of one epoch in memory. Immutable.
///
/// Entities are sorted by IRI and facts by id, so equal contents give equal numbers whatever order they came in.
pub struct Snapshot {
    epoch: u64,
    schema: Schema,
    entities: Vec<Entity>,
    by_iri: HashMap<Iri, EntityId>,
    facts: Vec<Fact>,
    /// By subject, in the order of [`Snapshot::facts_of`].
    of: Sides,
    /// By object, in the order of [`Snapshot::facts_to`].
    to: Sides,
    /// Entities as nodes, in the order of `entities`; each fact whose object is an entity as an edge with its position.
    graph: DiGraph<EntityId, u32>,
    revisions: HashMap<DocumentId, ContentHash>,
    identity: Arc<Identity>,
}

impl Snapshot {
    /// Indexes facts: equal statements are joined into one fact with all their evidence; an IRI that is used and not described
    /// gets an entity whose label is its local name. The schema's `inverse` and `symmetric` are answered by the walk, not
    /// stored.
    pub fn build(epoch: u64, schema: Schema, entities: Vec<Entity>, facts: Vec<Fact>) -> Self {
        let facts = merge::facts(facts);
        let entities = merge::entities(entities, &facts);
        let by_iri: HashMap<Iri, EntityId> =
            entities.iter().zip(0..).map(|(entity, number)| (entity.iri.clone(), EntityId(number))).collect();
        let mut snapshot = Self {
            epoch,
            schema,
            entities,
            by_iri,
            facts,
            of: Sides::default(),
            to: Sides::default(),
            graph: DiGraph::new(),
            revisions: HashMap::new(),
            identity: Arc::default(),
        };
        snapshot.index();
        snapshot
    }

    /// The same with the revisions of the documents that its evidence is in.
    pub(crate) fn with_revisions(mut self, revisions: HashMap<DocumentId, ContentHash>) -> Self {
        self.revisions = revisions;
        self
    }

    /// The same with who is who in its facts; they have been told apart by it already.
    pub(crate) fn with_identity(mut self, identity: Arc<Identity>) -> Self {
        self.identity = identity;
        self
    }

    /// The same epoch as if some facts had never been stated. An entity whose last fact goes is gone with it, as it would be from a
    /// store of the other facts; one that had none stays.
    pub fn without(&self, facts: &HashSet<FactId>) -> Self {
        let lost: HashSet<&Iri> =
            facts.iter().filter_map(|id| self.fact(*id)).flat_map(|fact| fact.statement.entities()).collect();
        let left: Vec<Fact> = self.facts.iter().filter(|fact| !facts.contains(&fact.id)).cloned().collect();
        let kept: HashSet<&Iri> = left.iter().flat_map(|fact| fact.statement.entities()).collect();
        let stays = |entity: &&Entity| !lost.contains(&entity.iri) || kept.contains(&entity.iri);
        let entities = self.entities.iter().filter(stays).cloned().collect();
        Self::build(self.epoch, self.schema.clone(), entities, left)
            .with_revisions(self.revisions.clone())
            .with_identity(Arc::clone(&self.identity))
    }

    /// The revision of a document that this epoch's evidence points into: byte ranges of it mean nothing in another one.
    /// `None` where the snapshot does not come from a store.
    pub fn revision(&self, document: &DocumentId) -> Option<ContentHash> {
        self.revisions.get(document).copied()
    }

    /// Grows by one with each committed change.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The schema of this epoch.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// All entities, sorted by IRI; an [`EntityId`] is the position in this slice.
    pub fn entities(&self) -> &[Entity] {
        &self.entities
    }

    /// One entity.
    ///
    /// # Panics
    /// When the id is of another snapshot and this one has fewer entities.
    pub fn entity(&self, id: EntityId) -> &Entity {
        &self.entities[id.index()]
    }

    /// The entity with this IRI, or the one that it was merged into.
    pub fn find(&self, iri: &Iri) -> Option<EntityId> {
        self.by_iri.get(iri).or_else(|| self.by_iri.get(self.identity.canonical(iri))).copied()
    }

    /// Which names of documents are one thing in this epoch, which are two, and why. Empty where the snapshot does not come from a
    /// store.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// All facts, sorted by id.
    pub fn facts(&self) -> &[Fact] {
        &self.facts
    }

    /// One fact.
    pub fn fact(&self, id: FactId) -> Option<&Fact> {
        let at = self.facts.binary_search_by_key(&id, |fact| fact.id).ok()?;
        self.facts.get(at)
    }

    /// The facts whose subject this is, sorted by relation, qualifiers and object.
    pub fn facts_of(&self, subject: EntityId) -> impl Iterator<Item = &Fact> {
        self.at(self.of.all(subject))
    }

    /// Those of one relation. Found by halving, so that it does not matter how many others there are.
    pub fn facts_of_relation(&self, subject: EntityId, relation: &Iri) -> impl Iterator<Item = &Fact> {
        self.at(self.of.of_relation(subject, relation, &self.facts))
    }

    /// The relations that this entity is a subject of, each once, in order.
    pub fn relations_of(&self, subject: EntityId) -> impl Iterator<Item = &Iri> {
        self.of.relations(subject, &self.facts)
    }

    /// The facts whose object this entity is, sorted by relation, qualifiers and subject.
    pub fn facts_to(&self, object: EntityId) -> impl Iterator<Item = &Fact> {
        self.at(self.to.all(object))
    }

    /// Those of one relation, found as [`Snapshot::facts_of_relation`] does.
    pub fn facts_to_relation(&self, object: EntityId, relation: &Iri) -> impl Iterator<Item = &Fact> {
        self.at(self.to.of_relation(object, relation, &self.facts))
    }

    /// The relations that this entity is an object of, each once, in order.
    pub fn relations_to(&self, object: EntityId) -> impl Iterator<Item = &Iri> {
        self.to.relations(object, &self.facts)
    }

    /// The entities and the facts between them. Node `n` is [`EntityId`]`(n)`, an edge's weight is the position of its fact in
    /// [`Snapshot::facts`].
    pub fn graph(&self) -> &DiGraph<EntityId, u32> {
        &self.graph
    }

    /// The entities one fact away, in either direction, with that fact; an entity comes once for each fact.
    pub fn neighbours(&self, id: EntityId) -> impl Iterator<Item = (EntityId, &Fact)> {
        let other = move |edge: &EdgeReference<'_, u32>| {
            if edge.source() == node(id) { edge.target() } else { edge.source() }
        };
        let out = self.graph.edges_directed(node(id), Direction::Outgoing);
        let back =
            self.graph.edges_directed(node(id), Direction::Incoming).filter(|edge| edge.source() != edge.target());
        out.chain(back).filter_map(move |edge| {
            let entity = self.graph.node_weight(other(&edge))?;
            Some((*entity, self.facts.get(*edge.weight() as usize)?))
        })
    }

    /// A name for people: the entity's label in `lang`, else in another language, else its IRI's local name.
    pub fn name(&self, id: EntityId, lang: &str) -> &str {
        let entity = self.entity(id);
        Text::pick(&entity.labels, lang).map_or_else(|| entity.iri.as_str(), |label| &label.text)
    }

    /// How a value of this snapshot is said in `lang`; see [`Value::said`].
    pub fn said(&self, value: &Value, lang: &str) -> String {
        value.said(lang, &|iri| match self.find(iri) {
            Some(id) => self.name(id, lang).to_owned(),
            None => Entity::name_in(iri),
        })
    }

    fn at<'a>(&'a self, positions: &'a [u32]) -> impl Iterator<Item = &'a Fact> {
        positions.iter().filter_map(|&at| self.facts.get(at as usize))
    }

    fn index(&mut self) {
        let subject = |fact: &Fact| self.by_iri.get(&fact.statement.subject).map_or(0, |id| id.0);
        let mut of: Vec<(u32, u32)> = self.facts.iter().zip(0..).map(|(fact, at)| (subject(fact), at)).collect();
        let key = |at: u32| {
            self.facts.get(at as usize).map(|fact| {
                let statement = &fact.statement;
                (&statement.relation, &statement.qualifiers, &statement.object)
            })
        };
        of.sort_by(|one, other| one.0.cmp(&other.0).then_with(|| key(one.1).cmp(&key(other.1))));

        let mut graph = DiGraph::with_capacity(self.entities.len(), of.len());
        for number in 0..self.entities.len() {
            graph.add_node(EntityId(u32::try_from(number).unwrap_or(u32::MAX)));
        }
        let mut edges: Vec<(u32, u32, u32)> = of
            .iter()
            .filter_map(|&(subject, at)| {
                let object = self.facts.get(at as usize)?.statement.object.as_entity()?;
                Some((subject, self.by_iri.get(object)?.0, at))
            })
            .collect();
        edges.sort_by(|one, other| key(one.2).cmp(&key(other.2)).then(one.0.cmp(&other.0)));
        let mut to: Vec<(u32, u32)> = edges.iter().map(|&(_, object, at)| (object, at)).collect();
        // Stable: within an object the order of the edges stays.
        to.sort_by_key(|&(object, _)| object);
        // petgraph gives a node's edges with the latest first, so they are added from the last to the first.
        for (subject, object, at) in edges.into_iter().rev() {
            graph.add_edge(node(EntityId(subject)), node(EntityId(object)), at);
        }

        self.of = Sides::new(self.entities.len(), &of);
        self.to = Sides::new(self.entities.len(), &to);
        self.graph = graph;
    }
}

fn node(id: EntityId) -> NodeIndex {
    NodeIndex::new(id.index())
}
