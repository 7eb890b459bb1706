//! What a run tells while it goes, and at its end.

use crate::draft::Warning;
use crate::error::Fault;
use factmask_graph::{Document, Outcome};
use std::collections::{BTreeMap, HashMap};
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
    /// What became of each file, by path.
    pub files: Vec<FileReport>,
    pub(crate) faults: Vec<Fault>,
}

impl Report {
    /// The files that gave nothing; a caller ends with a failure when there are any.
    pub fn failures(&self) -> &[Fault] {
        &self.faults
    }
}

/// What became of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileReport {
    /// Its path; of an upload the name it was given.
    pub path: String,
    /// The document it is.
    pub document: Option<String>,
    /// How it ended.
    pub status: FileStatus,
    /// Why it gave nothing, and the remedy.
    pub reason: Option<String>,
    /// Facts that it states.
    pub facts: u64,
    /// What was left out of it or is doubtful.
    pub warnings: Vec<String>,
    /// Time for reading it and its facts, without the store's share, which files have in common.
    pub time: Duration,
}

/// How a file ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileStatus {
    /// It is stored, new or in place of an earlier revision.
    Ingested,
    /// It is what the store holds.
    Unchanged,
    /// It gave nothing.
    Rejected,
}

/// The files of a run while it goes.
#[derive(Default)]
pub(super) struct Ledger {
    files: BTreeMap<String, FileReport>,
    /// Paths by document.
    paths: HashMap<String, String>,
}

impl Ledger {
    /// Opens the account of a file that can be looked at.
    pub(super) fn open(&mut self, path: &str, document: &str) {
        self.paths.insert(document.to_owned(), path.to_owned());
        self.file(path).document = Some(document.to_owned());
    }

    pub(super) fn spent(&mut self, document: &str, time: Duration) {
        self.of(document).time += time;
    }

    pub(super) fn ended(&mut self, document: &str, outcome: Outcome, facts: u64) {
        let file = self.of(document);
        file.facts = facts;
        file.status = if outcome == Outcome::Unchanged { FileStatus::Unchanged } else { FileStatus::Ingested };
    }

    /// `file` is a path, or a document.
    pub(super) fn rejected(&mut self, file: &str, reason: String) {
        let file = self.of(file);
        (file.status, file.reason) = (FileStatus::Rejected, Some(reason));
    }

    /// The accounts, each with its warnings.
    pub(super) fn close(mut self, warnings: &[(String, Warning)]) -> Vec<FileReport> {
        for (document, warning) in warnings.iter().filter(|(document, _)| !document.is_empty()) {
            self.of(document).warnings.push(warning.to_string());
        }
        self.files.into_values().collect()
    }

    fn of(&mut self, file: &str) -> &mut FileReport {
        let path = self.paths.get(file).cloned().unwrap_or_else(|| file.to_owned());
        self.file(&path)
    }

    fn file(&mut self, path: &str) -> &mut FileReport {
        self.files.entry(path.to_owned()).or_insert_with(|| FileReport {
            path: path.to_owned(),
            document: None,
            status: FileStatus::Rejected,
            reason: None,
            facts: 0,
            warnings: Vec::new(),
            time: Duration::ZERO,
        })
    }
}

/// Documents as a run would store them.
#[derive(Debug, Default)]
pub struct Trial {
    /// What would be put, new and changed.
    pub documents: Vec<Document>,
    /// Ids of the new ones.
    pub added: Vec<String>,
    /// Ids of those that would replace an earlier revision.
    pub replaced: Vec<String>,
    /// Ids of those that have not changed.
    pub unchanged: Vec<String>,
    /// Files that would give nothing.
    pub faults: Vec<Fault>,
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
