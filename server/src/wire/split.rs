//! Parts of a schema's terms that become terms of their own.

use factmask_graph::{ObjectKind, Split, TermKind, When};
use factmask_schema::Iri;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What meets a condition moves from one term to another; where the other was there before, it comes to what that says. Documents that
/// come later move by what they say themselves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SplitBody {
    /// What both terms are.
    pub kind: SplitKindBody,
    /// IRI of the term before, by its name after the renames. The new schema may leave it out.
    pub from: String,
    /// IRI of the term of the new schema that the part becomes.
    pub to: String,
    /// Which part.
    pub when: WhenBody,
}

/// Terms that can be split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SplitKindBody {
    /// A class.
    Class,
    /// A relation.
    Relation,
}

/// Which part of a term: the first three of a class, the others of a relation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "a split needs one condition: has_relation, relation and value, entities, subject_class, object_class, or object_kind"
)]
pub enum WhenBody {
    /// Entities of which a relation is said.
    HasRelation {
        /// IRI of the relation.
        has_relation: String,
    },
    /// Entities of which a relation is said with a value.
    HasValue {
        /// IRI of the relation.
        relation: String,
        /// The object's IRI, or the value's words.
        value: String,
    },
    /// Entities that are named.
    Entities {
        /// Their IRIs.
        entities: Vec<String>,
    },
    /// What is said of entities of a class.
    SubjectClass {
        /// IRI of the class.
        subject_class: String,
    },
    /// What has an entity of a class as its object.
    ObjectClass {
        /// IRI of the class.
        object_class: String,
    },
    /// What has an object of a kind.
    ObjectKind {
        /// The kind.
        object_kind: ObjectKindBody,
    },
}

/// A kind of object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ObjectKindBody {
    /// An entity.
    Entity,
    /// Words.
    Text,
    /// A number.
    Number,
    /// A date or year.
    Date,
    /// Yes or no.
    Boolean,
}

impl SplitBody {
    /// As the store takes it; what is wrong where something is no IRI, or the condition is one on other terms.
    pub fn split(&self) -> Result<Split, String> {
        let split = Split { from: iri(&self.from)?, to: iri(&self.to)?, when: self.when.when()? };
        let kind = match self.kind {
            SplitKindBody::Class => TermKind::Class,
            SplitKindBody::Relation => TermKind::Relation,
        };
        if split.kind() != kind {
            return Err(format!("a {} is not split by `{}`", kind.word(), split.when));
        }
        Ok(split)
    }
}

impl WhenBody {
    fn when(&self) -> Result<When, String> {
        Ok(match self {
            Self::HasRelation { has_relation } => When::HasRelation(iri(has_relation)?),
            Self::HasValue { relation, value } => When::HasValue(iri(relation)?, value.clone()),
            Self::Entities { entities } => {
                When::Entities(entities.iter().map(|entity| iri(entity)).collect::<Result<_, _>>()?)
            }
            Self::SubjectClass { subject_class } => When::SubjectClass(iri(subject_class)?),
            Self::ObjectClass { object_class } => When::ObjectClass(iri(object_class)?),
            Self::ObjectKind { object_kind } => When::ObjectKind(match object_kind {
                ObjectKindBody::Entity => ObjectKind::Entity,
                ObjectKindBody::Text => ObjectKind::Text,
                ObjectKindBody::Number => ObjectKind::Number,
                ObjectKindBody::Date => ObjectKind::Date,
                ObjectKindBody::Boolean => ObjectKind::Boolean,
            }),
        })
    }
}

fn iri(text: &str) -> Result<Iri, String> {
    Iri::new(text).map_err(|error| format!("<{text}> is not an IRI: {error}"))
}
