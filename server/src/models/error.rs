//! What can go wrong between a model's name and its bytes.

use super::CATALOGUE;
use factmask_graph::GraphError;
use std::{io, path::PathBuf};

/// Errors of the model cache and of pulling.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// A name that is not in the catalogue.
    #[error("model `{name}`: not in the catalogue (known: {})", known())]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// A catalogue model whose files are not on this machine.
    #[error("model {name}: not on this machine (get it with `factmask model pull {name}`)")]
    NotPulled {
        /// The model.
        name: String,
    },
    /// A path given as a model at which there is no file.
    #[error("model {path}: no such file (give a GGUF file, or a name from `factmask model list`)")]
    NoFile {
        /// The path.
        path: PathBuf,
    },
    /// A model of the wrong kind.
    #[error("model {name}: is {is}, wanted is {wanted} (see `factmask model list`)")]
    WrongKind {
        /// The model.
        name: String,
        /// What it is.
        is: &'static str,
        /// What is needed.
        wanted: &'static str,
    },
    /// A file whose bytes are not the ones of the catalogue.
    #[error("model file {path}: wrong content, SHA-256 expected {expected}, found {found} ({remedy})")]
    WrongHash {
        /// The file, or where it was to go.
        path: PathBuf,
        /// Hash of the catalogue.
        expected: String,
        /// Hash of what is there.
        found: String,
        /// What to do.
        remedy: String,
    },
    /// The folder of the models is of another format, or its format cannot be told.
    #[error("models: {0}")]
    Format(#[from] GraphError),
    /// No pip on this machine.
    #[error("pip: not found (install it with `apt-get install python3-pip`, or set FACTMASK_PIP to its path)")]
    NoPip,
    /// pip could not be started.
    #[error("pip {program}: cannot be started: {source} (set FACTMASK_PIP to the path of a working pip)")]
    PipStart {
        /// The program.
        program: String,
        /// Why.
        source: io::Error,
    },
    /// pip ran and failed.
    #[error(
        "package {package} {version}: pip failed: {message} (check network, disk space and pip's settings, then pull again)"
    )]
    PipFailed {
        /// The package.
        package: String,
        /// Its version.
        version: String,
        /// pip's last line of error.
        message: String,
    },
    /// pip succeeded and left no wheel.
    #[error(
        "package {package} {version}: pip left {found} wheels, wanted is one (check pip's settings, then pull again)"
    )]
    NoWheel {
        /// The package.
        package: String,
        /// Its version.
        version: String,
        /// How many there were.
        found: usize,
    },
    /// A wheel that is not a whole zip file, or lacks the member.
    #[error("package {package} {version}: {fault} (pull again; a source that stays broken needs another)")]
    Wheel {
        /// The package.
        package: String,
        /// Its version.
        version: String,
        /// What is wrong.
        fault: String,
    },
    /// A file or folder that cannot be read or written.
    #[error("{path}: cannot {what}: {source} ({remedy})")]
    Io {
        /// The path.
        path: PathBuf,
        /// "read", "write", "create".
        what: &'static str,
        /// Why.
        source: io::Error,
        /// What to do.
        remedy: &'static str,
    },
    /// Taken back by the caller.
    #[error("model pull: interrupted (nothing was left half done; run it again)")]
    Interrupted,
}

impl ModelError {
    pub(crate) fn io(path: impl Into<PathBuf>, what: &'static str, source: io::Error) -> Self {
        let remedy = match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                "free some space, or set FACTMASK_MODELS to a folder on another disk"
            }
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                "change its permissions, or set FACTMASK_MODELS to a folder that can be written"
            }
            _ => "check the path, or set FACTMASK_MODELS to another folder",
        };
        Self::Io { path: path.into(), what, source, remedy }
    }
}

fn known() -> String {
    CATALOGUE.iter().map(|model| model.name).collect::<Vec<_>>().join(", ")
}
