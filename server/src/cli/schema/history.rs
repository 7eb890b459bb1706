//! The schema of a knowledge base: shown, published, listed by version, restored.

use super::{PublishArgs, WhyArgs, load, output};
use factmask_graph::{GraphError, Published, Rename, Renames, SchemaChange, Store, TermKind};
use factmask_schema::{Iri, Schema, differences};

/// Prints the schema of now or of a version, written in one of its ways.
pub(super) fn show(store: &Store, version: Option<u32>, write: fn(&Schema) -> String) -> anyhow::Result<()> {
    let schema = match version {
        None => store.schema()?,
        Some(version) => {
            let found = store.schema_versions()?.into_iter().find(|found| found.number == version);
            Schema::parse(&found.ok_or(GraphError::NoSuchVersion { version })?.turtle, "stored schema")?
        }
    };
    output::print(&write(&schema))
}

pub(super) fn publish(store: &Store, args: &PublishArgs) -> anyhow::Result<()> {
    let schema = load(&args.file)?;
    let renames = args.rename.chunks(3).map(rename).collect::<anyhow::Result<Vec<_>>>()?;
    let before = store.schema()?;
    for (index, rename) in renames.iter().enumerate() {
        let twice = |other: &Rename| (other.kind, &other.from) == (rename.kind, &rename.from);
        anyhow::ensure!(
            !renames.iter().skip(index + 1).any(twice),
            "--rename: {} is to be called two things",
            rename.from
        );
        let (from, to) = (declares(&before, rename.kind, &rename.from), declares(&schema, rename.kind, &rename.to));
        anyhow::ensure!(from, "--rename: {} is not in the schema of now (see `factmask schema show`)", rename.from);
        anyhow::ensure!(to, "--rename: {} is not declared in {}", rename.to, args.file.display());
        let left = declares(&schema, rename.kind, &rename.from);
        anyhow::ensure!(!left, "--rename: {} is still declared in {}", rename.from, args.file.display());
    }
    let change =
        SchemaChange { renames: renames.clone(), author: args.why.author.clone(), reason: args.why.reason.clone() };
    let published = match args.why.dry_run {
        true => store.preview_schema(&schema, &change)?.0,
        false => store.publish_schema(&schema, &change)?,
    };
    tell(&before, &schema, &renames, published, args.why.dry_run)
}

pub(super) fn versions(store: &Store) -> anyhow::Result<()> {
    let mut before = Schema::default();
    let mut text = String::new();
    for version in store.schema_versions()? {
        let schema = Schema::parse(&version.turtle, "stored schema")?;
        let days = version.at / 86_400;
        let when = if version.at == 0 { "before versions were kept".to_owned() } else { date(days) };
        text.push_str(&format!("{}\t{when}\t{}\t{}\n", version.number, version.author, version.reason));
        for change in sentences(&before, &schema, &version.renames) {
            text.push_str(&format!("    {change}\n"));
        }
        before = schema;
    }
    output::print(&text)
}

pub(super) fn restore(store: &Store, version: u32, why: &WhyArgs) -> anyhow::Result<()> {
    let before = store.schema()?;
    let (foreseen, renames, after) = store.preview_restore(version)?;
    let schema = after.schema().clone();
    let published = match why.dry_run {
        true => foreseen,
        false => store.restore_schema(version, &why.author, &why.reason)?,
    };
    tell(&before, &schema, &renames, published, why.dry_run)
}

fn rename(parts: &[String]) -> anyhow::Result<Rename> {
    let [kind, from, to] = parts else { anyhow::bail!("--rename: takes a kind and two IRIs") };
    let kind = match kind.as_str() {
        "class" => TermKind::Class,
        "relation" => TermKind::Relation,
        "qualifier" => TermKind::Qualifier,
        other => anyhow::bail!("--rename: {other:?} is not class, relation or qualifier"),
    };
    let iri = |text: &str| Iri::new(text).map_err(|error| anyhow::anyhow!("--rename: {text:?} is not an IRI: {error}"));
    Ok(Rename { kind, from: iri(from)?, to: iri(to)? })
}

fn declares(schema: &Schema, kind: TermKind, iri: &Iri) -> bool {
    match kind {
        TermKind::Class => schema.classes.contains_key(iri),
        TermKind::Relation => schema.relations.contains_key(iri),
        TermKind::Qualifier => schema.qualifiers.contains_key(iri),
    }
}

fn tell(
    before: &Schema,
    after: &Schema,
    renames: &[Rename],
    published: Published,
    dry_run: bool,
) -> anyhow::Result<()> {
    let Some(version) = published.version else { return output::print_line("Nothing changes.") };
    let mut text: String = sentences(before, after, renames).iter().map(|change| format!("{change}\n")).collect();
    let Published { facts, entities, .. } = published;
    if facts + entities > 0 {
        text.push_str(&format!("{facts} pieces of evidence and {entities} descriptions of entities are moved.\n"));
    }
    text.push_str(&match dry_run {
        true => format!("Nothing was done; it would be version {version}.\n"),
        false => format!("Published as version {version}. Ingest the documents again to have them read by it.\n"),
    });
    output::print(&text)
}

fn sentences(before: &Schema, after: &Schema, renames: &[Rename]) -> Vec<String> {
    let renames: Renames = renames.iter().cloned().collect();
    let renames: Vec<(Iri, Iri)> = renames.iter().map(|rename| (rename.from, rename.to)).collect();
    differences(before, after, &renames).into_iter().map(|difference| difference.sentence).collect()
}

/// The calendar date of a day counted from 1970-01-01 (H. Hinnant, "chrono-compatible low-level date algorithms").
fn date(days: u64) -> String {
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_are_dates() {
        for (days, expected) in [(0, "1970-01-01"), (59, "1970-03-01"), (11_016, "2000-02-29"), (20_787, "2026-11-30")]
        {
            assert_eq!(date(days), expected);
        }
    }
}
