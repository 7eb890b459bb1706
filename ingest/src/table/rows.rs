//! Rows to facts.

use super::columns::{Columns, Role, is_entity, separated};
use super::triples::class_said;
use super::typing::says_class;
use super::{Cell, Row};
use crate::draft::{Draft, Found, Place};
use crate::names::{mint, name_text};
use crate::values::{ColumnUnit, QualifierWords, guess, whole};
use factmask_graph::{Locator, Statement, Value};
use factmask_schema::normal::fold;
use factmask_schema::{Functional, Iri, Range, Relation, ValueKind, ValueType};

/// Reads the data rows of a table.
pub(crate) fn read_rows(
    rows: &[Row],
    columns: &Columns,
    qualifiers: &[QualifierWords],
    extractor: &'static str,
    draft: &mut Draft<'_, '_>,
) {
    let relations: Vec<Option<Relation>> = columns
        .roles
        .iter()
        .map(|role| match role {
            Role::Relation { iri, .. } => Some(draft.schema.relation(iri).into_owned()),
            _ => None,
        })
        .collect();
    for row in rows {
        let width = columns.roles.len();
        if row.cells.len() != width {
            let message = format!(
                "{} cells where the header has {width}; the row is read as far as its columns are known",
                row.cells.len()
            );
            draft.warn(Some(Place::Row(row.number)), message);
        }
        if is_total(row, columns, draft) {
            draft.warn(Some(Place::Row(row.number)), "a row of totals says nothing of any one; it is left out");
            continue;
        }
        let Some(subject) = subject_of(row, columns, draft) else {
            draft.warn(Some(Place::Row(row.number)), "no name in the subject's column; the row is left out");
            continue;
        };
        let given = row_qualifiers(row, columns, qualifiers, draft);
        for ((column, role), relation) in columns.roles.iter().enumerate().zip(&relations) {
            let (Role::Relation { iri, unit, fixed }, Some(cell), Some(relation)) = (role, row.cell(column), relation)
            else {
                continue;
            };
            if says_class(iri.as_str())
                && let Some(class) = class_said(draft.schema, &cell.text).cloned()
            {
                draft.describe(&subject, |entity| {
                    if !entity.classes.contains(&class) {
                        entity.classes.push(class);
                    }
                });
            }
            let qualifiers: Vec<(Iri, Value)> =
                given.iter().filter(|(iri, _)| takes(relation, iri)).chain(fixed).cloned().collect();
            for part in parts(cell, relation) {
                let Some(object) = object(&part, relation, unit, row.number, draft) else { continue };
                let statement = Statement {
                    subject: subject.clone(),
                    relation: iri.clone(),
                    object,
                    qualifiers: qualifiers.clone(),
                };
                draft.fact(
                    statement,
                    Found { span: part.span, locator: Some(Locator::Row(row.number)), extractor, confidence: 1.0 },
                );
            }
        }
    }
}

/// Makes the subjects of a table known, before any table is read for its facts: so the order of the files does not matter.
pub(crate) fn subjects_of_rows(rows: &[Row], columns: &Columns, draft: &mut Draft<'_, '_>) {
    for row in rows {
        if !is_total(row, columns, draft) {
            subject_of(row, columns, draft);
        }
    }
}

/// What stands before figures that sum up the rows above.
const TOTALS: &[&str] = &[
    "total",
    "totals",
    "sum",
    "subtotal",
    "sub-total",
    "sub total",
    "grand total",
    "average",
    "mean",
    "合计",
    "总计",
    "小计",
    "共计",
    "总和",
    "平均",
];

/// Whether a row sums up others; one whose name is known is about what bears it.
fn is_total(row: &Row, columns: &Columns, draft: &Draft<'_, '_>) -> bool {
    let cell = columns.roles.iter().position(|role| *role == Role::Subject).and_then(|column| row.cell(column));
    cell.is_some_and(|cell| {
        let name = fold(cell.text.trim().trim_end_matches([':', '：']));
        TOTALS.contains(&name.as_str()) && draft.names.meant(&cell.text, columns.class.as_ref()).is_none()
    })
}

fn subject_of(row: &Row, columns: &Columns, draft: &mut Draft<'_, '_>) -> Option<Iri> {
    let place = |role: &Role| columns.roles.iter().position(|other| other == role);
    let cell = row.cell(place(&Role::Subject)?)?;
    let name = cell.text.trim();
    let class = columns.class.as_ref();
    let key = place(&Role::Key).and_then(|column| row.cell(column)).map(|cell| cell.text.trim().to_owned());
    let iri = match key {
        // The key decides who it is; the name may be shared.
        Some(key) => draft.create(mint(class, &key), class, name_text(name)),
        None if draft.names.meant(name, class).is_none() && name.contains(':') && Iri::new(name).is_ok() => {
            Iri::new_unchecked(name)
        }
        None => draft.entity(name, class, Some(Place::Row(row.number))),
    };
    for (column, role) in columns.roles.iter().enumerate() {
        if *role == Role::Alias
            && let Some(cell) = row.cell(column)
        {
            let aliases: Vec<_> = separated(&cell.text).map(name_text).collect();
            draft.describe(&iri, |entity| {
                for alias in aliases {
                    let known = entity.labels.iter().chain(&entity.aliases).any(|name| name.text == alias.text);
                    if !known {
                        entity.aliases.push(alias);
                    }
                }
            });
        }
    }
    Some(iri)
}

fn row_qualifiers(
    row: &Row,
    columns: &Columns,
    qualifiers: &[QualifierWords],
    draft: &mut Draft<'_, '_>,
) -> Vec<(Iri, Value)> {
    let mut found = Vec::new();
    for (column, role) in columns.roles.iter().enumerate() {
        let (Role::Qualifier(iri), Some(cell)) = (role, row.cell(column)) else { continue };
        let Some(words) = qualifiers.iter().find(|words| words.iri == *iri) else { continue };
        match whole(&cell.text, &words.qualifier.value, words.qualifier.fiscal, &ColumnUnit::default()) {
            Some(value) => found.push((iri.clone(), value)),
            None => {
                let message = format!(
                    "\"{}\" is no {} for {}; the row's facts go without it",
                    cell.text.trim(),
                    kind(words.qualifier.value.kind),
                    words.slot
                );
                draft.warn(Some(Place::Row(row.number)), message);
            }
        }
    }
    found
}

/// Whether a qualifier of the row belongs to this relation: a headquarters in a table by fiscal year has no fiscal year.
fn takes(relation: &Relation, qualifier: &Iri) -> bool {
    let slot = factmask_schema::local_name(qualifier.as_str());
    let said = relation.statements.iter().any(|wording| wording.slots().any(|name| name == slot));
    match &relation.functional {
        Functional::Per(per) => said || per.contains(qualifier),
        Functional::No => said || relation.statements.is_empty(),
    }
}

/// The parts of a cell that lists several objects ("A; B"), where the relation allows several.
fn parts(cell: &Cell, relation: &Relation) -> Vec<Cell> {
    let list = is_entity(relation) && relation.functional == Functional::No;
    let separators: &[char] = &[';', '；', '、', '|'];
    // A quoted cell with doubled quotes has fewer characters than bytes in the source: its parts cannot be told apart there.
    if !list || !cell.text.contains(separators) || cell.span.len() != cell.text.len() {
        return vec![cell.clone()];
    }
    let mut found = Vec::new();
    let mut at = 0;
    for part in cell.text.split(separators) {
        let trimmed = part.trim();
        if !trimmed.is_empty() {
            let start = cell.span.start + at + (part.len() - part.trim_start().len());
            found.push(Cell { text: trimmed.to_owned(), span: start..start + trimmed.len() });
        }
        at += part.len();
        at += cell.text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    }
    found
}

fn object(cell: &Cell, relation: &Relation, unit: &ColumnUnit, row: u32, draft: &mut Draft<'_, '_>) -> Option<Value> {
    let text = cell.text.trim();
    let declared = draft.schema.relations.contains_key(&relation.iri);
    match &relation.range {
        Range::Entity(class) if declared => {
            Some(Value::Entity(draft.entity(text, class.as_ref(), Some(Place::Row(row)))))
        }
        Range::Entity(_) => Some(undeclared_object(text, draft, row)),
        Range::Value(wanted) => {
            let fits = unit.unit.as_deref().is_none_or(|unit| crate::values::comparable(unit, wanted.unit.as_deref()));
            let value = if fits { whole(text, wanted, false, unit) } else { None };
            if value.is_none() {
                let message =
                    format!("\"{text}\" is no {} for {}; left out", kind_with_unit(wanted), relation.label("en"));
                draft.warn(Some(Place::Row(row)), message);
            }
            value
        }
    }
}

/// The object of a relation that no schema declares: an entity where the name is known, else a value by its looks.
fn undeclared_object(text: &str, draft: &mut Draft<'_, '_>, row: u32) -> Value {
    match draft.names.meant(text, None) {
        Some(meant) => Value::Entity(draft.mention_of_class(&meant, text, None, Some(Place::Row(row)))),
        None => guess(text),
    }
}

fn kind(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::Text => "text",
        ValueKind::Number => "number",
        ValueKind::Date => "date",
        ValueKind::Year => "year",
        ValueKind::Boolean => "truth value",
    }
}

pub(crate) fn kind_with_unit(wanted: &ValueType) -> String {
    match &wanted.unit {
        Some(unit) => format!("{} in {unit} or the like", kind(wanted.kind)),
        None => kind(wanted.kind).to_owned(),
    }
}
