//! One run over files and folders.
//!
//! Two passes: the first finds what is unchanged, the second reads facts, RDF and tables before prose. What a document says depends
//! on nothing but itself and, for prose, on the names that RDF and tables have brought; so several are read at the same time and
//! stored in one order, and a corpus larger than memory can be read, since no more than one group of documents is held at a time.
//!
//! Prose of known bytes waits until RDF and tables are stored: whether it is unchanged depends on their names.

use super::gazetteer::{Gazetteer, gazetteer};
use super::jobs::JobRecord;
use super::load::{self, load};
use super::origin::{Claim, Root, over_unknown};
use super::report::Ledger;
use super::walk::{Candidate, Walk, walk};
use super::workers::in_order;
use super::{Estimate, Pipeline, Progress, Report, Trial};
use crate::draft::Warning;
use crate::error::{Fault, IngestError, Problem};
use factmask_graph::{ContentHash, Document, DocumentId, DocumentInfo, GraphError, Outcome, Statement};
use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};

pub(super) fn run(
    pipeline: &Pipeline<'_>,
    found: Walk,
    prune: bool,
    on: &mut dyn FnMut(Progress),
) -> Result<Report, IngestError> {
    let started = Instant::now();
    let Walk { candidates, skipped, faults, whole } = found;
    let found: BTreeSet<String> = candidates.iter().map(|candidate| candidate.id.clone()).collect();
    let mut run =
        Run { pipeline, on, report: Report::default(), ledger: Ledger::default(), group: Vec::new(), group_bytes: 0 };
    for candidate in &candidates {
        run.ledger.open(&candidate.known_as(), &candidate.id);
    }
    pipeline.jobs.begin()?;
    (run.on)(Progress::Started {
        files: u64::try_from(candidates.len()).unwrap_or(u64::MAX),
        bytes: candidates.iter().map(|candidate| candidate.bytes).sum(),
    });
    for skip in skipped {
        run.ledger.rejected(&skip.path, skip.reason.clone());
        (run.on)(Progress::Skipped(skip.clone()));
        run.report.skipped.push(skip);
    }
    for fault in faults {
        run.fail(fault);
    }
    let (prose, tables) = candidates.into_iter().partition(|candidate| candidate.format.is_prose());
    // First: running text is read by the names of the tables that are stored, and not by those of tables that are gone.
    if prune {
        run.prune(&whole, &found)?;
    }
    run.ingest(tables, prose)?;
    let Run { mut report, ledger, .. } = run;
    report.files = ledger.close(&report.warnings);
    report.elapsed = started.elapsed();
    Ok(report)
}

pub(super) fn estimate(pipeline: &Pipeline<'_>, paths: &[PathBuf]) -> Result<Estimate, IngestError> {
    let walk = walk(paths);
    let refused = walk.faults.len() + walk.skipped.len();
    let prose = walk.candidates.iter().any(|candidate| candidate.format.is_prose());
    let gazetteer = if prose { Some(gazetteer(pipeline.store)?) } else { None };
    let mut estimate = Estimate { refused: u64::try_from(refused).unwrap_or(u64::MAX), ..Estimate::default() };
    for candidate in &walk.candidates {
        match load(pipeline, candidate) {
            Ok(loaded) => {
                estimate.files += 1;
                estimate.bytes += candidate.bytes;
                if loaded.unchanged(pipeline.store, gazetteer.as_ref().map(|known| &known.hash))?.is_none() {
                    estimate.changed += 1;
                    estimate.changed_bytes += candidate.bytes;
                    let bytes = u32::try_from(candidate.bytes).unwrap_or(u32::MAX);
                    estimate.seconds += 0.002 + f64::from(bytes) / candidate.format.speed();
                }
            }
            Err(_) => estimate.refused += 1,
        }
    }
    Ok(estimate)
}

pub(super) fn trial(pipeline: &Pipeline<'_>, found: Walk) -> Result<Trial, IngestError> {
    let mut trial = Trial::default();
    trial.faults.extend(found.faults);
    let prose = found.candidates.iter().any(|candidate| candidate.format.is_prose());
    let gazetteer = if prose { Some(gazetteer(pipeline.store)?) } else { None };
    for candidate in found.candidates {
        let loaded = match load(pipeline, &candidate) {
            Ok(loaded) => loaded,
            Err(problem) => {
                trial.faults.push(candidate.fault(problem));
                continue;
            }
        };
        if loaded.unchanged(pipeline.store, gazetteer.as_ref().map(|known| &known.hash))?.is_some() {
            trial.unchanged.push(candidate.id);
            continue;
        }
        match pipeline.read(loaded, gazetteer.as_ref()) {
            Ok((document, _)) => {
                let known = pipeline.store.document(&document.id)?.is_some();
                if known { &mut trial.replaced } else { &mut trial.added }.push(candidate.id);
                trial.documents.push(document);
            }
            Err(problem) => trial.faults.push(candidate.fault(problem)),
        }
    }
    Ok(trial)
}

pub(super) struct Run<'r, 's> {
    pub(super) pipeline: &'r Pipeline<'s>,
    pub(super) on: &'r mut dyn FnMut(Progress),
    pub(super) report: Report,
    ledger: Ledger,
    group: Vec<(Document, Root)>,
    group_bytes: usize,
}

/// A file that can be read.
struct Seen {
    candidate: Candidate,
    claim: Claim,
    /// What the store knows of it, when the bytes are the same.
    same: Option<DocumentInfo>,
    /// The recipe of now; of prose only once the names are known.
    recipe: ContentHash,
}

impl Run<'_, '_> {
    fn ingest(&mut self, tables: Vec<Candidate>, prose: Vec<Candidate>) -> Result<(), IngestError> {
        let pipeline = self.pipeline;
        let tables = self.seen(tables)?;
        let tables = self.changed(tables)?;
        let (mut same, mut prose): (Vec<Seen>, Vec<Seen>) =
            self.seen(prose)?.into_iter().partition(|seen| seen.same.is_some());
        self.read(tables, None)?;
        if same.is_empty() && prose.is_empty() {
            return Ok(());
        }
        // Only now, since what the tables have brought counts.
        let gazetteer = gazetteer(pipeline.store)?;
        for seen in &mut same {
            seen.recipe = load::prose_recipe(&seen.recipe, &gazetteer.hash);
        }
        prose.extend(self.changed(same)?);
        self.read(prose, Some(&gazetteer))
    }

    /// Looks at each file once: whether it can be read, whether it may be stored under its id, and what the store has of it.
    /// By format, and within one by id.
    fn seen(&mut self, mut candidates: Vec<Candidate>) -> Result<Vec<Seen>, IngestError> {
        candidates.sort_by(|a, b| (a.format, &a.id).cmp(&(b.format, &b.id)));
        let pipeline = self.pipeline;
        let look = |candidate: &Candidate| {
            timed(|| {
                let loaded = load(pipeline, candidate)?;
                let same = loaded.same(pipeline.store);
                Ok((loaded.id.clone(), loaded.recipe(None), same))
            })
        };
        let mut all = Vec::new();
        in_order(pipeline.options.workers, candidates, look, |candidate, (looked, time)| {
            self.ledger.spent(&candidate.id, time);
            match looked {
                Ok((id, recipe, same)) => {
                    let same = same?;
                    let stored = pipeline.store.document(&id)?.is_some();
                    if let Some(claim) = self.claim_of(&candidate, stored, same.is_some())? {
                        all.push(Seen { recipe, candidate, claim, same });
                    }
                }
                Err(problem) => self.fail(candidate.fault(problem)),
            }
            Ok(())
        })?;
        Ok(all)
    }

    /// Acknowledges what is unchanged, gives the rest.
    fn changed(&mut self, seen: Vec<Seen>) -> Result<Vec<Seen>, IngestError> {
        let mut changed = Vec::new();
        let mut unchanged = Vec::new();
        for seen in seen {
            match &seen.same {
                Some(known) if known.recipe == seen.recipe => {
                    let facts = known.facts;
                    let record = JobRecord { document: seen.candidate.id, outcome: Outcome::Unchanged, facts };
                    unchanged.push((record, seen.claim.root));
                }
                _ => changed.push(seen),
            }
        }
        self.acknowledge(unchanged)?;
        Ok(changed)
    }

    /// Reads facts and stores them; prose by id, whether it is new or read again.
    fn read(&mut self, mut seen: Vec<Seen>, gazetteer: Option<&Gazetteer>) -> Result<(), IngestError> {
        seen.sort_by(|a, b| (a.candidate.format, &a.candidate.id).cmp(&(b.candidate.format, &b.candidate.id)));
        let pipeline = self.pipeline;
        let read =
            |seen: &Seen| timed(|| load(pipeline, &seen.candidate).and_then(|loaded| pipeline.read(loaded, gazetteer)));
        in_order(pipeline.options.workers, seen, read, |Seen { candidate, claim, .. }, (read, time)| {
            (self.on)(Progress::Reading { document: candidate.id.clone() });
            self.ledger.spent(&candidate.id, time);
            match read {
                Ok((document, mut warnings)) => {
                    warnings.extend(claim.over_unknown.then(over_unknown));
                    self.add(document, warnings, claim.root)
                }
                Err(problem) => {
                    self.fail(candidate.fault(problem));
                    Ok(())
                }
            }
        })?;
        self.put()
    }

    fn add(&mut self, document: Document, warnings: Vec<Warning>, root: Root) -> Result<(), IngestError> {
        self.report.warnings.extend(warnings.into_iter().map(|warning| (document.id.as_str().to_owned(), warning)));
        self.group_bytes += document.source.len();
        self.group.push((document, root));
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
        let (mut documents, mut roots): (Vec<Document>, Vec<Root>) =
            std::mem::take(&mut self.group).into_iter().unzip();
        self.claim(&documents, &roots)?;
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
                (JobRecord { document: document.id.as_str().to_owned(), outcome, facts: count(document) }, root)
            })
            .collect();
        self.acknowledge(records)
    }

    fn acknowledge(&mut self, records: Vec<(JobRecord, Root)>) -> Result<(), IngestError> {
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
            self.ledger.ended(&document, outcome, facts);
            (self.on)(Progress::Acknowledged { document, outcome, facts });
        }
        Ok(())
    }

    pub(super) fn fail(&mut self, fault: Fault) {
        self.ledger.rejected(&fault.file, fault.place_and_problem());
        (self.on)(Progress::Failed(fault.clone()));
        self.report.faults.push(fault);
    }
}

/// Does something with a file, and gives the time that it took.
fn timed<T>(work: impl FnOnce() -> Result<T, Problem>) -> (Result<T, Problem>, Duration) {
    let started = Instant::now();
    (work(), started.elapsed())
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
