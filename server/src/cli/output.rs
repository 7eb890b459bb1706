//! What a command says: results on standard output, everything else on standard error.

use std::{
    io::{self, IsTerminal, Write},
    process::ExitCode,
};

/// Exit code of a command that was stopped by Ctrl-C, as shells have it.
pub(super) const INTERRUPTED: u8 = 130;

/// A command that ended because someone stopped it.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Interrupted(pub(super) String);

/// A failure whose lines have been printed already, one for each thing that failed.
#[derive(Debug, thiserror::Error)]
#[error("told above")]
pub(super) struct Told;

/// Prints one line of several failures.
pub(super) fn tell(error: &anyhow::Error) {
    eprintln!("factmask: {}", one_line(error));
}

/// Prints a result. A reader that has gone (`| head`) ends the command without a word.
pub(super) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(anyhow::Error::from)
}

/// Prints a result and ends its line.
pub(super) fn print_line(text: &str) -> anyhow::Result<()> {
    print(&format!("{text}\n"))
}

/// The one line of a failure.
pub(super) fn failure(error: &anyhow::Error) -> ExitCode {
    if error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
        return ExitCode::SUCCESS;
    }
    if !error.is::<Told>() {
        tell(error);
    }
    ExitCode::from(if error.downcast_ref::<Interrupted>().is_some() { INTERRUPTED } else { 1 })
}

/// The error with its causes in one line. Many errors of libraries repeat their cause; it is said once.
fn one_line(error: &anyhow::Error) -> String {
    let mut line = String::new();
    for cause in error.chain() {
        let text = cause.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        if line.is_empty() {
            line = text;
        } else if !line.contains(&text) {
            line = format!("{line}: {text}");
        }
    }
    line
}

/// The log goes to standard error; `RUST_LOG` says how much of it.
pub(super) fn start_log() {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn,html5ever=error"));
    // Colours are for people at a terminal; in a file they are noise. See no-color.org for the variable.
    let colours = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(colours).with_writer(io::stderr);
    // Fails only when a log has been started already, as in a test.
    let _ = log.try_init();
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

    #[test]
    fn a_failure_is_one_line_without_repetition() {
        let inner = || Err::<(), _>(io::Error::other("disk\nfull"));
        let cases = [
            (inner().context("store"), "store: disk full"),
            (inner().context("store: disk full"), "store: disk full"),
            (inner().map_err(anyhow::Error::from), "disk full"),
        ];
        for (result, expected) in cases {
            assert_eq!(result.map_err(|error| one_line(&error)), Err(expected.to_owned()));
        }
    }
}
