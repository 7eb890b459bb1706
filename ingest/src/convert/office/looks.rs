//! How the cells of an `.xlsx` are shown: a number may stand there as a percentage or an amount of money, a row may be hidden.

use crate::convert::package::Package;
use crate::convert::xml::{attribute, events};
use quick_xml::events::Event;
use std::collections::{HashMap, HashSet};

/// Row and column, from 0.
type Place = (u32, u32);

/// How one sheet's cells are shown.
#[derive(Default)]
pub(super) struct Looks {
    formats: HashMap<Place, Format>,
    hidden_rows: HashSet<u32>,
    /// First and last.
    hidden_columns: Vec<(u32, u32)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Percent,
    /// With its sign or code.
    Money(String),
}

impl Looks {
    pub(super) fn format(&self, place: Place) -> Option<&Format> {
        self.formats.get(&place)
    }

    pub(super) fn is_hidden(&self, (row, column): Place) -> bool {
        self.hidden_rows.contains(&row)
            || self.hidden_columns.iter().any(|(first, last)| (*first..=*last).contains(&column))
    }
}

/// The looks of all sheets by name; none for what is no `.xlsx`. What cannot be read of them is not known.
pub(super) fn read(bytes: &[u8]) -> HashMap<String, Looks> {
    let Ok(mut package) = Package::open(bytes.to_vec(), "", "") else { return HashMap::new() };
    sheets(&mut package).unwrap_or_default()
}

fn sheets(package: &mut Package) -> Option<HashMap<String, Looks>> {
    const MAIN: &str = "xl/workbook.xml";
    let styles = styles(&package.text("xl/styles.xml").ok()?.unwrap_or_default());
    let related = package.relationships(MAIN).ok()?;
    let mut parts = Vec::new();
    let _ = events(&package.text(MAIN).ok()??, |event| {
        if let Event::Start(tag) | Event::Empty(tag) = event
            && tag.local_name().as_ref() == b"sheet"
        {
            let id = tag.attributes().flatten().find(|attribute| attribute.key.as_ref().ends_with(b":id"));
            let id = id.map(|id| String::from_utf8_lossy(&id.value).into_owned()).unwrap_or_default();
            let part = related.get(&id).and_then(|to| to.target.clone());
            parts.extend(attribute(tag, "name").zip(part));
        }
    });
    let mut all = HashMap::new();
    for (name, part) in parts {
        all.insert(name, looks(&package.text(&part).ok()?.unwrap_or_default(), &styles));
    }
    Some(all)
}

/// What each of the styles that cells name makes of a number.
fn styles(text: &str) -> Vec<Option<Format>> {
    let mut codes: HashMap<u32, String> = HashMap::new();
    let mut styles = Vec::new();
    let mut of_cells = false;
    let _ = events(text, |event| match event {
        Event::Start(tag) | Event::Empty(tag) => match tag.local_name().as_ref() {
            b"numFmt" => {
                let id = attribute(tag, "numFmtId").and_then(|id| id.parse().ok());
                codes.extend(id.zip(attribute(tag, "formatCode")));
            }
            b"cellXfs" => of_cells = true,
            b"xf" if of_cells => {
                let id = attribute(tag, "numFmtId").and_then(|id| id.parse().ok()).unwrap_or(0);
                // 9 and 10 are built in (ECMA-376, part 1, 18.8.30).
                let percent = matches!(id, 9 | 10).then_some(Format::Percent);
                styles.push(percent.or_else(|| codes.get(&id).and_then(|code| format_of(code))));
            }
            _ => {}
        },
        Event::End(tag) if tag.local_name().as_ref() == b"cellXfs" => of_cells = false,
        _ => {}
    });
    styles
}

fn format_of(code: &str) -> Option<Format> {
    // What stands in quotation marks is shown as it is, unless it is a currency.
    let plain: String = code.split('"').step_by(2).collect();
    if plain.contains('%') {
        return Some(Format::Percent);
    }
    let named = code.split_once("[$").and_then(|(_, rest)| rest.split(['-', ']']).next());
    let sign = code.chars().find(|char| matches!(char, '€' | '£' | '¥' | '$')).map(String::from);
    let sign =
        named.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).or(sign.filter(|_| named.is_none()));
    sign.map(Format::Money)
}

fn looks(text: &str, styles: &[Option<Format>]) -> Looks {
    let mut looks = Looks::default();
    let hidden = |tag: &quick_xml::events::BytesStart<'_>| {
        attribute(tag, "hidden").is_some_and(|hidden| matches!(hidden.as_str(), "1" | "true"))
    };
    let _ = events(text, |event| {
        let (Event::Start(tag) | Event::Empty(tag)) = event else { return };
        let number = |name: &str| attribute(tag, name).and_then(|number| number.parse::<u32>().ok());
        match tag.local_name().as_ref() {
            b"c" => {
                let style = number("s").and_then(|style| styles.get(usize::try_from(style).ok()?)?.clone());
                let place = attribute(tag, "r").and_then(|place| place_of(&place));
                looks.formats.extend(place.zip(style));
            }
            b"row" if hidden(tag) => looks.hidden_rows.extend(number("r").and_then(|row| row.checked_sub(1))),
            b"col" if hidden(tag) => {
                let ends = number("min").zip(number("max"));
                looks.hidden_columns.extend(ends.map(|(min, max)| (min.saturating_sub(1), max.saturating_sub(1))));
            }
            _ => {}
        }
    });
    looks
}

/// "B3" as row 2 and column 1.
fn place_of(name: &str) -> Option<Place> {
    let split = name.find(|char: char| char.is_ascii_digit())?;
    let (letters, digits) = name.split_at(split);
    let column = letters.bytes().try_fold(0_u32, |column, letter| {
        let value = u32::from(letter.to_ascii_uppercase().checked_sub(b'A')?) + 1;
        column.checked_mul(26)?.checked_add(value)
    })?;
    Some((digits.parse::<u32>().ok()?.checked_sub(1)?, column.checked_sub(1)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes() {
        for (code, format) in [
            ("0.0%", Some(Format::Percent)),
            ("#,##0.00 [$€-407]", Some(Format::Money("€".to_owned()))),
            ("[$USD] #,##0", Some(Format::Money("USD".to_owned()))),
            ("\"$\"#,##0", Some(Format::Money("$".to_owned()))),
            ("yyyy\\-mm\\-dd", None),
            ("[$-409]d mmm yyyy", None),
            ("0 \"%\"", None),
        ] {
            assert_eq!(format_of(code), format, "{code}");
        }
        assert_eq!((place_of("A1"), place_of("AB12"), place_of("7")), (Some((0, 0)), Some((11, 27)), None));
    }
}
