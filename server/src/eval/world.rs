//! A set's knowledge as a temporary store.

use super::set::{self, CorpusDocument, Knowledge};
use anyhow::{Context as _, Result, bail};
use factmask_graph::{Snapshot, Store, TenantId};
use factmask_ingest::{Pipeline, PipelineOptions, suggest_from_files};
use factmask_schema::Schema;
use std::{
    fs,
    path::{Component, Path, PathBuf},
    sync::Arc,
    time::Instant,
};

/// What was ingested and what it took.
pub struct World {
    /// The store, gone with the world.
    pub store: Arc<Store>,
    /// Its only epoch, or the same without some facts.
    pub snapshot: Arc<Snapshot>,
    /// The documents, for what answers from text.
    pub documents: Vec<CorpusDocument>,
    /// Seconds from the files to the snapshot.
    pub seconds: f64,
    /// Whether there is a graph to ask: documents without a schema give none, and are asked for their text alone.
    pub has_graph: bool,
    folder: Arc<tempfile::TempDir>,
}

impl World {
    /// Ingests the knowledge of a set on disk, as `factmask ingest` would. A schema for what has none is suggested from the data
    /// alone, in language `lang`.
    ///
    /// # Errors
    /// A file that cannot be read or ingested.
    pub fn ingest(knowledge: &Knowledge, lang: &str, own_schema: Option<&Path>) -> Result<Self> {
        let folder = tempfile::tempdir().context("no temporary folder (check TMPDIR)")?;
        let started = Instant::now();
        let tenant = TenantId::new(super::modes::TENANT)?;
        let store = Store::open(folder.path(), &tenant)?;
        let (mut documents, mut has_graph) = (Vec::new(), true);
        let (schema, paths) = match knowledge {
            Knowledge::Triples(path) | Knowledge::Tables(path) => {
                let schema = match own_schema {
                    Some(file) => read_schema(file)?,
                    None => suggest_from_files(std::slice::from_ref(path), lang)?.schema,
                };
                (schema, vec![path.clone()])
            }
            Knowledge::Corpus { documents: path, schema } => {
                documents = set::json_lines(path)?;
                let schema = own_schema.or(schema.as_deref()).map(read_schema).transpose()?;
                has_graph = schema.is_some();
                let place = folder.path().join("documents");
                write_documents(&place, &documents)?;
                (schema.unwrap_or_default(), vec![place])
            }
        };
        store.put_schema(&schema)?;
        let pipeline = Pipeline::new(&store, &schema, PipelineOptions::new(folder.path().join("jobs")))?;
        let report = pipeline.ingest_paths(&paths, &mut |_| {})?;
        if let Some(fault) = report.failures().first() {
            bail!("{fault}");
        }
        drop(pipeline);
        let snapshot = store.snapshot()?;
        let seconds = started.elapsed().as_secs_f64();
        Ok(Self { store: Arc::new(store), snapshot, documents, seconds, has_graph, folder: Arc::new(folder) })
    }

    /// The same with another view of its epoch.
    pub fn over(&self, snapshot: Arc<Snapshot>) -> Self {
        Self {
            store: self.store.clone(),
            snapshot,
            documents: self.documents.clone(),
            seconds: self.seconds,
            has_graph: self.has_graph,
            folder: self.folder.clone(),
        }
    }
}

pub(super) fn read_schema(path: &Path) -> Result<Schema> {
    let turtle = fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    Ok(Schema::parse(&turtle, &path.display().to_string())?)
}

/// Documents as files, so that they are ingested as files are. A name without a known extension becomes a text file, which begins with
/// its title.
fn write_documents(place: &Path, documents: &[CorpusDocument]) -> Result<()> {
    for document in documents {
        let own = PathBuf::from(&document.doc_id);
        if own.components().any(|part| !matches!(part, Component::Normal(_))) {
            bail!("document `{}`: its name leaves the corpus", document.doc_id);
        }
        let name = file_name(&document.doc_id);
        let text = match document.title.trim() {
            title if !title.is_empty() && name != document.doc_id => format!("{title}\n\n{}", document.text),
            _ => document.text.clone(),
        };
        if text.trim().is_empty() {
            continue;
        }
        let path = place.join(name);
        fs::create_dir_all(path.parent().unwrap_or(place))?;
        fs::write(&path, text)?;
    }
    Ok(())
}

/// What the file of a corpus document is called, and so the document that is made of it.
pub fn file_name(document: &str) -> String {
    let known = factmask_ingest::reads(Path::new(document));
    if known { document.to_owned() } else { format!("{document}.txt") }
}
