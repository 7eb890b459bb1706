//! Spreadsheets: every sheet a heading, every block of cells between blank rows and columns a table.

use super::looks::{self, Format, Looks};
use crate::convert::{Reading, Unreadable, Writer};
use calamine::{Data, ExcelDateTime, Reader, SheetType, SheetVisible, open_workbook_auto_from_rs};
use std::io::Cursor;

/// Places from the first to the one behind the last.
type Range = std::ops::Range<usize>;

pub(in crate::convert) fn read(bytes: Vec<u8>) -> Result<Reading, Unreadable> {
    if bytes.starts_with(&[0xd0, 0xcf, 0x11, 0xe0]) && holds_utf16(&bytes, "EncryptedPackage") {
        return Err(Unreadable::new("is encrypted; remove its password"));
    }
    let looks = looks::read(&bytes);
    let mut workbook = open_workbook_auto_from_rs(Cursor::new(bytes)).map_err(|error| {
        let message = error.to_string();
        Unreadable::new(if message.to_lowercase().contains("password") {
            "is encrypted; remove its password".to_owned()
        } else {
            format!("is no spreadsheet that can be read ({message}); save it as .xlsx or .csv anew")
        })
    })?;
    let mut writer = Writer::default();
    let mut warnings = Vec::new();
    for sheet in workbook.sheets_metadata().to_vec() {
        if sheet.typ != SheetType::WorkSheet {
            continue;
        }
        if sheet.visible != SheetVisible::Visible {
            warnings
                .push(format!("the hidden sheet \"{}\" is not read; show it if it belongs to the text", sheet.name));
            continue;
        }
        let cells = match workbook.worksheet_range(&sheet.name) {
            Ok(cells) => cells,
            Err(error) => {
                warnings.push(format!("the sheet \"{}\" cannot be read: {error}", sheet.name));
                continue;
            }
        };
        let (rows, hidden) = shown(&cells, looks.get(&sheet.name).unwrap_or(&Looks::default()));
        if hidden > 0 {
            warnings.push(format!(
                "{hidden} cells of hidden rows and columns of the sheet \"{}\" are not read",
                sheet.name
            ));
        }
        if rows.iter().flatten().any(|cell| !cell.is_empty()) {
            writer.heading(2, &sheet.name);
            tables(&rows, &mut writer);
            formulas_without_values(
                &workbook.worksheet_formula(&sheet.name).unwrap_or_default(),
                &cells,
                &sheet.name,
                &mut warnings,
            );
        }
    }
    Ok(Reading { text: writer.finish(), warnings })
}

/// The rows as they are shown, and how many cells are not.
fn shown(cells: &calamine::Range<Data>, looks: &Looks) -> (Vec<Vec<String>>, usize) {
    let (top, left) = cells.start().unwrap_or_default();
    let mut hidden = 0;
    let rows = cells.rows().zip(top..).map(|(row, number)| {
        let row = row.iter().zip(left..).map(|(cell, column)| {
            let place = (number, column);
            if looks.is_hidden(place) {
                hidden += usize::from(*cell != Data::Empty);
                return String::new();
            }
            match (cell, looks.format(place)) {
                (Data::Float(number), Some(Format::Percent)) => format!("{}%", plain(number * 100.0)),
                (Data::Float(_) | Data::Int(_), Some(Format::Money(sign))) => {
                    let separator = if sign.chars().count() > 1 { " " } else { "" };
                    format!("{sign}{separator}{}", written(cell))
                }
                _ => written(cell),
            }
        });
        row.collect()
    });
    (rows.collect(), hidden)
}

/// A number without the dust of its binary fractions.
fn plain(number: f64) -> String {
    let rounded = format!("{number:.9}");
    rounded.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn holds_utf16(bytes: &[u8], word: &str) -> bool {
    let word: Vec<u8> = word.encode_utf16().flat_map(u16::to_le_bytes).collect();
    bytes.windows(word.len()).any(|window| window == word)
}

/// A cell as people would write it.
fn written(cell: &Data) -> String {
    match cell {
        Data::Empty | Data::Error(_) => String::new(),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => text.trim().to_owned(),
        Data::Bool(truth) => truth.to_string(),
        Data::Int(number) => number.to_string(),
        Data::Float(number) => number.to_string(),
        Data::DateTime(time) => date(time),
    }
}

fn date(time: &ExcelDateTime) -> String {
    if !time.is_datetime() {
        return time.as_f64().to_string();
    }
    let (year, month, day, hour, minute, second, _) = time.to_ymd_hms_milli();
    let date = format!("{year:04}-{month:02}-{day:02}");
    if (hour, minute, second) == (0, 0, 0) { date } else { format!("{date} {hour:02}:{minute:02}:{second:02}") }
}

/// A program that writes formulas and does not compute them leaves cells empty.
fn formulas_without_values(
    formulas: &calamine::Range<String>,
    cells: &calamine::Range<Data>,
    sheet: &str,
    warnings: &mut Vec<String>,
) {
    let (row, column) = formulas.start().unwrap_or_default();
    let place = |at: (usize, usize)| {
        Some((row.checked_add(u32::try_from(at.0).ok()?)?, column.checked_add(u32::try_from(at.1).ok()?)?))
    };
    let empty = formulas
        .used_cells()
        .filter(|(_, _, formula)| !formula.is_empty())
        .filter(|(row, column, _)| {
            place((*row, *column)).and_then(|at| cells.get_value(at)).is_none_or(|cell| *cell == Data::Empty)
        })
        .count();
    if empty > 0 {
        warnings.push(format!(
            "{empty} formulas of the sheet \"{sheet}\" have no value in the file; open it in a spreadsheet program and save it"
        ));
    }
}

/// Cuts a sheet at blank rows, then at blank columns, until nothing can be cut.
fn tables(rows: &[Vec<String>], writer: &mut Writer) {
    for band in parts(rows.len(), |row| rows.get(row).is_some_and(|row| row.iter().all(String::is_empty))) {
        let band = rows.get(band).unwrap_or_default();
        let width = band.iter().map(Vec::len).max().unwrap_or(0);
        let blank = |column: usize| band.iter().all(|row| row.get(column).is_none_or(String::is_empty));
        let mut columns: Vec<Range> = Vec::new();
        for part in parts(width, blank) {
            match columns.last_mut().filter(|last| goes_on(band, last, &part)) {
                Some(last) => last.end = part.end,
                None => columns.push(part),
            }
        }
        let alone = columns.len() == 1;
        for part in columns {
            let table: Vec<Vec<String>> =
                band.iter().map(|row| row.iter().skip(part.start).take(part.len()).cloned().collect()).collect();
            // A column may be shorter than its neighbour, and blank rows of its own then part it further.
            if alone { titled(&table, writer) } else { tables(&table, writer) }
        }
    }
}

/// Whether columns behind a blank one belong to the same table: the column was left blank for looks. They share rows, and begin with
/// figures: a table of its own begins with what it is about.
fn goes_on(band: &[Vec<String>], left: &Range, right: &Range) -> bool {
    let says = |row: &Vec<String>, columns: &Range| {
        row.iter().skip(columns.start).take(columns.len()).any(|cell| !cell.is_empty())
    };
    let shared: Vec<&Vec<String>> = band.iter().filter(|row| says(row, left) && says(row, right)).collect();
    let is_figure = |cell: &String| !cell.chars().any(char::is_alphabetic);
    shared.len() > 1 && shared.iter().skip(1).all(|row| row.get(right.start).is_none_or(is_figure))
}

/// A table; single cells above its header are its title.
fn titled(table: &[Vec<String>], writer: &mut Writer) {
    let filled = |row: &Vec<String>| row.iter().filter(|cell| !cell.is_empty()).count();
    let widest = table.iter().map(filled).max().unwrap_or(0);
    let titles = if widest < 2 { 0 } else { table.iter().take_while(|row| filled(row) < 2).count() };
    let (titles, rows) = table.split_at(titles);
    for cell in titles.iter().flatten().filter(|cell| !cell.is_empty()) {
        writer.paragraph(cell);
    }
    writer.table(rows);
}

/// The runs of places that are not blank.
fn parts(count: usize, blank: impl Fn(usize) -> bool) -> Vec<Range> {
    let mut parts: Vec<Range> = Vec::new();
    for at in (0..count).filter(|at| !blank(*at)) {
        match parts.last_mut().filter(|part| part.end == at) {
            Some(part) => part.end += 1,
            None => parts.push(at..at + 1),
        }
    }
    parts
}
