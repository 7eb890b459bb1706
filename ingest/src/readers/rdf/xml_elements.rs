//! The elements of an XML file with their bytes, found before it is read as RDF.
//!
//! The RDF parser says how far it has read, not what stands there; this walk, over the same tokens, does. It also refuses what the
//! RDF parser lets pass or would choke on: an end that is missing, a second root, nesting without end, and entities that grow each
//! other ("billion laughs").

use crate::readers::Malformed;
use crate::text::line_and_column;
use quick_xml::Reader;
use quick_xml::events::Event;
use std::collections::HashMap;
use std::ops::Range;

/// Elements within elements; the RDF parser looks through all open ones at each of them.
const DEEPEST: usize = 1_000;

/// Bytes that all entities of a file may come to.
const MOST_EXPANDED: usize = 16 << 20;

/// Where elements stand.
pub(super) struct Elements {
    /// Where a tag ends, in order, with what it makes whole: a start tag itself, an end tag its element.
    ends: Vec<(usize, Range<usize>)>,
}

impl Elements {
    /// Walks the file.
    pub(super) fn scan(content: &str) -> Result<Self, Malformed> {
        let mut scan = Scan { content, ..Scan::default() };
        let mut reader = Reader::from_str(content);
        reader.config_mut().expand_empty_elements = true;
        loop {
            let start = position(reader.buffer_position());
            let event = reader
                .read_event()
                .map_err(|error| fault(content, position(reader.error_position()), error.to_string()))?;
            let span = start..position(reader.buffer_position());
            if !scan.take(&event, span)? {
                return Ok(Self { ends: scan.ends });
            }
        }
    }

    /// What the tag that ends at this byte makes whole.
    pub(super) fn ending_at(&self, end: usize) -> Option<Range<usize>> {
        let found = self.ends.binary_search_by_key(&end, |(end, _)| *end).ok()?;
        self.ends.get(found).map(|(_, span)| span.clone())
    }
}

/// The one line that names the place.
pub(super) fn fault(content: &str, at: usize, message: impl Into<String>) -> Malformed {
    let (line, column) = line_and_column(content, at);
    Malformed { line, column: Some(column), message: message.into() }
}

pub(super) fn position(at: u64) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

#[derive(Default)]
struct Scan<'c> {
    content: &'c str,
    ends: Vec<(usize, Range<usize>)>,
    open: Vec<usize>,
    rooted: bool,
    /// Lengths of the file's own entities.
    entities: HashMap<String, usize>,
    expanded: usize,
}

impl Scan<'_> {
    /// `false` at the end of the file.
    fn take(&mut self, event: &Event<'_>, span: Range<usize>) -> Result<bool, Malformed> {
        match event {
            Event::Start(_) => self.start(span)?,
            Event::End(_) => {
                let whole = self.open.pop().unwrap_or(span.start)..span.end;
                self.ends.pop_if(|(end, _)| *end == span.end);
                self.ends.push((span.end, whole));
            }
            Event::Text(_) | Event::CData(_) => {
                let text = self.content.get(span.clone()).unwrap_or_default();
                if self.open.is_empty() && !text.trim().is_empty() {
                    let at = span.start + (text.len() - text.trim_start().len());
                    return Err(fault(self.content, at, "text outside of the root element"));
                }
                self.expand(span)?;
            }
            Event::DocType(_) => self.define(span)?,
            Event::Eof => {
                if let Some(start) = self.open.last() {
                    return Err(fault(self.content, *start, "this element is not closed; the file ends before"));
                }
                if !self.rooted {
                    return Err(fault(self.content, 0, "no XML: there is no element"));
                }
                return Ok(false);
            }
            _ => {}
        }
        Ok(true)
    }

    fn start(&mut self, span: Range<usize>) -> Result<(), Malformed> {
        if self.open.len() >= DEEPEST {
            return Err(fault(self.content, span.start, format!("more than {DEEPEST} elements within each other")));
        }
        if self.open.is_empty() && self.rooted {
            return Err(fault(self.content, span.start, "a second root element; XML has one"));
        }
        self.rooted = true;
        self.open.push(span.start);
        self.ends.push((span.end, span.clone()));
        self.expand(span)
    }

    /// Notes the lengths of the entities that a document type declares, each with those before it expanded, as the parser will.
    fn define(&mut self, span: Range<usize>) -> Result<(), Malformed> {
        let text = self.content.get(span.clone()).unwrap_or_default();
        for declaration in text.split('<').filter_map(|part| part.strip_prefix("!ENTITY")) {
            let name = declaration.split_ascii_whitespace().find(|word| *word != "%").unwrap_or_default();
            let value = declaration.split('"').nth(1).unwrap_or_default();
            let length = value.len().saturating_add(self.growth(value));
            if length > MOST_EXPANDED {
                let message = format!("the entity {name} stands for more than {MOST_EXPANDED} bytes");
                return Err(fault(self.content, span.start, message));
            }
            self.entities.insert(name.trim_start_matches('%').to_owned(), length);
        }
        Ok(())
    }

    fn expand(&mut self, span: Range<usize>) -> Result<(), Malformed> {
        if !self.entities.is_empty() {
            let text = self.content.get(span.clone()).unwrap_or_default();
            self.expanded = self.expanded.saturating_add(self.growth(text));
            if self.expanded > MOST_EXPANDED {
                let message = format!("up to here entities stand for more than {MOST_EXPANDED} bytes");
                return Err(fault(self.content, span.start, message));
            }
        }
        Ok(())
    }

    /// Bytes that the file's own entities in a text stand for.
    fn growth(&self, text: &str) -> usize {
        let named = |part: &str| self.entities.get(part.split(';').next()?).copied();
        text.split('&').skip(1).filter_map(named).fold(0, usize::saturating_add)
    }
}
