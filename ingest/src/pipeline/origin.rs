//! Where documents come from: whose place a file may take, and whose file is gone.

use super::Progress;
use super::jobs::absolute;
use super::run::{Run, fault};
use super::walk::Candidate;
use crate::draft::Warning;
use crate::error::{IngestError, Problem};
use factmask_graph::Document;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What a file may do under its id.
pub(super) struct Claim {
    /// The root to remember its document by; none where that keeps the root that is known.
    pub(super) root: Option<PathBuf>,
    /// It replaces other bytes of which nobody knows where they came from.
    pub(super) over_unknown: bool,
}

impl Run<'_, '_> {
    /// The claim of a file to its id; none when it is refused, because the store has other bytes there that came from another file.
    pub(super) fn claim_of(
        &mut self,
        candidate: &Candidate,
        stored: bool,
        same: bool,
    ) -> Result<Option<Claim>, IngestError> {
        let own = Claim { root: Some(candidate.root.clone()), over_unknown: false };
        if !stored {
            return Ok(Some(own));
        }
        let Some(root) = self.pipeline.jobs.origin(&candidate.id)? else {
            return Ok(Some(Claim { over_unknown: !same, ..own }));
        };
        let other = place(&root, &candidate.id);
        if root == absolute(&candidate.root) || other == absolute(&candidate.path) {
            return Ok(Some(own));
        }
        if same {
            // The same bytes lose nothing. A file that is still there keeps its claim; one that is gone was moved.
            return Ok(Some(if other.exists() { Claim { root: None, ..own } } else { own }));
        }
        let (id, other) = (candidate.id.clone(), other.display().to_string());
        self.fail(fault(&candidate.path, Problem::OtherRoot { id, other }));
        Ok(None)
    }

    /// Remembers the roots of documents that are about to be new in the store.
    pub(super) fn claim(&self, documents: &[Document], roots: &[Option<PathBuf>]) -> Result<(), IngestError> {
        let mut new = Vec::new();
        for (document, root) in documents.iter().zip(roots) {
            if let Some(root) = root
                && self.pipeline.store.document(&document.id)?.is_none()
            {
                new.push((document.id.as_str(), root.as_path()));
            }
        }
        self.pipeline.jobs.claim(&new)
    }

    /// Deletes the documents that are known to come from a walked folder and were not found there. A folder that could not be
    /// walked to its end deletes nothing, and a document whose root is not known (the job folder was deleted, or it was uploaded)
    /// is kept.
    pub(super) fn prune(&mut self, whole: &[PathBuf], found: &BTreeSet<String>) -> Result<(), IngestError> {
        let mut unknown = 0;
        for known in self.pipeline.store.documents()? {
            let id = known.id.as_str().to_owned();
            if found.contains(&id) {
                continue;
            }
            let mut from = None;
            for root in whole {
                match self.pipeline.jobs.is_from(&id, root)? {
                    Some(true) => from = Some(true),
                    Some(false) => from = from.or(Some(false)),
                    None => {}
                }
            }
            match from {
                Some(true) => {
                    self.pipeline.store.delete(&known.id)?;
                    self.pipeline.jobs.forget(&id)?;
                    (self.on)(Progress::Pruned { document: id.clone() });
                    self.report.pruned.push(id);
                }
                Some(false) => {}
                None => unknown += 1,
            }
        }
        if unknown > 0 {
            let message = format!(
                "{unknown} documents have no file here and no known root; they are kept (delete them by id if they should go)"
            );
            self.report.warnings.push((String::new(), Warning { place: None, message }));
        }
        Ok(())
    }
}

/// The file of a document by its root, which is a folder or the file itself.
fn place(root: &Path, id: &str) -> PathBuf {
    if root.is_dir() { absolute(&root.join(id)) } else { root.to_path_buf() }
}

/// Told when a document of unknown root is replaced.
pub(super) fn over_unknown() -> Warning {
    let message = "replaces a stored document whose root is not known (it was uploaded, or the job folder was deleted); if that was another file, ingest both by their common parent folder";
    Warning { place: None, message: message.to_owned() }
}
