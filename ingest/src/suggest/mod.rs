//! A schema for facts that come without one, proposed from the facts themselves.
//!
//! From triples alone: what the relations are called and how their facts are said and asked for (by the grammar of their
//! names), what their subjects and objects are, whether one object is the rule, and which relations mirror each other. The
//! relations have the IRIs that the triple reader gives to undeclared ones, so the same file read with the proposal comes under it.

mod classes;
mod english;
mod files;
mod kinds;
mod name;
mod profile;
mod shape;
mod turtle;
mod wordings;

pub(crate) use english::{base_form, is_verb};
pub use files::suggest_from_files;
pub(crate) use profile::share;
pub use turtle::commented_turtle;

use crate::table::{is_alias_header, says_class, says_name};
use crate::text::is_cjk;
use classes::TableClass;
use factmask_schema::{Functional, Iri, Range, Relation, Schema, ValueKind};
use name::Name;
use profile::{Profile, Profiles};
use std::collections::{BTreeMap, HashMap};
use wordings::Said;

/// One fact by names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Triple {
    /// Whom it is about.
    pub subject: String,
    /// What it says.
    pub relation: String,
    /// What that is.
    pub object: String,
}

/// A proposed schema.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suggestion {
    /// The schema, whole and checked.
    pub schema: Schema,
    /// What was counted for each class and relation; a line that begins with `?` is doubtful.
    pub notes: BTreeMap<Iri, Vec<String>>,
}

/// Proposes a schema for triples. `lang` is the language of the relations' names where they are not in Chinese characters;
/// empty: English.
///
/// ```
/// use factmask_ingest::{Triple, suggest_schema};
///
/// let triple = |subject: &str, relation: &str, object: &str| Triple {
///     subject: subject.to_owned(),
///     relation: relation.to_owned(),
///     object: object.to_owned(),
/// };
/// let found = suggest_schema(&[triple("Sunrise", "painted_by", "Anna Weber")], "");
/// let relation = found.schema.relations.values().next().unwrap();
/// assert_eq!(relation.iri.as_str(), "urn:factmask:relation:painted_by");
/// assert_eq!(relation.label("en"), "painted by");
/// let said = relation.statement_for("en").statement("Sunrise", "Anna Weber", &|_| None);
/// assert_eq!(said, "Sunrise was painted by Anna Weber.");
/// ```
pub fn suggest_schema(triples: &[Triple], lang: &str) -> Suggestion {
    suggest(triples, &[], lang)
}

fn suggest(triples: &[Triple], tables: &[TableClass], lang: &str) -> Suggestion {
    let profiles = Profiles::of(triples);
    let mut notes: HashMap<&str, Vec<String>> = HashMap::new();
    let mut ranges: HashMap<String, Range> = HashMap::new();
    for (iri, profile) in &profiles.relations {
        let kind = match says_class(&profile.name) || says_name(&profile.name) || is_alias_header(&profile.name) {
            // A kind's name is no thing of its own ("state" in a question is the class), nor is the name of a thing.
            true => kinds::text(),
            false => kinds::kind(profile, &profiles.looks(profile), &profiles),
        };
        notes.entry(iri).or_default().extend(kind.unsure);
        ranges.insert(iri.clone(), kind.range);
    }
    let mut found = classes::classes(&profiles, &ranges, tables);
    let mirrors = shape::mirrors(&profiles);
    for (iri, lines) in mirrors.notes.iter().chain(&found.notes) {
        if let Some((iri, _)) = profiles.relations.get_key_value(iri) {
            notes.entry(iri).or_default().extend(lines.iter().cloned());
        }
    }
    let mut suggestion = Suggestion::default();
    for (iri, profile) in &profiles.relations {
        let range = match ranges.remove(iri) {
            Some(Range::Value(value)) => Range::Value(value),
            _ => Range::Entity(found.ranges.get(iri).cloned()),
        };
        let domain = found.domains.get(iri).cloned();
        let relation = relation(iri, profile, domain, range, lang);
        let mut lines = vec![counted(profile)];
        lines.extend(notes.remove(iri.as_str()).into_iter().flatten().map(|line| format!("? {line}")));
        suggestion.notes.insert(relation.iri.clone(), lines);
        suggestion.schema.relations.insert(relation.iri.clone(), relation);
    }
    mirror(&mut suggestion.schema, &mirrors);
    suggestion.schema.classes = std::mem::take(&mut found.classes);
    for iri in suggestion.schema.classes.keys() {
        let size = found.sizes.get(iri.as_str()).copied().unwrap_or(0);
        let mut lines = vec![format!("{size} of them")];
        lines.extend(found.notes.remove(iri.as_str()).into_iter().flatten().map(|line| format!("? {line}")));
        suggestion.notes.insert(iri.clone(), lines);
    }
    suggestion
}

fn relation(iri: &str, profile: &Profile, domain: Option<Iri>, range: Range, lang: &str) -> Relation {
    let number = matches!(&range, Range::Value(value) if value.kind == ValueKind::Number && value.unit.is_some());
    let name = Name::new(&profile.name, number);
    let lang = match lang.split(['-', '_']).next().unwrap_or_default() {
        _ if profile.name.chars().any(is_cjk) => "zh",
        // A Latin name among Chinese ones ("ISBN") is used as it is.
        "" => "en",
        other => other,
    };
    let single = profile.subjects.values().all(|count| *count == 1);
    let words = wordings::words(&name, lang, &Said { range: &range, single });
    // Of few subjects it is chance that each has one object.
    let functional = single && profile.subjects.len() >= kinds::FEW;
    Relation {
        iri: Iri::new_unchecked(iri),
        labels: words.labels,
        aliases: words.aliases,
        domain,
        range,
        functional: if functional { Functional::Per(Vec::new()) } else { Functional::No },
        symmetric: false,
        inverse: None,
        questions: words.questions,
        statements: words.statements,
    }
}

fn counted(profile: &Profile) -> String {
    format!(
        "{} facts, {} subjects, {} objects; {:.1} % of the subjects have one object",
        profile.pairs.len(),
        profile.subjects.len(),
        profile.objects.len(),
        profile.single() * 100.0
    )
}

/// Notes mirrors in the schema, with domains and ranges that agree.
fn mirror(schema: &mut Schema, mirrors: &shape::Mirrors) {
    let is_entity = |schema: &Schema, iri: &Iri| {
        schema.relations.get(iri).is_some_and(|relation| matches!(relation.range, Range::Entity(_)))
    };
    for iri in mirrors.symmetric.iter().map(Iri::new_unchecked).collect::<Vec<_>>() {
        if let Some(relation) = schema.relations.get_mut(&iri)
            && let Range::Entity(range) = &mut relation.range
        {
            relation.symmetric = true;
            range.clone_from(&relation.domain);
        }
    }
    for (one, other) in &mirrors.inverse {
        let (one, other) = (Iri::new_unchecked(one), Iri::new_unchecked(other));
        if !is_entity(schema, &one) || !is_entity(schema, &other) {
            continue;
        }
        let range = |iri| match schema.relations.get(iri).map(|relation| &relation.range) {
            Some(Range::Entity(class)) => class.clone(),
            _ => None,
        };
        let domain = schema.relations.get(&other).and_then(|relation| relation.domain.clone());
        let class = domain.or_else(|| range(&one));
        if let Some(relation) = schema.relations.get_mut(&other) {
            relation.domain.clone_from(&class);
        }
        if let Some(relation) = schema.relations.get_mut(&one) {
            relation.inverse = Some(other);
            relation.range = Range::Entity(class);
        }
    }
}
