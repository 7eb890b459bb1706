//! Texts with gold triples: how much of what they say is found, and how much of what is found they say.

use super::{normal::Normal, set, totals, world::read_schema};
use anyhow::{Context as _, Result, bail};
use factmask_graph::{Snapshot, Store, TenantId};
use factmask_ingest::{Pipeline, PipelineOptions, Triple, suggest_schema};
use factmask_schema::{Range, Schema};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    time::Instant,
};

/// A text and what it says.
#[derive(Clone, Debug, Deserialize)]
pub struct TextRow {
    /// Unique in its set.
    pub id: String,
    /// The text.
    pub text: String,
    /// Subject, relation, object.
    pub triples: Vec<[String; 3]>,
    /// BCP 47 tag.
    #[serde(default)]
    pub lang: String,
}

/// A run in figures, micro-averaged over all triples of all texts.
#[derive(Clone, Debug, Serialize)]
pub struct Extraction {
    /// Version of this shape.
    pub format: u32,
    /// The set.
    pub set: String,
    /// Texts read.
    pub texts: usize,
    /// Gold triples.
    pub gold: usize,
    /// Triples found.
    pub found: usize,
    /// Found triples that are gold: subject, relation and object equal after normalisation.
    pub right: usize,
    /// Right by found.
    pub precision: f64,
    /// Right by gold.
    pub recall: f64,
    /// Harmonic mean of both.
    pub f1_strict: f64,
    /// Seconds from the texts to the facts.
    pub seconds: f64,
    /// Most memory of the process so far, MiB.
    pub peak_rss_mb: f64,
}

/// Subject, relation, object.
type Spo = [Normal; 3];

/// Ingests each text as a document of its own. Without `own_schema` the schema is the names of the set's relations and nothing
/// else: which of them a text states, between what, is not told.
///
/// # Errors
/// A file that cannot be read.
pub fn extract(file: &Path, limit: usize, own_schema: Option<&Path>) -> Result<Extraction> {
    let mut rows: Vec<TextRow> = set::json_lines(file)?;
    if rows.is_empty() {
        bail!("{}: no texts", file.display());
    }
    let relations: BTreeSet<String> =
        rows.iter().flat_map(|row| &row.triples).map(|[_, relation, _]| relation.clone()).collect();
    rows.truncate(if limit == 0 { rows.len() } else { limit });
    let lang = rows.first().map_or("en", |row| if row.lang.starts_with("zh") { "zh" } else { "en" });
    let schema = match own_schema {
        Some(file) => read_schema(file)?,
        None => schema_of_names(&relations, lang),
    };
    let folder = tempfile::tempdir().context("no temporary folder (check TMPDIR)")?;
    let texts = folder.path().join("texts");
    fs::create_dir_all(&texts)?;
    for (number, row) in rows.iter().enumerate() {
        fs::write(texts.join(format!("{number}.txt")), &row.text)?;
    }
    let started = Instant::now();
    let store = Store::open(folder.path(), &TenantId::new("eval")?)?;
    store.put_schema(&schema)?;
    let pipeline = Pipeline::new(&store, &schema, PipelineOptions::new(folder.path().join("jobs")))?;
    let report = pipeline.ingest_paths(&[texts], &mut |_| {})?;
    let refused: Vec<String> = report.failures().iter().map(ToString::to_string).collect();
    for fault in refused.iter().take(3) {
        eprintln!("{fault}");
    }
    let snapshot = store.snapshot()?;
    let seconds = started.elapsed().as_secs_f64();
    let found = by_document(&snapshot, lang);
    let count = |rows: &[TextRow]| {
        let mut counts = (0, 0, 0);
        for (number, row) in rows.iter().enumerate() {
            let gold: BTreeSet<Spo> =
                row.triples.iter().map(|triple| triple.each_ref().map(|part| Normal::of(part))).collect();
            let own = found.get(&format!("{number}.txt"));
            counts.0 += gold.len();
            counts.1 += own.map_or(0, BTreeSet::len);
            counts.2 += own.map_or(0, |own| own.intersection(&gold).count());
        }
        counts
    };
    let (gold, found, right) = count(&rows);
    let share = |whole: usize| if whole == 0 { 0.0 } else { right as f64 / whole as f64 };
    let (precision, recall) = (share(found), share(gold));
    let name = file.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok(Extraction {
        format: totals::FORMAT,
        set: name,
        texts: rows.len(),
        gold,
        found,
        right,
        precision,
        recall,
        f1_strict: if right == 0 { 0.0 } else { 2.0 * precision * recall / (precision + recall) },
        seconds,
        peak_rss_mb: totals::process().1,
    })
}

/// A schema from relation names alone; the objects may be anything that has a name.
fn schema_of_names(names: &BTreeSet<String>, lang: &str) -> Schema {
    let only = |name: &String| Triple { subject: String::new(), relation: name.clone(), object: String::new() };
    let triples: Vec<Triple> = names.iter().map(only).collect();
    let mut schema = suggest_schema(&triples, lang).schema;
    schema.classes.clear();
    for relation in schema.relations.values_mut() {
        (relation.domain, relation.range) = (None, Range::Entity(None));
    }
    schema
}

fn by_document(snapshot: &Snapshot, lang: &str) -> BTreeMap<String, BTreeSet<Spo>> {
    let mut found: BTreeMap<String, BTreeSet<Spo>> = BTreeMap::new();
    let name = |iri| snapshot.find(iri).map_or_else(String::new, |id| snapshot.name(id, lang).to_owned());
    for fact in snapshot.facts() {
        let statement = &fact.statement;
        let relation = statement.relation.as_str().rsplit(':').next().unwrap_or_default();
        let relation = factmask_schema::percent_decode(relation);
        let spo =
            [name(&statement.subject), relation, snapshot.said(&statement.object, lang)].map(|part| Normal::of(&part));
        for evidence in &fact.evidence {
            let document = evidence.document.as_str().rsplit('/').next().unwrap_or_default();
            found.entry(document.to_owned()).or_default().insert(spo.clone());
        }
    }
    found
}
