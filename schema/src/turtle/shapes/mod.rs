//! Rules in Turtle: the part of SHACL that a schema can say.
//!
//! A property shape is understood whole or not at all. In a schema of ours what is not understood is a fault, in an import it is kept.

mod check;
mod export;
mod found;
mod node;
mod property;
mod terms;
mod write;

pub(super) use check::{check, flaws};
pub(super) use export::relation_shape;
pub(super) use found::{Shapes, read};
pub(super) use write::block;
