//! Texts with gold triples: how much of what they say is found, and how much of what is found they say.

use super::{folds::FOLDS, normal::Normal, set, totals, world::read_schema};
use anyhow::{Context as _, Result, bail};
use factmask_graph::{Snapshot, Store, TenantId};
use factmask_ingest::{Aim, Lessons, Pipeline, PipelineOptions, TextExample, Triple, suggest_schema};
use factmask_schema::{Range, Schema};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    sync::Arc,
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
    /// The same where a subject or object counts that holds the other's words, or stands in them.
    pub f1_relaxed: f64,
    /// How sure facts that were learned had to be, by fold, and what the examples say of that.
    pub bars: Vec<Bar>,
    /// Seconds from the texts to the facts.
    pub seconds: f64,
    /// Most memory of the process so far, MiB.
    pub peak_rss_mb: f64,
}

/// How sure a fact had to be, and how right those were among examples that were held out.
#[derive(Clone, Debug, Serialize)]
pub struct Bar {
    /// Probability.
    pub bar: f32,
    /// Right by found.
    pub precision: f32,
    /// Right by all there were.
    pub recall: f32,
}

/// Subject, relation, object, each as it compares: numbers and dates by their value, others by their words.
type Spo = [String; 3];

fn comparable(text: &str) -> String {
    Normal::of(text).whole().to_owned()
}

/// Texts that are learned from.
#[derive(Clone, Debug)]
pub enum Texts {
    /// None: the schema's names are all that is known.
    None,
    /// The set's own, in five folds: no text is read by what was learned from it.
    CrossValidated,
    /// Others.
    Of(Vec<TextExample>),
}

/// Ingests each text as a document of its own. Without `own_schema` the schema is the names of the set's relations and nothing
/// else: which of them a text states, between what, is told by the texts that are learned from alone.
///
/// # Errors
/// A file that cannot be read.
pub fn extract(file: &Path, limit: usize, own_schema: Option<&Path>, learn: &Texts, aim: Aim) -> Result<Extraction> {
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
    let started = Instant::now();
    let (mut counts, mut bars) = (Counts::default(), Vec::new());
    let folds = if matches!(learn, Texts::CrossValidated) { FOLDS } else { 1 };
    for fold in 0..folds {
        let is_own = |number: usize| folds == 1 || number % folds == fold;
        let own: Vec<&TextRow> =
            rows.iter().zip(0..).filter(|(_, number)| is_own(*number)).map(|(row, _)| row).collect();
        let examples: Vec<TextExample> = match learn {
            Texts::None => Vec::new(),
            Texts::Of(examples) => examples.clone(),
            Texts::CrossValidated => {
                let others = rows.iter().zip(0..).filter(|(_, number)| !is_own(*number));
                others.map(|(row, _)| TextExample { text: row.text.clone(), triples: row.triples.clone() }).collect()
            }
        };
        let lessons = (!examples.is_empty()).then(|| Arc::new(Lessons::new(examples, aim)));
        let held = lessons.as_ref().map(|lessons| lessons.bars().held(aim));
        bars.extend(held.map(|held| Bar { bar: held.bar, precision: held.precision(), recall: held.recall() }));
        count(&own, &schema, lang, lessons, &mut counts)?;
    }
    let share = |part: usize, whole: usize| if whole == 0 { 0.0 } else { part as f64 / whole as f64 };
    let f1 = |right: usize| share(2 * right, counts.found + counts.gold);
    let name = file.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok(Extraction {
        format: totals::FORMAT,
        set: name,
        texts: rows.len(),
        gold: counts.gold,
        found: counts.found,
        right: counts.right,
        precision: share(counts.right, counts.found),
        recall: share(counts.right, counts.gold),
        f1_strict: f1(counts.right),
        f1_relaxed: f1(counts.nearly),
        bars,
        seconds: started.elapsed().as_secs_f64(),
        peak_rss_mb: totals::process().1,
    })
}

#[derive(Default)]
struct Counts {
    gold: usize,
    found: usize,
    right: usize,
    /// Right or nearly so.
    nearly: usize,
}

/// Ingests some of the rows into a store of their own and compares what is found.
fn count(
    rows: &[&TextRow],
    schema: &Schema,
    lang: &str,
    lessons: Option<Arc<Lessons>>,
    counts: &mut Counts,
) -> Result<()> {
    let folder = tempfile::tempdir().context("no temporary folder (check TMPDIR)")?;
    let texts = folder.path().join("texts");
    fs::create_dir_all(&texts)?;
    for (number, row) in rows.iter().enumerate() {
        fs::write(texts.join(format!("{number}.txt")), &row.text)?;
    }
    let store = Store::open(folder.path(), &TenantId::new("eval")?)?;
    store.put_schema(schema)?;
    let options = PipelineOptions { lessons, ..PipelineOptions::new(folder.path().join("jobs")) };
    let report = Pipeline::new(&store, schema, options)?.ingest_paths(&[texts], &mut |_| {})?;
    for fault in report.failures().iter().take(3) {
        eprintln!("{fault}");
    }
    let snapshot = store.snapshot()?;
    let found = by_document(&snapshot, lang);
    for (number, row) in rows.iter().enumerate() {
        let gold: BTreeSet<Spo> =
            row.triples.iter().map(|triple| triple.each_ref().map(|part| comparable(part))).collect();
        let none = BTreeSet::new();
        let own = found.get(&format!("{number}.txt")).unwrap_or(&none);
        counts.gold += gold.len();
        counts.found += own.len();
        counts.right += own.intersection(&gold).count();
        counts.nearly += nearly(own, &gold);
    }
    Ok(())
}

/// How many of the found facts have one of the gold of their own that says nearly the same.
fn nearly(found: &BTreeSet<Spo>, gold: &BTreeSet<Spo>) -> usize {
    let like = |a: &String, b: &String| {
        let (one, other) = (Normal::of(a), Normal::of(b));
        a == b || one.says(&other) || other.says(&one)
    };
    let mut left: Vec<&Spo> = gold.difference(found).collect();
    let exact = found.len() - found.difference(gold).count();
    let others = found.difference(gold).filter(|[subject, relation, object]| {
        let place = left.iter().position(|[s, r, o]| relation == r && like(subject, s) && like(object, o));
        place.map(|place| left.swap_remove(place)).is_some()
    });
    exact + others.count()
}

/// A schema from relation names alone; the objects may be anything that has a name.
fn schema_of_names(names: &BTreeSet<String>, lang: &str) -> Schema {
    let only = |name: &String| Triple { subject: "one".to_owned(), relation: name.clone(), object: "other".to_owned() };
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
            [name(&statement.subject), relation, snapshot.said(&statement.object, lang)].map(|part| comparable(&part));
        for evidence in &fact.evidence {
            let document = evidence.document.as_str().rsplit('/').next().unwrap_or_default();
            found.entry(document.to_owned()).or_default().insert(spo.clone());
        }
    }
    found
}
