//! `factmask schema`.

mod history;
mod suggest;
mod validate;

use super::{open, output};
use crate::Settings;
use anyhow::Context;
use clap::{Args, Subcommand};
use factmask_schema::{Imported, Schema};
use std::path::{Path, PathBuf};

/// Longest schema file that is read.
const MOST_BYTES: u64 = 16 << 20;

/// Check, propose, import and publish schemas, check facts against their rules, and go back to earlier ones.
#[derive(Subcommand, Debug)]
pub(super) enum SchemaCommand {
    /// Read a schema file and tell every fault with its line, or what it declares
    Check {
        /// A Turtle file
        file: PathBuf,
    },
    /// Tell what breaks the rules of classes: facts of the knowledge base, or RDF files
    Validate(validate::ValidateArgs),
    /// Propose a schema for files that come without one, or what the documents of the knowledge base have beyond its schema
    Suggest(suggest::SuggestArgs),
    /// Make a schema of an ontology or of SHACL shapes that others wrote; what is not understood is carried along
    Import {
        /// A Turtle file
        file: PathBuf,
        /// Where to write it; an existing file is not replaced [default: standard output]
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Print the schema of the knowledge base as Turtle
    Show {
        /// An earlier version, by its number
        #[arg(long, value_name = "NUMBER")]
        version: Option<u32>,
        /// For others: what is carried along stands as triples of its own
        #[arg(long)]
        full: bool,
        /// As a shapes graph of SHACL: the rules of classes, and what relations say of their ends. It has no word for one value
        /// per qualifier, nor for relations that run both ways
        #[arg(long, conflicts_with = "full")]
        shacl: bool,
    },
    /// Replace the schema of the knowledge base, and keep who and why
    Publish(PublishArgs),
    /// List the versions of the schema: number, date, author, reason, and what changed
    Versions,
    /// Go back to an earlier version of the schema, with the facts of what was renamed since
    Restore {
        /// Its number
        version: u32,
        #[command(flatten)]
        why: WhyArgs,
    },
}

/// Replace the schema of the knowledge base.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  factmask schema show > schema.ttl                        then edit it
  factmask schema publish schema.ttl --dry-run             what would change
  factmask schema publish schema.ttl --author Ann --reason \"clearer\" \\
      --rename relation http://example.com/boss http://example.com/leader
  factmask schema publish schema.ttl --split class http://example.com/Person http://example.com/Employee \\
      \"has http://example.com/employer\"                  who has an employer is an employee now

What is renamed takes its facts along; documents that still use the old name are understood. Documents are read by the new schema when
they are ingested again.

What meets the condition of a split moves from the one term to the other, which may be there already; everything else stays. Conditions:
  has IRI           of a class: entities of which this relation is said
  IRI is VALUE      of a class: entities of which it is said with this value (an entity's IRI, or words)
  one of IRI IRI    of a class: these entities
  subject IRI       of a relation: what it says of entities of this class
  object IRI        of a relation: what has an entity of this class as its object
  object KIND       of a relation: what has an object of this kind (entity, text, number, date, boolean)
A document that comes later is split by what it says itself: where it does not say what decides, it keeps the old term.")]
pub(super) struct PublishArgs {
    /// A Turtle file
    file: PathBuf,
    /// A term that the new schema calls otherwise (class, relation or qualifier, IRI before, IRI now); may be repeated
    #[arg(long, num_args = 3, value_names = ["KIND", "FROM", "TO"])]
    rename: Vec<String>,
    /// A part of a term that is another term in the new schema (class or relation, IRI of the term, IRI of what the part becomes, and
    /// which part); may be repeated, and is done in order after the renames
    #[arg(long, num_args = 4, value_names = ["KIND", "FROM", "TO", "WHEN"])]
    split: Vec<String>,
    #[command(flatten)]
    why: WhyArgs,
}

/// Who changes a schema, and why.
#[derive(Args, Debug)]
pub(super) struct WhyArgs {
    /// Who changes it
    #[arg(long, value_name = "NAME", default_value = "")]
    author: String,
    /// Why
    #[arg(long, value_name = "WORDS", default_value = "")]
    reason: String,
    /// Only tell what would change
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(command: &SchemaCommand, settings: &Settings) -> anyhow::Result<()> {
    match command {
        SchemaCommand::Check { file } => check(file),
        SchemaCommand::Validate(args) => validate::run(args, settings),
        SchemaCommand::Suggest(args) => suggest::run(args, settings),
        SchemaCommand::Import { file, output } => import(file, output.as_deref()),
        SchemaCommand::Show { version, full, shacl } => {
            let write = match (full, shacl) {
                (true, _) => Schema::to_full_turtle,
                (_, true) => Schema::to_shacl,
                _ => Schema::to_turtle,
            };
            history::show(&open::existing_store(settings)?, *version, write)
        }
        SchemaCommand::Publish(args) => history::publish(&open::existing_store(settings)?, args),
        SchemaCommand::Versions => history::versions(&open::existing_store(settings)?),
        SchemaCommand::Restore { version, why } => history::restore(&open::existing_store(settings)?, *version, why),
    }
}

/// Writes a file that must not be there: what is there may have been corrected by hand.
fn write_new(file: &Path, text: &str) -> anyhow::Result<()> {
    let mut out = std::fs::File::create_new(file)
        .with_context(|| format!("{}: cannot be written (choose another -o, or move the file away)", file.display()))?;
    std::io::Write::write_all(&mut out, text.as_bytes())
        .with_context(|| format!("{}: cannot be written (check the disk)", file.display()))
}

fn import(file: &Path, output: Option<&Path>) -> anyhow::Result<()> {
    let imported = Schema::import(&text(file)?, &file.display().to_string())
        .map_err(|error| anyhow::anyhow!("{}", error.faults.first().map(ToString::to_string).unwrap_or_default()))?;
    for note in &imported.notes {
        eprintln!("{note}");
    }
    let schema = &imported.schema;
    match output {
        None => output::print(&schema.to_turtle()),
        Some(file) => {
            write_new(file, &schema.to_turtle())?;
            output::print_line(&format!(
                "{}: {} classes, {} relations, {} qualifiers; {} triples are carried along; {} notes",
                file.display(),
                schema.classes.len(),
                schema.relations.len(),
                schema.qualifiers.len(),
                schema.kept.len(),
                imported.notes.len()
            ))
        }
    }
}

fn check(file: &Path) -> anyhow::Result<()> {
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

/// Reads a schema of ours, or what others wrote; of that it is told what is not understood.
fn load_any(file: &Path) -> anyhow::Result<Schema> {
    let text = text(file)?;
    let source = file.display().to_string();
    if let Ok(schema) = Schema::parse(&text, &source) {
        return Ok(schema);
    }
    let Imported { schema, notes } = Schema::import(&text, &source).map_err(|error| {
        anyhow::anyhow!("schema {}", error.faults.first().map(ToString::to_string).unwrap_or_default())
    })?;
    notes.iter().for_each(|note| eprintln!("{note}"));
    Ok(schema)
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
