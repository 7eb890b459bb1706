//! One document's bytes, decoded and hashed, before anything is extracted.

use super::Pipeline;
use super::walk::{Candidate, MAPPING};
use crate::convert::{Container, Converter, Limits, Pages, READ_FROM, Reading, Readings, Unreadable};
use crate::error::Problem;
use crate::learned::Lessons;
use crate::readers::{Format, Malformed, Reader};
use crate::table::Mapping;
use crate::text::{Decoded, decode};
use factmask_graph::{ContentHash, DocumentId, DocumentInfo, GraphError, Store};
use factmask_schema::Schema;
use sha2::{Digest, Sha256};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Raised whenever the same bytes and schema would give other facts than before, so that documents are read anew.
const EXTRACTOR_VERSION: &str = "factmask-ingest 6";

/// A mapping with the bytes it was read from, which are part of the recipe.
#[derive(Clone, Debug)]
pub(super) struct MappingFile {
    pub(super) mapping: Mapping,
    pub(super) bytes: Vec<u8>,
}

pub(super) struct Loaded {
    pub(super) id: DocumentId,
    name: String,
    pub(super) format: Format,
    pub(super) decoded: Decoded,
    pub(super) mapping: Option<MappingFile>,
    /// What was left out when it was converted.
    pub(super) warnings: Vec<String>,
    hash: ContentHash,
    recipe: ContentHash,
}

impl Loaded {
    pub(super) fn new(
        id: DocumentId,
        name: &str,
        format: Format,
        bytes: Vec<u8>,
        mapping: Option<MappingFile>,
        pipeline: &Pipeline<'_>,
    ) -> Result<Self, Problem> {
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Err(Problem::Empty);
        }
        let (decoded, warnings) = text_of(format, bytes, &pipeline.readings)?;
        if decoded.text.get(decoded.start..).unwrap_or_default().trim().is_empty() {
            return Err(Problem::Empty);
        }
        let hash = sha256(&[decoded.text.as_bytes()]);
        let mapping_bytes = mapping.as_ref().map(|mapping| mapping.bytes.as_slice()).unwrap_or_default();
        let recipe = sha256(&[&pipeline.version, mapping_bytes]);
        Ok(Self { id, name: name.to_owned(), format, decoded, mapping, warnings, hash, recipe })
    }

    /// What the facts depend on beside the bytes: extractor, schema, mapping, and for prose the names that are known.
    pub(super) fn recipe(&self, gazetteer: Option<&ContentHash>) -> ContentHash {
        match gazetteer {
            Some(names) if self.format.is_prose() => prose_recipe(&self.recipe, names),
            _ => self.recipe,
        }
    }

    /// What the store knows of it, when the bytes are the same.
    pub(super) fn same(&self, store: &Store) -> Result<Option<DocumentInfo>, GraphError> {
        Ok(store.document(&self.id)?.filter(|known| known.hash == self.hash))
    }

    /// What the store knows of it, when bytes and recipe are the same.
    pub(super) fn unchanged(
        &self,
        store: &Store,
        gazetteer: Option<&ContentHash>,
    ) -> Result<Option<DocumentInfo>, GraphError> {
        Ok(self.same(store)?.filter(|known| known.recipe == self.recipe(gazetteer)))
    }

    pub(super) fn media_type(&self) -> String {
        match (self.format, self.decoded.from) {
            // What is stored is the reading.
            (Format::Converted(_), _) => {
                format!("{}{READ_FROM}{}", Format::Markdown.media_type(), self.format.media_type())
            }
            (_, Some(from)) => format!("{};transcoded-from={}", self.format.media_type(), from.to_ascii_lowercase()),
            (_, None) => self.format.media_type().to_owned(),
        }
    }

    /// The page, from 1, in which a byte of the reading stands, where its format has pages.
    pub(super) fn pages(&self) -> Option<Pages> {
        let paged = matches!(self.format, Format::Converted(container) if container.has_pages());
        paged.then(|| Pages::of(&self.decoded.text))
    }

    pub(super) fn title(&self) -> String {
        Reader::title(self.format, &self.decoded).unwrap_or_else(|| {
            let file = self.name.rsplit('/').next().unwrap_or(&self.name);
            file.rsplit_once('.').map_or(file, |(stem, _)| if stem.is_empty() { file } else { stem }).to_owned()
        })
    }
}

/// The text of a file: its own, or its reading.
fn text_of(format: Format, bytes: Vec<u8>, readings: &Readings) -> Result<(Decoded, Vec<String>), Problem> {
    match format {
        Format::Converted(container) => match readings.of(container, bytes) {
            Ok(Reading { text, warnings }) => Ok((Decoded::new(text, 0, None), warnings)),
            Err(unreadable) => Err(not_converted(unreadable)),
        },
        _ if Container::of_content(&bytes).is_some() => {
            let own = Container::of_content(&bytes).map_or("", Container::called);
            Err(Problem::NoText { message: format!("is {own} by its content; name it so") })
        }
        _ => match decode(bytes, format.controls()) {
            Ok(decoded) => Ok((decoded, Vec::new())),
            Err(fault) => Err(Problem::NoText { message: fault.to_string() }),
        },
    }
}

/// The text of a file by its name's ending.
pub(crate) fn reading(path: &Path, converter: &Converter) -> Result<Reading, Problem> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().into_owned()).unwrap_or_default();
    let format =
        Format::by_extension(&extension).ok_or_else(|| Problem::UnknownEnding { extension: extension.clone() })?;
    let bytes = read_file(path, u64::MAX)?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Problem::Empty);
    }
    match format {
        Format::Converted(container) => converter.convert(container, bytes, &Limits::default()).map_err(not_converted),
        _ => {
            let decoded =
                decode(bytes, format.controls()).map_err(|fault| Problem::NoText { message: fault.to_string() })?;
            Ok(Reading { text: decoded.text, warnings: Vec::new() })
        }
    }
}

fn not_converted(unreadable: Unreadable) -> Problem {
    Problem::NotConverted { message: unreadable.message }
}

/// What every recipe depends on: the extractor, the schema but for its rules, and what is learned from.
pub(super) fn version(schema: &Schema, lessons: Option<&Lessons>) -> Vec<u8> {
    let schema = format!("{:?}", schema.without_rules());
    match lessons.map(Lessons::fingerprint) {
        Some(lessons) => sha256(&[EXTRACTOR_VERSION.as_bytes(), schema.as_bytes(), &lessons]).0.to_vec(),
        None => sha256(&[EXTRACTOR_VERSION.as_bytes(), schema.as_bytes()]).0.to_vec(),
    }
}

/// The recipe of prose from that of its kind and the names that are known.
pub(super) fn prose_recipe(recipe: &ContentHash, gazetteer: &ContentHash) -> ContentHash {
    sha256(&[&recipe.0, &gazetteer.0])
}

/// Reads a file, refusing what is larger than `limit` before its bytes are touched.
pub(super) fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, Problem> {
    let unreadable = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => Problem::NotFound,
        _ => Problem::Unreadable { message: error.to_string() },
    };
    let file = std::fs::File::open(path).map_err(unreadable)?;
    let bytes = file.metadata().map_err(unreadable)?.len();
    if bytes > limit {
        return Err(Problem::TooLarge { bytes, limit });
    }
    let mut content = Vec::with_capacity(usize::try_from(bytes).unwrap_or(0));
    // A file may grow while it is read.
    file.take(limit.saturating_add(1)).read_to_end(&mut content).map_err(unreadable)?;
    let read = u64::try_from(content.len()).unwrap_or(u64::MAX);
    if read > limit { Err(Problem::TooLarge { bytes: read, limit }) } else { Ok(content) }
}

/// Reads a file that was found, with its mapping.
pub(super) fn load(pipeline: &Pipeline<'_>, candidate: &Candidate) -> Result<Loaded, Problem> {
    let id = DocumentId::new(&candidate.id).map_err(|_| Problem::BadName)?;
    let bytes = read_file(&candidate.path, pipeline.options.max_file_bytes)?;
    let own = if candidate.format.has_columns() { own_mapping(pipeline, &candidate.path)? } else { None };
    let mapping = own.or_else(|| pipeline.mapping.clone().filter(|_| candidate.format.has_columns()));
    Loaded::new(id, &candidate.id, candidate.format, bytes, mapping, pipeline)
}

/// `<file>.map.toml` beside the file, where there is one.
fn own_mapping(pipeline: &Pipeline<'_>, path: &Path) -> Result<Option<MappingFile>, Problem> {
    let mut name = path.as_os_str().to_owned();
    name.push(MAPPING);
    let path = PathBuf::from(name);
    let bytes = match read_file(&path, 1 << 20) {
        Ok(bytes) => bytes,
        Err(Problem::NotFound) => return Ok(None),
        Err(problem) => return Err(problem),
    };
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let mapping = Mapping::parse(&text, pipeline.reader.schema)
        .map_err(|fault| Problem::Mapping { mapping: path.display().to_string(), fault })?;
    Ok(Some(MappingFile { mapping, bytes }))
}

pub(super) fn malformed(fault: Malformed) -> Problem {
    Problem::Malformed { line: fault.line, column: fault.column, message: fault.message }
}

pub(super) fn sha256(parts: &[&[u8]]) -> ContentHash {
    let mut hasher = Sha256::new();
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            // Lengths in between, so that two parts cannot run into each other.
            hasher.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        }
        hasher.update(part);
    }
    ContentHash(hasher.finalize().into())
}
