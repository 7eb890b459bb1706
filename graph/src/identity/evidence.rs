//! What speaks for and against two entities being one, in nats: a sum of logarithms of odds.

use super::apart::said;
use super::name::Likeness as Alike;
use super::view::{Item, Likeness, Said, View};
use crate::{Precision, Value};
use factmask_schema::Iri;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// At least this, and two entities are one: odds of seven to one, with a name in common and nothing against it.
pub(super) const MERGED: f32 = 2.0;
/// At least this, and people are asked.
pub(super) const PROPOSED: f32 = -0.5;

/// What comes of comparing two entities.
#[derive(Clone, Debug)]
pub(super) struct Judgement {
    /// Logarithm of the odds that they are one.
    pub(super) weight: f32,
    pub(super) reasons: Vec<String>,
    /// They contradict each other in what can have one value only.
    pub(super) contradiction: bool,
}

/// A thing that is said of one entity and may be said of others: by relation, direction and the entity that is there.
pub(super) type Key<'a> = (&'a Iri, bool, u32);

/// How alike the names alone are. `given`: how many of the two have an IRI from a source, which has meant something by it.
fn by_name(alike: Alike, given: usize, class_known: bool) -> f32 {
    let by_words = match alike {
        Alike::Stated => 10.0,
        // Two sources that give IRIs of their own may mean two things by one name.
        Alike::Same if given == 2 => 1.0,
        Alike::Same => 3.0,
        Alike::Legal if given == 2 => 0.5,
        Alike::Legal => 1.6,
        Alike::Sound => 0.0,
        Alike::Group => -0.2,
        Alike::Order => -0.5,
        Alike::ShortSound | Alike::Acronym | Alike::Contraction | Alike::Initials => -1.0,
    };
    if class_known { by_words } else { by_words - 0.8 }
}

fn reason(alike: Alike) -> &'static str {
    match alike {
        Alike::Stated => "a document states that they are the same",
        Alike::Same => "the same name",
        Alike::Legal => "the same name but for the legal form",
        Alike::Sound | Alike::ShortSound => "the same name in Chinese characters and in Latin letters",
        Alike::Group => "the same name but for a word such as group or holding",
        Alike::Order => "the same words in another order",
        Alike::Acronym => "one name is the first letters of the other",
        Alike::Contraction => "one name is a short form of the other",
        Alike::Initials => "the same last name and first letter",
    }
}

/// What is known of all when two are compared.
pub(super) struct Background<'r, 'a> {
    /// Whether two other entities may be one.
    pub(super) may_be_one: &'r dyn Fn(u32, u32) -> bool,
    /// Relations by which nearly everything has one object.
    pub(super) single: &'r HashSet<&'a Iri>,
    /// Of how many entities a thing is said.
    pub(super) bearers: &'r HashMap<Key<'a>, HashSet<u32>>,
}

/// Compares two entities by all that is said of them.
pub(super) fn judge<'a>(
    view: &View<'a>,
    alike: Alike,
    entities: (u32, u32),
    one: &[Item<'a>],
    other: &[Item<'a>],
    background: &Background<'_, 'a>,
) -> Judgement {
    let Background { may_be_one, single, bearers } = background;
    let given = [entities.0, entities.1].iter().filter(|entity| !view.is_minted(**entity)).count();
    let class_known = [entities.0, entities.1].iter().all(|entity| view.classes(*entity).next().is_some());
    let mut judgement = Judgement {
        weight: by_name(alike, given, class_known),
        reasons: vec![reason(alike).to_owned()],
        contradiction: false,
    };
    let (own, others) = (by_relation(one), by_relation(other));
    let mut shared: HashSet<u32> = HashSet::new();
    let mut figures = 0.0;
    for (key, items) in &own {
        let Some(with) = others.get(key) else { continue };
        let (relation, back) = *key;
        let pairs = || items.iter().flat_map(|item| with.iter().map(move |other| (*item, *other)));
        let functional = view.is_functional(relation);
        let label = || view.schema.relation(relation).label("en").into_owned();
        // A thing that is said in three years counts once.
        let mut counted = BTreeSet::new();
        for (item, _) in pairs().filter(|(item, other)| item.compare(other, may_be_one) == Likeness::Same) {
            if !counted.insert(said(view, Some(item))) {
                continue;
            }
            let weight = match item.value {
                // Of one thing there is one: whoever it is, it is the same.
                Said::Entity(_) if back && functional && item.is_plain() => 4.0,
                Said::Entity(number) => rarity(bearers.get(&(relation, back, number)).map_or(2, HashSet::len)),
                Said::Value(value) => telling(value, functional),
            };
            if matches!(item.value, Said::Value(Value::Number(_))) {
                // Figures of one table go together.
                let room = (3.0_f32 - figures).clamp(0.0, weight);
                figures += room;
                judgement.weight += room;
                if room <= 0.0 {
                    continue;
                }
            } else {
                judgement.weight += weight;
            }
            if let Said::Entity(number) = item.value {
                shared.insert(number);
            }
            judgement.reasons.push(format!("the same {}: {}", label(), said(view, Some(item))));
        }
        let differ = counted.is_empty()
            && !back
            && items.iter().chain(with).all(|item| item.tells())
            && pairs().all(|(item, other)| item.compare(other, may_be_one) == Likeness::Different);
        if differ && (functional || (items.len() == 1 && with.len() == 1)) {
            judgement.contradiction |= functional;
            judgement.weight -= match (functional, single.contains(relation)) {
                (true, _) => 4.0,
                (false, true) => 2.0,
                (false, false) => 0.7,
            };
            let (one, other) = (said(view, items.first().copied()), said(view, with.first().copied()));
            judgement.reasons.push(format!("another {}: {one} / {other}", label()));
        }
    }
    let ends = |items: &[Item<'a>]| -> HashSet<u32> {
        let entity = |item: &Item<'a>| if let Said::Entity(number) = item.value { Some(number) } else { None };
        items.iter().filter_map(entity).collect()
    };
    // "Founder of Acme" and "works for Acme".
    let mut tied: Vec<u32> =
        ends(one).intersection(&ends(other)).copied().filter(|end| !shared.contains(end)).collect();
    tied.sort_unstable();
    for end in tied.into_iter().take(2) {
        judgement.weight += 1.2;
        judgement.reasons.push(format!("both have to do with {}", view.called(end)));
    }
    let written_alike = view.called(entities.0) == view.called(entities.1);
    let tied_to = |items: &[Item<'a>], entity| ends(items).contains(&entity);
    if alike != Alike::Stated && (tied_to(one, entities.1) || tied_to(other, entities.0)) {
        // A parent and its subsidiary: who is said to have to do with another is not that other.
        judgement.weight -= 4.0;
        judgement.contradiction = true;
        judgement.reasons.push("one is said of the other".to_owned());
    }
    if alike != Alike::Stated && !(alike == Alike::Same && written_alike) {
        together(one, other, &mut judgement);
    }
    if matches!(alike, Alike::Group | Alike::Contraction) {
        // A group and a company of it have seat, head and first word in common.
        judgement.weight = judgement.weight.min(MERGED - 0.1);
    }
    judgement
}

/// One document that has both names means two things by them, in a table even more so, and be it that one has a sign more.
fn together(one: &[Item<'_>], other: &[Item<'_>], judgement: &mut Judgement) {
    let documents = |items: &[Item<'_>]| -> BTreeMap<String, bool> {
        items.iter().map(|item| (item.document.as_str().to_owned(), item.row.is_some())).collect()
    };
    let others = documents(other);
    if let Some((document, rows)) = documents(one).into_iter().find(|(document, _)| others.contains_key(document)) {
        judgement.weight -= if rows { 2.0 } else { 0.5 };
        judgement.reasons.push(format!("{document} has both names"));
    }
}

type ByRelation<'i, 'a> = BTreeMap<(&'a Iri, bool), Vec<&'i Item<'a>>>;

fn by_relation<'i, 'a>(items: &'i [Item<'a>]) -> ByRelation<'i, 'a> {
    let mut by_relation = ByRelation::new();
    for item in items {
        by_relation.entry((item.relation, item.back)).or_default().push(item);
    }
    by_relation
}

/// What two of two entities have in common says much, what two of a thousand have in common little.
fn rarity(bearers: usize) -> f32 {
    let others = bearers.saturating_sub(1).clamp(1, 1_000_000);
    (2.5 - 0.7 * (others as f32).ln()).max(0.2)
}

fn telling(value: &Value, functional: bool) -> f32 {
    match value {
        Value::Date(date) => match (date.precision(), functional) {
            (Precision::Day, true) => 3.0,
            (Precision::Day, false) => 1.5,
            (Precision::Month, _) => 1.2,
            (Precision::Year, _) => 0.8,
        },
        Value::Text { text, .. } if text.chars().count() > 3 => {
            if functional {
                3.0
            } else {
                1.0
            }
        }
        Value::Number(number) => {
            let digits = number.normalised().0.unsigned_abs().to_string();
            match digits.trim_end_matches('0').len() {
                0..=2 => 0.2,
                3 => 0.7,
                _ => 1.5,
            }
        }
        Value::Text { .. } | Value::Boolean(_) | Value::Entity(_) => 0.0,
    }
}
