//! The durable store of one tenant: oxigraph on RocksDB is the truth, sources are plain files beside it.

mod identity;
mod place;
mod preview;
mod query;
mod schema;
mod sources;
mod write;

pub use query::{Answer, Bounds, CancellationToken};
pub use schema::{Published, SchemaChange, SchemaVersion};

use crate::rdf::decode::{self, Failure};
use crate::rename::Renames;
use crate::{ContentHash, DocumentId, DocumentInfo, GraphError, Snapshot, TenantId};
use factmask_schema::Schema;
use oxigraph::store::{StorageError, Transaction};
use place::Place;
use sources::Sources;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

/// One tenant's facts on disk. Cheap to clone, shared between threads; one process at a time has the directory open.
///
/// **Atomic.** A document is whole or absent at any moment, for every reader and after a crash.
/// **Durable.** What [`put`](Self::put), [`put_all`](Self::put_all), [`delete`](Self::delete) and
/// [`put_schema`](Self::put_schema) have acknowledged survives a power cut.
/// **Isolated.** A [`Snapshot`] never changes; writers take turns and do not wait for readers.
///
/// After an error the store holds what it held before, with one exception: when the disk fails between the commit and its
/// flush, a document may stand although it was not acknowledged. Putting it again settles that.
///
/// ```
/// use factmask_graph::{ContentHash, Document, DocumentId, NewFact, Outcome, Statement, Store, TenantId, Value};
/// use factmask_schema::Iri;
///
/// let store = Store::in_memory(&TenantId::new("acme")?)?;
/// let source = "Marxville is the capital of Freedonia.";
/// let [freedonia, capital, marxville] =
///     ["Freedonia", "capital", "Marxville"].map(|name| Iri::new_unchecked(format!("http://example.com/{name}")));
/// let outcome = store.put(&Document {
///     id: DocumentId::new("notes.txt")?,
///     media_type: "text/plain".to_owned(),
///     title: "Notes".to_owned(),
///     source: source.as_bytes().to_vec(),
///     recipe: ContentHash::of(b"by hand"),
///     entities: vec![],
///     facts: vec![NewFact {
///         statement: Statement::new(freedonia.clone(), capital, Value::Entity(marxville), vec![]),
///         span: 0..source.len() as u64,
///         locator: None,
///         extractor: "hand".to_owned(),
///         confidence: 1.0,
///     }],
/// })?;
/// assert_eq!(outcome, Outcome::Added);
///
/// let snapshot = store.snapshot()?;
/// let subject = snapshot.find(&freedonia).unwrap();
/// let fact = snapshot.facts_of(subject).next().unwrap();
/// assert_eq!(snapshot.said(&fact.statement.object, "en"), "Marxville");
/// assert_eq!(store.source_range(&fact.evidence[0].document, 0..9)?, b"Marxville");
/// # Ok::<(), factmask_graph::GraphError>(())
/// ```
#[derive(Clone)]
pub struct Store {
    shared: Arc<Shared>,
}

struct Shared {
    tenant: TenantId,
    database: oxigraph::store::Store,
    sources: Sources,
    /// What the markers say, so that they need not be read for each question. Changed with the writer's lock held.
    documents: RwLock<BTreeMap<DocumentId, DocumentInfo>>,
    /// Names that terms of the schema had before. Changed with the writer's lock held.
    renames: RwLock<Renames>,
    /// Number of the latest committed change.
    epoch: AtomicU64,
    /// Something is committed and not yet known to be on disk.
    unflushed: AtomicBool,
    /// Held by the one writer; oxigraph's transactions do not see each other.
    writer: Mutex<()>,
    cache: Mutex<Option<Arc<Snapshot>>>,
    /// The directory and its lock, last so that they are let go after the database; none in memory.
    place: Option<Place>,
}

impl Store {
    /// Opens or creates the store of `tenant` below `data` (`data/tenants/<tenant>/`). Source files that a crash has left
    /// without a document are removed.
    pub fn open(data: &Path, tenant: &TenantId) -> Result<Self, GraphError> {
        let place = Place::open(data, tenant)?;
        let path = place.graph();
        let database = oxigraph::store::Store::open(&path).map_err(|error| match is_lock(&error) {
            true => GraphError::InUse { path: place.root().to_owned() },
            false => database_error(&path, "open", &error),
        })?;
        let sources = Sources::on_disk(place.sources());
        let store = Self::start(tenant, database, sources, Some(place))?;
        store.shared.sources.sweep(|hash| store.uses(hash))?;
        Ok(store)
    }

    /// A store in memory, for tests and trials.
    pub fn in_memory(tenant: &TenantId) -> Result<Self, GraphError> {
        let database =
            oxigraph::store::Store::new().map_err(|error| database_error(Path::new("(memory)"), "start", &error))?;
        Self::start(tenant, database, Sources::in_memory(), None)
    }

    /// Whose facts these are.
    pub fn tenant(&self) -> &TenantId {
        &self.shared.tenant
    }

    /// All documents, sorted by id.
    pub fn documents(&self) -> Result<Vec<DocumentInfo>, GraphError> {
        Ok(self.read_documents().values().cloned().collect())
    }

    /// One document.
    pub fn document(&self, document: &DocumentId) -> Result<Option<DocumentInfo>, GraphError> {
        Ok(self.read_documents().get(document).cloned())
    }

    /// The bytes of a document as they were ingested, checked against their hash.
    pub fn source(&self, document: &DocumentId) -> Result<Vec<u8>, GraphError> {
        self.shared.sources.read(document, self.info(document)?.hash)
    }

    /// Some bytes of a document, as a citation needs them; shorter where the range goes beyond the end. The hash is not
    /// checked, which would mean to read all of it.
    pub fn source_range(&self, document: &DocumentId, range: Range<u64>) -> Result<Vec<u8>, GraphError> {
        self.shared.sources.read_range(self.info(document)?.hash, range)
    }

    /// As [`Store::source`] and [`Store::source_range`] for the revision that a snapshot's evidence points into, whole and
    /// checked where `range` is `None`.
    ///
    /// # Errors
    /// [`GraphError::Superseded`] when the document was replaced or deleted since.
    pub fn source_of(
        &self,
        document: &DocumentId,
        revision: ContentHash,
        range: Option<Range<u64>>,
    ) -> Result<Vec<u8>, GraphError> {
        let read = match range {
            Some(range) => self.shared.sources.read_range(revision, range),
            None => self.shared.sources.read(document, revision),
        };
        // A superseded source goes at any moment, also while it is read; what was read of it is still what it was.
        match read {
            Err(_) if self.document(document)?.is_none_or(|info| info.hash != revision) => {
                Err(GraphError::Superseded { document: document.clone() })
            }
            read => read,
        }
    }

    /// The schema; an empty one where none was put.
    pub fn schema(&self) -> Result<Schema, GraphError> {
        self.read("read the schema", |database| schema_of(&decode::meta(database)?))
    }

    /// Number of the latest change; grows by one with each document or schema that is put or deleted, and is kept on disk.
    pub fn epoch(&self) -> u64 {
        self.shared.epoch.load(Ordering::Acquire)
    }

    /// The current epoch: facts, entities, schema and index, built once for each epoch and shared. Reading a large store
    /// takes seconds, in which other callers of this function wait for the same snapshot; writers do not wait.
    pub fn snapshot(&self) -> Result<Arc<Snapshot>, GraphError> {
        let mut cache = lock(&self.shared.cache);
        let current = self.epoch();
        if let Some(snapshot) = cache.as_ref().filter(|snapshot| snapshot.epoch() >= current) {
            return Ok(Arc::clone(snapshot));
        }
        let snapshot = self.read("read its facts", |database| {
            let meta = decode::meta(database)?;
            let contents = decode::contents(database, &meta)?;
            let snapshot = identity::told_apart(database, &meta, schema_of(&meta)?, contents)?;
            let revisions = meta.documents.into_values().map(|info| (info.id, info.hash)).collect();
            Ok(Arc::new(snapshot.with_revisions(revisions)))
        })?;
        *cache = Some(Arc::clone(&snapshot));
        Ok(snapshot)
    }

    fn start(
        tenant: &TenantId,
        database: oxigraph::store::Store,
        sources: Sources,
        place: Option<Place>,
    ) -> Result<Self, GraphError> {
        let shared = Shared {
            tenant: tenant.clone(),
            database,
            sources,
            documents: RwLock::default(),
            renames: RwLock::default(),
            epoch: AtomicU64::new(0),
            unflushed: AtomicBool::new(false),
            writer: Mutex::default(),
            cache: Mutex::default(),
            place,
        };
        let store = Self { shared: Arc::new(shared) };
        let meta = store.read("read its documents", decode::meta)?;
        store.shared.epoch.store(meta.epoch, Ordering::Release);
        *store.shared.renames.write().unwrap_or_else(PoisonError::into_inner) = meta.renames;
        let documents = meta.documents.into_values().map(|info| (info.id.clone(), info)).collect();
        *store.shared.documents.write().unwrap_or_else(PoisonError::into_inner) = documents;
        Ok(store)
    }

    /// Reads in one snapshot of the database, so that what is read hangs together.
    fn read<T>(
        &self,
        action: &'static str,
        read: impl FnOnce(&Transaction<'_>) -> Result<T, Failure>,
    ) -> Result<T, GraphError> {
        let transaction = self.shared.database.start_transaction().map_err(Failure::Database);
        transaction.and_then(|transaction| read(&transaction)).map_err(|failure| self.failed(action, failure))
    }

    fn failed(&self, action: &'static str, failure: Failure) -> GraphError {
        match failure {
            Failure::Database(error) => self.database_error(action, &error),
            Failure::Contents(error) => error,
        }
    }

    fn info(&self, document: &DocumentId) -> Result<DocumentInfo, GraphError> {
        let found = self.read_documents().get(document).cloned();
        found.ok_or_else(|| GraphError::NoSuchDocument { document: document.clone() })
    }

    fn uses(&self, hash: ContentHash) -> bool {
        self.read_documents().values().any(|info| info.hash == hash)
    }

    fn read_documents(&self) -> std::sync::RwLockReadGuard<'_, BTreeMap<DocumentId, DocumentInfo>> {
        self.shared.documents.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn database_error(&self, action: &'static str, error: &StorageError) -> GraphError {
        let path = self.shared.place.as_ref().map_or_else(|| PathBuf::from("(memory)"), Place::graph);
        database_error(&path, action, error)
    }
}

fn parse_schema(turtle: &str) -> Result<Schema, GraphError> {
    Ok(Schema::parse(turtle, "stored schema")?)
}

fn schema_of(meta: &decode::Meta) -> Result<Schema, Failure> {
    meta.schema.as_deref().map(parse_schema).transpose().map(Option::unwrap_or_default).map_err(Failure::Contents)
}

fn database_error(path: &Path, action: &'static str, error: &StorageError) -> GraphError {
    GraphError::Database { path: path.to_owned(), action, message: error.to_string() }
}

/// RocksDB's own lock, should ours not work on this file system.
fn is_lock(error: &StorageError) -> bool {
    let message = error.to_string();
    message.contains("lock file") || message.contains("lock hold by current process")
}

/// A panic while the lock was held has left nothing half done: what it guards is replaced as a whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
