//! CSV and TSV.

use super::{Format, Malformed, Reader, TableRows};
use crate::draft::{Draft, Place};
use crate::table::{
    Cell, Columns, Mapping, Row, are_triples_of, looks_like_triples, map_columns, read_rows, read_triples,
    subjects_of_rows,
};
use crate::text::Decoded;
use std::ops::Range;

pub(super) fn declare(
    reader: &Reader<'_>,
    format: Format,
    decoded: &Decoded,
    mapping: Option<&Mapping>,
    draft: &mut Draft<'_, '_>,
) -> Result<(), Malformed> {
    if let Table::Headed { columns, rows, .. } = table(reader, format, decoded, mapping)? {
        subjects_of_rows(&rows, &columns, draft);
    }
    Ok(())
}

pub(super) fn read(
    reader: &Reader<'_>,
    format: Format,
    decoded: &Decoded,
    mapping: Option<&Mapping>,
    draft: &mut Draft<'_, '_>,
) -> Result<(), Malformed> {
    let extractor = format.extractor();
    match table(reader, format, decoded, mapping)? {
        Table::Headed { columns, rows, .. } => {
            for warning in &columns.warnings {
                draft.warn(Some(Place::Row(1)), warning.clone());
            }
            read_rows(&rows, &columns, &reader.qualifiers, extractor, draft);
        }
        Table::Triples(rows) => read_triples(&rows, extractor, draft),
        Table::Unknown { header, .. } => {
            let header = header.cells.iter().map(|cell| cell.text.trim()).collect::<Vec<_>>().join(", ");
            let message = format!(
                "no column of the header ({header}) is a relation or qualifier of the schema; nothing is read (add the names as aliases, or a mapping file `<file>.map.toml`)"
            );
            draft.warn(Some(Place::Row(1)), message);
        }
        Table::Empty => draft.warn(None, "no rows"),
    }
    Ok(())
}

/// The table, unless it is one of triples.
pub(super) fn tables(reader: &Reader<'_>, format: Format, decoded: &Decoded) -> Vec<TableRows> {
    match table(reader, format, decoded, None) {
        Ok(Table::Headed { columns, header, rows }) => vec![TableRows { header, rows, columns: Some(columns) }],
        Ok(Table::Unknown { header, rows }) => vec![TableRows { header, rows, columns: None }],
        Ok(Table::Triples(_) | Table::Empty) | Err(_) => Vec::new(),
    }
}

enum Table {
    Headed { columns: Columns, header: Row, rows: Vec<Row> },
    Triples(Vec<Row>),
    Unknown { header: Row, rows: Vec<Row> },
    Empty,
}

fn table(
    reader: &Reader<'_>,
    format: Format,
    decoded: &Decoded,
    mapping: Option<&Mapping>,
) -> Result<Table, Malformed> {
    let mut rows = rows_of(format, decoded)?;
    let Some(header) = rows.first() else { return Ok(Table::Empty) };
    if mapping.is_none() && are_triples_of(&rows, reader.schema) {
        return Ok(Table::Triples(rows));
    }
    if let Some(columns) = map_columns(header, reader.schema, &reader.qualifiers, mapping) {
        let header_is_data = !columns.headed
            && mapping.is_none()
            && names_only_relation(&columns)
            && looks_like_triples(&rows, reader.schema, false);
        if !header_is_data {
            let header = rows.remove(0);
            return Ok(Table::Headed { columns, header, rows });
        }
    }
    if looks_like_triples(&rows, reader.schema, format == Format::Tsv) {
        return Ok(Table::Triples(rows));
    }
    let header = rows.remove(0);
    Ok(Table::Unknown { header, rows })
}

/// All rows that are not blank, the header among them.
pub(crate) fn rows_of(format: Format, decoded: &Decoded) -> Result<Vec<Row>, Malformed> {
    let content = decoded.text.get(decoded.start..).unwrap_or_default();
    let dialect = match format {
        Format::Tsv => Dialect { delimiter: b'\t', quotes: !are_plain_lines(content) },
        _ => Dialect { delimiter: sniff(content), quotes: true },
    };
    rows(content, decoded.start, dialect)
}

/// How cells are told apart.
#[derive(Clone, Copy)]
struct Dialect {
    delimiter: u8,
    /// A cell may be in quotes, and then hold delimiters and line breaks.
    quotes: bool,
}

/// Whether tab-separated lines are rows as they stand, and their quotation marks are words: every line has as many cells as the
/// first, and some mark has no partner in its line. Read as quoting, it would swallow the lines up to the next mark.
fn are_plain_lines(content: &str) -> bool {
    let lines = || content.lines().filter(|line| !line.trim().is_empty());
    let width = |line: &str| line.matches('\t').count();
    let first = lines().next().map_or(0, width);
    lines().all(|line| width(line) == first) && lines().any(|line| line.matches('"').count() % 2 == 1)
}

/// A first row of triples ("Paris", "country", "France") looks like a header of which only the middle column is known.
fn names_only_relation(columns: &Columns) -> bool {
    use crate::table::Role;
    matches!(columns.roles.as_slice(), [Role::Subject, Role::Relation { .. }, Role::Ignored])
        && columns.warnings.len() == 1
}

/// The delimiter that splits the first rows into the same number of cells, the more the better.
fn sniff(content: &str) -> u8 {
    let mut best = (0_usize, b',');
    for delimiter in [b',', b'\t', b';', b'|'] {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(delimiter)
            .from_reader(content.as_bytes());
        let widths: Vec<usize> =
            reader.byte_records().take(20).map_while(Result::ok).map(|record| record.len()).collect();
        let first = widths.first().copied().unwrap_or(0);
        let even = widths.iter().filter(|width| **width == first).count();
        // All rows alike count far more than many cells in the first.
        let score = if first < 2 { 0 } else { even * 1000 / widths.len().max(1) + first.min(100) };
        if score > best.0 {
            best = (score, delimiter);
        }
    }
    best.1
}

fn rows(content: &str, base: usize, dialect: Dialect) -> Result<Vec<Row>, Malformed> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(dialect.delimiter)
        .quoting(dialect.quotes)
        .from_reader(content.as_bytes());
    let mut record = csv::StringRecord::new();
    let mut rows = Vec::new();
    let mut number = 0_u32;
    loop {
        let start = reader.position().byte();
        let line = reader.position().line();
        let more = reader.read_record(&mut record).map_err(|error| Malformed {
            line,
            column: None,
            message: error.to_string(),
        })?;
        if !more {
            return Ok(rows);
        }
        number = number.saturating_add(1);
        let (start, end) = (
            usize::try_from(start).unwrap_or(usize::MAX),
            usize::try_from(reader.position().byte()).unwrap_or(usize::MAX),
        );
        let raw = content.get(start..end).unwrap_or_default();
        let spans = field_spans(raw, dialect);
        let whole = base + start..base + start + raw.trim_end().len();
        let cells: Vec<Cell> = record
            .iter()
            .enumerate()
            .map(|(column, text)| {
                let span = spans.get(column).filter(|_| spans.len() == record.len());
                Cell {
                    text: text.to_owned(),
                    span: span.map_or_else(|| whole.clone(), |span| base + start + span.start..base + start + span.end),
                }
            })
            .map(trimmed)
            .collect();
        let blank = cells.iter().all(|cell| cell.text.is_empty());
        if !blank {
            rows.push(Row { number, cells });
        }
    }
}

/// White space around a value is neither value nor evidence.
fn trimmed(cell: Cell) -> Cell {
    let text = cell.text.trim();
    if text.len() == cell.text.len() || cell.span.len() != cell.text.len() {
        return Cell { text: text.to_owned(), ..cell };
    }
    let start = cell.span.start + (cell.text.len() - cell.text.trim_start().len());
    Cell { text: text.to_owned(), span: start..start + text.len() }
}

/// The bytes of each field of one raw record, quotes left out. The csv crate gives the values and where a record begins, not where
/// its fields are; this walks the same grammar.
fn field_spans(raw: &str, dialect: Dialect) -> Vec<Range<usize>> {
    let bytes = raw.as_bytes();
    let end = bytes.len() - bytes.iter().rev().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    let mut at = bytes.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count().min(end);
    let mut spans = Vec::new();
    loop {
        let quoted = dialect.quotes && bytes.get(at) == Some(&b'"') && at < end;
        let start = if quoted { at + 1 } else { at };
        let mut stop = start;
        if quoted {
            loop {
                match (bytes.get(stop), bytes.get(stop + 1)) {
                    (Some(b'"'), Some(b'"')) => stop += 2,
                    (Some(b'"'), _) | (None, _) => break,
                    _ => stop += 1,
                }
            }
            stop = stop.min(end);
        }
        let mut next = stop;
        while next < end && bytes.get(next) != Some(&dialect.delimiter) {
            next += 1;
        }
        // Words behind a closing quote belong to the field too, as the csv crate reads it.
        let closes = quoted && next == stop + 1;
        spans.push(start..if quoted && (closes || next == stop) { stop } else { next });
        if next >= end {
            return spans;
        }
        at = next + 1;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
    use super::*;

    #[test]
    fn cells_know_their_bytes() {
        for (content, delimiter, expected) in [
            ("a,b\n1,2\n", b',', vec![vec!["a", "b"], vec!["1", "2"]]),
            ("\u{feff}x;\"a;b\";y\r\n", b';', vec![vec!["\u{feff}x", "a;b", "y"]]),
            ("\n\na,\"two\nlines\",c\n", b',', vec![vec!["a", "two\nlines", "c"]]),
            ("a, b ,\n", b',', vec![vec!["a", "b", ""]]),
            ("研发,投入\n", b',', vec![vec!["研发", "投入"]]),
            (",\n,,\nx", b',', vec![vec!["x"]]),
        ] {
            let found = rows(content, 0, Dialect { delimiter, quotes: true }).unwrap();
            let shown: Vec<Vec<&str>> = found
                .iter()
                .map(|row| row.cells.iter().map(|cell| content.get(cell.span.clone()).unwrap()).collect())
                .collect();
            assert_eq!(shown, expected, "{content:?}");
        }
        let commas = Dialect { delimiter: b',', quotes: true };
        let doubled = rows("a,\"say \"\"hi\"\"\",c\n", 0, commas).unwrap();
        assert_eq!(doubled[0].cells[1].text, "say \"hi\"");
        assert_eq!(doubled[0].cells[1].span, 3..13);
    }

    #[test]
    fn quotation_marks_in_tab_separated_lines() {
        for (content, expected) in [
            ("a\t\"x y\"\tc\n", vec![vec!["a", "x y", "c"]]),
            ("x\ty\tz\na\t\"two\nlines\"\tc\n", vec![vec!["x", "y", "z"], vec!["a", "two\nlines", "c"]]),
            ("a\tb\t\"open\nd\te\tf\"\n", vec![vec!["a", "b", "\"open"], vec!["d", "e", "f\""]]),
            ("a\tb\t6\"\nd\t\"e\"\tf\n", vec![vec!["a", "b", "6\""], vec!["d", "\"e\"", "f"]]),
        ] {
            let found = rows_of(Format::Tsv, &Decoded::new(content.to_owned(), 0, None)).unwrap();
            let cells = |row: &Row| row.cells.iter().map(|cell| cell.text.clone()).collect::<Vec<_>>();
            assert_eq!(found.iter().map(cells).collect::<Vec<_>>(), expected, "{content:?}");
            for cell in found.iter().flat_map(|row| &row.cells) {
                assert_eq!(content.get(cell.span.clone()), Some(cell.text.as_str()), "{content:?}");
            }
        }
    }

    #[test]
    fn delimiters() {
        for (content, expected) in [
            ("a,b,c\n1,2,3\n", b','),
            ("a;b\n1,5;2\n", b';'),
            ("a\tb\n1\t2\n", b'\t'),
            ("a|b\n1|2\n", b'|'),
            ("one column\n", b','),
            ("", b','),
        ] {
            assert_eq!(sniff(content), expected, "{content:?}");
        }
    }
}
