//! Rules of classes as JSON.

use super::TextBody;
use factmask_schema::shapes::{NodeKind, Severity};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What must hold of the entities of a class: one relation, and what its values must be. What is left out asks nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RuleBody {
    /// IRI of the relation; besides those of the schema `rdf:type`, `rdfs:label` and `skos:altLabel`.
    pub relation: String,
    /// The values are those that say the relation of the entity.
    #[serde(default)]
    pub inverse: bool,
    /// At least so many values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_count: Option<u64>,
    /// At most so many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_count: Option<u64>,
    /// IRI of the class that each value is of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// IRI of the datatype of each value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub datatype: Option<String>,
    /// What kind of node each value is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node_kind: Option<NodeKindBody>,
    /// A regular expression that the text of each value matches somewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// How the expression is read: some of `i`, `s`, `m`, `x`, `q`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flags: Option<String>,
    /// At least so many characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_length: Option<u64>,
    /// At most so many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u64>,
    /// Each value is at least this literal: `5`, or `"2020-01-01"^^<http://www.w3.org/2001/XMLSchema#date>`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_inclusive: Option<String>,
    /// At most this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_inclusive: Option<String>,
    /// More than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_exclusive: Option<String>,
    /// Less than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_exclusive: Option<String>,
    /// Each value is one of these terms of N-Triples.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub one_of: Vec<String>,
    /// Each of these terms is among the values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub has_value: Vec<String>,
    /// Each value is words in one of these languages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub language_in: Vec<String>,
    /// At most one value for each language.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unique_lang: bool,
    /// How bad it is where it is broken; `violation` where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<SeverityBody>,
    /// What is told then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub message: Vec<TextBody>,
    /// IRI of the shape that it stands in, where that is not the class itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<String>,
    /// Its own IRI.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iri: Option<String>,
    /// What else an import says of it, and constrains nothing: a property and a term of N-Triples each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<NoteBody>,
}

/// Something that is said of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NoteBody {
    /// IRI of the property.
    pub property: String,
    /// The term.
    pub value: String,
}

/// Kinds of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NodeKindBody {
    /// An IRI.
    Iri,
    /// A literal.
    Literal,
    /// A node without a name.
    BlankNode,
    /// A node without a name, or an IRI.
    BlankNodeOrIri,
    /// A node without a name, or a literal.
    BlankNodeOrLiteral,
    /// An IRI or a literal.
    IriOrLiteral,
}

/// How bad a broken rule is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeverityBody {
    /// It is wrong.
    Violation,
    /// It should be looked at.
    Warning,
    /// It is told.
    Info,
}

/// Both ways between two enumerations of the same members.
macro_rules! same {
    ($body:ident, $kind:ident: $($member:ident),*) => {
        impl From<$kind> for $body {
            fn from(kind: $kind) -> Self {
                match kind { $($kind::$member => Self::$member),* }
            }
        }

        impl From<$body> for $kind {
            fn from(body: $body) -> Self {
                match body { $($body::$member => Self::$member),* }
            }
        }
    };
}

same!(NodeKindBody, NodeKind: Iri, Literal, BlankNode, BlankNodeOrIri, BlankNodeOrLiteral, IriOrLiteral);
same!(SeverityBody, Severity: Violation, Warning, Info);
