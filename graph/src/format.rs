//! The format version that a folder of ours carries: one line in its file `FORMAT`, such as `factmask-store 1`.

use crate::GraphError;
use crate::files::write_whole;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A kind of folder, and the versions of it that this program knows.
///
/// Whoever opens such a folder calls [`check`](Self::check) before anything in it is touched, and [`mark`](Self::mark) once it
/// has made the folder what the known version says.
///
/// ```
/// use factmask_graph::FolderFormat;
///
/// const CACHE: FolderFormat = FolderFormat { name: "acme-cache", known: 2, remedy: "delete the folder" };
/// let folder = tempfile::tempdir()?;
/// assert_eq!(CACHE.check(folder.path())?, None);
/// CACHE.mark(folder.path())?;
/// assert_eq!(CACHE.check(folder.path())?, Some(2));
///
/// std::fs::write(folder.path().join("FORMAT"), "acme-cache 3\n")?;
/// let refused = CACHE.check(folder.path()).unwrap_err().to_string();
/// assert!(refused.ends_with("has format version 3, this program knows versions up to 2; use a newer factmask, or delete the folder"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FolderFormat {
    /// What stands before the number.
    pub name: &'static str,
    /// The version that this program writes, and the newest that it reads. Versions count from 1.
    pub known: u32,
    /// What else can be done than to use a newer program.
    pub remedy: &'static str,
}

/// Versions are small numbers; whatever else stands in the file is not read into memory.
const LONGEST: u64 = 64;

impl FolderFormat {
    /// The version that a folder carries. `None` for one that is not there or carries none. Changes nothing.
    ///
    /// # Errors
    /// [`GraphError::NewerFormat`] when the version is newer than those known, [`GraphError::UnknownFormat`] when the file names
    /// none of this kind, [`GraphError::Io`] when it cannot be read.
    pub fn check(&self, folder: &Path) -> Result<Option<u32>, GraphError> {
        let path = file(folder);
        let mut text = Vec::new();
        match File::open(&path).and_then(|file| file.take(LONGEST).read_to_end(&mut text)) {
            Ok(_) => {}
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(GraphError::io(&path, "read the format version")(error)),
        }
        let text = String::from_utf8_lossy(&text);
        let version = text.trim().strip_prefix(self.name).and_then(|number| number.trim().parse::<u32>().ok());
        match version {
            Some(found) if found > self.known => {
                Err(GraphError::NewerFormat { path: folder.to_owned(), found, known: self.known, remedy: self.remedy })
            }
            Some(found) if found > 0 => Ok(Some(found)),
            _ => Err(GraphError::UnknownFormat { path, name: self.name, remedy: self.remedy }),
        }
    }

    /// Writes the known version into a folder, durably.
    ///
    /// # Errors
    /// [`GraphError::Io`] when the file cannot be written.
    pub fn mark(&self, folder: &Path) -> Result<(), GraphError> {
        write_whole(&file(folder), format!("{} {}\n", self.name, self.known).as_bytes())
    }

    /// The same for a folder that should name a version and does not.
    pub(crate) fn missing(&self, folder: &Path) -> GraphError {
        GraphError::UnknownFormat { path: file(folder), name: self.name, remedy: self.remedy }
    }
}

fn file(folder: &Path) -> PathBuf {
    folder.join("FORMAT")
}
