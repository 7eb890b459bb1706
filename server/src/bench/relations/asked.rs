//! What is asked, and what it is held against.

use factmask_engine::question::{
    path::Step,
    wordings::{self, class_word},
    words,
};
use factmask_graph::{EntityId, Snapshot};
use factmask_schema::{Iri, Relation, Schema, Text, Wording};
use std::collections::BTreeSet;

/// A sentence of the schema that asks for a relation, its subject's class in the subject's place.
pub struct Own {
    /// Place of the relation among all that can be asked for.
    pub relation: usize,
    /// The sentence.
    pub text: String,
    /// Its content units without the class.
    pub units: BTreeSet<String>,
}

/// A question about an entity.
pub struct Asked {
    /// Place of the relation that is meant.
    pub relation: usize,
    /// Whom it is about.
    pub entity: EntityId,
    /// With the entity's name.
    pub named: String,
    /// With its class in place of the name.
    pub general: String,
    /// Content units without either.
    pub units: BTreeSet<String>,
    /// The sentence of the schema that it was made from, which must not be held against it.
    pub left_out: Option<usize>,
}

/// Everything that one run compares.
pub struct Trial {
    /// The relations with wordings in both files.
    pub relations: Vec<Iri>,
    /// The schema's sentences, by relation.
    pub own: Vec<Own>,
    /// Questions in other words: these are scored.
    pub asked: Vec<Asked>,
    /// The schema's own questions, each to be told without itself: layers and weights are chosen on these.
    pub synthetic: Vec<Asked>,
    /// Relations for which fewer subjects are known than each wording should be asked of.
    pub few: usize,
}

impl Trial {
    /// Puts every wording of `other_words` to this many entities of its relation, spread over those that are known.
    pub fn new(snapshot: &Snapshot, other_words: &Schema, lang: &str, entities: usize) -> Self {
        let in_lang = |wording: &&Wording| Text::same_language(&wording.lang, lang);
        let schema = snapshot.schema();
        let wordings_of = |relation: &Relation| relation.questions.iter().filter(in_lang).cloned().collect::<Vec<_>>();
        let mut trial =
            Self { relations: Vec::new(), own: Vec::new(), asked: Vec::new(), synthetic: Vec::new(), few: 0 };
        for (iri, relation) in &schema.relations {
            let others = other_words.relations.get(iri).map(wordings_of).unwrap_or_default();
            let subjects = subjects(snapshot, iri, lang, entities);
            if others.is_empty() || subjects.is_empty() {
                continue;
            }
            trial.few += usize::from(subjects.len() < entities);
            let at = trial.relations.len();
            trial.relations.push(iri.clone());
            let class = class_word(schema, relation.domain.as_slice(), lang);
            let step = Step { relation: iri.clone(), forward: true };
            let first = trial.own.len();
            for text in wordings::of_step(schema, &step, &class, lang, usize::MAX) {
                let units = words::units(&text).difference(&words::units(&class)).cloned().collect();
                trial.own.push(Own { relation: at, text, units });
            }
            for (number, entity) in subjects.into_iter().enumerate() {
                let ask = |wording: &Wording, left_out| Asked {
                    relation: at,
                    entity,
                    named: wording.question(snapshot.name(entity, lang), &|_| None),
                    general: wording.question(&class_word(schema, &snapshot.entity(entity).classes, lang), &|_| None),
                    units: words::units(&wording.question(" ", &|_| None)),
                    left_out,
                };
                trial.asked.extend(others.iter().map(|wording| ask(wording, None)));
                // A relation's questions come first among its sentences, in order. One entity is enough to choose by.
                if number == 0 {
                    let own = wordings_of(relation);
                    trial.synthetic.extend(own.iter().enumerate().map(|(number, own)| ask(own, Some(first + number))));
                }
            }
        }
        trial
    }

    /// Whether each relation can be asked of an entity, by its classes.
    pub fn fitting(&self, snapshot: &Snapshot, entity: EntityId) -> Vec<bool> {
        let schema = snapshot.schema();
        let classes = &snapshot.entity(entity).classes;
        let fits = |iri: &Iri| match &schema.relation(iri).domain {
            Some(domain) => classes.iter().any(|class| schema.is_a(class, domain)),
            None => true,
        };
        self.relations.iter().map(fits).collect()
    }
}

/// Up to `most` subjects of a relation with a name in the language, spread evenly over all.
fn subjects(snapshot: &Snapshot, relation: &Iri, lang: &str, most: usize) -> Vec<EntityId> {
    let named =
        |entity: &EntityId| snapshot.entity(*entity).labels.iter().any(|label| Text::same_language(&label.lang, lang));
    let forward = snapshot.facts().iter().filter(|fact| &fact.statement.relation == relation);
    let mut all: BTreeSet<EntityId> =
        forward.filter_map(|fact| snapshot.find(&fact.statement.subject)).filter(named).collect();
    // Where the documents say it the other way round.
    if let Some(inverse) = &snapshot.schema().relation(relation).inverse {
        let back = snapshot.facts().iter().filter(|fact| &fact.statement.relation == inverse);
        all.extend(back.filter_map(|fact| snapshot.find(fact.statement.object.as_entity()?)).filter(named));
    }
    let all: Vec<EntityId> = all.into_iter().collect();
    let count = all.len().min(most);
    (0..count).filter_map(|number| all.get(number * all.len() / count).copied()).collect()
}
