//! Files out of a form onto the disk, piece by piece.

use super::{Problem, extract::unfit};
use crate::service::Received;
use axum::{
    extract::{
        FromRequest, Multipart, Request,
        multipart::{Field, MultipartError},
    },
    http::{StatusCode, header},
};
use factmask_ingest::Upload;
use std::path::Path;
use tempfile::{NamedTempFile, TempPath};
use tokio::{fs::File, io::AsyncWriteExt};

/// Files of one request at most.
const MOST_FILES: usize = 1_000;

/// A file as far as it came. Its place on the disk goes with it.
pub(super) struct Arrived {
    received: Received,
    place: Option<TempPath>,
}

impl Arrived {
    /// What to read, and what holds its place on the disk.
    pub(super) fn parts(self) -> (Received, Option<TempPath>) {
        (self.received, self.place)
    }
}

/// Receives the files of a request into `folder`. A file over `file_bytes` is passed over; a form over `form_bytes` is refused.
/// When the future is dropped, or fails, nothing is left of what came.
pub(super) async fn files(
    request: Request,
    folder: &Path,
    file_bytes: u64,
    form_bytes: usize,
) -> Result<Vec<Arrived>, Problem> {
    let content_type = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    if !content_type.unwrap_or_default().trim_start().to_ascii_lowercase().starts_with("multipart/form-data") {
        let detail = "send the files as multipart/form-data, one part each";
        return Err(Problem::unsupported(detail));
    }
    let broken = |error: MultipartError| of(&error, form_bytes);
    let mut form = Multipart::from_request(request, &()).await.map_err(|error| malformed(&error.body_text()))?;
    let mut arrived = Vec::new();
    while let Some(field) = form.next_field().await.map_err(broken)? {
        if arrived.len() == MOST_FILES {
            return Err(unfit(format!("more than {MOST_FILES} files; send them in several requests")));
        }
        let Some(name) = field.file_name().map(str::to_owned) else {
            let name = field.name().unwrap_or_default();
            return Err(unfit(format!("the field {name:?} is no file (it has no file name)")));
        };
        arrived.push(file(field, name, folder, file_bytes, form_bytes).await?);
    }
    if arrived.is_empty() { Err(unfit("the form brings no files")) } else { Ok(arrived) }
}

async fn file(
    mut field: Field<'_>,
    name: String,
    folder: &Path,
    file_bytes: u64,
    form_bytes: usize,
) -> Result<Arrived, Problem> {
    let media_type = field.content_type().map(str::to_owned);
    let disk = |error: std::io::Error| Problem::from(crate::ServiceError::disk(folder)(error));
    let (opened, place) = NamedTempFile::new_in(folder).map_err(disk)?.into_parts();
    let mut opened = File::from_std(opened);
    let mut bytes: u64 = 0;
    while let Some(piece) = field.chunk().await.map_err(|error| of(&error, form_bytes))? {
        bytes = bytes.saturating_add(piece.len() as u64);
        // The rest of a large file is passed over, so that those behind it are received.
        if bytes <= file_bytes {
            opened.write_all(&piece).await.map_err(disk)?;
        }
    }
    opened.flush().await.map_err(disk)?;
    if bytes > file_bytes {
        let reason = format!("has {bytes} bytes, more than the limit of {file_bytes}; split it");
        return Ok(Arrived { received: Received { name, file: Err(reason) }, place: None });
    }
    let upload = Upload { id: name.clone(), media_type, path: place.to_path_buf() };
    Ok(Arrived { received: Received { name, file: Ok(upload) }, place: Some(place) })
}

fn of(error: &MultipartError, form_bytes: usize) -> Problem {
    match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Problem::too_large(format!(
            "all files of a request together have at most {form_bytes} bytes; send fewer at once"
        )),
        _ => malformed(&error.body_text()),
    }
}

fn malformed(said: &str) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "malformed", "Malformed request", format!("{said}; none of it is kept"))
}
