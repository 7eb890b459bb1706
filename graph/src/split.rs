//! Terms of a schema of which a part is another term now.

use crate::{Entity, Rename, Statement, TermKind, Value};
use factmask_schema::{Iri, Schema};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;
use std::str::FromStr;

/// A part of a term becomes another term: what meets a condition is said with `to` from now on, everything else stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The term before.
    pub from: Iri,
    /// What the part is called.
    pub to: Iri,
    /// Which part, and with it what both terms are.
    pub when: When,
}

/// Which part of a term a split moves. Written as a few words, in which it is stored too: `has IRI`, `IRI is VALUE`, `one of IRI IRI`,
/// `subject IRI`, `object IRI`, `object number`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum When {
    /// Of a class: the entities of which this relation is said.
    HasRelation(Iri),
    /// Of a class: the entities of which this relation is said with this value.
    HasValue(Iri, String),
    /// Of a class: these entities.
    Entities(Vec<Iri>),
    /// Of a relation: what it says of entities of this class.
    SubjectClass(Iri),
    /// Of a relation: what it says with an entity of this class as its object.
    ObjectClass(Iri),
    /// Of a relation: what it says with an object of this kind.
    ObjectKind(ObjectKind),
}

/// A kind of object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectKind {
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

impl ObjectKind {
    const ALL: [(&str, Self); 5] = [
        ("entity", Self::Entity),
        ("text", Self::Text),
        ("number", Self::Number),
        ("date", Self::Date),
        ("boolean", Self::Boolean),
    ];

    fn of(value: &Value) -> Self {
        match value {
            Value::Entity(_) => Self::Entity,
            Value::Text { .. } => Self::Text,
            Value::Number(_) => Self::Number,
            Value::Date(_) => Self::Date,
            Value::Boolean(_) => Self::Boolean,
        }
    }
}

impl When {
    /// What terms it tells apart.
    pub fn kind(&self) -> TermKind {
        match self {
            Self::HasRelation(_) | Self::HasValue(..) | Self::Entities(_) => TermKind::Class,
            Self::SubjectClass(_) | Self::ObjectClass(_) | Self::ObjectKind(_) => TermKind::Relation,
        }
    }

    /// The term that it asks for.
    fn term(&self) -> Option<(TermKind, &Iri)> {
        match self {
            Self::HasRelation(relation) | Self::HasValue(relation, _) => Some((TermKind::Relation, relation)),
            Self::SubjectClass(class) | Self::ObjectClass(class) => Some((TermKind::Class, class)),
            Self::Entities(_) | Self::ObjectKind(_) => None,
        }
    }

    fn term_mut(&mut self) -> Option<(TermKind, &mut Iri)> {
        match self {
            Self::HasRelation(relation) | Self::HasValue(relation, _) => Some((TermKind::Relation, relation)),
            Self::SubjectClass(class) | Self::ObjectClass(class) => Some((TermKind::Class, class)),
            Self::Entities(_) | Self::ObjectKind(_) => None,
        }
    }
}

impl fmt::Display for ObjectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::ALL.iter().find(|(_, kind)| kind == self).map_or("", |(word, _)| word))
    }
}

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HasRelation(relation) => write!(f, "has {}", relation.as_str()),
            Self::HasValue(relation, value) => write!(f, "{} is {value}", relation.as_str()),
            Self::Entities(entities) => {
                f.write_str("one of")?;
                entities.iter().try_for_each(|entity| write!(f, " {}", entity.as_str()))
            }
            Self::SubjectClass(class) => write!(f, "subject {}", class.as_str()),
            Self::ObjectClass(class) => write!(f, "object {}", class.as_str()),
            Self::ObjectKind(kind) => write!(f, "object {kind}"),
        }
    }
}

impl FromStr for When {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let iri = |text: &str| Iri::new(text).map_err(|error| format!("{text:?} is not an IRI: {error}"));
        let behind = |words: &str| text.strip_prefix(words).map(str::trim);
        if let Some(relation) = behind("has ") {
            iri(relation).map(Self::HasRelation)
        } else if let Some(entities) = behind("one of ") {
            entities.split_whitespace().map(iri).collect::<Result<_, _>>().map(Self::Entities)
        } else if let Some(class) = behind("subject ") {
            iri(class).map(Self::SubjectClass)
        } else if let Some(object) = behind("object ") {
            match ObjectKind::ALL.iter().find(|(word, _)| *word == object) {
                Some((_, kind)) => Ok(Self::ObjectKind(*kind)),
                None => iri(object).map(Self::ObjectClass),
            }
        } else if let Some((relation, value)) = text.split_once(" is ") {
            iri(relation).map(|relation| Self::HasValue(relation, value.to_owned()))
        } else {
            Err(format!(
                "{text:?} is no condition; say `has IRI`, `IRI is VALUE`, `one of IRI IRI`, `subject IRI`, `object IRI` or `object number`"
            ))
        }
    }
}

impl Split {
    /// What both terms are.
    pub fn kind(&self) -> TermKind {
        self.when.kind()
    }

    /// What becomes of that which meets the condition.
    pub fn rename(&self) -> Rename {
        Rename { kind: self.kind(), from: self.from.clone(), to: self.to.clone() }
    }

    /// Says its terms by their names of now.
    pub(crate) fn follow(&mut self, rename: &Rename) {
        let kind = self.kind();
        let terms = [(kind, &mut self.from), (kind, &mut self.to)].into_iter().chain(self.when.term_mut());
        for (_, term) in terms.filter(|(kind, term)| *kind == rename.kind && **term == rename.from) {
            *term = rename.to.clone();
        }
    }

    /// What it does, in a sentence.
    pub fn sentence(&self, before: &Schema, after: &Schema) -> String {
        let name = |kind: TermKind, iri: &Iri| kind.label(after, iri).or_else(|| kind.label(before, iri));
        let name = |kind, iri: &Iri| name(kind, iri).map_or_else(|| iri.to_string(), |name| format!("“{name}”"));
        let one = |word: &str| if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        let part = match &self.when {
            When::HasRelation(relation) => format!("those of which {} is said", name(TermKind::Relation, relation)),
            When::HasValue(relation, value) => {
                format!("those whose {} is “{value}”", name(TermKind::Relation, relation))
            }
            When::Entities(entities) => {
                let some: Vec<String> = entities.iter().take(3).map(ToString::to_string).collect();
                let more = entities.len().saturating_sub(some.len());
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                format!("{}{more}", some.join(", "))
            }
            When::SubjectClass(class) => format!("what is said of a {}", name(TermKind::Class, class)),
            When::ObjectClass(class) => format!("what has a {} as its object", name(TermKind::Class, class)),
            When::ObjectKind(kind) => {
                let word = kind.to_string();
                format!("what has {} {word} as its object", one(&word))
            }
        };
        let kind = self.kind();
        let becomes = if kind == TermKind::Class { "become" } else { "becomes" };
        format!("Of the {} {}, {part} {becomes} {}.", kind.word(), name(kind, &self.from), name(kind, &self.to))
    }
}

/// What is known where it is decided what a split moves: in the whole store, or in one document.
pub(crate) struct Ground {
    when: When,
    /// Classes that count as the one that is asked for.
    classes: BTreeSet<Iri>,
    classes_of: HashMap<Iri, Vec<Iri>>,
    /// Entities that meet the condition of a class.
    met: HashSet<Iri>,
}

impl Ground {
    pub(crate) fn new<'a>(
        when: When,
        classes: BTreeSet<Iri>,
        entities: impl Iterator<Item = &'a Entity>,
        statements: impl Iterator<Item = &'a Statement>,
    ) -> Self {
        let mut classes_of: HashMap<Iri, Vec<Iri>> = HashMap::new();
        if matches!(when, When::SubjectClass(_) | When::ObjectClass(_)) {
            entities.for_each(|entity| {
                classes_of.entry(entity.iri.clone()).or_default().extend(entity.classes.iter().cloned());
            });
        }
        let met = match &when {
            When::Entities(entities) => entities.iter().cloned().collect(),
            When::HasRelation(_) | When::HasValue(..) => {
                statements.filter(|said| says(&when, said)).map(|said| said.subject.clone()).collect()
            }
            When::SubjectClass(_) | When::ObjectClass(_) | When::ObjectKind(_) => HashSet::new(),
        };
        Self { when, classes, classes_of, met }
    }

    /// Whether an entity is of the part that is moved.
    pub(crate) fn moves_entity(&self, entity: &Iri) -> bool {
        self.met.contains(entity)
    }

    /// Whether a statement of the term is of the part that is moved.
    pub(crate) fn moves_statement(&self, said: &Statement) -> bool {
        let is = |entity: &Iri| {
            let classes = self.classes_of.get(entity);
            classes.is_some_and(|classes| classes.iter().any(|class| self.classes.contains(class)))
        };
        match &self.when {
            When::SubjectClass(_) => is(&said.subject),
            When::ObjectClass(_) => said.object.as_entity().is_some_and(is),
            When::ObjectKind(kind) => ObjectKind::of(&said.object) == *kind,
            When::HasRelation(_) | When::HasValue(..) | When::Entities(_) => false,
        }
    }
}

/// Whether a statement makes its subject meet the condition of a class.
fn says(when: &When, said: &Statement) -> bool {
    match when {
        When::HasRelation(relation) => said.relation == *relation,
        When::HasValue(relation, value) => said.relation == *relation && is_called(&said.object, value),
        _ => false,
    }
}

/// Whether these are a value's words, or its entity's IRI.
fn is_called(value: &Value, words: &str) -> bool {
    match value {
        Value::Entity(iri) => iri.as_str() == words,
        Value::Text { text, .. } => text == words,
        Value::Number(number) => number.plain() == words || number.said("en") == words,
        Value::Date(date) => date.iso() == words || date.said("en") == words,
        Value::Boolean(is) => is.to_string() == words,
    }
}

/// The class that a condition asks for, and all below it.
pub(crate) fn classes(when: &When, schema: &Schema) -> BTreeSet<Iri> {
    let (When::SubjectClass(class) | When::ObjectClass(class)) = when else { return BTreeSet::new() };
    schema.with_descendants(class).into_iter().cloned().collect()
}

/// What is wrong with splits that are to be done one after the other, after the renames, where anything is: terms that are not there, or
/// parts that would have to be two things.
pub fn check_splits(before: &Schema, after: &Schema, renames: &[Rename], splits: &[Split]) -> Result<(), String> {
    let mut made: HashSet<(TermKind, &Iri)> = renames.iter().map(|rename| (rename.kind, &rename.to)).collect();
    for (at, split) in splits.iter().enumerate() {
        let Split { from, to, when } = split;
        let kind = split.kind();
        if from == to {
            return Err(format!("{from} is to be split from itself"));
        }
        let gone = renames.iter().find(|rename| (rename.kind, &rename.from) == (kind, from));
        if let Some(rename) = gone {
            return Err(format!("{from} is called {} by then; split that", rename.to));
        }
        if !kind.declares(before, from) && !made.contains(&(kind, from)) {
            return Err(format!("{from} is not a {} of the schema of now", kind.word()));
        }
        if !kind.declares(after, to) {
            return Err(format!("{to} is not declared as a {} in the new schema", kind.word()));
        }
        if let Some((kind, term)) = when.term().filter(|(kind, term)| {
            !kind.declares(before, term) && !kind.declares(after, term) && !made.contains(&(*kind, *term))
        }) {
            return Err(format!("{term}, by which {from} is split, is not a {}", kind.word()));
        }
        if matches!(when, When::Entities(entities) if entities.is_empty()) {
            return Err(format!("it is not said which entities of {from} become {to}"));
        }
        for earlier in splits.iter().take(at).filter(|earlier| earlier.kind() == kind) {
            if earlier.from == *from && earlier.when == *when {
                return Err(format!("the same part of {from} is to become {} and {to}", earlier.to));
            }
            if (&earlier.from, &earlier.to) == (to, from) {
                return Err(format!("{to} is to be split into {from}, and {from} into {to}"));
            }
        }
        made.insert((kind, to));
    }
    Ok(())
}
