//! Facts with evidence: the durable store of one tenant, and the in-memory index that questions walk.
//!
//! The unit of change is a **document**: putting one replaces exactly the facts it stated before, deleting one removes exactly
//! them, and a fact stands as long as some document states it. A reader takes a [`Snapshot`] (one epoch of facts and schema)
//! and keeps it for the whole answer; writers never disturb it.
//!
//! Begin with [`Store`], which has an example and its guarantees; [`Statement`] and [`Value`] say what a fact is, [`Snapshot`]
//! how questions find it. This crate reads no files of its own accord, knows no language model, and judges nothing: what a
//! document states is kept as it states it, and two documents that disagree both stand.

mod canonical;
mod document;
mod error;
mod fact;
mod files;
mod fit;
mod format;
mod identity;
mod ids;
mod marker;
mod placed;
mod rdf;
mod rename;
mod rules;
mod snapshot;
mod split;
mod store;
mod told;
mod value;

pub use document::{Document, DocumentInfo, Outcome};
pub use error::GraphError;
pub use fact::{Entity, Evidence, Fact, Locator, NewFact, Statement};
pub use fit::{Misfit, misfit};
pub use format::FolderFormat;
pub use identity::{DecidedBy, Decision, Identity, Pair, PairState, Verdict};
pub use ids::{ContentHash, DocumentId, EntityId, FactId, TenantId, is_minted, mint};
pub use oxigraph::model::{NamedOrBlankNode, Term, Triple};
pub use placed::PlacedText;
pub use rdf::read_triples;
pub use rename::{Rename, TermKind};
pub use rules::Facts;
pub use snapshot::{Difference, Snapshot};
pub use split::{ObjectKind, Split, When, check_splits};
pub use store::{Answer, Bounds, CancellationToken, Published, SchemaChange, SchemaVersion, Store};
pub use told::schema_differences;
pub use value::{Calendar, Date, Number, Precision, Value};
