//! Calibrations that were measured once and are kept: a small file for each model and numerics. Holds nothing that cannot be measured
//! again: a file that is damaged, deleted or of another origin is made anew.

use super::{Calibration, Origin};
use serde::{Deserialize, Serialize};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Raised when the file's shape changes. A file of another version is not read: it is made anew.
const FORMAT: u32 = 1;

#[derive(Serialize, Deserialize)]
struct File {
    format: u32,
    #[serde(flatten)]
    origin: Origin,
    #[serde(flatten)]
    calibration: Calibration,
}

/// What was measured of exactly this origin, where that is kept.
pub(super) fn read(folder: &Path, origin: &Origin) -> Option<Calibration> {
    let file: File = serde_json::from_slice(&fs::read(path(folder, origin)).ok()?).ok()?;
    (file.format == FORMAT && file.origin == *origin).then_some(file.calibration)
}

/// Keeps what was measured. A folder that cannot be written only means measuring again.
pub(super) fn write(folder: &Path, origin: &Origin, calibration: Calibration) {
    let path = path(folder, origin);
    let file = File { format: FORMAT, origin: origin.clone(), calibration };
    let write = || -> io::Result<()> {
        fs::create_dir_all(folder)?;
        // Whole or not at all, whoever else starts with the same model.
        let fresh = path.with_extension(format!("{}.new", std::process::id()));
        fs::write(&fresh, serde_json::to_vec_pretty(&file)?)?;
        fs::rename(fresh, &path)
    };
    if let Err(cause) = write() {
        tracing::debug!("{}: the calibration is not kept: {cause}", path.display());
    }
}

/// `<folder>/<first digits of the model's hash>-<numerics>-<precision>.json`
fn path(folder: &Path, origin: &Origin) -> PathBuf {
    let model = origin.model.get(..16).unwrap_or(&origin.model);
    folder.join(format!("{model}-{}-{}.json", origin.numerics, origin.precision))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
    use super::*;

    #[test]
    fn only_a_whole_file_of_the_same_origin_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("gate");
        let origin = Origin { model: "ab".repeat(32), numerics: 9, precision: "F16".to_owned(), set: "cd".repeat(32) };
        let calibration = Calibration { asked: 12, agreed: 11, divergence: 0.125 };
        assert_eq!(read(&folder, &origin), None);
        write(&folder, &origin, calibration);
        assert_eq!(read(&folder, &origin), Some(calibration));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        // The first digits, and so the file's name, are the same.
        let other_model = Origin { model: "ab".repeat(31) + "00", ..origin.clone() };
        let others = [
            other_model,
            Origin { numerics: 8, ..origin.clone() },
            Origin { precision: "F32".to_owned(), ..origin.clone() },
            Origin { set: "ef".repeat(32), ..origin.clone() },
        ];
        for other in others {
            assert_eq!(read(&folder, &other), None, "{other:?}");
        }
        let file = path(&folder, &origin);
        let whole = fs::read_to_string(&file).unwrap();
        for damaged in [&whole[..whole.len() / 2], "", &whole.replace("\"format\": 1", "\"format\": 2")] {
            fs::write(&file, damaged).unwrap();
            assert_eq!(read(&folder, &origin), None, "{damaged}");
        }
        write(&folder, &origin, calibration);
        assert_eq!(read(&folder, &origin), Some(calibration));
    }
}
