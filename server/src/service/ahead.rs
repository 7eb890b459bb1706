//! Work done ahead of questions, on a thread of its own: the models read the schema and the documents, then cards are encoded.

use super::{Service, ServiceError, StoredTexts};
use factmask_engine::EngineError;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::JoinHandle,
    time::Instant,
};

/// What is to be done ahead, and how far it is.
#[derive(Default)]
pub(super) struct Ahead {
    state: Mutex<State>,
    stopping: AtomicBool,
}

#[derive(Default)]
struct State {
    waiting: BTreeSet<String>,
    /// The thread that works; it has ended, or is about to, when `working` is false.
    thread: Option<JoinHandle<()>>,
    working: bool,
    warming: BTreeMap<String, Warming>,
}

/// How far a tenant's work ahead is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Warming {
    /// What is being done.
    pub stage: Stage,
    /// Cards that are likely to be asked for and for which there is room.
    pub wanted: usize,
    /// Those of them that are encoded.
    pub ready: usize,
}

/// A stage of the work ahead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// Nothing was to be done yet.
    #[default]
    None,
    /// It waits for its turn.
    Waiting,
    /// The models read the schema, and the encoders the documents' sentences.
    Schema,
    /// Cards are encoded.
    Cards,
    /// All is done.
    Done,
    /// It was given up: the knowledge base changed, the service stops, or a fault that is in the log.
    Stopped,
}

impl Service {
    /// Lets the models read the tenant's schema, and encodes the cards that are likely to be asked for, on a thread of its own, one
    /// tenant after the other. To be called when a tenant's schema or documents have changed: what is done for the state before
    /// ends, and of changes that come while a tenant waits the last one counts. Questions go first. What fails is met again by the
    /// first question that needs it.
    pub fn work_ahead(self: &Arc<Self>, tenant: &str) {
        let mut state = self.ahead.lock();
        if self.ahead.stopping.load(Ordering::Relaxed) || !state.waiting.insert(tenant.to_owned()) {
            return;
        }
        state.warming.insert(tenant.to_owned(), Warming { stage: Stage::Waiting, ..Warming::default() });
        if state.working {
            return;
        }
        let service = Arc::clone(self);
        match std::thread::Builder::new().name("ahead".to_owned()).spawn(move || service.work()) {
            Ok(thread) => (state.thread, state.working) = (Some(thread), true),
            Err(error) => tracing::debug!("nothing is done ahead of questions: {error}"),
        }
    }

    /// How far the tenant's work ahead is.
    pub fn warming(&self, tenant: &str) -> Warming {
        self.ahead.lock().warming.get(tenant).copied().unwrap_or_default()
    }

    /// Ends the work ahead at its next step, and lets none begin.
    pub fn stop_ahead(&self) {
        self.ahead.stopping.store(true, Ordering::Relaxed);
    }

    /// Waits for the end of the work that was stopped: a fraction of a second, once no question is being answered any more.
    pub fn join_ahead(&self) {
        let thread = self.ahead.lock().thread.take();
        if thread.is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("work ahead of questions panicked");
        }
    }

    fn work(&self) {
        while let Some(tenant) = self.ahead.next() {
            let ended = self.do_ahead(&tenant);
            let stage = if ended.is_ok() { Stage::Done } else { Stage::Stopped };
            self.ahead.note(&tenant, |warming| warming.stage = stage);
            match ended {
                Ok(()) | Err(ServiceError::Engine(EngineError::Cancelled)) => {}
                Err(error) => tracing::warn!(tenant, "nothing more is done ahead of questions: {error}"),
            }
        }
    }

    fn do_ahead(&self, tenant: &str) -> Result<(), ServiceError> {
        let store = self.tenants.store(tenant)?;
        let snapshot = store.snapshot()?;
        let wanted = || {
            let outdated = store.epoch() != snapshot.epoch();
            let stopping = self.ahead.stopping.load(Ordering::Relaxed);
            if outdated || stopping { Err(EngineError::Cancelled) } else { Ok(()) }
        };
        let started = Instant::now();
        self.ahead.note(tenant, |warming| warming.stage = Stage::Schema);
        self.engine.read_ahead(tenant, &snapshot, &mut |_, _| wanted())?;
        let schema_s = started.elapsed().as_secs_f64();
        let texts = StoredTexts { store: &store, snapshot: &snapshot };
        self.engine.read_texts_ahead(tenant, &snapshot, &texts, &mut |_, _| wanted())?;
        let texts_s = started.elapsed().as_secs_f64() - schema_s;
        self.ahead.note(tenant, |warming| warming.stage = Stage::Cards);
        let warmed = self.engine.encode_ahead(tenant, &snapshot, &mut |ready, of| {
            self.ahead.note(tenant, |warming| (warming.ready, warming.wanted) = (ready, of));
            wanted()
        })?;
        tracing::info!(
            tenant,
            "ready for questions: schema read in {schema_s:.1} s, texts in {texts_s:.1} s, {} of {} cards encoded ({} of them now) in {:.1} s",
            warmed.ready,
            warmed.wanted,
            warmed.encoded,
            started.elapsed().as_secs_f64() - schema_s - texts_s
        );
        Ok(())
    }
}

impl Ahead {
    /// The next tenant whose turn it is; without one, or when the service stops, the thread is to end.
    fn next(&self) -> Option<String> {
        let mut state = self.lock();
        let next = state.waiting.pop_first().filter(|_| !self.stopping.load(Ordering::Relaxed));
        state.working = next.is_some();
        next
    }

    fn note(&self, tenant: &str, change: impl FnOnce(&mut Warming)) {
        let mut state = self.lock();
        // A change that came meanwhile waits for its turn, and says so.
        if !state.waiting.contains(tenant) {
            change(state.warming.entry(tenant.to_owned()).or_default());
        }
    }

    /// Whoever panicked while holding the lock left whole entries.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
