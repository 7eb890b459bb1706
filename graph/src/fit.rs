//! Whether a fact is one that a schema foresees.

use crate::{Fact, Precision, Snapshot, Statement, Value};
use factmask_schema::{Functional, Iri, Range, Relation, Schema, ValueKind};
use std::cmp::Ordering;

/// Why a fact is not what a schema foresees. It stands nevertheless: documents state what they state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Misfit {
    /// The schema does not declare its relation.
    Relation,
    /// Its subject is of none of the classes that the relation is said of.
    Domain,
    /// Its object is of another class or kind.
    Range,
    /// The schema does not declare one of its qualifiers, or the qualifier's value is of another kind.
    Qualifier,
    /// Another value is stated as well where there may be one.
    Functional,
}

/// The first way in which a fact of `snapshot` does not fit `schema`, which need not be the snapshot's own. An entity of which
/// no class is known fits everywhere.
pub fn misfit(snapshot: &Snapshot, schema: &Schema, fact: &Fact) -> Option<Misfit> {
    let statement = &fact.statement;
    let Some(relation) = schema.relations.get(&statement.relation) else { return Some(Misfit::Relation) };
    if relation.domain.as_ref().is_some_and(|class| !may_be(snapshot, schema, &statement.subject, class)) {
        return Some(Misfit::Domain);
    }
    let fits = match (&relation.range, &statement.object) {
        (Range::Entity(None), Value::Entity(_)) => true,
        (Range::Entity(Some(class)), Value::Entity(iri)) => may_be(snapshot, schema, iri, class),
        (Range::Value(wanted), value) => is_kind(value, wanted.kind),
        (Range::Entity(_), _) => false,
    };
    if !fits {
        return Some(Misfit::Range);
    }
    let declared = |(iri, value): &(Iri, Value)| {
        schema.qualifiers.get(iri).is_some_and(|qualifier| is_kind(value, qualifier.value.kind))
    };
    if !statement.qualifiers.iter().all(declared) {
        return Some(Misfit::Qualifier);
    }
    is_contradicted(snapshot, relation, fact).then_some(Misfit::Functional)
}

/// Whether a relation that has one object for each combination of its qualifiers has another one for this combination.
fn is_contradicted(snapshot: &Snapshot, relation: &Relation, fact: &Fact) -> bool {
    let Functional::Per(per) = &relation.functional else { return false };
    let statement = &fact.statement;
    let same = |other: &Statement, qualifier: &Iri| {
        let value =
            |of: &Statement| of.qualifiers.iter().find(|(iri, _)| iri == qualifier).map(|(_, value)| value.clone());
        match (value(statement), value(other)) {
            (Some(one), Some(other)) => is_same(&one, &other),
            (one, other) => one.is_none() && other.is_none(),
        }
    };
    let contradicts = |other: &Fact| {
        !is_same(&statement.object, &other.statement.object) && per.iter().all(|iri| same(&other.statement, iri))
    };
    let subject = snapshot.find(&statement.subject);
    subject.is_some_and(|id| snapshot.facts_of_relation(id, &statement.relation).any(contradicts))
}

/// Whether two values are the same, in whatever words they were written.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.unit == other.unit && one.cmp_value(other) == Ordering::Equal,
        (Value::Date(one), Value::Date(other)) => one.iso() == other.iso() && one.calendar == other.calendar,
        (one, other) => one == other,
    }
}

fn may_be(snapshot: &Snapshot, schema: &Schema, entity: &Iri, class: &Iri) -> bool {
    let classes = snapshot.find(entity).map(|id| snapshot.entity(id).classes.as_slice()).unwrap_or_default();
    classes.is_empty() || classes.iter().any(|own| schema.is_a(own, class))
}

/// A year is a date of low precision, so it fits where dates are wanted.
fn is_kind(value: &Value, kind: ValueKind) -> bool {
    match (value, kind) {
        (Value::Date(_), ValueKind::Date) => true,
        (Value::Date(date), ValueKind::Year) => date.precision() == Precision::Year,
        (value, kind) => value.kind() == Some(kind),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
mod tests {
    use super::*;
    use crate::{Date, DocumentId, Entity, NewFact, Number, Statement};
    use factmask_schema::Text;

    const SCHEMA: &str = r#"@prefix fm: <urn:factmask:schema#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix e: <http://example.com/> .
e:Place a rdfs:Class . e:City a rdfs:Class ; rdfs:subClassOf e:Place . e:Person a rdfs:Class .
e:year a fm:Qualifier ; rdfs:range xsd:gYear .
e:mayor a rdf:Property ; rdfs:domain e:Place ; rdfs:range e:Person .
e:founded a rdf:Property ; rdfs:domain e:Place ; rdfs:range xsd:date .
e:people a rdf:Property ; rdfs:domain e:Place ; rdfs:range xsd:decimal ; fm:functionalPer e:year .
"#;

    fn iri(name: &str) -> Iri {
        Iri::new_unchecked(format!("http://example.com/{name}"))
    }

    #[test]
    fn what_fits() {
        let schema = Schema::parse(SCHEMA, "schema.ttl").unwrap();
        let entity = |name: &str, class: &str| Entity {
            iri: iri(name),
            classes: vec![iri(class)],
            labels: vec![Text::new("en", name)],
            aliases: vec![],
        };
        let snapshot =
            Snapshot::build(1, schema.clone(), vec![entity("york", "City"), entity("ann", "Person")], vec![]);
        let year = |year| Value::Date(Date::from_year(year));
        let number = || Value::Number(Number::new(5, 0));
        for (subject, relation, object, qualifiers, expected) in [
            ("york", "mayor", Value::Entity(iri("ann")), vec![], None),
            ("york", "mayor", Value::Entity(iri("unknown")), vec![], None),
            ("york", "mayor", Value::Entity(iri("york")), vec![], Some(Misfit::Range)),
            ("york", "mayor", number(), vec![], Some(Misfit::Range)),
            ("ann", "mayor", Value::Entity(iri("ann")), vec![], Some(Misfit::Domain)),
            ("york", "lord", Value::Entity(iri("ann")), vec![], Some(Misfit::Relation)),
            ("york", "founded", year(71), vec![], None),
            ("york", "founded", number(), vec![], Some(Misfit::Range)),
            ("york", "people", number(), vec![("year", year(2020))], None),
            ("york", "people", number(), vec![("year", number())], Some(Misfit::Qualifier)),
            ("york", "people", number(), vec![("source", number())], Some(Misfit::Qualifier)),
        ] {
            let qualifiers = qualifiers.into_iter().map(|(name, value)| (iri(name), value)).collect();
            let statement = Statement::new(iri(subject), iri(relation), object, qualifiers);
            let fact = NewFact { statement, span: 0..1, locator: None, extractor: "hand".to_owned(), confidence: 1.0 }
                .into_fact(DocumentId::new("d").unwrap());
            assert_eq!(misfit(&snapshot, &schema, &fact), expected, "{subject} {relation}");
        }
    }

    #[test]
    fn two_values_where_there_may_be_one() {
        let schema = Schema::parse(SCHEMA, "schema.ttl").unwrap();
        let people = |year, mantissa, scale, written: &str| {
            let number = Number { written: Some(written.to_owned()), ..Number::new(mantissa, scale) };
            let qualifiers = vec![(iri("year"), Value::Date(Date::from_year(year)))];
            let statement = Statement::new(iri("york"), iri("people"), Value::Number(number), qualifiers);
            NewFact { statement, span: 0..1, locator: None, extractor: "hand".to_owned(), confidence: 1.0 }
                .into_fact(DocumentId::new("d").unwrap())
        };
        let facts =
            vec![people(2020, 5, 0, "5"), people(2020, 50, 1, "5.0"), people(2021, 6, 0, "6"), people(2021, 7, 0, "7")];
        let snapshot = Snapshot::build(1, schema.clone(), vec![], facts);
        let found: Vec<_> = snapshot.facts().iter().map(|fact| misfit(&snapshot, &schema, fact)).collect();
        assert_eq!(found.iter().filter(|why| **why == Some(Misfit::Functional)).count(), 2, "{found:?}");
        assert!(found.iter().all(|why| matches!(why, None | Some(Misfit::Functional))), "{found:?}");
    }
}
