//! Counterfactual facts: each relation's values are dealt out anew among its subjects, so that no model can know them and every
//! right answer must have been read.

use super::random::Random;
use factmask_graph::{Entity, Fact, FactId, Snapshot, Statement, Value};
use factmask_schema::{Iri, Schema, Text};
use std::collections::{BTreeMap, BTreeSet};

/// Longer values are passages rather than answers.
const LONGEST_VALUE: usize = 60;

/// A graph whose facts are made up from real ones.
pub struct World {
    /// The schema that the ranker sees.
    pub schema: Schema,
    /// Entities of the source graph.
    pub entities: Vec<Entity>,
    /// Facts with shuffled values.
    pub facts: Vec<Fact>,
}

/// A fact that one question can ask for.
#[derive(Clone, Debug)]
pub struct Askable {
    /// The statement.
    pub statement: Statement,
    /// Its place among the world's facts.
    pub fact: usize,
}

impl World {
    /// Shuffles the values of each relation of `source`. Symmetric relations are left out, and of an inverse pair the smaller
    /// half: shuffled apart they would contradict each other.
    pub fn new(source: &Snapshot, random: &mut Random) -> Self {
        let schema = source.schema().clone();
        let mut by_relation: BTreeMap<&Iri, Vec<&Fact>> = BTreeMap::new();
        for fact in source.facts() {
            by_relation.entry(&fact.statement.relation).or_default().push(fact);
        }
        let count = |iri: &Iri| by_relation.get(iri).map_or(0, Vec::len);
        let mut facts = Vec::new();
        for (iri, originals) in &by_relation {
            let relation = schema.relation(iri);
            let overruled = relation
                .inverse
                .as_ref()
                .is_some_and(|inverse| (count(inverse), inverse.as_str()) > (originals.len(), iri.as_str()));
            if relation.symmetric || overruled {
                continue;
            }
            let mut values: Vec<Value> = originals.iter().map(|fact| fact.statement.object.clone()).collect();
            random.shuffle(&mut values);
            let mut known = BTreeSet::new();
            for (original, object) in originals.iter().zip(values) {
                let statement = Statement { object, ..original.statement.clone() };
                let fact = Fact { id: FactId::of(&statement), statement, evidence: original.evidence.clone() };
                if known.insert(fact.id) {
                    facts.push(fact);
                }
            }
        }
        Self { schema, entities: source.entities().to_vec(), facts }
    }

    /// The facts that can be asked for with these wordings: one answer, short, of a subject with a name in the language.
    pub fn askable(&self, wordings: &Schema, lang: &str) -> Vec<Askable> {
        let named: BTreeSet<&Iri> = self
            .entities
            .iter()
            .filter(|entity| entity.labels.iter().any(|label| Text::same_language(&label.lang, lang)))
            .map(|entity| &entity.iri)
            .collect();
        let mut answers: BTreeMap<Key<'_>, usize> = BTreeMap::new();
        for Fact { statement, .. } in &self.facts {
            *answers.entry(key(statement)).or_default() += 1;
        }
        let asked = |iri: &Iri| {
            wordings.relations.get(iri).is_some_and(|relation| {
                relation.questions.iter().any(|wording| Text::same_language(&wording.lang, lang))
            })
        };
        let short = |value: &Value| match value {
            Value::Entity(iri) => named.contains(iri),
            Value::Text { text, .. } => text.chars().count() <= LONGEST_VALUE,
            _ => true,
        };
        self.facts
            .iter()
            .enumerate()
            .filter(|(_, Fact { statement, .. })| {
                asked(&statement.relation)
                    && named.contains(&statement.subject)
                    && answers.get(&key(statement)) == Some(&1)
                    && short(&statement.object)
            })
            .map(|(fact, Fact { statement, .. })| Askable { statement: statement.clone(), fact })
            .collect()
    }

    /// The world as a snapshot, whole or with something taken out.
    pub fn snapshot(&self, without: &Without) -> Snapshot {
        let mut schema = self.schema.clone();
        if let Without::Relation(iri) = without {
            let inverse = schema.relations.remove(iri).and_then(|relation| relation.inverse);
            schema
                .relations
                .retain(|other, relation| Some(other) != inverse.as_ref() && relation.inverse.as_ref() != Some(iri));
        }
        let stands = |number: usize, fact: &Fact| match without {
            Without::Nothing => true,
            Without::Fact(gone) => number != *gone,
            Without::Relation(_) => schema.relations.contains_key(&fact.statement.relation),
        };
        let facts = self.facts.iter().enumerate().filter(|(number, fact)| stands(*number, fact));
        let facts = facts.map(|(_, fact)| fact.clone()).collect();
        Snapshot::build(1, schema, self.entities.clone(), facts)
    }
}

/// What is taken out of a world, so that a question about it must be refused.
#[derive(Clone, Debug)]
pub enum Without {
    /// Nothing: the question can be answered.
    Nothing,
    /// One fact, by its place.
    Fact(usize),
    /// A relation, from schema and facts alike: nobody has ever heard of it.
    Relation(Iri),
}

/// What a question fixes: subject, relation, qualifiers.
type Key<'a> = (&'a Iri, &'a Iri, &'a [(Iri, Value)]);

fn key(statement: &Statement) -> Key<'_> {
    (&statement.subject, &statement.relation, statement.qualifiers.as_slice())
}
