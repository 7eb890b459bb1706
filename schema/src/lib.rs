//! The schema of a knowledge graph as a checked value: classes, relations, qualifiers, and the words people use for them.
//!
//! A [`Schema`] is read from Turtle, checked as a whole (every fault is reported, with line and term) and then never changes.
//! It says what a relation connects, whether it is functional *per qualifier*, how a fact is said in a sentence, and how
//! people ask for it. It is not storage and knows no facts: that is `factmask-graph`.

//!
//! ```
//! use factmask_schema::{Iri, Schema};
//!
//! let schema = Schema::parse(
//!     r#"
//!     @prefix fm: <urn:factmask:schema#> .
//!     @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
//!     @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
//!     @prefix ex: <http://example.com/> .
//!     ex:Country a rdfs:Class ; rdfs:label "country"@en .
//!     ex:capital a rdf:Property ; rdfs:label "capital"@en ; rdfs:domain ex:Country ; rdfs:range rdfs:Resource ;
//!         fm:statement "The capital of {s} is {o}."@en .
//!     "#,
//!     "countries.ttl",
//! )?;
//! let capital = schema.relation(&Iri::new_unchecked("http://example.com/capital"));
//! let sentence = capital.statement_for("en").statement("Freedonia", "Marxville", &|_| None);
//! assert_eq!(sentence, "The capital of Freedonia is Marxville.");
//! # Ok::<(), factmask_schema::SchemaError>(())
//! ```

mod diff;
mod error;
mod hierarchy;
mod names;
pub mod normal;
mod say;
pub mod shapes;
mod text;
mod turtle;
mod types;
pub mod unit;
pub mod vocabulary;
mod wording;

pub use diff::{Difference, DifferenceKind, differences};
pub use error::{Fault, SchemaError};
pub use names::{local_name, percent_decode, split_words};
pub use oxrdf::NamedNode as Iri;
pub use shapes::{Bound, NodeKind, Rule, Severity};
pub use text::Text;
pub use turtle::Imported;
pub use types::{Class, Functional, Qualifier, Range, Relation, Schema, ValueKind, ValueType};
pub use wording::{Piece, Stem, Wording, WordingError, escape};
