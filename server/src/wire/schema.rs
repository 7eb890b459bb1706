//! A schema as JSON, for the editor. What is checked is its Turtle: there is one set of rules.

use super::{FaultBody, RuleBody, TextBody};
use factmask_schema::{
    Class, Functional, Iri, Qualifier, Range, Relation, Schema, Text, ValueKind, ValueType, Wording,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// A schema.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SchemaBody {
    /// Classes by IRI.
    pub classes: Vec<ClassBody>,
    /// Relations by IRI.
    pub relations: Vec<RelationBody>,
    /// Qualifiers by IRI.
    pub qualifiers: Vec<SchemaQualifierBody>,
    /// Triples of an imported file that are carried along without being understood, each a line of N-Triples.
    #[serde(default)]
    pub kept: Vec<String>,
}

/// A kind of entity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClassBody {
    /// Its IRI.
    pub iri: String,
    /// Names by language.
    #[serde(default)]
    pub labels: Vec<TextBody>,
    /// Other names.
    #[serde(default)]
    pub aliases: Vec<TextBody>,
    /// IRIs of the classes right above it.
    #[serde(default)]
    pub parents: Vec<String>,
    /// Nothing but what its rules name may be said of its entities.
    #[serde(default)]
    pub closed: bool,
    /// What must hold of its entities.
    #[serde(default)]
    pub rules: Vec<RuleBody>,
}

/// What can be said of an entity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RelationBody {
    /// Its IRI.
    pub iri: String,
    /// Names by language.
    #[serde(default)]
    pub labels: Vec<TextBody>,
    /// Other names.
    #[serde(default)]
    pub aliases: Vec<TextBody>,
    /// IRI of its subjects' class; null: any.
    #[serde(default)]
    pub domain: Option<String>,
    /// What its objects are.
    pub range: RangeBody,
    /// How many objects a subject has; null: any number.
    #[serde(default)]
    pub functional: Option<FunctionalBody>,
    /// `a R b` implies `b R a`.
    #[serde(default)]
    pub symmetric: bool,
    /// IRI of the relation that says the same the other way round.
    #[serde(default)]
    pub inverse: Option<String>,
    /// How people ask, with the slot `{s}`.
    #[serde(default)]
    pub questions: Vec<TextBody>,
    /// How a fact is said, with `{s}`, `{o}` and slots of qualifiers; the first of a language on cards.
    #[serde(default)]
    pub statements: Vec<TextBody>,
}

/// The objects of a relation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum RangeBody {
    /// Values.
    Value(ValueTypeBody),
    /// Entities.
    Class(ClassRangeBody),
}

/// Values of a kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ValueTypeBody {
    /// Their kind.
    pub value: ValueKindBody,
    /// Of numbers the unit that is meant where a source gives none.
    #[serde(default)]
    pub unit: Option<String>,
}

/// Entities of a class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClassRangeBody {
    /// Its IRI; null: any entity.
    pub class: Option<String>,
}

/// Kinds of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ValueKindBody {
    /// Words.
    Text,
    /// An exact decimal.
    Number,
    /// A date of any precision.
    Date,
    /// A year alone.
    Year,
    /// True or false.
    Boolean,
}

/// At most one object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FunctionalBody {
    /// For each combination of values of these qualifiers, by IRI; none: one object a subject.
    #[serde(default)]
    pub per: Vec<String>,
}

/// What a fact can be qualified with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SchemaQualifierBody {
    /// Its IRI.
    pub iri: String,
    /// Names by language.
    #[serde(default)]
    pub labels: Vec<TextBody>,
    /// Other names.
    #[serde(default)]
    pub aliases: Vec<TextBody>,
    /// The kind of its values.
    pub value: ValueKindBody,
    /// Of numbers the unit that is meant where a source gives none.
    #[serde(default)]
    pub unit: Option<String>,
    /// Its years are fiscal years.
    #[serde(default)]
    pub fiscal: bool,
}

impl From<&Schema> for SchemaBody {
    fn from(schema: &Schema) -> Self {
        Self {
            classes: schema.classes.values().map(Into::into).collect(),
            relations: schema.relations.values().map(Into::into).collect(),
            qualifiers: schema.qualifiers.values().map(qualifier).collect(),
            kept: schema.kept.iter().cloned().collect(),
        }
    }
}

impl From<&Class> for ClassBody {
    fn from(class: &Class) -> Self {
        Self {
            iri: class.iri.as_str().to_owned(),
            labels: texts(&class.labels),
            aliases: texts(&class.aliases),
            parents: class.parents.iter().map(|iri| iri.as_str().to_owned()).collect(),
            closed: class.closed,
            rules: class.rules.iter().map(RuleBody::from).collect(),
        }
    }
}

impl From<&Relation> for RelationBody {
    fn from(relation: &Relation) -> Self {
        let text = |iri: &Iri| iri.as_str().to_owned();
        Self {
            iri: text(&relation.iri),
            labels: texts(&relation.labels),
            aliases: texts(&relation.aliases),
            domain: relation.domain.as_ref().map(text),
            range: match &relation.range {
                Range::Entity(class) => RangeBody::Class(ClassRangeBody { class: class.as_ref().map(text) }),
                Range::Value(value) => {
                    RangeBody::Value(ValueTypeBody { value: value.kind.into(), unit: value.unit.clone() })
                }
            },
            functional: match &relation.functional {
                Functional::No => None,
                Functional::Per(qualifiers) => Some(FunctionalBody { per: qualifiers.iter().map(text).collect() }),
            },
            symmetric: relation.symmetric,
            inverse: relation.inverse.as_ref().map(text),
            questions: wordings(&relation.questions),
            statements: wordings(&relation.statements),
        }
    }
}

fn qualifier(qualifier: &Qualifier) -> SchemaQualifierBody {
    SchemaQualifierBody {
        iri: qualifier.iri.as_str().to_owned(),
        labels: texts(&qualifier.labels),
        aliases: texts(&qualifier.aliases),
        value: qualifier.value.kind.into(),
        unit: qualifier.value.unit.clone(),
        fiscal: qualifier.fiscal,
    }
}

pub(super) fn texts(texts: &[Text]) -> Vec<TextBody> {
    texts.iter().map(|text| TextBody { lang: text.lang.clone(), text: text.text.clone() }).collect()
}

fn wordings(wordings: &[Wording]) -> Vec<TextBody> {
    wordings.iter().map(|one| TextBody { lang: one.lang.clone(), text: one.source.clone() }).collect()
}

impl From<ValueKind> for ValueKindBody {
    fn from(kind: ValueKind) -> Self {
        match kind {
            ValueKind::Text => Self::Text,
            ValueKind::Number => Self::Number,
            ValueKind::Date => Self::Date,
            ValueKind::Year => Self::Year,
            ValueKind::Boolean => Self::Boolean,
        }
    }
}

impl From<ValueKindBody> for ValueKind {
    fn from(kind: ValueKindBody) -> Self {
        match kind {
            ValueKindBody::Text => Self::Text,
            ValueKindBody::Number => Self::Number,
            ValueKindBody::Date => Self::Date,
            ValueKindBody::Year => Self::Year,
            ValueKindBody::Boolean => Self::Boolean,
        }
    }
}

impl SchemaBody {
    /// As Turtle, to be read and checked; with what cannot be written in Turtle at all.
    pub fn to_turtle(&self) -> (String, Vec<FaultBody>) {
        let mut reader = Reader { faults: Vec::new() };
        let mut schema = Schema { kept: self.kept.iter().cloned().collect(), ..Schema::default() };
        for body in &self.classes {
            let class = reader.class(body);
            reader.insert(&mut schema.classes, class.iri.clone(), class);
        }
        for body in &self.relations {
            let relation = reader.relation(body);
            reader.insert(&mut schema.relations, relation.iri.clone(), relation);
        }
        for body in &self.qualifiers {
            let qualifier = reader.qualifier(body);
            reader.insert(&mut schema.qualifiers, qualifier.iri.clone(), qualifier);
        }
        (schema.to_turtle(), reader.faults)
    }
}

/// Takes a body apart, noting what Turtle has no way to say.
pub(super) struct Reader {
    faults: Vec<FaultBody>,
}

impl Reader {
    fn class(&mut self, body: &ClassBody) -> Class {
        Class {
            iri: self.iri(&body.iri),
            labels: self.texts(&body.labels),
            aliases: self.texts(&body.aliases),
            parents: body.parents.iter().map(|iri| self.iri(iri)).collect(),
            closed: body.closed,
            rules: body.rules.iter().map(|rule| self.rule(rule)).collect(),
        }
    }

    fn relation(&mut self, body: &RelationBody) -> Relation {
        Relation {
            iri: self.iri(&body.iri),
            labels: self.texts(&body.labels),
            aliases: self.texts(&body.aliases),
            domain: body.domain.as_ref().map(|iri| self.iri(iri)),
            range: match &body.range {
                RangeBody::Class(range) => Range::Entity(range.class.as_ref().map(|iri| self.iri(iri))),
                RangeBody::Value(value) => {
                    Range::Value(ValueType { kind: value.value.into(), unit: value.unit.clone() })
                }
            },
            functional: match &body.functional {
                None => Functional::No,
                Some(functional) => Functional::Per(functional.per.iter().map(|iri| self.iri(iri)).collect()),
            },
            symmetric: body.symmetric,
            inverse: body.inverse.as_ref().map(|iri| self.iri(iri)),
            questions: self.wordings(&body.questions),
            statements: self.wordings(&body.statements),
        }
    }

    fn qualifier(&mut self, body: &SchemaQualifierBody) -> Qualifier {
        Qualifier {
            iri: self.iri(&body.iri),
            labels: self.texts(&body.labels),
            aliases: self.texts(&body.aliases),
            value: ValueType { kind: body.value.into(), unit: body.unit.clone() },
            fiscal: body.fiscal,
        }
    }

    fn insert<T>(&mut self, all: &mut BTreeMap<Iri, T>, iri: Iri, term: T) {
        let name = iri.as_str().to_owned();
        if all.insert(iri, term).is_some() {
            self.fault(&name, "is declared twice; take another IRI for one of them".to_owned());
        }
    }

    pub(super) fn iri(&mut self, text: &str) -> Iri {
        Iri::new(text).unwrap_or_else(|error| {
            self.fault(text, format!("is not an IRI: {error}"));
            Iri::new_unchecked("urn:factmask:no-iri")
        })
    }

    pub(super) fn texts(&mut self, texts: &[TextBody]) -> Vec<Text> {
        texts.iter().map(|text| Text::new(self.lang(text), text.text.clone())).collect()
    }

    fn wordings(&mut self, texts: &[TextBody]) -> Vec<Wording> {
        texts.iter().map(|text| Wording::unchecked(&self.lang(text), &text.text)).collect()
    }

    fn lang(&mut self, text: &TextBody) -> String {
        let part = |part: &str| (1..=8).contains(&part.len()) && part.chars().all(|char| char.is_ascii_alphanumeric());
        if !text.lang.is_empty() && !text.lang.split('-').all(part) {
            self.fault(&text.text, format!("has {:?} for its language; say a tag such as en, zh or pt-BR", text.lang));
        }
        text.lang.to_lowercase()
    }

    pub(super) fn fault(&mut self, term: &str, message: String) {
        self.faults.push(FaultBody { line: 0, term: term.to_owned(), message });
    }
}
