//! The report of `factmask ingest --report`.

use factmask_ingest::{FileReport, FileStatus, Report};
use serde_json::json;

/// The report as JSON: `files` by path, then `totals`.
pub(super) fn json(report: &Report) -> String {
    let of_file = |file: &FileReport| {
        let status = match file.status {
            FileStatus::Ingested => "ingested",
            FileStatus::Unchanged => "unchanged",
            FileStatus::Rejected => "rejected",
        };
        json!({
            "path": file.path,
            "document": file.document,
            "status": status,
            "reason": file.reason,
            "page": page_of(file.reason.as_deref()),
            "facts": file.facts,
            "seconds": file.time.as_secs_f64(),
            "warnings": file.warnings,
        })
    };
    let count = |status| report.files.iter().filter(|file| file.status == status).count();
    let whole = json!({
        "format": 1,
        "files": report.files.iter().map(of_file).collect::<Vec<_>>(),
        "totals": {
            "files": report.files.len(),
            "ingested": count(FileStatus::Ingested),
            "unchanged": count(FileStatus::Unchanged),
            "rejected": count(FileStatus::Rejected),
            "deleted": report.pruned.len(),
            "facts": report.facts,
            "bytes": report.bytes,
            "seconds": report.elapsed.as_secs_f64(),
        },
    });
    format!("{whole:#}\n")
}

/// The page that a reason begins with.
fn page_of(reason: Option<&str>) -> Option<u32> {
    reason?.strip_prefix("page ")?.split(|char: char| !char.is_ascii_digit()).next()?.parse().ok()
}
