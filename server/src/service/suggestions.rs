//! What the documents say and the schema has no word for, and what people decide of it.
//!
//! What is suggested is found anew for each epoch; only decisions are kept, in `suggestions.json` beside the store.

use super::{Service, ServiceError, error::again, feedback::write_whole};
use crate::wire::{Quoting, SuggestedKind, SuggestionBody, SuggestionList, SuggestionSource, SuggestionState, Writer};
use factmask_graph::{Evidence, GraphError, Snapshot, Store};
use factmask_ingest::{Discovery, DiscoverySource, Term, discover};
use factmask_schema::{Range, Text, ValueKind};
use std::{
    collections::{BTreeMap, HashMap},
    fs, io,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

/// What is suggested where nobody says: a phrase must stand between so many different pairs.
pub(crate) const LEAST: usize = 2;

/// Whoever reads the evidence sees that nothing was extracted.
const EXTRACTOR: &str = "discovery";

/// What was decided, by the suggestion's id.
type Decisions = BTreeMap<String, SuggestionState>;

/// What was found of one epoch, with the least that was asked for.
type Found = (u64, usize, Arc<Vec<Discovery>>);

/// The latest findings of each tenant, so that a page of them and a decision on one do not read all documents again.
#[derive(Default)]
pub(super) struct Findings {
    latest: Mutex<HashMap<String, Found>>,
    /// Held by who changes decisions.
    deciding: Mutex<()>,
}

impl Service {
    /// Terms that documents have and the schema has not, `limit` of them; only those of a state, or all.
    pub fn suggestions(
        &self,
        tenant: &str,
        state: Option<SuggestionState>,
        least: usize,
        limit: usize,
        lang: &str,
    ) -> Result<SuggestionList, ServiceError> {
        let store = self.tenants.store(tenant)?;
        let decided = decisions(&self.tenants.file(tenant, FILE)?)?;
        again(|| {
            let snapshot = store.snapshot()?;
            let found = self.found(tenant, &store, &snapshot, least)?;
            let stated = |found: &&Discovery| state.is_none_or(|state| state == state_of(&decided, found));
            let shown: Vec<&Discovery> = found.iter().filter(stated).collect();
            let mut writer = Writer::new(&snapshot, &store, lang, Quoting::Ranges);
            let first = shown.iter().take(limit).map(|found| body(found, state_of(&decided, found), &mut writer, lang));
            let suggestions = first.collect::<Result<_, _>>()?;
            Ok(SuggestionList { suggestions, total: shown.len(), epoch: snapshot.epoch() })
        })
    }

    /// Keeps what was decided on a suggestion; `None` where nothing of this id is suggested or was decided on.
    pub fn decide_suggestion(
        &self,
        tenant: &str,
        id: &str,
        state: SuggestionState,
        lang: &str,
    ) -> Result<Option<SuggestionBody>, ServiceError> {
        let store = self.tenants.store(tenant)?;
        let path = self.tenants.file(tenant, FILE)?;
        again(|| {
            let snapshot = store.snapshot()?;
            // However seldom it comes: the list that it was chosen from may have been a longer one.
            let found = self.found(tenant, &store, &snapshot, 1)?;
            let Some(found) = found.iter().find(|found| found.id == id) else { return Ok(None) };
            let _one = self.findings.deciding.lock().unwrap_or_else(PoisonError::into_inner);
            keep(&path, id, state)?;
            let mut writer = Writer::new(&snapshot, &store, lang, Quoting::Ranges);
            Ok(Some(body(found, state, &mut writer, lang)?))
        })
    }

    fn found(
        &self,
        tenant: &str,
        store: &Store,
        snapshot: &Snapshot,
        least: usize,
    ) -> Result<Arc<Vec<Discovery>>, GraphError> {
        let latest = || self.findings.latest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((epoch, of, found)) = latest().get(tenant)
            && (*epoch, *of) == (snapshot.epoch(), least)
        {
            return Ok(Arc::clone(found));
        }
        let found = Arc::new(discover(store, snapshot, least)?);
        latest().insert(tenant.to_owned(), (snapshot.epoch(), least, Arc::clone(&found)));
        Ok(found)
    }
}

/// The file of decisions beside a tenant's store.
pub(crate) const FILE: &str = "suggestions.json";

/// What has been decided so far.
pub(crate) fn decisions(path: &Path) -> Result<Decisions, ServiceError> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Decisions::default()),
        // What a newer program decided is no decision that this one understands.
        read => Ok(serde_json::from_slice(&read.map_err(ServiceError::disk(path))?).unwrap_or_default()),
    }
}

/// Writes a decision down; `open` takes it back.
pub(crate) fn keep(path: &Path, id: &str, state: SuggestionState) -> Result<(), ServiceError> {
    let mut decided = decisions(path)?;
    match state {
        SuggestionState::Open => drop(decided.remove(id)),
        state => drop(decided.insert(id.to_owned(), state)),
    }
    write_whole(path, &serde_json::to_vec(&decided).map_err(|_| ServiceError::Defect)?)
}

/// What has been decided on a finding.
pub(crate) fn state_of(decided: &Decisions, found: &Discovery) -> SuggestionState {
    decided.get(&found.id).copied().unwrap_or(SuggestionState::Open)
}

fn body(
    found: &Discovery,
    state: SuggestionState,
    writer: &mut Writer<'_>,
    lang: &str,
) -> Result<SuggestionBody, ServiceError> {
    let evidence = found.evidence.iter().map(|place| {
        writer.evidence(&Evidence {
            document: place.document.clone(),
            span: place.span.clone(),
            locator: None,
            extractor: EXTRACTOR.to_owned(),
            confidence: 1.0,
        })
    });
    let evidence = evidence.collect::<Result<_, _>>()?;
    let (kind, labels, class, relation) = match &found.term {
        Term::Class(class) => (SuggestedKind::Class, &class.labels, Some(class.into()), None),
        Term::Relation(relation) => (SuggestedKind::Relation, &relation.labels, None, Some(relation)),
    };
    Ok(SuggestionBody {
        id: found.id.clone(),
        kind,
        source: match found.source {
            DiscoverySource::Facts => SuggestionSource::Facts,
            DiscoverySource::Column => SuggestionSource::Column,
            DiscoverySource::Phrase => SuggestionSource::Phrase,
        },
        label: label(labels, lang),
        domain: relation.and_then(|relation| relation.domain.as_ref()).map(|iri| iri.as_str().to_owned()),
        range: relation.and_then(|relation| range(&relation.range)),
        count: found.count,
        subjects: found.subjects,
        evidence,
        state,
        class,
        relation: relation.map(Into::into),
    })
}

fn label(labels: &[Text], lang: &str) -> String {
    let own = labels.iter().find(|label| label.lang == lang).or(labels.first());
    own.map(|label| label.text.clone()).unwrap_or_default()
}

fn range(range: &Range) -> Option<String> {
    let datatype = |name: &str| Some(format!("http://www.w3.org/2001/XMLSchema#{name}"));
    match range {
        Range::Entity(class) => class.as_ref().map(|iri| iri.as_str().to_owned()),
        Range::Value(value) => datatype(match value.kind {
            ValueKind::Text => "string",
            ValueKind::Number => "decimal",
            ValueKind::Date => "date",
            ValueKind::Year => "gYear",
            ValueKind::Boolean => "boolean",
        }),
    }
}
