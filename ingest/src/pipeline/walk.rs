//! Paths to files to read, in a fixed order.

use super::report::Skipped;
use crate::error::{Fault, Problem};
use crate::readers::{Format, is_rdf_xml};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// A file that will be read.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) path: PathBuf,
    /// Path relative to the root that was given, with `/`; of an upload the name that it was given.
    pub(super) id: String,
    pub(super) format: Format,
    pub(super) bytes: u64,
    /// The root that was given; none for an upload.
    pub(super) root: Option<PathBuf>,
}

impl Candidate {
    /// What is wrong with it, under the name by which its owner knows it.
    pub(super) fn fault(&self, problem: Problem) -> Fault {
        Fault { file: self.known_as(), problem }
    }

    /// The name by which its owner knows it: its path, or what the sender has called it.
    pub(super) fn known_as(&self) -> String {
        if self.root.is_some() { self.path.display().to_string() } else { self.id.clone() }
    }
}

/// What a walk found.
#[derive(Debug, Default)]
pub(super) struct Walk {
    pub(super) candidates: Vec<Candidate>,
    pub(super) skipped: Vec<Skipped>,
    pub(super) faults: Vec<Fault>,
    /// Folders that were walked without any error: only for these it is known which files are gone.
    pub(super) whole: Vec<PathBuf>,
}

/// How much of an XML file is looked at for its root: comments and entity declarations come before it.
const HEAD: u64 = 1 << 16;

/// The ending of a table's mapping file.
pub(super) const MAPPING: &str = ".map.toml";

/// Walks files and folders. Hidden files and mapping files are passed over silently; links that lead back up, and what is neither
/// file nor folder, with a word.
pub(super) fn walk(paths: &[PathBuf]) -> Walk {
    let mut walk = Walk::default();
    let mut ids: BTreeMap<String, PathBuf> = BTreeMap::new();
    for root in paths {
        if !root.exists() {
            walk.faults.push(fault(root, Problem::NotFound));
            continue;
        }
        let before = walk.faults.len();
        let entries = WalkDir::new(root)
            .follow_links(true)
            .sort_by_file_name()
            .into_iter()
            .filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry.path()));
        for entry in entries {
            match entry {
                Ok(entry) if entry.file_type().is_dir() => {}
                Ok(entry) => walk.take(root, entry.path(), &mut ids),
                Err(error) if error.loop_ancestor().is_some() => {
                    let path = error.path().unwrap_or(root).display().to_string();
                    walk.skipped
                        .push(Skipped { path, reason: "a link that leads back to a folder above it".to_owned() });
                }
                Err(error) => {
                    let path = error.path().unwrap_or(root).to_path_buf();
                    let message = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
                    walk.faults.push(fault(&path, Problem::Unreadable { message }));
                }
            }
        }
        let listed = walk.faults.iter().skip(before).all(|fault| !matches!(fault.problem, Problem::Unreadable { .. }));
        if root.is_dir() && listed {
            walk.whole.push(root.clone());
        }
    }
    walk
}

impl Walk {
    fn take(&mut self, root: &Path, path: &Path, ids: &mut BTreeMap<String, PathBuf>) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.ends_with(MAPPING) {
            return;
        }
        let metadata = match path.metadata() {
            Ok(metadata) => metadata,
            Err(error) => return self.faults.push(fault(path, Problem::Unreadable { message: error.to_string() })),
        };
        // Opening a pipe would wait for its other end.
        if !metadata.is_file() {
            return self.skip(path, "neither a file nor a folder".to_owned());
        }
        let extension = path.extension().map(|extension| extension.to_string_lossy().into_owned());
        let Some(format) = extension.as_deref().and_then(Format::by_extension) else {
            let what = extension
                .map_or("files without an extension are".to_owned(), |extension| format!(".{extension} files are"));
            return self.skip(path, format!("{what} not read yet; read are {}", Format::extensions()));
        };
        if extension.is_some_and(|extension| extension.eq_ignore_ascii_case("xml")) && !holds_rdf(path) {
            return self.skip(path, "of .xml files those are read whose root is rdf:RDF".to_owned());
        }
        let Some(id) = document_id(root, path) else { return self.faults.push(fault(path, Problem::BadName)) };
        match ids.get(&id) {
            // The same file by two roots ("data", "data/a.csv") is one file only under one id.
            Some(other) => self.faults.push(fault(path, Problem::SameId { id, other: other.display().to_string() })),
            None => {
                ids.insert(id.clone(), path.to_path_buf());
                self.candidates.push(Candidate {
                    path: path.to_path_buf(),
                    id,
                    format,
                    bytes: metadata.len(),
                    root: Some(root.to_path_buf()),
                });
            }
        }
    }

    fn skip(&mut self, path: &Path, reason: String) {
        self.skipped.push(Skipped { path: path.display().to_string(), reason });
    }
}

/// Whether the root of an XML file is `rdf:RDF`. One that cannot be looked into is told when it is read.
fn holds_rdf(path: &Path) -> bool {
    let mut head = Vec::new();
    match File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head)) {
        Ok(_) => is_rdf_xml(&head),
        Err(_) => true,
    }
}

fn document_id(root: &Path, path: &Path) -> Option<String> {
    let relative = path.strip_prefix(root).ok().filter(|relative| relative.components().next().is_some());
    let relative = relative.or_else(|| path.file_name().map(Path::new))?;
    let parts: Option<Vec<&str>> = relative.components().map(|part| part.as_os_str().to_str()).collect();
    parts.map(|parts| parts.join("/")).filter(|id| id.len() < 1024)
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

fn fault(path: &Path, problem: Problem) -> Fault {
    Fault { file: path.display().to_string(), problem }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
    use super::*;

    #[test]
    fn files_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for file in
            ["b.txt", "a/z.csv", "a/z.csv.map.toml", ".hidden.txt", ".git/x.txt", "c.zip", "noextension", "A.MD"]
        {
            std::fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            std::fs::write(root.join(file), "x").unwrap();
        }
        std::os::unix::fs::symlink(root, root.join("a/loop")).unwrap();
        let walk = walk(&[root.to_path_buf(), root.join("b.txt"), root.join("missing")]);
        let ids: Vec<&str> = walk.candidates.iter().map(|candidate| candidate.id.as_str()).collect();
        assert_eq!(ids, ["A.MD", "a/z.csv", "b.txt"]);
        assert_eq!(walk.skipped.len(), 3, "{:?}", walk.skipped);
        let problems: Vec<String> = walk.faults.iter().map(ToString::to_string).collect();
        assert!(
            problems[0].contains("same document id \"b.txt\"") && problems[1].contains("no such file"),
            "{problems:?}"
        );
        assert_eq!(walk.whole, [root.to_path_buf()]);
    }
}
