//! What was found of each term, counted while documents are gone through.

use super::{DiscoverySource, Finding};
use factmask_graph::DocumentId;
use factmask_schema::Iri;
use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

/// Places that are kept of a term.
const MOST_EVIDENCE: usize = 5;

/// Pairs that are kept to tell what a relation's objects are.
const MOST_PAIRS: usize = 2_000;

/// What a term is known by before it has an IRI.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) source: DiscoverySource,
    /// Its IRI, where facts stand under it; a column's header or the base forms of a phrase's words.
    pub(super) name: String,
}

#[derive(Default)]
pub(super) struct Ledger {
    pub(super) classes: BTreeMap<Key, Seen>,
    pub(super) relations: BTreeMap<Key, Seen>,
}

/// What was seen of one term.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) count: usize,
    /// The words in which it was written, counted.
    pub(super) written: BTreeMap<String, usize>,
    /// It is a noun that one is to the other.
    pub(super) noun: bool,
    /// The words that stood between its subject and object as they are.
    pub(super) said: Vec<String>,
    /// Hashes of the names of its subjects, or of a class's members.
    pub(super) subjects: HashSet<u64>,
    /// Hashes of its pairs of names.
    pub(super) pairs: HashSet<u64>,
    /// The first pairs.
    pub(super) sample: Vec<(String, String)>,
    /// Declared classes of its subjects, counted.
    pub(super) domains: BTreeMap<Iri, usize>,
    /// Declared classes of its objects, counted.
    pub(super) ranges: BTreeMap<Iri, usize>,
    /// How many of its objects are entities.
    pub(super) entities: usize,
    pub(super) evidence: Vec<Finding>,
}

/// One end of what was seen.
pub(super) struct End<'a> {
    pub(super) name: &'a str,
    pub(super) classes: &'a [Iri],
}

impl Seen {
    /// Counts one more member of a class.
    pub(super) fn member(&mut self, written: &str, name: &str) {
        self.count += 1;
        *self.written.entry(written.to_owned()).or_default() += 1;
        self.subjects.insert(hash(name));
        self.pairs.insert(hash(name));
    }

    /// Counts one more pair of a relation.
    pub(super) fn pair(&mut self, written: &str, subject: &End<'_>, object: &End<'_>, is_entity: bool) {
        self.count += 1;
        *self.written.entry(written.to_owned()).or_default() += 1;
        self.subjects.insert(hash(subject.name));
        let new = self.pairs.insert(hash(&(subject.name, object.name)));
        if new && self.sample.len() < MOST_PAIRS {
            self.sample.push((subject.name.to_owned(), object.name.to_owned()));
        }
        self.entities += usize::from(is_entity);
        for (into, classes) in [(&mut self.domains, subject.classes), (&mut self.ranges, object.classes)] {
            for class in classes {
                *into.entry(class.clone()).or_default() += 1;
            }
        }
    }

    /// Notes where; the first places are kept.
    pub(super) fn at(&mut self, document: &DocumentId, span: Range<u64>) {
        let finding = Finding { document: document.clone(), span };
        if self.evidence.len() < MOST_EVIDENCE && !self.evidence.contains(&finding) {
            self.evidence.push(finding);
        }
    }

    /// The words in which it is written most often; of as frequent ones the first in order.
    pub(super) fn name(&self) -> &str {
        let most = self.written.values().max();
        self.written.iter().find(|(_, count)| Some(*count) == most).map_or("", |(words, _)| words)
    }
}

/// Only for counting within one run.
fn hash(value: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
