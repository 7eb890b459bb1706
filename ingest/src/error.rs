//! What can go wrong: with one file, which the others survive, and with the run as a whole.

use crate::readers::Format;
use crate::table::MappingFault;
use factmask_graph::GraphError;
use std::fmt;
use std::path::PathBuf;

/// A run that cannot go on. What was acknowledged before stays.
#[derive(Debug, thiserror::Error)]
pub enum IngestError {
    /// The store refused.
    #[error(transparent)]
    Store(#[from] GraphError),
    /// The folder for job progress cannot be used.
    #[error(
        "{path}: the job folder cannot be opened: {message}; stop the other ingest run, or check the folder's rights and the disk's room"
    )]
    Jobs {
        /// The folder.
        path: PathBuf,
        /// What the job store says.
        message: String,
    },
    /// The mapping file given for the run is wrong.
    #[error("{path}: {fault}")]
    Mapping {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: MappingFault,
    },
    /// A file given for the run cannot be read.
    #[error("{path}: {source}; check the path and its rights")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The one document of the call is refused.
    #[error("{0}")]
    Refused(Fault),
}

/// A file that gave nothing, in one line that names it and the remedy. The store keeps what it held of it before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The path as it was found, or the document's id for bytes.
    pub file: String,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Nothing there.
    #[error("no such file or folder; check the path")]
    NotFound,
    /// The system does not let us read it.
    #[error("cannot be read: {message}; check its rights")]
    Unreadable {
        /// What the system says.
        message: String,
    },
    /// No bytes, or white space alone.
    #[error("is empty; delete it or give it content")]
    Empty,
    /// Larger than the limit; it was not read.
    #[error("has {bytes} bytes, more than the limit of {limit}; split it, or raise the limit (--max-file-bytes)")]
    TooLarge {
        /// Its size.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// No text: binary, damaged, or in an encoding that cannot be told.
    #[error("{message}")]
    NoText {
        /// What was found, and the remedy.
        message: String,
    },
    /// It was to be converted to text, and cannot be.
    #[error("{message}")]
    NotConverted {
        /// What is in the way, and the remedy.
        message: String,
    },
    /// Text that breaks the rules of its format.
    #[error("{message}; correct the file at that place")]
    Malformed {
        /// Line, from 1.
        line: u64,
        /// Column in characters, from 1.
        column: Option<u64>,
        /// What the parser says.
        message: String,
    },
    /// Its mapping file is wrong.
    #[error("its mapping {mapping}: {fault}")]
    Mapping {
        /// The mapping file.
        mapping: String,
        /// What is wrong with it.
        fault: MappingFault,
    },
    /// Another file of the run has the same id.
    #[error("has the same document id \"{id}\" as {other}; ingest the common parent folder instead")]
    SameId {
        /// The id.
        id: String,
        /// The other file.
        other: String,
    },
    /// One request brings the same name twice.
    #[error("was sent twice in one request; only the first is read (send the other under another name)")]
    SentTwice,
    /// A document of the same id came from another place, and would be lost.
    #[error(
        "would take the place of document \"{id}\", which came from {other}; ingest their common parent folder instead, use another --tenant, or delete the document first"
    )]
    OtherRoot {
        /// The id.
        id: String,
        /// Where the stored document came from.
        other: String,
    },
    /// Its name cannot be an id.
    #[error(
        "its name cannot be a document id (it is empty, not UTF-8, longer than 1,023 bytes, or has a line break or another control character); rename it"
    )]
    BadName,
    /// A fact that the store cannot hold; none of the document's were taken.
    #[error("states something that cannot be stored: {message}")]
    Rejected {
        /// What the store says, with the place and the remedy.
        message: String,
    },
    /// A name's ending that is not read.
    #[error("{} not read yet; read are {}", no_format(.extension), Format::extensions())]
    UnknownEnding {
        /// The ending, without its dot.
        extension: String,
    },
    /// A media type that is not read.
    #[error("the media type {media_type} is not read; send one of {}", Format::media_types())]
    UnknownType {
        /// The type.
        media_type: String,
    },
}

/// Which files are meant.
fn no_format(extension: &str) -> String {
    if extension.is_empty() { "files without an extension are".to_owned() } else { format!(".{extension} files are") }
}

impl Fault {
    /// All but the file's name.
    pub(crate) fn place_and_problem(&self) -> String {
        match &self.problem {
            Problem::Malformed { line, column: Some(column), .. } => format!("{line}:{column}: {}", self.problem),
            Problem::Malformed { line, column: None, .. } => format!("{line}: {}", self.problem),
            problem => problem.to_string(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if matches!(self.problem, Problem::Malformed { .. }) { ":" } else { ": " };
        write!(out, "{}{separator}{}", self.file, self.place_and_problem())
    }
}
