//! Job progress in sled: what the running job has acknowledged, and which root each document came from.
//!
//! None of it is truth. With the folder deleted a run finds by the store's hashes what is unchanged, and only pruning has to be
//! careful: a document whose root is not known is kept.

use super::origin::Root;
use crate::error::IngestError;
use factmask_graph::{FolderFormat, GraphError, Outcome};
use std::path::{Path, PathBuf};
use std::time::Duration;

const FORMAT: FolderFormat = FolderFormat {
    name: "factmask-jobs",
    known: 1,
    remedy: "delete the folder (it holds only how far jobs have come)",
};

/// Tries before a locked folder is given up, and the wait between them: a process that was just killed lets go within this time.
const TRIES: u32 = 25;
const WAIT: Duration = Duration::from_millis(200);

/// An acknowledged document of the last job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRecord {
    /// Its id.
    pub document: String,
    /// What putting it did.
    pub outcome: Outcome,
    /// Facts it states.
    pub facts: u64,
}

pub(super) struct Jobs {
    path: PathBuf,
    db: sled::Db,
    progress: sled::Tree,
    origins: sled::Tree,
}

impl Jobs {
    /// Opens or creates the folder. One without a version is from before versions were written; what is in it is the same.
    pub(super) fn open(path: &Path) -> Result<Self, IngestError> {
        let fail = |error: sled::Error| IngestError::Jobs { path: path.to_path_buf(), message: error.to_string() };
        match FORMAT.check(path) {
            Ok(_) => {}
            Err(GraphError::UnknownFormat { .. }) => remove_damaged(path).map_err(|error| fail(error.into()))?,
            Err(error) => return Err(error.into()),
        }
        let db = open(path).map_err(fail)?;
        // Only now: the lock is ours, and a damaged folder may have been made anew.
        if FORMAT.check(path)? != Some(FORMAT.known) {
            FORMAT.mark(path)?;
        }
        let progress = db.open_tree("progress").map_err(fail)?;
        let origins = db.open_tree("origins").map_err(fail)?;
        Ok(Self { path: path.to_path_buf(), db, progress, origins })
    }

    /// Begins a new job: the records of the last one go.
    pub(super) fn begin(&self) -> Result<(), IngestError> {
        self.progress.clear().map_err(|error| self.fail(&error))
    }

    /// Records documents that the store holds durably, and makes the records durable too.
    pub(super) fn acknowledge(&self, records: &[(JobRecord, Root)]) -> Result<(), IngestError> {
        for (record, root) in records {
            let mut value = vec![match record.outcome {
                Outcome::Added => b'a',
                Outcome::Replaced => b'r',
                Outcome::Unchanged => b'u',
            }];
            value.extend(record.facts.to_be_bytes());
            self.progress.insert(record.document.as_bytes(), value).map_err(|error| self.fail(&error))?;
            if let Root::Of(root) = root {
                self.insert_origin(&record.document, root)?;
            }
        }
        self.db.flush().map(|_| ()).map_err(|error| self.fail(&error))
    }

    /// Makes the roots of documents durable before the store has them, so that a crash in between leaves none of unknown root.
    pub(super) fn claim(&self, origins: &[(&str, &Path)]) -> Result<(), IngestError> {
        if origins.is_empty() {
            return Ok(());
        }
        for (document, root) in origins {
            self.insert_origin(document, root)?;
        }
        self.db.flush().map(|_| ()).map_err(|error| self.fail(&error))
    }

    /// The root a document came from, as an absolute path without links.
    pub(super) fn origin(&self, document: &str) -> Result<Option<PathBuf>, IngestError> {
        let found = self.origins.get(document.as_bytes()).map_err(|error| self.fail(&error))?;
        Ok(found.map(|known| PathBuf::from(String::from_utf8_lossy(&known).into_owned())))
    }

    /// Whether the document is known to have come from below `root`.
    pub(super) fn is_from(&self, document: &str, root: &Path) -> Result<Option<bool>, IngestError> {
        Ok(self.origin(document)?.map(|known| known == absolute(root)))
    }

    pub(super) fn forget(&self, document: &str) -> Result<(), IngestError> {
        self.origins.remove(document.as_bytes()).map(|_| ()).map_err(|error| self.fail(&error))
    }

    pub(super) fn records(&self) -> Result<Vec<JobRecord>, IngestError> {
        let mut records = Vec::new();
        for entry in &self.progress {
            let (key, value) = entry.map_err(|error| self.fail(&error))?;
            let outcome = match value.first() {
                Some(b'a') => Outcome::Added,
                Some(b'r') => Outcome::Replaced,
                _ => Outcome::Unchanged,
            };
            let facts = value.get(1..9).and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_be_bytes);
            records.push(JobRecord { document: String::from_utf8_lossy(&key).into_owned(), outcome, facts });
        }
        Ok(records)
    }

    fn insert_origin(&self, document: &str, root: &Path) -> Result<(), IngestError> {
        let root = absolute(root);
        let inserted = self.origins.insert(document.as_bytes(), root.to_string_lossy().as_bytes());
        inserted.map(|_| ()).map_err(|error| self.fail(&error))
    }

    fn fail(&self, error: &sled::Error) -> IngestError {
        IngestError::Jobs { path: self.path.clone(), message: error.to_string() }
    }
}

/// Opens with retries while another process has the lock; a damaged folder is made anew, since all of it can be rebuilt.
fn open(path: &Path) -> Result<sled::Db, sled::Error> {
    let config = sled::Config::new().path(path).cache_capacity(4 << 20).flush_every_ms(None);
    let mut tries = 0;
    loop {
        match config.open() {
            Ok(db) => return Ok(db),
            Err(sled::Error::Corruption { .. } | sled::Error::ReportableBug(_) | sled::Error::Unsupported(_))
                if tries == 0 =>
            {
                remove_damaged(path)?;
                tries += 1;
            }
            Err(sled::Error::Io(error)) if is_locked(&error) && tries < TRIES => {
                tries += 1;
                std::thread::sleep(WAIT);
            }
            Err(error) => return Err(error),
        }
    }
}

fn remove_damaged(path: &Path) -> std::io::Result<()> {
    tracing::warn!(path = %path.display(), "the job folder is damaged; it is made anew (nothing is lost)");
    std::fs::remove_dir_all(path)
}

/// sled wraps the system's error in one of kind `Other` that names the lock.
fn is_locked(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::WouldBlock || error.to_string().contains("lock")
}

/// Lossy where a path is not UTF-8, and so always comparable with what the folder holds.
pub(super) fn absolute(path: &Path) -> PathBuf {
    PathBuf::from(path.canonicalize().unwrap_or_else(|_| path.to_path_buf()).to_string_lossy().into_owned())
}
