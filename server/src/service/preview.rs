//! What putting documents would do.

use super::{ServiceError, impact::SAMPLE};
use crate::wire::{FactSample, NameSample, PreviewBody, Quoting, Writer};
use factmask_graph::{Difference, FactId, Snapshot, Store};
use factmask_ingest::Trial;

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
