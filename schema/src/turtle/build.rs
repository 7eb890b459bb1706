//! The triples of one subject to a class, relation or qualifier.

use super::faults::{Faults, suggestion};
use super::import::kept_fault;
use super::read::{Statement, Statements};
use super::shapes::Shapes;
use super::terms::{COMMON_DATATYPES, Kind, NOTES, PROPERTIES, TYPES, Type, closed, shown, type_of, value_kind};
use crate::vocabulary::*;
use crate::wording::WordingError;
use crate::{Class, Functional, Iri, Qualifier, Range, Relation, Schema, Text, ValueKind, ValueType, Wording};
use oxrdf::Term;
use std::collections::BTreeSet;

/// Everything that the triples declare; what cannot be read is a fault and left out.
pub(super) fn build(statements: &Statements, shapes: &Shapes, faults: &mut Faults) -> Schema {
    let mut schema = Schema::default();
    let parts = shapes.parts();
    for (iri, all) in &statements.subjects {
        if iri.as_str() == FM_SCHEMA {
            schema.kept = kept(all, faults);
            continue;
        }
        if parts.contains(iri) && !declares(all) {
            continue;
        }
        let Some(kind) = kind(iri, all, faults) else { continue };
        check_properties(kind, all, faults);
        let mut subject = Subject { iri, statements, faults };
        match kind {
            Kind::Class => {
                let class = subject.class();
                schema.classes.insert(iri.clone(), class);
            }
            Kind::Relation => {
                let relation = subject.relation();
                schema.relations.insert(iri.clone(), relation);
            }
            Kind::Qualifier => {
                let qualifier = subject.qualifier();
                schema.qualifiers.insert(iri.clone(), qualifier);
            }
        }
    }
    schema
}

/// The triples that the schema keeps.
fn kept(all: &[Statement], faults: &mut Faults) -> BTreeSet<String> {
    let mut kept = BTreeSet::new();
    for statement in all {
        match &statement.object {
            Term::Literal(line) if statement.predicate.as_str() == FM_KEEPS => match kept_fault(line.value()) {
                None => {
                    kept.insert(line.value().to_owned());
                }
                Some(message) => faults.add(statement.line, short(FM_KEEPS), format!("{:?} {message}", line.value())),
            },
            _ => faults.add(
                statement.line,
                short(statement.predicate.as_str()),
                "stands on the schema itself, of which only fm:keeps is said",
            ),
        }
    }
    kept
}

/// Whether a type says what a subject is in a schema.
fn declares(all: &[Statement]) -> bool {
    all.iter().filter(|statement| statement.predicate.as_str() == RDF_TYPE).any(|statement| match &statement.object {
        Term::NamedNode(found) => matches!(type_of(found.as_str()), Some(Type::Declares(_))),
        _ => false,
    })
}

/// What a subject declares; `None` (with a fault, unless it is the file's heading) where that is nothing or too much.
fn kind(iri: &Iri, all: &[Statement], faults: &mut Faults) -> Option<Kind> {
    let mut kinds = Vec::new();
    let mut ignored = false;
    for statement in all.iter().filter(|statement| statement.predicate.as_str() == RDF_TYPE) {
        let Term::NamedNode(found) = &statement.object else {
            faults.add(statement.line, statement.object.to_string(), "is not a type; a type is an IRI");
            ignored = true;
            continue;
        };
        match type_of(found.as_str()) {
            Some(Type::Declares(kind)) => kinds.push((kind, statement.line)),
            Some(Type::Ignored) => ignored = true,
            None => {
                let hint = suggestion(found.as_str(), TYPES);
                let message =
                    format!("is not a type that a schema knows (rdfs:Class, rdf:Property, fm:Qualifier){hint}");
                faults.add(statement.line, short(found.as_str()), message);
                ignored = true;
            }
        }
    }
    let first = kinds.first().copied();
    match first {
        Some((kind, _)) => match kinds.iter().find(|(other, _)| *other != kind) {
            Some((other, line)) => {
                let message = format!("is declared as a {} and as a {}; use two IRIs", kind.name(), other.name());
                faults.add(*line, short(iri.as_str()), message);
                None
            }
            None => Some(kind),
        },
        None => {
            if !ignored {
                let line = all.first().map_or(1, |statement| statement.line);
                let message = "is described but not declared; say `a rdfs:Class`, `a rdf:Property` or `a fm:Qualifier`";
                faults.add(line, short(iri.as_str()), message);
            }
            None
        }
    }
}

/// Reports properties that do not exist, or not on this kind of subject.
fn check_properties(kind: Kind, all: &[Statement], faults: &mut Faults) {
    for statement in all {
        let predicate = statement.predicate.as_str();
        match PROPERTIES.iter().find(|(known, _)| *known == predicate) {
            Some((_, kinds)) if kinds.contains(&kind) => {}
            Some((_, kinds)) => {
                let places: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
                let message = format!("stands on a {}; it belongs to a {}", kind.name(), places.join(" or a "));
                faults.add(statement.line, short(predicate), message);
            }
            None if NOTES.contains(&predicate) || !closed(predicate) => {}
            None => {
                let hint = suggestion(predicate, PROPERTIES.iter().map(|(known, _)| *known));
                faults.add(statement.line, short(predicate), format!("is not a property that a schema knows{hint}"));
            }
        }
    }
}

/// One subject being read.
struct Subject<'a> {
    iri: &'a Iri,
    statements: &'a Statements,
    faults: &'a mut Faults,
}

impl Subject<'_> {
    fn class(&mut self) -> Class {
        Class {
            iri: self.iri.clone(),
            labels: self.texts(RDFS_LABEL),
            aliases: self.texts(SKOS_ALT_LABEL),
            parents: sorted(self.iris(RDFS_SUB_CLASS_OF)),
            closed: false,
            rules: Vec::new(),
        }
    }

    fn relation(&mut self) -> Relation {
        let range = self.range();
        let functional = self.functional();
        let domain = self.only_iri(RDFS_DOMAIN).filter(|iri| !any_entity(iri));
        Relation {
            iri: self.iri.clone(),
            labels: self.texts(RDFS_LABEL),
            aliases: self.texts(SKOS_ALT_LABEL),
            domain,
            range,
            functional,
            symmetric: self.has_type(OWL_SYMMETRIC_PROPERTY),
            inverse: self.only_iri(OWL_INVERSE_OF),
            questions: self.wordings(FM_QUESTION, Wording::check_question),
            statements: self.wordings(FM_STATEMENT, Wording::check_statement),
        }
    }

    fn qualifier(&mut self) -> Qualifier {
        let datatype = self.only_iri(RDFS_RANGE);
        let kind = match &datatype {
            Some(iri) => value_kind(iri.as_str()).unwrap_or_else(|| {
                let line = self.statements.line(self.iri, RDFS_RANGE, Some(iri));
                let hint = suggestion(iri.as_str(), COMMON_DATATYPES);
                let message = format!("is not a datatype; a qualifier's range is one of {}{hint}", datatypes());
                self.faults.add(line, short(iri.as_str()), message);
                ValueKind::Text
            }),
            None => {
                if self.statements.of(self.iri, RDFS_RANGE).next().is_none() {
                    self.missing_range();
                }
                ValueKind::Text
            }
        };
        let unit = self.unit(kind);
        let fiscal = self.fiscal(kind);
        Qualifier {
            iri: self.iri.clone(),
            labels: self.texts(RDFS_LABEL),
            aliases: self.texts(SKOS_ALT_LABEL),
            value: ValueType { kind, unit },
            fiscal,
        }
    }

    fn range(&mut self) -> Range {
        let object_property = self.has_type(OWL_OBJECT_PROPERTY);
        let Some(iri) = self.only_iri(RDFS_RANGE) else {
            if !object_property && self.statements.of(self.iri, RDFS_RANGE).next().is_none() {
                self.missing_range();
            }
            self.unit(ValueKind::Text);
            return Range::Entity(None);
        };
        let line = self.statements.line(self.iri, RDFS_RANGE, Some(&iri));
        if let Some(kind) = value_kind(iri.as_str()) {
            if object_property {
                self.faults.add(line, short(iri.as_str()), "is a datatype, but the relation is an owl:ObjectProperty");
            }
            return Range::Value(ValueType { kind, unit: self.unit(kind) });
        }
        if self.has_type(OWL_DATATYPE_PROPERTY) {
            let message =
                format!("is not a datatype, but the relation is an owl:DatatypeProperty; use one of {}", datatypes());
            self.faults.add(line, short(iri.as_str()), message);
        } else if iri.as_str().starts_with(XSD) {
            let hint = suggestion(iri.as_str(), COMMON_DATATYPES);
            let message = format!("is not a datatype that a schema knows; use one of {}{hint}", datatypes());
            self.faults.add(line, short(iri.as_str()), message);
            return Range::Value(ValueType { kind: ValueKind::Text, unit: None });
        }
        self.unit(ValueKind::Text);
        Range::Entity((!any_entity(&iri)).then_some(iri))
    }

    fn missing_range(&mut self) {
        let message =
            format!("has no rdfs:range; say a class, rdfs:Resource for any entity, or one of {}", datatypes());
        self.faults.add(self.statements.first_line(self.iri), short(self.iri.as_str()), message);
    }

    fn functional(&mut self) -> Functional {
        let qualifiers = sorted(self.iris(FM_FUNCTIONAL_PER));
        match (self.has_type(OWL_FUNCTIONAL_PROPERTY), qualifiers.is_empty()) {
            (true, true) => Functional::Per(Vec::new()),
            (true, false) => {
                let line = self.statements.line(self.iri, FM_FUNCTIONAL_PER, None);
                let message = "contradicts owl:FunctionalProperty (one object at all); keep the one that is meant";
                self.faults.add(line, short(FM_FUNCTIONAL_PER), message);
                Functional::Per(qualifiers)
            }
            (false, true) => Functional::No,
            (false, false) => Functional::Per(qualifiers),
        }
    }

    /// The unit, which only numbers have.
    fn unit(&mut self, kind: ValueKind) -> Option<String> {
        let (unit, line) = self.only_text(FM_UNIT)?;
        if kind != ValueKind::Number {
            self.faults.add(
                line,
                short(FM_UNIT),
                "stands on something that is not a number; give it a numeric rdfs:range",
            );
        }
        (kind == ValueKind::Number).then_some(unit)
    }

    fn fiscal(&mut self, kind: ValueKind) -> bool {
        let Some((calendar, line)) = self.only_text(FM_CALENDAR) else { return false };
        if kind != ValueKind::Year {
            self.faults.add(line, short(FM_CALENDAR), "stands on a qualifier whose rdfs:range is not xsd:gYear");
        }
        match calendar.as_str() {
            "fiscal" => true,
            "gregorian" => false,
            other => {
                let message =
                    format!("is not a calendar; say \"fiscal\" or \"gregorian\"{}", suggestion(other, ["fiscal"]));
                self.faults.add(line, format!("{other:?}"), message);
                false
            }
        }
    }

    fn wordings(&mut self, property: &str, check: fn(&Wording) -> Result<(), WordingError>) -> Vec<Wording> {
        let mut wordings: Vec<Wording> = Vec::new();
        for (text, line) in self.literals(property) {
            let checked = Wording::parse(&text.lang, &text.text).and_then(|wording| check(&wording).map(|()| wording));
            match checked {
                Ok(wording) if wordings.contains(&wording) => {}
                Ok(wording) => wordings.push(wording),
                Err(error) => self.faults.add(line, short(property), format!("{:?} {error}", text.text)),
            }
        }
        wordings
    }

    fn has_type(&self, wanted: &str) -> bool {
        self.statements
            .of(self.iri, RDF_TYPE)
            .any(|statement| matches!(&statement.object, Term::NamedNode(iri) if iri.as_str() == wanted))
    }

    /// Names, none of them empty, each once.
    fn texts(&mut self, property: &str) -> Vec<Text> {
        let mut texts: Vec<Text> = Vec::new();
        for (text, line) in self.literals(property) {
            if text.text.trim().is_empty() {
                self.faults.add(line, short(property), "is empty; say a name or leave it out");
            } else if !texts.contains(&text) {
                texts.push(text);
            }
        }
        texts
    }

    fn literals(&mut self, property: &str) -> Vec<(Text, u64)> {
        let mut literals = Vec::new();
        for statement in self.statements.of(self.iri, property) {
            match &statement.object {
                Term::Literal(literal) => {
                    let lang = literal.language().unwrap_or_default().to_lowercase();
                    literals.push((Text::new(lang, literal.value()), statement.line));
                }
                other => self.faults.add(
                    statement.line,
                    shown(other),
                    format!("is not words; {} takes a text", short(property)),
                ),
            }
        }
        literals
    }

    fn iris(&mut self, property: &str) -> Vec<Iri> {
        let mut iris = Vec::new();
        for statement in self.statements.of(self.iri, property) {
            match &statement.object {
                Term::NamedNode(iri) => iris.push(iri.clone()),
                other => self.faults.add(
                    statement.line,
                    shown(other),
                    format!("is not an IRI; {} takes one", short(property)),
                ),
            }
        }
        iris
    }

    fn only_iri(&mut self, property: &str) -> Option<Iri> {
        let iris = sorted(self.iris(property));
        self.at_most_one(property, iris.len());
        iris.into_iter().next()
    }

    fn only_text(&mut self, property: &str) -> Option<(String, u64)> {
        let texts = self.literals(property);
        self.at_most_one(property, texts.len());
        texts.into_iter().next().map(|(text, line)| (text.text, line))
    }

    fn at_most_one(&mut self, property: &str, found: usize) {
        if found > 1 {
            let line = self.statements.of(self.iri, property).nth(1).map_or(1, |statement| statement.line);
            self.faults.add(line, short(property), format!("is said {found} times; one is allowed"));
        }
    }
}

fn any_entity(iri: &Iri) -> bool {
    matches!(iri.as_str(), RDFS_RESOURCE | OWL_THING)
}

fn sorted(mut iris: Vec<Iri>) -> Vec<Iri> {
    iris.sort();
    iris.dedup();
    iris
}

fn datatypes() -> String {
    COMMON_DATATYPES.map(short).join(", ")
}
