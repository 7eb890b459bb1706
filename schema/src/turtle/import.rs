//! Schemas and ontologies that others wrote.
//!
//! Of such a file we understand what our own schemas can say. Everything else is kept: what was read is what is understood together with
//! what is kept, triple by triple, so that an export loses nothing.

use super::faults::Faults;
use super::read::{self, Statements};
use super::{build, check, declare, shapes};
use crate::vocabulary::*;
use crate::{Fault, Functional, Iri, Range, Schema, SchemaError, ValueKind, ValueType};
use oxrdf::graph::CanonicalizationAlgorithm;
use oxrdf::{Graph, Term, Triple};
use oxttl::{NTriplesParser, TurtleParser};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A file that was not written for us, as a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// What is understood of it, with the rest [kept](Schema::kept).
    pub schema: Schema,
    /// What would be a fault in a schema of our own and is kept without being understood, by line.
    pub notes: Vec<Fault>,
}

impl Schema {
    /// Reads a file that was not written as a schema of ours: an ontology, or an [export](Self::to_full_turtle). Only where it is no
    /// Turtle that is an error.
    pub fn import(turtle: &str, source: &str) -> Result<Imported, SchemaError> {
        let mut notes = Faults::new(source);
        let statements = read::read(turtle, &mut notes);
        notes.stop_if_any()?;
        let graph: Graph =
            statements.all().flat_map(|(node, all)| all.iter().map(move |statement| statement.triple(&node))).collect();
        let mut shapes = shapes::read(&statements);
        let mut schema = build::build(&statements, &shapes, &mut notes);
        weigh(&mut schema, &statements);
        let _ = check::check(schema.clone(), &statements, &mut notes);
        prune(&mut schema);
        let mut schema = settle(schema)?;
        declare::declare(&mut schema, &shapes);
        shapes::check(&schema, &shapes, &statements, &mut notes);
        shapes.retain(|class, rule| schema.classes.contains_key(class) && shapes::flaws(&schema, rule).is_empty());
        shapes.tell(&statements, &mut notes);
        let used: HashSet<Triple> = shapes.used().into_iter().cloned().collect();
        shapes.give(&mut schema);
        let understood = graph_of(&schema.to_turtle(), source)?;
        let mut rest: Graph = graph
            .iter()
            .filter(|triple| !understood.contains(*triple) && !used.contains(&triple.into_owned()))
            .collect();
        rest.canonicalize(CanonicalizationAlgorithm::Unstable);
        // What an export of ours carries along has stood in it as triples of their own.
        schema.kept.extend(rest.iter().map(|triple| format!("{triple} .")));
        Ok(Imported { schema, notes: notes.into_found() })
    }

    /// The schema as Turtle for others: what it keeps of the file that it came from stands in it again as it stood there.
    pub fn to_full_turtle(&self) -> String {
        super::write::write_full(self, &kept_triples(self))
    }
}

impl Schema {
    /// The schema as a shapes graph for SHACL's core: the rules as they are, what relations say of their ends and of the number of their
    /// values, and what the schema keeps. That a relation has one value *per qualifier*, or runs both ways, cannot be said so.
    pub fn to_shacl(&self) -> String {
        super::write::write_shacl(self)
    }
}

/// The triples that a schema keeps.
fn kept_triples(schema: &Schema) -> Vec<Triple> {
    schema
        .kept
        .iter()
        .flat_map(|line| NTriplesParser::new().for_slice(line.as_bytes()))
        .filter_map(Result::ok)
        .collect()
}

/// What is wrong with a line that is to be kept, if anything.
pub(super) fn kept_fault(line: &str) -> Option<String> {
    let mut triples = NTriplesParser::new().for_slice(line.as_bytes());
    match (triples.next(), triples.next()) {
        (Some(Ok(_)), None) => None,
        (Some(Err(error)), _) => Some(format!("is not a triple: {error}")),
        _ => Some("is not one triple; write a subject, a predicate, an object and a full stop".to_owned()),
    }
}

fn graph_of(turtle: &str, source: &str) -> Result<Graph, SchemaError> {
    let mut faults = Faults::new(source);
    let mut graph = Graph::new();
    for triple in TurtleParser::new().for_slice(turtle.as_bytes()) {
        match triple {
            Ok(triple) => {
                graph.insert(&triple);
            }
            Err(error) => faults.add(error.location().start.line + 1, "syntax", error.message()),
        }
    }
    faults.stop_if_any()?;
    Ok(graph)
}

/// Decides what the text leaves open: of several domains or ranges none is the one, and a property of values without a datatype has
/// words.
fn weigh(schema: &mut Schema, statements: &Statements) {
    for relation in schema.relations.values_mut() {
        let count = |property| statements.of(&relation.iri, property).count();
        if count(RDFS_DOMAIN) > 1 {
            relation.domain = None;
        }
        let is_of_values = statements.of(&relation.iri, RDF_TYPE).any(
            |statement| matches!(&statement.object, Term::NamedNode(iri) if iri.as_str() == OWL_DATATYPE_PROPERTY),
        );
        let is_known = count(RDFS_RANGE) == 1 && (!is_of_values || matches!(relation.range, Range::Value(_)));
        if !is_known {
            let words = ValueType { kind: ValueKind::Text, unit: None };
            relation.range = if is_of_values { Range::Value(words) } else { Range::Entity(None) };
        }
    }
}

/// Takes out what leads to nothing declared.
fn prune(schema: &mut Schema) {
    let classes: BTreeSet<Iri> = schema.classes.keys().cloned().collect();
    let qualifiers: BTreeSet<Iri> = schema.qualifiers.keys().cloned().collect();
    let relations: BTreeSet<Iri> = schema.relations.keys().cloned().collect();
    let circles: BTreeMap<Iri, usize> = schema.circles().into_iter().map(|(iri, at)| (iri.clone(), at)).collect();
    for iri in &classes {
        let parents = schema.classes.get(iri).map(|class| class.parents.clone()).unwrap_or_default();
        // A circle is opened at one link, so that what was one before may be none any more.
        let leads_back = |parent: &Iri| circles.get(parent) == circles.get(iri) && schema.is_a(parent, iri);
        let leading: Vec<Iri> =
            parents.into_iter().filter(|parent| classes.contains(parent) && !leads_back(parent)).collect();
        if let Some(class) = schema.classes.get_mut(iri) {
            class.parents = leading;
        }
    }
    for relation in schema.relations.values_mut() {
        relation.domain.take_if(|class| !classes.contains(class));
        if let Range::Entity(range) = &mut relation.range {
            range.take_if(|class| !classes.contains(class));
        }
        if let Functional::Per(per) = &mut relation.functional
            && !per.is_empty()
        {
            per.retain(|iri| qualifiers.contains(iri));
            if per.is_empty() {
                relation.functional = Functional::No;
            }
        }
        relation.inverse.take_if(|inverse| !relations.contains(inverse));
    }
}

/// Takes away from terms that break a rule what may break it, and in the end the terms themselves, until it is a schema.
fn settle(mut schema: Schema) -> Result<Schema, SchemaError> {
    let mut weakened: BTreeSet<Iri> = BTreeSet::new();
    loop {
        let turtle = schema.to_turtle();
        let Err(error) = Schema::parse(&turtle, "import") else {
            // With what the check completes.
            return Schema::parse(&turtle, "import");
        };
        let starts = subjects(&turtle);
        for fault in error.faults {
            let Some((_, iri)) = starts.range(..=fault.line).next_back() else {
                return Err(SchemaError { faults: vec![fault] });
            };
            if weakened.insert(iri.clone()) {
                weaken(&mut schema, iri);
            } else {
                schema.classes.remove(iri);
                schema.relations.remove(iri);
                schema.qualifiers.remove(iri);
                prune(&mut schema);
            }
        }
    }
}

fn weaken(schema: &mut Schema, iri: &Iri) {
    if let Some(class) = schema.classes.get_mut(iri) {
        class.parents.clear();
    }
    if let Some(relation) = schema.relations.get_mut(iri) {
        relation.inverse = None;
        relation.symmetric = false;
        relation.questions.clear();
        relation.statements.clear();
    }
}

/// The subjects of a canonical text by the line on which they begin.
fn subjects(turtle: &str) -> BTreeMap<u64, Iri> {
    let mut found = BTreeMap::new();
    let mut prefixes: BTreeMap<&str, &str> = BTreeMap::new();
    for (line, number) in turtle.lines().zip(1..) {
        if let Some(rest) = line.strip_prefix("@prefix ") {
            if let Some((prefix, namespace)) = rest.split_once(": <") {
                prefixes.insert(prefix, namespace.trim_end_matches("> ."));
            }
        } else if !line.starts_with(' ')
            && let Some((subject, _)) = line.split_once(" a ")
        {
            let iri = match subject.strip_prefix('<') {
                Some(full) => full.trim_end_matches('>').to_owned(),
                None => {
                    let (prefix, local) = subject.split_once(':').unwrap_or(("", subject));
                    format!("{}{local}", prefixes.get(prefix).copied().unwrap_or_default())
                }
            };
            found.insert(number, Iri::new_unchecked(iri));
        }
    }
    found
}

/// Whether what is kept says the range of a relation in its own words, so that ours need not be said as well.
pub(super) fn says_range(kept: &[Triple], relation: &Iri) -> bool {
    kept.iter().any(|triple| {
        triple.predicate.as_str() == RDFS_RANGE && triple.subject == oxrdf::NamedOrBlankNode::from(relation.clone())
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
    use super::*;

    /// What ontologies have and we do not: headings, comments, restrictions, lists, several domains, foreign classes, datatypes of their
    /// own, cycles, annotation properties, individuals, inverses that do not fit.
    const ONTOLOGY: &str = r#"@prefix e: <http://example.com/> . @prefix f: <http://elsewhere.example/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
e:ontology a owl:Ontology ; rdfs:comment "An example"@en ; owl:imports f:other .
e:Person a owl:Class ; rdfs:label "person"@en-GB ; rdfs:comment "One of us." ;
  rdfs:subClassOf f:Agent, [ a owl:Restriction ; owl:onProperty e:parent ; owl:maxCardinality 2 ] .
e:Woman a owl:Class ; rdfs:subClassOf e:Person ; owl:disjointWith e:Man .
e:Man a owl:Class ; rdfs:subClassOf e:Person ; owl:unionOf ( e:Boy e:Sir ) .
e:A a owl:Class ; rdfs:subClassOf e:B . e:B a owl:Class ; rdfs:subClassOf e:A .
e:parent a owl:ObjectProperty, owl:TransitiveProperty ; rdfs:domain e:Person, e:Man ; rdfs:range e:Person ; owl:inverseOf e:child .
e:child a owl:ObjectProperty ; rdfs:domain e:A ; rdfs:range e:Person .
e:age a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:domain e:Person ; rdfs:range xsd:nonNegativeInteger .
e:shoe a owl:DatatypeProperty ; rdfs:range e:ShoeSize .
e:note a owl:AnnotationProperty ; rdfs:label "note" .
e:knows a rdf:Property ; rdfs:label "knows"@en .
e:ann a e:Woman ; e:knows e:bob, [ e:age 7 ] . f:x rdfs:label "no type" .
"#;

    fn triples(turtle: &str) -> Graph {
        let mut graph = graph_of(turtle, "test").unwrap();
        graph.canonicalize(CanonicalizationAlgorithm::Unstable);
        graph
    }

    #[test]
    fn nothing_of_an_ontology_is_lost() {
        let imported = Schema::import(ONTOLOGY, "ontology.ttl").unwrap();
        let schema = imported.schema;
        let e = |name: &str| Iri::new_unchecked(format!("http://example.com/{name}"));
        assert_eq!(schema.classes.len(), 5, "{:?}", schema.classes.keys());
        assert_eq!(schema.relations.len(), 5, "{:?}", schema.relations.keys());
        assert_eq!(schema.classes[&e("Woman")].parents, [e("Person")]);
        assert!(schema.classes[&e("Person")].parents.is_empty());
        assert_eq!(
            (&schema.relations[&e("parent")].domain, &schema.relations[&e("age")].domain),
            (&None, &Some(e("Person")))
        );
        assert_eq!(schema.relations[&e("age")].functional, Functional::Per(vec![]));
        assert!(
            imported.notes.iter().any(|note| note.line == 10 && note.message.contains("one is allowed")),
            "{:#?}",
            imported.notes
        );

        // It is a schema like any other: written, read, and written again.
        let turtle = schema.to_turtle();
        assert_eq!(Schema::parse(&turtle, "again").unwrap(), schema);
        let full = schema.to_full_turtle();
        let (before, after) = (triples(ONTOLOGY), triples(&full));
        let lost: Vec<String> =
            before.iter().filter(|triple| !after.contains(*triple)).map(|triple| triple.to_string()).collect();
        assert_eq!(lost, [] as [String; 0], "{full}");
        // What we say besides is the form in which we say it.
        assert!(!full.contains("rdfs:range xsd:decimal"), "{full}");
        assert_eq!(Schema::import(&full, "full").unwrap().schema.to_full_turtle(), full);
        assert_eq!(Schema::import(&turtle, "own").unwrap().schema, schema);
    }

    #[test]
    fn what_is_no_turtle_is_an_error_and_what_is_no_triple_is_not_kept() {
        let error = Schema::import("e:x a\n e:y .", "x.ttl").unwrap_err();
        assert!(!error.faults.is_empty());
        for line in ["", "<a:b> <c:d> .", "<a:b> <c:d> <e:f> . <a:b> <c:d> <e:g> .", "no"] {
            assert!(kept_fault(line).is_some(), "{line}");
            let turtle = format!("<{FM_SCHEMA}> <{FM_KEEPS}> {line:?} .");
            assert!(Schema::parse(&turtle, "x.ttl").is_err(), "{line}");
        }
        assert_eq!(kept_fault("<a:b> <c:d> \"<e:f> .\" ."), None);
    }
}
