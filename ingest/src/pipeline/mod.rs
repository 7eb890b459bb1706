//! Files in, facts out, durably and one document at a time.

mod gazetteer;
mod jobs;
mod load;
mod origin;
mod report;
mod run;
mod tables;
mod upload;
mod walk;
mod workers;

pub use jobs::JobRecord;
pub(crate) use load::reading;
pub use report::{Estimate, FileReport, FileStatus, Progress, Report, Skipped, Trial};
pub(crate) use tables::{TableFile, read_tables};
pub use upload::Upload;

use crate::convert::{Converter, Limits, Readings};
use crate::draft::{Draft, Warning};
use crate::error::{Fault, IngestError, Problem};
use crate::learned::Lessons;
use crate::names::Names;
use crate::readers::{Format, Reader};
use crate::table::Mapping;
use factmask_graph::{Document, DocumentId, Locator, Outcome, Store};
use factmask_schema::Schema;
use gazetteer::Gazetteer;
use jobs::Jobs;
use load::{Loaded, MappingFile};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a pipeline works.
#[derive(Clone, Debug)]
pub struct PipelineOptions {
    /// The folder of job progress (`<tenant folder>/jobs`). It can be deleted at any time between runs.
    pub jobs_dir: PathBuf,
    /// A mapping file for all tables that have none of their own (`<file>.map.toml`).
    pub mapping: Option<PathBuf>,
    /// Larger files are refused before they are read.
    pub max_file_bytes: u64,
    /// Where files that are no text are converted, and what one may cost.
    pub converter: Converter,
    /// See [`PipelineOptions::converter`].
    pub limits: Limits,
    /// The folder of what was converted (`<tenant folder>/readings`). It can be deleted at any time.
    pub readings_dir: PathBuf,
    /// Texts with their facts, to learn from how others say theirs.
    pub lessons: Option<Arc<Lessons>>,
    /// Delete the documents of a walked folder whose files are gone.
    pub prune: bool,
    /// Documents that are made durable together, at most.
    pub group_documents: usize,
    /// Bytes of source that are made durable together, about.
    pub group_bytes: usize,
    /// Documents that are read at the same time, each on a thread. What is stored does not depend on it.
    pub workers: usize,
}

impl PipelineOptions {
    /// The defaults: files up to 64 MiB, groups of 64 documents or 8 MiB, no pruning, one document at a time, and files converted in this
    /// process, which a service should not leave so.
    pub fn new(jobs_dir: impl Into<PathBuf>) -> Self {
        let jobs_dir = jobs_dir.into();
        Self {
            converter: Converter::Here,
            limits: Limits::default(),
            lessons: None,
            readings_dir: jobs_dir.with_file_name("readings"),
            jobs_dir,
            mapping: None,
            max_file_bytes: 64 << 20,
            prune: false,
            group_documents: 64,
            group_bytes: 8 << 20,
            workers: 1,
        }
    }
}

/// Reads documents into a store by a schema.
///
/// A document is *unchanged* when its bytes and its recipe (schema, mapping, version of the extractor; for Markdown and plain text
/// also the names that tables and RDF have brought) are those that the store holds; then nothing is extracted. A changed one
/// replaces exactly the facts it stated before, and never a document that is known to come from another file. One run at a time
/// has the job folder.
pub struct Pipeline<'s> {
    store: &'s Store,
    reader: Reader<'s>,
    options: PipelineOptions,
    jobs: Jobs,
    mapping: Option<MappingFile>,
    readings: Readings,
    /// Hash input of every recipe.
    version: Vec<u8>,
}

/// What became of one document given as bytes.
#[derive(Clone, Debug)]
pub struct Ingested {
    /// What putting it did.
    pub outcome: Outcome,
    /// Facts it states.
    pub facts: u64,
    /// What was left out or is doubtful; empty for an unchanged one.
    pub warnings: Vec<Warning>,
}

impl<'s> Pipeline<'s> {
    /// Compiles the schema's wordings, reads the mapping file and opens the job folder (waiting up to five seconds for its lock).
    ///
    /// # Errors
    /// When the mapping file or the job folder cannot be used.
    pub fn new(store: &'s Store, schema: &'s Schema, options: PipelineOptions) -> Result<Self, IngestError> {
        let mapping = options.mapping.as_deref().map(|path| run_mapping(path, schema)).transpose()?;
        let jobs = Jobs::open(&options.jobs_dir)?;
        let readings = Readings::new(options.readings_dir.clone(), options.converter.clone(), options.limits);
        let version = load::version(schema, options.lessons.as_deref());
        let reader = Reader::new(schema, options.lessons.clone());
        Ok(Self { store, reader, version, options, jobs, mapping, readings })
    }

    /// Reads files and folders. `on` hears of each step; a document is durable when its [`Progress::Acknowledged`] comes. What is
    /// wrong with one file is reported and does not stop the others.
    ///
    /// # Errors
    /// When the store or the job folder fails: what was acknowledged stays, and a new run goes on from there.
    pub fn ingest_paths(&self, paths: &[PathBuf], on: &mut dyn FnMut(Progress)) -> Result<Report, IngestError> {
        run::run(self, walk::walk(paths), self.options.prune, on)
    }

    /// Reads files that came over a network and lie in temporary places, in the same order: a table names things for the
    /// prose beside it, whichever came first. Prune never touches their documents, since they have no root.
    ///
    /// # Errors
    /// When the store or the job folder fails: what was acknowledged stays.
    pub fn ingest_uploads(&self, uploads: &[Upload], on: &mut dyn FnMut(Progress)) -> Result<Report, IngestError> {
        run::run(self, upload::accept(uploads), false, on)
    }

    /// The documents that [`Pipeline::ingest_paths`] would put, all in memory, for [`Store::preview`]; changes nothing. Prose is read by
    /// the names that are stored now, not by those that tables of the same run would bring.
    ///
    /// # Errors
    /// When the store fails.
    pub fn trial_paths(&self, paths: &[PathBuf]) -> Result<Trial, IngestError> {
        run::trial(self, walk::walk(paths))
    }

    /// What [`Pipeline::ingest_paths`] would do. Reads and hashes the files, changes nothing.
    ///
    /// # Errors
    /// When the store fails.
    pub fn estimate(&self, paths: &[PathBuf]) -> Result<Estimate, IngestError> {
        run::estimate(self, paths)
    }

    /// Reads one document from memory, as it comes from an upload. Prune never touches it, since it has no root.
    ///
    /// # Errors
    /// [`IngestError::Refused`] when the document cannot be read; else when the store or the job folder fails.
    pub fn ingest_bytes(&self, id: &str, media_type: &str, bytes: Vec<u8>) -> Result<Ingested, IngestError> {
        let refuse = |problem| IngestError::Refused(Fault { file: id.to_owned(), problem });
        let document_id = DocumentId::new(id).map_err(|_| refuse(Problem::BadName))?;
        let format = Format::by_media_type(media_type)
            .ok_or_else(|| refuse(Problem::UnknownType { media_type: media_type.to_owned() }))?;
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if length > self.options.max_file_bytes {
            return Err(refuse(Problem::TooLarge { bytes: length, limit: self.options.max_file_bytes }));
        }
        let mapping = self.mapping.clone().filter(|_| format.has_columns());
        let loaded = Loaded::new(document_id, id, format, bytes, mapping, self).map_err(refuse)?;
        let gazetteer = if format.is_prose() { Some(gazetteer::gazetteer(self.store)?) } else { None };
        if let Some(known) = loaded.unchanged(self.store, gazetteer.as_ref().map(|known| &known.hash))? {
            return Ok(Ingested { outcome: Outcome::Unchanged, facts: known.facts, warnings: Vec::new() });
        }
        let (document, warnings) = self.read(loaded, gazetteer.as_ref()).map_err(refuse)?;
        let facts = run::count(&document);
        let outcome = self.store.put(&document).map_err(|error| match run::rejected(&error) {
            Some(_) => refuse(Problem::Rejected { message: error.to_string() }),
            None => IngestError::Store(error),
        })?;
        // Whatever file had this id before, what is stored now is not from it.
        self.jobs.forget(id)?;
        self.jobs.acknowledge(&[(JobRecord { document: id.to_owned(), outcome, facts }, origin::Root::AsKnown)])?;
        Ok(Ingested { outcome, facts, warnings })
    }

    /// What the last job (or the running one, seen after a crash) has acknowledged, by document id. For display alone.
    ///
    /// # Errors
    /// When the job folder fails.
    pub fn last_job(&self) -> Result<Vec<JobRecord>, IngestError> {
        self.jobs.records()
    }

    /// The facts of a document: of its bytes, its recipe and, for prose, the names that are known. Nothing else counts, so that
    /// documents can be read in any order and at the same time.
    fn read(&self, loaded: Loaded, gazetteer: Option<&Gazetteer>) -> Result<(Document, Vec<Warning>), Problem> {
        let shared = gazetteer.map(|known| Arc::clone(&known.names)).unwrap_or_default();
        let mut names = Names::over(self.reader.schema, shared);
        let mapping: Option<&Mapping> = loaded.mapping.as_ref().map(|mapping| &mapping.mapping);
        let mut draft = Draft::new(self.reader.schema, &mut names).of_document(loaded.id.as_str());
        self.reader.declare(loaded.format, &loaded.decoded, mapping, &mut draft).map_err(load::malformed)?;
        let mut draft = Draft::new(self.reader.schema, &mut names).of_document(loaded.id.as_str());
        self.reader.read(loaded.format, &loaded.decoded, mapping, &mut draft).map_err(load::malformed)?;
        let mut reading = draft.finish();
        if let Some(from) = loaded.decoded.from {
            let message =
                format!("the file is in {from}; it is stored as UTF-8, and citations are byte ranges of that text");
            reading.warnings.insert(0, Warning { place: None, message });
        }
        let left_out = loaded.warnings.iter().map(|message| Warning { place: None, message: message.clone() });
        reading.warnings.splice(0..0, left_out);
        if let Some(pages) = loaded.pages() {
            for fact in &mut reading.facts {
                fact.locator = Some(Locator::Page(pages.page(fact.span.start)));
            }
        }
        let document = Document {
            id: loaded.id.clone(),
            media_type: loaded.media_type(),
            title: loaded.title(),
            recipe: loaded.recipe(gazetteer.map(|known| &known.hash)),
            entities: reading.entities,
            facts: reading.facts,
            source: loaded.decoded.text.into_bytes(),
        };
        Ok((document, reading.warnings))
    }
}

fn run_mapping(path: &Path, schema: &Schema) -> Result<MappingFile, IngestError> {
    let bytes = std::fs::read(path).map_err(|source| IngestError::Unreadable { path: path.to_path_buf(), source })?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let mapping =
        Mapping::parse(&text, schema).map_err(|fault| IngestError::Mapping { path: path.to_path_buf(), fault })?;
    Ok(MappingFile { mapping, bytes })
}
