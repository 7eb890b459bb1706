//! Turtle in and out.
//!
//! Reading goes in three steps, each its own file: [`read`] turns text into triples that know their line, [`build`] turns the
//! triples of one subject into a class, relation or qualifier ([`shapes`] those of a shape into rules), and [`check`] looks at what they say of each other. Faults are
//! collected through all of it, so that one look at a file finds them all.

mod build;
mod check;
mod declare;
mod faults;
mod import;
mod read;
mod shapes;
mod terms;
mod write;

pub use import::Imported;
pub use terms::value_kind;

use crate::{Schema, SchemaError};

impl Schema {
    /// Reads and checks a schema. `source` is how errors call it, a path as a rule.
    ///
    /// All faults are reported together. Where the text is not Turtle only the syntax faults are, because what a broken
    /// sentence would have declared is not known.
    pub fn parse(turtle: &str, source: &str) -> Result<Self, SchemaError> {
        let mut faults = faults::Faults::new(source);
        let statements = read::read(turtle, &mut faults);
        faults.stop_if_any()?;
        let mut shapes = shapes::read(&statements);
        shapes.tell(&statements, &mut faults);
        let mut schema = build::build(&statements, &shapes, &mut faults);
        shapes::check(&schema, &shapes, &statements, &mut faults);
        shapes.give(&mut schema);
        let schema = check::check(schema, &statements, &mut faults);
        faults.stop_if_any()?;
        Ok(schema)
    }

    /// The schema as Turtle, in one canonical form: subjects and properties sorted, the values of a property in their own
    /// order where it means something (the first label of a language is the one that is used), else sorted. Equal schemas give equal
    /// text, and reading it gives the schema back.
    pub fn to_turtle(&self) -> String {
        write::write(self)
    }
}
