//! How facts lie in RDF.
//!
//! Each document has a named graph. A statement is in it as a plain triple, so that SPARQL sees what people expect, and as an
//! RDF 1.2 reification, which carries what a triple cannot:
//!
//! ```text
//! ex:apple ex:researchExpense 29915000000 .
//! <urn:factmask:fact:5a1c…> rdf:reifies <<( ex:apple ex:researchExpense 29915000000 )>> ;
//!     ex:fiscalYear "2023"^^xsd:gYear ;               # a qualifier
//!     <urn:factmask:evidence> "{\"a\":[120,164], …}" . # one record for each place where it was found
//! ```
//!
//! The reifier's IRI is the fact's id, a hash of the whole claim with unit and qualifiers. So one value in two fiscal years is
//! one triple with two reifiers, and a statement that three documents make has the same reifier in three graphs.
//!
//! The record says the whole fact once more, in compact JSON and with what no RDF literal can say (unit, words as written,
//! calendar, decimal places): numbers in triples stay plain `xsd:decimal`, which SPARQL can compare, and a snapshot reads one
//! string a fact instead of twenty. Triples and record are written together and never changed apart, and the id in the
//! reifier's IRI proves the record.
//!
//! [`term`] gives values as RDF terms, [`record`] is the record, [`encode`] and [`decode`] do whole documents.

pub(crate) mod decode;
pub(crate) mod encode;
mod file;
pub(crate) mod record;
pub(crate) mod term;

pub use file::read_triples;

/// The graph of markers, schema and epoch.
pub(crate) const META_GRAPH: &str = "urn:factmask:meta";
/// From a document's graph to its revision marker.
pub(crate) const REVISION: &str = "urn:factmask:revision";
/// What schema and epoch are said of.
pub(crate) const STORE: &str = "urn:factmask:store";
/// From the store to its schema, as Turtle.
pub(crate) const SCHEMA: &str = "urn:factmask:turtle";
/// From the store to the names that terms of its schema had before, as JSON.
pub(crate) const RENAMES: &str = "urn:factmask:renames";
/// The graph of the schema's versions.
pub(crate) const VERSIONS: &str = "urn:factmask:versions";
/// What a version's IRI begins with.
pub(crate) const VERSION: &str = "urn:factmask:version:";
/// From a version to its record, as JSON.
pub(crate) const VERSION_RECORD: &str = "urn:factmask:record";
/// From the store to the number of changes that it has seen; where there are several, the largest counts.
pub(crate) const EPOCH: &str = "urn:factmask:epoch";
/// From a pair of entities to what a person has decided of them, as JSON.
pub(crate) const DECISION: &str = "urn:factmask:decision";
/// From a reifier to an evidence record.
pub(crate) const EVIDENCE: &str = "urn:factmask:evidence";
/// What a reifier's IRI begins with.
pub(crate) const FACT: &str = "urn:factmask:fact:";
