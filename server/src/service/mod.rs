//! What command line and HTTP do with tenants' knowledge: ask it, look into it, change it.

mod ahead;
mod broken;
mod browse;
mod change;
mod cursor;
mod error;
mod feedback;
pub(crate) mod identity;
mod impact;
mod inspect;
pub(crate) mod lessons;
mod library;
mod numbers;
pub(crate) mod preview;
mod schema;
pub(crate) mod suggestions;
mod tenants;

pub use ahead::{Stage, Warming};
pub use browse::{FactFilter, Page};
pub use change::{Expected, Received};
pub use cursor::Cursor;
pub use error::ServiceError;
pub use library::StoredTexts;
pub use tenants::Tenants;
pub(crate) use tenants::{folder, tenants_folder};

use crate::wire::{AnswerBody, NumbersBody, Quoting, Writer};
use ahead::Ahead;
use error::again;
use factmask_engine::{AskOptions, Engine, EngineError, Progress, answer::MAX_QUESTION_CHARS};
use factmask_graph::Snapshot;
use factmask_ingest::Converter;
use numbers::{Counted, Numbers};
use std::sync::{Arc, Mutex};

/// One question.
#[derive(Clone, Debug, Default)]
pub struct Ask {
    /// The question.
    pub question: String,
    /// Whose facts answer, and how.
    pub options: AskOptions,
    /// Whether the answer is put into sentences too.
    pub sentence: bool,
}

/// Answers questions of all tenants with one engine, shows what they hold and changes it.
pub struct Service {
    engine: Engine,
    tenants: Tenants,
    ahead: Ahead,
    converter: Converter,
    lessons: lessons::Shelf,
    numbers: Numbers,
    /// Held by who changes a tenant's feedback.
    feedback: Mutex<()>,
    findings: suggestions::Findings,
}

impl Service {
    /// Puts engine and stores together.
    pub fn new(engine: Engine, tenants: Tenants) -> Self {
        Self {
            engine,
            tenants,
            ahead: Ahead::default(),
            converter: Converter::Here,
            lessons: lessons::Shelf::default(),
            numbers: Numbers::default(),
            feedback: Mutex::default(),
            findings: suggestions::Findings::default(),
        }
    }

    /// Where uploads that are no text are converted; in this process where nothing is said.
    #[must_use]
    pub fn converting_with(self, converter: Converter) -> Self {
        Self { converter, ..self }
    }

    /// The engine.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The stores.
    pub fn tenants(&self) -> &Tenants {
        &self.tenants
    }

    /// Answers one question over the tenant's current epoch.
    pub fn ask(&self, ask: &Ask) -> Result<AnswerBody, ServiceError> {
        check_question(&ask.question)?;
        let reached = self.answer(ask);
        self.numbers.note(&reached);
        reached
    }

    /// How questions went since the service started.
    pub fn numbers(&self) -> NumbersBody {
        let Counted { since, answers, stages, minutes } = self.numbers.counted();
        let blocks = self.engine.fuser().map(|fuser| fuser.blocks().into());
        NumbersBody { since, answers, stages, minutes, blocks }
    }

    fn answer(&self, ask: &Ask) -> Result<AnswerBody, ServiceError> {
        let store = self.tenants.store(&ask.options.tenant)?;
        again(|| {
            let snapshot = store.snapshot()?;
            let texts = StoredTexts { store: &store, snapshot: &snapshot };
            let answer = self.engine.answer_with_text(&snapshot, &texts, &ask.question, &ask.options)?;
            let body = Writer::new(&snapshot, &store, &answer.lang, Quoting::Checked).answer(&answer)?;
            let sentence = ask.sentence.then(|| answer.in_sentences(&snapshot).into());
            Ok(AnswerBody { sentence, ..body })
        })
    }

    /// Lets the models read what the tenant's schema says, so that the first questions need not wait for it.
    pub fn read_ahead(&self, tenant: &str, progress: &mut Progress<'_>) -> Result<(), ServiceError> {
        Ok(self.engine.read_ahead(tenant, &self.snapshot(tenant)?, progress)?)
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
