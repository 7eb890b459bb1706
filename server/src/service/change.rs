//! Changing a tenant's knowledge base. The callers see to it that a tenant's changes come one after another.

use super::{Service, ServiceError, error::again};
use crate::wire::{
    FactSample, MisfitBody, NameSample, Quoting, RemovalBody, SchemaChangeBody, UploadBody, UploadOutcome,
    UploadedBody, Writer,
};
use factmask_graph::{ContentHash, DocumentId, Fact, GraphError, Misfit, Outcome, Snapshot, Store, misfit};
use factmask_ingest::{Pipeline, PipelineOptions, Progress, Upload};
use factmask_schema::Schema;
use std::collections::BTreeMap;

/// Facts and names that are shown of a larger number.
const SAMPLE: usize = 100;

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

    /// The tenant's schema as canonical Turtle, with its ETag.
    pub fn schema(&self, tenant: &str) -> Result<(String, String), ServiceError> {
        let turtle = self.tenants.store(tenant)?.schema()?.to_turtle();
        let etag = etag(&turtle);
        Ok((turtle, etag))
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
        let current = etag(&store.schema()?.to_turtle());
        if matches!(expected, Expected::OneOf(tags) if !tags.contains(&current)) {
            return Err(ServiceError::SchemaChanged { current });
        }
        let etag = etag(&schema.to_turtle());
        let changed = etag != current;
        let unfit = again(|| Ok(unfit(store.snapshot()?.as_ref(), &store, &schema, lang)?))?;
        if !dry_run {
            store.put_schema(&schema)?;
        }
        Ok(SchemaChangeBody {
            etag,
            dry_run,
            changed,
            unfit,
            // What is read from a document depends on the whole schema, so all of them.
            documents_to_read_again: if changed { store.documents()?.len() } else { 0 },
            epoch: store.snapshot()?.epoch(),
        })
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

/// Facts that the snapshot's own schema foresees and `schema` does not, by what does not fit.
fn unfit(snapshot: &Snapshot, store: &Store, schema: &Schema, lang: &str) -> Result<Vec<MisfitBody>, GraphError> {
    let mut found: BTreeMap<Misfit, Vec<&Fact>> = BTreeMap::new();
    for fact in snapshot.facts() {
        if let Some(why) = misfit(snapshot, schema, fact)
            && misfit(snapshot, snapshot.schema(), fact).is_none()
        {
            found.entry(why).or_default().push(fact);
        }
    }
    let mut writer = Writer::new(snapshot, store, lang, Quoting::Ranges);
    let bodies = found.into_iter().map(|(why, facts)| {
        let part = match why {
            Misfit::Relation => "relation",
            Misfit::Domain => "domain",
            Misfit::Range => "range",
            Misfit::Qualifier => "qualifier",
        };
        Ok(MisfitBody { part, facts: sample(&mut writer, &facts)? })
    });
    bodies.collect()
}

fn sample(writer: &mut Writer<'_>, facts: &[&Fact]) -> Result<FactSample, GraphError> {
    let first = facts.iter().take(SAMPLE).map(|fact| writer.fact(fact)).collect::<Result<_, _>>()?;
    Ok(FactSample { count: facts.len(), first })
}

fn etag(turtle: &str) -> String {
    ContentHash::of(turtle.as_bytes()).to_string()
}
