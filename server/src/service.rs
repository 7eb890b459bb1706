//! From a question of a tenant to an answer body: the one way that command line and HTTP share.

use crate::wire::{AnswerBody, Writer};
use factmask_engine::{AskOptions, Engine, EngineError, answer::MAX_QUESTION_CHARS};
use factmask_graph::{GraphError, Snapshot, Store, TenantId};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

/// One question.
#[derive(Clone, Debug, Default)]
pub struct Ask {
    /// The question.
    pub question: String,
    /// Whose facts answer, and how.
    pub options: AskOptions,
}

/// Why a question got no answer.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// There is no such tenant.
    #[error("tenant `{0}`: holds no documents here (make it with `factmask ingest --tenant {0} PATH`)")]
    NoTenant(String),
    /// The engine refused or failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The store failed.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A defect of ours. What happened is in the log, not in the answer.
    #[error("the question could not be answered because of a defect (see the service's log)")]
    Defect,
}

/// The stores that questions may be asked of. Each is opened when it is first asked for and stays open.
pub struct Tenants {
    data: Option<PathBuf>,
    open: Mutex<BTreeMap<TenantId, Store>>,
}

impl Tenants {
    /// The tenants below a data folder. A question makes no tenant: only one whose folder is there is opened.
    pub fn below(data: PathBuf) -> Self {
        Self { data: Some(data), open: Mutex::default() }
    }

    /// Exactly these.
    pub fn of(stores: impl IntoIterator<Item = (TenantId, Store)>) -> Self {
        Self { data: None, open: Mutex::new(stores.into_iter().collect()) }
    }

    /// The store of a tenant.
    pub fn store(&self, name: &str) -> Result<Store, ServiceError> {
        let tenant = TenantId::new(name)?;
        // A thread that panicked here held no half-made change: the map gains whole stores only.
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = open.get(&tenant) {
            return Ok(store.clone());
        }
        let data = self.data.as_ref().filter(|data| folder(data, &tenant).is_dir());
        let data = data.ok_or_else(|| ServiceError::NoTenant(name.to_owned()))?;
        let store = Store::open(data, &tenant)?;
        open.insert(tenant, store.clone());
        Ok(store)
    }
}

/// The folder of one tenant.
pub(crate) fn folder(data: &Path, tenant: &TenantId) -> PathBuf {
    tenants_folder(data).join(tenant.as_str())
}

/// The folder of all tenants' folders.
pub(crate) fn tenants_folder(data: &Path) -> PathBuf {
    data.join("tenants")
}

/// Answers questions of all tenants with one engine.
pub struct Service {
    engine: Engine,
    tenants: Tenants,
}

impl Service {
    /// Puts engine and stores together.
    pub fn new(engine: Engine, tenants: Tenants) -> Self {
        Self { engine, tenants }
    }

    /// The stores.
    pub fn tenants(&self) -> &Tenants {
        &self.tenants
    }

    /// Answers one question over the tenant's current epoch.
    pub fn ask(&self, ask: &Ask) -> Result<AnswerBody, ServiceError> {
        check_question(&ask.question)?;
        let store = self.tenants.store(&ask.options.tenant)?;
        let snapshot = store.snapshot()?;
        let answer = self.engine.answer(&snapshot, &ask.question, &ask.options)?;
        Ok(Writer::new(&snapshot, &store, &answer.lang).answer(&answer)?)
    }

    /// The current epoch of a tenant.
    pub fn snapshot(&self, tenant: &str) -> Result<Arc<Snapshot>, ServiceError> {
        Ok(self.tenants.store(tenant)?.snapshot()?)
    }
}

/// The check that costs nothing, before anything is opened or queued for the question.
pub fn check_question(question: &str) -> Result<(), EngineError> {
    let fault = match question.chars().count() {
        _ if question.trim().is_empty() => "is empty".to_owned(),
        count if count > MAX_QUESTION_CHARS => format!("has {count} characters"),
        _ => return Ok(()),
    };
    Err(EngineError::Question { fault })
}
