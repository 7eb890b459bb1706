//! Tables to facts, with the bytes of each value.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use super::Mapping;
use crate::draft::Draft;
use crate::names::Names;
use crate::readers::{Format, Reader};
use crate::text::Decoded;
use factmask_graph::{Locator, Value};
use factmask_schema::{Iri, Schema, local_name, percent_decode};

const SCHEMA: &str = r#"
@prefix ex: <http://e/> .
@prefix fm: <urn:factmask:schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
ex:Company a rdfs:Class ; rdfs:label "company"@en , "公司"@zh .
ex:Drug a rdfs:Class ; rdfs:label "drug"@en .
ex:City a rdfs:Class ; rdfs:label "city"@en .
ex:State a rdfs:Class ; rdfs:label "state"@en .
ex:year a fm:Qualifier ; rdfs:label "fiscal year"@en , "财年"@zh ; rdfs:range xsd:gYear ; fm:calendar "fiscal" .
ex:revenue a rdf:Property ; rdfs:label "revenue"@en , "营业收入"@zh ; rdfs:domain ex:Company ; rdfs:range xsd:decimal ; fm:unit "USD" ; fm:functionalPer ex:year .
ex:seat a rdf:Property , owl:FunctionalProperty ; rdfs:label "headquarters"@en ; rdfs:domain ex:Company ; rdfs:range ex:City .
ex:makes a rdf:Property ; rdfs:label "products"@en ; rdfs:domain ex:Company ; rdfs:range ex:Drug .
ex:state a rdf:Property , owl:FunctionalProperty ; rdfs:label "state"@en ; rdfs:domain ex:City ; rdfs:range ex:State .
"#;

struct Given {
    facts: Vec<String>,
    warnings: Vec<String>,
}

fn read(format: Format, text: &str, mapping: Option<&str>) -> Given {
    let schema = Schema::parse(SCHEMA, "test.ttl").unwrap_or_else(|faults| panic!("{faults}"));
    let reader = Reader::new(&schema, None);
    let mut names = Names::new(&schema);
    let mapping = mapping.map(|mapping| Mapping::parse(mapping, &schema).unwrap());
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let decoded = Decoded::new(text.to_owned(), start, None);
    let mut draft = Draft::new(&schema, &mut names);
    reader.read(format, &decoded, mapping.as_ref(), &mut draft).unwrap();
    let reading = draft.finish();
    let shown = |iri: &Iri| percent_decode(local_name(iri.as_str()));
    let value = |value: &Value| match value {
        Value::Entity(iri) => shown(iri),
        Value::Text { text, .. } => format!("{text:?}"),
        Value::Number(number) => format!("{}{}", number.mantissa, number.unit.as_deref().unwrap_or_default()),
        Value::Date(date) => date.iso(),
        Value::Boolean(value) => value.to_string(),
    };
    let facts = reading
        .facts
        .iter()
        .map(|fact| {
            let statement = &fact.statement;
            let span = usize::try_from(fact.span.start).unwrap()..usize::try_from(fact.span.end).unwrap();
            let qualifiers: String =
                statement.qualifiers.iter().map(|(_, year)| format!("@{} ", value(year))).collect();
            let row = match fact.locator {
                Some(Locator::Row(row)) => row,
                _ => 0,
            };
            let (subject, relation, object) =
                (shown(&statement.subject), shown(&statement.relation), value(&statement.object));
            format!("{row}: {subject} {relation} {object} {qualifiers}[{}]", text.get(span).unwrap())
        })
        .collect();
    Given { facts, warnings: reading.warnings.iter().map(ToString::to_string).collect() }
}

#[test]
fn headed_tables() {
    for (format, text, expected) in [
        (
            Format::Csv,
            "\u{feff}Company,Fiscal year,Revenue (million USD),Headquarters\nApple,2023,\"383,285\",Cupertino\nApple,FY2022,394328,\n",
            &[
                "2: apple revenue 383285000000USD @2023 [383,285]",
                "2: apple seat cupertino [Cupertino]",
                "3: apple revenue 394328000000USD @2022 [394328]",
            ][..],
        ),
        (
            Format::Csv,
            "公司;财年;营业收入（亿元人民币）\n华为;2023;7041.74\n",
            &["2: 华为 revenue 704174000000CNY @2023 [7041.74]"],
        ),
        (Format::Tsv, "City\tState\tNote\nAustin\tTexas\tx\n", &["2: austin state texas [Texas]"]),
        // A first column of keys stands for who is named behind it; a column of names for a first one that is nothing known.
        (Format::Csv, "Company ID,Company,Headquarters\n7,Apple,Cupertino\n", &["2: 7 seat cupertino [Cupertino]"]),
        (Format::Csv, "id,Headquarters,Name,Note\n7,Cupertino,Apple,x\n", &["2: 7 seat cupertino [Cupertino]"]),
        (Format::Csv, "Group,Headquarters,Name,Note\nA,Cupertino,Apple,x\n", &["2: apple seat cupertino [Cupertino]"]),
        (
            Format::Csv,
            "Rank,Company,Products\n1,Roche,A; B ;C\n",
            &["2: roche makes a [A]", "2: roche makes b [B]", "2: roche makes c [C]"],
        ),
        (
            Format::Csv,
            "Company,Revenue FY2023 ($bn)\nApple,383.285\n",
            &["2: apple revenue 383285000000USD @2023 [383.285]"],
        ),
        (
            Format::Csv,
            "Company,Fiscal year,Revenue\nApple,2023,$383.285 billion\n",
            &["2: apple revenue 383285000000USD @2023 [$383.285 billion]"],
        ),
        (
            Format::Csv,
            "Company,Fiscal year,Revenue\nApple,2023,\"(1,5)\"\nLoss Ltd,2023,\"(1,500)\"\n",
            &["3: loss ltd revenue -1500USD @2023 [(1,500)]"],
        ),
        (
            Format::Markdown,
            "x\n\n| Company | Headquarters |\n|---|---|\n| **Apple** | `Cupertino` |\n",
            &["2: apple seat cupertino [Cupertino]"],
        ),
        (
            Format::Tsv,
            "Apple\theadquarters\tCupertino\nApple\tlikes\tPears\nPears\tgrow on\ttrees\n",
            &[
                "1: apple seat cupertino [Cupertino]",
                "2: apple likes pears [Pears]",
                "3: pears grow on \"trees\" [trees]",
            ],
        ),
        (Format::Csv, "subject,predicate,object\n<http://x/a>,<http://e/seat>,Rome\n", &["2: a seat rome [Rome]"]),
    ] {
        let given = read(format, text, None);
        assert_eq!(given.facts, expected, "{text}\n{:?}", given.warnings);
    }
}

#[test]
fn a_name_in_triples_is_one_entity() {
    let schema = r#"
@prefix ex: <http://e/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
ex:Ship a rdfs:Class ; rdfs:label "ship"@en .
ex:Captain a rdfs:Class ; rdfs:label "captain"@en .
ex:Builder a rdfs:Class ; rdfs:label "builder"@en .
ex:captain a rdf:Property ; rdfs:label "captain"@en ; rdfs:domain ex:Ship ; rdfs:range ex:Captain .
ex:builder a rdf:Property ; rdfs:label "built by"@en ; rdfs:domain ex:Ship ; rdfs:range ex:Builder .
ex:tons a rdf:Property ; rdfs:label "tons"@en ; rdfs:domain ex:Ship ; rdfs:range xsd:decimal .
"#;
    let schema = Schema::parse(schema, "test.ttl").unwrap();
    let text = "Sunrise\tcaptain\tIda Berg\nSunrise\tbuilt by\tida berg\nIda Berg\tborn in\tUlm\nSunrise\ttons\tmany\n\
                Sunrise\ttons\t12\nship/7\tname\tMoonrise\nship/7\ttype\tship\nx/8\ttype\tnothing known\n";
    let mut names = Names::new(&schema);
    let mut draft = Draft::new(&schema, &mut names);
    let decoded = Decoded::new(text.to_owned(), 0, None);
    Reader::new(&schema, None).read(Format::Tsv, &decoded, None, &mut draft).unwrap();
    let reading = draft.finish();
    let shown: Vec<String> = reading
        .entities
        .iter()
        .map(|entity| {
            let texts = |texts: &[factmask_schema::Text]| {
                texts.iter().map(|text| text.text.as_str()).collect::<Vec<_>>().join("/")
            };
            let classes: Vec<&str> = entity.classes.iter().map(|class| local_name(class.as_str())).collect();
            format!(
                "{} [{}] {} ({})",
                entity.iri.as_str().trim_start_matches("urn:factmask:entity:"),
                classes.join(" "),
                texts(&entity.labels),
                texts(&entity.aliases)
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            "Ship:ship/7 [Ship] Moonrise (ship/7)",
            "Ship:sunrise [Ship] Sunrise ()",
            "Thing:ida%20berg [Builder Captain] Ida Berg ()",
            "Thing:x/8 [] x/8 ()",
        ]
    );
    let warnings: Vec<String> = reading.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings, ["row 4: \"many\" is no number; kept as words"]);
    assert_eq!(reading.facts.len(), 8);
}

#[test]
fn mapped_tables() {
    let mapping = "subject = \"Firma\"\nclass = \"company\"\nkey = \"Kürzel\"\n[columns]\n\"Umsatz (million USD)\" = \"revenue\"\n\"Jahr\" = \"http://e/year\"\n\"Sitz\" = \"headquarters\"\n\"Alt\" = \"alias\"\n\"Rest\" = \"ignore\"\n";
    let given = read(
        Format::Csv,
        "Jahr,Kürzel,Firma,Umsatz (million USD),Sitz,Alt,Rest\n2023,AAPL,Apple,5,Cupertino,Apfel,?\n",
        Some(mapping),
    );
    assert_eq!(given.facts, ["2: aapl revenue 5000000USD @2023 [5]", "2: aapl seat cupertino [Cupertino]"]);
    assert!(given.warnings.is_empty(), "{:?}", given.warnings);
    let schema = Schema::parse(SCHEMA, "test.ttl").unwrap();
    for (mapping, expected) in [
        ("subject = 1", "line 1"),
        ("\n\ncolour = \"x\"", "line 3: unknown field `colour`"),
        ("[columns]\n\"A\" = \"wingspan\"", "\"wingspan\" is no relation or qualifier"),
        ("class = \"Dragon\"", "\"Dragon\" is no class"),
    ] {
        let fault = Mapping::parse(mapping, &schema).unwrap_err().to_string();
        assert!(fault.contains(expected), "{mapping}: {fault}");
    }
}

#[test]
fn odd_tables_are_told_by_row() {
    for (text, expected) in [
        ("Company,Headquarters\nApple\n", "row 2: 1 cells where the header has 2"),
        ("Company,Headquarters\nApple,Rome,more\n", "row 2: 3 cells where the header has 2"),
        ("Company,Headquarters,Headquarters\nApple,Rome,Rome\n", "row 1: columns 2 and 3 both say seat"),
        ("Company,Headquarters\n,Rome\n", "row 2: no name"),
        ("Company,Revenue\nApple,much\n", "row 2: \"much\" is no number in USD"),
        ("Company,Revenue (km²)\nApple,5\n", "row 2: \"5\" is no number in USD"),
        ("Company,Fiscal year,Revenue\nApple,soon,5\n", "row 2: \"soon\" is no year for year"),
        ("Company,Headquarters,Mood\nApple,Rome,good\n", "row 1: the column \"Mood\" is neither"),
        ("a,b\n1,2\n", "row 1: no column of the header (a, b)"),
        (
            "Company,Headquarters\nApple,Rome\nApple,Pisa\n",
            "row 3: headquarters of <urn:factmask:entity:Company:apple> has two values",
        ),
    ] {
        let warnings = read(Format::Csv, text, None).warnings;
        assert!(warnings.iter().any(|warning| warning.starts_with(expected)), "{text}: {warnings:?}");
    }
}
