//! Pairs of entities whose names may mean one thing, found by keys of their names.

use super::name::{Likeness, Name};
use super::view::View;
use crate::is_minted;
use factmask_schema::Iri;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Bearers of one key beyond which it says too little.
const MOST_BEARERS: usize = 24;

/// Two entities, the smaller number first, and the surest way in which their names are alike.
pub(super) type Candidates = BTreeMap<(u32, u32), Likeness>;

/// Says of two entities that they are one.
const SAME_AS: &str = "http://www.w3.org/2002/07/owl#sameAs";

/// All pairs that are worth a look.
pub(super) fn candidates(view: &View<'_>) -> Candidates {
    let mut finder = Finder { view, names: HashMap::new(), fits: HashMap::new(), found: Candidates::new() };
    for (_, fact, subject, object) in view.edges() {
        if let (Some(one), Some(other)) = (subject, object)
            && fact.statement.relation.as_str() == SAME_AS
            && one != other
        {
            finder.found.insert((one.min(other), one.max(other)), Likeness::Stated);
        }
    }
    finder.find();
    finder.found
}

struct Finder<'v, 'a> {
    view: &'v View<'a>,
    /// Of entities that share a key with another.
    names: HashMap<u32, Vec<Name>>,
    /// Whether classes go together.
    fits: HashMap<(&'a Iri, &'a Iri), bool>,
    found: Candidates,
}

/// Entities by a key of their names.
type Index = HashMap<String, Vec<u32>>;

impl<'a> Finder<'_, 'a> {
    fn find(&mut self) {
        // What is looked for by a weaker likeness: short forms, and Chinese names by their sound.
        let (mut same, mut order, mut sounds, mut acronyms, mut initials) =
            (Index::new(), Index::new(), Index::new(), Index::new(), Index::new());
        let mut contractions: HashMap<(char, char), Vec<u32>> = HashMap::new();
        let count = u32::try_from(self.view.entities.len()).unwrap_or(u32::MAX);
        for entity in 0..count {
            for name in self.view.names(entity) {
                add(&mut same, name.key(), entity);
                if let Some(key) = name.unordered_key() {
                    add(&mut order, key, entity);
                }
                for (sound, _) in name.sounds() {
                    add(&mut sounds, sound, entity);
                }
                if name.capitals {
                    add(&mut acronyms, name.key(), entity);
                }
                if let Some((key, true)) = name.initials() {
                    add(&mut initials, key, entity);
                }
                if let Some(ends) = name.ends() {
                    contractions.entry(ends).or_default().push(entity);
                }
            }
        }
        let short = !(sounds.is_empty() && acronyms.is_empty() && initials.is_empty() && contractions.is_empty());
        for entity in (0..count).filter(|_| short) {
            for name in self.view.names(entity) {
                let letters = name.letters().into_iter().filter_map(|letters| sounds.get(&letters));
                let acronym = name.acronym().and_then(|acronym| acronyms.get(&acronym));
                let initial = name.initials().and_then(|(key, _)| initials.get(&key));
                let contracted = name.possible_ends().into_iter().filter_map(|ends| contractions.get(&ends));
                let others: HashSet<u32> = letters
                    .chain(acronym)
                    .chain(initial)
                    .chain(contracted)
                    .filter(|bearers| bearers.len() <= MOST_BEARERS)
                    .flatten()
                    .copied()
                    .collect();
                others.into_iter().for_each(|other| self.look(entity, other));
            }
        }
        for bearers in same.values().chain(order.values()) {
            self.look_at_all(bearers);
        }
    }

    fn look_at_all(&mut self, bearers: &[u32]) {
        if !(2..=MOST_BEARERS).contains(&bearers.len()) {
            return;
        }
        for (at, one) in bearers.iter().enumerate() {
            for other in bearers.iter().skip(at + 1) {
                self.look(*one, *other);
            }
        }
    }

    /// Keeps a pair whose classes go together and whose names are alike. What one source gives two IRIs are two things.
    fn look(&mut self, one: u32, other: u32) {
        let pair = (one.min(other), one.max(other));
        if one == other
            || self.found.contains_key(&pair)
            || self.given_apart(one, other)
            || !self.classes_fit(one, other)
        {
            return;
        }
        for entity in [one, other] {
            self.names.entry(entity).or_insert_with(|| self.view.names(entity));
        }
        let (Some(own), Some(others)) = (self.names.get(&one), self.names.get(&other)) else { return };
        let all = own.iter().flat_map(|name| others.iter().filter_map(|other| name.likeness(other)));
        if let Some(likeness) = all.min() {
            self.found.insert(pair, likeness);
        }
    }

    fn given_apart(&self, one: u32, other: u32) -> bool {
        let given = |entity| self.view.entity(entity).filter(|_| !self.view.is_minted(entity));
        let (Some(one), Some(other)) = (given(one), given(other)) else { return false };
        source(&one.iri) == source(&other.iri)
    }

    fn classes_fit(&mut self, one: u32, other: u32) -> bool {
        let (view, fits) = (self.view, &mut self.fits);
        let mut fit = |one: &'a Iri, other: &'a Iri| {
            one == other
                || *fits
                    .entry((one, other))
                    .or_insert_with(|| view.schema.is_a(one, other) || view.schema.is_a(other, one))
        };
        let (mut own, others): (_, Vec<&Iri>) = (view.classes(one).peekable(), view.classes(other).collect());
        own.peek().is_none() || others.is_empty() || own.any(|class| others.iter().any(|other| fit(class, other)))
    }
}

fn add(index: &mut Index, key: String, entity: u32) {
    let bearers = index.entry(key).or_default();
    if bearers.last() != Some(&entity) {
        bearers.push(entity);
    }
}

/// Who has given an IRI: the host of an address, the namespace of a URN, for keys of tables the class. Paths are no sources:
/// `/arizona/glendale` and `/california/glendale` are two cities of one.
fn source(iri: &Iri) -> &str {
    let text = iri.as_str();
    let end = |from: usize, mark: char| text.get(from..).and_then(|rest| rest.find(mark)).map(|at| from + at);
    let until = match text.find("://") {
        Some(scheme) => end(scheme + 3, '/'),
        None if is_minted(iri) => text.rfind(':'),
        None => text.find(':').and_then(|scheme| end(scheme + 1, ':')),
    };
    text.get(..until.unwrap_or(text.len())).unwrap_or(text)
}
