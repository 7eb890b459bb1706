//! Rules of classes as JSON.

use super::TextBody;
use super::schema::{Reader, texts};
use factmask_schema::shapes::{Literal, NodeKind, Severity, Term, read_term, write_term};
use factmask_schema::{Iri, Rule};
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

impl From<&Rule> for RuleBody {
    fn from(rule: &Rule) -> Self {
        let text = |iri: &Option<Iri>| iri.as_ref().map(|iri| iri.as_str().to_owned());
        let bound = |literal: &Option<Literal>| literal.clone().map(|literal| write_term(&literal.into()));
        let terms = |terms: &[Term]| terms.iter().map(write_term).collect();
        let note = |(property, value): &(Iri, Term)| NoteBody {
            property: property.as_str().to_owned(),
            value: write_term(value),
        };
        Self {
            relation: rule.relation.as_str().to_owned(),
            inverse: rule.inverse,
            min_count: rule.min_count,
            max_count: rule.max_count,
            class: text(&rule.class),
            datatype: text(&rule.datatype),
            node_kind: rule.node_kind.map(Into::into),
            pattern: rule.pattern.clone(),
            flags: rule.flags.clone(),
            min_length: rule.min_length,
            max_length: rule.max_length,
            min_inclusive: bound(&rule.min_inclusive),
            max_inclusive: bound(&rule.max_inclusive),
            min_exclusive: bound(&rule.min_exclusive),
            max_exclusive: bound(&rule.max_exclusive),
            one_of: terms(&rule.one_of),
            has_value: terms(&rule.has_value),
            language_in: rule.language_in.clone(),
            unique_lang: rule.unique_lang,
            severity: rule.severity.map(Into::into),
            message: texts(&rule.message),
            shape: text(&rule.shape),
            iri: text(&rule.iri),
            notes: rule.notes.iter().map(note).collect(),
        }
    }
}

/// Takes a rule apart, as it does the rest of a schema.
impl Reader {
    pub(super) fn rule(&mut self, body: &RuleBody) -> Rule {
        Rule {
            relation: self.iri(&body.relation),
            inverse: body.inverse,
            min_count: body.min_count,
            max_count: body.max_count,
            class: self.maybe_iri(body.class.as_deref()),
            datatype: self.maybe_iri(body.datatype.as_deref()),
            node_kind: body.node_kind.map(Into::into),
            pattern: body.pattern.clone(),
            flags: body.flags.clone(),
            min_length: body.min_length,
            max_length: body.max_length,
            min_inclusive: self.bound(body.min_inclusive.as_deref()),
            max_inclusive: self.bound(body.max_inclusive.as_deref()),
            min_exclusive: self.bound(body.min_exclusive.as_deref()),
            max_exclusive: self.bound(body.max_exclusive.as_deref()),
            one_of: body.one_of.iter().filter_map(|term| self.term(term)).collect(),
            has_value: body.has_value.iter().filter_map(|term| self.term(term)).collect(),
            language_in: body.language_in.clone(),
            unique_lang: body.unique_lang,
            severity: body.severity.map(Into::into),
            message: self.texts(&body.message),
            shape: self.maybe_iri(body.shape.as_deref()),
            iri: self.maybe_iri(body.iri.as_deref()),
            notes: body
                .notes
                .iter()
                .filter_map(|note| Some((self.iri(&note.property), self.term(&note.value)?)))
                .collect(),
        }
    }

    fn maybe_iri(&mut self, text: Option<&str>) -> Option<Iri> {
        text.map(|text| self.iri(text))
    }

    fn bound(&mut self, text: Option<&str>) -> Option<Literal> {
        match self.term(text?)? {
            Term::Literal(literal) => Some(literal),
            other => {
                self.fault(
                    &other.to_string(),
                    "is not a literal; values lie above and below numbers, dates and words".to_owned(),
                );
                None
            }
        }
    }

    fn term(&mut self, text: &str) -> Option<Term> {
        read_term(text).map_err(|message| self.fault(text, message)).ok()
    }
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
