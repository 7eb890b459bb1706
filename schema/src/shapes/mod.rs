//! Rules of classes, and whether data keeps them: the part of SHACL that a schema can say.
//!
//! A [`Rule`] is a property shape: one relation in one direction, and what its values must be. [`validate`] looks at any [`Data`],
//! the triples of a file ([`Triples`]) or the facts of a store, and tells each [`Violation`] in the way of a SHACL validation report.

mod constraint;
mod data;
mod literal;
mod pattern;
mod rule;
mod say;
mod term;
#[cfg(test)]
mod tests;
mod validate;

pub use crate::turtle::value_kind;
pub use constraint::Constraint;
pub use data::{Data, Triples};
pub use literal::{compare, is_datatype, is_valid};
pub use oxrdf::{Graph, Literal, Term, Triple};
pub use pattern::Pattern;
pub use rule::{Bound, NodeKind, Rule, Severity};
pub use term::{read_term, write_term};
pub use validate::{Violation, validate};
