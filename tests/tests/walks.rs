//! Walks over the graph of the sample corpus, beside a walker that looks at every fact: the index changes the time, not the result.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use factmask_engine::question::path::{self, Onward, Path, Step};
use factmask_graph::{EntityId, Fact, FactId, Snapshot, Value};
use std::sync::Arc;

fn corpus() -> Arc<Snapshot> {
    let store = factmask_tests::sample("walks").unwrap();
    store.snapshot().unwrap()
}

/// One hop by the definition: facts one way, those of the inverse the other way, and both ways where it is symmetric; what is
/// said twice without a qualifier counts once. In the snapshot's order of an entity's facts.
fn hop<'a>(snapshot: &'a Snapshot, at: EntityId, step: &Step) -> Vec<(&'a Fact, Value)> {
    let iri = &snapshot.entity(at).iri;
    let ordered = |forward: bool| -> Vec<(&Fact, Value)> {
        let facts = snapshot.facts().iter().filter(|fact| match forward {
            true => fact.statement.subject == *iri,
            false => fact.statement.object.as_entity() == Some(iri),
        });
        let mut facts: Vec<&Fact> = facts.collect();
        let key = |fact: &Fact| (fact.statement.relation.clone(), fact.statement.qualifiers.clone());
        facts.sort_by(|one, other| {
            key(one).cmp(&key(other)).then_with(|| match forward {
                true => one.statement.object.cmp(&other.statement.object),
                false => one.statement.subject.cmp(&other.statement.subject),
            })
        });
        let value = |fact: &Fact| match forward {
            true => fact.statement.object.clone(),
            false => Value::Entity(fact.statement.subject.clone()),
        };
        facts.into_iter().map(|fact| (fact, value(fact))).collect()
    };
    let of = |relation: &factmask_schema::Iri, forward: bool| {
        ordered(forward).into_iter().filter(|(fact, _)| fact.statement.relation == *relation).collect::<Vec<_>>()
    };
    let relation = snapshot.schema().relation(&step.relation);
    let mut found = of(&step.relation, step.forward);
    if let Some(inverse) = &relation.inverse {
        found.extend(of(inverse, !step.forward));
    }
    if relation.symmetric {
        found.extend(of(&step.relation, !step.forward));
    }
    let mut distinct: Vec<(&Fact, Value)> = Vec::new();
    for (fact, value) in found {
        if !fact.statement.qualifiers.is_empty() || distinct.iter().all(|(_, known)| *known != value) {
            distinct.push((fact, value));
        }
    }
    distinct
}

/// All trails of a path without a year; a long one that does not go back over a relation may lead through the topic where it leads
/// nowhere else.
fn trails(snapshot: &Snapshot, path: &Path) -> Vec<(Vec<FactId>, Value)> {
    let found = trails_past(snapshot, path, false);
    let back = path.steps.windows(2).any(|pair| goes_back(&pair[0], &pair[1]));
    if found.is_empty() && path.steps.len() > 2 && !back { trails_past(snapshot, path, true) } else { found }
}

fn goes_back(one: &Step, other: &Step) -> bool {
    one.relation == other.relation && one.forward != other.forward
}

fn trails_past(snapshot: &Snapshot, path: &Path, again: bool) -> Vec<(Vec<FactId>, Value)> {
    let mut open: Vec<(Vec<FactId>, EntityId)> = vec![(Vec::new(), path.topic)];
    let (mut ends, mut home) = (Vec::new(), Vec::new());
    for (number, step) in path.steps.iter().enumerate() {
        let last = number + 1 == path.steps.len();
        let mut next = Vec::new();
        for (facts, at) in &open {
            for (fact, value) in hop(snapshot, *at, step) {
                let end = path::entity_of(snapshot, &value);
                let mut facts = facts.clone();
                facts.push(fact.id);
                // The topic is not met again, but by a fact of its own with itself, and at the end where nothing else is.
                if end == Some(path.topic) && path.steps.len() > 1 && (last || !again) {
                    home.extend(last.then_some((facts, value)));
                    continue;
                }
                match (last, end) {
                    (true, _) => ends.push((facts, value)),
                    (false, Some(end)) => next.push((facts, end)),
                    (false, None) => {}
                }
            }
        }
        open = next;
    }
    let back = matches!(path.steps.as_slice(), [.., a, b] if goes_back(a, b));
    if ends.is_empty() && !back { home } else { ends }
}

#[test]
fn walks_find_what_looking_at_every_fact_finds() {
    let snapshot = corpus();
    let onward = Onward::new(&snapshot);
    let (mut paths, mut found) = (0, 0);
    for number in (0..snapshot.entities().len()).step_by(5) {
        let topic = EntityId(u32::try_from(number).unwrap());
        // Three hops, and back to what shares something, for a few: the walker that looks at every fact takes its time.
        let far = number.is_multiple_of(100).then_some(&onward);
        for path in path::candidates(&snapshot, topic, far) {
            let followed = path::follow(&snapshot, &path, &[]);
            let expected = trails(&snapshot, &path);
            let given: Vec<(Vec<FactId>, Value)> =
                followed.trails.iter().map(|trail| (trail.facts.clone(), trail.value.clone())).collect();
            assert_eq!(given, expected, "{path:?}");
            let mut values: Vec<Value> = Vec::new();
            for (_, value) in expected {
                if !values.contains(&value) {
                    values.push(value);
                }
            }
            assert_eq!(followed.values(), values, "{path:?}");
            paths += 1;
            found += values.len();
        }
    }
    assert!(paths > 500 && found > 500, "{paths} paths with {found} values are too few to say anything");
}
