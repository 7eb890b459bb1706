//! Files to triples, without a schema.

use super::classes::TableClass;
use super::{Suggestion, Triple, suggest};
use crate::IngestError;
use crate::pipeline::{TableFile, read_tables};
use crate::table::{Row, is_alias_header, is_key_header, is_name_header, looks_like_triples, triple_cells};
use factmask_schema::{Schema, split_words};
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

/// The rows of a headed table as triples; its subjects' class from the first header, else from the file's name.
fn table(file: &str, rows: &[Row], triples: &mut Vec<Triple>) -> Option<TableClass> {
    let (header, rows) = rows.split_first()?;
    let heads: Vec<&str> = header.cells.iter().map(|cell| cell.text.trim()).collect();
    let key = heads.first()?;
    let words = split_words(key);
    let own = words.strip_suffix(" name").or_else(|| words.strip_suffix(" id")).unwrap_or(&words);
    let named_by_file = is_name_header(key) || is_key_header(key);
    let name = if named_by_file { split_words(file) } else { own.to_owned() };
    let column = (!named_by_file && own != words).then(|| words.clone());
    let mut subjects = Vec::new();
    for row in rows {
        let Some(subject) = row.cell(0) else { continue };
        for (column, head) in heads.iter().enumerate().skip(1) {
            let Some(cell) = row.cell(column).filter(|_| !head.is_empty() && !is_alias_header(head)) else { continue };
            triples.push(Triple {
                subject: subject.text.clone(),
                relation: (*head).to_owned(),
                object: cell.text.clone(),
            });
        }
        subjects.push(subject.text.clone());
    }
    Some(TableClass { name, column, subjects })
}
