//! Rules in Turtle: read, written, refused, imported.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use factmask_schema::shapes::{Literal, NodeKind, Severity, Term, read_term};
use factmask_schema::{Iri, Range, Rule, Schema, Text, ValueKind};
use std::collections::BTreeSet;

const PREFIXES: &str = "@prefix e: <http://example.com/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
";

const DECLARED: &str = "e:Person a rdfs:Class . e:Town a rdfs:Class .
e:name a rdf:Property ; rdfs:range xsd:string . e:age a rdf:Property ; rdfs:range xsd:decimal .
e:home a rdf:Property ; rdfs:range e:Town .
";

fn iri(name: &str) -> Iri {
    Iri::new_unchecked(format!("http://example.com/{name}"))
}

fn literal(text: &str) -> Option<Literal> {
    let Term::Literal(literal) = read_term(text).unwrap() else { panic!("{text}") };
    Some(literal)
}

fn parse(body: &str) -> Result<Schema, factmask_schema::SchemaError> {
    Schema::parse(&format!("{PREFIXES}{DECLARED}{body}"), "s.ttl")
}

#[test]
fn every_kind_of_rule_is_read_and_written() {
    let schema = parse(
        r#"e:Person a sh:NodeShape ; sh:closed true ; sh:ignoredProperties ( rdf:type ) ;
  sh:property [ sh:path e:name ; sh:minCount 1 ; sh:maxCount 3 ; sh:datatype rdf:langString ; sh:nodeKind sh:Literal ;
      sh:pattern "^\\w+$" ; sh:flags "i" ; sh:minLength 2 ; sh:maxLength 40 ; sh:languageIn ( "en" "zh" ) ; sh:uniqueLang true ;
      sh:severity sh:Warning ; sh:message "A name, please."@en , "请写名字。"@zh ; sh:order 1 ; sh:name "name"@en ] ,
    [ sh:path e:age ; sh:datatype xsd:integer ; sh:minInclusive 0 ; sh:maxExclusive 150.5 ] ,
    [ sh:path e:age ; sh:minExclusive -1 ; sh:maxInclusive 149 ; sh:in ( 1 2 "3"^^xsd:decimal ) ; sh:hasValue 1 ] ,
    [ sh:path [ sh:inversePath e:home ] ; sh:class e:Town ; sh:nodeKind sh:IRI ] ,
    [ sh:path e:home ; sh:hasValue e:rome , e:york ; sh:class e:Town ] .
"#,
    )
    .unwrap();
    let person = &schema.classes[&iri("Person")];
    assert!(person.closed && !schema.classes[&iri("Town")].closed);
    let [name, age, other, home, town] = person.rules.as_slice() else { panic!("{:#?}", person.rules) };
    let expected = Rule {
        min_count: Some(1),
        max_count: Some(3),
        datatype: Some(Iri::new_unchecked("http://www.w3.org/1999/02/22-rdf-syntax-ns#langString")),
        node_kind: Some(NodeKind::Literal),
        pattern: Some("^\\w+$".to_owned()),
        flags: Some("i".to_owned()),
        min_length: Some(2),
        max_length: Some(40),
        language_in: vec!["en".to_owned(), "zh".to_owned()],
        unique_lang: true,
        severity: Some(Severity::Warning),
        message: vec![Text::new("en", "A name, please."), Text::new("zh", "请写名字。")],
        notes: vec![
            (Iri::new_unchecked("http://www.w3.org/ns/shacl#order"), read_term("1").unwrap()),
            (Iri::new_unchecked("http://www.w3.org/ns/shacl#name"), read_term("\"name\"@en").unwrap()),
        ],
        ..Rule::about(iri("name"))
    };
    assert_eq!(*name, expected);
    assert_eq!((&age.min_inclusive, &age.max_exclusive), (&literal("0"), &literal("150.5")));
    assert_eq!((&other.min_exclusive, &other.max_inclusive), (&literal("-1"), &literal("149")));
    assert_eq!(other.one_of, ["1", "2", "\"3\"^^xsd:decimal"].map(|text| read_term(text).unwrap()));
    assert_eq!((home.inverse, &home.relation, &home.class), (true, &iri("home"), &Some(iri("Town"))));
    assert_eq!(town.has_value, [Term::from(iri("rome")), Term::from(iri("york"))]);

    let turtle = schema.to_turtle();
    let again = Schema::parse(&turtle, "again").unwrap_or_else(|error| panic!("{error}\n{turtle}"));
    assert_eq!(again, schema);
    assert_eq!(again.to_turtle(), turtle);
}

#[test]
fn shapes_and_rules_keep_their_names() {
    let body = "e:PersonShape a sh:NodeShape ; sh:targetClass e:Person ; sh:property e:PersonShape-name , [ sh:path e:age ; sh:maxCount 1 ] .
e:PersonShape-name a sh:PropertyShape ; sh:path e:name ; sh:minCount 1 .
e:Person a sh:NodeShape ; sh:property [ sh:path rdfs:label ; sh:minCount 1 ] .\n";
    let schema = parse(body).unwrap();
    let rules = &schema.classes[&iri("Person")].rules;
    let names: Vec<_> = rules.iter().map(|rule| (rule.shape.clone(), rule.iri.clone())).collect();
    let shape = Some(iri("PersonShape"));
    assert_eq!(names, [(None, None), (shape.clone(), Some(iri("PersonShape-name"))), (shape, None)]);
    let expected = "
:Person a rdfs:Class, sh:NodeShape ;
    sh:property [
            sh:path rdfs:label ;
            sh:minCount 1
        ] .

<http://example.com/PersonShape> a sh:NodeShape ;";
    let turtle = schema.to_turtle().replace(":PersonShape a", "<http://example.com/PersonShape> a");
    assert!(turtle.contains(expected), "{turtle}");
    assert_eq!(Schema::parse(&schema.to_turtle(), "again").unwrap(), schema);
    // A schema without rules is written as it always was.
    assert!(!parse("").unwrap().to_turtle().contains("shacl"));
}

#[test]
fn rules_that_do_not_hold_together_are_faults_with_line_and_term() {
    // Each is put into the brackets of a rule, on its own line of the text.
    for (rule, term, words) in [
        ("sh:path e:nme", "<http://example.com/nme>", "did you mean <http://example.com/name>"),
        ("sh:path e:home ; sh:class e:Twn", "<http://example.com/Twn>", "not a declared class"),
        ("sh:path e:age ; sh:datatype xsd:intger", "xsd:intger", "not a datatype"),
        ("sh:path e:age ; sh:minCount 3 ; sh:maxCount 2", "sh:maxCount", "less than sh:minCount 3"),
        ("sh:path e:name ; sh:minLength 3 ; sh:maxLength 2", "sh:maxLength", "less than sh:minLength 3"),
        ("sh:path e:age ; sh:minInclusive 3 ; sh:maxInclusive 2", "sh:maxInclusive", "lies below"),
        ("sh:path e:age ; sh:minExclusive 3 ; sh:maxInclusive 3.0", "sh:maxInclusive", "lies below"),
        ("sh:path e:age ; sh:minInclusive 3 ; sh:maxInclusive \"a\"", "sh:maxInclusive", "cannot be compared"),
        (
            "sh:path e:age ; sh:minInclusive \"x\"^^xsd:date",
            "\"x\"^^<http://www.w3.org/2001/XMLSchema#date>",
            "not written",
        ),
        ("sh:path e:age ; sh:minInclusive \"x\"@en", "\"x\"@en", "has no order"),
        ("sh:path e:name ; sh:pattern \"(\"", "\"(\"", "not a regular expression"),
        ("sh:path e:name ; sh:pattern \"a\" ; sh:flags \"y\"", "\"a\"", "among its flags"),
        ("sh:path e:name ; sh:flags \"i\"", "sh:flags", "without sh:pattern"),
        ("sh:path e:home ; sh:class e:Town ; sh:datatype xsd:string", "sh:class", "nothing can be both"),
        ("sh:path e:home ; sh:nodeKind sh:IRI ; sh:minInclusive 1", "sh:nodeKind", "leaves no literals"),
        ("sh:path [ sh:inversePath e:home ] ; sh:datatype xsd:string", "sh:path", "the other way round"),
        (
            "sh:path e:age ; sh:in ( 1 2 ) ; sh:hasValue 3",
            "\"3\"^^<http://www.w3.org/2001/XMLSchema#integer>",
            "not among",
        ),
        ("sh:path e:age ; sh:maxCount 1 ; sh:hasValue 1 , 2", "sh:hasValue", "more values"),
        ("sh:path e:name ; sh:languageIn ( \"e n\" )", "\"e n\"", "not a language tag"),
        ("sh:path e:name ; sh:minCont 1", "sh:minCont", "did you mean sh:minCount"),
        ("sh:path e:name ; sh:minCount \"1\"", "\"1\"", "a whole number"),
        ("sh:path e:name ; sh:minCount -1", "\"-1\"^^<http://www.w3.org/2001/XMLSchema#integer>", "a whole number"),
        ("sh:path e:name ; sh:nodeKind sh:Word", "sh:Word", "sh:IRIOrLiteral"),
        ("sh:path e:name , e:age", "sh:path", "several times"),
        ("sh:path ( e:home e:name )", "[]", "inversePath"),
        ("sh:minCount 1", "sh:property", "no sh:path"),
        ("sh:path e:name ; sh:or ( [ sh:minCount 1 ] )", "sh:or", "not something that a rule says"),
        ("sh:path e:age ; sh:in ( )", "rdf:nil", "a list"),
    ] {
        let error = parse(&format!("e:Person a sh:NodeShape ;\n  sh:property [ {rule} ] .")).unwrap_err();
        assert!(
            error.faults.iter().any(|fault| fault.line == 9 && fault.term == term && fault.message.contains(words)),
            "{rule}: {error}"
        );
        assert_eq!(error.faults.len(), 1, "{rule}: {error}");
    }
    // The line is that of the property where each has its own.
    let error = parse("e:Person a sh:NodeShape ;\n  sh:property [\n  sh:path e:name ;\n  sh:minCount 2 ;\n  sh:pattern \"(\"\n  ] , [\n  sh:path e:nme\n  ] .").unwrap_err();
    let lines: Vec<u64> = error.faults.iter().map(|fault| fault.line).collect();
    assert_eq!(lines, [12, 14], "{error}");
    for (body, term, line) in [
        (
            "e:S a sh:NodeShape ; sh:targetClass e:Nobody ; sh:property [ sh:path e:name ] .",
            "<http://example.com/Nobody>",
            8,
        ),
        ("e:Person a sh:NodeShape ; sh:closed true ; sh:property [ sh:path e:name ] .", "sh:closed", 8),
        ("e:S a sh:NodeShape ; sh:targetClass e:Person, e:Town ; sh:property [ sh:path e:name ] .", "sh:property", 8),
        ("e:S a sh:NodeShape ; sh:targetNode e:ann ; sh:property [ sh:path e:name ] .", "sh:targetNode", 8),
        ("e:name sh:minCount 1 .", "sh:minCount", 8),
        (
            "e:Person a sh:NodeShape ; sh:property e:P . e:Town a sh:NodeShape ; sh:property e:P . e:P sh:path e:name .",
            "<http://example.com/P>",
            8,
        ),
        ("e:Person a sh:NodeShape ; sh:property [ sh:path e:name ] . [] sh:path e:name .", "[]", 8),
        ("e:Person sh:node e:Town .", "sh:node", 8),
    ] {
        let error = parse(body).unwrap_err();
        assert!(error.faults.iter().any(|fault| fault.term == term && fault.line == line), "{body}: {error}");
    }
}

/// Shapes as others write them.
const SHAPES: &str = r#"e:PersonShape a sh:NodeShape ; rdfs:label "Person shape" ; sh:targetClass e:Person ; sh:closed true ;
  sh:ignoredProperties ( rdf:type ) ;
  sh:property e:name-shape , [ sh:path e:born ; sh:datatype xsd:date ; sh:maxCount 1 ; sh:severity sh:Violation ; sh:group e:g ] ,
    [ sh:path [ sh:inversePath e:owns ] ; sh:class e:Firm ; sh:name "owner" ] .
e:name-shape a sh:PropertyShape ; sh:path e:name ; sh:datatype xsd:string ; sh:minCount 1 ; rdfs:comment "As in the passport." .
e:Firm a owl:Class , sh:NodeShape ; sh:property [ sh:path e:seat ; sh:class e:Town ; sh:in ( e:rome e:york ) ] ,
  [ sh:path e:boss ; sh:or ( [ sh:class e:Person ] [ sh:class e:Firm ] ) ] , [ sh:path ( e:seat e:land ) ; sh:minCount 1 ] ,
  [ sh:path e:size ; sh:minInclusive 10 ; sh:maxInclusive 5 ] ; sh:not [ sh:hasValue e:nobody ] .
e:OffShape a sh:NodeShape ; sh:targetClass e:Firm ; sh:deactivated true ; sh:property [ sh:path e:seat ; sh:minCount 1 ] .
e:SeveralShape a sh:NodeShape ; sh:targetClass e:Firm , e:Town ; sh:property [ sh:path e:name ; sh:maxCount 1 ] .
e:OneShape a sh:NodeShape ; sh:targetNode e:ann ; sh:property e:shared . e:TwoShape sh:targetSubjectsOf e:owns ; sh:property e:shared .
e:shared sh:path e:name ; sh:pattern "a(?=b)" .
e:TownShape a sh:NodeShape ; sh:targetClass e:Town ; sh:closed true ; sh:property [ sh:path e:name ] .
[] a sh:NodeShape ; sh:targetClass e:Town ; sh:property [ sh:path e:land ; sh:nodeKind sh:IRI ] .
"#;

/// Triples of a graph, those about nodes without a name by what they say.
fn shape_of(turtle: &str) -> BTreeSet<String> {
    let mut graph = factmask_schema::shapes::Graph::new();
    for triple in oxttl::TurtleParser::new().for_slice(turtle.as_bytes()) {
        graph.insert(&triple.unwrap());
    }
    graph.canonicalize(oxrdf::graph::CanonicalizationAlgorithm::Unstable);
    graph.iter().map(|triple| triple.to_string()).collect()
}

#[test]
fn an_import_understands_rules_and_keeps_the_rest() {
    let turtle = format!("{PREFIXES}{SHAPES}");
    let imported = Schema::import(&turtle, "shapes.ttl").unwrap();
    let schema = imported.schema;
    let person = &schema.classes[&iri("Person")];
    assert!(person.closed);
    assert_eq!(person.rules.len(), 3);
    let firm = &schema.classes[&iri("Firm")];
    let about: Vec<&str> = firm.rules.iter().map(|rule| rule.relation.as_str()).collect();
    assert_eq!(about, ["http://example.com/seat"], "what cannot be said, or cannot be, is no rule");
    let town = &schema.classes[&iri("Town")];
    assert!(!town.closed && town.rules.len() == 1, "it is closed to more than we say");
    // What the rules name is declared, with the range that they ask for.
    assert_eq!(schema.relations[&iri("seat")].range, Range::Entity(Some(iri("Town"))));
    assert!(matches!(&schema.relations[&iri("born")].range, Range::Value(value) if value.kind == ValueKind::Date));
    assert!(!schema.relations.contains_key(&iri("boss")));
    let told = |words: &str| imported.notes.iter().any(|note| note.to_string().contains(words));
    assert!(told("sh:or") && told("lies below") && told("sh:targetNode"), "{:#?}", imported.notes);

    // The same triples come out again: those that are kept, those of the rules, and what declares their terms.
    let full = schema.to_full_turtle();
    let (before, after) = (shape_of(&turtle), shape_of(&full));
    let lost: Vec<&String> = before.difference(&after).collect();
    assert!(lost.is_empty(), "{lost:#?}\n{full}");
    assert_eq!(after.len() - before.len(), schema.relations.len() * 2 + 3, "{full}");
    assert_eq!(Schema::import(&full, "full").unwrap().schema.to_full_turtle(), full);
    let own = schema.to_turtle();
    assert_eq!(Schema::parse(&own, "own").unwrap(), schema);
    assert_eq!(Schema::import(&own, "own").unwrap().schema, schema);
    // Nothing that is a rule is kept as well.
    assert!(!schema.kept.iter().any(|line| line.contains("#minCount> \"1\"") && line.contains("name-shape")));
}
