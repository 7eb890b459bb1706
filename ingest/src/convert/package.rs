//! An archive of parts (ZIP), read within bounds.

use super::Unreadable;
use super::xml::{attribute, events};
use crate::text::{Controls, decode};
use quick_xml::events::Event;
use std::collections::HashMap;
use std::io::{Cursor, Read};
use zip::ZipArchive;
use zip::result::ZipError;

/// All parts together are not unpacked beyond so many bytes: an archive of a few kilobytes can hold terabytes of nothing.
const UNPACKED: u64 = 256 << 20;

/// How an old binary file of Office begins, and every one that is encrypted.
const COMPOUND_FILE: &[u8] = &[0xd0, 0xcf, 0x11, 0xe0];

pub(super) struct Package {
    archive: ZipArchive<Cursor<Vec<u8>>>,
    left: u64,
}

/// Where a part points.
#[derive(Clone, Debug)]
pub(super) struct Relationship {
    /// The last word of its type: `styles`, `slide`, `footnotes`.
    pub(super) kind: String,
    /// The other part's name in the archive; none when it lies outside.
    pub(super) target: Option<String>,
}

impl Package {
    /// `what` is the format's name for people, `save_as` how to get one.
    pub(super) fn open(bytes: Vec<u8>, what: &str, save_as: &str) -> Result<Self, Unreadable> {
        if bytes.starts_with(COMPOUND_FILE) {
            return Err(Unreadable::new(format!(
                "is encrypted or in the old binary format; remove its password and save it as {save_as}"
            )));
        }
        match ZipArchive::new(Cursor::new(bytes)) {
            Ok(archive) => Ok(Self { archive, left: UNPACKED }),
            Err(error) => Err(Unreadable::new(format!("is no {what} ({error}); save it as {save_as} anew"))),
        }
    }

    /// The bytes of a part; none where there is no such part.
    pub(super) fn bytes(&mut self, name: &str) -> Result<Option<Vec<u8>>, Unreadable> {
        let damaged = |error: &dyn std::fmt::Display| {
            Unreadable::new(format!("is damaged: its part {name} cannot be unpacked ({error}); save it anew"))
        };
        let part = match self.archive.by_name(name.trim_start_matches('/')) {
            Ok(part) => part,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)) => {
                return Err(Unreadable::new("is encrypted; remove its password"));
            }
            Err(error) => return Err(damaged(&error)),
        };
        let mut bytes = Vec::new();
        part.take(self.left.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| damaged(&error))?;
        let read = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if read > self.left {
            return Err(Unreadable::new(format!(
                "unpacks to more than {} MiB, which no honest document of this kind does; split it",
                UNPACKED >> 20
            )));
        }
        self.left -= read;
        Ok(Some(bytes))
    }

    /// The text of a part.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, Unreadable> {
        let Some(bytes) = self.bytes(name)? else { return Ok(None) };
        let decoded = decode(bytes, Controls::Judged)
            .map_err(|fault| Unreadable::new(format!("is damaged: its part {name}: {fault}")))?;
        Ok(Some(decoded.text.get(decoded.start..).unwrap_or_default().to_owned()))
    }

    /// Where a part points, by the names that it uses for it.
    pub(super) fn relationships(&mut self, part: &str) -> Result<HashMap<String, Relationship>, Unreadable> {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let separator = if folder.is_empty() { "" } else { "/" };
        let Some(text) = self.text(&format!("{folder}{separator}_rels/{file}.rels"))? else {
            return Ok(HashMap::new());
        };
        let mut all = HashMap::new();
        events(&text, |event| {
            if let Event::Start(tag) | Event::Empty(tag) = event
                && tag.local_name().as_ref() == b"Relationship"
            {
                let kind = attribute(tag, "Type").unwrap_or_default();
                let outside = attribute(tag, "TargetMode").is_some_and(|mode| mode == "External");
                let target = attribute(tag, "Target").filter(|_| !outside).map(|target| resolved(folder, &target));
                let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
                all.insert(attribute(tag, "Id").unwrap_or_default(), Relationship { kind, target });
            }
        })
        .map_err(|error| Unreadable::new(format!("is damaged: what {part} refers to cannot be read ({error})")))?;
        Ok(all)
    }

    /// The main part: what the archive itself points to as its document.
    pub(super) fn main_part(&mut self, usual: &str) -> Result<String, Unreadable> {
        let found = self.relationships("")?.into_values().find(|to| to.kind == "officeDocument");
        Ok(found.and_then(|to| to.target).unwrap_or_else(|| usual.to_owned()))
    }
}

/// A part's name from the folder of the part that names it.
pub(super) fn resolved(folder: &str, target: &str) -> String {
    let mut parts: Vec<&str> = if target.starts_with('/') { Vec::new() } else { folder.split('/').collect() };
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.retain(|part| !part.is_empty());
    parts.join("/")
}
