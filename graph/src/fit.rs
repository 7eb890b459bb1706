//! Whether a fact is one that a schema foresees.

use crate::{Fact, Precision, Snapshot, Value};
use factmask_schema::{Iri, Range, Schema, ValueKind};

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
    if statement.qualifiers.iter().all(declared) { None } else { Some(Misfit::Qualifier) }
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
}
