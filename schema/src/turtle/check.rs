//! What the parts of a schema say of each other.

use super::faults::{Faults, suggestion};
use super::read::Statements;
use crate::vocabulary::*;
use crate::{Class, Functional, Iri, Range, Relation, Schema, local_name};
use std::collections::{BTreeMap, BTreeSet};

/// Checks the whole and completes the inverses (saying one side is enough).
pub(super) fn check(mut schema: Schema, statements: &Statements, faults: &mut Faults) -> Schema {
    let mut checker = Checker { schema: &schema, circles: schema.circles(), statements, faults };
    for class in schema.classes.values() {
        checker.parents(class);
    }
    checker.slot_names();
    for relation in schema.relations.values() {
        checker.ends(relation);
        checker.functional(relation);
        checker.slots(relation);
        checker.symmetric(relation);
        checker.inverse(relation);
    }
    let inverses: Vec<(Iri, Iri)> = schema
        .relations
        .values()
        .filter_map(|relation| Some((relation.inverse.clone()?, relation.iri.clone())))
        .collect();
    for (target, inverse) in inverses {
        if let Some(relation) = schema.relations.get_mut(&target) {
            relation.inverse.get_or_insert(inverse);
        }
    }
    schema
}

struct Checker<'a> {
    schema: &'a Schema,
    circles: BTreeMap<&'a Iri, usize>,
    statements: &'a Statements,
    faults: &'a mut Faults,
}

impl Checker<'_> {
    fn fault(&mut self, subject: &Iri, property: &str, object: Option<&Iri>, message: String) {
        let line = self.statements.line(subject, property, object);
        self.faults.add(line, short(object.unwrap_or(subject).as_str()), message);
    }

    /// Superclasses exist and do not lead back.
    fn parents(&mut self, class: &Class) {
        for parent in &class.parents {
            if !self.schema.classes.contains_key(parent) {
                self.unknown_class(&class.iri, RDFS_SUB_CLASS_OF, parent);
            } else if self.circles.get(parent) == self.circles.get(&class.iri) {
                let message =
                    format!("is a subclass of itself by way of {}; take one link out", short(parent.as_str()));
                let line = self.statements.line(&class.iri, RDFS_SUB_CLASS_OF, Some(parent));
                self.faults.add(line, short(class.iri.as_str()), message);
            }
        }
    }

    fn unknown_class(&mut self, subject: &Iri, property: &str, class: &Iri) {
        let hint = suggestion(class.as_str(), self.schema.classes.keys().map(Iri::as_str));
        self.fault(
            subject,
            property,
            Some(class),
            format!("is not a declared class; declare it with `a rdfs:Class`{hint}"),
        );
    }

    /// Two qualifiers must not share the name of their slot, and `s` and `o` are taken.
    fn slot_names(&mut self) {
        let mut seen: BTreeMap<&str, &Iri> = BTreeMap::new();
        for qualifier in self.schema.qualifiers.values() {
            let slot = qualifier.slot();
            let clash = match seen.insert(slot, &qualifier.iri) {
                Some(other) => {
                    Some(format!("has the same local name as {}, so {{{slot}}} could mean both", short(other.as_str())))
                }
                None if matches!(slot, "s" | "o") => {
                    Some(format!("would be written {{{slot}}} in wordings, which names the subject or the object"))
                }
                None if slot.contains(['{', '}', '[', ']']) => {
                    Some("has brackets in its name, which no slot can have".to_owned())
                }
                None => None,
            };
            if let Some(message) = clash {
                let line = self.statements.first_line(&qualifier.iri);
                self.faults.add(line, short(qualifier.iri.as_str()), format!("{message}; rename it"));
            }
        }
    }

    /// Domain and range are declared classes.
    fn ends(&mut self, relation: &Relation) {
        let range = match &relation.range {
            Range::Entity(Some(class)) => Some((RDFS_RANGE, class)),
            _ => None,
        };
        let domain = relation.domain.as_ref().map(|class| (RDFS_DOMAIN, class));
        for (property, class) in domain.into_iter().chain(range) {
            if !self.schema.classes.contains_key(class) {
                self.unknown_class(&relation.iri, property, class);
            }
        }
    }

    fn functional(&mut self, relation: &Relation) {
        let Functional::Per(qualifiers) = &relation.functional else { return };
        for qualifier in qualifiers {
            if !self.schema.qualifiers.contains_key(qualifier) {
                let hint = suggestion(qualifier.as_str(), self.schema.qualifiers.keys().map(Iri::as_str));
                let message = format!("is not a declared qualifier; declare it with `a fm:Qualifier`{hint}");
                self.fault(&relation.iri, FM_FUNCTIONAL_PER, Some(qualifier), message);
            }
        }
    }

    /// Every slot of every wording is a declared qualifier.
    fn slots(&mut self, relation: &Relation) {
        let known: BTreeSet<&str> = self.schema.qualifiers.keys().map(|iri| local_name(iri.as_str())).collect();
        for (property, wordings) in [(FM_QUESTION, &relation.questions), (FM_STATEMENT, &relation.statements)] {
            for wording in wordings {
                for slot in wording.slots().filter(|slot| !known.contains(slot)) {
                    let line = self
                        .statements
                        .of(&relation.iri, property)
                        .find(|statement| matches!(&statement.object, oxrdf::Term::Literal(text) if text.value() == wording.source))
                        .map_or_else(|| self.statements.first_line(&relation.iri), |statement| statement.line);
                    let hint = suggestion(slot, known.iter().copied().chain(["s", "o"]));
                    let message = format!(
                        "in {:?} of {} is not a declared qualifier{hint}",
                        wording.source,
                        short(relation.iri.as_str())
                    );
                    self.faults.add(line, format!("{{{slot}}}"), message);
                }
            }
        }
    }

    fn symmetric(&mut self, relation: &Relation) {
        if !relation.symmetric {
            return;
        }
        let message = match &relation.range {
            Range::Value(_) => Some("is symmetric, but its objects are values, which have no relations".to_owned()),
            Range::Entity(_) if relation.inverse.as_ref().is_some_and(|inverse| *inverse != relation.iri) => {
                Some("is symmetric, so it is its own inverse; drop owl:inverseOf".to_owned())
            }
            Range::Entity(range) if self.apart(relation.domain.as_ref(), range.as_ref()) => {
                Some("is symmetric, but its domain and range are different classes".to_owned())
            }
            Range::Entity(_) => None,
        };
        if let Some(message) = message {
            self.fault(&relation.iri.clone(), RDF_TYPE, None, message);
        }
    }

    fn inverse(&mut self, relation: &Relation) {
        let Some(inverse) = &relation.inverse else { return };
        if relation.symmetric {
            return;
        }
        let message = match self.schema.relations.get(inverse) {
            None => {
                let hint = suggestion(inverse.as_str(), self.schema.relations.keys().map(Iri::as_str));
                Some(format!("is not a declared relation; declare it with `a rdf:Property`{hint}"))
            }
            Some(_) if *inverse == relation.iri => {
                Some("is its own inverse; say `a owl:SymmetricProperty` instead".to_owned())
            }
            Some(other) => self.inverse_fault(relation, other),
        };
        if let Some(message) = message {
            self.fault(&relation.iri, OWL_INVERSE_OF, Some(inverse), message);
        }
    }

    fn inverse_fault(&self, relation: &Relation, other: &Relation) -> Option<String> {
        match &other.inverse {
            Some(back) if *back != relation.iri => {
                return Some(format!(
                    "has {} as its inverse, not {}",
                    short(back.as_str()),
                    short(relation.iri.as_str())
                ));
            }
            Some(_) => {}
            None => {
                let claims = |one: &&Relation| one.inverse.as_ref() == Some(&other.iri) && one.iri != relation.iri;
                if let Some(rival) = self.schema.relations.values().find(claims) {
                    return Some(format!("is claimed as inverse by {} too", short(rival.iri.as_str())));
                }
            }
        }
        let (Range::Entity(range), Range::Entity(back)) = (&relation.range, &other.range) else {
            return Some("cannot be an inverse here: one of the two has values as its objects".to_owned());
        };
        if self.apart(relation.domain.as_ref(), back.as_ref()) || self.apart(other.domain.as_ref(), range.as_ref()) {
            return Some("does not run the other way round: domain of one and range of the other differ".to_owned());
        }
        None
    }

    /// Whether both classes are given and neither is above the other.
    fn apart(&self, one: Option<&Iri>, other: Option<&Iri>) -> bool {
        match (one, other) {
            (Some(one), Some(other)) => !self.schema.is_a(one, other) && !self.schema.is_a(other, one),
            _ => false,
        }
    }
}
