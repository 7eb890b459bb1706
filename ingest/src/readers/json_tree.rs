//! A JSON text as a tree whose values and keys know their bytes.

use crate::readers::Malformed;
use json_event_parser::{JsonEvent, LowLevelJsonParser};
use std::ops::Range;

/// Values within values; the JSON-LD parser works through each level again for the one above.
const DEEPEST: usize = 64;

/// A value.
pub(in crate::readers) struct Node {
    /// The object or array that it is in, by number.
    pub(in crate::readers) parent: Option<usize>,
    /// What it is called there, where that is an object.
    pub(in crate::readers) key: Option<Key>,
    pub(in crate::readers) kind: Kind,
    pub(in crate::readers) span: Range<usize>,
}

/// The name of a member.
#[derive(Clone)]
pub(in crate::readers) struct Key {
    pub(in crate::readers) text: String,
    /// Where it begins, with its quotation mark.
    pub(in crate::readers) start: usize,
}

/// What a value is.
#[derive(Debug, PartialEq)]
pub(in crate::readers) enum Kind {
    /// An object or array.
    Container,
    Text(String),
    /// A number as written.
    Number(String),
    Truth(bool),
    Null,
}

/// All values of a text, each before what is in it.
pub(in crate::readers) fn tree(content: &str) -> Result<Vec<Node>, Malformed> {
    let bytes = content.as_bytes();
    let mut parser = LowLevelJsonParser::new().with_max_stack_size(DEEPEST);
    let mut tree = Growing::default();
    let mut at = 0;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let separators = rest.iter().take_while(|byte| byte.is_ascii_whitespace() || matches!(byte, b',' | b':'));
        let start = at + separators.count();
        let read = parser.parse_next(rest, true);
        at += read.consumed_bytes;
        let event = read.event.unwrap_or(Ok(JsonEvent::Eof)).map_err(|error| {
            let start = error.location().start;
            Malformed { line: start.line + 1, column: Some(start.column + 1), message: error.message().to_owned() }
        })?;
        if event == JsonEvent::Eof {
            return Ok(tree.nodes);
        }
        tree.take(event, start..at);
    }
}

#[derive(Default)]
struct Growing {
    nodes: Vec<Node>,
    open: Vec<usize>,
    key: Option<Key>,
}

impl Growing {
    fn take(&mut self, event: JsonEvent<'_>, span: Range<usize>) {
        let kind = match event {
            JsonEvent::ObjectKey(key) => {
                self.key = Some(Key { text: key.into_owned(), start: span.start });
                return;
            }
            JsonEvent::EndArray | JsonEvent::EndObject => {
                if let Some(node) = self.open.pop().and_then(|number| self.nodes.get_mut(number)) {
                    node.span.end = span.end;
                }
                return;
            }
            JsonEvent::StartArray | JsonEvent::StartObject => Kind::Container,
            JsonEvent::String(text) => Kind::Text(text.into_owned()),
            JsonEvent::Number(number) => Kind::Number(number.into_owned()),
            JsonEvent::Boolean(truth) => Kind::Truth(truth),
            JsonEvent::Null => Kind::Null,
            JsonEvent::Eof => return,
        };
        let node = Node { parent: self.open.last().copied(), key: self.key.take(), kind, span };
        if node.kind == Kind::Container {
            self.open.push(self.nodes.len());
        }
        self.nodes.push(node);
    }
}
