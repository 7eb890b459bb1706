//! Vectors that were read once and are kept: by model, then by text.

use crate::EngineError;
use half::f16;
use sha2::{Digest, Sha256};
use std::{
    collections::{BTreeSet, HashMap},
    fmt::Write as _,
    fs::{self, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

const MAGIC: &[u8; 8] = b"FMVECTOR";
/// Raised when the layout changes. A file of another version is not read: it is made anew.
const VERSION: u32 = 1;
const HEADER: usize = MAGIC.len() + 4 + 4 + 32;
const KEY: usize = 16;
const CHECK: usize = 4;
/// Vectors of one model; with more, memory and file are emptied and fill again.
const MOST: usize = 200_000;
/// Texts that are read before the next are begun.
const STRIDE: usize = 64;

/// What makes a vector: a change of any of these makes another one of the same text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// SHA-256 of the model's weights.
    pub model: [u8; 32],
    /// Values of a vector.
    pub width: usize,
}

/// A vector as it is kept. Rounded before its first use, so that it is the same before and after it was stored.
pub type Kept = Arc<[f16]>;

/// The vectors of one tenant: in memory, and where there is a folder in a file for each model.
///
/// A text is looked up by its SHA-256, so a changed wording is a new text and needs no notice. The files hold no words, carry a
/// format version and can be deleted at any time. A torn or damaged record ends the reading of its file; what stood behind it is
/// read again from the model. A file that cannot be written only means reading again.
#[derive(Debug, Default)]
pub struct Shelf {
    folder: Option<PathBuf>,
    drawers: Mutex<HashMap<Origin, Drawer>>,
}

/// The vectors of one origin.
#[derive(Debug, Default)]
struct Drawer {
    known: HashMap<[u8; KEY], Kept>,
    /// Whole records in the file.
    stored: usize,
}

impl Shelf {
    /// The shelf in this folder, which is made when there is something to keep; without one vectors last as long as the process.
    #[must_use]
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, drawers: Mutex::default() }
    }

    /// The vector of each text, in order. `read` is called with the distinct texts that are new, some at a time; what it has read is
    /// kept before the next, so that whoever gives up in between has not waited for nothing.
    ///
    /// # Errors
    /// Whatever `read` fails with.
    pub fn vectors(
        &self,
        origin: Origin,
        texts: &[&str],
        mut read: impl FnMut(&[&str]) -> Result<Vec<Vec<f32>>, EngineError>,
    ) -> Result<Vec<Kept>, EngineError> {
        let keys: Vec<[u8; KEY]> = texts.iter().map(|text| key(text)).collect();
        let mut found: HashMap<[u8; KEY], Kept> = self.with(origin, |drawer| {
            keys.iter().filter_map(|key| Some((*key, drawer.known.get(key)?.clone()))).collect()
        });
        let missing: BTreeSet<&str> =
            texts.iter().zip(&keys).filter(|(_, key)| !found.contains_key(*key)).map(|(text, _)| *text).collect();
        let missing: Vec<&str> = missing.into_iter().collect();
        for some in missing.chunks(STRIDE) {
            // Read outside the lock: two questions at once may both do it, neither waits for the other.
            let read = read(some)?;
            let fresh: Vec<([u8; KEY], Kept)> =
                some.iter().map(|text| key(text)).zip(read.iter().map(|vector| rounded(vector))).collect();
            found.extend(fresh.iter().cloned());
            self.with(origin, |drawer| self.keep(origin, drawer, fresh));
        }
        let zero: Kept = std::iter::repeat_n(f16::ZERO, origin.width).collect();
        Ok(keys.iter().map(|key| found.get(key).unwrap_or(&zero).clone()).collect())
    }

    fn keep(&self, origin: Origin, drawer: &mut Drawer, mut fresh: Vec<([u8; KEY], Kept)>) {
        if drawer.known.len() + fresh.len() > MOST {
            *drawer = Drawer::default();
        }
        fresh.retain(|(key, _)| !drawer.known.contains_key(key));
        if let Some(folder) = &self.folder {
            match append(folder, origin, &fresh, drawer.stored) {
                Ok(()) => drawer.stored += fresh.len(),
                Err(cause) => tracing::debug!("{}: vectors are not kept: {cause}", folder.display()),
            }
        }
        drawer.known.extend(fresh);
    }

    fn with<T>(&self, origin: Origin, work: impl FnOnce(&mut Drawer) -> T) -> T {
        let mut drawers = self.drawers.lock().unwrap_or_else(PoisonError::into_inner);
        work(drawers.entry(origin).or_insert_with(|| {
            let bytes = self.folder.as_ref().and_then(|folder| fs::read(file(folder, origin)).ok()).unwrap_or_default();
            let known = parse(&bytes, origin);
            Drawer { stored: known.len(), known }
        }))
    }
}

/// What is too large for f16 becomes its largest number rather than infinity, which would spoil every mean.
fn rounded(vector: &[f32]) -> Kept {
    let (low, high) = (f16::MIN.to_f32(), f16::MAX.to_f32());
    vector.iter().map(|value| f16::from_f32(value.clamp(low, high))).collect()
}

fn key(text: &str) -> [u8; KEY] {
    let digest: [u8; 32] = Sha256::digest(text).into();
    let mut key = [0; KEY];
    key.copy_from_slice(&digest[..KEY]);
    key
}

/// `<folder>/<first digits of the model's hash>.vectors`
fn file(folder: &Path, origin: Origin) -> PathBuf {
    let mut name = String::new();
    for byte in &origin.model[..8] {
        // Writing to a string cannot fail.
        let _ = write!(name, "{byte:02x}");
    }
    folder.join(name + ".vectors")
}

/// Magic, version, width, the model's whole hash; little-endian.
fn header(origin: Origin) -> Vec<u8> {
    let width = u32::try_from(origin.width).unwrap_or(u32::MAX);
    [MAGIC.as_slice(), &VERSION.to_le_bytes(), &width.to_le_bytes(), &origin.model].concat()
}

/// Key, values in f16, and the first bytes of the SHA-256 of both.
fn record(key: &[u8; KEY], vector: &Kept) -> Vec<u8> {
    let mut record = key.to_vec();
    record.extend(vector.iter().flat_map(|value| value.to_le_bytes()));
    let check: [u8; 32] = Sha256::digest(&record).into();
    record.extend(&check[..CHECK]);
    record
}

fn parse(bytes: &[u8], origin: Origin) -> HashMap<[u8; KEY], Kept> {
    let mut known = HashMap::new();
    let Some(records) = bytes.strip_prefix(header(origin).as_slice()) else { return known };
    for record in records.chunks_exact(KEY + 2 * origin.width + CHECK) {
        let Some((stated, check)) = record.split_last_chunk::<CHECK>() else { break };
        let found: [u8; 32] = Sha256::digest(stated).into();
        let Some((key, values)) = stated.split_first_chunk::<KEY>().filter(|_| found.starts_with(check)) else { break };
        known.insert(*key, values.as_chunks::<2>().0.iter().map(|bytes| f16::from_le_bytes(*bytes)).collect());
    }
    known
}

/// Adds records behind the first `stored`, which are whole; with none of them the file is begun anew.
fn append(folder: &Path, origin: Origin, new: &[([u8; KEY], Kept)], stored: usize) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut file = OpenOptions::new().create(true).append(true).open(file(folder, origin))?;
    let mut bytes = Vec::new();
    if stored == 0 {
        file.set_len(0)?;
        bytes = header(origin);
    } else {
        file.set_len((HEADER + stored * (KEY + 2 * origin.width + CHECK)) as u64)?;
    }
    bytes.extend(new.iter().flat_map(|(key, vector)| record(key, vector)));
    file.write_all(&bytes)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
    use super::*;

    const ORIGIN: Origin = Origin { model: [7; 32], width: 2 };

    /// Looks texts up; what was new among them, and the first value of each.
    fn look(shelf: &Shelf, origin: Origin, texts: &[&str]) -> (Vec<String>, Vec<f32>) {
        let mut new = Vec::new();
        let kept = shelf.vectors(origin, texts, |missing| {
            new.extend(missing.iter().map(|text| (*text).to_owned()));
            Ok(missing.iter().map(|text| vec![text.len() as f32, 0.1]).collect())
        });
        (new, kept.unwrap().iter().map(|vector| vector[0].to_f32()).collect())
    }

    #[test]
    fn a_text_is_read_once_for_each_model_and_outlives_the_process() {
        let folder = tempfile::tempdir().unwrap();
        let open = || Shelf::new(Some(folder.path().join("vectors")));
        let shelf = open();
        assert_eq!(
            look(&shelf, ORIGIN, &["bb", "a", "bb"]),
            (vec!["a".to_owned(), "bb".to_owned()], vec![2.0, 1.0, 2.0])
        );
        assert_eq!(look(&shelf, ORIGIN, &["a"]), (vec![], vec![1.0]));
        let again = open();
        assert_eq!(look(&again, ORIGIN, &["a", "ccc"]), (vec!["ccc".to_owned()], vec![1.0, 3.0]));
        assert_eq!(look(&open(), ORIGIN, &["a", "bb", "ccc"]).0, Vec::<String>::new());
        let other = Origin { model: [8; 32], ..ORIGIN };
        assert_eq!(look(&again, other, &["a"]).0, ["a"]);
    }

    #[test]
    fn what_was_read_before_a_fault_is_kept() {
        let shelf = Shelf::new(None);
        let texts: Vec<String> = (0..2 * STRIDE).map(|number| format!("{number:04}")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let mut strides = 0;
        let failed = shelf.vectors(ORIGIN, &texts, |some| {
            strides += 1;
            if strides == 2 { Err(EngineError::EmptySegment("a test")) } else { Ok(vec![vec![1e9, 0.0]; some.len()]) }
        });
        assert!(failed.is_err());
        assert_eq!(look(&shelf, ORIGIN, &texts).0, &texts[STRIDE..]);
        assert_eq!(look(&shelf, ORIGIN, &texts[..1]).1, [f16::MAX.to_f32()]);
    }

    #[test]
    fn what_is_damaged_is_read_again_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        look(&Shelf::new(Some(folder.path().to_owned())), ORIGIN, &["a", "bb", "ccc"]);
        let path = file(folder.path(), ORIGIN);
        let whole = fs::read(&path).unwrap();
        const SIZE: usize = KEY + 2 * ORIGIN.width + CHECK;
        type Damage = fn(&mut Vec<u8>);
        let table: &[(&str, Damage, &[&str])] = &[
            ("whole", |_| (), &[]),
            ("cut in the last record", |bytes| bytes.truncate(bytes.len() - 3), &["ccc"]),
            ("a value turned", |bytes| bytes[HEADER + SIZE + KEY] ^= 1, &["bb", "ccc"]),
            ("of the next version", |bytes| bytes[MAGIC.len()] += 1, &["a", "bb", "ccc"]),
            ("cut in the header", |bytes| bytes.truncate(HEADER - 1), &["a", "bb", "ccc"]),
            ("empty", Vec::clear, &["a", "bb", "ccc"]),
        ];
        for (name, damage, expected) in table {
            let mut bytes = whole.clone();
            damage(&mut bytes);
            fs::write(&path, bytes).unwrap();
            let open = || Shelf::new(Some(folder.path().to_owned()));
            assert_eq!(look(&open(), ORIGIN, &["a", "bb", "ccc"]).0, *expected, "{name}");
            assert_eq!(look(&open(), ORIGIN, &["a", "bb", "ccc"]).0, Vec::<String>::new(), "{name}, mended");
        }
    }

    #[test]
    fn a_folder_that_cannot_be_written_only_means_reading_again() {
        let folder = tempfile::tempdir().unwrap();
        let taken = folder.path().join("file");
        fs::write(&taken, "").unwrap();
        let shelf = Shelf::new(Some(taken));
        assert_eq!(look(&shelf, ORIGIN, &["a"]), (vec!["a".to_owned()], vec![1.0]));
        assert_eq!(look(&shelf, ORIGIN, &["a"]).0, Vec::<String>::new());
    }
}
