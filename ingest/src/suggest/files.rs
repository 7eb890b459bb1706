//! Files to triples, without a schema.

use super::classes::TableClass;
use super::{Suggestion, Triple, suggest};
use crate::IngestError;
use crate::pipeline::{TableFile, read_tables};
use crate::table::{
    Row, is_alias_header, is_key_header, is_name_header, looks_like_triples, named_by_key, triple_cells,
};
use factmask_schema::{Schema, split_words};
use std::collections::HashSet;
use std::path::PathBuf;

/// Proposes a schema for files and folders of triples and tables (CSV and TSV); other files are passed over.
///
/// Of a table, the relations are the headers, and the first column says whom a row is about.
///
/// # Errors
/// [`IngestError::Refused`] for the first file that cannot be read.
pub fn suggest_from_files(paths: &[PathBuf], lang: &str) -> Result<Suggestion, IngestError> {
    let mut triples = Vec::new();
    let mut tables = Vec::new();
    for TableFile { name, rows, tabs } in read_tables(paths)? {
        if looks_like_triples(&rows, &Schema::default(), tabs) {
            triples.extend(triple_cells(&rows).map(|[subject, relation, object]| Triple {
                subject: subject.to_owned(),
                relation: relation.to_owned(),
                object: object.to_owned(),
            }));
        } else {
            tables.extend(table(&name, &rows, &mut triples));
        }
    }
    Ok(suggest(&triples, &tables, lang))
}

/// A column that is headed by "name" or the like, else one of words that names a thing once each, where what the first one holds comes
/// again: a group says nothing of its members. Where it seldom comes again, two things have one name.
fn by_name(heads: &[&str], rows: &[Row]) -> Option<usize> {
    let cells = |column: usize| rows.iter().filter_map(move |row| row.cell(column)).map(|cell| cell.text.trim());
    let distinct = |column: usize| cells(column).collect::<HashSet<&str>>().len();
    let once = |column: usize| distinct(column) == rows.len() && !rows.is_empty();
    let words = |column: usize| cells(column).all(|text| text.chars().any(char::is_alphabetic));
    if once(0) {
        return None;
    }
    let named = heads.iter().position(|head| is_name_header(head));
    let is_group = distinct(0) * 2 <= rows.len();
    named.or_else(|| (1..heads.len()).find(|column| is_group && words(*column) && once(*column)))
}

/// The rows of a headed table as triples; its subjects' class from the first header, else from the file's name.
fn table(file: &str, rows: &[Row], triples: &mut Vec<Triple>) -> Option<TableClass> {
    let (header, rows) = rows.split_first()?;
    let heads: Vec<&str> = header.cells.iter().map(|cell| cell.text.trim()).collect();
    let subject = named_by_key(&header.cells).or_else(|| by_name(&heads, rows)).unwrap_or(0);
    let key = heads.get(subject)?;
    let words = split_words(key);
    let own = words.strip_suffix(" name").or_else(|| words.strip_suffix(" id")).unwrap_or(&words);
    let named_by_file = is_name_header(key) || is_key_header(key);
    let name = if named_by_file { split_words(file) } else { own.to_owned() };
    let column = (!named_by_file && own != words).then(|| words.clone());
    // A column of keys stands for the subject and says nothing of it.
    let stands_for = named_by_key(&header.cells).map(|_| 0);
    let mut subjects = Vec::new();
    for row in rows {
        let Some(named) = row.cell(subject) else { continue };
        for (column, head) in
            heads.iter().enumerate().filter(|(column, _)| *column != subject && Some(*column) != stands_for)
        {
            let Some(cell) = row.cell(column).filter(|_| !head.is_empty() && !is_alias_header(head)) else { continue };
            triples.push(Triple {
                subject: named.text.clone(),
                relation: (*head).to_owned(),
                object: cell.text.clone(),
            });
        }
        subjects.push(named.text.clone());
    }
    Some(TableClass { name, column, subjects })
}
