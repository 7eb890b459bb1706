//! Sentences to facts, in tables.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use crate::draft::Draft;
use crate::names::Names;
use crate::readers::{Format, Reader};
use crate::text::Decoded;
use factmask_graph::{Entity, Value};
use factmask_schema::{Iri, Schema, Text, local_name, percent_decode};

const SCHEMA: &str = r#"
@prefix ex: <http://e/> .
@prefix fm: <urn:factmask:schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

ex:Company a rdfs:Class ; rdfs:label "company"@en , "公司"@zh .
ex:Country a rdfs:Class ; rdfs:label "country"@en .
ex:City a rdfs:Class ; rdfs:label "city"@en .
ex:Person a rdfs:Class ; rdfs:label "person"@en .
ex:Drug a rdfs:Class ; rdfs:label "drug"@en .
ex:Gene a rdfs:Class ; rdfs:label "gene"@en .

ex:year a fm:Qualifier ; rdfs:label "fiscal year"@en , "财年"@zh ; rdfs:range xsd:gYear ; fm:calendar "fiscal" .

ex:capital a rdf:Property , owl:FunctionalProperty ; rdfs:label "capital"@en , "首都"@zh ; rdfs:domain ex:Country ; rdfs:range ex:City ;
    fm:statement "The capital of {s} is {o}."@en , "{o} is the capital of {s}."@en , "{s}的首都是{o}。"@zh .
ex:revenue a rdf:Property ; rdfs:label "revenue"@en , "营业收入"@zh ; skos:altLabel "net sales"@en , "营收"@zh ;
    rdfs:domain ex:Company ; rdfs:range xsd:decimal ; fm:unit "USD" ; fm:functionalPer ex:year ;
    fm:statement "{s}'s revenue[ in fiscal year {year}] was {o}."@en , "{s} reported revenue of {o}[ in fiscal year {year}]."@en ,
        "{s}[{year}财年]营业收入为{o}。"@zh .
ex:income a rdf:Property ; rdfs:label "income"@en ; rdfs:domain ex:Company ; rdfs:range xsd:decimal ; fm:unit "USD" ; fm:functionalPer ex:year ;
    fm:statement "Income of {s} was {o}."@en .
ex:employees a rdf:Property ; rdfs:label "employees"@en , "员工人数"@zh ; rdfs:domain ex:Company ; rdfs:range xsd:integer ; fm:functionalPer ex:year ;
    fm:statement "{s} had {o} employees[ at the end of fiscal year {year}]."@en , "{s}的员工人数为{o}。"@zh .
ex:area a rdf:Property , owl:FunctionalProperty ; rdfs:label "area"@en ; rdfs:domain ex:Country ; rdfs:range xsd:decimal ; fm:unit "km²" ;
    fm:statement "{s} covers {o}."@en .
ex:founded a rdf:Property , owl:FunctionalProperty ; rdfs:label "founded"@en ; rdfs:domain ex:Company ; rdfs:range xsd:gYear ;
    fm:statement "{s} was founded in {o}."@en , "{s}成立于{o}。"@zh , "{s}成立于{o}年。"@zh .
ex:founder a rdf:Property ; rdfs:label "founder"@en ; rdfs:domain ex:Company ; rdfs:range ex:Person ;
    fm:statement "{s} was founded by {o}."@en , "{s}由{o}创办。"@zh , "{s}的创始人是{o}。"@zh .
ex:targets a rdf:Property ; rdfs:label "targets"@en ; rdfs:domain ex:Drug ; rdfs:range ex:Gene ; fm:statement "{s} targets {o}."@en .
ex:approved a rdf:Property , owl:FunctionalProperty ; rdfs:label "approval date"@en ; rdfs:domain ex:Drug ; rdfs:range xsd:date ;
    fm:statement "{s} was approved on {o}."@en , "{s}于{o}获批。"@zh .
ex:code a rdf:Property ; rdfs:label "code"@en ; rdfs:domain ex:Country ; rdfs:range xsd:string ; fm:statement "The code of {s} is {o}."@en .
"#;

const KNOWN: &[(&str, &str, &[&str])] = &[
    ("apple", "Company", &["Apple Inc.", "Apple", "苹果公司", "苹果"]),
    ("sachs", "Company", &["Goldman Sachs"]),
    ("france", "Country", &["France", "法国"]),
    ("paris", "City", &["Paris", "巴黎"]),
    ("us", "Country", &["United States", "US"]),
    ("jobs", "Person", &["Steve Jobs", "史蒂夫·乔布斯"]),
    ("wozniak", "Person", &["Steve Wozniak"]),
    ("osimertinib", "Drug", &["osimertinib"]),
    ("egfr", "Gene", &["EGFR"]),
    ("met", "Gene", &["MET"]),
];

fn facts(format: Format, text: &str) -> Vec<String> {
    let schema = Schema::parse(SCHEMA, "test.ttl").unwrap_or_else(|faults| panic!("{faults}"));
    let reader = Reader::new(&schema, None);
    let mut names = Names::new(&schema);
    for (iri, class, labels) in KNOWN {
        names.learn(&Entity {
            iri: Iri::new_unchecked(format!("http://e/e/{iri}")),
            classes: vec![Iri::new_unchecked(format!("http://e/{class}"))],
            labels: labels.iter().map(|label| Text::new("", *label)).collect(),
            aliases: Vec::new(),
        });
    }
    let mut draft = Draft::new(&schema, &mut names);
    let decoded = Decoded::new(text.to_owned(), 0, None);
    reader.read(format, &decoded, None, &mut draft).unwrap();
    let shown = |iri: &Iri| percent_decode(local_name(iri.as_str()));
    let value = |value: &Value| match value {
        Value::Entity(iri) => shown(iri),
        Value::Text { text, .. } => format!("{text:?}"),
        Value::Number(number) => format!(
            "{}{}{}",
            number.mantissa,
            if number.scale > 0 { format!("e-{}", number.scale) } else { String::new() },
            number.unit.as_deref().unwrap_or_default()
        ),
        Value::Date(date) => date.iso(),
        Value::Boolean(value) => value.to_string(),
    };
    let mut found: Vec<String> = draft
        .finish()
        .facts
        .iter()
        .map(|fact| {
            let statement = &fact.statement;
            let qualifiers: String =
                statement.qualifiers.iter().map(|(_, year)| format!(" @{}", value(year))).collect();
            format!(
                "{} {} {}{qualifiers}",
                shown(&statement.subject),
                local_name(statement.relation.as_str()),
                value(&statement.object)
            )
        })
        .collect();
    found.sort();
    found
}

#[test]
fn stated() {
    let mut wrong = Vec::new();
    for (text, expected) in [
        ("The capital of France is Paris.", &["france capital paris"][..]),
        ("Paris is the capital of France.", &["france capital paris"]),
        ("Paris Region is the capital of Nowhere Land.", &["nowhere land capital paris region"]),
        ("We know that the capital of France is Paris, a city on the Seine.", &["france capital paris"]),
        ("The capital of the United States is Washington.", &["us capital washington"]),
        ("The capital of Freedonia is Marxville.", &["freedonia capital marxville"]),
        ("the capital\nof France was Paris", &["france capital paris"]),
        ("法国的首都是巴黎。", &["france capital paris"]),
        ("众所周知，法国的首都是巴黎，位于塞纳河畔。", &["france capital paris"]),
        ("弗里多尼亚的首都是马克斯维尔。", &["弗里多尼亚 capital 马克斯维尔"]),
        ("Apple's revenue in fiscal year 2023 was $383.285 billion.", &["apple revenue 383285000000USD @2023"]),
        (
            "Apple\u{2019}s revenue was US$383.285 billion in fiscal 2023, up 2%.",
            &["apple revenue 383285000000USD @2023"],
        ),
        ("In 2023, Apple's net sales were $383 billion.", &["apple revenue 383000000000USD @2023"]),
        ("For FY2022, Apple reported revenue of 394,328 million US dollars.", &["apple revenue 394328000000USD @2022"]),
        ("Goldman Sachs' revenue was $46 billion.", &["sachs revenue 46000000000USD"]),
        ("Apple Inc. reported revenue of CNY 5 million.", &["apple revenue 5000000CNY"]),
        ("苹果公司2023财年营业收入为3832.85亿美元。", &["apple revenue 383285000000USD @2023"]),
        ("截至2023年9月，苹果公司2023财年营收为3832.85亿美元，同比下降3%。", &["apple revenue 383285000000USD @2023"]),
        ("2023财年，苹果营业收入为3832.85亿美元。", &["apple revenue 383285000000USD @2023"]),
        ("二〇二三年，苹果营业收入为三千亿美元。", &["apple revenue 300000000000USD @2023"]),
        ("Income of Apple was $5 million.", &["apple income 5000000USD"]),
        ("Apple had 161,000 employees.", &["apple employees 161000"]),
        ("苹果公司的员工人数为161,000人。", &["apple employees 161000"]),
        ("France covers 643,801 square kilometres.", &["france area 643801km²"]),
        ("France covers 643 801 km².", &[]),
        ("Apple was founded in 1976 and is based in Cupertino.", &["apple founded 1976"]),
        ("苹果公司成立于1976年。", &["apple founded 1976"]),
        (
            "Apple was founded by Steve Jobs, Steve Wozniak and Ronald Wayne.",
            &["apple founder jobs", "apple founder ronald wayne", "apple founder wozniak"],
        ),
        ("Apple was founded by Steve Jobs and is based in Cupertino.", &["apple founder jobs"]),
        ("苹果公司的创始人是史蒂夫·乔布斯和罗纳德·韦恩。", &["apple founder jobs", "apple founder 罗纳德·韦恩"]),
        ("Osimertinib targets EGFR.", &["osimertinib targets egfr"]),
        ("Osimertinib was approved on November 13, 2015.", &["osimertinib approved 2015-11-13"]),
        ("The code of France is FR.", &["france code \"FR\""]),
        ("The code of France is \"FR 1\" in the list.", &["france code \"FR 1\""]),
        ("President Emmanuel said the capital of France is Paris.", &["france capital paris"]),
    ] {
        let found = facts(Format::Plain, text);
        if found != expected {
            wrong.push(format!("{text}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn not_stated() {
    let mut wrong = Vec::new();
    for text in [
        "The capital of France is not Paris.",
        "Is it true that the capital of France is Paris?",
        "If the capital of France is Paris, all is well.",
        "It is not true that the capital of France is Paris.",
        "法国的首都是巴黎吗？",
        "预计苹果公司2023财年营业收入为3832.85亿美元。",
        "苹果公司2023财年营业收入不为3832.85亿美元。",
        "Analysts expect that Apple's revenue was $5 billion.",
        "Apple's revenue is expected to be $5 billion.",
        "Apple's revenue wasn't $5 billion.",
        "Apple's revenue was 14% of the total.",
        "Apple's revenue was $5 per share.",
        "Apple's revenue was $90 billion in the first quarter of fiscal 2023.",
        "苹果公司第三季度营业收入为900亿美元。",
        "Operating income of Apple was $5 million.",
        "Its revenue was $5 billion.",
        "The company's revenue was $5 billion.",
        "该公司营业收入为5亿元。",
        "苹果公司毛利营业收入为5亿元的一半。",
        "France covers 5 countries.",
        "France covers most of it.",
        "Apple was founded in secret.",
        "Apple was founded in 1990s.",
        "Osimertinib targets tumours that have met the criteria.",
        "Apple's revenue was about $5 billion.",
        "Apple's revenue was between $5 and $6 billion.",
        "Apple's revenue was 5-6 billion dollars.",
        "Steve Jobs covers 5 km².",
        "The rival of Apple was founded by Steve Jobs.",
        "Nobody believes that Apple was founded by Steve Wozniak.",
        "Perhaps Apple was founded by Steve Wozniak.",
        "The capital of France is Paris's suburb.",
    ] {
        let found = facts(Format::Plain, text);
        if !found.is_empty() {
            wrong.push(format!("{text}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn headings_give_the_year() {
    let text = "# Results\n\n## Fiscal year 2022\n\nApple's revenue was $394 billion.\n\n## Fiscal 2023\n\nApple's **revenue** was $383\nbillion.\n\n```\nApple's revenue was $1 billion.\n```\n";
    assert_eq!(
        facts(Format::Markdown, text),
        ["apple revenue 383000000000USD @2023", "apple revenue 394000000000USD @2022"]
    );
}
