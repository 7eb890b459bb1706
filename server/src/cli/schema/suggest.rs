//! What a schema could have: for files that come without one, and for documents that say more than theirs.

use super::{open, output, write_new};
use crate::Settings;
use crate::service::folder;
use crate::service::suggestions::{FILE, LEAST, decisions, keep, state_of};
use crate::wire::SuggestionState;
use clap::Args;
use factmask_graph::Store;
use factmask_ingest::{Discovery, DiscoverySource, Term, commented_turtle, discover, suggest_from_files};
use factmask_schema::Iri;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Propose a schema for triples and tables that come without one, or for what the documents of the knowledge base say besides.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  factmask schema suggest facts.tsv -o schema.ttl    then correct the file, it says where it is unsure
  factmask ingest facts.tsv --schema schema.ttl

  factmask schema suggest -o more.ttl                the schema of now, and what the documents have beyond it
  factmask schema publish more.ttl --dry-run         once it is corrected; then ingest the documents again
  factmask schema suggest --reject 3f2a9c0d11b2e4f6  do not propose this again

Triples are lines of subject, relation and object between tabs; a table's relations are its headers, its first column the subject.
Without files, what is proposed are terms that facts are stored under and nobody has declared, columns of tables that are not read, and
words that stand between names again and again.")]
pub(in crate::cli) struct SuggestArgs {
    /// CSV and TSV files, or folders of them; without, the documents of the knowledge base are looked at
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Language of the relations' names where they are not in Chinese characters [default: en]
    #[arg(long, value_name = "TAG", requires = "paths")]
    lang: Option<String>,
    /// Where to write it; an existing file is not replaced [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Words of running text are proposed where they stand between so many different pairs of names
    #[arg(long, value_name = "NUMBER", default_value_t = LEAST, conflicts_with = "paths",
        value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    least: usize,
    /// Do not propose this again, by the id in its comment; may be repeated
    #[arg(long, value_name = "ID", conflicts_with_all = ["paths", "output"])]
    reject: Vec<String>,
    /// Propose this again
    #[arg(long, value_name = "ID", conflicts_with_all = ["paths", "output"])]
    reopen: Vec<String>,
}

pub(super) fn run(args: &SuggestArgs, settings: &Settings) -> anyhow::Result<()> {
    if args.paths.is_empty() {
        return from_store(args, settings);
    }
    let found = suggest_from_files(&args.paths, args.lang.as_deref().unwrap_or_default())?;
    anyhow::ensure!(
        !found.schema.relations.is_empty(),
        "no facts in {} (give CSV or TSV files, of triples or with a header)",
        args.paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
    );
    let turtle = found.to_turtle();
    let Some(file) = &args.output else { return output::print(&turtle) };
    write_new(file, &turtle)?;
    output::print_line(&format!(
        "{}: {} classes, {} relations; go through the lines that begin with \"# ?\", then ingest with --schema {}",
        file.display(),
        found.schema.classes.len(),
        found.schema.relations.len(),
        file.display()
    ))
}

const HEAD: &str = "\
# The schema of the knowledge base, and what its documents say besides. What is proposed has a comment above it: how often it was
# found, where, and an id for `factmask schema suggest --reject ID`. Delete what you do not want, correct the rest, and publish:
#   factmask schema publish FILE --dry-run
# Then ingest the documents again, so that they are read by it.

";

fn from_store(args: &SuggestArgs, settings: &Settings) -> anyhow::Result<()> {
    let store = open::existing_store(settings)?;
    let file = folder(&settings.data, store.tenant()).join(FILE);
    let snapshot = store.snapshot()?;
    if !args.reject.is_empty() || !args.reopen.is_empty() {
        return decide(args, &discover(&store, &snapshot, 1)?, &file);
    }
    let decided = decisions(&file)?;
    let found = discover(&store, &snapshot, args.least)?;
    let wanted = |found: &&Discovery| state_of(&decided, found) != SuggestionState::Rejected;
    let proposed: Vec<&Discovery> = found.iter().filter(wanted).collect();
    let rejected = found.len() - proposed.len();
    let also = if rejected > 0 { format!(" ({rejected} rejected ones are left out)") } else { String::new() };
    if proposed.is_empty() {
        return output::print_line(&format!("The documents say nothing that the schema has no word for{also}."));
    }
    let mut schema = snapshot.schema().clone();
    let mut notes: BTreeMap<Iri, Vec<String>> = BTreeMap::new();
    for found in &proposed {
        match &found.term {
            Term::Class(class) => drop(schema.classes.insert(class.iri.clone(), class.clone())),
            Term::Relation(relation) => drop(schema.relations.insert(relation.iri.clone(), relation.clone())),
        }
        notes.entry(found.term.iri().clone()).or_default().extend(note(&store, found)?);
    }
    let turtle = commented_turtle(&schema, &notes, HEAD);
    let Some(out) = &args.output else { return output::print(&turtle) };
    write_new(out, &turtle)?;
    output::print_line(&format!(
        "{}: {} terms are proposed{also}; each has a comment above it. Correct them, then `factmask schema publish {} --dry-run`",
        out.display(),
        proposed.len(),
        out.display()
    ))
}

fn decide(args: &SuggestArgs, found: &[Discovery], file: &Path) -> anyhow::Result<()> {
    let rejected = args.reject.iter().map(|id| (id, SuggestionState::Rejected));
    let decided: Vec<_> = rejected.chain(args.reopen.iter().map(|id| (id, SuggestionState::Open))).collect();
    for (id, _) in &decided {
        anyhow::ensure!(
            found.iter().any(|found| found.id == **id),
            "{id}: nothing that is found in the documents of now has this id (see `factmask schema suggest`)"
        );
    }
    for (id, state) in decided {
        keep(file, id, state)?;
        let said = if state == SuggestionState::Open { "is proposed again" } else { "is not proposed any more" };
        output::print_line(&format!("{id} {said}."))?;
    }
    Ok(())
}

/// Longest quote in a comment, in characters.
const QUOTE: usize = 160;

/// What was found of a term, and where first.
fn note(store: &Store, found: &Discovery) -> anyhow::Result<Vec<String>> {
    let place = match found.source {
        DiscoverySource::Facts => "stored and not declared",
        DiscoverySource::Column => "in a column that is not read",
        DiscoverySource::Phrase => "between names in running text",
    };
    let mut lines = vec![format!("{}: {} times, of {} things, {place}", found.id, found.count, found.subjects)];
    for place in found.evidence.iter().take(2) {
        let bytes = store.source_range(&place.document, place.span.clone())?;
        let words = String::from_utf8_lossy(&bytes).split_whitespace().collect::<Vec<_>>().join(" ");
        let quote: String = words.chars().take(QUOTE).collect();
        lines.push(format!("  {} bytes {}..{}: {quote}", place.document, place.span.start, place.span.end));
    }
    Ok(lines)
}
