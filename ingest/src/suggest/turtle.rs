//! A proposal as Turtle that a person can go through.

use super::Suggestion;
use factmask_schema::{Iri, Schema};
use std::collections::BTreeMap;

const HEAD: &str = "\
# A proposal, made from the facts alone: read it, correct it, and ingest with it.
#
# Names come from the names of the relations; domains, ranges, kinds of values, inverses and what has one value come from the
# facts. A comment above a class or relation says what was counted, and a line that begins with \"?\" what is doubtful.

";

impl Suggestion {
    /// The schema in Turtle, a comment above each class and relation. Reading it gives [`Suggestion::schema`] back.
    pub fn to_turtle(&self) -> String {
        commented_turtle(&self.schema, &self.notes, HEAD)
    }
}

/// A schema in Turtle behind `head`, with comments above the terms that have notes.
pub fn commented_turtle(schema: &Schema, notes: &BTreeMap<Iri, Vec<String>>, head: &str) -> String {
    let turtle = schema.to_turtle();
    // The canonical form has the classes, qualifiers and relations in order, each behind an empty line.
    let mut blocks = turtle.split("\n\n");
    let mut out = head.to_owned();
    out.push_str(blocks.next().unwrap_or_default());
    let mut subjects = schema.classes.keys().chain(schema.qualifiers.keys()).chain(schema.relations.keys());
    for block in blocks {
        out.push_str("\n\n");
        for line in subjects.next().and_then(|subject| notes.get(subject)).into_iter().flatten() {
            // A name from the data may hold anything.
            let line: String = line.chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
            out.push_str("# ");
            out.push_str(&line);
            out.push('\n');
        }
        out.push_str(block);
    }
    out
}
