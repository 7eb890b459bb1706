//! Readings that are kept, so that a file is converted once: a run looks at each file several times, and at most files again the
//! next day.

use super::{Container, Converter, Limits, Reading, Unreadable};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// A reading that nobody has asked for so long is let go.
const KEPT_FOR: Duration = Duration::from_secs(30 * 24 * 3600);

/// The readings of a tenant. Its folder can be deleted at any time.
pub(crate) struct Readings {
    folder: PathBuf,
    converter: Converter,
    limits: Limits,
}

impl Readings {
    pub(crate) fn new(folder: PathBuf, converter: Converter, limits: Limits) -> Self {
        sweep(&folder);
        Self { folder, converter, limits }
    }

    /// The reading of a file, converted where it is not kept. What cannot be kept is converted again the next time.
    pub(crate) fn of(&self, container: Container, bytes: Vec<u8>) -> Result<Reading, Unreadable> {
        let path = self.folder.join(key(container, &bytes));
        if let Some(kept) = read(&path) {
            return Ok(kept);
        }
        let reading = self.converter.convert(container, bytes, &self.limits)?;
        if let Err(error) = keep(&self.folder, &path, &reading) {
            tracing::debug!(path = %path.display(), %error, "a reading is not kept");
        }
        Ok(reading)
    }
}

fn key(container: Container, bytes: &[u8]) -> String {
    let mut hasher = Sha256::new();
    for part in [Container::VERSION.as_bytes(), &[0], container.name().as_bytes(), &[0], bytes] {
        hasher.update(part);
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn read(path: &Path) -> Option<Reading> {
    let reading = Reading::parse(&fs::read_to_string(path).ok()?)?;
    // When it was asked for last is when its file was changed last.
    let _ = fs::File::options().append(true).open(path).and_then(|file| file.set_modified(SystemTime::now()));
    Some(reading)
}

fn keep(folder: &Path, path: &Path, reading: &Reading) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    // Several threads may convert the same bytes.
    static WRITES: AtomicU64 = AtomicU64::new(0);
    let number = WRITES.fetch_add(1, Ordering::Relaxed);
    let temporary = path.with_extension(format!("{}-{number}.tmp", std::process::id()));
    fs::write(&temporary, reading.written())?;
    fs::rename(&temporary, path)
}

fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let old = entry.metadata().and_then(|metadata| metadata.modified()).ok().and_then(|time| time.elapsed().ok());
        if old.is_some_and(|old| old > KEPT_FOR) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
    use super::*;

    #[test]
    fn converted_once_and_again_when_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let readings = Readings::new(folder.path().join("r"), Converter::Here, Limits::default());
        let page = b"<p>One sentence.</p>".to_vec();
        let first = readings.of(Container::Html, page.clone()).unwrap();
        let path = fs::read_dir(folder.path().join("r")).unwrap().next().unwrap().unwrap().path();
        let other = Reading { text: "kept\n".to_owned(), warnings: vec!["w".to_owned()] };
        fs::write(&path, other.written()).unwrap();
        assert_eq!(readings.of(Container::Html, page.clone()).unwrap(), other, "it is taken as it is kept");
        fs::write(&path, "cut").unwrap();
        assert_eq!(readings.of(Container::Html, page.clone()).unwrap(), first);
        fs::File::options().append(true).open(&path).unwrap().set_modified(SystemTime::now() - KEPT_FOR * 2).unwrap();
        Readings::new(folder.path().join("r"), Converter::Here, Limits::default());
        assert!(!path.exists());
    }
}
