//! Editing a tenant's schema: checked, kept as a draft, previewed, published, restored.

use super::{Expected, Service, ServiceError, feedback::write_whole, impact::Impact};
use crate::wire::{
    CheckBody, DifferenceBody, DraftBody, FaultBody, ImpactBody, ProposalBody, RestoreBody, SchemaBody, SplitBody,
    VersionBody, VersionList,
};
use factmask_graph::{ContentHash, Rename, SchemaChange, Split, Store, check_splits, schema_differences};
use factmask_schema::{Fault, Imported, Schema, SchemaError};
use std::{fs, io, path::PathBuf};

/// Longest author and reason in characters.
const MOST_WORDS: usize = 2_000;

impl Service {
    /// The tenant's schema, with its ETag.
    pub fn schema(&self, tenant: &str) -> Result<(Schema, String), ServiceError> {
        let schema = self.tenants.store(tenant)?.schema()?;
        let etag = etag(&schema);
        Ok((schema, etag))
    }

    /// What a text says as a schema.
    pub fn check_turtle(turtle: &str) -> CheckBody {
        match Schema::parse(turtle, "schema") {
            Ok(schema) => CheckBody {
                turtle: schema.to_turtle(),
                schema: Some(SchemaBody::from(&schema)),
                faults: Vec::new(),
                notes: Vec::new(),
                shacl: None,
            },
            Err(error) => refused(turtle, error),
        }
    }

    /// What an ontology that others wrote says as a schema; what is not understood is carried along.
    pub fn import_turtle(turtle: &str) -> CheckBody {
        match Schema::import(turtle, "schema") {
            Ok(Imported { schema, notes }) => CheckBody {
                turtle: schema.to_turtle(),
                schema: Some(SchemaBody::from(&schema)),
                faults: Vec::new(),
                notes: faults(notes),
                shacl: None,
            },
            Err(error) => refused(turtle, error),
        }
    }

    /// What a body says as a schema.
    pub fn check_schema(body: &SchemaBody) -> CheckBody {
        let (turtle, unsayable) = body.to_turtle();
        let mut checked = Self::check_turtle(&turtle);
        if !unsayable.is_empty() {
            checked.schema = None;
            checked.faults.splice(0..0, unsayable);
        }
        checked
    }

    /// A checked schema with its shapes graph.
    pub fn with_shacl(mut checked: CheckBody) -> CheckBody {
        if checked.schema.is_some() {
            checked.shacl = Schema::parse(&checked.turtle, "schema").ok().map(|schema| schema.to_shacl());
        }
        checked
    }

    /// A schema as Turtle for others.
    pub fn export_schema(body: &SchemaBody) -> Result<String, ServiceError> {
        Ok(read(body.to_turtle())?.to_full_turtle())
    }

    /// The tenant's draft, if there is one.
    pub fn draft(&self, tenant: &str) -> Result<Option<DraftBody>, ServiceError> {
        let path = self.draft_file(tenant)?;
        let text = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(ServiceError::disk(&path))?,
        };
        // One that an older or newer program wrote is no draft of ours.
        Ok(serde_json::from_slice(&text).ok())
    }

    /// Keeps a draft, right or wrong.
    pub fn keep_draft(&self, tenant: &str, draft: &DraftBody) -> Result<(), ServiceError> {
        let json = serde_json::to_vec(draft).map_err(|_| ServiceError::Defect)?;
        write_whole(&self.draft_file(tenant)?, &json)
    }

    /// Throws the draft away if it is the schema that was published; somebody else's stays.
    pub fn settle_draft(&self, tenant: &str, published: &ProposalBody) -> Result<(), ServiceError> {
        let draft = self.draft(tenant)?;
        if draft.is_some_and(|draft| Some(&draft.schema) == published.schema.as_ref()) {
            self.discard_draft(tenant)?;
        }
        Ok(())
    }

    /// Throws the draft away; `false` where there was none.
    pub fn discard_draft(&self, tenant: &str) -> Result<bool, ServiceError> {
        let path = self.draft_file(tenant)?;
        match fs::remove_file(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            removed => removed.map(|()| true).map_err(ServiceError::disk(&path)),
        }
    }

    /// Publishes a schema, or only tells what that would do. A schema that was made from another than the one of now is refused,
    /// with what has changed since.
    pub fn publish_schema(
        &self,
        tenant: &str,
        proposal: &ProposalBody,
        dry_run: bool,
    ) -> Result<ImpactBody, ServiceError> {
        let store = self.tenants.store(tenant)?;
        let schema = proposed(proposal)?;
        if let Some(base) = &proposal.base {
            expect(&store, &Expected::OneOf(vec![base.clone()]))?;
        }
        let renames = proposal.renames.iter().map(|rename| rename.rename());
        let renames: Vec<Rename> =
            renames.collect::<Result<_, _>>().map_err(|fault| ServiceError::Parameter { name: "renames", fault })?;
        let before = store.schema()?;
        check_renames(&before, &schema, &renames)?;
        let splits = proposal.splits.iter().map(SplitBody::split).collect::<Result<Vec<_>, _>>();
        let checked = splits
            .and_then(|splits| check_splits(&before, &schema, &renames, &splits).map(|()| splits))
            .map_err(|fault| ServiceError::Parameter { name: "splits", fault });
        let change = SchemaChange {
            renames,
            splits: checked?,
            author: words("author", &proposal.author)?,
            reason: words("reason", &proposal.reason)?,
        };
        let (foreseen, after) = store.preview_schema(&schema, &change)?;
        let impact = Impact { service: self, tenant, store: &store, after, change: &change };
        let mut body = impact.body(foreseen, &proposal.lang)?;
        if !dry_run {
            let published = store.publish_schema(&schema, &change)?;
            body.version = published.version;
            body.epoch = store.epoch();
        }
        Ok(body)
    }

    /// Makes an earlier version the current one, or only tells what that would do.
    pub fn restore_schema(&self, tenant: &str, version: u32, body: &RestoreBody) -> Result<ImpactBody, ServiceError> {
        let store = self.tenants.store(tenant)?;
        let (author, reason) = (words("author", &body.author)?, words("reason", &body.reason)?);
        let (foreseen, change, after) = store.preview_restore(version)?;
        let impact = Impact { service: self, tenant, store: &store, after, change: &change };
        let mut told = impact.body(foreseen, &body.lang)?;
        if !body.dry_run {
            told.version = store.restore_schema(version, &author, &reason)?.version;
            told.epoch = store.epoch();
        }
        Ok(told)
    }

    /// Every version of the tenant's schema, the latest first.
    pub fn schema_versions(&self, tenant: &str) -> Result<VersionList, ServiceError> {
        let store = self.tenants.store(tenant)?;
        let mut before = Schema::default();
        let mut versions = Vec::new();
        for version in store.schema_versions()? {
            let schema = Schema::parse(&version.turtle, "stored schema").map_err(ServiceError::Schema)?;
            versions.push(VersionBody {
                version: version.number,
                etag: version.hash().to_string(),
                at: version.at,
                changes: told(&before, &schema, &version.renames, &version.splits),
                author: version.author,
                reason: version.reason,
            });
            before = schema;
        }
        versions.reverse();
        Ok(VersionList { versions, current: etag(&store.schema()?) })
    }

    /// One version of the tenant's schema.
    pub fn schema_version(&self, tenant: &str, number: u32) -> Result<Schema, ServiceError> {
        let versions = self.tenants.store(tenant)?.schema_versions()?;
        let version = versions.into_iter().find(|version| version.number == number);
        let version = version.ok_or(factmask_graph::GraphError::NoSuchVersion { version: number })?;
        Schema::parse(&version.turtle, "stored schema").map_err(ServiceError::Schema)
    }

    fn draft_file(&self, tenant: &str) -> Result<PathBuf, ServiceError> {
        self.tenants.file(tenant, "draft.json")
    }
}

/// Refuses unless the schema of now is an expected one; with what has changed since, where the store still knows the other.
pub(super) fn expect(store: &Store, expected: &Expected) -> Result<(), ServiceError> {
    let now = store.schema()?;
    let current = etag(&now);
    let Expected::OneOf(tags) = expected else { return Ok(()) };
    if tags.contains(&current) {
        return Ok(());
    }
    let versions = store.schema_versions()?;
    let base = versions.iter().rposition(|version| tags.contains(&version.hash().to_string()));
    let since = base.and_then(|at| Some((versions.get(at)?, versions.get(at + 1..)?)));
    let changes = since.and_then(|(base, later)| {
        let before = Schema::parse(&base.turtle, "stored schema").ok()?;
        let renames: Vec<Rename> = later.iter().flat_map(|version| version.renames.clone()).collect();
        let splits: Vec<Split> = later.iter().flat_map(|version| version.splits.clone()).collect();
        Some(told(&before, &now, &renames, &splits))
    });
    Err(ServiceError::SchemaChanged { current, changes: changes.unwrap_or_default() })
}

/// The differences between two schemas.
pub(super) fn told(before: &Schema, after: &Schema, renames: &[Rename], splits: &[Split]) -> Vec<DifferenceBody> {
    schema_differences(before, after, renames, splits).into_iter().map(Into::into).collect()
}

/// Hash of a schema's canonical Turtle.
pub(super) fn etag(schema: &Schema) -> String {
    ContentHash::of(schema.to_turtle().as_bytes()).to_string()
}

fn proposed(proposal: &ProposalBody) -> Result<Schema, ServiceError> {
    match (&proposal.schema, &proposal.turtle) {
        (Some(schema), None) => read(schema.to_turtle()),
        (None, Some(turtle)) => read((turtle.clone(), Vec::new())),
        _ => {
            let fault = "send either `schema` or `turtle`".to_owned();
            Err(ServiceError::Parameter { name: "schema", fault })
        }
    }
}

/// Turtle with what cannot be said in it, as a schema.
fn read((turtle, unsayable): (String, Vec<FaultBody>)) -> Result<Schema, ServiceError> {
    let parsed = Schema::parse(&turtle, "schema");
    match (parsed, unsayable.is_empty()) {
        (Ok(schema), true) => Ok(schema),
        (parsed, _) => {
            let fault = |body: FaultBody| {
                let FaultBody { line, term, message } = body;
                Fault { source: "schema".to_owned(), line, term, message }
            };
            let rest = parsed.err().map(|error| error.faults).unwrap_or_default();
            Err(ServiceError::Schema(SchemaError { faults: unsayable.into_iter().map(fault).chain(rest).collect() }))
        }
    }
}

/// Each rename must lead from a term that was there to one of the same kind that is, and leave nothing behind under its old name.
fn check_renames(before: &Schema, after: &Schema, renames: &[Rename]) -> Result<(), ServiceError> {
    for (index, rename) in renames.iter().enumerate() {
        let twice = |other: &Rename| (other.kind, &other.from) == (rename.kind, &rename.from);
        if renames.iter().skip(index + 1).any(twice) {
            let fault = format!("{} is to be called two things", rename.from);
            return Err(ServiceError::Parameter { name: "renames", fault });
        }
        let kind = rename.kind;
        let fault = match (kind.declares(before, &rename.from), kind.declares(after, &rename.to)) {
            (false, _) => format!("{} is not a term of the schema of now", rename.from),
            (_, false) => format!("{} is not declared in the new schema", rename.to),
            _ if kind.declares(after, &rename.from) => format!("{} is still declared in the new schema", rename.from),
            _ => continue,
        };
        return Err(ServiceError::Parameter { name: "renames", fault });
    }
    Ok(())
}

fn words(name: &'static str, text: &str) -> Result<String, ServiceError> {
    let text = text.trim();
    match text.chars().count() {
        count if count > MOST_WORDS => {
            let fault = format!("has {count} characters, and may have {MOST_WORDS}");
            Err(ServiceError::Parameter { name, fault })
        }
        _ => Ok(text.to_owned()),
    }
}

/// A text that is no schema.
fn refused(turtle: &str, error: SchemaError) -> CheckBody {
    let faults = faults(error.faults);
    CheckBody { turtle: turtle.to_owned(), schema: None, faults, notes: Vec::new(), shacl: None }
}

fn faults(found: Vec<Fault>) -> Vec<FaultBody> {
    let fault = |Fault { line, term, message, .. }| FaultBody { line, term, message };
    found.into_iter().map(fault).collect()
}
