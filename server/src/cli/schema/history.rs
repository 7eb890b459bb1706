//! The schema of a knowledge base: shown, published, listed by version, restored.

use super::{PublishArgs, WhyArgs, load, output};
use factmask_graph::{
    GraphError, Published, Rename, SchemaChange, Split, Store, TermKind, check_splits, schema_differences,
};
use factmask_schema::{Iri, Schema};

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
        let (from, to) = (rename.kind.declares(&before, &rename.from), rename.kind.declares(&schema, &rename.to));
        anyhow::ensure!(from, "--rename: {} is not in the schema of now (see `factmask schema show`)", rename.from);
        anyhow::ensure!(to, "--rename: {} is not declared in {}", rename.to, args.file.display());
        let left = rename.kind.declares(&schema, &rename.from);
        anyhow::ensure!(!left, "--rename: {} is still declared in {}", rename.from, args.file.display());
    }
    let splits = args.split.chunks(4).map(split).collect::<anyhow::Result<Vec<_>>>()?;
    check_splits(&before, &schema, &renames, &splits).map_err(|fault| anyhow::anyhow!("--split: {fault}"))?;
    let change = SchemaChange { renames, splits, author: args.why.author.clone(), reason: args.why.reason.clone() };
    let published = match args.why.dry_run {
        true => store.preview_schema(&schema, &change)?.0,
        false => store.publish_schema(&schema, &change)?,
    };
    tell(&before, &schema, &change, published, args.why.dry_run)
}

pub(super) fn versions(store: &Store) -> anyhow::Result<()> {
    let mut before = Schema::default();
    let mut text = String::new();
    for version in store.schema_versions()? {
        let schema = Schema::parse(&version.turtle, "stored schema")?;
        let days = version.at / 86_400;
        let when = if version.at == 0 { "before versions were kept".to_owned() } else { date(days) };
        text.push_str(&format!("{}\t{when}\t{}\t{}\n", version.number, version.author, version.reason));
        for change in schema_differences(&before, &schema, &version.renames, &version.splits) {
            text.push_str(&format!("    {}\n", change.sentence));
        }
        before = schema;
    }
    output::print(&text)
}

pub(super) fn restore(store: &Store, version: u32, why: &WhyArgs) -> anyhow::Result<()> {
    let before = store.schema()?;
    let (foreseen, change, after) = store.preview_restore(version)?;
    let schema = after.schema().clone();
    let published = match why.dry_run {
        true => foreseen,
        false => store.restore_schema(version, &why.author, &why.reason)?,
    };
    tell(&before, &schema, &change, published, why.dry_run)
}

fn rename(parts: &[String]) -> anyhow::Result<Rename> {
    let [kind, from, to] = parts else { anyhow::bail!("--rename: takes a kind and two IRIs") };
    let kind = match kind.as_str() {
        "class" => TermKind::Class,
        "relation" => TermKind::Relation,
        "qualifier" => TermKind::Qualifier,
        other => anyhow::bail!("--rename: {other:?} is not class, relation or qualifier"),
    };
    Ok(Rename { kind, from: iri("--rename", from)?, to: iri("--rename", to)? })
}

fn split(parts: &[String]) -> anyhow::Result<Split> {
    let [kind, from, to, when] = parts else { anyhow::bail!("--split: takes a kind, two IRIs and a condition") };
    let when = when.parse().map_err(|fault| anyhow::anyhow!("--split: {fault}"))?;
    let split = Split { from: iri("--split", from)?, to: iri("--split", to)?, when };
    let own = split.kind().word();
    anyhow::ensure!(own == kind, "--split: {kind:?} is not what `{}` parts; that parts a {own}", split.when);
    Ok(split)
}

fn iri(option: &str, text: &str) -> anyhow::Result<Iri> {
    Iri::new(text).map_err(|error| anyhow::anyhow!("{option}: {text:?} is not an IRI: {error}"))
}

fn tell(
    before: &Schema,
    after: &Schema,
    change: &SchemaChange,
    published: Published,
    dry_run: bool,
) -> anyhow::Result<()> {
    let Some(version) = published.version else { return output::print_line("Nothing changes.") };
    let changes = schema_differences(before, after, &change.renames, &change.splits);
    let mut text: String = changes.iter().map(|change| format!("{}\n", change.sentence)).collect();
    let Published { facts, entities, .. } = published;
    if facts + entities > 0 {
        text.push_str(&format!("{facts} pieces of evidence and {entities} descriptions of entities are moved.\n"));
    }
    text.push_str(&match dry_run {
        true => format!("Nothing was done; it would be version {version}.\n"),
        false => format!("Published as version {version}. Ingest the documents again to have them read by it.\n"),
    });
    if !change.splits.is_empty() {
        text.push_str("What is ingested again is split by what its document says itself; the rest is said with the old term then.\n");
    }
    output::print(&text)
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
