//! Why a request came to nothing.

use crate::wire::DifferenceBody;
use factmask_engine::EngineError;
use factmask_graph::{DocumentId, GraphError};
use factmask_ingest::IngestError;
use factmask_schema::SchemaError;
use std::{
    io,
    path::{Path, PathBuf},
};

/// Why a question got no answer, or another request came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// There is no such tenant.
    #[error("tenant `{0}`: holds no documents here (make it with `factmask ingest --tenant {0} PATH`)")]
    NoTenant(String),
    /// There is no such entity.
    #[error("entity <{0}>: not in the knowledge base (percent-encode its whole IRI; find it with /v1/facts?text=...)")]
    NoEntity(String),
    /// There is no such document.
    #[error("document {0}: not in the store (see /v1/documents)")]
    NoDocument(DocumentId),
    /// The knowledge base has changed since the page before.
    #[error(
        "the knowledge base has changed since the page before (epoch {then}, now {now}); begin again without cursor"
    )]
    StaleCursor {
        /// The cursor's epoch.
        then: u64,
        /// The epoch of now.
        now: u64,
    },
    /// A parameter's value is none that it can have.
    #[error("{name}: {fault}")]
    Parameter {
        /// The parameter.
        name: &'static str,
        /// What is wrong, and the remedy.
        fault: String,
    },
    /// The schema that was sent is faulty.
    #[error("the schema has {} faults; nothing was changed", .0.faults.len())]
    Schema(SchemaError),
    /// Somebody else has changed the schema.
    #[error(
        "the schema has been changed since; get it again (its ETag is {current}), make your change in it, and send that"
    )]
    SchemaChanged {
        /// The ETag of the schema of now.
        current: String,
        /// What has changed since, where that is known.
        changes: Vec<DifferenceBody>,
    },
    /// The engine refused or failed.
    #[error(transparent)]
    Engine(EngineError),
    /// The store failed.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// Reading documents failed.
    #[error(transparent)]
    Ingest(#[from] IngestError),
    /// A file of the service's own cannot be written.
    #[error("{path}: {source}; check the folder's rights and the disk's room")]
    Disk {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A defect of ours. What happened is in the log, not in the answer.
    #[error("the question could not be answered because of a defect (see the service's log)")]
    Defect,
}

impl From<EngineError> for ServiceError {
    /// A document that the engine could not read is the store's fault, as everywhere else.
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Text(error) => Self::Graph(error),
            error => Self::Engine(error),
        }
    }
}

impl ServiceError {
    pub(crate) fn disk(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Disk { path: path.to_owned(), source }
    }

    /// Whether a document that was to be quoted has changed meanwhile, so that a newer epoch gives what this one cannot.
    fn is_superseded(&self) -> bool {
        matches!(self, Self::Graph(GraphError::Superseded { .. }))
    }
}

/// Documents may be replaced between the reading of facts and that of their quotes. Trying once more is as good as always
/// right; after some times the caller hears of it.
pub(super) fn again<T>(mut read: impl FnMut() -> Result<T, ServiceError>) -> Result<T, ServiceError> {
    const TRIES: usize = 3;
    for _ in 1..TRIES {
        match read() {
            Err(error) if error.is_superseded() => {}
            result => return result,
        }
    }
    read()
}
