//! What must hold of the entities of a class, as plain values.

use super::Constraint;
use crate::{Iri, Text};
use oxrdf::{Literal, Term};

/// One rule of a class: a relation, and what its values must be. The same as a property shape of SHACL; what is not set asks nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The relation that is spoken of.
    pub relation: Iri,
    /// The values are those that say the relation of the entity, not those that it is said of.
    pub inverse: bool,
    /// At least so many values.
    pub min_count: Option<u64>,
    /// At most so many.
    pub max_count: Option<u64>,
    /// Each value is of this class.
    pub class: Option<Iri>,
    /// Each value is a literal of this datatype, rightly written.
    pub datatype: Option<Iri>,
    /// Each value is such a node.
    pub node_kind: Option<NodeKind>,
    /// The text of each value matches this regular expression.
    pub pattern: Option<String>,
    /// How the expression is read: `i`, `s`, `m`, `x`, `q`.
    pub flags: Option<String>,
    /// The text of each value has at least so many characters.
    pub min_length: Option<u64>,
    /// At most so many.
    pub max_length: Option<u64>,
    /// Each value is at least this.
    pub min_inclusive: Option<Literal>,
    /// At most this.
    pub max_inclusive: Option<Literal>,
    /// More than this.
    pub min_exclusive: Option<Literal>,
    /// Less than this.
    pub max_exclusive: Option<Literal>,
    /// Each value is one of these; empty: any.
    pub one_of: Vec<Term>,
    /// Each of these is a value.
    pub has_value: Vec<Term>,
    /// Each value is words in one of these languages; empty: any.
    pub language_in: Vec<String>,
    /// At most one value for each language.
    pub unique_lang: bool,
    /// How bad it is where the rule is broken; `None` says the same as a violation.
    pub severity: Option<Severity>,
    /// What is told then, by language; empty: a sentence of ours.
    pub message: Vec<Text>,
    /// The shape that it stands in, where that is not called as the class is.
    pub shape: Option<Iri>,
    /// Its own name, where it has one.
    pub iri: Option<Iri>,
    /// What else is said of it and constrains nothing: its name, its place in a form and the like.
    pub notes: Vec<(Iri, Term)>,
}

/// Kinds of nodes, as `sh:nodeKind` has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// An IRI.
    Iri,
    /// A literal.
    Literal,
    /// A blank node.
    BlankNode,
    /// A blank node or an IRI.
    BlankNodeOrIri,
    /// A blank node or a literal.
    BlankNodeOrLiteral,
    /// An IRI or a literal.
    IriOrLiteral,
}

/// How bad a broken rule is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// It is told.
    Info,
    /// It should be looked at.
    Warning,
    /// It is wrong.
    #[default]
    Violation,
}

impl Rule {
    /// A rule about a relation that asks nothing yet.
    pub fn about(relation: Iri) -> Self {
        Self {
            relation,
            inverse: false,
            min_count: None,
            max_count: None,
            class: None,
            datatype: None,
            node_kind: None,
            pattern: None,
            flags: None,
            min_length: None,
            max_length: None,
            min_inclusive: None,
            max_inclusive: None,
            min_exclusive: None,
            max_exclusive: None,
            one_of: Vec::new(),
            has_value: Vec::new(),
            language_in: Vec::new(),
            unique_lang: false,
            severity: None,
            message: Vec::new(),
            shape: None,
            iri: None,
            notes: Vec::new(),
        }
    }

    /// The bounds of its values, each with the kind of bound.
    pub fn bounds(&self) -> impl Iterator<Item = (Bound, &Literal)> {
        let bounds = [
            (Bound::MinInclusive, &self.min_inclusive),
            (Bound::MaxInclusive, &self.max_inclusive),
            (Bound::MinExclusive, &self.min_exclusive),
            (Bound::MaxExclusive, &self.max_exclusive),
        ];
        bounds.into_iter().filter_map(|(bound, literal)| Some((bound, literal.as_ref()?)))
    }
}

/// Kinds of bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// At least.
    MinInclusive,
    /// At most.
    MaxInclusive,
    /// More than.
    MinExclusive,
    /// Less than.
    MaxExclusive,
}

impl Bound {
    /// What asks for it.
    pub fn constraint(self) -> Constraint {
        match self {
            Self::MinInclusive => Constraint::MinInclusive,
            Self::MaxInclusive => Constraint::MaxInclusive,
            Self::MinExclusive => Constraint::MinExclusive,
            Self::MaxExclusive => Constraint::MaxExclusive,
        }
    }
}

impl NodeKind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Iri, Self::Literal, Self::BlankNode, Self::BlankNodeOrIri, Self::BlankNodeOrLiteral, Self::IriOrLiteral];

    /// Its name in SHACL.
    pub fn local_name(self) -> &'static str {
        match self {
            Self::Iri => "IRI",
            Self::Literal => "Literal",
            Self::BlankNode => "BlankNode",
            Self::BlankNodeOrIri => "BlankNodeOrIRI",
            Self::BlankNodeOrLiteral => "BlankNodeOrLiteral",
            Self::IriOrLiteral => "IRIOrLiteral",
        }
    }

    /// Whether a node is of this kind.
    pub fn holds(self, node: &Term) -> bool {
        match node {
            Term::NamedNode(_) => matches!(self, Self::Iri | Self::BlankNodeOrIri | Self::IriOrLiteral),
            Term::BlankNode(_) => matches!(self, Self::BlankNode | Self::BlankNodeOrIri | Self::BlankNodeOrLiteral),
            Term::Literal(_) => matches!(self, Self::Literal | Self::BlankNodeOrLiteral | Self::IriOrLiteral),
            Term::Triple(_) => false,
        }
    }
}

impl Severity {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Info, Self::Warning, Self::Violation];

    /// Its name in SHACL.
    pub fn local_name(self) -> &'static str {
        match self {
            Self::Info => "Info",
            Self::Warning => "Warning",
            Self::Violation => "Violation",
        }
    }
}
