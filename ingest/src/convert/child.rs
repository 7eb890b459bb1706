//! Converting in a process of its own, within bounds of time and memory.
//!
//! The program is this one again (`factmask read - --as KIND`): it sets its own limits before it reads a byte, takes the file on
//! standard input and answers on standard output. What it can do to us is to end.

use super::{Container, Reading, Unreadable};
use std::ffi::OsString;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Where files are converted.
#[derive(Clone, Debug)]
pub enum Converter {
    /// In this process. A file can take all its memory and time: for tests, and for whoever has bounds of their own.
    Here,
    /// In a child for each file: `program arguments... --as KIND` must end in [`answer`].
    Child {
        /// The program.
        program: PathBuf,
        /// What goes before `--as`.
        arguments: Vec<OsString>,
    },
}

/// What one file may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of memory that the process may map.
    pub memory: u64,
    /// Time for any file.
    pub time: Duration,
    /// Time beyond that for each MiB of it.
    pub time_for_mebibyte: Duration,
}

impl Default for Limits {
    /// A GiB, and eight seconds and one more for each MiB.
    fn default() -> Self {
        Self { memory: 1 << 30, time: Duration::from_secs(8), time_for_mebibyte: Duration::from_secs(1) }
    }
}

impl Limits {
    fn time_for(&self, bytes: usize) -> Duration {
        self.time + self.time_for_mebibyte * u32::try_from(bytes >> 20).unwrap_or(u32::MAX)
    }
}

/// The child has said why there is no reading.
const REFUSED: i32 = 3;
/// No reading is larger: a book has a megabyte.
const LONGEST_READING: u64 = 256 << 20;

impl Converter {
    pub(crate) fn convert(&self, container: Container, bytes: Vec<u8>, limits: &Limits) -> Result<Reading, Unreadable> {
        match self {
            Self::Here => std::panic::catch_unwind(|| container.convert(bytes)).unwrap_or_else(|_| Err(crashed())),
            Self::Child { program, arguments } => {
                let mut command = Command::new(program);
                command.args(arguments).arg("--as").arg(container.name());
                within(command, bytes, limits)
            }
        }
    }
}

fn within(mut command: Command, bytes: Vec<u8>, limits: &Limits) -> Result<Reading, Unreadable> {
    let cannot = |error: std::io::Error| {
        Unreadable::new(format!("cannot be read: no process for it could be started ({error})"))
    };
    let time = limits.time_for(bytes.len());
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().map_err(cannot)?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let (done, answered) = channel();
    // Both ends at once: a child that answers before it has read all would wait for us, and we for it.
    let writer = std::thread::spawn(move || {
        if let Some(mut stdin) = stdin {
            // A child that has ended has had enough.
            let _ = stdin.write_all(&bytes);
        }
    });
    let reader = std::thread::spawn(move || {
        let mut answer = Vec::new();
        if let Some(stdout) = stdout {
            let _ = stdout.take(LONGEST_READING).read_to_end(&mut answer);
        }
        let _ = done.send(answer);
    });
    let answer = answered.recv_timeout(time);
    if answer.is_err() {
        let _ = child.kill();
    }
    let status = child.wait();
    let _ = (writer.join(), reader.join());
    match answer {
        Ok(answer) => judged(status.map_err(cannot)?, answer, limits),
        Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => Err(Unreadable::new(format!(
            "takes more than {} s to read; split it, or convert it to text by another program",
            time.as_secs()
        ))),
    }
}

fn judged(status: ExitStatus, answer: Vec<u8>, limits: &Limits) -> Result<Reading, Unreadable> {
    let text = String::from_utf8(answer).unwrap_or_default();
    match (status.code(), status.signal()) {
        (Some(0), _) => Reading::parse(&text).ok_or_else(crashed),
        (Some(REFUSED), _) if !text.trim().is_empty() => Err(Unreadable::new(text.trim())),
        (_, Some(_)) => Err(Unreadable::new(format!(
            "needs more than {} MiB of memory to read, or is made to break its reader; split it, or convert it to text by another program",
            limits.memory >> 20
        ))),
        _ => Err(crashed()),
    }
}

fn crashed() -> Unreadable {
    Unreadable::new("is damaged in a way that its reader does not survive; save or export it anew")
}

/// The child's side: reads a file from `input` and answers on `output` with exit code 0 or 3.
///
/// # Errors
/// When the limits cannot be set, or the input or output fails.
pub fn answer(kind: &str, limits: &Limits, mut input: impl Read, mut output: impl Write) -> std::io::Result<i32> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let within = |most: u64| Rlimit { current: Some(most), maximum: Some(most) };
    setrlimit(Resource::As, within(limits.memory))?;
    // No file of what was in memory when it broke.
    setrlimit(Resource::Core, within(0))?;
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;
    let converted = match Container::named(kind) {
        Some(container) => container.convert(bytes),
        None => Err(Unreadable::new(format!("\"{kind}\" is no kind of file that is converted"))),
    };
    match converted {
        Ok(reading) => output.write_all(reading.written().as_bytes()).map(|()| 0),
        Err(unreadable) => output.write_all(unreadable.message.as_bytes()).map(|()| REFUSED),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
    use super::*;

    /// A child that does something else than convert.
    fn child(script: &str) -> Result<Reading, Unreadable> {
        let limits = Limits { time: Duration::from_millis(700), ..Limits::default() };
        let converter = Converter::Child { program: "/bin/sh".into(), arguments: vec!["-c".into(), script.into()] };
        // More than a pipe holds, so that a child that does not read keeps us waiting.
        converter.convert(Container::Pdf, vec![b'x'; 1 << 18], &limits)
    }

    #[test]
    fn whatever_becomes_of_the_child_is_told() {
        let reading = Reading { text: "Text.\n".to_owned(), warnings: vec!["page 2: gone".to_owned()] };
        let script = format!("cat >/dev/null; printf '%s' '{}'", reading.written());
        assert_eq!(child(&script), Ok(reading));
        for (script, told) in [
            ("cat >/dev/null; echo 'is odd; mend it'; exit 3", "is odd; mend it"),
            ("exit 1", "is damaged in a way"),
            ("cat >/dev/null; echo no reading", "is damaged in a way"),
            ("kill -SEGV $$", "needs more than 1024 MiB of memory"),
            ("exec sleep 60", "takes more than 0 s to read"),
        ] {
            let message = child(script).unwrap_err().message;
            assert!(message.contains(told), "{script}: {message}");
        }
        let missing = Converter::Child { program: "/nowhere/factmask".into(), arguments: Vec::new() };
        let message = missing.convert(Container::Pdf, Vec::new(), &Limits::default()).unwrap_err().message;
        assert!(message.contains("no process for it could be started"), "{message}");
    }

    #[test]
    fn larger_files_have_more_time() {
        let limits = Limits::default();
        assert_eq!((limits.time_for(1).as_secs(), limits.time_for(5 << 20).as_secs()), (8, 13));
    }
}
