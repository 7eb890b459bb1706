//! What putting documents would do.

use super::{Received, Service, ServiceError};
use crate::wire::{FactSample, NameSample, PreviewBody, Quoting, Writer};
use factmask_graph::{Difference, FactId, Snapshot, Store};
use factmask_ingest::{Pipeline, PipelineOptions, Trial, Upload};

/// Facts and names that are shown of a larger number.
const SAMPLE: usize = 100;

impl Service {
    /// What [`Service::ingest`] would do; changes nothing.
    pub fn preview(&self, tenant: &str, received: &[Received], lang: &str) -> Result<PreviewBody, ServiceError> {
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
        let mut trial = Pipeline::new(&store, &schema, options)?.trial_uploads(&uploads)?;
        let refused = received.iter().filter_map(|received| Some((&received.name, received.file.as_ref().err()?)));
        let refused: Vec<String> = refused.map(|(name, reason)| format!("{name}: {reason}")).collect();
        let mut body = preview(&store, std::mem::take(&mut trial), lang)?;
        body.rejected.extend(refused);
        Ok(body)
    }
}

/// What putting the documents of a trial would do.
pub(crate) fn preview(store: &Store, trial: Trial, lang: &str) -> Result<PreviewBody, ServiceError> {
    let (before, after) = store.preview(&trial.documents, &[])?;
    let Difference { added, removed, weakened, orphans, touched } = before.difference(&after);
    let sample = |snapshot: &Snapshot, ids: &[FactId]| {
        let writer = Writer::new(snapshot, store, lang, Quoting::Ranges);
        let first = ids.iter().take(SAMPLE).filter_map(|id| snapshot.fact(*id)).map(|fact| writer.statement(fact));
        FactSample { count: ids.len(), first: first.collect() }
    };
    let writer = Writer::new(&before, store, lang, Quoting::Ranges);
    Ok(PreviewBody {
        documents_added: trial.added,
        documents_replaced: trial.replaced,
        documents_unchanged: trial.unchanged.len(),
        rejected: trial.faults.iter().map(ToString::to_string).collect(),
        facts_added: sample(&after, &added),
        facts_removed: sample(&before, &removed),
        facts_weakened: sample(&before, &weakened),
        orphaned_entities: NameSample {
            count: orphans.len(),
            first: orphans.iter().take(SAMPLE).map(|iri| writer.entity(iri)).collect(),
        },
        cards_touched: touched.len(),
        epoch: before.epoch(),
    })
}
