//! `factmask read`: what ingestion sees of a file; and the process in which files are converted.

use super::{open, output};
use clap::Args;
use factmask_ingest::{Limits, answer_conversion, reading};
use std::{path::PathBuf, process::ExitCode};

/// Show the text that is read out of a file.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  factmask read report.pdf              the text as it is stored and cited: Markdown, pages parted by form feeds
  factmask read report.pdf | grep -n revenue

What was left out, and why, is told on standard error.")]
pub(super) struct ReadArgs {
    /// The file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Convert standard input (FILE is then -) as this kind, within bounds; how `ingest` calls this command
    #[arg(long = "as", value_name = "KIND", hide = true)]
    kind: Option<String>,
}

pub(super) fn run(args: &ReadArgs) -> anyhow::Result<()> {
    let found = reading(&args.file, &open::converter()?).map_err(|fault| anyhow::anyhow!("{fault}"))?;
    for warning in &found.warnings {
        eprintln!("warning: {}: {warning}", args.file.display());
    }
    output::print(&found.text)
}

/// The conversion that a parent process has asked for; none where a person has called.
pub(super) fn conversion(args: &ReadArgs) -> Option<ExitCode> {
    let kind = args.kind.as_deref()?;
    let code = answer_conversion(kind, &Limits::default(), std::io::stdin().lock(), std::io::stdout().lock());
    Some(ExitCode::from(code.ok().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}
