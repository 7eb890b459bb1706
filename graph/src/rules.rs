//! The facts of an epoch as what rules are asked about.

use crate::rdf::term;
use crate::{EntityId, Snapshot};
use factmask_schema::shapes::{Data, Literal, Term, compare, is_valid, value_kind};
use factmask_schema::vocabulary::{RDF_TYPE, RDFS_LABEL, SKOS_ALT_LABEL, XSD_DATE, XSD_DECIMAL, XSD_STRING};
use factmask_schema::{Iri, Text, ValueKind};
use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The facts of a snapshot, with what its schema makes of them: classes with those below, and relations that run both ways. A value counts
/// once, whatever it is qualified with.
///
/// Numbers and dates have kept no datatype. A number is of every numeric datatype that could say it, and a date is a time too.
pub struct Facts<'a> {
    snapshot: &'a Snapshot,
    /// Of each class its entities, those of the classes below among them.
    of: HashMap<&'a Iri, BTreeSet<EntityId>>,
}

impl<'a> Facts<'a> {
    /// Those of a snapshot, under its own schema.
    pub fn of(snapshot: &'a Snapshot) -> Self {
        let schema = snapshot.schema();
        let mut of: HashMap<&Iri, BTreeSet<EntityId>> = HashMap::new();
        for (entity, number) in snapshot.entities().iter().zip(0..) {
            for class in entity.classes.iter().flat_map(|class| schema.with_ancestors(class)) {
                of.entry(class).or_default().insert(EntityId(number));
            }
        }
        Self { snapshot, of }
    }

    fn find(&self, thing: &Term) -> Option<EntityId> {
        if let Term::NamedNode(iri) = thing { self.snapshot.find(iri) } else { None }
    }

    fn name(&self, id: EntityId) -> Term {
        self.snapshot.entity(id).iri.clone().into()
    }

    /// The values of facts of a relation, or their subjects.
    fn stated(&self, id: EntityId, relation: &Iri, inverse: bool, into: &mut Vec<Term>) {
        match inverse {
            false => {
                into.extend(self.snapshot.facts_of_relation(id, relation).map(|fact| term::of(&fact.statement.object)))
            }
            true => into.extend(
                self.snapshot.facts_to_relation(id, relation).map(|fact| Term::from(fact.statement.subject.clone())),
            ),
        }
    }
}

impl Data for Facts<'_> {
    fn instances(&self, class: &Iri) -> Vec<Term> {
        self.of.get(class).into_iter().flatten().map(|id| self.name(*id)).collect()
    }

    fn is_instance(&self, thing: &Term, class: &Iri) -> bool {
        self.find(thing).is_some_and(|id| self.of.get(class).is_some_and(|all| all.contains(&id)))
    }

    fn values(&self, thing: &Term, relation: &Iri, inverse: bool) -> Vec<Term> {
        if let (RDF_TYPE, true, Term::NamedNode(class)) = (relation.as_str(), inverse, thing) {
            let is = |class: &Iri, id: &EntityId| self.snapshot.entity(*id).classes.contains(class);
            let all = self.of.get(class).into_iter().flatten().filter(|id| is(class, id));
            return all.map(|id| self.name(*id)).collect();
        }
        let Some(id) = self.find(thing) else { return Vec::new() };
        let entity = self.snapshot.entity(id);
        let words = |texts: &[Text]| texts.iter().map(|text| term::words(&text.text, &text.lang).into()).collect();
        let mut values: Vec<Term> = match (relation.as_str(), inverse) {
            (RDF_TYPE, false) => entity.classes.iter().cloned().map(Into::into).collect(),
            (RDFS_LABEL, false) => words(&entity.labels),
            (SKOS_ALT_LABEL, false) => words(&entity.aliases),
            _ => Vec::new(),
        };
        self.stated(id, relation, inverse, &mut values);
        if let Some(declared) = self.snapshot.schema().relations.get(relation) {
            if declared.symmetric {
                self.stated(id, relation, !inverse, &mut values);
            }
            declared.inverse.iter().for_each(|other| self.stated(id, other, !inverse, &mut values));
        }
        let mut seen = HashSet::new();
        values.retain(|value| seen.insert(value.clone()));
        values
    }

    fn said_of(&self, thing: &Term) -> Vec<(Iri, Term)> {
        let Some(id) = self.find(thing) else { return Vec::new() };
        let said = |fact: &crate::Fact| (fact.statement.relation.clone(), term::of(&fact.statement.object));
        let mut seen = HashSet::new();
        self.snapshot.facts_of(id).map(said).filter(|said| seen.insert(said.clone())).collect()
    }

    fn in_datatype(&self, literal: &Literal, datatype: &Iri) -> Option<Literal> {
        if literal.datatype() == datatype.as_ref() {
            return Some(literal.clone());
        }
        let text = match (literal.datatype().as_str(), value_kind(datatype.as_str())?) {
            (XSD_DECIMAL, ValueKind::Number) | (XSD_STRING, ValueKind::Text) => literal.value().to_owned(),
            (XSD_DATE, ValueKind::Date) if datatype.as_str().ends_with("#dateTime") => {
                format!("{}T00:00:00", literal.value())
            }
            _ => return None,
        };
        let other = Literal::new_typed_literal(text, datatype.clone());
        is_valid(&other).then_some(other)
    }

    fn is_same(&self, value: &Term, named: &Term) -> bool {
        match (value, named) {
            (Term::Literal(value), Term::Literal(named)) => {
                let like = self.in_datatype(value, &named.datatype().into_owned());
                let like = like.as_ref().unwrap_or(value);
                like == named || compare(like, named) == Some(Ordering::Equal)
            }
            (value, named) => value == named || self.find(named).is_some_and(|id| self.find(value) == Some(id)),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
mod tests {
    use super::*;
    use crate::{Date, DocumentId, Entity, NewFact, Number, Statement, Value};
    use factmask_schema::{Schema, shapes::validate};

    const SCHEMA: &str = r#"@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix sh: <http://www.w3.org/ns/shacl#> . @prefix e: <http://example.com/> .
e:Place a rdfs:Class . e:City a rdfs:Class ; rdfs:subClassOf e:Place . e:Land a rdfs:Class .
e:capital a rdf:Property ; rdfs:range e:City . e:capitalOf a rdf:Property ; rdfs:range e:Land ; owl:inverseOf e:capital .
e:twin a rdf:Property , owl:SymmetricProperty ; rdfs:range e:City .
e:people a rdf:Property ; rdfs:range xsd:decimal . e:founded a rdf:Property ; rdfs:range xsd:date .
e:Place a sh:NodeShape .
"#;

    fn iri(name: &str) -> Iri {
        Iri::new_unchecked(format!("http://example.com/{name}"))
    }

    /// What breaks a rule of places in a small world: a capital with a twin, and a town of which a few things are known.
    fn broken(rule: &str) -> Vec<String> {
        let text = format!("{SCHEMA} e:Place sh:property [ {rule} ] .");
        let schema = Schema::parse(&text, "s").unwrap_or_else(|error| panic!("{rule}: {error}"));
        let entity = |name: &str, class: &str| Entity {
            iri: iri(name),
            classes: vec![iri(class)],
            labels: vec![Text::new("en", name)],
            aliases: vec![Text::new("", format!("{name} town"))],
        };
        let fact = |subject: &str, relation: &str, object: Value| {
            let statement = Statement::new(iri(subject), iri(relation), object, vec![]);
            NewFact { statement, span: 0..1, locator: None, extractor: "hand".to_owned(), confidence: 1.0 }
                .into_fact(DocumentId::new("d").unwrap())
        };
        let day = Date { month: Some(5), day: Some(1), ..Date::from_year(1900) };
        let facts = vec![
            fact("land", "capital", Value::Entity(iri("rome"))),
            fact("rome", "twin", Value::Entity(iri("york"))),
            fact("rome", "people", Value::Number(Number::new(50, 1))),
            fact("york", "people", Value::Number(Number::new(75, 1))),
            fact("york", "founded", Value::Date(day)),
            fact("rome", "founded", Value::Date(Date::from_year(800))),
        ];
        let entities = vec![entity("rome", "City"), entity("york", "Place"), entity("land", "Land")];
        let snapshot = Snapshot::build(1, schema, entities, facts);
        let facts = Facts::of(&snapshot);
        let found = validate(snapshot.schema(), &facts);
        found
            .iter()
            .map(|one| {
                format!("{} {}", one.constraint.name(), one.focus.to_string().replace("http://example.com/", ""))
            })
            .collect()
    }

    #[test]
    fn facts_are_asked_about_as_a_graph_is() {
        for (rule, expected) in [
            ("sh:path e:people ; sh:minCount 1 ; sh:minInclusive 5", vec![]),
            ("sh:path e:people ; sh:minExclusive 5.0", vec!["min_exclusive <rome>"]),
            // 5.0 is a whole number and 7.5 is none; both are numbers of any precision.
            ("sh:path e:people ; sh:datatype xsd:integer", vec!["datatype <york>"]),
            ("sh:path e:people ; sh:datatype xsd:double", vec![]),
            ("sh:path e:people ; sh:datatype xsd:string", vec!["datatype <rome>", "datatype <york>"]),
            ("sh:path e:people ; sh:in ( 5.00 \"7.5\"^^xsd:double )", vec![]),
            ("sh:path e:people ; sh:hasValue 5", vec!["has_value <york>"]),
            ("sh:path e:founded ; sh:datatype xsd:dateTime", vec!["datatype <rome>"]),
            ("sh:path e:founded ; sh:minInclusive \"1800-01-01T00:00:00\"^^xsd:dateTime", vec!["min_inclusive <rome>"]),
            ("sh:path e:founded ; sh:datatype xsd:gYear", vec!["datatype <york>"]),
            // What a relation says, its inverse says too; a symmetric one says it of both.
            ("sh:path e:capitalOf ; sh:minCount 1", vec!["min_count <york>"]),
            ("sh:path [ sh:inversePath e:capital ] ; sh:class e:Land ; sh:minCount 1", vec!["min_count <york>"]),
            ("sh:path [ sh:inversePath e:capitalOf ] ; sh:maxCount 0", vec![]),
            ("sh:path e:twin ; sh:minCount 1 ; sh:maxCount 1", vec![]),
            ("sh:path e:twin ; sh:class e:City", vec!["class <rome>"]),
            ("sh:path rdf:type ; sh:hasValue e:City", vec!["has_value <york>"]),
            ("sh:path rdfs:label ; sh:pattern \"^r\" ; sh:languageIn ( \"en\" )", vec!["pattern <york>"]),
            (
                "sh:path <http://www.w3.org/2004/02/skos/core#altLabel> ; sh:datatype xsd:string ; sh:maxLength 9",
                vec![],
            ),
        ] {
            assert_eq!(broken(rule), expected, "{rule}");
        }
    }
}
