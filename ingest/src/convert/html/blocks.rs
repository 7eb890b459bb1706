//! A tree of elements to blocks.

use super::tables;
use crate::convert::Block;
use dom_query::NodeRef;

/// Elements within elements, beyond which a page is not followed.
const DEEPEST: usize = 400;

/// What of a tree is content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// All of it but navigation.
    Article,
    /// What is no navigation, form or frame around it.
    Page,
}

/// The blocks of a tree; `title` is what it is about.
pub(super) fn of(root: &NodeRef<'_>, scope: Scope, title: &str) -> Vec<Block> {
    let mut reader = Reader::new(scope, title);
    reader.children(root, 0);
    reader.flush();
    reader.blocks
}

struct Reader<'t> {
    scope: Scope,
    title: &'t str,
    blocks: Vec<Block>,
    /// The running text of the block that is open.
    text: String,
    /// Depth of items of lists.
    items: usize,
    heading: Option<u8>,
    /// Whether white space counts (`pre`).
    exact: bool,
}

impl<'t> Reader<'t> {
    fn new(scope: Scope, title: &'t str) -> Self {
        Self { scope, title, blocks: Vec::new(), text: String::new(), items: 0, heading: None, exact: false }
    }

    fn children(&mut self, node: &NodeRef<'_>, depth: usize) {
        if depth < DEEPEST {
            for child in node.children_it(false) {
                self.node(&child, depth + 1);
            }
        }
    }

    fn node(&mut self, node: &NodeRef<'_>, depth: usize) {
        if node.is_text() {
            let text = node.text();
            return if self.exact { self.text.push_str(&text) } else { self.say(&text) };
        }
        let Some(name) = node.node_name().filter(|_| node.is_element()) else {
            return self.children(node, depth);
        };
        if is_mute(&name) || is_hidden(node) || self.scope.leaves_out(node, &name) {
            return;
        }
        match name.as_ref() {
            "br" => self.text.push('\n'),
            "wbr" => {}
            "img" | "del" | "s" | "strike" => {}
            // What is raised is no digit of the number before it; a mark in brackets points at a note.
            "sup" => {
                let words = words(node);
                let points = words.starts_with(['[', '(']) || node.has_class("reference");
                if !points && !words.is_empty() {
                    self.say(&format!("^{words}"));
                }
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.flush();
                let level = name.bytes().last().map(|digit| digit - b'0');
                let outer = std::mem::replace(&mut self.heading, level);
                self.children(node, depth);
                self.flush();
                self.heading = outer;
            }
            "li" | "dd" => {
                self.flush();
                self.items += 1;
                self.children(node, depth);
                self.flush();
                self.items -= 1;
            }
            "pre" | "textarea" => {
                self.flush();
                let outer = std::mem::replace(&mut self.exact, true);
                self.children(node, depth);
                self.flush();
                self.exact = outer;
            }
            "table" => self.table(node, depth),
            "tr" | "td" | "th" => {
                self.flush();
                self.children(node, depth);
                self.flush();
            }
            name if is_inline(name) => self.children(node, depth),
            _ => {
                self.flush();
                self.children(node, depth);
                self.flush();
            }
        }
    }

    /// A table of data is one block; one that lays a page out is read as what it holds.
    fn table(&mut self, node: &NodeRef<'_>, depth: usize) {
        self.flush();
        match tables::rows(node, self.title) {
            Some(rows) => self.blocks.push(Block::Table(rows)),
            None => {
                self.children(node, depth);
                self.flush();
            }
        }
    }

    /// Adds text as it is shown: any white space is one space.
    fn say(&mut self, text: &str) {
        for char in text.chars() {
            if !char.is_whitespace() || char == '\u{a0}' || char == '\u{3000}' {
                self.text.push(char);
            } else if !self.text.ends_with([' ', '\n']) {
                self.text.push(' ');
            }
        }
    }

    fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        if text.trim().is_empty() {
            return;
        }
        let text = text.trim_matches([' ', '\n', '\t', '\r']).to_owned();
        self.blocks.push(match self.heading {
            Some(level) => Block::Heading(level, text),
            None if self.items > 0 => Block::Item(text),
            None => Block::Paragraph(text),
        });
    }
}

/// The words of an element, as they are shown.
pub(super) fn words(node: &NodeRef<'_>) -> String {
    let mut reader = Reader::new(Scope::Article, "");
    reader.children(node, 0);
    reader.flush();
    let lines = reader.blocks.into_iter().map(|block| match block {
        Block::Heading(_, words) | Block::Paragraph(words) | Block::Item(words) => words,
        Block::Table(rows) => rows.into_iter().flatten().filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join(" "),
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn is_mute(name: &str) -> bool {
    matches!(
        name,
        "script"
            | "style"
            | "noscript"
            | "template"
            | "svg"
            | "head"
            | "iframe"
            | "object"
            | "canvas"
            | "select"
            | "button"
            | "audio"
            | "video"
            | "math-annotation"
            | "annotation"
            | "annotation-xml"
    )
}

/// What is not shown says nothing, to people or to us.
fn is_hidden(node: &NodeRef<'_>) -> bool {
    let style = node.attr("style").map(|style| style.to_lowercase().replace(' ', "")).unwrap_or_default();
    node.has_attr("hidden")
        || node.attr("aria-hidden").is_some_and(|hidden| hidden.as_ref() == "true")
        || style.contains("display:none")
        || style.contains("visibility:hidden")
}

impl Scope {
    fn leaves_out(self, node: &NodeRef<'_>, name: &str) -> bool {
        let role = node.attr("role").unwrap_or_default();
        let navigation = name == "nav" || role.as_ref() == "navigation";
        let frame = matches!(name, "footer" | "aside" | "form" | "menu" | "dialog")
            || matches!(role.as_ref(), "search" | "contentinfo" | "complementary" | "dialog" | "menu" | "menubar");
        navigation || (self == Self::Page && frame)
    }
}

fn is_inline(name: &str) -> bool {
    matches!(
        name,
        "a" | "abbr"
            | "acronym"
            | "b"
            | "bdi"
            | "bdo"
            | "big"
            | "cite"
            | "code"
            | "data"
            | "del"
            | "dfn"
            | "em"
            | "font"
            | "i"
            | "ins"
            | "kbd"
            | "label"
            | "mark"
            | "math"
            | "mi"
            | "mn"
            | "mo"
            | "mrow"
            | "msup"
            | "msub"
            | "mtext"
            | "q"
            | "ruby"
            | "rb"
            | "rt"
            | "rp"
            | "s"
            | "samp"
            | "small"
            | "span"
            | "strike"
            | "strong"
            | "sub"
            | "sup"
            | "time"
            | "tt"
            | "u"
            | "var"
            | "semantics"
            | "nobr"
            | "center"
    )
}
