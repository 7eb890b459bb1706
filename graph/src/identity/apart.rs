//! One name for several things: what documents say of a minted name, parted where they contradict each other.
//!
//! A name is one thing as long as nothing contradicts that. Once it is known to be shared, those who contradict each other are
//! parted, who agrees with exactly one of them is joined to it, and the rest stays together under the name itself: it may be
//! any of them, or a further one.

use super::hex;
use super::view::{Item, Likeness, Place, Said, View};
use crate::{Date, DocumentId, Value};
use factmask_schema::Iri;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Kinds of sayings beyond which a name is not looked at: compared are all with all.
const MOST_KINDS: usize = 200;

/// A name that is several things.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Split {
    /// By document and, of tables whose rows are about different things, by row.
    places: HashMap<(DocumentId, Option<u32>), usize>,
    rows: HashSet<DocumentId>,
    /// The IRI of each part; the first is the name's own, for what cannot be told.
    pub(crate) iris: Vec<Iri>,
    /// Whether anything is left that cannot be told.
    pub(crate) rest: bool,
    /// They contradict each other in what the schema says to have one value.
    pub(super) certain: bool,
    /// Parts that contradict each other, and in what.
    pub(super) contradictions: Vec<(usize, usize, Vec<String>)>,
}

impl Split {
    /// Which of its parts is meant at a place.
    pub(crate) fn part(&self, document: &DocumentId, row: Option<u32>) -> usize {
        let row = row.filter(|_| self.rows.contains(document));
        self.places.get(&(document.clone(), row)).copied().unwrap_or(0)
    }

    /// Documents in which a part is meant.
    pub(crate) fn documents(&self, part: usize) -> BTreeSet<&DocumentId> {
        self.places.iter().filter(|(_, at)| **at == part).map(|((document, _), _)| document).collect()
    }
}

/// What the last round knows.
pub(super) struct Known<'r, 'a> {
    /// The number of an entity at a place.
    pub(super) number: &'r dyn Fn(u32, Place<'a>) -> u32,
    /// Whether two of these numbers may turn out to be one.
    pub(super) may_be_one: &'r dyn Fn(u32, u32) -> bool,
    /// Relations by which nearly everything has one object.
    pub(super) mostly_one: &'r HashSet<&'a Iri>,
    /// Classes of which another name was found to be several things' by what the schema says: names of people are shared.
    pub(super) shared: &'r HashSet<&'a Iri>,
}

/// Sayings of one kind: the documents and rows that say the same of what can tell one thing from another.
struct Kind<'a> {
    places: Vec<Place<'a>>,
    items: Vec<Item<'a>>,
    /// It says something that can tell.
    tells: bool,
}

/// Parts a name, where its documents contradict each other.
pub(super) fn split<'a>(view: &View<'a>, entity: u32, facts: &[usize], known: &Known<'_, 'a>) -> Option<Split> {
    let items: Vec<Item<'a>> = facts.iter().filter_map(|at| view.item(*at, entity, known.number)).collect();
    let (kinds, rows) = kinds(view, items, known)?;
    let shared = view.classes(entity).any(|class| known.shared.contains(class));
    let mut contradicting: BTreeMap<(usize, usize), Vec<String>> = BTreeMap::new();
    let mut agreeing: Vec<(u32, usize, usize)> = Vec::new();
    let mut certain = false;
    for (at, one) in kinds.iter().enumerate() {
        for (to, other) in kinds.iter().enumerate().skip(at + 1) {
            match compare(view, one, other, known, shared) {
                Verdict::Apart { reasons, by_schema } => {
                    certain |= by_schema;
                    contradicting.insert((at, to), reasons);
                }
                Verdict::Together(agreement) => agreeing.push((agreement, at, to)),
            }
        }
    }
    if contradicting.is_empty() {
        return None;
    }
    let clusters = clusters(kinds.len(), &contradicting, agreeing);
    let split = parts(view.entity(entity)?.iri.as_str(), &kinds, clusters, rows, &contradicting);
    Some(Split { certain, ..split })
}

/// The kinds of sayings, by document; by row where a document contradicts itself and says each thing in a row.
fn kinds<'a>(
    view: &View<'a>,
    items: Vec<Item<'a>>,
    known: &Known<'_, 'a>,
) -> Option<(Vec<Kind<'a>>, HashSet<DocumentId>)> {
    let mut documents: BTreeMap<&DocumentId, Vec<Item<'a>>> = BTreeMap::new();
    for item in items {
        documents.entry(item.document).or_default().push(item);
    }
    let mut rows = HashSet::new();
    let mut places: BTreeMap<Place<'a>, Vec<Item<'a>>> = BTreeMap::new();
    for (document, items) in documents {
        let functional: Vec<&Item<'a>> = telling(view, &items).collect();
        let contradicts = |one: &&Item<'a>| {
            functional.iter().any(|other| {
                one.relation == other.relation && one.compare(other, known.may_be_one) == Likeness::Different
            })
        };
        let by_row = items.iter().all(|item| item.row.is_some()) && functional.iter().any(contradicts);
        if by_row {
            rows.insert(document.clone());
        }
        for item in items {
            let row = item.row.filter(|_| by_row);
            places.entry(Place { document, row }).or_default().push(item);
        }
    }
    let mut kinds: BTreeMap<Vec<(&Iri, String)>, Kind<'a>> = BTreeMap::new();
    let mut silent = Vec::new();
    for (place, items) in places {
        let signature = signature(view, &items, known.mostly_one);
        if signature.is_empty() {
            silent.push(Kind { places: vec![place], items, tells: false });
            continue;
        }
        let kind = kinds.entry(signature).or_insert(Kind { places: Vec::new(), items: Vec::new(), tells: true });
        kind.places.push(place);
        kind.items.extend(items);
    }
    // One kind contradicts none: the usual case, and the end of it.
    if kinds.len() < 2 || kinds.len() > MOST_KINDS {
        return None;
    }
    let mut all: Vec<Kind<'a>> = kinds.into_values().collect();
    all.extend(silent);
    Some((all, rows))
}

/// Items of which the schema allows one.
fn telling<'i, 'a>(view: &'i View<'a>, items: &'i [Item<'a>]) -> impl Iterator<Item = &'i Item<'a>> {
    items.iter().filter(|item| item.tells() && view.is_functional(item.relation))
}

fn signature<'a>(view: &View<'a>, items: &[Item<'a>], mostly_one: &HashSet<&Iri>) -> Vec<(&'a Iri, String)> {
    let said = |item: &Item<'a>| match item.value {
        Said::Entity(number) => format!("{number}"),
        Said::Value(Value::Date(date)) => date.iso(),
        Said::Value(value) => format!("{value:?}"),
    };
    let tells =
        |item: &&Item<'a>| item.tells() && (view.is_functional(item.relation) || mostly_one.contains(item.relation));
    let signature: BTreeSet<(&Iri, String)> =
        items.iter().filter(tells).map(|item| (item.relation, said(item))).collect();
    signature.into_iter().collect()
}

enum Verdict {
    Apart {
        reasons: Vec<String>,
        /// Of what the schema says to have one value.
        by_schema: bool,
    },
    Together(u32),
}

/// Two days of birth are two people. A place of work may have changed, or be written in two ways: it parts those who agree in nothing
/// as telling. What is told of each once, though it could be told several times, parts them where there are two such things; where names
/// are known to be shared and they have nothing in common, one is enough.
fn compare<'a>(view: &View<'a>, one: &Kind<'a>, other: &Kind<'a>, known: &Known<'_, 'a>, shared: bool) -> Verdict {
    if !one.tells && !other.tells {
        return Verdict::Together(0);
    }
    let (mut agreement, mut contradiction, mut certain, mut by_schema) = (0_u32, 0_u32, false, false);
    let mut reasons = Vec::new();
    let relations: BTreeSet<(&Iri, bool)> = one.items.iter().map(|item| (item.relation, item.back)).collect();
    for (relation, back) in relations {
        let of = |kind: &'_ Kind<'a>| -> Vec<Item<'a>> {
            kind.items.iter().filter(|item| (item.relation, item.back) == (relation, back)).cloned().collect()
        };
        let (own, others) = (of(one), of(other));
        if others.is_empty() {
            continue;
        }
        let found: Vec<Likeness> =
            own.iter().flat_map(|item| others.iter().map(|other| item.compare(other, known.may_be_one))).collect();
        let functional = view.is_functional(relation) && !back;
        let telling = own.iter().chain(&others).all(Item::tells);
        if found.contains(&Likeness::Same) {
            agreement += if functional { 2 } else { 1 };
        } else if telling && found.iter().all(|likeness| *likeness == Likeness::Different) {
            let entities = own.iter().all(|item| matches!(item.value, Said::Entity(_)));
            if functional {
                contradiction += 2;
                by_schema = true;
                certain |= !entities;
            } else if known.mostly_one.contains(relation) {
                contradiction += 1;
            } else {
                continue;
            }
            let label = view.schema.relation(relation).label("en").into_owned();
            reasons.push(format!("{label}: {} / {}", said(view, own.first()), said(view, others.first())));
        }
    }
    let enough = contradiction >= 2 && contradiction >= agreement;
    match certain || enough || (shared && contradiction > 0 && agreement == 0) {
        true => Verdict::Apart { reasons, by_schema },
        false => Verdict::Together(agreement),
    }
}

/// A value in a reason.
pub(super) fn said(view: &View<'_>, item: Option<&Item<'_>>) -> String {
    match item.map(|item| item.value) {
        Some(Said::Entity(number)) => view.called(number),
        Some(Said::Value(Value::Date(date))) => date_said(date),
        Some(Said::Value(Value::Text { text, .. })) => text.chars().take(60).collect(),
        Some(Said::Value(Value::Number(number))) => number.plain(),
        Some(Said::Value(value)) => format!("{value:?}"),
        None => String::new(),
    }
}

fn date_said(date: &Date) -> String {
    date.written.clone().unwrap_or_else(|| date.iso())
}

/// For each kind the cluster that it is in; none for what cannot be told.
fn clusters(
    kinds: usize,
    contradicting: &BTreeMap<(usize, usize), Vec<String>>,
    mut agreeing: Vec<(u32, usize, usize)>,
) -> Vec<Option<usize>> {
    /// Agreement that joins: in what can have one value, or in two other things.
    const ENOUGH: u32 = 2;
    let apart = |one: usize, other: usize| contradicting.contains_key(&(one.min(other), one.max(other)));
    let mut cluster: Vec<Option<usize>> = vec![None; kinds];
    for side in contradicting.keys().flat_map(|(one, other)| [*one, *other]) {
        if let Some(place) = cluster.get_mut(side) {
            *place = Some(side);
        }
    }
    agreeing.retain(|(agreement, ..)| *agreement >= ENOUGH);
    // The most agreement first, then in the order of the kinds, which is that of what they say.
    agreeing.sort_by_key(|(agreement, one, other)| (std::cmp::Reverse(*agreement), *one, *other));
    for (_, one, other) in &agreeing {
        let (Some(Some(first)), Some(Some(second))) = (cluster.get(*one).copied(), cluster.get(*other).copied()) else {
            continue;
        };
        let of =
            |wanted: usize| cluster.iter().enumerate().filter(move |(_, at)| **at == Some(wanted)).map(|(at, _)| at);
        if first != second && !of(first).any(|one| of(second).any(|other| apart(one, other))) {
            cluster.iter_mut().filter(|at| **at == Some(second)).for_each(|at| *at = Some(first));
        }
    }
    let sides = cluster.clone();
    for (kind, place) in cluster.iter_mut().enumerate().filter(|(_, place)| place.is_none()) {
        let with: BTreeSet<usize> = agreeing
            .iter()
            .filter_map(|(_, one, other)| match (*one == kind, *other == kind) {
                (true, _) => sides.get(*other).copied().flatten(),
                (_, true) => sides.get(*one).copied().flatten(),
                _ => None,
            })
            .collect();
        let mut with = with.into_iter();
        *place = with.next().filter(|_| with.next().is_none());
    }
    cluster
}

fn parts(
    iri: &str,
    kinds: &[Kind<'_>],
    clusters: Vec<Option<usize>>,
    rows: HashSet<DocumentId>,
    contradicting: &BTreeMap<(usize, usize), Vec<String>>,
) -> Split {
    let mut first: BTreeMap<usize, Place<'_>> = BTreeMap::new();
    for (kind, cluster) in kinds.iter().zip(&clusters) {
        if let (Some(cluster), Some(place)) = (cluster, kind.places.iter().min()) {
            let known = first.entry(*cluster).or_insert(*place);
            *known = (*known).min(*place);
        }
    }
    let mut order: Vec<(Place<'_>, usize)> = first.into_iter().map(|(cluster, place)| (place, cluster)).collect();
    order.sort();
    let mut iris = vec![Iri::new_unchecked(iri)];
    for (place, _) in &order {
        let row = place.row.map_or_else(String::new, |row| row.to_string());
        // A colon: keys of minted IRIs have theirs encoded, so that this is no key.
        iris.push(Iri::new_unchecked(format!("{iri}:{}", hex(&[place.document.as_str(), &row], 4))));
    }
    let number: HashMap<usize, usize> = order.iter().enumerate().map(|(at, (_, cluster))| (*cluster, at + 1)).collect();
    let part = |kind: usize| clusters.get(kind).copied().flatten().and_then(|cluster| number.get(&cluster).copied());
    let mut places = HashMap::new();
    for (at, kind) in kinds.iter().enumerate() {
        for place in &kind.places {
            places.insert((place.document.clone(), place.row), part(at).unwrap_or(0));
        }
    }
    let mut contradictions: BTreeMap<(usize, usize), Vec<String>> = BTreeMap::new();
    for ((one, other), reasons) in contradicting {
        if let (Some(one), Some(other)) = (part(*one), part(*other)) {
            contradictions.entry((one.min(other), one.max(other))).or_insert_with(|| reasons.clone());
        }
    }
    let rest = clusters.iter().any(Option::is_none);
    let contradictions = contradictions.into_iter().map(|((one, other), reasons)| (one, other, reasons)).collect();
    Split { places, rows, iris, rest, certain: false, contradictions }
}
