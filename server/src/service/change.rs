//! Changing a tenant's knowledge base. The callers see to it that a tenant's changes come one after another.

use super::{
    Service, ServiceError,
    error::again,
    impact::{Impact, SAMPLE, sample},
    schema,
};
use crate::wire::{
    ImpactBody, NameSample, Quoting, RemovalBody, SchemaChangeBody, UploadBody, UploadOutcome, UploadedBody, Writer,
};
use factmask_graph::{DocumentId, Fact, Outcome, SchemaChange};
use factmask_ingest::{Pipeline, PipelineOptions, Progress, Upload};
use factmask_schema::Schema;
use std::collections::BTreeMap;

/// A file of an upload, as far as it came.
#[derive(Clone, Debug)]
pub struct Received {
    /// Its name.
    pub name: String,
    /// The file to read, or why it will not be read.
    pub file: Result<Upload, String>,
}

/// Which schema a change of it starts from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Whatever is there is replaced.
    Any,
    /// One of these, by ETag without its quotes.
    OneOf(Vec<String>),
}

impl Service {
    /// Reads files into the tenant's store. Each is stored whole or not at all, and none stands in another's way.
    pub fn ingest(&self, tenant: &str, received: Vec<Received>) -> Result<UploadBody, ServiceError> {
        let store = self.tenants.store(tenant)?;
        let jobs = self.tenants.jobs(store.tenant())?;
        let schema = store.schema()?;
        let uploads: Vec<Upload> = received.iter().filter_map(|received| received.file.clone().ok()).collect();
        let options = PipelineOptions {
            max_file_bytes: u64::MAX,
            converter: self.converter.clone(),
            lessons: jobs.parent().and_then(|folder| self.lessons.of(folder)),
            ..PipelineOptions::new(jobs)
        };
        let mut ends = Ends::default();
        let report = Pipeline::new(&store, &schema, options)?.ingest_uploads(&uploads, &mut |step| ends.note(step))?;
        for (document, warning) in &report.warnings {
            ends.warnings.entry(document.clone()).or_default().push(warning.to_string());
        }
        let documents = received.into_iter().map(|received| ends.of(received)).collect();
        // Whoever asks next finds the new epoch built.
        Ok(UploadBody { documents, epoch: store.snapshot()?.epoch() })
    }

    /// Deletes a document, or only tells what that would do.
    pub fn delete(
        &self,
        tenant: &str,
        document: &DocumentId,
        dry_run: bool,
        lang: &str,
    ) -> Result<RemovalBody, ServiceError> {
        let store = self.tenants.store(tenant)?;
        let (mut body, before) = again(|| {
            if store.document(document)?.is_none() {
                return Err(ServiceError::NoDocument(document.clone()));
            }
            let snapshot = store.snapshot()?;
            let mut writer = Writer::new(&snapshot, &store, lang, Quoting::Ranges);
            let states = |fact: &&Fact| fact.evidence.iter().any(|evidence| evidence.document == *document);
            let stated = snapshot.facts().iter().filter(states);
            let alone = |fact: &&Fact| fact.evidence.iter().all(|evidence| evidence.document == *document);
            let (gone, kept): (Vec<&Fact>, Vec<&Fact>) = stated.partition(alone);
            let body = RemovalBody {
                document: document.as_str().to_owned(),
                dry_run,
                facts_removed: sample(&mut writer, &gone)?,
                facts_kept: sample(&mut writer, &kept)?,
                orphaned_entities: NameSample::default(),
                epoch: snapshot.epoch(),
            };
            Ok((body, snapshot))
        })?;
        let orphans = if dry_run {
            let (before, after) = store.preview(&[], std::slice::from_ref(document))?;
            before.difference(&after).orphans
        } else {
            store.delete(document)?;
            let after = store.snapshot()?;
            body.epoch = after.epoch();
            before.difference(&after).orphans
        };
        let writer = Writer::new(&before, &store, lang, Quoting::Ranges);
        body.orphaned_entities = NameSample {
            count: orphans.len(),
            first: orphans.iter().take(SAMPLE).map(|iri| writer.entity(iri)).collect(),
        };
        Ok(body)
    }

    /// Replaces the tenant's schema, or only tells what that would do. `expected` keeps two editors from overwriting each
    /// other unseen.
    pub fn put_schema(
        &self,
        tenant: &str,
        turtle: &str,
        expected: &Expected,
        dry_run: bool,
        lang: &str,
    ) -> Result<SchemaChangeBody, ServiceError> {
        let store = self.tenants.store(tenant)?;
        let schema = Schema::parse(turtle, "schema").map_err(ServiceError::Schema)?;
        schema::expect(&store, expected)?;
        let change = SchemaChange::default();
        let (foreseen, after) = store.preview_schema(&schema, &change)?;
        let impact = Impact { service: self, tenant, store: &store, after, change: &change };
        let mut body = impact.body(foreseen, lang)?;
        if !dry_run {
            store.put_schema(&schema)?;
            body.epoch = store.snapshot()?.epoch();
        }
        let ImpactBody { etag, changed, unfit, documents_to_read_again, epoch, .. } = body;
        Ok(SchemaChangeBody { etag, dry_run, changed, unfit, documents_to_read_again, epoch })
    }
}

/// What became of each document of a run.
#[derive(Default)]
struct Ends {
    done: BTreeMap<String, (UploadOutcome, u64)>,
    refused: BTreeMap<String, String>,
    warnings: BTreeMap<String, Vec<String>>,
}

impl Ends {
    fn note(&mut self, step: Progress) {
        match step {
            Progress::Acknowledged { document, outcome, facts } => {
                let outcome = match outcome {
                    Outcome::Added | Outcome::Replaced => UploadOutcome::Ingested,
                    Outcome::Unchanged => UploadOutcome::Unchanged,
                };
                self.done.insert(document, (outcome, facts));
            }
            Progress::Failed(fault) => {
                self.refused.insert(fault.file.clone(), fault.to_string());
            }
            Progress::Started { .. } | Progress::Reading { .. } | Progress::Skipped(_) | Progress::Pruned { .. } => {}
        }
    }

    /// The end of one file. Of two with one name the first was read, so it is the first that takes its end.
    fn of(&mut self, received: Received) -> UploadedBody {
        let name = received.name;
        let rejected = |document: String, reason: String| UploadedBody {
            document,
            outcome: UploadOutcome::Rejected,
            reason: Some(reason),
            facts: 0,
            warnings: Vec::new(),
        };
        if let Err(reason) = received.file {
            return rejected(name, reason);
        }
        match self.done.remove(&name) {
            Some((outcome, facts)) => {
                let warnings = self.warnings.remove(&name).unwrap_or_default();
                UploadedBody { document: name, outcome, reason: None, facts, warnings }
            }
            None => {
                let reason = self.refused.get(&name).cloned();
                rejected(name, reason.unwrap_or_else(|| "was not read (see the service's log)".to_owned()))
            }
        }
    }
}
