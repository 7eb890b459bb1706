//! The directory of a tenant's store, its lock and its format version.
//!
//! ```text
//! data/tenants/<tenant>/
//!     LOCK           held while a process has the store open
//!     FORMAT         "factmask-store 1"
//!     graph/         oxigraph's RocksDB
//!     sources/       the documents' bytes, each file named by its SHA-256
//! ```

use crate::{GraphError, TenantId};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The version that this program writes, and the newest that it reads.
const FORMAT: u32 = 1;
const FORMAT_NAME: &str = "factmask-store";

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
        fs::create_dir_all(&root).map_err(GraphError::io(&root, "create the folder"))?;
        let lock = lock(&root)?;
        let place = Self { root, _lock: lock };
        place.check_format()?;
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

    fn check_format(&self) -> Result<(), GraphError> {
        let path = self.root.join("FORMAT");
        let mut text = String::new();
        match File::open(&path) {
            Ok(file) => {
                // A version line is short; whatever else stands there is not read into memory.
                file.take(64).read_to_string(&mut text).map_err(GraphError::io(&path, "read the format version"))?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if self.graph().exists() {
                    return Err(GraphError::UnknownFormat { path });
                }
                return write_whole(&path, format!("{FORMAT_NAME} {FORMAT}\n").as_bytes());
            }
            Err(error) => return Err(GraphError::io(&path, "read the format version")(error)),
        }
        let version = text.trim().strip_prefix(FORMAT_NAME).and_then(|number| number.trim().parse::<u32>().ok());
        match version {
            Some(1..=FORMAT) => Ok(()),
            Some(found) if found > FORMAT => Err(GraphError::NewerFormat { path, found, known: FORMAT }),
            _ => Err(GraphError::UnknownFormat { path }),
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

/// Writes a file so that after a crash it is there as a whole or not at all: beside it first, then under its name.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), GraphError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = folder.join(format!("{TEMPORARY}{name}"));
    let written = File::create(&beside).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    let placed = written.and_then(|()| fs::rename(&beside, path));
    placed.map_err(|error| {
        // On a full disk the part that was written is in the way.
        let _ = fs::remove_file(&beside);
        GraphError::io(path, "write the file")(error)
    })?;
    sync_folder(folder)
}

/// What the name of a file that is being written begins with.
pub(super) const TEMPORARY: &str = ".writing-";

pub(super) fn sync_folder(folder: &Path) -> Result<(), GraphError> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(GraphError::io(folder, "sync the folder to disk"))
}
