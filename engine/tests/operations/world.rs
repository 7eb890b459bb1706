//! A made-up land: provinces, rivers, towns, peaks, companies.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use factmask_graph::{
    ContentHash, Date, Document, DocumentId, Entity, NewFact, Number, Statement, Store, TenantId, Value,
};
use factmask_schema::{Iri, Schema, Text};

const SCHEMA: &str = r#"
@prefix fm: <urn:factmask:schema#> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix ex: <urn:land:> .
ex:Country a rdfs:Class ; rdfs:label "country"@en, "国家"@zh .
ex:Province a rdfs:Class ; rdfs:label "province"@en, "省份"@zh ; skos:altLabel "省"@zh .
ex:River a rdfs:Class ; rdfs:label "river"@en, "河流"@zh ; skos:altLabel "河"@zh .
ex:Town a rdfs:Class ; rdfs:label "town"@en, "城市"@zh ; skos:altLabel "city"@en .
ex:Peak a rdfs:Class ; rdfs:label "peak"@en, "山峰"@zh ; skos:altLabel "mountain"@en, "山"@zh .
ex:Company a rdfs:Class ; rdfs:label "company"@en, "公司"@zh .
ex:Person a rdfs:Class ; rdfs:label "person"@en, "人物"@zh .
ex:fiscalYear a fm:Qualifier ; rdfs:label "fiscal year"@en, "财年"@zh ; rdfs:range xsd:gYear .
ex:borders a rdf:Property, owl:SymmetricProperty ; rdfs:label "borders"@en, "接壤"@zh ; rdfs:domain ex:Province ; rdfs:range ex:Province ;
    fm:statement "{s} borders {o}."@en, "{s}与{o}接壤。"@zh .
ex:traverses a rdf:Property ; rdfs:label "traverses"@en, "流经"@zh ; rdfs:domain ex:River ; rdfs:range ex:Province ;
    fm:statement "{s} traverses {o}."@en, "{s}流经{o}。"@zh .
ex:length a rdf:Property, owl:FunctionalProperty ; rdfs:label "length"@en, "长度"@zh ; rdfs:domain ex:River ; rdfs:range xsd:decimal ; fm:unit "km" .
ex:area a rdf:Property, owl:FunctionalProperty ; rdfs:label "area"@en, "面积"@zh ; rdfs:domain ex:Province ; rdfs:range xsd:decimal ; fm:unit "km²" .
ex:population a rdf:Property, owl:FunctionalProperty ; rdfs:label "population"@en, "人口"@zh ; rdfs:range xsd:decimal .
ex:capital a rdf:Property, owl:FunctionalProperty ; rdfs:label "capital"@en, "首府"@zh ; rdfs:domain ex:Province ; rdfs:range ex:Town .
ex:locatedIn a rdf:Property, owl:FunctionalProperty ; rdfs:label "located in"@en, "位于"@zh ; rdfs:range ex:Province ;
    fm:statement "{s} is located in {o}."@en, "{s}位于{o}。"@zh .
ex:country a rdf:Property, owl:FunctionalProperty ; rdfs:label "country"@en, "国家"@zh ; rdfs:domain ex:Province ; rdfs:range ex:Country .
ex:elevation a rdf:Property, owl:FunctionalProperty ; rdfs:label "elevation"@en, "海拔"@zh ; rdfs:domain ex:Peak ; rdfs:range xsd:decimal ; fm:unit "m" .
ex:highestPoint a rdf:Property, owl:FunctionalProperty ; rdfs:label "highest point"@en, "最高点"@zh ; rdfs:domain ex:Province ; rdfs:range ex:Peak .
ex:founded a rdf:Property, owl:FunctionalProperty ; rdfs:label "year founded"@en, "成立时间"@zh ; rdfs:domain ex:Company ; rdfs:range xsd:gYear ;
    fm:statement "{s} was founded in {o}."@en, "{s}成立于{o}。"@zh .
ex:headquarters a rdf:Property, owl:FunctionalProperty ; rdfs:label "headquarters"@en, "总部"@zh ; rdfs:domain ex:Company ; rdfs:range ex:Town ;
    fm:statement "{s} is headquartered in {o}."@en, "{s}总部位于{o}。"@zh .
ex:revenue a rdf:Property ; rdfs:label "revenue"@en, "营业收入"@zh ; skos:altLabel "营收"@zh ; rdfs:domain ex:Company ; rdfs:range xsd:decimal ; fm:unit "USD" ;
    fm:functionalPer ex:fiscalYear .
ex:chief a rdf:Property, owl:FunctionalProperty ; rdfs:label "chief executive"@en, "首席执行官"@zh ; rdfs:domain ex:Company ; rdfs:range ex:Person .
"#;

/// Name in English and Chinese, and class.
const THINGS: &[(&str, &str, &str)] = &[
    ("Avaria", "阿瓦里亚", "Country"),
    ("Ostmark", "奥斯马克", "Province"),
    ("Westmark", "韦斯马克", "Province"),
    ("Nordheim", "诺德海姆", "Province"),
    ("Suedland", "苏德兰", "Province"),
    ("Insel", "因瑟尔", "Province"),
    ("Alda", "阿尔达河", "River"),
    ("Brine", "布林河", "River"),
    ("Cress", "克雷斯河", "River"),
    ("Dunn", "邓恩河", "River"),
    ("Lindau", "林道", "Town"),
    ("Brenn", "布伦", "Town"),
    ("Skarn", "斯卡恩", "Town"),
    ("Marin", "马林", "Town"),
    ("Hafen", "哈芬", "Town"),
    ("Tarn", "塔恩", "Town"),
    ("Orsk", "奥尔斯克", "Town"),
    ("Grauhorn", "格劳峰", "Peak"),
    ("Spitz", "施皮茨峰", "Peak"),
    ("Hohe", "霍厄峰", "Peak"),
    ("Bell", "贝尔峰", "Peak"),
    ("Dune", "杜内峰", "Peak"),
    ("Vex", "维克斯", "Company"),
    ("Quill", "奎尔", "Company"),
    ("Ember", "恩伯", "Company"),
    ("Ada Lind", "艾达", "Person"),
];

/// Subject, relation, object; what begins with a digit is a number with the relation's unit or a year.
const FACTS: &[&str] = &[
    "Ostmark borders Westmark",
    "Westmark borders Nordheim",
    "Ostmark borders Nordheim",
    "Ostmark borders Suedland",
    "Alda traverses Nordheim",
    "Alda traverses Westmark",
    "Alda traverses Ostmark",
    "Brine traverses Ostmark",
    "Brine traverses Suedland",
    "Cress traverses Nordheim",
    "Dunn traverses Suedland",
    "Alda length 820",
    "Brine length 310",
    "Cress length 310",
    "Dunn length 95",
    "Ostmark area 5000",
    "Westmark area 8000",
    "Nordheim area 12000",
    "Suedland area 3000",
    "Insel area 700",
    "Ostmark population 900000",
    "Westmark population 400000",
    "Nordheim population 250000",
    "Suedland population 1500000",
    "Insel population 60000",
    "Ostmark capital Lindau",
    "Westmark capital Brenn",
    "Nordheim capital Skarn",
    "Suedland capital Marin",
    "Insel capital Hafen",
    "Lindau locatedIn Ostmark",
    "Brenn locatedIn Westmark",
    "Skarn locatedIn Nordheim",
    "Marin locatedIn Suedland",
    "Hafen locatedIn Insel",
    "Tarn locatedIn Ostmark",
    "Orsk locatedIn Suedland",
    "Lindau population 300000",
    "Brenn population 120000",
    "Skarn population 80000",
    "Marin population 700000",
    "Hafen population 30000",
    "Tarn population 45000",
    "Orsk population 210000",
    "Ostmark country Avaria",
    "Westmark country Avaria",
    "Nordheim country Avaria",
    "Suedland country Avaria",
    "Insel country Avaria",
    "Grauhorn elevation 3100",
    "Spitz elevation 2400",
    "Hohe elevation 1200",
    "Bell elevation 600",
    "Dune elevation 40",
    "Grauhorn locatedIn Nordheim",
    "Spitz locatedIn Westmark",
    "Hohe locatedIn Ostmark",
    "Bell locatedIn Suedland",
    "Dune locatedIn Insel",
    "Nordheim highestPoint Grauhorn",
    "Westmark highestPoint Spitz",
    "Ostmark highestPoint Hohe",
    "Suedland highestPoint Bell",
    "Insel highestPoint Dune",
    "Vex founded 1998",
    "Quill founded 1975",
    "Ember founded 2010",
    "Vex headquarters Lindau",
    "Quill headquarters Marin",
    "Ember headquarters Lindau",
    "Vex revenue 500 2022",
    "Vex revenue 700 2023",
    "Quill revenue 900 2022",
    "Quill revenue 650 2023",
    "Ember revenue 100 2023",
    "Ember revenue 80 2022",
    "Vex chief Ada_Lind",
];

fn iri(name: &str) -> Iri {
    Iri::new_unchecked(format!("urn:land:{name}"))
}

fn value(relation: &str, text: &str) -> Value {
    let unit = match relation {
        "length" => "km",
        "area" => "km²",
        "elevation" => "m",
        "revenue" => "USD",
        _ => "",
    };
    match (relation, text.parse::<i32>()) {
        ("founded", Ok(year)) => Value::Date(Date::from_year(year)),
        (_, Ok(number)) => Value::Number(Number::new(i128::from(number), 0).with_unit(unit)),
        _ => Value::Entity(iri(text)),
    }
}

fn fact(line: &str) -> NewFact {
    let mut words = line.split(' ');
    let mut next = || words.next().unwrap_or_default();
    let (subject, relation, object) = (next(), next(), next());
    let year = next().parse().ok().map(|year| (iri("fiscalYear"), Value::Date(Date::from_year(year))));
    let statement = Statement::new(iri(subject), iri(relation), value(relation, object), year.into_iter().collect());
    NewFact { statement, span: 0..4, locator: None, extractor: "test".to_owned(), confidence: 1.0 }
}

/// The land in a store.
pub fn store() -> Store {
    let store = Store::in_memory(&TenantId::new("land").unwrap()).unwrap();
    store.put_schema(&Schema::parse(SCHEMA, "land.ttl").unwrap()).unwrap();
    let entity = |(en, zh, class): &(&str, &str, &str)| Entity {
        iri: iri(&en.replace(' ', "_")),
        classes: vec![iri(class)],
        labels: vec![Text::new("en", *en), Text::new("zh", *zh)],
        aliases: Vec::new(),
    };
    let document = |name: &str, facts: &[&str]| Document {
        id: DocumentId::new(name).unwrap(),
        media_type: "text/plain".to_owned(),
        title: String::new(),
        source: format!("{name} {facts:?}").into_bytes(),
        recipe: ContentHash::of(b"recipe"),
        entities: THINGS.iter().map(entity).collect(),
        facts: facts.iter().map(|line| fact(line)).collect(),
    };
    store.put(&document("all", FACTS)).unwrap();
    // What two documents state is one fact.
    store.put(&document("again", &FACTS[..20])).unwrap();
    store
}
