//! Word's documents: paragraphs, headings, lists, tables, notes, text boxes.
//!
//! Of tracked changes the text as it is now counts: what was inserted is there, what was deleted is not. Hidden text states
//! nothing. Comments are told, not read.

use crate::convert::package::Package;
use crate::convert::xml::{attribute, events, words};
use crate::convert::{Block, Reading, Unreadable, Writer};
use quick_xml::events::{BytesStart, Event};
use std::collections::{HashMap, HashSet};

const SAVE_AS: &str = ".docx";

pub(in crate::convert) fn read(bytes: Vec<u8>) -> Result<Reading, Unreadable> {
    let mut package = Package::open(bytes, "Word document", SAVE_AS)?;
    let main = package.main_part("word/document.xml")?;
    let Some(text) = package.text(&main)? else {
        return Err(Unreadable::new("is no Word document: it has no main part; save it as .docx anew"));
    };
    let related = package.relationships(&main)?;
    let mut parts: Vec<(String, String)> = Vec::new();
    for to in related.into_values() {
        if let Some(target) = to.target
            && matches!(to.kind.as_str(), "styles" | "footnotes" | "endnotes" | "header" | "footer" | "comments")
        {
            parts.push((to.kind, target));
        }
    }
    parts.sort();
    let mut styles = Styles::default();
    for (_, part) in parts.iter().filter(|(kind, _)| kind == "styles") {
        styles = Styles::read(&package.text(part)?.unwrap_or_default());
    }
    let mut writer = Writer::default();
    let mut warnings = Vec::new();
    for block in body(&text, &main, &styles)? {
        writer.block(block);
    }
    let mut repeated = HashSet::new();
    for (kind, part) in &parts {
        let Some(text) = package.text(part)? else { continue };
        match kind.as_str() {
            "footnotes" | "endnotes" => body(&text, part, &styles)?.into_iter().for_each(|block| writer.block(block)),
            "header" | "footer" => {
                for block in body(&text, part, &styles)? {
                    if let Block::Paragraph(words) | Block::Heading(_, words) = block
                        && repeated.insert(words.clone())
                    {
                        writer.block(Block::Paragraph(words));
                    }
                }
            }
            "comments" => {
                let comments = body(&text, part, &styles)?.len();
                if comments > 0 {
                    warnings.push(format!(
                        "{comments} paragraphs of comments are not read: a comment is no part of the text"
                    ));
                }
            }
            _ => {}
        }
    }
    Ok(Reading { text: writer.finish(), warnings })
}

/// Which styles are headings.
#[derive(Default)]
struct Styles {
    levels: HashMap<String, u8>,
    based_on: HashMap<String, String>,
}

impl Styles {
    fn read(text: &str) -> Self {
        let mut styles = Self::default();
        let mut style = String::new();
        // Half a set of styles is better than none.
        let _ = events(text, |event| {
            let (Event::Start(tag) | Event::Empty(tag)) = event else { return };
            let value = || attribute(tag, "val").unwrap_or_default();
            match tag.local_name().as_ref() {
                b"style" => style = attribute(tag, "styleId").unwrap_or_default(),
                b"name" => {
                    let name = value().to_lowercase();
                    let level = match name.as_str() {
                        "title" => Some(1),
                        _ => name.strip_prefix("heading ").and_then(|level| level.trim().parse().ok()),
                    };
                    styles.levels.extend(level.map(|level| (style.clone(), level)));
                }
                b"basedOn" => {
                    styles.based_on.insert(style.clone(), value());
                }
                b"outlineLvl" => {
                    let level = value().parse::<u8>().ok().filter(|level| *level < 9);
                    styles.levels.extend(level.map(|level| (style.clone(), level + 1)));
                }
                _ => {}
            }
        });
        styles
    }

    fn level(&self, style: &str) -> Option<u8> {
        let mut style = style;
        for _ in 0..16 {
            if let Some(level) = self.levels.get(style) {
                return Some(*level);
            }
            style = self.based_on.get(style)?;
        }
        None
    }
}

/// The blocks of a part.
fn body(text: &str, part: &str, styles: &Styles) -> Result<Vec<Block>, Unreadable> {
    let mut reader = BodyReader::new(styles);
    events(text, |event| reader.take(event))
        .map_err(|error| Unreadable::new(format!("is damaged: its part {part} breaks off ({error}); save it anew")))?;
    Ok(reader.blocks)
}

#[derive(Default)]
struct Paragraph {
    text: String,
    level: Option<u8>,
    item: bool,
}

#[derive(Default)]
struct Table {
    rows: Vec<Vec<String>>,
    /// Whether the row that is open was deleted.
    deleted: bool,
    /// The cell that is open, with how many columns it spans and whether it goes on with the one above.
    cell: String,
    span: usize,
    continues: bool,
}

struct BodyReader<'s> {
    styles: &'s Styles,
    blocks: Vec<Block>,
    /// Paragraphs within paragraphs (text boxes), the innermost last.
    paragraphs: Vec<Paragraph>,
    tables: Vec<Table>,
    /// Depth within what is not read.
    mute: usize,
    in_text: bool,
    hidden: bool,
    /// Whether the run is raised: what is raised is no digit of the number before it.
    raised: bool,
    row_properties: bool,
}

impl<'s> BodyReader<'s> {
    fn new(styles: &'s Styles) -> Self {
        Self {
            styles,
            blocks: Vec::new(),
            paragraphs: Vec::new(),
            tables: Vec::new(),
            mute: 0,
            in_text: false,
            hidden: false,
            raised: false,
            row_properties: false,
        }
    }

    fn take(&mut self, event: &Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::Empty(tag) => {
                self.start(tag);
                self.end(tag.local_name().as_ref());
            }
            Event::End(tag) => self.end(tag.local_name().as_ref()),
            Event::Text(text) if self.in_text && self.mute == 0 && !self.hidden => self.say(&words(text)),
            Event::CData(text) if self.in_text && self.mute == 0 && !self.hidden => {
                self.say(&String::from_utf8_lossy(text));
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: &BytesStart<'_>) {
        let name = tag.local_name();
        if name.as_ref() == b"del"
            && self.row_properties
            && self.mute == 0
            && let Some(table) = self.tables.last_mut()
        {
            table.deleted = true;
        }
        if is_mute(name.as_ref()) {
            self.mute += 1;
        }
        if self.mute > 0 {
            return;
        }
        let value = || attribute(tag, "val").unwrap_or_default();
        match name.as_ref() {
            b"p" => self.paragraphs.push(Paragraph::default()),
            b"r" => (self.hidden, self.raised) = (false, false),
            b"vertAlign" => self.raised = value() == "superscript",
            b"trPr" => self.row_properties = true,
            b"vanish" => self.hidden = !matches!(value().as_str(), "0" | "false"),
            b"t" => self.in_text = true,
            b"tab" => self.say(" "),
            b"br" | b"cr" => self.say("\n"),
            b"noBreakHyphen" => self.say("-"),
            b"pStyle" => {
                let level = self.styles.level(&value());
                if let Some(paragraph) = self.paragraphs.last_mut() {
                    paragraph.level = paragraph.level.or(level);
                }
            }
            b"outlineLvl" => {
                let level = value().parse::<u8>().ok().filter(|level| *level < 9);
                if let Some(paragraph) = self.paragraphs.last_mut() {
                    paragraph.level = level.map(|level| level + 1).or(paragraph.level);
                }
            }
            b"numPr" => {
                if let Some(paragraph) = self.paragraphs.last_mut() {
                    paragraph.item = true;
                }
            }
            b"tbl" => self.tables.push(Table::default()),
            b"tr" => {
                if let Some(table) = self.tables.last_mut() {
                    table.rows.push(Vec::new());
                }
            }
            b"tc" => {
                if let Some(table) = self.tables.last_mut() {
                    (table.cell, table.span, table.continues) = (String::new(), 1, false);
                }
            }
            b"gridSpan" => {
                if let Some(table) = self.tables.last_mut() {
                    table.span = value().parse().unwrap_or(1).clamp(1, 64);
                }
            }
            b"vMerge" => {
                if let Some(table) = self.tables.last_mut() {
                    table.continues = value() != "restart";
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, name: &[u8]) {
        if is_mute(name) {
            self.mute = self.mute.saturating_sub(1);
            return;
        }
        if self.mute > 0 {
            return;
        }
        match name {
            b"t" => self.in_text = false,
            b"p" => self.end_paragraph(),
            b"tc" => {
                if let Some(table) = self.tables.last_mut() {
                    let mut cell = std::mem::take(&mut table.cell);
                    let above = table.rows.len().checked_sub(2);
                    if let Some(row) = table.rows.last().map(Vec::len)
                        && table.continues
                    {
                        // A cell that spans rows says the same of each of them.
                        cell = above.and_then(|above| table.rows.get(above)?.get(row)).cloned().unwrap_or(cell);
                    }
                    if let Some(row) = table.rows.last_mut() {
                        row.push(cell);
                        row.extend(std::iter::repeat_n(String::new(), table.span.saturating_sub(1)));
                    }
                }
            }
            b"trPr" => self.row_properties = false,
            b"tr" => {
                if let Some(table) = self.tables.last_mut()
                    && std::mem::take(&mut table.deleted)
                {
                    table.rows.pop();
                }
            }
            b"tbl" => {
                let Some(table) = self.tables.pop() else { return };
                match self.tables.last_mut() {
                    // A table within a cell is told as the words of that cell.
                    Some(outer) => {
                        for cell in table.rows.into_iter().flatten().filter(|cell| !cell.is_empty()) {
                            add_line(&mut outer.cell, &cell);
                        }
                    }
                    None => self.blocks.push(Block::Table(table.rows)),
                }
            }
            _ => {}
        }
    }

    fn end_paragraph(&mut self) {
        let Some(Paragraph { text, level, item }) = self.paragraphs.pop() else { return };
        if text.trim().is_empty() {
            return;
        }
        if let Some(table) = self.tables.last_mut() {
            add_line(&mut table.cell, text.trim());
            return;
        }
        self.blocks.push(match level {
            Some(level) => Block::Heading(level.min(6), text),
            None if item => Block::Item(text),
            None => Block::Paragraph(text),
        });
    }

    fn say(&mut self, words: &str) {
        let raised = std::mem::take(&mut self.raised);
        if let Some(paragraph) = self.paragraphs.last_mut() {
            if raised && paragraph.text.ends_with(char::is_alphanumeric) {
                paragraph.text.push('^');
            }
            paragraph.text.push_str(words);
        }
    }
}

/// What holds nothing that the document says now: deleted and moved text, fields' instructions, the second telling of a drawing,
/// and how a paragraph was formatted before.
fn is_mute(name: &[u8]) -> bool {
    matches!(name, b"del" | b"moveFrom" | b"Fallback" | b"pPrChange" | b"rPrChange" | b"instrText" | b"delText")
}

fn add_line(cell: &mut String, line: &str) {
    if !cell.is_empty() {
        cell.push('\n');
    }
    cell.push_str(line);
}
