//! One run over files and folders.
//!
//! Two passes: the first finds what is unchanged and makes known whom the changed documents introduce; the second reads facts,
//! RDF and tables before prose. So what a file says does not depend on where it stands in the order, and a corpus larger than
//! memory can be read, since no more than one group of documents is held at a time.

use super::jobs::JobRecord;
use super::load::{Loaded, MappingFile, read_file};
use super::walk::{Candidate, MAPPING, Walk, walk};
use super::{Estimate, Pipeline, Progress, Report};
use crate::draft::Warning;
use crate::error::{Fault, IngestError, Problem};
use crate::readers::Format;
use crate::table::Mapping;
use factmask_graph::{Document, DocumentId, GraphError, Outcome, Statement};
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

pub(super) fn run(
    pipeline: &Pipeline<'_>,
    paths: &[PathBuf],
    on: &mut dyn FnMut(Progress),
) -> Result<Report, IngestError> {
    let started = Instant::now();
    let Walk { mut candidates, skipped, faults, whole } = walk(paths);
    // Formats in the order in which they introduce names; within one, by id.
    candidates.sort_by(|a, b| (a.format.is_prose(), a.format, &a.id).cmp(&(b.format.is_prose(), b.format, &b.id)));
    let found: BTreeSet<String> = candidates.iter().map(|candidate| candidate.id.clone()).collect();
    let mut run = Run { pipeline, on, report: Report::default(), group: Vec::new(), group_bytes: 0 };
    pipeline.jobs.begin()?;
    (run.on)(Progress::Started {
        files: u64::try_from(candidates.len()).unwrap_or(u64::MAX),
        bytes: candidates.iter().map(|candidate| candidate.bytes).sum(),
    });
    for skip in skipped {
        (run.on)(Progress::Skipped(skip.clone()));
        run.report.skipped.push(skip);
    }
    for fault in faults {
        run.fail(fault);
    }
    let changed = run.changed(candidates)?;
    if !changed.is_empty() {
        run.ingest(changed)?;
    }
    if pipeline.options.prune {
        run.prune(&whole, &found)?;
    }
    run.report.elapsed = started.elapsed();
    Ok(run.report)
}

/// Bytes a second on one core, measured on the sample corpus repeated to a megabyte of each format, without the store's share.
fn speed(format: Format) -> f64 {
    match format {
        Format::NTriples => 4e6,
        Format::Turtle => 0.6e6,
        Format::Csv | Format::Tsv => 0.4e6,
        Format::Markdown | Format::Plain => 0.8e6,
    }
}

pub(super) fn estimate(pipeline: &Pipeline<'_>, paths: &[PathBuf]) -> Result<Estimate, IngestError> {
    let walk = walk(paths);
    let refused = walk.faults.len() + walk.skipped.len();
    let mut estimate = Estimate { refused: u64::try_from(refused).unwrap_or(u64::MAX), ..Estimate::default() };
    for candidate in &walk.candidates {
        match load(pipeline, candidate) {
            Ok(loaded) => {
                estimate.files += 1;
                estimate.bytes += candidate.bytes;
                if loaded.unchanged(pipeline.store)?.is_none() {
                    estimate.changed += 1;
                    estimate.changed_bytes += candidate.bytes;
                    let bytes = u32::try_from(candidate.bytes).unwrap_or(u32::MAX);
                    estimate.seconds += 0.002 + f64::from(bytes) / speed(candidate.format);
                }
            }
            Err(_) => estimate.refused += 1,
        }
    }
    Ok(estimate)
}

struct Run<'r, 's> {
    pipeline: &'r Pipeline<'s>,
    on: &'r mut dyn FnMut(Progress),
    report: Report,
    group: Vec<(Document, PathBuf)>,
    group_bytes: usize,
}

impl Run<'_, '_> {
    /// The first half of pass one: acknowledges what is unchanged, gives the rest.
    fn changed(&mut self, candidates: Vec<Candidate>) -> Result<Vec<Candidate>, IngestError> {
        let mut changed = Vec::new();
        let mut unchanged = Vec::new();
        for candidate in candidates {
            match load(self.pipeline, &candidate) {
                Ok(loaded) => match loaded.unchanged(self.pipeline.store)? {
                    Some(known) => {
                        let record =
                            JobRecord { document: candidate.id, outcome: Outcome::Unchanged, facts: known.facts };
                        unchanged.push((record, Some(candidate.root)));
                    }
                    None => changed.push(candidate),
                },
                Err(problem) => self.fail(fault(&candidate.path, problem)),
            }
        }
        self.acknowledge(unchanged)?;
        Ok(changed)
    }

    fn ingest(&mut self, changed: Vec<Candidate>) -> Result<(), IngestError> {
        let mut names = self.pipeline.known_names()?;
        let mut readable = Vec::new();
        for candidate in changed {
            let declared =
                load(self.pipeline, &candidate).and_then(|loaded| self.pipeline.declare(&loaded, &mut names));
            match declared {
                Ok(()) => readable.push(candidate),
                Err(problem) => self.fail(fault(&candidate.path, problem)),
            }
        }
        for candidate in readable {
            (self.on)(Progress::Reading { document: candidate.id.clone() });
            let read = load(self.pipeline, &candidate).and_then(|loaded| self.pipeline.read(loaded, &mut names));
            match read {
                Ok((document, warnings)) => self.add(document, warnings, candidate)?,
                Err(problem) => self.fail(fault(&candidate.path, problem)),
            }
        }
        self.put()
    }

    fn add(&mut self, document: Document, warnings: Vec<Warning>, candidate: Candidate) -> Result<(), IngestError> {
        self.report.warnings.extend(warnings.into_iter().map(|warning| (candidate.id.clone(), warning)));
        self.group_bytes += document.source.len();
        self.group.push((document, candidate.root));
        let options = &self.pipeline.options;
        if self.group.len() >= options.group_documents || self.group_bytes >= options.group_bytes {
            self.put()
        } else {
            Ok(())
        }
    }

    /// Makes the group durable, then acknowledges it. A document that the store rejects fails alone.
    fn put(&mut self) -> Result<(), IngestError> {
        self.group_bytes = 0;
        let (mut documents, mut roots): (Vec<Document>, Vec<PathBuf>) =
            std::mem::take(&mut self.group).into_iter().unzip();
        let outcomes = loop {
            match self.pipeline.store.put_all(&documents) {
                Ok(outcomes) => break outcomes,
                Err(error) => {
                    // The store checks all documents before it writes the first.
                    let rejected =
                        rejected(&error).and_then(|id| documents.iter().position(|document| document.id == *id));
                    let Some(place) = rejected else { return Err(error.into()) };
                    roots.remove(place);
                    let file = documents.remove(place).id.as_str().to_owned();
                    self.fail(Fault { file, problem: Problem::Rejected { message: error.to_string() } });
                }
            }
        };
        let records = documents
            .iter()
            .zip(roots)
            .zip(outcomes)
            .map(|((document, root), outcome)| {
                self.report.bytes += u64::try_from(document.source.len()).unwrap_or(u64::MAX);
                (JobRecord { document: document.id.as_str().to_owned(), outcome, facts: count(document) }, Some(root))
            })
            .collect();
        self.acknowledge(records)
    }

    fn acknowledge(&mut self, records: Vec<(JobRecord, Option<PathBuf>)>) -> Result<(), IngestError> {
        if records.is_empty() {
            return Ok(());
        }
        self.pipeline.jobs.acknowledge(&records)?;
        for (JobRecord { document, outcome, facts }, _) in records {
            match outcome {
                Outcome::Added => self.report.added.push(document.clone()),
                Outcome::Replaced => self.report.replaced.push(document.clone()),
                Outcome::Unchanged => self.report.unchanged.push(document.clone()),
            }
            if outcome != Outcome::Unchanged {
                self.report.facts += facts;
            }
            (self.on)(Progress::Acknowledged { document, outcome, facts });
        }
        Ok(())
    }

    /// Deletes the documents that are known to come from a walked folder and were not found there. A folder that could not be
    /// walked to its end deletes nothing, and a document whose root is not known (the job folder was deleted, or it was uploaded)
    /// is kept.
    fn prune(&mut self, whole: &[PathBuf], found: &BTreeSet<String>) -> Result<(), IngestError> {
        let mut unknown = 0;
        for known in self.pipeline.store.documents()? {
            let id = known.id.as_str().to_owned();
            if found.contains(&id) {
                continue;
            }
            let mut from = None;
            for root in whole {
                match self.pipeline.jobs.is_from(&id, root)? {
                    Some(true) => from = Some(true),
                    Some(false) => from = from.or(Some(false)),
                    None => {}
                }
            }
            match from {
                Some(true) => {
                    self.pipeline.store.delete(&known.id)?;
                    self.pipeline.jobs.forget(&id)?;
                    (self.on)(Progress::Pruned { document: id.clone() });
                    self.report.pruned.push(id);
                }
                Some(false) => {}
                None => unknown += 1,
            }
        }
        if unknown > 0 {
            let message = format!(
                "{unknown} documents have no file here and no known root; they are kept (delete them by id if they should go)"
            );
            self.report.warnings.push((String::new(), Warning { place: None, message }));
        }
        Ok(())
    }

    fn fail(&mut self, fault: Fault) {
        (self.on)(Progress::Failed(fault.clone()));
        self.report.faults.push(fault);
    }
}

/// The document that the store could not take, when it was one document's fault.
pub(super) fn rejected(error: &GraphError) -> Option<&DocumentId> {
    match error {
        GraphError::InvalidFact { document, .. } => Some(document),
        _ => None,
    }
}

/// How many statements a document makes; one that it makes twice counts once, as the store counts.
pub(super) fn count(document: &Document) -> u64 {
    let distinct: HashSet<&Statement> = document.facts.iter().map(|fact| &fact.statement).collect();
    u64::try_from(distinct.len()).unwrap_or(u64::MAX)
}

fn load(pipeline: &Pipeline<'_>, candidate: &Candidate) -> Result<Loaded, Problem> {
    let id = DocumentId::new(&candidate.id).map_err(|_| Problem::BadName)?;
    let bytes = read_file(&candidate.path, pipeline.options.max_file_bytes)?;
    let own = if candidate.format.has_columns() { own_mapping(pipeline, &candidate.path)? } else { None };
    let mapping = own.or_else(|| pipeline.mapping.clone().filter(|_| candidate.format.has_columns()));
    Loaded::new(id, &candidate.id, candidate.format, bytes, mapping, &pipeline.version)
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

fn fault(path: &Path, problem: Problem) -> Fault {
    Fault { file: path.display().to_string(), problem }
}
