//! Which facts carry a question's gold answers.

use super::super::{
    score::{Given, Rule, score},
    set::Question,
};
use factmask_engine::{
    learn::{Example, examples::forms},
    question::{
        constraint, language,
        link::Linker,
        path::{self, Onward, Path, Step, entity_of},
    },
};
use factmask_graph::{EntityId, Fact, FactId, Snapshot, Value};
use factmask_schema::{Text, local_name, normal};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ops::Range,
};

/// A name shared by more says too little; the engine reads none of them either.
const MOST_HOMONYMS: usize = 8;

/// Values that gold answers, alternatives of one, can be at most.
const MOST_VALUES: usize = 16;

/// A name in a question as it was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Where it stands, in bytes.
    pub span: Range<usize>,
    /// Who bears it.
    pub entities: Vec<EntityId>,
}

/// What is known of a question's way to its answers.
#[derive(Clone, Debug, Default)]
pub struct Gold {
    /// Where it starts.
    pub topics: BTreeSet<EntityId>,
    /// The steps that any of its paths takes first.
    pub first: BTreeSet<Step>,
    /// For each step away from the topics all facts that it takes, whether or not they lead to an answer.
    pub layers: Vec<BTreeSet<FactId>>,
    /// Whether the set itself says the path; else the shortest that yield the answers and nothing else count.
    pub told: bool,
}

/// Finds the gold facts of questions in one snapshot.
pub struct Finder<'a> {
    snapshot: &'a Snapshot,
    rule: Rule,
    linker: Linker,
    onward: Onward,
    by_name: HashMap<String, Vec<EntityId>>,
}

impl<'a> Finder<'a> {
    /// Indexes a snapshot; `rule` says what the gold answers of a question are to one another.
    ///
    /// # Errors
    /// Names that cannot be indexed.
    pub fn new(snapshot: &'a Snapshot, rule: Rule) -> anyhow::Result<Self> {
        let mut by_name: HashMap<String, Vec<EntityId>> = HashMap::new();
        for (number, entity) in snapshot.entities().iter().enumerate() {
            let id = EntityId(u32::try_from(number)?);
            for name in entity.labels.iter().chain(&entity.aliases) {
                by_name.entry(plain(&name.text)).or_default().push(id);
            }
        }
        Ok(Self { snapshot, rule, linker: Linker::new(snapshot)?, onward: Onward::new(snapshot), by_name })
    }

    /// The names in a question, with who may be meant.
    pub fn names(&self, question: &str) -> Vec<Named> {
        let folded = normal::Folded::new(question);
        let known = self.linker.link(question).into_iter().filter(|found| found.entities.len() <= MOST_HOMONYMS);
        known.map(|found| Named { span: folded.source_range(found.span), entities: found.entities }).collect()
    }

    /// Where the names in a question stand, in bytes of the folded question.
    pub fn mentions(&self, question: &str) -> Vec<Range<usize>> {
        self.linker.link(question).into_iter().map(|mention| mention.span).collect()
    }

    /// How many things bear this name.
    pub fn bearers(&self, name: &str) -> usize {
        self.by_name.get(&plain(name)).map_or(0, Vec::len)
    }

    /// The facts that carry the gold answers; `None` where the graph does not hold them.
    pub fn gold(&self, question: &Question) -> Option<Gold> {
        let mentions = self.linker.link(&question.question);
        let spans: Vec<Range<usize>> = mentions.iter().map(|mention| mention.span.clone()).collect();
        let years = constraint::read(&normal::fold(&question.question), &spans).years;
        let known = mentions.into_iter().filter(|mention| mention.entities.len() <= MOST_HOMONYMS);
        let named = known.flat_map(|mention| mention.entities).collect();
        if question.gold_triples.is_empty() {
            self.by_answers(question, &named, &years)
        } else {
            self.by_triples(question, &named, &years)
        }
    }

    /// The shortest paths that yield the answers and nothing else: it is not said which is meant. Longer ones often do so by chance,
    /// and their facts have nothing to do with the question.
    fn by_answers(&self, question: &Question, named: &BTreeSet<EntityId>, years: &[i32]) -> Option<Gold> {
        let lang = language::detect(&question.question);
        let wanted =
            Example { question: question.question.clone(), answers: question.answers.clone(), lang: None }.wanted();
        let paths = named.iter().flat_map(|topic| path::candidates(self.snapshot, *topic, Some(&self.onward)));
        let mut by_length: BTreeMap<usize, Vec<Path>> = BTreeMap::new();
        for path in paths {
            by_length.entry(path.steps.len()).or_default().push(path);
        }
        // Most steps do not lead to any answer, whatever comes before them.
        let answers: Vec<EntityId> = question
            .answers
            .iter()
            .flat_map(|answer| self.by_name.get(&plain(answer)).into_iter().flatten())
            .copied()
            .collect();
        let mut arriving: HashMap<Step, bool> = HashMap::new();
        let mut arrives = |step: &Step| {
            *arriving.entry(step.clone()).or_insert_with(|| {
                let back = Step { relation: step.relation.clone(), forward: !step.forward };
                answers.is_empty() || answers.iter().any(|answer| taken(self.snapshot, *answer, &back).next().is_some())
            })
        };
        let mut yields = |path: &Path| {
            if !path.steps.last().is_some_and(&mut arrives) {
                return false;
            }
            let values = path::follow(self.snapshot, path, years).values();
            match self.rule {
                Rule::All => wanted.quality(self.snapshot, &values, lang) >= 1.0,
                Rule::AnyOf | Rule::AnyOfByRun if values.is_empty() || values.len() > MOST_VALUES => false,
                rule => {
                    let values = values.iter().map(|value| forms(self.snapshot, value, lang)).collect();
                    score(rule, question, &Given { values, free: false }).right
                }
            }
        };
        let mut by_length = by_length.into_values();
        let shortest = by_length.find_map(|paths| {
            let right: Vec<Path> = paths.into_iter().filter(&mut yields).collect();
            (!right.is_empty()).then_some(right)
        });
        let mut gold = Gold::default();
        for Path { topic, steps } in shortest? {
            let steps: Vec<BTreeSet<Step>> = steps.into_iter().map(|step| [step].into()).collect();
            gold.add(self.snapshot, &[topic].into(), &steps, years);
        }
        Some(gold)
    }

    /// The steps that the gold triples take, one after the other, away from what the question names.
    fn by_triples(&self, question: &Question, named: &BTreeSet<EntityId>, years: &[i32]) -> Option<Gold> {
        let facts: Option<Vec<&Fact>> = question.gold_triples.iter().map(|triple| self.fact(triple)).collect();
        let facts = facts?;
        let ends = |fact: &Fact| {
            let subject = self.snapshot.find(&fact.statement.subject);
            (subject, entity_of(self.snapshot, &fact.statement.object))
        };
        let all: BTreeSet<EntityId> = facts.iter().flat_map(|fact| <[_; 2]>::from(ends(fact))).flatten().collect();
        let mut topics: BTreeSet<EntityId> = named.intersection(&all).copied().collect();
        if topics.is_empty() {
            topics.extend(facts.first().and_then(|fact| ends(fact).0));
        }
        let mut depths: BTreeMap<EntityId, usize> = topics.iter().map(|topic| (*topic, 0)).collect();
        let mut steps: Vec<BTreeSet<Step>> = Vec::new();
        for fact in facts {
            let (subject, object) = ends(fact);
            let depth = |end: Option<EntityId>| end.and_then(|end| depths.get(&end).copied());
            let forward = match (depth(subject), depth(object)) {
                (Some(subject), Some(object)) => subject <= object,
                (None, Some(_)) => false,
                (_, None) => true,
            };
            let (near, far) = if forward { (subject, object) } else { (object, subject) };
            let near = depth(near)?;
            if let Some(far) = far {
                depths.entry(far).or_insert(near + 1);
            }
            steps.resize_with(steps.len().max(near + 1), BTreeSet::new);
            let step = Step { relation: fact.statement.relation.clone(), forward };
            steps.get_mut(near)?.insert(step);
        }
        let mut gold = Gold { told: true, ..Gold::default() };
        gold.add(self.snapshot, &topics, &steps, years);
        Some(gold)
    }

    fn fact(&self, [subject, relation, object]: &[String; 3]) -> Option<&'a Fact> {
        let (relation, object) = (plain(relation), plain(object));
        let schema = self.snapshot.schema();
        let called = |fact: &Fact| {
            let iri = &fact.statement.relation;
            let known = schema.relations.get(iri);
            let names = known.into_iter().flat_map(|known| known.labels.iter().chain(&known.aliases));
            plain(local_name(iri.as_str())) == relation
                || names.map(|Text { text, .. }| plain(text)).any(|own| own == relation)
        };
        let is = |value: &Value| {
            ["en", "zh"].iter().any(|lang| forms(self.snapshot, value, lang).iter().any(|form| plain(form) == object))
        };
        let subjects = self.by_name.get(&plain(subject)).into_iter().flatten();
        let mut facts = subjects.flat_map(|subject| self.snapshot.facts_of(*subject));
        facts.find(|fact| called(fact) && is(&fact.statement.object))
    }
}

impl Gold {
    /// The facts without which nothing comes out at the end, and with `whole` those of every step; each with what says the same
    /// the other way round.
    pub fn facts(&self, snapshot: &Snapshot, whole: bool) -> BTreeSet<FactId> {
        let skipped = if whole { 0 } else { self.layers.len().saturating_sub(1) };
        let mut facts: BTreeSet<FactId> = self.layers.iter().skip(skipped).flatten().copied().collect();
        let back = |id: &FactId| -> Vec<FactId> {
            let Some(fact) = snapshot.fact(*id) else { return Vec::new() };
            let subject = snapshot.find(&fact.statement.subject);
            let object = entity_of(snapshot, &fact.statement.object);
            let of = object.into_iter().flat_map(|object| snapshot.facts_of(object));
            of.filter(|back| entity_of(snapshot, &back.statement.object) == subject).map(|back| back.id).collect()
        };
        let backs: Vec<FactId> = facts.iter().flat_map(back).collect();
        facts.extend(backs);
        facts
    }

    /// What stands on the way: the topics, and what each step but the last leads to.
    pub fn way(&self, snapshot: &Snapshot) -> BTreeSet<EntityId> {
        let inner = self.layers.iter().rev().skip(1).flatten().filter_map(|id| snapshot.fact(*id));
        let ends = inner.flat_map(|fact| fact.statement.entities()).filter_map(|iri| snapshot.find(iri));
        self.topics.iter().copied().chain(ends).collect()
    }

    /// Walks from the topics, all steps of a layer at once.
    fn add(&mut self, snapshot: &Snapshot, topics: &BTreeSet<EntityId>, steps: &[BTreeSet<Step>], years: &[i32]) {
        let mut layers = Vec::new();
        let mut open = topics.clone();
        for steps in steps {
            let (mut layer, mut next) = (BTreeSet::new(), BTreeSet::new());
            for (near, step) in open.iter().flat_map(|near| steps.iter().map(move |step| (*near, step))) {
                for (fact, far) in taken(snapshot, near, step).filter(|(fact, _)| !of_another_year(fact, years)) {
                    layer.insert(fact.id);
                    next.extend(far);
                }
            }
            layers.push(layer);
            open = next;
        }
        self.topics.extend(topics);
        self.first.extend(steps.first().into_iter().flatten().cloned());
        self.layers.resize_with(self.layers.len().max(layers.len()), BTreeSet::new);
        for (own, layer) in self.layers.iter_mut().zip(layers) {
            own.extend(layer);
        }
    }
}

/// The facts that a step takes at one end, with the other. What says the same the other way round is the inverse's.
pub(super) fn taken<'a>(
    snapshot: &'a Snapshot,
    near: EntityId,
    step: &'a Step,
) -> impl Iterator<Item = (&'a Fact, Option<EntityId>)> {
    let relation = snapshot.schema().relations.get(&step.relation);
    let inverse = relation.and_then(|relation| relation.inverse.as_ref()).map(|inverse| (inverse, !step.forward));
    let turned = relation.filter(|relation| relation.symmetric).map(|_| (&step.relation, !step.forward));
    let ways = [(&step.relation, step.forward)].into_iter().chain(inverse).chain(turned);
    ways.flat_map(move |(iri, forward)| {
        let of = snapshot.facts_of_relation(near, iri).filter(move |_| forward);
        let to = snapshot.facts_to_relation(near, iri).filter(move |_| !forward);
        let object = |fact: &'a Fact| (fact, entity_of(snapshot, &fact.statement.object));
        of.map(object).chain(to.map(|fact| (fact, snapshot.find(&fact.statement.subject))))
    })
}

/// Whether a fact is of another year than those asked for.
fn of_another_year(fact: &Fact, years: &[i32]) -> bool {
    let dates = fact.statement.qualifiers.iter().filter_map(|(_, value)| match value {
        Value::Date(date) => Some(date.year),
        _ => None,
    });
    !years.is_empty() && dates.into_iter().any(|year| !years.contains(&year))
}

/// Folded, letters and digits only; signs where there is nothing else.
fn plain(text: &str) -> String {
    let folded = normal::fold(text);
    let plain: String = folded.chars().filter(|c| c.is_alphanumeric()).collect();
    if plain.is_empty() { folded } else { plain }
}
