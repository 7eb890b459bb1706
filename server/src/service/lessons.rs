//! The texts that a tenant's documents are read by, beside the schema's wordings.

use crate::eval::json_lines;
use factmask_engine::learn::FOLDER;
use factmask_ingest::{Aim, Lessons, TextExample};
use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

/// Of facts that were learned to be read at least this share is right, by examples that were held out. What cannot keep that is not
/// taken.
pub(crate) const LEAST_RIGHT: f32 = 0.9;

const FILE: &str = "texts.jsonl";

/// Where a tenant's example texts are kept.
pub(crate) fn file(tenant_folder: &Path) -> PathBuf {
    tenant_folder.join(FOLDER).join(FILE)
}

/// The lessons of a tenant, where it has example texts.
///
/// # Errors
/// A file that cannot be read.
pub(crate) fn read(tenant_folder: &Path) -> anyhow::Result<Option<Arc<Lessons>>> {
    let file = file(tenant_folder);
    if !file.is_file() {
        return Ok(None);
    }
    let examples: Vec<TextExample> = json_lines(&file)?;
    Ok(Some(Arc::new(Lessons::new(examples, Aim::Precision(LEAST_RIGHT)))))
}

/// Keeps example texts, in place of earlier ones.
///
/// # Errors
/// A folder that cannot be written.
pub(crate) fn keep(tenant_folder: &Path, examples: &[TextExample]) -> anyhow::Result<()> {
    let file = file(tenant_folder);
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut lines = String::new();
    for example in examples {
        lines.push_str(&serde_json::to_string(example)?);
        lines.push('\n');
    }
    let temporary = file.with_extension("tmp");
    fs::write(&temporary, lines)?;
    Ok(fs::rename(&temporary, &file)?)
}

/// Lessons, and when their examples were written.
type Dated = (Option<SystemTime>, Arc<Lessons>);

/// Lessons of all tenants, learned once as long as their examples stay.
#[derive(Default)]
pub(super) struct Shelf {
    lessons: Mutex<HashMap<PathBuf, Dated>>,
}

impl Shelf {
    /// The lessons of a tenant; none where it has no examples, or none that can be read.
    pub(super) fn of(&self, tenant_folder: &Path) -> Option<Arc<Lessons>> {
        let changed = fs::metadata(file(tenant_folder)).and_then(|found| found.modified()).ok();
        let mut lessons = self.lessons.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, lessons)) = lessons.get(tenant_folder)
            && *known == changed
            && changed.is_some()
        {
            return Some(Arc::clone(lessons));
        }
        let found = read(tenant_folder)
            .inspect_err(|error| tracing::warn!(%error, "the example texts are not read"))
            .ok()
            .flatten()?;
        lessons.insert(tenant_folder.to_path_buf(), (changed, Arc::clone(&found)));
        Some(found)
    }
}
