//! What the tests that cross crates share. The tests are in `tests/tests/`, one file a promise.

use factmask_graph::{Store, TenantId};
use factmask_ingest::{Pipeline, PipelineOptions};
use factmask_schema::Schema;
use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
};

/// The repository's `data` folder.
pub fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../data")
}

/// The sample documents under the sample schema, in a store in memory.
///
/// # Errors
/// A schema or a document that cannot be read.
pub fn sample(tenant: &str) -> Result<Store, Box<dyn Error>> {
    let schema = Schema::parse(&fs::read_to_string(data().join("schema.ttl"))?, "schema.ttl")?;
    let store = Store::in_memory(&TenantId::new(tenant)?)?;
    store.put_schema(&schema)?;
    let jobs = tempfile::tempdir()?;
    let pipeline = Pipeline::new(&store, &schema, PipelineOptions::new(jobs.path()))?;
    let report = pipeline.ingest_paths(&[data().join("corpus")], &mut |_| {})?;
    match report.failures().first() {
        Some(failure) => Err(format!("{failure:?}").into()),
        None => Ok(store),
    }
}

/// The program as it was built beside the tests.
///
/// # Errors
/// Where it should be, when it is not there: it is built by `./run test` or `cargo build`.
pub fn program() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    // The tests lie in `<profile>/deps`, the program one folder up.
    let path = own.ancestors().nth(2).map(|folder| folder.join("factmask")).unwrap_or_default();
    if path.is_file() { Ok(path) } else { Err(format!("{}: not built; run `./run test`", path.display())) }
}
