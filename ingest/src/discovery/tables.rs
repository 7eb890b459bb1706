//! Columns that nothing reads.

use super::DiscoverySource;
use super::known::Known;
use super::ledger::{End, Key, Ledger};
use crate::readers::{Format, Reader, TableRows};
use crate::table::{Cell, Columns, Role, class_called, is_alias_header, is_key_header, is_name_header};
use crate::text::Decoded;
use factmask_graph::{DocumentId, Fact};
use factmask_schema::normal::fold;
use factmask_schema::split_words;
use std::collections::HashSet;
use std::ops::Range;

/// What is longer is text above a column and no name.
const LONGEST_HEADER: usize = 100;

/// Counts the columns of a document's tables that the schema has no word for. One whose cells have given facts is read by a mapping file.
pub(super) fn count(
    known: &Known<'_>,
    reader: &Reader<'_>,
    format: Format,
    decoded: &Decoded,
    document: &DocumentId,
    stated: &[(Range<u64>, &Fact)],
    ledger: &mut Ledger,
) {
    let read: HashSet<(u64, u64)> = stated.iter().map(|(span, _)| (span.start, span.end)).collect();
    for TableRows { header, rows, columns } in reader.tables(format, decoded) {
        let columns = columns.unwrap_or_else(|| {
            let roles = (0..header.cells.len()).map(|at| if at == 0 { Role::Subject } else { Role::Ignored });
            let class = header.cells.first().and_then(|cell| class_called(reader.schema, &cell.text));
            Columns { roles: roles.collect(), class, headed: false, warnings: Vec::new() }
        });
        let Some(whom) = columns.roles.iter().position(|role| *role == Role::Subject) else { continue };
        if columns.class.is_none()
            && let Some(head) = header.cells.get(whom)
        {
            members(head, &rows, whom, document, ledger);
        }
        for (column, head) in header.cells.iter().enumerate() {
            let written = head.text.split_whitespace().collect::<Vec<_>>().join(" ");
            let unread = columns.roles.get(column) == Some(&Role::Ignored) && !is_alias_header(&written);
            let cells = || rows.iter().filter_map(|row| Some((row.cell(whom)?, row.cell(column)?)));
            if !unread
                || written.is_empty()
                || written.chars().count() > LONGEST_HEADER
                || cells().any(|(_, cell)| read.contains(&span(cell)))
            {
                continue;
            }
            let key = Key { source: DiscoverySource::Column, name: fold(&split_words(&written)) };
            let seen = ledger.relations.entry(key).or_default();
            for (subject, cell) in cells() {
                let object = known.entity(&cell.text);
                let classes = object.as_ref().map(|(_, classes)| classes.as_slice()).unwrap_or_default();
                seen.pair(
                    &written,
                    &End { name: subject.text.trim(), classes: columns.class.as_slice() },
                    &End { name: cell.text.trim(), classes },
                    object.is_some(),
                );
                let (start, end) = span(cell);
                seen.at(document, start..end);
            }
        }
    }
}

/// A table's first column, whose header is no class of the schema, may name one.
fn members(head: &Cell, rows: &[crate::table::Row], whom: usize, document: &DocumentId, ledger: &mut Ledger) {
    let words = split_words(head.text.trim());
    let words = words.strip_suffix(" name").unwrap_or(&words);
    if words.is_empty() || is_name_header(words) || is_key_header(words) {
        return;
    }
    let key = Key { source: DiscoverySource::Column, name: fold(words) };
    let seen = ledger.classes.entry(key).or_default();
    for cell in rows.iter().filter_map(|row| row.cell(whom)) {
        seen.member(words, cell.text.trim());
        let (start, end) = span(cell);
        seen.at(document, start..end);
    }
}

fn span(cell: &Cell) -> (u64, u64) {
    let at = |place| u64::try_from(place).unwrap_or(u64::MAX);
    (at(cell.span.start), at(cell.span.end))
}
