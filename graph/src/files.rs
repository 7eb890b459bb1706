//! Writing files so that a crash leaves the old or the new one, never half of one.

use crate::GraphError;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

/// What the name of a file that is being written begins with.
pub(crate) const TEMPORARY: &str = ".writing-";

/// Writes a file so that after a crash it is there as a whole or not at all: beside it first, then under its name.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), GraphError> {
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

/// Makes the names in a folder durable.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), GraphError> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(GraphError::io(folder, "sync the folder to disk"))
}
