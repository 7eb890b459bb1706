//! Rules of classes that facts break.

use super::impact::SAMPLE;
use crate::wire::{BrokenRuleBody, BrokenRules, Writer};
use factmask_graph::{Facts, Rename, Snapshot};
use factmask_schema::shapes::{Constraint, Term, Violation, validate};
use factmask_schema::{Iri, Schema};
use std::collections::HashSet;

/// What tells one broken rule from another, in the terms of now.
type Key = (Term, Iri, Iri, bool, Constraint, Option<Term>);

/// Those that are broken under the schema of `after` and were not before.
pub(super) fn new(
    before: &Snapshot,
    after: &Snapshot,
    renames: &[Rename],
    writer: &Writer<'_>,
    lang: &str,
) -> BrokenRules {
    let schema = after.schema();
    if !schema.has_rules() {
        return BrokenRules::default();
    }
    let facts = Facts::of(after);
    let found = validate(schema, &facts);
    let now = |iri: &Iri| {
        let renamed = |iri: &Iri, rename: &Rename| if rename.from == *iri { rename.to.clone() } else { iri.clone() };
        renames.iter().fold(iri.clone(), |iri, rename| renamed(&iri, rename))
    };
    let known: HashSet<Key> =
        validate(before.schema(), &Facts::of(before)).iter().map(|violation| key(violation, &now)).collect();
    let found: Vec<&Violation<'_>> =
        found.iter().filter(|violation| !known.contains(&key(violation, &Iri::clone))).collect();
    let first = found.iter().take(SAMPLE).map(|violation| body(violation, schema, after, writer, lang)).collect();
    BrokenRules { count: found.len(), first }
}

fn key(violation: &Violation<'_>, now: &dyn Fn(&Iri) -> Iri) -> Key {
    let inverse = violation.rule.is_some_and(|rule| rule.inverse);
    let (class, relation) = (now(violation.class), now(&violation.relation));
    (violation.focus.clone(), class, relation, inverse, violation.constraint, violation.value.clone())
}

fn body(
    violation: &Violation<'_>,
    schema: &Schema,
    snapshot: &Snapshot,
    writer: &Writer<'_>,
    lang: &str,
) -> BrokenRuleBody {
    let said = |term: &Term| match term {
        Term::NamedNode(iri) if snapshot.find(iri).is_some() => writer.entity(iri).name,
        Term::Literal(literal) => literal.value().to_owned(),
        other => other.to_string(),
    };
    let entity = match &violation.focus {
        Term::NamedNode(iri) => iri.clone(),
        // Facts are about entities, which all have names.
        other => Iri::new_unchecked(other.to_string()),
    };
    BrokenRuleBody {
        entity: writer.entity(&entity),
        class: violation.class.as_str().to_owned(),
        relation: violation.relation.as_str().to_owned(),
        constraint: violation.constraint.name(),
        value: violation.value.as_ref().map(said),
        message: violation.message(schema, lang),
        severity: violation.severity().into(),
    }
}
