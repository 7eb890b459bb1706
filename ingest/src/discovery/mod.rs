//! What documents say that the schema has no word for.
//!
//! A pure function of one epoch and of the sources that it was made from; nothing of it is stored, so a document that is deleted takes
//! its part along, and what the schema has a word for is found no more. Three things are looked at: facts and entities under terms
//! that nobody has declared, columns of tables that nothing reads, and words that stand between two names in running text again and
//! again. The last is how open extraction tells relations from chance: a phrase that many pairs share says something of them (Fader,
//! Soderland, Etzioni: "Identifying Relations for Open Information Extraction", EMNLP 2011).
//!
//! What is found is proposed as a term of the schema with the wordings that its name gives, since that is what reads it from then on.

mod facts;
mod known;
mod ledger;
mod mentions;
mod phrases;
mod proposal;
mod tables;
#[cfg(test)]
mod tests;
mod wording;

use crate::readers::{Format, Reader};
use crate::text::Decoded;
use factmask_graph::{DocumentId, GraphError, Snapshot, Store};
use factmask_schema::{Class, Iri, Relation};
use known::Known;
use ledger::Ledger;
use std::ops::Range;

/// A term that the schema does not have, and what speaks for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Discovery {
    /// The same as long as the term is found, whatever else is.
    pub id: String,
    /// Where it was found.
    pub source: DiscoverySource,
    /// What the schema would get.
    pub term: Term,
    /// How often it was found.
    pub count: usize,
    /// Of how many things: subjects of a relation, members of a class.
    pub subjects: usize,
    /// The first places.
    pub evidence: Vec<Finding>,
}

/// Where something was found that the schema has no word for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DiscoverySource {
    /// Facts are stored under it, and nobody has declared it.
    Facts,
    /// It heads a column that is not read.
    Column,
    /// It stands between names in running text.
    Phrase,
}

/// A class or relation that is proposed.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// A class.
    Class(Class),
    /// A relation, with its domain and range among what is declared, and wordings.
    Relation(Relation),
}

impl Term {
    /// Its IRI.
    pub fn iri(&self) -> &Iri {
        match self {
            Self::Class(class) => &class.iri,
            Self::Relation(relation) => &relation.iri,
        }
    }
}

/// A place in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The document.
    pub document: DocumentId,
    /// Byte range in its source.
    pub span: Range<u64>,
}

/// Everything that an epoch's documents say and its schema has no word for: what is stored first, then what is not read, each by
/// how often it comes. What running text says only once is no more than a sentence, so a phrase must stand between `least` different
/// pairs; columns and stored facts are told however few they are.
///
/// # Errors
/// When a source cannot be read.
pub fn discover(store: &Store, snapshot: &Snapshot, least: usize) -> Result<Vec<Discovery>, GraphError> {
    let schema = snapshot.schema();
    let reader = Reader::new(schema, None);
    let mut ledger = Ledger::default();
    facts::undeclared(snapshot, &mut ledger);
    let stated = facts::Stated::of(snapshot);
    let known = Known::new(snapshot);
    for document in store.documents()? {
        let Some(format) = Format::by_media_type(&document.media_type) else { continue };
        let Ok(text) = String::from_utf8(store.source(&document.id)?) else { continue };
        let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let decoded = Decoded::new(text, start, None);
        let stated = stated.in_document(&document.id);
        tables::count(&known, &reader, format, &decoded, &document.id, stated, &mut ledger);
        if format.is_prose() {
            phrases::count(&known, format, &decoded, &document.id, stated, &mut ledger);
        }
    }
    Ok(proposal::proposals(ledger, schema, least))
}
