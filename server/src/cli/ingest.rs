//! `factmask ingest`.

use super::{examples, open, output, report, schema};
use crate::{Settings, eval::check_place, service::preview::preview, wire::PreviewBody};
use clap::Args;
use factmask_engine::question::language;
use factmask_graph::{Outcome, Store};

use factmask_ingest::{Pipeline, PipelineOptions, Progress, Report};
use indicatif::{ProgressBar, ProgressStyle};
use std::{
    io::{IsTerminal, Write},
    path::PathBuf,
};

/// Warnings that are shown; the rest is counted.
const MOST_WARNINGS: usize = 20;

/// Read documents into the store.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  factmask ingest docs/ --schema schema.ttl      the schema is kept; later runs need it no more
  factmask ingest docs/ --prune                  and forget documents whose files are gone from docs/
  factmask ingest table.csv --mapping map.toml   columns by a mapping file
  factmask ingest docs/ --estimate               what it would do and how long it would take
  factmask ingest docs/ --dry-run                what facts it would add and remove, and change nothing
  factmask ingest docs/ --examples texts.jsonl   read sentences as these examples are read; one JSON object a line:
                                                 {\"text\": \"...\", \"triples\": [[\"subject\", \"relation\", \"object\"]]}

Read are:
  RDF        .ttl .trig .nt .nq, .rdf .owl and .xml with an rdf:RDF root, .jsonld (facts of all graphs; remote contexts are
             never fetched)
  tables     .csv .tsv, and objects in .json .jsonl .ndjson
  texts      .md .txt .srt
  documents  .pdf .docx .pptx .xlsx .xlsb .xls .ods .html .epub, which are converted to text first (`factmask read FILE` shows it)

An unchanged file is skipped, a changed one replaces exactly its own facts. A run that was stopped goes on where it was.
A new schema is then read by the models, once, so that the first question need not wait for it.")]
pub(super) struct IngestArgs {
    /// Files and folders
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Schema in Turtle; kept in the store
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,
    /// Which column means which relation, for tables whose headers do not say; FILE.map.toml beside a table goes first
    #[arg(long, value_name = "FILE")]
    mapping: Option<PathBuf>,
    /// Delete documents of these folders whose files are gone
    #[arg(long)]
    prune: bool,
    /// Refuse larger files [default: 64 MiB]
    #[arg(long, value_name = "BYTES")]
    max_file_bytes: Option<u64>,
    /// Only say what would be read and how long it would take
    #[arg(long)]
    estimate: bool,
    /// Only say which facts would be added and removed, and which entities nothing would be known of any longer
    #[arg(long, conflicts_with_all = ["estimate", "prune", "schema", "examples", "forget_examples"])]
    dry_run: bool,
    /// Documents that are read at the same time; what is stored does not depend on it [default: the processor's cores, at most 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    workers: Option<u16>,
    /// Texts with facts that they state, to learn from how others say theirs; kept for later runs and uploads
    #[arg(long, value_name = "FILE")]
    examples: Option<PathBuf>,
    /// Forget the texts of --examples
    #[arg(long, conflicts_with = "examples")]
    forget_examples: bool,
    /// Write what became of each file, as JSON
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// A line for each document once it is safely stored: "added", "replaced" or "unchanged", its id, its facts
    #[arg(long, short)]
    verbose: bool,
}

/// What is to be read.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) paths: Vec<PathBuf>,
    pub(super) schema: Option<PathBuf>,
    pub(super) mapping: Option<PathBuf>,
    pub(super) prune: bool,
    pub(super) max_file_bytes: Option<u64>,
    pub(super) estimate: bool,
    pub(super) dry_run: bool,
    /// Documents that are read at the same time.
    pub(super) workers: Option<u16>,
    /// Texts to learn from.
    pub(super) examples: Option<PathBuf>,
    pub(super) forget_examples: bool,
    /// Where to write what became of each file.
    pub(super) report: Option<PathBuf>,
    /// A line for each stored document.
    pub(super) verbose: bool,
    /// Show what was left out or is doubtful.
    pub(super) warnings: bool,
    /// Let the models read a new schema, so that the first question need not wait for it.
    pub(super) read_ahead: bool,
}

pub(super) fn run(args: &IngestArgs, settings: &Settings) -> anyhow::Result<()> {
    let plan = Plan {
        paths: args.paths.clone(),
        schema: args.schema.clone(),
        mapping: args.mapping.clone(),
        prune: args.prune,
        max_file_bytes: args.max_file_bytes,
        estimate: args.estimate,
        dry_run: args.dry_run,
        workers: args.workers,
        examples: args.examples.clone(),
        forget_examples: args.forget_examples,
        report: args.report.clone(),
        verbose: args.verbose,
        warnings: true,
        read_ahead: true,
    };
    ingest(&plan, settings)
}

/// Reads documents. A file that gives nothing does not stop the others; each has its line, and the whole fails in the end.
pub(super) fn ingest(plan: &Plan, settings: &Settings) -> anyhow::Result<()> {
    // Faults in what was given are told before a store is opened or made.
    for path in &plan.paths {
        anyhow::ensure!(path.exists(), "{}: no such file or folder (check the path)", path.display());
    }
    if let Some(report) = &plan.report {
        check_place(report)?;
    }
    let given = plan.schema.as_deref().map(schema::load).transpose()?;
    let (store, jobs) = open::store(settings)?;
    // Not a snapshot: one changed file of a large store should not wait for all facts.
    let stored = store.schema()?;
    let schema = given.as_ref().unwrap_or(&stored);
    let lessons = examples::lessons(plan, jobs.parent().unwrap_or(&jobs), schema)?;
    let mut options = PipelineOptions {
        mapping: plan.mapping.clone(),
        prune: plan.prune,
        converter: open::converter()?,
        lessons,
        ..PipelineOptions::new(jobs)
    };
    options.workers = plan.workers.map_or_else(workers, usize::from);
    options.max_file_bytes = plan.max_file_bytes.unwrap_or(options.max_file_bytes);
    let pipeline = Pipeline::new(&store, schema, options)?;
    if plan.estimate {
        let found = pipeline.estimate(&plan.paths)?;
        return output::print_line(&format!(
            "{} files of {} bytes, of which {} ({} bytes) are new or changed; about {:.1} s; {} would be refused",
            found.files, found.bytes, found.changed, found.changed_bytes, found.seconds, found.refused
        ));
    }
    if plan.dry_run {
        let trial = pipeline.trial_paths(&plan.paths)?;
        return output::print(&would(&preview(&store, trial, "en")?));
    }
    let new_schema = given.as_ref().is_some_and(|given| *given != stored);
    if new_schema {
        store.put_schema(schema)?;
    }
    let mut shown = Shown { verbose: plan.verbose, ..Shown::default() };
    let report = pipeline.ingest_paths(&plan.paths, &mut |step| shown.step(step));
    shown.end();
    let report = report?;
    if let Some(path) = &plan.report {
        let written = std::fs::write(path, report::json(&report));
        written.map_err(|error| anyhow::anyhow!("{}: the report cannot be written: {error}", path.display()))?;
    }
    if plan.warnings {
        warn(&report);
    }
    output::print_line(&summary(&report))?;
    // Also where an earlier run was stopped before it, or had no models.
    let unread = !open::vectors_folder(settings)?.is_dir();
    let readable = language::READ.iter().any(|lang| schema.speaks(lang));
    if plan.read_ahead && readable && (new_schema || unread) {
        read_ahead(settings, &store);
    }
    if report.failures().is_empty() { Ok(()) } else { Err(output::Told.into()) }
}

/// More than a few wait for each other at the store.
fn workers() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get().min(4))
}

/// What would be done: counts, then facts with a sign before each.
fn would(body: &PreviewBody) -> String {
    let PreviewBody { facts_added, facts_removed, facts_weakened, orphaned_entities, .. } = body;
    let mut text = format!(
        "would add {} documents and replace {}; {} have not changed, {} would be refused\n{} facts added, {} removed, {} with less evidence; {} entities orphaned; {} cards to encode again\n",
        body.documents_added.len(),
        body.documents_replaced.len(),
        body.documents_unchanged,
        body.rejected.len(),
        facts_added.count,
        facts_removed.count,
        facts_weakened.count,
        orphaned_entities.count,
        body.cards_touched,
    );
    for line in &body.rejected {
        text.push_str(&format!("! {line}\n"));
    }
    for (sign, sample) in [('+', facts_added), ('-', facts_removed), ('~', facts_weakened)] {
        for fact in &sample.first {
            text.push_str(&format!("{sign} {} | {} | {}\n", fact.subject.name, fact.relation.name, fact.object.text()));
        }
        if sample.count > sample.first.len() {
            text.push_str(&format!("{sign} and {} more\n", sample.count - sample.first.len()));
        }
    }
    for entity in &orphaned_entities.first {
        text.push_str(&format!("orphan {} <{}>\n", entity.name, entity.iri));
    }
    text
}

/// Every document is stored by now; whatever stands in the way is told by the first question that needs it.
fn read_ahead(settings: &Settings, store: &Store) {
    let Some(engine) = open::pulled_engine(settings) else { return };
    let Ok(snapshot) = store.snapshot() else { return };
    let mut reading = Reading::default();
    let mut progress = |done, of| {
        reading.step(done, of);
        Ok(())
    };
    if let Err(error) = engine.read_ahead(&settings.tenant, &snapshot, &mut progress) {
        tracing::debug!("the schema is not read ahead: {error}");
    }
}

/// Tells how far the models have read the schema: a bar on a terminal, elsewhere one line.
#[derive(Default)]
pub(super) struct Reading {
    bar: Option<ProgressBar>,
    told: bool,
}

impl Reading {
    pub(super) fn step(&mut self, done: usize, of: usize) {
        const WHAT: &str = "the language model reads the schema, once";
        if !std::io::stderr().is_terminal() {
            if !std::mem::replace(&mut self.told, true) {
                eprintln!("{WHAT}");
            }
            return;
        }
        let bar = self.bar.get_or_insert_with(|| progress_bar(of as u64));
        bar.set_length(of as u64);
        bar.set_position(done as u64);
        bar.set_message(WHAT);
        if done == of {
            bar.finish_and_clear();
            self.bar = None;
        }
    }
}

fn progress_bar(length: u64) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template("{pos}/{len} [{bar:30}] {eta} {wide_msg}") {
        bar.set_style(style);
    }
    bar
}

/// A bar on a terminal; elsewhere only what went wrong.
#[derive(Default)]
struct Shown {
    bar: Option<ProgressBar>,
    verbose: bool,
}

impl Shown {
    fn step(&mut self, step: Progress) {
        match step {
            Progress::Started { files, .. } => {
                if std::io::stderr().is_terminal() {
                    self.bar = Some(progress_bar(files));
                }
            }
            Progress::Reading { document } => {
                if let Some(bar) = &self.bar {
                    bar.set_message(document);
                }
            }
            Progress::Acknowledged { document, outcome, facts } => {
                self.advance();
                if self.verbose {
                    self.aside(|| stored(&document, outcome, facts));
                }
            }
            Progress::Failed(fault) => {
                self.advance();
                self.aside(|| output::tell(&anyhow::anyhow!("{fault}")));
            }
            Progress::Skipped(skipped) => self.aside(|| eprintln!("skipped {}: {}", skipped.path, skipped.reason)),
            Progress::Pruned { document } => self.aside(|| eprintln!("deleted {document}: its file is gone")),
        }
    }

    fn advance(&self) {
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
    }

    fn aside(&self, print: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

/// Written at once, so that whoever reads along knows what is safe whatever happens next. Nobody reading is no reason to stop.
fn stored(document: &str, outcome: Outcome, facts: u64) {
    let done = match outcome {
        Outcome::Added => "added",
        Outcome::Replaced => "replaced",
        Outcome::Unchanged => "unchanged",
    };
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{done} {document} ({facts} facts)").and_then(|()| out.flush());
}

fn warn(report: &Report) {
    for (document, warning) in report.warnings.iter().take(MOST_WARNINGS) {
        let separator = if document.is_empty() { "" } else { ": " };
        eprintln!("warning: {document}{separator}{warning}");
    }
    if report.warnings.len() > MOST_WARNINGS {
        eprintln!("and {} more warnings", report.warnings.len() - MOST_WARNINGS);
    }
}

fn summary(report: &Report) -> String {
    let counts = [
        (report.added.len(), "added"),
        (report.replaced.len(), "replaced"),
        (report.unchanged.len(), "unchanged"),
        (report.pruned.len(), "deleted"),
        (report.failures().len(), "refused"),
    ];
    let counts: Vec<_> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    let documents = if counts.is_empty() { "none".to_owned() } else { counts.join(", ") };
    format!("documents: {documents}; {} facts read in {:.1} s", report.facts, report.elapsed.as_secs_f64())
}
