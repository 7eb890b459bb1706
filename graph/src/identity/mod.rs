//! Who is who: which names of different documents mean one thing, and which one name means several.
//!
//! Documents say what they say in their own terms: the store keeps a name that a document does not identify as an entity minted
//! from class and name, whatever other documents hold. Who that is, is decided over all documents together, each time a snapshot is
//! built, and it is a pure function of their facts, the schema and the decisions of people. So it depends on no order of arrival,
//! a deleted document takes its part along, and nothing of it needs to be undone in the store.
//!
//! 1. [`apart`]: a minted name whose documents (or rows) contradict each other in what can have one value only is several things.
//! 2. [`candidates`]: pairs whose names may mean one thing, found by keys of names and never by comparing all with all.
//! 3. [`evidence`]: each pair is judged by its names and by what both have in common or contradict each other in.
//! 4. [`resolve`]: pairs above a bar become one, the surest first, never across a contradiction; what is near the bar is
//!    proposed to people. Since employers and places are entities too, this is done again with what the last round has found.
//!
//! Precision comes first: what is not sure stays apart, and a question about it is asked back.

mod apart;
mod apply;
mod candidates;
mod decision;
mod evidence;
mod name;
mod resolve;
mod view;

pub(crate) use apply::{apply, rename_in};
pub use decision::{Decision, Verdict};
pub(crate) use resolve::{Resolution, resolve};

use factmask_schema::Iri;
use sha2::{Digest, Sha256};
use std::collections::HashMap;

/// What is known of two entities that are or may be one.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The one whose IRI comes first.
    pub one: Iri,
    /// The other.
    pub other: Iri,
    /// How sure it is that they are one, 0 to 1. Of a decision by hand 1 or 0.
    pub score: f32,
    /// What speaks for and against it, in English, each a clause.
    pub reasons: Vec<String>,
    /// What follows.
    pub state: PairState,
    /// Who has decided.
    pub by: DecidedBy,
}

/// What was made of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PairState {
    /// They may be one; people should say.
    Proposed,
    /// They are one.
    Merged,
    /// They have a name in common and are two.
    Apart,
}

/// Who has decided on a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecidedBy {
    /// The rules of this module.
    Rule,
    /// A person ([`Decision`]).
    Hand,
}

impl Pair {
    /// A short name of the pair, from the two IRIs alone: 16 hexadecimal digits.
    pub fn id(&self) -> String {
        hex(&[self.one.as_str(), self.other.as_str()], 8)
    }
}

/// Who is who in one epoch.
#[derive(Clone, Debug, Default)]
pub struct Identity {
    pairs: Vec<Pair>,
    /// From each IRI that stands in documents and is not the one that a snapshot uses.
    canonical: HashMap<Iri, Iri>,
}

impl Identity {
    pub(crate) fn new(pairs: Vec<Pair>, canonical: HashMap<Iri, Iri>) -> Self {
        Self { pairs, canonical }
    }

    /// All pairs that were merged, are proposed, or were kept apart although they share a name; the surest first.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// The pair of two entities, in whichever order.
    pub fn pair(&self, one: &Iri, other: &Iri) -> Option<&Pair> {
        self.pairs
            .iter()
            .find(|pair| (&pair.one, &pair.other) == (one, other) || (&pair.one, &pair.other) == (other, one))
    }

    /// The IRI that a snapshot uses for an entity that documents give this one.
    pub fn canonical<'a>(&'a self, iri: &'a Iri) -> &'a Iri {
        self.canonical.get(iri).unwrap_or(iri)
    }

    /// The other IRIs of what a snapshot calls `canonical`, sorted.
    pub fn members(&self, canonical: &Iri) -> Vec<&Iri> {
        let mut members: Vec<&Iri> =
            self.canonical.iter().filter(|(_, to)| *to == canonical).map(|(iri, _)| iri).collect();
        members.sort();
        members
    }

    pub(crate) fn renamed(&self) -> &HashMap<Iri, Iri> {
        &self.canonical
    }
}

/// The first `bytes` bytes of the hash of some texts, in hexadecimal.
fn hex(parts: &[&str], bytes: usize) -> String {
    let digest = Sha256::digest(parts.join("\0").as_bytes());
    digest.iter().take(bytes).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
