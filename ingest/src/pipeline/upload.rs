//! Files that were sent to us, as a run sees them.

use super::walk::{Candidate, Walk};
use crate::error::{Fault, Problem};
use crate::readers::Format;
use factmask_graph::DocumentId;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A file that came over a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upload {
    /// The document's id: the file's name as the sender gave it.
    pub id: String,
    /// What the sender says of its contents. The name's ending goes first: programs that send files know few of these types.
    pub media_type: Option<String>,
    /// Where its bytes lie meanwhile.
    pub path: PathBuf,
}

/// Sorts out what cannot be read; nothing of it is opened yet.
pub(super) fn accept(uploads: &[Upload]) -> Walk {
    let mut accepted = Walk::default();
    let mut ids = BTreeSet::new();
    for upload in uploads {
        match candidate(upload, ids.insert(upload.id.as_str())) {
            Ok(candidate) => accepted.candidates.push(candidate),
            Err(problem) => accepted.faults.push(Fault { file: upload.id.clone(), problem }),
        }
    }
    accepted
}

fn candidate(upload: &Upload, first: bool) -> Result<Candidate, Problem> {
    let id = upload.id.clone();
    DocumentId::new(&id).map_err(|_| Problem::BadName)?;
    if !first {
        return Err(Problem::SentTwice);
    }
    let extension = Path::new(&id).extension().and_then(|extension| extension.to_str());
    let format = extension
        .and_then(Format::by_extension)
        .or_else(|| upload.media_type.as_deref().and_then(Format::by_media_type))
        .ok_or_else(|| match (&upload.media_type, extension) {
            (Some(media_type), _) => Problem::UnknownType { media_type: media_type.clone() },
            (None, extension) => Problem::UnknownType { media_type: format!(".{}", extension.unwrap_or_default()) },
        })?;
    let unreadable = |error: std::io::Error| Problem::Unreadable { message: error.to_string() };
    let bytes = upload.path.metadata().map_err(unreadable)?.len();
    Ok(Candidate { path: upload.path.clone(), id, format, bytes, root: None })
}
