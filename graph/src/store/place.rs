//! The directory of a tenant's store, its lock and its format version.
//!
//! ```text
//! data/tenants/<tenant>/
//!     LOCK           held while a process has the store open
//!     FORMAT         "factmask-store 1"
//!     graph/         oxigraph's RocksDB; its quads are laid out as `crate::rdf` says
//!     sources/       the documents' bytes, each file named by its SHA-256
//! ```

use crate::files::sync_folder;
use crate::{FolderFormat, GraphError, TenantId};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

const STORE: FolderFormat =
    FolderFormat { name: "factmask-store", known: 1, remedy: "choose another folder with --data" };

/// A locked directory; dropping it lets the next process in.
pub(super) struct Place {
    root: PathBuf,
    _lock: File,
}

impl Place {
    /// Makes the directory where it is missing, locks it, and checks its version before anything in it is touched.
    pub(super) fn open(data: &Path, tenant: &TenantId) -> Result<Self, GraphError> {
        let tenants = data.join("tenants");
        let root = tenants.join(tenant.as_str());
        let is_new = !root.exists();
        // Before anything is written, the lock too: a newer store may keep its lock elsewhere.
        STORE.check(&root)?;
        fs::create_dir_all(&root).map_err(GraphError::io(&root, "create the folder"))?;
        let lock = lock(&root)?;
        let place = Self { root, _lock: lock };
        place.mark_new()?;
        for folder in [place.graph(), place.sources()] {
            fs::create_dir_all(&folder).map_err(GraphError::io(&folder, "create the folder"))?;
        }
        place.sweep_loads()?;
        if is_new {
            // The names of new folders are not on disk before their parents are.
            for folder in [&place.root, &tenants, data] {
                sync_folder(folder)?;
            }
        }
        Ok(place)
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn graph(&self) -> PathBuf {
        self.root.join("graph")
    }

    pub(super) fn sources(&self) -> PathBuf {
        self.root.join("sources")
    }

    /// Removes the files of loads that a crash cut off before the database took them in.
    fn sweep_loads(&self) -> Result<(), GraphError> {
        let folder = self.graph();
        for entry in fs::read_dir(&folder).map_err(GraphError::io(&folder, "list the folder"))? {
            let path = entry.map_err(GraphError::io(&folder, "list the folder"))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with("bulk-") && name.ends_with(".sst") {
                fs::remove_file(&path).map_err(GraphError::io(&path, "remove the file"))?;
            }
        }
        Ok(())
    }

    /// Writes the version into a new folder. Every store has named its version from the first on, so that one without is none.
    fn mark_new(&self) -> Result<(), GraphError> {
        match STORE.check(&self.root)? {
            Some(_) => Ok(()),
            None if self.graph().exists() => Err(STORE.missing(&self.root)),
            None => STORE.mark(&self.root),
        }
    }
}

fn lock(root: &Path) -> Result<File, GraphError> {
    let path = root.join("LOCK");
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(GraphError::io(&path, "open the lock"))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(GraphError::InUse { path: root.to_owned() }),
        // A file system without locks; RocksDB has one of its own.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(file),
        Err(TryLockError::Error(error)) => Err(GraphError::io(&path, "lock the folder")(error)),
    }
}
