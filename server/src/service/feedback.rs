//! What people think of answers, kept for the tenant: a line of JSON each in `feedback.jsonl`.

use super::{Service, ServiceError, numbers::now};
use crate::wire::{FeedbackBody, FeedbackItem};
use factmask_graph::ContentHash;
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::PoisonError,
};

/// Longest opinion in bytes.
const MOST_BYTES: usize = 20_000;

impl Service {
    /// Keeps an opinion.
    pub fn give_feedback(&self, tenant: &str, feedback: FeedbackBody) -> Result<FeedbackItem, ServiceError> {
        super::check_question(&feedback.question)?;
        let path = self.feedback_file(tenant)?;
        let at = now();
        let said = serde_json::to_string(&feedback).map_err(|_| ServiceError::Defect)?;
        if said.len() > MOST_BYTES {
            let fault = format!("has {} bytes with all its fields, and may have {MOST_BYTES}", said.len());
            return Err(ServiceError::Parameter { name: "feedback", fault });
        }
        let _one = self.feedback.lock().unwrap_or_else(PoisonError::into_inner);
        let count = read(&path)?.len();
        let hash = ContentHash::of(format!("{at} {count} {said}").as_bytes()).to_string();
        let item = FeedbackItem { id: hash.chars().take(16).collect(), at, feedback };
        let mut line = serde_json::to_vec(&item).map_err(|_| ServiceError::Defect)?;
        line.push(b'\n');
        let appended = OpenOptions::new().create(true).append(true).open(&path).and_then(|mut file| {
            file.write_all(&line)?;
            file.sync_data()
        });
        appended.map_err(ServiceError::disk(&path))?;
        Ok(item)
    }

    /// All opinions, the latest first.
    pub fn feedback(&self, tenant: &str) -> Result<Vec<FeedbackItem>, ServiceError> {
        let mut items = read(&self.feedback_file(tenant)?)?;
        items.reverse();
        Ok(items)
    }

    /// Forgets an opinion; `false` where there is none of this id.
    pub fn forget_feedback(&self, tenant: &str, id: &str) -> Result<bool, ServiceError> {
        let path = self.feedback_file(tenant)?;
        let _one = self.feedback.lock().unwrap_or_else(PoisonError::into_inner);
        let items = read(&path)?;
        let kept: Vec<&FeedbackItem> = items.iter().filter(|item| item.id != id).collect();
        if kept.len() == items.len() {
            return Ok(false);
        }
        let lines: Result<Vec<String>, _> = kept.iter().map(serde_json::to_string).collect();
        let text: String = lines.map_err(|_| ServiceError::Defect)?.iter().map(|line| format!("{line}\n")).collect();
        write_whole(&path, text.as_bytes())?;
        Ok(true)
    }

    fn feedback_file(&self, tenant: &str) -> Result<PathBuf, ServiceError> {
        self.tenants.file(tenant, "feedback.jsonl")
    }
}

/// Replaces a file so that a crash leaves the old or the new one.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), ServiceError> {
    let beside = path.with_extension("new");
    let written = File::create(&beside).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&beside, path)).map_err(ServiceError::disk(path))
}

/// What is kept. A line that a crash has cut is left out.
fn read(path: &Path) -> Result<Vec<FeedbackItem>, ServiceError> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        read => read.map_err(ServiceError::disk(path))?,
    };
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}
