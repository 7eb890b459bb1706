//! Walks over the graph: which paths of up to three hops start at an entity, and what each of them yields.

use factmask_graph::{EntityId, Fact, FactId, Snapshot, Value};
use factmask_schema::{Iri, Range, Relation, Schema};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    hash::{DefaultHasher, Hash, Hasher},
};

/// One hop.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// The relation.
    pub relation: Iri,
    /// From subject to object, or back.
    pub forward: bool,
}

impl Step {
    /// Its direction and relation in one word, ">urn:..." or "<urn:...".
    pub fn sign(&self) -> String {
        format!("{}{}", if self.forward { '>' } else { '<' }, self.relation.as_str())
    }

    /// The class that it arrives at, where the schema says one.
    pub fn class_reached<'a>(&self, schema: &'a Schema) -> Option<&'a Iri> {
        let relation = schema.relations.get(&self.relation)?;
        match &relation.range {
            _ if !self.forward => relation.domain.as_ref(),
            Range::Entity(class) => class.as_ref(),
            Range::Value(_) => None,
        }
    }

    /// The step of a sign.
    pub fn of_sign(sign: &str) -> Option<Self> {
        let forward = match sign.chars().next()? {
            '>' => true,
            '<' => false,
            _ => return None,
        };
        Some(Self { relation: Iri::new_unchecked(&sign[1..]), forward })
    }

    fn is_back_over(&self, before: &Self) -> bool {
        self.relation == before.relation && self.forward != before.forward
    }
}

/// A walk from a topic entity.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path {
    /// Where it starts.
    pub topic: EntityId,
    /// One to three hops.
    pub steps: Vec<Step>,
}

/// One way through the graph along a path: the facts in order and the value at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trail {
    /// A fact for each hop.
    pub facts: Vec<FactId>,
    /// Where it ends.
    pub value: Value,
}

/// What a path yields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Yield {
    /// Distinct trails in the order of the graph.
    pub trails: Vec<Trail>,
    /// Whether a year was asked for and no fact on the path could honour it.
    pub year_unmet: bool,
    /// Whether it would yield more than anybody reads; then it yields nothing, rather than a part as if it were all.
    pub too_many: bool,
}

impl Yield {
    /// The distinct values, in order.
    pub fn values(&self) -> Vec<Value> {
        let mut seen = HashSet::new();
        self.trails.iter().map(|trail| &trail.value).filter(|value| seen.insert(*value)).cloned().collect()
    }
}

impl Yield {
    /// A number that yields of the same values share, in whatever order; none where there are no values.
    pub fn fingerprint(&self) -> Option<u64> {
        let of = |value: Value| {
            let mut hasher = DefaultHasher::new();
            value.hash(&mut hasher);
            hasher.finish()
        };
        self.values().into_iter().map(of).reduce(u64::wrapping_add)
    }
}

/// A hub's neighbours beyond this are not walked a second time: the second hop of a hub is no question that people ask, and its
/// cost would grow with the graph.
const WIDEST_FIRST_HOP: usize = 64;
/// The same where examples say what people ask.
const WIDEST_LEARNED: usize = 1_024;
/// Paths of three hops from one topic that are considered; where there are more, none is.
const MOST_LONG: usize = 4_000;
/// Ways that are followed to their end; what has more is no answer that anyone reads.
const MOST_TRAILS: usize = 4_000;

/// Which steps the data shows behind which, wherever it does.
#[derive(Debug, Default)]
pub struct Onward(HashMap<Step, BTreeSet<Step>>);

impl Onward {
    /// Looks at every entity once.
    pub fn new(snapshot: &Snapshot) -> Self {
        let schema = snapshot.schema();
        let mut onward: HashMap<Step, BTreeSet<Step>> = HashMap::new();
        // Entities of one kind take the same steps.
        let kinds: HashSet<BTreeSet<Step>> =
            (0..snapshot.entities().len()).map(|number| observed_steps(snapshot, EntityId(number as u32))).collect();
        for steps in &kinds {
            for step in steps {
                onward.entry(back(schema, step)).or_default().extend(steps.iter().cloned());
            }
        }
        Self(onward)
    }

    fn behind(&self, step: &Step) -> impl Iterator<Item = &Step> {
        self.0.get(step).into_iter().flatten()
    }
}

/// All paths of one and two hops that the schema allows or the data shows from `topic`. Paths that yield nothing are kept where
/// the schema allows them: a question may well be about a fact that is missing, and then the best path must be the empty one. Where
/// `onward` is given also those back to what shares something with the topic, and those of three hops whose steps follow one another
/// somewhere in the data.
pub fn candidates(snapshot: &Snapshot, topic: EntityId, onward: Option<&Onward>) -> Vec<Path> {
    let mut paths = BTreeSet::new();
    // Ends are shared by many first steps, and a hub among them has many facts.
    let mut known: HashMap<EntityId, BTreeSet<Step>> = HashMap::new();
    let widest = if onward.is_some() { WIDEST_LEARNED } else { WIDEST_FIRST_HOP };
    for first in steps_from(snapshot, topic) {
        let ends = ends(snapshot, topic, &first);
        if ends.len() <= widest {
            for end in ends.into_iter().filter(|end| *end != topic) {
                for second in known.entry(end).or_insert_with(|| observed_steps(snapshot, end)).iter() {
                    // Back over the relation just taken leads to what shares an end: asked for in words that few wordings have.
                    if onward.is_some() || !second.is_back_over(&first) {
                        paths.insert(Path { topic, steps: vec![first.clone(), second.clone()] });
                    }
                }
            }
        }
        paths.insert(Path { topic, steps: vec![first] });
    }
    if let Some(onward) = onward {
        let longer = paths.iter().filter(|path| path.steps.len() == 2).flat_map(|path| {
            let steps = path.steps.last().into_iter().flat_map(|last| onward.behind(last));
            steps.map(|step| Path { topic, steps: path.steps.iter().chain([step]).cloned().collect() })
        });
        let longer: Vec<Path> = longer.take(MOST_LONG + 1).collect();
        // Some of very many would be an arbitrary choice.
        if longer.len() <= MOST_LONG {
            paths.extend(longer);
        }
    }
    paths.into_iter().collect()
}

/// Follows a path; with years, facts that carry a year in a qualifier must carry one of these. It leads through the topic again only
/// where it leads nowhere else and does not go back over a relation: the job of the husband of somebody's child's mother may be that
/// somebody's own, the founding year of what shares somebody's seat is not.
pub fn follow(snapshot: &Snapshot, path: &Path, years: &[i32]) -> Yield {
    let found = follow_past(snapshot, path, years, false);
    let back = path.steps.windows(2).any(|pair| pair[1].is_back_over(&pair[0]));
    let nowhere = found.trails.is_empty() && !found.too_many && path.steps.len() > 2 && !back;
    if nowhere { follow_past(snapshot, path, years, true) } else { found }
}

fn follow_past(snapshot: &Snapshot, path: &Path, years: &[i32], again: bool) -> Yield {
    let mut open: Vec<(EntityId, Vec<FactId>, bool)> = vec![(path.topic, Vec::new(), false)];
    let mut result = Yield::default();
    let Some((last, inner)) = path.steps.split_last() else { return result };
    for step in inner {
        let mut next = Vec::new();
        for (at, facts, dated) in open {
            for (fact, reached) in hop(snapshot, at, step) {
                let Some(fact_dated) = honours(fact, years) else { continue };
                if let Some(end) = reached.entity(snapshot).filter(|end| again || *end != path.topic) {
                    let mut facts = facts.clone();
                    facts.push(fact.id);
                    next.push((end, facts, dated || fact_dated));
                }
            }
        }
        if next.len() > WIDEST_FIRST_HOP {
            // Many ways lead to the same things; one of each is enough to go on from.
            let mut seen = HashSet::new();
            next.retain(|(end, _, dated)| seen.insert((*end, *dated)));
        }
        open = next;
    }
    let (mut undated, mut back) = (false, Vec::new());
    for (at, facts, dated) in open {
        if result.trails.len() > MOST_TRAILS {
            return Yield { too_many: true, ..Yield::default() };
        }
        for (fact, reached) in hop(snapshot, at, last) {
            let Some(fact_dated) = honours(fact, years) else { continue };
            if !years.is_empty() && !dated && !fact_dated {
                undated = true;
                continue;
            }
            let mut facts = facts.clone();
            facts.push(fact.id);
            let home = !inner.is_empty() && reached.entity(snapshot) == Some(path.topic);
            let trail = Trail { facts, value: reached.value() };
            if home { &mut back } else { &mut result.trails }.push(trail);
        }
    }
    // Whoever asks for somebody's colleagues does not ask for that somebody, but who asks for the husband of somebody's wife may.
    if result.trails.is_empty() && inner.last().is_some_and(|before| !last.is_back_over(before)) {
        result.trails = back;
    }
    result.year_unmet = result.trails.is_empty() && (undated || !years.is_empty());
    result
}

/// Whether a fact fits the years: `None` when it carries another year, else whether it carries one of them.
pub(super) fn honours(fact: &Fact, years: &[i32]) -> Option<bool> {
    if years.is_empty() {
        return Some(false);
    }
    let mut dated = false;
    for (_, value) in &fact.statement.qualifiers {
        if let Value::Date(date) = value {
            if !years.contains(&date.year) {
                return None;
            }
            dated = true;
        }
    }
    Some(dated)
}

/// The entity that a value is.
pub fn entity_of(snapshot: &Snapshot, value: &Value) -> Option<EntityId> {
    match value {
        Value::Entity(iri) => snapshot.find(iri),
        _ => None,
    }
}

/// Where a hop arrives. Entities are one thing whichever end of the fact they stand at, so that both ways to them are one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Reached<'a> {
    Entity(&'a Iri),
    Value(&'a Value),
}

impl<'a> Reached<'a> {
    fn object(fact: &'a Fact) -> Self {
        match &fact.statement.object {
            Value::Entity(iri) => Self::Entity(iri),
            value => Self::Value(value),
        }
    }

    pub(super) fn entity(self, snapshot: &Snapshot) -> Option<EntityId> {
        match self {
            Self::Entity(iri) => snapshot.find(iri),
            Self::Value(_) => None,
        }
    }

    pub(super) fn value(self) -> Value {
        match self {
            Self::Entity(iri) => Value::Entity(iri.clone()),
            Self::Value(value) => value.clone(),
        }
    }
}

/// The facts that one hop takes, with what each leads to. Inverse and symmetric relations are followed as the schema says.
pub(super) fn hop<'a>(snapshot: &'a Snapshot, at: EntityId, step: &Step) -> Vec<(&'a Fact, Reached<'a>)> {
    let relation = snapshot.schema().relations.get(&step.relation);
    let inverse = relation.and_then(|relation| relation.inverse.as_ref());
    let symmetric = relation.is_some_and(|relation| relation.symmetric);
    let mut found: Vec<(&Fact, Reached<'_>)> = Vec::new();
    let mut take = |iri: &Iri, forward: bool| match forward {
        true => found.extend(snapshot.facts_of_relation(at, iri).map(|fact| (fact, Reached::object(fact)))),
        false => found
            .extend(snapshot.facts_to_relation(at, iri).map(|fact| (fact, Reached::Entity(&fact.statement.subject)))),
    };
    take(&step.relation, step.forward);
    if let Some(inverse) = inverse {
        take(inverse, !step.forward);
    }
    if symmetric {
        take(&step.relation, !step.forward);
    }
    let mut known = HashSet::with_capacity(found.len());
    found.retain(|(fact, reached)| known.insert(*reached) || has_qualifiers(fact));
    found
}

fn has_qualifiers(fact: &Fact) -> bool {
    !fact.statement.qualifiers.is_empty()
}

fn ends(snapshot: &Snapshot, at: EntityId, step: &Step) -> BTreeSet<EntityId> {
    hop(snapshot, at, step).into_iter().filter_map(|(_, reached)| reached.entity(snapshot)).collect()
}

/// Steps that the data shows from an entity.
pub(super) fn observed_steps(snapshot: &Snapshot, at: EntityId) -> BTreeSet<Step> {
    let out = snapshot.relations_of(at).map(|relation| Step { relation: relation.clone(), forward: true });
    let back = snapshot.relations_to(at).map(|relation| Step { relation: relation.clone(), forward: false });
    out.chain(back).map(|step| plain(snapshot.schema(), step)).collect()
}

/// An inverse pair is one thing said two ways: the forward form is kept.
pub(super) fn plain(schema: &Schema, step: Step) -> Step {
    match schema.relations.get(&step.relation) {
        Some(Relation { inverse: Some(inverse), .. }) if !step.forward => {
            Step { relation: inverse.clone(), forward: true }
        }
        Some(Relation { symmetric: true, .. }) => Step { forward: true, ..step },
        _ => step,
    }
}

/// The step that leads back.
pub(super) fn back(schema: &Schema, step: &Step) -> Step {
    plain(schema, Step { relation: step.relation.clone(), forward: !step.forward })
}

/// Steps that the data shows or the schema allows from an entity's classes.
fn steps_from(snapshot: &Snapshot, at: EntityId) -> BTreeSet<Step> {
    let schema = snapshot.schema();
    let classes = &snapshot.entity(at).classes;
    let is =
        |wanted: &Option<Iri>| wanted.as_ref().is_some_and(|wanted| classes.iter().any(|c| schema.is_a(c, wanted)));
    let mut steps = observed_steps(snapshot, at);
    for relation in schema.relations.values() {
        if is(&relation.domain) {
            steps.insert(Step { relation: relation.iri.clone(), forward: true });
        }
        if let Range::Entity(class) = &relation.range
            && relation.inverse.is_none()
            && !relation.symmetric
            && is(class)
        {
            steps.insert(Step { relation: relation.iri.clone(), forward: false });
        }
    }
    steps
}

/// Groups the trails of a yield by their qualifiers: one group means that the question is not ambiguous in time or role.
pub fn by_qualifiers<'a>(snapshot: &'a Snapshot, found: &'a Yield, lang: &str) -> BTreeMap<String, Vec<&'a Trail>> {
    let mut groups: BTreeMap<String, Vec<&Trail>> = BTreeMap::new();
    for trail in &found.trails {
        let qualifiers: Vec<String> = trail
            .facts
            .iter()
            .filter_map(|id| snapshot.fact(*id))
            .flat_map(|fact| &fact.statement.qualifiers)
            .map(|(qualifier, value)| {
                let value = value.said(lang, &|iri| iri.as_str().to_owned());
                let label = snapshot
                    .schema()
                    .qualifiers
                    .get(qualifier)
                    .and_then(|q| factmask_schema::Text::pick(&q.labels, lang));
                format!("{} {value}", label.map_or(qualifier.as_str(), |label| label.text.as_str()))
            })
            .collect();
        groups.entry(qualifiers.join(", ")).or_default().push(trail);
    }
    groups
}
