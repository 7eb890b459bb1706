//! The texts of `factmask ingest --examples`.

use super::ingest::Plan;
use crate::{eval::json_lines, service::lessons};
use factmask_ingest::{Aim, Lessons, TextExample, names_relation};
use factmask_schema::Schema;
use std::{collections::BTreeSet, path::Path, sync::Arc};

/// What the documents of a tenant are read by beside the schema: the examples that are given now, and kept, or those that are kept.
pub(super) fn lessons(plan: &Plan, tenant_folder: &Path, schema: &Schema) -> anyhow::Result<Option<Arc<Lessons>>> {
    let Some(file) = plan.examples.as_deref() else {
        if plan.forget_examples {
            let file = lessons::file(tenant_folder);
            anyhow::ensure!(file.is_file(), "no examples are kept (there is no {})", file.display());
            std::fs::remove_file(&file)?;
        }
        return lessons::read(tenant_folder);
    };
    let examples = read(file)?;
    let unknown: BTreeSet<String> = examples.iter().flat_map(unknown(schema)).collect();
    for name in unknown {
        eprintln!(
            "warning: the examples' relation \"{name}\" is none of the schema's, and is not read (add the name as an alias)"
        );
    }
    if !plan.estimate {
        lessons::keep(tenant_folder, &examples)?;
    }
    let lessons = Arc::new(Lessons::new(examples, Aim::Precision(lessons::LEAST_RIGHT)));
    eprintln!("{}", said(&lessons));
    Ok(Some(lessons))
}

/// The example texts of a file.
fn read(file: &Path) -> anyhow::Result<Vec<TextExample>> {
    let examples: Vec<TextExample> = json_lines(file)?;
    let facts = examples.iter().map(|example| example.triples.len()).sum::<usize>();
    anyhow::ensure!(
        facts > 0,
        "{}: no facts (write one JSON object a line: {{\"text\": ..., \"triples\": [[subject, relation, object], ...]}})",
        file.display()
    );
    Ok(examples)
}

/// The relations of an example that the schema does not have.
fn unknown(schema: &Schema) -> impl Fn(&TextExample) -> Vec<String> {
    |example| {
        let names = example.triples.iter().map(|[_, relation, _]| relation);
        names.filter(|name| !names_relation(schema, name)).cloned().collect()
    }
}

/// What the examples say of what will be read by them.
fn said(lessons: &Lessons) -> String {
    let held = lessons.bars().held(Aim::Precision(lessons::LEAST_RIGHT));
    let least = lessons::LEAST_RIGHT * 100.0;
    if held.found == 0 {
        return format!(
            "examples: too few or too unlike each other: of what was read in held-out ones never {least:.0} % were right, so no facts are read by them (give more)"
        );
    }
    format!(
        "examples: of held-out ones {} of {} facts are found at a bar where {:.0} % are right; only what is as sure is read",
        held.right,
        held.gold,
        held.precision() * 100.0
    )
}
