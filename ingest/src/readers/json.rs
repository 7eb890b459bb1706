//! JSON: objects are rows, their members columns.
//!
//! An object within an object is part of it (`address.city`). Objects in an array are rows of a table of their own, and where they
//! say their name it also stands in the row that they belong to: `{"name": "Acme", "employees": [{"name": "Ann", "age": 40}]}` says
//! that Ann is one of Acme's employees, and how old she is. A text that names terms of JSON-LD is read as that.

use super::json_tree::{Kind, Node, tree};
use super::rdf;
use super::{Format, JsonLayout, Malformed, Reader, Syntax, TableRows};
use crate::draft::{Draft, Place};
use crate::table::{
    Cell, Columns, Mapping, Role, Row, class_called, is_name_header, map_columns, read_rows, subjects_of_rows,
};
use crate::text::Decoded;
use std::collections::BTreeMap;

pub(super) fn declare(
    reader: &Reader<'_>,
    layout: JsonLayout,
    decoded: &Decoded,
    mapping: Option<&Mapping>,
    draft: &mut Draft<'_, '_>,
) -> Result<(), Malformed> {
    match content(layout, decoded)? {
        Content::Linked => rdf::declare(Syntax::JsonLd, decoded, draft),
        Content::Tables(tables, _) => {
            for table in tables.values() {
                if let Some(columns) = table.columns(reader, mapping) {
                    subjects_of_rows(&table.rows(&columns), &columns, draft);
                }
            }
            Ok(())
        }
    }
}

pub(super) fn read(
    reader: &Reader<'_>,
    layout: JsonLayout,
    decoded: &Decoded,
    mapping: Option<&Mapping>,
    draft: &mut Draft<'_, '_>,
) -> Result<(), Malformed> {
    let tables = match content(layout, decoded)? {
        Content::Linked => return rdf::read(reader, Syntax::JsonLd, decoded, draft),
        Content::Tables(tables, broken) => {
            for Malformed { line, message, .. } in broken {
                let line = u32::try_from(line).unwrap_or(u32::MAX);
                draft.warn(Some(Place::Line(line)), format!("{message}; the line is left out"));
            }
            tables
        }
    };
    if tables.is_empty() {
        draft.warn(None, "no objects, and objects are the rows; nothing is read");
    }
    for (name, table) in &tables {
        let what = if name.is_empty() { "these objects".to_owned() } else { format!("the objects of \"{name}\"") };
        match table.columns(reader, mapping) {
            Some(columns) => {
                for warning in &columns.warnings {
                    draft.warn(None, format!("{what}: {warning}"));
                }
                if let Some(several) = table.of_several(&columns) {
                    let message = "says of several at once what is not told apart; it is left out (an object for each)";
                    draft.warn(Some(Place::Row(several)), message);
                }
                let extractor = Format::Json(layout).extractor();
                read_rows(&table.rows(&columns), &columns, &reader.qualifiers, extractor, draft);
            }
            None => {
                let message = format!(
                    "the members of {what} ({}) do not say whom they are about (a class of the schema, or \"name\") and a relation of it; they are not read (add the names as aliases, or a mapping file `<file>.map.toml`)",
                    table.names.join(", ")
                );
                draft.warn(None, message);
            }
        }
    }
    Ok(())
}

/// Objects whose members say whom they are about, by their names alone where the schema knows none of them.
pub(super) fn tables(reader: &Reader<'_>, layout: JsonLayout, decoded: &Decoded) -> Vec<TableRows> {
    let Ok(Content::Tables(tables, _)) = content(layout, decoded) else { return Vec::new() };
    let of = |table: Table| {
        let columns = table.columns(reader, None).or_else(|| table.named(reader))?;
        let cells = table.names.iter().map(|name| Cell { text: name.clone(), span: 0..0 }).collect();
        Some(TableRows { header: Row { number: 0, cells }, rows: table.rows(&columns), columns: Some(columns) })
    };
    tables.into_values().filter_map(of).collect()
}

enum Content {
    /// JSON-LD.
    Linked,
    /// Objects by the name of the array that holds them; those of the whole text have none. Then the lines that are no JSON.
    Tables(BTreeMap<String, Table>, Vec<Malformed>),
}

fn content(layout: JsonLayout, decoded: &Decoded) -> Result<Content, Malformed> {
    let content = decoded.text.get(decoded.start..).unwrap_or_default();
    let mut collector = Collector::default();
    let mut broken = Vec::new();
    match layout {
        JsonLayout::Whole => {
            let nodes = tree(content)?;
            if is_linked(&nodes) {
                return Ok(Content::Linked);
            }
            collector.text(&Tree::new(&nodes, content, decoded.start));
        }
        JsonLayout::Lines => {
            let mut at = 0;
            for (line, number) in content.split_inclusive('\n').zip(1_u64..) {
                if !line.trim().is_empty() {
                    match tree(line) {
                        Ok(nodes) => {
                            collector.row = u32::try_from(number - 1).unwrap_or(u32::MAX);
                            collector.text(&Tree::new(&nodes, line, decoded.start + at));
                        }
                        Err(fault) => broken.push(Malformed { line: number, ..fault }),
                    }
                }
                at += line.len();
            }
            // A line that is broken costs only itself, where there are others.
            if collector.tables.is_empty() && !broken.is_empty() {
                return Err(broken.swap_remove(0));
            }
        }
    }
    Ok(Content::Tables(collector.tables, broken))
}

/// Whether a member of the outermost object, or of the objects of the outermost array, is one of JSON-LD's keywords.
fn is_linked(nodes: &[Node]) -> bool {
    let depth = |node: &Node| std::iter::successors(node.parent, |parent| nodes.get(*parent)?.parent).count();
    let keyword = |node: &Node| {
        node.key.as_ref().is_some_and(|key| matches!(key.text.as_str(), "@context" | "@graph" | "@id" | "@type"))
    };
    nodes.iter().any(|node| keyword(node) && depth(node) <= 2)
}

/// Objects with members of the same names.
#[derive(Default)]
struct Table {
    /// The names of the members, in the order in which they come first.
    names: Vec<String>,
    objects: Vec<Object>,
}

struct Object {
    row: u32,
    /// Values by the number of their name; one whose value is an array has several.
    members: Vec<(usize, Cell)>,
}

impl Table {
    /// What the members say, where one of them says whom the objects are about: an object has no first member.
    fn columns(&self, reader: &Reader<'_>, mapping: Option<&Mapping>) -> Option<Columns> {
        let cells = self.names.iter().map(|name| Cell { text: name.clone(), span: 0..0 }).collect();
        let columns = map_columns(&Row { number: 0, cells }, reader.schema, &reader.qualifiers, mapping)?;
        let told = columns.headed || columns.roles.contains(&Role::Key) || mapping.is_some();
        told.then_some(columns)
    }

    /// The columns where one has the name of a class or of names, and the schema knows no other.
    fn named(&self, reader: &Reader<'_>) -> Option<Columns> {
        let named = |name: &String| is_name_header(name) || class_called(reader.schema, name).is_some();
        let whom = self.names.iter().position(named)?;
        let class = self.names.get(whom).and_then(|name| class_called(reader.schema, name));
        let role = |at| if at == whom { Role::Subject } else { Role::Ignored };
        let roles = (0..self.names.len()).map(role).collect();
        Some(Columns { roles, class, headed: true, warnings: Vec::new() })
    }

    /// The first object that is about several.
    fn of_several(&self, columns: &Columns) -> Option<u32> {
        let whom = columns.roles.iter().position(|role| *role == Role::Subject)?;
        let several = |object: &&Object| object.members.iter().filter(|(of, _)| *of == whom).count() > 1;
        self.objects.iter().find(several).map(|object| object.row)
    }

    /// A row for each object, and one more for each further value of a member, which says again whom it is about.
    fn rows(&self, columns: &Columns) -> Vec<Row> {
        let mut rows = Vec::new();
        for object in &self.objects {
            let whom = columns.roles.iter().position(|role| *role == Role::Subject);
            // Which value belongs to which of several is not said.
            if whom.is_some_and(|whom| object.members.iter().filter(|(of, _)| *of == whom).count() > 1) {
                continue;
            }
            let values = |name: usize| object.members.iter().filter(move |(of, _)| *of == name).map(|(_, cell)| cell);
            let most = (0..self.names.len()).map(|name| values(name).count()).max().unwrap_or(0);
            let row = |number: usize| {
                let cell = |name: usize| {
                    let says_whom = columns
                        .roles
                        .get(name)
                        .is_some_and(|role| matches!(role, Role::Subject | Role::Key | Role::Qualifier(_)));
                    values(name).nth(if says_whom { 0 } else { number }).cloned().unwrap_or_default()
                };
                Row { number: object.row, cells: (0..self.names.len()).map(cell).collect() }
            };
            rows.extend((0..most).map(row));
        }
        rows
    }
}

/// A text's values with what is in each.
struct Tree<'t> {
    nodes: &'t [Node],
    within: Vec<Vec<usize>>,
    content: &'t str,
    /// Where the text begins in its file.
    base: usize,
}

impl<'t> Tree<'t> {
    fn new(nodes: &'t [Node], content: &'t str, base: usize) -> Self {
        let mut within = vec![Vec::new(); nodes.len()];
        for (number, node) in nodes.iter().enumerate() {
            if let Some(parent) = node.parent.and_then(|parent| within.get_mut(parent)) {
                parent.push(number);
            }
        }
        Self { nodes, within, content, base }
    }

    fn within(&self, node: usize) -> impl Iterator<Item = (usize, &'t Node)> {
        self.within.get(node).into_iter().flatten().filter_map(|number| Some((*number, self.nodes.get(*number)?)))
    }

    fn is_object(&self, node: &Node) -> bool {
        node.kind == Kind::Container && self.content.as_bytes().get(node.span.start) == Some(&b'{')
    }

    /// What a plain value says, with its bytes; the quotation marks are not part of a text.
    fn cell(&self, node: &Node) -> Option<Cell> {
        let span = self.base + node.span.start..self.base + node.span.end;
        let text = match &node.kind {
            Kind::Text(text) => {
                let inner = span.start + 1..span.end.saturating_sub(1).max(span.start + 1);
                return Some(Cell { text: text.clone(), span: inner });
            }
            Kind::Number(number) => number.clone(),
            Kind::Truth(truth) => truth.to_string(),
            Kind::Null | Kind::Container => return None,
        };
        Some(Cell { text, span })
    }

    /// The member that says whom an object is about: its name, else its first text.
    fn whom(&self, object: usize) -> Option<(String, Cell)> {
        let named = |(_, node): &(usize, &'t Node)| node.key.as_ref().is_some_and(|key| is_name_header(&key.text));
        let found = self
            .within(object)
            .find(named)
            .or_else(|| self.within(object).find(|(_, node)| matches!(node.kind, Kind::Text(_))));
        let (_, node) = found?;
        Some((node.key.as_ref()?.text.clone(), self.cell(node)?))
    }

    /// What an object says its name is.
    fn name_of(&self, object: usize) -> Option<Cell> {
        let named = |(_, node): &(usize, &'t Node)| node.key.as_ref().is_some_and(|key| is_name_header(&key.text));
        self.within(object).find(named).and_then(|(_, node)| self.cell(node))
    }
}

#[derive(Default)]
struct Collector {
    tables: BTreeMap<String, Table>,
    /// The object's number in its text, or its line's in its file, from 0.
    row: u32,
}

impl Collector {
    fn text(&mut self, tree: &Tree<'_>) {
        let Some(root) = tree.nodes.first() else { return };
        if tree.is_object(root) {
            return self.object(tree, 0, "", None);
        }
        for (number, node) in tree.within(0) {
            if tree.is_object(node) {
                self.object(tree, number, "", None);
                self.row = self.row.saturating_add(1);
            }
        }
    }

    /// `of` is whom the object is about where it has no name itself.
    fn object(&mut self, tree: &Tree<'_>, object: usize, table: &str, of: Option<(String, Cell)>) {
        let mut members: Vec<(String, Cell)> = Vec::new();
        members.extend(of.filter(|_| tree.name_of(object).is_none()));
        self.members(tree, object, "", &mut members);
        if members.is_empty() {
            return;
        }
        let row = self.row.saturating_add(1);
        let table = self.tables.entry(table.to_owned()).or_default();
        let members = members.into_iter().map(|(name, cell)| {
            let known = table.names.iter().position(|own| *own == name).unwrap_or_else(|| {
                table.names.push(name);
                table.names.len() - 1
            });
            (known, cell)
        });
        let members = members.collect();
        table.objects.push(Object { row, members });
    }

    fn members(&mut self, tree: &Tree<'_>, object: usize, before: &str, into: &mut Vec<(String, Cell)>) {
        for (number, node) in tree.within(object) {
            let Some(key) = &node.key else { continue };
            let name = format!("{before}{}", key.text);
            if tree.is_object(node) {
                self.members(tree, number, &format!("{name}."), into);
            } else if node.kind == Kind::Container {
                for (number, element) in tree.within(number) {
                    if tree.is_object(element) {
                        into.extend(tree.name_of(number).map(|cell| (name.clone(), cell)));
                        self.object(tree, number, &name, tree.whom(object));
                    } else {
                        into.extend(tree.cell(element).map(|cell| (name.clone(), cell)));
                    }
                }
            } else {
                into.extend(tree.cell(node).map(|cell| (name, cell)));
            }
        }
    }
}
