//! What can go wrong, with the thing named and the remedy said.

use crate::DocumentId;
use std::io;
use std::path::{Path, PathBuf};

/// Errors of the store. Each message names the path, document or term and, where there is one, the remedy. After any of them
/// the store holds what it held before the call.
#[derive(Debug, thiserror::Error)]
pub enum GraphError {
    /// Another process has the directory open.
    #[error("{path}: in use by another process; stop it or choose another folder with --data")]
    InUse {
        /// The directory.
        path: PathBuf,
    },
    /// There is no such version of the schema.
    #[error("version {version} of the schema: not in the store (`factmask schema versions` lists them)")]
    NoSuchVersion {
        /// Its number.
        version: u32,
    },
    /// A folder was written by a newer program.
    #[error(
        "{path}: has format version {found}, this program knows versions up to {known}; use a newer factmask, or {remedy}"
    )]
    NewerFormat {
        /// The folder.
        path: PathBuf,
        /// The version that it names.
        found: u32,
        /// The newest version that this program can open.
        known: u32,
        /// What else can be done.
        remedy: &'static str,
    },
    /// The file that should name a folder's format version does not.
    #[error("{path}: does not name a format version; this is no {name}, {remedy}")]
    UnknownFormat {
        /// The file.
        path: PathBuf,
        /// The kind of folder.
        name: &'static str,
        /// What can be done.
        remedy: &'static str,
    },
    /// Reading or writing a file failed.
    #[error("{path}: cannot {action}: {source}; {}", remedy(source))]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The database failed.
    #[error("{path}: the database cannot {action}: {message}{}", database_remedy(message))]
    Database {
        /// Its directory.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// What it said.
        message: String,
    },
    /// A document's statements cannot be read back.
    #[error("{graph}: {term}: {message}; ingest the document again")]
    Corrupt {
        /// The named graph.
        graph: String,
        /// The statement or record.
        term: String,
        /// What is wrong with it.
        message: String,
    },
    /// The bytes that a document's citations point at are gone or are not the ones it was read from.
    #[error("{path}: is not the source of {document} any more (its SHA-256 differs); ingest the document again")]
    ChangedSource {
        /// The stored file.
        path: PathBuf,
        /// The document.
        document: DocumentId,
    },
    /// The revision that an epoch's evidence points into is not the stored one any more.
    #[error("{document}: was replaced or deleted while it was read; ask again")]
    Superseded {
        /// The document.
        document: DocumentId,
    },
    /// There is no such document.
    #[error("{document}: no such document in the store")]
    NoSuchDocument {
        /// The name that was asked for.
        document: DocumentId,
    },
    /// A document states something that cannot be stored.
    #[error("{document}: bytes {start} to {end}: {message}")]
    InvalidFact {
        /// The document.
        document: DocumentId,
        /// First byte of the evidence.
        start: u64,
        /// Byte behind the evidence.
        end: u64,
        /// What is wrong, and the remedy.
        message: String,
    },
    /// Not a tenant's name.
    #[error("\"{name}\": not a tenant's name; use 1 to 64 of a-z, 0-9, - and _")]
    InvalidTenant {
        /// The name, shortened.
        name: String,
    },
    /// Not a document's name.
    #[error("\"{name}\": not a document's name; use 1 to 1,023 bytes without control characters")]
    InvalidDocumentId {
        /// The name, shortened.
        name: String,
    },
    /// Not a hash or fact id.
    #[error("\"{text}\": not a hash; use lower-case hexadecimal digits")]
    InvalidHash {
        /// The text, shortened.
        text: String,
    },
    /// The schema does not hold together.
    #[error("the schema is faulty: {0}")]
    Schema(#[from] factmask_schema::SchemaError),
    /// A SPARQL query failed.
    #[error("SPARQL: {message}")]
    Query {
        /// Why, with its place in the query.
        message: String,
    },
}

impl GraphError {
    pub(crate) fn io(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), action, source }
    }
}

/// RocksDB gives the system's words and not its codes.
fn database_remedy(message: &str) -> &'static str {
    if message.contains("No space left") || message.contains("quota exceeded") {
        "; free some space and start again"
    } else if message.contains("Permission denied") || message.contains("Read-only file system") {
        "; make it readable and writable for this user, or choose another folder with --data"
    } else if message.contains("Corruption") {
        "; restore it from a backup, or delete it and ingest the documents again"
    } else {
        ""
    }
}

fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "free some space and try again",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "make it readable and writable for this user, or choose another folder with --data"
        }
        io::ErrorKind::NotFound => "restore the file or ingest the document again",
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => "choose another folder with --data",
        io::ErrorKind::FileTooLarge => "raise the limit on file sizes and try again",
        _ => "check the disk and try again",
    }
}
