//! What relations and classes are called in IRIs says nothing to the reader: meaningless names lose no answer, with the wordings alone
//! and with what was learned from examples.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use factmask_engine::{AskOptions, Engine, EngineOptions, Status, answer::Mode, learn::Example, learn_paths};
use factmask_graph::{Fact, Snapshot, Statement, Value};
use factmask_schema::{Class, Iri, Range, Relation, Schema, Wording, local_name};
use factmask_server::{Settings, models::Cache};
use serde::Deserialize;
use std::{collections::BTreeMap, fs, sync::Arc};

#[derive(Clone, Deserialize)]
struct Question {
    id: String,
    question: String,
    answers: Vec<String>,
}

/// Answers that may be lost, of a hundred questions.
const LOST: usize = 2;

#[test]
fn wordings_alone() {
    let worlds = Worlds::new();
    worlds.check(Mode::GraphOnly, None);
    worlds.check(Mode::Fused, None);
}

#[test]
fn learned_from_examples() {
    let worlds = Worlds::new();
    let all = questions_of(&worlds.named);
    let half = |which: usize, most: usize| all.iter().skip(which).step_by(2).take(most).cloned().collect::<Vec<_>>();
    let worlds = Worlds { questions: half(0, 100), ..worlds };
    let examples = half(1, 200);
    assert!(worlds.questions.len() == 100 && examples.len() > 100, "{} questions", all.len());
    worlds.check(Mode::GraphOnly, Some(&examples));
    worlds.check(Mode::Fused, Some(&examples));
}

/// Questions about the facts of a world in the wordings of its schema, one in turn, with all their answers.
fn questions_of(snapshot: &Snapshot) -> Vec<Question> {
    let mut facts: BTreeMap<_, Vec<&Fact>> = BTreeMap::new();
    for fact in snapshot.facts() {
        let Statement { subject, relation, qualifiers, .. } = &fact.statement;
        facts.entry((relation, qualifiers, subject)).or_default().push(fact);
    }
    let facts: Vec<(Asked<'_>, Vec<&Fact>)> = facts.into_iter().collect();
    let question = |(number, ((relation, qualifiers, subject), facts)): (usize, &(Asked<'_>, Vec<&Fact>))| {
        let relation = snapshot.schema().relation(relation).into_owned();
        let english: Vec<&Wording> = relation.questions.iter().filter(|wording| wording.lang == "en").collect();
        let wording = english.get(number % english.len().max(1))?;
        let name = snapshot.name(snapshot.find(subject)?, "en");
        let qualifier = |slot: &str| {
            let own = qualifiers.iter().find(|(iri, _): &&(Iri, _)| local_name(iri.as_str()) == slot)?;
            Some(snapshot.said(&own.1, "en"))
        };
        let answers = facts.iter().map(|fact| snapshot.said(&fact.statement.object, "en")).collect();
        Some(Question { id: number.to_string(), question: wording.question(name, &qualifier), answers })
    };
    facts.iter().enumerate().filter_map(question).collect()
}

/// A relation, the qualifiers of a fact, and its subject.
type Asked<'a> = (&'a Iri, &'a Vec<(Iri, Value)>, &'a Iri);

/// The sample corpus twice: with the names of its schema and with meaningless ones.
struct Worlds {
    engine: Engine,
    named: Arc<Snapshot>,
    meaningless: Arc<Snapshot>,
    questions: Vec<Question>,
}

impl Worlds {
    fn new() -> Self {
        let data = factmask_tests::data();
        let store = factmask_tests::sample("named").unwrap();
        let cache = Cache::new(Settings::load(None, &Default::default()).unwrap().models);
        let engine = Engine::open(&EngineOptions {
            model: Some(cache.language_model("smollm2-135m-instruct").unwrap().path),
            encoders: [("en".to_owned(), cache.encoder("all-minilm-l6-v2").unwrap())].into(),
            ..EngineOptions::default()
        })
        .unwrap();
        let named = store.snapshot().unwrap();
        let questions = fs::read_to_string(data.join("golden/questions.jsonl")).unwrap();
        let questions = questions.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        Self { engine, meaningless: Arc::new(meaningless(&named)), named, questions }
    }

    /// Both worlds answer alike, having learned from the same examples.
    fn check(&self, mode: Mode, examples: Option<&[Question]>) {
        let [named, meaningless] = [("named", &self.named), ("meaningless", &self.meaningless)]
            .map(|(tenant, snapshot)| self.answers(tenant, snapshot, mode, examples));
        let answered = named.iter().filter(|(_, answer)| !answer.is_empty()).count();
        assert!(2 * answered > named.len(), "only {answered} of {} are answered at all", named.len());
        let changed: Vec<_> = named.iter().zip(&meaningless).filter(|(one, other)| one != other).collect();
        assert!(100 * changed.len() <= LOST * named.len(), "{mode:?}: {changed:#?}");
    }

    /// What each question is answered with; nothing where it is refused.
    fn answers(
        &self,
        tenant: &str,
        snapshot: &Arc<Snapshot>,
        mode: Mode,
        examples: Option<&[Question]>,
    ) -> Vec<(String, Vec<String>)> {
        if let Some(examples) = examples {
            let example = |question: &Question| Example {
                question: question.question.clone(),
                answers: question.answers.clone(),
                lang: None,
            };
            let reader = self.engine.reader(tenant, snapshot).unwrap();
            let examples: Vec<Example> = examples.iter().map(example).collect();
            let instances = self.engine.instances(&reader, &examples).unwrap();
            for (lang, (model, _)) in learn_paths(&instances.iter().collect::<Vec<_>>()) {
                self.engine.teach(tenant, &lang, Some(Arc::new(model)));
            }
        }
        let options = AskOptions { tenant: tenant.to_owned(), mode, ..AskOptions::default() };
        let answer = |question: &Question| {
            let answer = self.engine.answer(snapshot, &question.question, &options).unwrap();
            let values = answer.values.iter().map(|value| snapshot.said(value, &answer.lang));
            let mut values: Vec<String> = if answer.status == Status::Answered { values.collect() } else { Vec::new() };
            values.sort();
            (question.id.clone(), values)
        };
        self.questions.iter().map(answer).collect()
    }
}

/// The same facts and wordings with relations and classes called r1, c1 and so on, in another order than before.
fn meaningless(named: &Snapshot) -> Snapshot {
    let schema = named.schema();
    let number = |iris: Vec<&Iri>, letter: char| -> BTreeMap<Iri, Iri> {
        let count = iris.len();
        let pair = |(at, iri): (usize, &Iri)| (iri.clone(), Iri::new(format!("urn:x:{letter}{}", count - at)).unwrap());
        iris.into_iter().enumerate().map(pair).collect()
    };
    let mut iris = number(schema.relations.keys().collect(), 'r');
    iris.extend(number(schema.classes.keys().collect(), 'c'));
    let other = |iri: &Iri| iris.get(iri).unwrap_or(iri).clone();
    let relation = |relation: &Relation| Relation {
        iri: other(&relation.iri),
        domain: relation.domain.as_ref().map(other),
        range: match &relation.range {
            Range::Entity(class) => Range::Entity(class.as_ref().map(other)),
            Range::Value(kind) => Range::Value(kind.clone()),
        },
        inverse: relation.inverse.as_ref().map(other),
        ..relation.clone()
    };
    let class = |class: &Class| Class {
        iri: other(&class.iri),
        parents: class.parents.iter().map(other).collect(),
        ..class.clone()
    };
    let schema = Schema {
        relations: schema.relations.values().map(relation).map(|one| (one.iri.clone(), one)).collect(),
        classes: schema.classes.values().map(class).map(|one| (one.iri.clone(), one)).collect(),
        ..schema.clone()
    };
    let entities = named.entities().iter().cloned().map(|mut entity| {
        entity.classes = entity.classes.iter().map(other).collect();
        entity
    });
    let facts = named.facts().iter().cloned().map(|mut fact: Fact| {
        fact.statement.relation = other(&fact.statement.relation);
        fact
    });
    let renamed = Snapshot::build(named.epoch(), schema, entities.collect(), facts.collect());
    assert_eq!(renamed.facts().len(), named.facts().len());
    assert!(renamed.facts().iter().all(|fact| fact.statement.relation.as_str().starts_with("urn:x:r")));
    renamed
}
