//! `factmask schema`.

use super::output;
use anyhow::Context;
use clap::Subcommand;
use factmask_schema::Schema;
use std::path::{Path, PathBuf};

/// Longest schema file that is read.
const MOST_BYTES: u64 = 16 << 20;

/// Check a schema file.
#[derive(Subcommand, Debug)]
pub(super) enum SchemaCommand {
    /// Read a schema file and tell every fault with its line, or what it declares
    Check {
        /// A Turtle file
        file: PathBuf,
    },
}

pub(super) fn run(command: &SchemaCommand) -> anyhow::Result<()> {
    let SchemaCommand::Check { file } = command;
    let text = text(file)?;
    match Schema::parse(&text, &file.display().to_string()) {
        Ok(schema) => output::print_line(&format!(
            "{}: {} classes, {} relations, {} qualifiers",
            file.display(),
            schema.classes.len(),
            schema.relations.len(),
            schema.qualifiers.len()
        )),
        Err(error) => {
            // Each fault on a line of its own; then the one line of the failure.
            for fault in &error.faults {
                eprintln!("{fault}");
            }
            anyhow::bail!("schema {}: {} (correct them and check again)", file.display(), faults(error.faults.len()))
        }
    }
}

/// Reads a schema for a command that needs one: the first fault is told, and how to see the others.
pub(super) fn load(file: &Path) -> anyhow::Result<Schema> {
    Schema::parse(&text(file)?, &file.display().to_string()).map_err(|error| {
        let first = error.faults.first().map(ToString::to_string).unwrap_or_default();
        let more = match error.faults.len().saturating_sub(1) {
            0 => String::new(),
            more => format!(" (and {more} more: see `factmask schema check {}`)", file.display()),
        };
        anyhow::anyhow!("schema {first}{more}")
    })
}

fn text(file: &Path) -> anyhow::Result<String> {
    let cannot = || format!("schema {}: cannot be read (check --schema)", file.display());
    let found = std::fs::metadata(file).with_context(cannot)?;
    anyhow::ensure!(found.is_file(), "schema {}: not a file (give a Turtle file)", file.display());
    anyhow::ensure!(
        found.len() <= MOST_BYTES,
        "schema {}: {} bytes, more than {MOST_BYTES} (a schema holds no facts; give those to `factmask ingest`)",
        file.display(),
        found.len()
    );
    let bytes = std::fs::read(file).with_context(cannot)?;
    String::from_utf8(bytes).map_err(|error| {
        let line = error.as_bytes().get(..error.utf8_error().valid_up_to()).unwrap_or_default();
        let line = line.iter().filter(|byte| **byte == b'\n').count() + 1;
        anyhow::anyhow!("schema {}:{line}: not UTF-8 (Turtle is written in UTF-8; convert the file)", file.display())
    })
}

fn faults(count: usize) -> String {
    if count == 1 { "1 fault".to_owned() } else { format!("{count} faults") }
}
