//! What command line and HTTP do with tenants' knowledge: ask it, look into it, change it.

mod browse;
mod change;
mod cursor;
mod error;
mod tenants;

pub use browse::{FactFilter, Page};
pub use change::{Expected, Received};
pub use cursor::Cursor;
pub use error::ServiceError;
pub use tenants::Tenants;
pub(crate) use tenants::{folder, tenants_folder};

use crate::wire::{AnswerBody, Quoting, Writer};
use error::again;
use factmask_engine::{AskOptions, Engine, EngineError, answer::MAX_QUESTION_CHARS};
use factmask_graph::Snapshot;
use std::{
    collections::BTreeSet,
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

/// Answers questions of all tenants with one engine, shows what they hold and changes it.
pub struct Service {
    engine: Engine,
    tenants: Tenants,
    /// Tenants whose schema waits to be read ahead, and who reads.
    waiting: Mutex<BTreeSet<String>>,
    reading: Mutex<()>,
}

impl Service {
    /// Puts engine and stores together.
    pub fn new(engine: Engine, tenants: Tenants) -> Self {
        Self { engine, tenants, waiting: Mutex::default(), reading: Mutex::default() }
    }

    /// The stores.
    pub fn tenants(&self) -> &Tenants {
        &self.tenants
    }

    /// Answers one question over the tenant's current epoch.
    pub fn ask(&self, ask: &Ask) -> Result<AnswerBody, ServiceError> {
        check_question(&ask.question)?;
        let store = self.tenants.store(&ask.options.tenant)?;
        again(|| {
            let snapshot = store.snapshot()?;
            let answer = self.engine.answer(&snapshot, &ask.question, &ask.options)?;
            Ok(Writer::new(&snapshot, &store, &answer.lang, Quoting::Checked).answer(&answer)?)
        })
    }

    /// Lets the models read what the tenant's schema says, so that the first questions need not wait for it.
    pub fn read_ahead(&self, tenant: &str, progress: &mut dyn FnMut(usize, usize)) -> Result<(), ServiceError> {
        Ok(self.engine.read_ahead(tenant, &self.snapshot(tenant)?, progress)?)
    }

    /// [`read_ahead`](Self::read_ahead) on a thread of its own, one tenant after the other; of changes that come while a tenant waits
    /// the last is read. Questions are answered meanwhile; what fails is met again by the first of them that needs it.
    pub fn read_ahead_aside(self: &Arc<Self>, tenant: &str) {
        if !self.waiting.lock().unwrap_or_else(PoisonError::into_inner).insert(tenant.to_owned()) {
            return;
        }
        let (service, tenant) = (Arc::clone(self), tenant.to_owned());
        let work = move || {
            let _turn = service.reading.lock().unwrap_or_else(PoisonError::into_inner);
            service.waiting.lock().unwrap_or_else(PoisonError::into_inner).remove(&tenant);
            if let Err(error) = service.read_ahead(&tenant, &mut |_, _| ()) {
                tracing::debug!("tenant {tenant}: the schema is not read ahead: {error}");
            }
        };
        if let Err(error) = std::thread::Builder::new().name("read-ahead".to_owned()).spawn(work) {
            tracing::debug!("the schema is not read ahead: {error}");
        }
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
