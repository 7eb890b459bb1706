//! Where documents come from: whose place a file may take, and whose file is gone.

use super::Progress;
use super::jobs::absolute;
use super::run::Run;
use super::walk::Candidate;
use crate::draft::Warning;
use crate::error::{IngestError, Problem};
use factmask_graph::Document;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// By which root a document is remembered.
#[derive(Clone, Debug)]
pub(super) enum Root {
    /// This one.
    Of(PathBuf),
    /// The one that is known already, if any.
    AsKnown,
    /// None: it was uploaded, and no walk ever misses it.
    Nowhere,
}

/// What a file may do under its id.
pub(super) struct Claim {
    /// The root to remember its document by.
    pub(super) root: Root,
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
        let Some(own_root) = &candidate.root else {
            // Whoever uploads names the document that is meant. The same bytes change nothing, so not their origin either.
            let root = if same { Root::AsKnown } else { Root::Nowhere };
            return Ok(Some(Claim { root, over_unknown: false }));
        };
        let own = Claim { root: Root::Of(own_root.clone()), over_unknown: false };
        if !stored {
            return Ok(Some(own));
        }
        let Some(root) = self.pipeline.jobs.origin(&candidate.id)? else {
            return Ok(Some(Claim { over_unknown: !same, ..own }));
        };
        let other = place(&root, &candidate.id);
        if root == absolute(own_root) || other == absolute(&candidate.path) {
            return Ok(Some(own));
        }
        if same {
            // The same bytes lose nothing. A file that is still there keeps its claim; one that is gone was moved.
            return Ok(Some(if other.exists() { Claim { root: Root::AsKnown, ..own } } else { own }));
        }
        let (id, other) = (candidate.id.clone(), other.display().to_string());
        self.fail(candidate.fault(Problem::OtherRoot { id, other }));
        Ok(None)
    }

    /// Remembers the roots of documents that are about to be new in the store, and forgets those of uploads: a walk must not
    /// take an upload for a file of its folder that is gone.
    pub(super) fn claim(&self, documents: &[Document], roots: &[Root]) -> Result<(), IngestError> {
        let mut new = Vec::new();
        for (document, root) in documents.iter().zip(roots) {
            match root {
                Root::Of(root) if self.pipeline.store.document(&document.id)?.is_none() => {
                    new.push((document.id.as_str(), root.as_path()));
                }
                Root::Nowhere => self.pipeline.jobs.forget(document.id.as_str())?,
                Root::Of(_) | Root::AsKnown => {}
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
