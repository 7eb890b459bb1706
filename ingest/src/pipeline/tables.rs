//! The rows of tables and triples, for those who look at them before there is a schema.

use super::PipelineOptions;
use super::load::{malformed, read_file};
use super::walk::{Candidate, walk};
use crate::error::{IngestError, Problem};
use crate::readers::{Format, rows_of};
use crate::table::Row;
use crate::text::decode;
use std::path::{Path, PathBuf};

/// One file's rows, its header included.
pub(crate) struct TableFile {
    /// The file's name without folder and extension.
    pub(crate) name: String,
    pub(crate) rows: Vec<Row>,
    /// Whether its cells are separated by tabs.
    pub(crate) tabs: bool,
}

/// Reads all CSV and TSV files below `paths`; others are passed over.
pub(crate) fn read_tables(paths: &[PathBuf]) -> Result<Vec<TableFile>, IngestError> {
    let found = walk(paths);
    if let Some(fault) = found.faults.into_iter().next() {
        return Err(IngestError::Refused(fault));
    }
    let is_table = |candidate: &Candidate| matches!(candidate.format, Format::Csv | Format::Tsv);
    found
        .candidates
        .into_iter()
        .filter(is_table)
        .map(|candidate| read(&candidate).map_err(|problem| IngestError::Refused(candidate.fault(problem))))
        .collect()
}

fn read(candidate: &Candidate) -> Result<TableFile, Problem> {
    let bytes = read_file(&candidate.path, PipelineOptions::new("").max_file_bytes)?;
    let decoded =
        decode(bytes, candidate.format.controls()).map_err(|fault| Problem::NoText { message: fault.to_string() })?;
    let rows = rows_of(candidate.format, &decoded).map_err(malformed)?;
    let name = Path::new(&candidate.id).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    Ok(TableFile { name: name.unwrap_or_default(), rows, tabs: candidate.format == Format::Tsv })
}
