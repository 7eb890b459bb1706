//! The bytes of documents, each kept once under its hash.

use super::lock;
use crate::files::{TEMPORARY, write_whole};
use crate::{ContentHash, DocumentId, GraphError};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Mutex;

pub(super) enum Sources {
    Disk(PathBuf),
    Memory(Mutex<HashMap<ContentHash, Vec<u8>>>),
}

impl Sources {
    pub(super) fn on_disk(folder: PathBuf) -> Self {
        Self::Disk(folder)
    }

    pub(super) fn in_memory() -> Self {
        Self::Memory(Mutex::default())
    }

    /// Keeps bytes; when this returns they are on disk under their name.
    pub(super) fn write(&self, hash: ContentHash, bytes: &[u8]) -> Result<(), GraphError> {
        match self {
            Self::Disk(folder) => {
                let path = folder.join(hash.to_string());
                // It got this name only after it was synced, so a file of the right length is the right file.
                match fs::metadata(&path) {
                    Ok(found) if found.len() == bytes.len() as u64 => Ok(()),
                    _ => write_whole(&path, bytes),
                }
            }
            Self::Memory(sources) => {
                lock(sources).insert(hash, bytes.to_vec());
                Ok(())
            }
        }
    }

    pub(super) fn read(&self, document: &DocumentId, hash: ContentHash) -> Result<Vec<u8>, GraphError> {
        match self {
            Self::Disk(folder) => {
                let path = folder.join(hash.to_string());
                let bytes = fs::read(&path).map_err(GraphError::io(&path, "read the source"))?;
                match ContentHash::of(&bytes) == hash {
                    true => Ok(bytes),
                    false => Err(GraphError::ChangedSource { path, document: document.clone() }),
                }
            }
            Self::Memory(sources) => lock(sources).get(&hash).cloned().ok_or_else(|| missing(hash)),
        }
    }

    pub(super) fn read_range(&self, hash: ContentHash, range: Range<u64>) -> Result<Vec<u8>, GraphError> {
        let length = range.end.saturating_sub(range.start);
        match self {
            Self::Disk(folder) => {
                let path = folder.join(hash.to_string());
                let read = || -> io::Result<Vec<u8>> {
                    let mut file = File::open(&path)?;
                    file.seek(SeekFrom::Start(range.start))?;
                    let mut bytes = Vec::new();
                    file.take(length).read_to_end(&mut bytes)?;
                    Ok(bytes)
                };
                read().map_err(GraphError::io(&path, "read the source"))
            }
            Self::Memory(sources) => {
                let sources = lock(sources);
                let bytes = sources.get(&hash).ok_or_else(|| missing(hash))?;
                let at = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
                Ok(bytes.get(at(range.start)..at(range.end)).unwrap_or_default().to_vec())
            }
        }
    }

    /// Lets bytes go that no document needs. A file that cannot be removed is left for the next sweep: the change that made
    /// it superfluous has been made.
    pub(super) fn remove(&self, hash: ContentHash) {
        match self {
            Self::Disk(folder) => {
                let path = folder.join(hash.to_string());
                if let Err(error) = fs::remove_file(&path) {
                    tracing::warn!(path = %path.display(), %error, "cannot remove a source that no document needs");
                }
            }
            Self::Memory(sources) => {
                lock(sources).remove(&hash);
            }
        }
    }

    /// Removes what a crash has left: half-written files, and files of documents that were never committed. Files that we did
    /// not name stay.
    pub(super) fn sweep(&self, used: impl Fn(ContentHash) -> bool) -> Result<(), GraphError> {
        let Self::Disk(folder) = self else { return Ok(()) };
        for entry in fs::read_dir(folder).map_err(GraphError::io(folder, "list the folder"))? {
            let entry = entry.map_err(GraphError::io(folder, "list the folder"))?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let unused = name.parse().is_ok_and(|hash| !used(hash));
            if name.starts_with(TEMPORARY) || unused {
                let path = entry.path();
                fs::remove_file(&path).map_err(GraphError::io(&path, "remove the file"))?;
            }
        }
        Ok(())
    }
}

fn missing(hash: ContentHash) -> GraphError {
    let path = PathBuf::from(format!("(memory)/{hash}"));
    GraphError::io(&path, "read the source")(io::ErrorKind::NotFound.into())
}
