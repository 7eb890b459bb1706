//! From all evidence to who is who.

use super::apart::{self, Known, Split};
use super::candidates::{Candidates, candidates};
use super::evidence::{Judgement, Key, MERGED, PROPOSED, judge};
use super::view::{Item, Place, Said, View, mostly_one, row};
use super::{DecidedBy, Decision, Identity, Pair, PairState, Verdict};
use crate::{Entity, Fact};
use factmask_schema::{Iri, Schema};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// What one round finds is what the next one starts from; names of employers and places are settled in the first.
const ROUNDS: usize = 3;

/// By how much a pair must be surer than another that it cannot go together with.
const MARGIN: f32 = 1.5;

/// Who is who, and how facts are told apart.
pub(crate) struct Resolution {
    pub(crate) identity: Identity,
    /// By the IRI that documents use.
    pub(crate) splits: HashMap<Iri, Split>,
}

/// Decides over everything that all documents say. A pure function: neither the order of the facts nor that of the decisions counts.
pub(crate) fn resolve(schema: &Schema, entities: &[Entity], facts: &[Fact], decisions: &[Decision]) -> Resolution {
    let view = View::new(schema, entities, facts);
    let candidates = candidates(&view);
    let mostly_one = mostly_one(&view);
    let contested = contested(&view, &mostly_one);
    let wanted: HashSet<u32> =
        contested.iter().copied().chain(candidates.keys().flat_map(|(one, other)| [*one, *other])).collect();
    let facts_of = view.facts_of(&wanted);
    let all = All { view: &view, candidates, contested, mostly_one, facts_of, decisions };
    let mut round = Round::start(&all);
    for _ in 0..ROUNDS {
        let next = round.next(&all);
        let settled = next.ends_as(&round);
        round = next;
        if settled {
            break;
        }
    }
    round.resolution(&all)
}

/// What does not change from round to round.
struct All<'v, 'a> {
    view: &'v View<'a>,
    candidates: Candidates,
    /// Minted entities of which more than one thing is said where one is expected.
    contested: BTreeSet<u32>,
    mostly_one: HashSet<&'a Iri>,
    facts_of: HashMap<u32, Vec<usize>>,
    decisions: &'v [Decision],
}

fn contested(view: &View<'_>, mostly_one: &HashSet<&Iri>) -> BTreeSet<u32> {
    let mut first = HashMap::new();
    let mut contested = BTreeSet::new();
    let mut counts: HashMap<&Iri, bool> = HashMap::new();
    for (_, fact, subject, object) in view.edges() {
        let Some(subject) = subject.filter(|subject| view.is_minted(*subject)) else { continue };
        let statement = &fact.statement;
        let telling = *counts
            .entry(&statement.relation)
            .or_insert_with(|| view.is_functional(&statement.relation) || mostly_one.contains(&statement.relation));
        let kind = object.is_some() || statement.object.as_number().is_none();
        if telling && kind && statement.qualifiers.is_empty() {
            let known = first.entry((subject, &statement.relation)).or_insert(&statement.object);
            if **known != statement.object {
                contested.insert(subject);
            }
        }
    }
    contested
}

/// Two nodes that are or may be one. A node is an entity, or a part of one.
struct Edge {
    one: u32,
    other: u32,
    judgement: Judgement,
    state: PairState,
}

/// What one round has found.
struct Round {
    splits: BTreeMap<u32, Split>,
    /// The number of the first node of each split entity's parts; the rest keeps the entity's own.
    first_part: HashMap<u32, u32>,
    /// IRI and entity of each part, by number behind the last entity.
    parts: Vec<(Iri, u32)>,
    /// For each node that is one with others and is not the one that stands for all: that one.
    stands: HashMap<u32, u32>,
    edges: Vec<Edge>,
    /// Nodes that may be one, by what stands for them.
    open: HashSet<(u32, u32)>,
}

impl Round {
    /// Nothing is known but names.
    fn start(all: &All<'_, '_>) -> Self {
        let mut round = Self::of(all, BTreeMap::new());
        round.open = all.candidates.keys().copied().collect();
        round
    }

    fn of(all: &All<'_, '_>, splits: BTreeMap<u32, Split>) -> Self {
        let mut parts = Vec::new();
        let mut first_part = HashMap::new();
        for (entity, split) in &splits {
            let number = all.view.entities.len() + parts.len();
            first_part.insert(*entity, u32::try_from(number).unwrap_or(u32::MAX));
            parts.extend(split.iris.iter().skip(1).map(|iri| (iri.clone(), *entity)));
        }
        Self { splits, first_part, parts, stands: HashMap::new(), edges: Vec::new(), open: HashSet::new() }
    }

    fn node(&self, entity: u32, place: Place<'_>) -> u32 {
        let Some(split) = self.splits.get(&entity) else { return entity };
        match split.part(place.document, place.row) {
            0 => entity,
            part => self.part(entity, part),
        }
    }

    fn part(&self, entity: u32, part: usize) -> u32 {
        let first = self.first_part.get(&entity).copied().unwrap_or(entity);
        if part == 0 { entity } else { first + u32::try_from(part - 1).unwrap_or(0) }
    }

    /// The nodes of an entity that something is said of.
    fn nodes(&self, entity: u32) -> Vec<u32> {
        match self.splits.get(&entity) {
            Some(split) => {
                let from = usize::from(!split.rest);
                (from..split.iris.len()).map(|part| self.part(entity, part)).collect()
            }
            None => vec![entity],
        }
    }

    fn stands(&self, node: u32) -> u32 {
        self.stands.get(&node).copied().unwrap_or(node)
    }

    fn part_of(&self, all: &All<'_, '_>, node: u32) -> Option<&(Iri, u32)> {
        self.parts.get((node as usize).checked_sub(all.view.entities.len())?)
    }

    fn iri<'r>(&'r self, all: &'r All<'_, '_>, node: u32) -> &'r Iri {
        match all.view.entity(node) {
            Some(entity) => &entity.iri,
            // What is no entity is a part.
            None => self.part_of(all, node).map_or(&all.view.entities[0].iri, |(iri, _)| iri),
        }
    }

    fn entity(&self, all: &All<'_, '_>, node: u32) -> u32 {
        self.part_of(all, node).map_or(node, |(_, entity)| *entity)
    }

    /// The node with this IRI.
    fn named(&self, all: &All<'_, '_>, iri: &Iri) -> Option<u32> {
        all.view.number(iri).or_else(|| {
            let part = self.parts.iter().position(|(part, _)| part == iri)?;
            u32::try_from(all.view.entities.len() + part).ok()
        })
    }

    /// Does everything anew with what this round has found.
    fn next(&self, all: &All<'_, '_>) -> Self {
        let number = |entity: u32, place: Place<'_>| self.stands(self.node(entity, place));
        let may_be_one = |one: u32, other: u32| self.open.contains(&(one.min(other), one.max(other)));
        let certain = self.splits.iter().filter(|(_, split)| split.certain);
        let shared = certain.flat_map(|(entity, _)| all.view.classes(*entity)).collect();
        let known = Known { number: &number, may_be_one: &may_be_one, mostly_one: &all.mostly_one, shared: &shared };
        let split = |entity: &u32| {
            let facts = all.facts_of.get(entity)?;
            Some((*entity, apart::split(all.view, *entity, facts, &known)?))
        };
        let mut next = Self::of(all, all.contested.iter().filter_map(split).collect());
        next.judge(all, &known);
        next.join(all, &known);
        next
    }

    fn ends_as(&self, other: &Self) -> bool {
        self.splits == other.splits && self.stands == other.stands && self.open == other.open
    }

    /// What is said of a node.
    fn items<'a>(&self, all: &All<'_, 'a>, node: u32, known: &Known<'_, 'a>) -> Vec<Item<'a>> {
        let entity = self.entity(all, node);
        let facts = all.facts_of.get(&entity).map_or(&[][..], Vec::as_slice);
        let items = facts.iter().filter_map(|at| all.view.item(*at, entity, known.number));
        items.filter(|item| self.node(entity, Place { document: item.document, row: item.row }) == node).collect()
    }

    fn judge<'a>(&mut self, all: &All<'_, 'a>, known: &Known<'_, 'a>) {
        let mut items: HashMap<u32, Vec<Item<'a>>> = HashMap::new();
        let mut pairs = Vec::new();
        for ((one, other), alike) in &all.candidates {
            for one in self.nodes(*one) {
                for other in self.nodes(*other) {
                    pairs.push((one, other, *alike));
                }
            }
        }
        for (one, other, _) in &pairs {
            for node in [*one, *other] {
                items.entry(node).or_insert_with(|| self.items(all, node, known));
            }
        }
        let bearers = bearers(all, &pairs, &items, known);
        let none = Vec::new();
        for (one, other, alike) in pairs {
            let of = |node: u32| items.get(&node).unwrap_or(&none);
            let entities = (self.entity(all, one), self.entity(all, other));
            let judgement = judge(all.view, alike, entities, of(one), of(other), known.may_be_one, &bearers);
            let spoken_for = judgement.weight + if judgement.contradiction { 4.0 } else { 0.0 };
            if spoken_for >= PROPOSED {
                let state = if judgement.contradiction { PairState::Apart } else { PairState::Proposed };
                self.edges.push(Edge { one, other, judgement, state });
            }
        }
        for (entity, split) in &self.splits {
            for (one, other, reasons) in &split.contradictions {
                let mut said = vec!["the same name".to_owned()];
                said.extend(reasons.iter().map(|reason| format!("another {reason}")));
                let judgement = Judgement { weight: -2.0, reasons: said, contradiction: true };
                let (one, other) = (self.part(*entity, *one), self.part(*entity, *other));
                self.edges.push(Edge { one, other, judgement, state: PairState::Apart });
            }
            for part in (1..split.iris.len()).filter(|_| split.rest) {
                let reasons = vec!["the same name, and nothing tells which of several is meant".to_owned()];
                let judgement = Judgement { weight: 0.0, reasons, contradiction: false };
                let (one, other) = (*entity, self.part(*entity, part));
                self.edges.push(Edge { one, other, judgement, state: PairState::Proposed });
            }
        }
        let mut edges = std::mem::take(&mut self.edges);
        let key = |edge: &Edge| ordered(self.iri(all, edge.one), self.iri(all, edge.other));
        edges.sort_by(|one, other| {
            other.judgement.weight.total_cmp(&one.judgement.weight).then_with(|| key(one).cmp(&key(other)))
        });
        self.edges = edges;
    }

    /// Joins what is one: what people have decided first, then by rule, the surest first, never across a contradiction.
    fn join<'a>(&mut self, all: &All<'_, 'a>, known: &Known<'_, 'a>) {
        let decided = |wanted: Verdict| {
            all.decisions
                .iter()
                .filter(move |decision| decision.verdict == wanted)
                .filter_map(|decision| Some((self.named(all, &decision.one)?, self.named(all, &decision.other)?)))
        };
        let mut clusters = Clusters::default();
        clusters.forbid(decided(Verdict::Different));
        let mut same: Vec<(u32, u32)> = decided(Verdict::Same).collect();
        same.sort_by_key(|(one, other)| ordered(self.iri(all, *one).clone(), self.iri(all, *other).clone()));
        for (one, other) in same {
            clusters.join(one, other, |_, _| true);
        }
        clusters
            .forbid(self.edges.iter().filter(|edge| edge.judgement.contradiction).map(|edge| (edge.one, edge.other)));
        let rivals = self.rivals(all);
        let mut edges = std::mem::take(&mut self.edges);
        let mut facts: HashMap<u32, Vec<Item<'a>>> = HashMap::new();
        for edge in edges.iter_mut().filter(|edge| edge.judgement.weight >= MERGED && !edge.judgement.contradiction) {
            if let Some(rival) = rivals.get(&(edge.one, edge.other)) {
                edge.judgement.reasons.push(format!("as likely as {}", self.iri(all, *rival)));
                continue;
            }
            let joined = clusters.join(edge.one, edge.other, |one, other| {
                for node in [one, other] {
                    facts.entry(node).or_insert_with(|| self.items(all, node, known));
                }
                let of = |node| facts.get(&node).map_or(&[][..], Vec::as_slice);
                !contradict(all.view, of(one), of(other), known.may_be_one)
            });
            if !joined {
                edge.judgement.reasons.push("one of those merged with them contradicts it".to_owned());
            }
        }
        for edge in &mut edges {
            if clusters.find(edge.one) == clusters.find(edge.other) {
                edge.state = PairState::Merged;
            }
        }
        self.edges = edges;
        self.stands = self.representatives(all, &clusters);
        let proposed = self.edges.iter().filter(|edge| edge.state == PairState::Proposed);
        self.open = proposed.map(|edge| ordered(self.stands(edge.one), self.stands(edge.other))).collect();
    }

    /// For each pair that is sure enough by itself a third that one of the two may as well be, where those two are not one.
    fn rivals(&self, all: &All<'_, '_>) -> HashMap<(u32, u32), u32> {
        let mut of: HashMap<u32, Vec<(u32, f32)>> = HashMap::new();
        let mut linked: HashSet<(u32, u32)> = HashSet::new();
        for edge in self.edges.iter().filter(|edge| !edge.judgement.contradiction) {
            of.entry(edge.one).or_default().push((edge.other, edge.judgement.weight));
            of.entry(edge.other).or_default().push((edge.one, edge.judgement.weight));
            // Two that may be one themselves do not stand in each other's way; but what sources have given two IRIs is not
            // made one by a name that fits both, and parts of a name are not by that name.
            let entities = (self.entity(all, edge.one), self.entity(all, edge.other));
            let made_up = all.view.is_minted(entities.0) || all.view.is_minted(entities.1);
            if edge.judgement.weight >= MERGED || (made_up && entities.0 != entities.1) {
                linked.insert(ordered(edge.one, edge.other));
            }
        }
        let rival = |one: u32, other: u32, weight: f32| {
            let near = of.get(&one).into_iter().flatten();
            let as_likely = near.filter(|(third, its)| *third != other && *its > weight - MARGIN);
            as_likely.map(|(third, _)| *third).filter(|third| !linked.contains(&ordered(*third, other))).min()
        };
        let sure = self.edges.iter().filter(|edge| edge.judgement.weight >= MERGED);
        sure.filter_map(|edge| {
            let weight = edge.judgement.weight;
            let found = rival(edge.one, edge.other, weight).or_else(|| rival(edge.other, edge.one, weight))?;
            Some(((edge.one, edge.other), found))
        })
        .collect()
    }

    /// For each cluster an entity that a source has given an IRI, else one that has a class, of several the one whose IRI comes first.
    fn representatives(&self, all: &All<'_, '_>, clusters: &Clusters) -> HashMap<u32, u32> {
        let rank = |node: &u32| {
            let entity = self.entity(all, *node);
            (all.view.is_minted(entity), all.view.classes(entity).next().is_none(), self.iri(all, *node))
        };
        let mut stands = HashMap::new();
        for members in clusters.members.values() {
            if let Some(best) = members.iter().min_by_key(|node| rank(node)) {
                stands.extend(members.iter().filter(|node| *node != best).map(|node| (*node, *best)));
            }
        }
        stands
    }

    fn resolution(self, all: &All<'_, '_>) -> Resolution {
        let mut pairs: BTreeMap<(Iri, Iri), Pair> = BTreeMap::new();
        for edge in &self.edges {
            let (one, other) = ordered(self.iri(all, edge.one).clone(), self.iri(all, edge.other).clone());
            let score = 1.0 / (1.0 + (-edge.judgement.weight).exp());
            let reasons = edge.judgement.reasons.clone();
            let pair = Pair { one, other, score, reasons, state: edge.state, by: DecidedBy::Rule };
            pairs.insert((pair.one.clone(), pair.other.clone()), pair);
        }
        for decision in all.decisions {
            let (score, state) = match decision.verdict {
                Verdict::Same => (1.0, PairState::Merged),
                Verdict::Different => (0.0, PairState::Apart),
                Verdict::Undecided => continue,
            };
            let reasons = vec![format!("{}: {}", decision.author, decision.reason)];
            let (one, other) = (decision.one.clone(), decision.other.clone());
            let pair = Pair { one, other, score, reasons, state, by: DecidedBy::Hand };
            pairs.insert((pair.one.clone(), pair.other.clone()), pair);
        }
        let mut pairs: Vec<Pair> = pairs.into_values().collect();
        pairs.sort_by(|one, other| other.score.total_cmp(&one.score));
        let renamed = self.stands.iter();
        let canonical =
            renamed.map(|(node, stands)| (self.iri(all, *node).clone(), self.iri(all, *stands).clone())).collect();
        let splits = self.splits.into_values().filter_map(|split| Some((split.iris.first()?.clone(), split))).collect();
        Resolution { identity: Identity::new(pairs, canonical), splits }
    }
}

/// Of how many entities the things are said that two of a pair have in common.
fn bearers<'a>(
    all: &All<'_, 'a>,
    pairs: &[(u32, u32, super::name::Likeness)],
    items: &HashMap<u32, Vec<Item<'a>>>,
    known: &Known<'_, 'a>,
) -> HashMap<Key<'a>, HashSet<u32>> {
    let keys = |node: &u32| -> HashSet<Key<'a>> {
        let of = items.get(node).into_iter().flatten();
        let key = |item: &Item<'a>| match item.value {
            Said::Entity(number) => Some((item.relation, item.back, number)),
            Said::Value(_) => None,
        };
        of.filter_map(key).collect()
    };
    let mut bearers: HashMap<Key<'a>, HashSet<u32>> = HashMap::new();
    for (one, other, _) in pairs {
        for key in keys(one).intersection(&keys(other)) {
            bearers.entry(*key).or_default();
        }
    }
    if bearers.is_empty() {
        return bearers;
    }
    for (_, fact, subject, object) in all.view.edges() {
        let (Some(subject), Some(object), [evidence, ..]) = (subject, object, fact.evidence.as_slice()) else {
            continue;
        };
        let place = Place { document: &evidence.document, row: row(evidence) };
        let (one, other) = ((known.number)(subject, place), (known.number)(object, place));
        let relation = &fact.statement.relation;
        for (key, bearer) in [((relation, false, other), one), ((relation, true, one), other)] {
            if let Some(known) = bearers.get_mut(&key) {
                known.insert(bearer);
            }
        }
    }
    bearers
}

/// Whether what is said of two entities cannot be said of one.
fn contradict(view: &View<'_>, one: &[Item<'_>], other: &[Item<'_>], may_be_one: &dyn Fn(u32, u32) -> bool) -> bool {
    let telling = |item: &&Item<'_>| item.tells() && view.is_functional(item.relation);
    one.iter().filter(telling).any(|item| {
        let mut same = other.iter().filter(telling).filter(|other| other.relation == item.relation).peekable();
        same.peek().is_some() && same.all(|other| item.compare(other, may_be_one) == super::view::Likeness::Different)
    })
}

fn ordered<T: Ord>(one: T, other: T) -> (T, T) {
    if one <= other { (one, other) } else { (other, one) }
}

/// Nodes that are one, and those that may not become one.
#[derive(Default)]
struct Clusters {
    /// Of nodes that are one with others.
    root: HashMap<u32, u32>,
    members: HashMap<u32, Vec<u32>>,
    forbidden: HashSet<(u32, u32)>,
}

impl Clusters {
    fn forbid(&mut self, pairs: impl Iterator<Item = (u32, u32)>) {
        self.forbidden.extend(pairs.map(|(one, other)| ordered(one, other)));
    }

    fn find(&self, node: u32) -> u32 {
        self.root.get(&node).copied().unwrap_or(node)
    }

    /// Joins the clusters of two nodes, unless a pair of their members is forbidden or `fits` refuses it.
    fn join(&mut self, one: u32, other: u32, mut fits: impl FnMut(u32, u32) -> bool) -> bool {
        let (one, other) = ordered(self.find(one), self.find(other));
        if one == other {
            return true;
        }
        let of = |root: u32| self.members.get(&root).cloned().unwrap_or_else(|| vec![root]);
        let (mut own, others) = (of(one), of(other));
        let fit = own.iter().all(|one| {
            others.iter().all(|other| !self.forbidden.contains(&ordered(*one, *other)) && fits(*one, *other))
        });
        if fit {
            own.extend(others);
            self.root.extend(own.iter().map(|node| (*node, one)));
            self.members.remove(&other);
            self.members.insert(one, own);
        }
        fit
    }
}
