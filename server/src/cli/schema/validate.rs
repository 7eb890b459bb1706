//! `factmask schema validate`: what breaks the rules of classes.

use super::{load_any, output};
use crate::{Settings, cli::open};
use anyhow::Context;
use clap::Args;
use factmask_graph::{Facts, SchemaChange, Snapshot, read_triples};
use factmask_schema::Schema;
use factmask_schema::shapes::{Data, Graph, Severity, Term, Triples, Violation, validate};
use serde_json::json;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// Check facts against the rules of classes.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  factmask schema validate                                what is in the store, by its own schema
  factmask schema validate --schema next.ttl              the same by another schema, before it is published
  factmask schema validate data.ttl --schema shapes.ttl   RDF files, by a schema or by SHACL shapes of others
  factmask schema validate data.nt --json report.json

Each broken rule is a line: the entity, what is asked of it, the value that is wrong, how bad it is. The exit code is 1 where something is
a violation, and 0 where there are warnings and infos alone. Of shapes of others, what no rule can say is told and not checked.")]
pub(in crate::cli) struct ValidateArgs {
    /// RDF files [default: the facts of the knowledge base]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Whose rules: a schema, or shapes of others [default: the schema of the knowledge base]
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,
    /// Where to write everything as JSON too
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Language of sentences and names
    #[arg(long, value_name = "TAG", default_value = "en")]
    lang: String,
}

pub(super) fn run(args: &ValidateArgs, settings: &Settings) -> anyhow::Result<()> {
    let schema = args.schema.as_deref().map(load_any).transpose()?;
    if args.files.is_empty() {
        let store = open::existing_store(settings)?;
        let snapshot = match &schema {
            None => store.snapshot()?,
            Some(schema) => store.preview_schema(schema, &SchemaChange::default())?.1,
        };
        return report(snapshot.schema(), &Facts::of(&snapshot), Some(&snapshot), args);
    }
    let schema = match schema {
        Some(schema) => schema,
        None => open::existing_store(settings)?.schema()?,
    };
    let graph = args.files.iter().map(|file| triples(file)).collect::<anyhow::Result<Vec<_>>>()?;
    let graph: Graph = graph.into_iter().flatten().collect();
    report(&schema, &Triples::new(graph, &schema), None, args)
}

fn triples(file: &Path) -> anyhow::Result<Vec<factmask_graph::Triple>> {
    let bytes = std::fs::read(file).with_context(|| format!("{}: cannot be read", file.display()))?;
    let ending = file.extension().map(|ending| ending.to_string_lossy()).unwrap_or_default();
    let whole = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let base = whole.to_string_lossy().replace('%', "%25").replace(' ', "%20");
    read_triples(&bytes, &ending, &format!("file://{base}"))
        .map_err(|message| anyhow::anyhow!("{}: {message}", file.display()))
}

fn report(
    schema: &Schema,
    data: &dyn Data,
    snapshot: Option<&Arc<Snapshot>>,
    args: &ValidateArgs,
) -> anyhow::Result<()> {
    let found = validate(schema, data);
    if let Some(file) = &args.json {
        let text = format!("{:#}\n", as_json(&found, schema, &args.lang));
        std::fs::write(file, text).with_context(|| format!("{}: cannot be written", file.display()))?;
    }
    let lines: String = found.iter().map(|violation| line(violation, schema, snapshot, &args.lang)).collect();
    output::print(&lines)?;
    let count = |severity| found.iter().filter(|violation| violation.severity() == severity).count();
    let (violations, warnings, infos) = (count(Severity::Violation), count(Severity::Warning), count(Severity::Info));
    let rules: usize = schema.classes.values().map(|class| class.rules.len() + usize::from(class.closed)).sum();
    let told = format!("{rules} rules: {violations} violations, {warnings} warnings, {infos} infos");
    anyhow::ensure!(violations == 0, "{told}");
    output::print_line(&told)
}

/// A broken rule in a line.
fn line(violation: &Violation<'_>, schema: &Schema, snapshot: Option<&Arc<Snapshot>>, lang: &str) -> String {
    let named = |term: &Term| {
        let known = snapshot.and_then(|snapshot| match term {
            Term::NamedNode(iri) => snapshot.find(iri).map(|id| snapshot.name(id, lang).to_owned()),
            _ => None,
        });
        known.map_or_else(|| term.to_string(), |name| format!("{name} {term}"))
    };
    let value = violation.value.as_ref().map(|value| format!(" It has {}.", named(value))).unwrap_or_default();
    let severity = violation.severity().local_name().to_lowercase();
    let class = schema.classes.get(violation.class).map(|class| class.label(lang)).unwrap_or_default();
    let (message, relation) = (violation.message(schema, lang), &violation.relation);
    format!("{}: {relation}: {message}{value} ({severity}, rule of “{class}”)\n", named(&violation.focus))
}

/// Everything in the manner of a SHACL validation report; terms as N-Triples has them.
fn as_json(found: &[Violation<'_>], schema: &Schema, lang: &str) -> serde_json::Value {
    let result = |violation: &Violation<'_>| {
        json!({
            "focus": violation.focus.to_string(),
            "class": violation.class.as_str(),
            "relation": violation.relation.as_str(),
            "inverse": violation.rule.is_some_and(|rule| rule.inverse),
            "constraint": violation.constraint.name(),
            "component": violation.constraint.component(),
            "value": violation.value.as_ref().map(ToString::to_string),
            "severity": violation.severity().local_name().to_lowercase(),
            "message": violation.message(schema, lang),
        })
    };
    json!({ "format": 1, "conforms": found.is_empty(), "results": found.iter().map(result).collect::<Vec<_>>() })
}
