//! Where models lie on this machine, and whether what lies there is what the catalogue means.

use super::{Kind, Model, ModelError, ModelFile, find};
use factmask_graph::FolderFormat;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

/// The model cache: one folder a model, see [`Cache::file`].
#[derive(Clone, Debug)]
pub struct Cache {
    root: PathBuf,
}

/// A model that was asked for by name or path, found and, where the catalogue knows it, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selected {
    /// The catalogue's name, or the path as given.
    pub name: String,
    /// The file to open.
    pub path: PathBuf,
    /// Its SHA-256 in hexadecimal digits.
    pub sha256: String,
}

/// What was true of a file when it was last hashed. A file that still has this length and time is not hashed again.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    bytes: u64,
    modified_ns: u128,
    sha256: String,
}

const STAMPS: &str = ".verified.json";

const FORMAT: FolderFormat =
    FolderFormat { name: "factmask-models", known: 1, remedy: "set FACTMASK_MODELS to another folder" };

impl Cache {
    /// The cache in this folder; the folder need not exist.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The folder of all models.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Refuses a cache that a newer program has written. One without a version is empty, or from before versions were written
    /// and laid out the same. Changes nothing.
    pub fn check(&self) -> Result<(), ModelError> {
        FORMAT.check(&self.root)?;
        Ok(())
    }

    /// Writes the version into the folder, which must be there, unless it carries one.
    pub(super) fn mark(&self) -> Result<(), ModelError> {
        match FORMAT.check(&self.root)? {
            Some(_) => Ok(()),
            None => Ok(FORMAT.mark(&self.root)?),
        }
    }

    /// The folder of one model.
    pub fn folder(&self, model: &Model) -> PathBuf {
        self.root.join(model.name)
    }

    /// Where it is kept how well each language model reads precomputed blocks. Can be deleted at any time.
    pub fn calibrations(&self) -> PathBuf {
        self.root.join("calibrations")
    }

    /// Where a file of a model lies: `<cache>/<model>/<file>`.
    pub fn file(&self, model: &Model, file: &ModelFile) -> PathBuf {
        self.folder(model).join(file.name)
    }

    /// Whether all files are there with the right length. Reads no content.
    pub fn has(&self, model: &Model) -> bool {
        model.files.iter().all(|file| {
            fs::metadata(self.file(model, file)).is_ok_and(|found| found.is_file() && found.len() == file.bytes)
        })
    }

    /// The folder of a model with every file checked: by stamp where it was hashed before and has not been touched since, else
    /// by SHA-256.
    pub fn checked(&self, model: &Model) -> Result<PathBuf, ModelError> {
        self.check()?;
        if !self.has(model) {
            return Err(ModelError::NotPulled { name: model.name.to_owned() });
        }
        for file in model.files {
            let path = self.file(model, file);
            if !self.stamped(model, file)? {
                let found = hash_file(&path)?;
                if found != file.sha256 {
                    return Err(ModelError::WrongHash {
                        path,
                        expected: file.sha256.to_owned(),
                        found,
                        remedy: format!("get it again with `factmask model pull {}`", model.name),
                    });
                }
                self.stamp(model, file);
            }
        }
        Ok(self.folder(model))
    }

    /// A language model by catalogue name or by path: whatever has a path separator or ends in `.gguf` is a path.
    pub fn language_model(&self, name_or_path: &str) -> Result<Selected, ModelError> {
        if name_or_path.contains(std::path::MAIN_SEPARATOR) || name_or_path.ends_with(".gguf") {
            let path = PathBuf::from(name_or_path);
            if !path.is_file() {
                return Err(ModelError::NoFile { path });
            }
            return Ok(Selected { name: name_or_path.to_owned(), sha256: hash_file(&path)?, path });
        }
        let model = of_kind(name_or_path, Kind::Language)?;
        self.checked(model)?;
        let file = model.files.first().ok_or_else(|| ModelError::NotPulled { name: model.name.to_owned() })?;
        Ok(Selected { name: model.name.to_owned(), path: self.file(model, file), sha256: file.sha256.to_owned() })
    }

    /// A sentence encoder by catalogue name or by path: its file where it is a single one, else the folder of its files.
    pub fn encoder(&self, name_or_path: &str) -> Result<PathBuf, ModelError> {
        if name_or_path.contains(std::path::MAIN_SEPARATOR) {
            return Ok(PathBuf::from(name_or_path));
        }
        let model = of_kind(name_or_path, Kind::Encoder)?;
        let folder = self.checked(model)?;
        Ok(match model.files {
            [only] => folder.join(only.name),
            _ => folder,
        })
    }

    fn stamped(&self, model: &Model, file: &ModelFile) -> Result<bool, ModelError> {
        let path = self.file(model, file);
        let now = Stamp::of(&path, file.sha256).map_err(|error| ModelError::io(&path, "read", error))?;
        Ok(self.stamps(model).get(file.name) == Some(&now))
    }

    /// Remembers that a file was hashed and is right. A cache that cannot be written only means hashing again.
    pub(super) fn stamp(&self, model: &Model, file: &ModelFile) {
        let path = self.file(model, file);
        let mut stamps = self.stamps(model);
        let written = Stamp::of(&path, file.sha256).and_then(|stamp| {
            stamps.insert(file.name.to_owned(), stamp);
            let mut temporary = tempfile::NamedTempFile::new_in(self.folder(model))?;
            serde_json::to_writer(&mut temporary, &stamps)?;
            temporary.persist(self.folder(model).join(STAMPS)).map_err(|error| error.error)
        });
        if let Err(error) = written {
            tracing::debug!("{}: cannot note that it was checked: {error}", path.display());
        }
    }

    fn stamps(&self, model: &Model) -> BTreeMap<String, Stamp> {
        let text = fs::read(self.folder(model).join(STAMPS)).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }
}

impl Stamp {
    fn of(path: &Path, sha256: &str) -> io::Result<Self> {
        let found = fs::metadata(path)?;
        let modified = found.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        Ok(Self { bytes: found.len(), modified_ns: modified.as_nanos(), sha256: sha256.to_owned() })
    }
}

fn of_kind(name: &str, wanted: Kind) -> Result<&'static Model, ModelError> {
    let model = find(name)?;
    let words = |kind| match kind {
        Kind::Language => "a language model",
        Kind::Encoder => "a sentence encoder",
    };
    if model.kind == wanted {
        Ok(model)
    } else {
        Err(ModelError::WrongKind { name: name.to_owned(), is: words(model.kind), wanted: words(wanted) })
    }
}

/// SHA-256 of a file in hexadecimal digits.
pub(super) fn hash_file(path: &Path) -> Result<String, ModelError> {
    let read = |error| ModelError::io(path, "read", error);
    let mut file = File::open(path).map_err(read)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        let count = file.read(&mut buffer).map_err(read)?;
        if count == 0 {
            return Ok(hex(&hasher.finalize()));
        }
        hasher.update(buffer.get(..count).unwrap_or_default());
    }
}

/// Lower-case hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
