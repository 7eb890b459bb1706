//! What the benches read: a schema, other words for its relations, and documents.

use anyhow::{Context as _, Result, bail};
use factmask_graph::{Snapshot, Store, TenantId};
use factmask_ingest::{Pipeline, PipelineOptions};
use factmask_schema::Schema;
use std::{path::Path, sync::Arc};

/// The schema of a file.
pub fn read_schema(path: &Path) -> Result<Schema> {
    let turtle = std::fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    Ok(Schema::parse(&turtle, &path.display().to_string())?)
}

/// A schema with the questions of another file instead of its own. They stand in a file of their own that declares no relation, so they are read beside the schema.
pub fn read_wordings(path: &Path, schema: &Schema) -> Result<Schema> {
    let own = std::fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    let mut bare = schema.clone();
    for relation in bare.relations.values_mut() {
        relation.questions.clear();
    }
    let turtle = format!("{}\n{own}", bare.to_turtle());
    Ok(Schema::parse(&turtle, &path.display().to_string())?)
}

/// Everything below `corpus` as one snapshot, in memory.
pub fn ingest(corpus: &Path, schema: &Schema) -> Result<Arc<Snapshot>> {
    let store = Store::in_memory(&TenantId::new("bench")?)?;
    store.put_schema(schema)?;
    let jobs = tempfile::tempdir()?;
    let pipeline = Pipeline::new(&store, schema, PipelineOptions::new(jobs.path()))?;
    let report = pipeline.ingest_paths(&[corpus.to_owned()], &mut |_| {})?;
    if let Some(fault) = report.failures().first() {
        bail!("{fault}");
    }
    Ok(store.snapshot()?)
}
