//! Reading what was written gives the schema back, and equal schemas are written alike.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use factmask_schema::shapes::{Literal, NodeKind, Severity, Term, read_term};
use factmask_schema::{
    Class, Functional, Iri, Qualifier, Range, Relation, Rule, Schema, Text, ValueKind, ValueType, Wording, escape,
};
use proptest::collection::vec;
use proptest::prelude::*;

fn iri(kind: &str, number: usize) -> Iri {
    // Some names that no prefix can stand for.
    let names = [
        format!("http://example.com/{kind}{number}"),
        format!("urn:x:{kind}-{number}"),
        format!("http://e.org/ä#{kind}{number}"),
    ];
    Iri::new(&names[number % 3]).unwrap()
}

fn texts() -> impl Strategy<Value = Vec<Text>> {
    let text =
        ("(|en|zh|zh-hans)", "[a-zäß中 \"\\\\\n{}\\[\\]]{0,6}[a-z研]").prop_map(|(lang, text)| Text::new(lang, text));
    vec(text, 0..4).prop_map(|mut all| {
        let mut seen = Vec::new();
        all.retain(|text| {
            !seen.contains(text) && {
                seen.push(text.clone());
                true
            }
        });
        all
    })
}

fn value() -> impl Strategy<Value = ValueType> {
    use ValueKind::{Boolean, Date, Number, Text, Year};
    (prop::sample::select(vec![Text, Number, Date, Year, Boolean]), prop::option::of("[a-z%$²\"]{1,3}"))
        .prop_map(|(kind, unit)| ValueType { kind, unit: unit.filter(|_| kind == Number) })
}

fn wordings(question: bool) -> impl Strategy<Value = Vec<Wording>> {
    let object = if question { "" } else { "{o}" };
    let one = ("(|en|zh)", "[a-z{}\\[\\]\"\\\\ ]{0,5}", any::<bool>(), 0..3usize).prop_map(
        move |(lang, words, bracket, number)| {
            let slot = iri("Q", number);
            let local = factmask_schema::local_name(slot.as_str());
            let part = if bracket { format!("[ in {{{local}}}]") } else { String::new() };
            Wording::parse(&lang, &format!("{} {{s}}{part} {object}", escape(&words))).unwrap()
        },
    );
    vec(one, 0..3).prop_map(|mut all| {
        all.dedup();
        all
    })
}

/// Rules that hold together, of a class's own shape or of one beside it.
fn rules() -> impl Strategy<Value = Vec<Rule>> {
    let literal = |text: &str| match read_term(text) {
        Ok(Term::Literal(literal)) => Some(literal),
        _ => None,
    };
    let asked = (0..8usize, prop::option::of(0..3u64), texts(), "[a-zä\"\\\\\n]{0,5}", any::<bool>(), any::<bool>());
    let one = asked.prop_map(move |(kind, count, texts, words, named, shape)| {
        let rule = Rule { min_count: count, max_count: count.map(|count| count + 1), ..Rule::about(iri("R", 0)) };
        let message = texts.clone();
        let mut rule = match kind {
            0 => Rule { class: Some(iri("C", 1)), node_kind: Some(NodeKind::Iri), inverse: true, ..rule },
            1 => Rule { min_inclusive: literal("5"), max_exclusive: literal("7.50"), ..rule },
            2 => Rule {
                min_exclusive: literal("\"2020-01-01\"^^xsd:date"),
                severity: Some(Severity::Info),
                message,
                ..rule
            },
            3 => Rule {
                one_of: texts.iter().map(|text| Literal::new_simple_literal(&text.text).into()).collect(),
                ..rule
            },
            4 => Rule {
                has_value: vec![iri("R", 2).into(), Literal::from(true).into()],
                min_count: None,
                max_count: None,
                ..rule
            },
            5 => Rule { language_in: vec!["en".to_owned(), "zh-Hans".to_owned()], unique_lang: named, ..rule },
            6 => Rule {
                pattern: Some("^[a-z\"]+$".to_owned()),
                flags: shape.then(|| "i".to_owned()),
                min_length: Some(3),
                ..rule
            },
            _ => Rule { datatype: Some(Iri::new_unchecked("http://example.com/t")), ..rule },
        };
        rule.notes = vec![(Iri::new_unchecked("http://example.com/note"), Literal::from(words).into())];
        rule.shape = shape.then(|| iri("S", 0));
        (rule, named)
    });
    vec(one, 0..4).prop_map(|all| {
        let mut rules: Vec<Rule> = Vec::new();
        for (number, (mut rule, named)) in all.into_iter().enumerate() {
            // Each in the shape of the first, so that the class can be closed.
            rule.shape = rules.first().map_or(rule.shape.clone(), |first| first.shape.clone());
            rule.iri = named.then(|| Iri::new_unchecked(format!("http://example.com/rule-{number}")));
            rules.push(rule);
        }
        rules
    })
}

prop_compose! {
    fn ruled(number: usize)(class in class(number), rules in rules(), closed: bool) -> Class {
        // A closed shape that has no rule is called as its class.
        Class { closed, rules, ..class }
    }
}

prop_compose! {
    fn class(number: usize)(labels in texts(), aliases in texts(), parent in prop::option::of(0..number.max(1))) -> Class {
        // Parents have smaller numbers, so there is no cycle.
        let parents = parent.filter(|_| number > 0).map(|parent| iri("C", parent)).into_iter().collect();
        Class { labels, aliases, parents, ..Class::named(iri("C", number)) }
    }
}

prop_compose! {
    fn qualifier(number: usize)(labels in texts(), aliases in texts(), value in value(), fiscal: bool) -> Qualifier {
        Qualifier { iri: iri("Q", number), labels, aliases, fiscal: fiscal && value.kind == ValueKind::Year, value }
    }
}

prop_compose! {
    fn relation(number: usize)(
        labels in texts(),
        aliases in texts(),
        domain in prop::option::of(0..3usize),
        range in prop_oneof![
            prop::option::of(0..3usize).prop_map(|class| Range::Entity(class.map(|number| iri("C", number)))),
            value().prop_map(Range::Value),
        ],
        functional in prop::option::of(vec(0..3usize, 0..3)),
        symmetric: bool,
        questions in wordings(true),
        statements in wordings(false),
    ) -> Relation {
        let functional = match functional {
            None => Functional::No,
            Some(numbers) => {
                let mut qualifiers: Vec<Iri> = numbers.into_iter().map(|number| iri("Q", number)).collect();
                qualifiers.sort();
                qualifiers.dedup();
                Functional::Per(qualifiers)
            }
        };
        let symmetric = symmetric && matches!(range, Range::Entity(_));
        // The two ends of a symmetric relation must fit.
        let domain = domain.filter(|_| !symmetric).map(|number| iri("C", number));
        Relation { iri: iri("R", number), labels, aliases, domain, range, functional, symmetric, inverse: None, questions, statements }
    }
}

prop_compose! {
    fn schema()(
        classes in (class(0), class(1), ruled(2)),
        qualifiers in (qualifier(0), qualifier(1), qualifier(2)),
        relations in (relation(0), relation(1), relation(2)),
        inverse: bool,
    ) -> Schema {
        let mut schema = Schema {
            kept: Default::default(),
            classes: [classes.0, classes.1, classes.2].into_iter().map(|class| (class.iri.clone(), class)).collect(),
            qualifiers: [qualifiers.0, qualifiers.1, qualifiers.2].into_iter().map(|own| (own.iri.clone(), own)).collect(),
            relations: [relations.0, relations.1, relations.2].into_iter().map(|own| (own.iri.clone(), own)).collect(),
        };
        if inverse {
            for (number, other) in [(3, 4), (4, 3)] {
                let relation = Relation {
                    range: Range::Entity(None),
                    inverse: Some(iri("R", other)),
                    ..Relation::undeclared(iri("R", number))
                };
                schema.relations.insert(relation.iri.clone(), relation);
            }
        }
        schema
    }
}

proptest! {
    #[test]
    fn reading_what_was_written(schema in schema()) {
        let turtle = schema.to_turtle();
        let back = Schema::parse(&turtle, "written").map_err(|error| TestCaseError::fail(format!("{error}\n{turtle}")))?;
        prop_assert_eq!(&back, &schema);
        prop_assert_eq!(back.to_turtle(), turtle);
    }

    #[test]
    fn no_text_brings_the_reader_down(text in "[a-z:<>@\"\\\\{}\\[\\]();., \n^#0-9ä]{0,80}") {
        let _ = Schema::parse(&text, "x");
        let _ = Schema::parse(&format!("@prefix fm: <urn:factmask:schema#> . fm:a a fm:Qualifier ; fm:question {text:?} ; {text}"), "x");
    }
}

#[test]
fn the_sample_schema_round_trips() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/schema.ttl");
    let schema = Schema::parse(&std::fs::read_to_string(path).unwrap(), path).unwrap();
    assert!(!schema.relations.is_empty());
    let again = Schema::parse(&schema.to_turtle(), "written").unwrap();
    assert_eq!(again, schema);
}

#[test]
fn written_for_people() {
    let schema = Schema::parse(
        "@prefix fm: <urn:factmask:schema#> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
         @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
         @prefix e: <http://example.com/> .
         e:pay fm:unit \"USD\" ; rdfs:range xsd:integer ; a rdf:Property ; fm:functionalPer e:year ;
            fm:statement \"{s} got {o}[ in {year}].\"@en, \"{s}得{o}。\"@ZH .
         e:year rdfs:range xsd:gYear ; a fm:Qualifier ; fm:calendar \"fiscal\" .",
        "s",
    );
    let expected = "\
@prefix : <http://example.com/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix fm: <urn:factmask:schema#> .

:year a fm:Qualifier ;
    rdfs:range xsd:gYear ;
    fm:calendar \"fiscal\" .

:pay a rdf:Property ;
    rdfs:range xsd:decimal ;
    fm:functionalPer :year ;
    fm:statement \"{s} got {o}[ in {year}].\"@en,
        \"{s}得{o}。\"@zh ;
    fm:unit \"USD\" .
";
    assert_eq!(schema.unwrap().to_turtle(), expected);
}
