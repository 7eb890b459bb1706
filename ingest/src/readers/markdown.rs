//! Markdown: headings, paragraphs, lists and tables. Code is not prose.

use super::{Reader, TableRows};
use crate::draft::{Draft, Place};
use crate::extract::extract;
use crate::table::{Cell, Mapping, Row, map_columns, read_rows, subjects_of_rows};
use crate::text::Decoded;
use factmask_graph::PlacedText;
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use std::ops::Range;

/// A line above a table is its title up to this many bytes.
const LONGEST_CAPTION: usize = 160;

pub(super) fn declare(reader: &Reader<'_>, decoded: &Decoded, mapping: Option<&Mapping>, draft: &mut Draft<'_, '_>) {
    for block in blocks(decoded) {
        if let Block::Table(mut rows) = block
            && let Some(header) = rows.first()
            && let Some(columns) = map_columns(header, reader.schema, &reader.qualifiers, mapping)
        {
            rows.remove(0);
            subjects_of_rows(&rows, &columns, draft);
        }
    }
}

pub(super) fn read(reader: &Reader<'_>, decoded: &Decoded, mapping: Option<&Mapping>, draft: &mut Draft<'_, '_>) {
    // The headings above the current block, outermost first.
    let mut headings: Vec<(HeadingLevel, String)> = Vec::new();
    // What stands right above the current block, where it is short enough to be a table's title.
    let mut above = String::new();
    for block in blocks(decoded) {
        let before = std::mem::take(&mut above);
        match block {
            Block::Heading(level, passage) => {
                headings.retain(|(other, _)| *other < level);
                headings.push((level, passage.as_str().to_owned()));
                above = passage.as_str().to_owned();
            }
            Block::Prose(passage) => {
                if passage.as_str().len() <= LONGEST_CAPTION {
                    above = passage.as_str().to_owned();
                }
                let context: Vec<&str> = headings.iter().rev().map(|(_, words)| words.as_str()).collect();
                extract(reader, decoded, &passage, &context, draft);
            }
            Block::Table(mut rows) => {
                let Some(header) = rows.first() else { continue };
                let line = decoded.line(header.cells.first().map_or(0, |cell| cell.span.start));
                match map_columns(header, reader.schema, &reader.qualifiers, mapping) {
                    Some(mut columns) => {
                        columns.in_unit_of(&before, reader.schema);
                        for warning in &columns.warnings {
                            draft.warn(Some(Place::Line(line)), warning.clone());
                        }
                        rows.remove(0);
                        read_rows(&rows, &columns, &reader.qualifiers, "markdown-table", draft);
                    }
                    None => draft.warn(
                        Some(Place::Line(line)),
                        "no column of this table is a relation or qualifier of the schema; it is not read",
                    ),
                }
            }
        }
    }
}

/// The tables.
pub(super) fn tables(reader: &Reader<'_>, decoded: &Decoded) -> Vec<TableRows> {
    let table = |block| match block {
        Block::Table(mut rows) if !rows.is_empty() => {
            let header = rows.remove(0);
            let columns = map_columns(&header, reader.schema, &reader.qualifiers, None);
            Some(TableRows { header, rows, columns })
        }
        _ => None,
    };
    blocks(decoded).into_iter().filter_map(table).collect()
}

/// The paragraphs, each with the headings above it, outermost first.
pub(super) fn prose(decoded: &Decoded) -> Vec<(String, PlacedText)> {
    let mut headings: Vec<(HeadingLevel, String)> = Vec::new();
    let mut paragraphs = Vec::new();
    for block in blocks(decoded) {
        match block {
            Block::Heading(level, words) => {
                headings.retain(|(other, _)| *other < level);
                headings.push((level, words.as_str().split_whitespace().collect::<Vec<_>>().join(" ")));
            }
            Block::Prose(text) => {
                let above: Vec<&str> = headings.iter().map(|(_, words)| words.as_str()).collect();
                paragraphs.push((above.join(": "), text));
            }
            Block::Table(_) => {}
        }
    }
    paragraphs
}

/// The first heading.
pub(super) fn title(decoded: &Decoded) -> Option<String> {
    let words = blocks(decoded).into_iter().find_map(|block| match block {
        Block::Heading(_, passage) => Some(passage.as_str().to_owned()),
        _ => None,
    })?;
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    (!words.is_empty()).then_some(words)
}

/// The bytes of what stands in code blocks of a language.
pub(super) fn code_blocks(decoded: &Decoded, language: &str) -> Vec<Range<usize>> {
    let content = decoded.text.get(decoded.start..).unwrap_or_default();
    let mut found: Vec<Range<usize>> = Vec::new();
    // Whether the block that is open is of the language, and whether any of it has come.
    let (mut inside, mut begun) = (false, false);
    for (event, range) in Parser::new(content).into_offset_iter() {
        let range = range.start + decoded.start..range.end + decoded.start;
        match (event, found.last_mut()) {
            (Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(named))), _) => {
                (inside, begun) = (named.as_ref() == language, false);
            }
            (Event::End(TagEnd::CodeBlock), _) => inside = false,
            (Event::Text(_), Some(block)) if inside && begun => block.end = range.end,
            (Event::Text(_), _) if inside => {
                begun = true;
                found.push(range);
            }
            _ => {}
        }
    }
    found
}

enum Block {
    Heading(HeadingLevel, PlacedText),
    Prose(PlacedText),
    Table(Vec<Row>),
}

/// The document's blocks in order, with the bytes of the whole source.
fn blocks(decoded: &Decoded) -> Vec<Block> {
    let content = decoded.text.get(decoded.start..).unwrap_or_default();
    let mut collector = Collector { base: decoded.start, ..Collector::default() };
    for (event, range) in
        Parser::new_ext(content, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH).into_offset_iter()
    {
        collector.take(event, range, content);
    }
    collector.flush();
    collector.blocks
}

#[derive(Default)]
struct Collector {
    base: usize,
    blocks: Vec<Block>,
    passage: PlacedText,
    rows: Vec<Row>,
    cell: Option<Cell>,
    /// Depth inside code, HTML and struck-out text, none of which states anything.
    mute: usize,
}

impl Collector {
    fn take(&mut self, event: Event<'_>, range: Range<usize>, content: &str) {
        let span = self.base + range.start..self.base + range.end;
        match event {
            Event::Start(Tag::CodeBlock(_) | Tag::HtmlBlock | Tag::MetadataBlock(_) | Tag::Strikethrough) => {
                self.mute += 1
            }
            Event::End(TagEnd::CodeBlock | TagEnd::HtmlBlock | TagEnd::MetadataBlock(_) | TagEnd::Strikethrough) => {
                self.mute = self.mute.saturating_sub(1)
            }
            Event::Start(Tag::Paragraph | Tag::Heading { .. } | Tag::Item | Tag::List(_) | Tag::BlockQuote(_)) => {
                self.flush()
            }
            Event::End(TagEnd::Heading(level)) => {
                let passage = std::mem::take(&mut self.passage);
                self.blocks.push(Block::Heading(level, passage));
            }
            Event::End(TagEnd::Paragraph | TagEnd::Item) => self.flush(),
            Event::Start(Tag::Table(_)) => {
                self.flush();
                self.rows.clear();
            }
            Event::End(TagEnd::Table) => self.blocks.push(Block::Table(std::mem::take(&mut self.rows))),
            Event::Start(Tag::TableHead | Tag::TableRow) => {
                let number = u32::try_from(self.rows.len() + 1).unwrap_or(u32::MAX);
                self.rows.push(Row { number, cells: Vec::new() });
            }
            Event::Start(Tag::TableCell) => {
                self.cell = Some(Cell { text: String::new(), span: span.start..span.start })
            }
            Event::End(TagEnd::TableCell) => {
                if let (Some(cell), Some(row)) = (self.cell.take(), self.rows.last_mut()) {
                    row.cells.push(cell);
                }
            }
            Event::Text(words) if self.mute == 0 => self.words(&words, span, content),
            Event::Code(words) if self.mute == 0 => {
                // `EGFR` in a sentence is a word of it; the backquotes are not.
                let raw = content.get(range.clone()).unwrap_or_default();
                let ticks = raw.bytes().take_while(|byte| *byte == b'`').count();
                self.words(&words, span.start + ticks..span.end.saturating_sub(ticks).max(span.start + ticks), content);
            }
            Event::SoftBreak | Event::HardBreak if self.cell.is_none() => self.passage.push("\n", span),
            _ => {}
        }
    }

    fn words(&mut self, words: &str, span: Range<usize>, content: &str) {
        match &mut self.cell {
            Some(cell) => {
                if cell.text.is_empty() {
                    cell.span.start = span.start;
                }
                cell.text.push_str(words);
                cell.span.end = span.end;
            }
            None => {
                // Entities ("&amp;") and escapes are shorter than their source, and are placed as one piece.
                let raw = span.start.checked_sub(self.base).and_then(|start| content.get(start..span.end - self.base));
                if raw == Some(words) {
                    self.passage.push_exact(words, span.start)
                } else {
                    self.passage.push(words, span)
                }
            }
        }
    }

    fn flush(&mut self) {
        let passage = std::mem::take(&mut self.passage);
        if !passage.as_str().trim().is_empty() {
            self.blocks.push(Block::Prose(passage));
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
    use super::*;

    #[test]
    fn blocks_with_their_bytes() {
        let text = "# Title\n\nOne **bold** word &amp; more.\n\n- item one\n- item `two`\n\n```\ncode is mute\n```\n\n| A | B |\n|---|---|\n| x | **1,5** |\n";
        let decoded = Decoded::new(text.to_owned(), 0, None);
        let shown: Vec<String> = blocks(&decoded)
            .into_iter()
            .map(|block| match block {
                Block::Heading(level, passage) => format!("{level} {}", passage.as_str()),
                Block::Prose(passage) => {
                    format!("{} = {}", passage.as_str(), &text[passage.source(0..passage.as_str().len())])
                }
                Block::Table(rows) => rows
                    .iter()
                    .map(|row| {
                        row.cells
                            .iter()
                            .map(|cell| format!("{}={}", cell.text, &text[cell.span.clone()]))
                            .collect::<Vec<_>>()
                            .join(" ")
                    })
                    .collect::<Vec<_>>()
                    .join(" / "),
            })
            .collect();
        assert_eq!(
            shown,
            [
                "h1 Title",
                "One bold word & more. = One **bold** word &amp; more.",
                "item one = item one",
                "item two = item `two",
                "A=A B=B / x=x 1,5=1,5",
            ]
        );
        assert_eq!(title(&decoded).as_deref(), Some("Title"));
    }

    /// What a writer of readings has put in comes out, whatever it is.
    #[test]
    fn readings_say_what_was_put_in() {
        use crate::convert::{Block as Written, Writer};
        use proptest::prelude::*;
        let piece = prop_oneof![
            proptest::sample::select(vec![
                "# ",
                "- ",
                "+ ",
                "> ",
                "1. ",
                "2) ",
                "---",
                "===",
                "***",
                "| ",
                "|",
                "[a](b)",
                "[a]: b",
                "<b>",
                "<!-- ",
                "&amp;",
                "&#38;",
                "`",
                "``",
                "*",
                "_",
                "~~",
                "\\",
                "\\*",
                "\n",
                "\u{c}",
                "!",
                "中文",
                "http://e.org/",
                "<http://e.org>",
                "word",
                " ",
                "    ",
                ":---",
                "#",
            ])
            .prop_map(str::to_owned),
            "[ -~]{1,6}",
        ];
        let words = proptest::collection::vec(piece, 1..8).prop_map(|pieces| pieces.concat());
        let block = prop_oneof![
            words.clone().prop_map(Written::Paragraph),
            words.clone().prop_map(|words| Written::Heading(2, words)),
            words.clone().prop_map(Written::Item),
            proptest::collection::vec(proptest::collection::vec(words, 2..4), 2..4).prop_map(Written::Table),
        ];
        let plain = |words: &str| words.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut runner = proptest::test_runner::TestRunner::deterministic();
        let case = runner.run(&proptest::collection::vec(block, 1..4), |written| {
            let mut writer = Writer::default();
            written.iter().cloned().for_each(|block| writer.block(block));
            let text = writer.finish();
            let mut put: Vec<String> = Vec::new();
            for block in written {
                match block {
                    Written::Heading(_, words) | Written::Paragraph(words) | Written::Item(words) => {
                        put.push(plain(&words))
                    }
                    Written::Table(rows) => put.extend(rows.iter().flatten().map(|cell| plain(cell))),
                }
            }
            let mut read: Vec<String> = Vec::new();
            for block in blocks(&Decoded::new(text.clone(), 0, None)) {
                match block {
                    Block::Heading(_, passage) | Block::Prose(passage) => read.push(plain(passage.as_str())),
                    Block::Table(rows) => {
                        read.extend(rows.iter().flat_map(|row| &row.cells).map(|cell| plain(&cell.text)))
                    }
                }
            }
            put.retain(|words| !words.is_empty());
            read.retain(|words| !words.is_empty());
            prop_assert_eq!(read, put, "{}", text);
            Ok(())
        });
        case.unwrap();
    }
}
