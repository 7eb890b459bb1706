//! Files in, facts out: readers, extraction by the schema's wordings, and a pipeline that can be killed at any moment.
//!
//! A [`Pipeline`] walks files and folders and puts each document into a [`Store`](factmask_graph::Store) with the facts it
//! states. Every fact carries the bytes of the source that hold its value. RDF, CSV and TSV say their facts outright;
//! in running text they are found by the statement wordings of the schema, and a sentence that denies, expects or asks states none.
//! PDF, office documents, web pages and books are converted to Markdown first, in a process of their own ([`Converter`]).
//!
//! ```no_run
//! use factmask_graph::{Store, TenantId};
//! use factmask_ingest::{Pipeline, PipelineOptions, Progress};
//! use std::path::{Path, PathBuf};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let schema = factmask_schema::Schema::default();
//! let store = Store::open(Path::new("data"), &TenantId::new("default")?)?;
//! let pipeline = Pipeline::new(&store, &schema, PipelineOptions::new("data/tenants/default/jobs"))?;
//! let report = pipeline.ingest_paths(&[PathBuf::from("corpus")], &mut |step| {
//!     if let Progress::Acknowledged { document, facts, .. } = step {
//!         println!("{document}: {facts} facts");
//!     }
//! })?;
//! for fault in report.failures() {
//!     eprintln!("{fault}");
//! }
//! # Ok(())
//! # }
//! ```
//!
//! It is not the store (that is `factmask-graph`), and it calls no language model and no network.

mod convert;
mod discovery;
mod draft;
mod error;
mod extract;
#[cfg(test)]
mod fuzz_tests;
mod learned;
mod names;
mod pipeline;
mod prose;
mod readers;
mod suggest;
mod table;
mod text;
mod values;

pub use convert::{Converter, Limits, Pages, Reading, Unreadable, answer as answer_conversion, page_in};
pub use discovery::{Discovery, DiscoverySource, Finding, Term, discover};
pub use draft::{Place, Warning};
pub use error::{Fault, IngestError, Problem};
pub use learned::{Aim, Bars, Held, Lessons, TextExample};
pub use pipeline::{
    Estimate, FileReport, FileStatus, Ingested, JobRecord, Pipeline, PipelineOptions, Progress, Report, Skipped, Trial,
    Upload,
};
pub use prose::{Prose, has_prose, prose};
pub use suggest::{Suggestion, Triple, commented_turtle, suggest_from_files, suggest_schema};
pub use table::MappingFault;

/// The text of a file as it is stored and cited: its own, or what is converted out of it.
///
/// # Errors
/// When the file cannot be read, or is of no kind that has text.
pub fn reading(path: &std::path::Path, converter: &Converter) -> Result<Reading, Fault> {
    pipeline::reading(path, converter).map_err(|problem| Fault { file: path.display().to_string(), problem })
}

/// Whether the schema has a relation of this name, as examples and table headers name them.
pub fn names_relation(schema: &factmask_schema::Schema, name: &str) -> bool {
    table::find_relation(schema, name, None).is_some()
}

/// Whether a file of this name is read, as its extension says.
pub fn reads(path: &std::path::Path) -> bool {
    path.extension()
        .and_then(|extension| extension.to_str())
        .is_some_and(|e| readers::Format::by_extension(e).is_some())
}
