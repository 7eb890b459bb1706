//! What a run tells while it goes, and at its end.

use crate::draft::Warning;
use crate::error::Fault;
use factmask_graph::Outcome;
use std::time::Duration;

/// A step of a run, told in order.
#[derive(Clone, Debug)]
pub enum Progress {
    /// The files are counted.
    Started {
        /// Files that will be looked at.
        files: u64,
        /// Their bytes.
        bytes: u64,
    },
    /// A document's facts are being extracted.
    Reading {
        /// Its id.
        document: String,
    },
    /// A document is durable: it survives a power cut from here on.
    Acknowledged {
        /// Its id.
        document: String,
        /// What putting it did.
        outcome: Outcome,
        /// Facts it states; of an unchanged one, those it stated before.
        facts: u64,
    },
    /// A file gave nothing.
    Failed(Fault),
    /// A file was passed over.
    Skipped(Skipped),
    /// A document was deleted because its file is gone and pruning was asked for.
    Pruned {
        /// Its id.
        document: String,
    },
}

/// A file that is not read, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The path.
    pub path: String,
    /// Why, with what can be done.
    pub reason: String,
}

/// What a run did.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Documents that were new.
    pub added: Vec<String>,
    /// Documents that replaced an earlier revision.
    pub replaced: Vec<String>,
    /// Documents that had not changed.
    pub unchanged: Vec<String>,
    /// Documents that were deleted.
    pub pruned: Vec<String>,
    /// Files that are not read.
    pub skipped: Vec<Skipped>,
    /// Warnings with the document's id.
    pub warnings: Vec<(String, Warning)>,
    /// Facts of the added and replaced documents.
    pub facts: u64,
    /// Bytes of the added and replaced documents.
    pub bytes: u64,
    /// How long it took.
    pub elapsed: Duration,
    pub(crate) faults: Vec<Fault>,
}

impl Report {
    /// The files that gave nothing; a caller ends with a failure when there are any.
    pub fn failures(&self) -> &[Fault] {
        &self.faults
    }
}

/// What a run would do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Files that would be read or found unchanged.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Of these the files that are new or changed.
    pub changed: u64,
    /// Bytes of the changed files.
    pub changed_bytes: u64,
    /// Files that would fail or be skipped.
    pub refused: u64,
    /// Expected time, from the measured speed of the readers on one core.
    pub seconds: f64,
}
