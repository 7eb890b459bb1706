//! The same statements in each syntax, and what each syntax does in its own way.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use super::tests::{facts, read};
use super::{Malformed, Syntax};
use factmask_schema::local_name;

const XML: &str = "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:rdfs=\"http://www.w3.org/2000/01/rdf-schema#\"\n xmlns:skos=\"http://www.w3.org/2004/02/skos/core#\" xmlns:ex=\"http://e/\" xml:base=\"http://e/file\">\n";
const JSON: &str = r##"{"@context": {"ex": "http://e/", "@vocab": "http://e/", "rdfs": "http://www.w3.org/2000/01/rdf-schema#", "skos": "http://www.w3.org/2004/02/skos/core#", "id": "@id", "place": {"@id": "ex:seat", "@type": "@id"}, "seatOf": {"@reverse": "ex:seat", "@type": "@id"}, "said": {"@id": "ex:motto", "@container": "@language"}},
"##;

fn in_xml(body: &str) -> String {
    format!("{XML}{body}</rdf:RDF>")
}

/// Each entity that is described, with its classes and numbers of labels and aliases.
fn entities(syntax: Syntax, text: &str) -> Vec<String> {
    let reading = read(syntax, text).unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
    let described = reading.entities.iter().filter(|entity| !entity.labels.is_empty());
    let shown = described.map(|entity| {
        let classes: Vec<_> = entity.classes.iter().map(|class| local_name(class.as_str())).collect();
        let labels: Vec<_> = entity.labels.iter().map(|label| format!("{}@{}", label.text, label.lang)).collect();
        let aliases: Vec<_> = entity.aliases.iter().map(|alias| alias.text.as_str()).collect();
        format!("{} {classes:?} {labels:?} {aliases:?}", local_name(entity.iri.as_str()))
    });
    shown.collect()
}

fn check(syntax: Syntax, text: &str, expected: &[&str]) {
    let reading = read(syntax, text).unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
    assert_eq!(facts(text, &reading), expected, "{text} {:?}", reading.warnings);
}

#[test]
fn names_and_classes_come_from_every_syntax() {
    let lines = |graph: &str| {
        format!(
            "<http://e/a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e/Company>{graph} .\n<http://e/a> <http://www.w3.org/2000/01/rdf-schema#label> \"A Ltd\"@en{graph} .\n<http://e/a> <http://www.w3.org/2004/02/skos/core#altLabel> \"A\"{graph} .\n"
        )
    };
    let terse = "@prefix ex: <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n";
    let body = "ex:a a ex:Company ; rdfs:label \"A Ltd\"@en ; skos:altLabel \"A\" .";
    for (syntax, text) in [
        (Syntax::Turtle, format!("{terse}{body}")),
        (Syntax::TriG, format!("{terse} ex:g {{ {body} }}")),
        (Syntax::NTriples, lines("")),
        (Syntax::NQuads, lines(" <http://e/g>")),
        (
            Syntax::RdfXml,
            in_xml(
                "<ex:Company rdf:about=\"a\" skos:altLabel=\"A\"><rdfs:label xml:lang=\"en\">A Ltd</rdfs:label></ex:Company>",
            ),
        ),
        (
            Syntax::JsonLd,
            format!(
                "{JSON} \"id\": \"ex:a\", \"@type\": \"Company\", \"rdfs:label\": {{\"@value\": \"A Ltd\", \"@language\": \"en\"}}, \"skos:altLabel\": \"A\"}}"
            ),
        ),
    ] {
        assert_eq!(entities(syntax, &text), ["a [\"Company\"] [\"A Ltd@en\"] [\"A\"]"], "{text}");
    }
}

#[test]
fn trig_and_nquads_state_the_facts_of_all_graphs() {
    check(
        Syntax::TriG,
        "@prefix ex: <http://e/> .\nex:a ex:seat ex:rome .\nGRAPH ex:g { ex:b ex:seat ex:oslo ; ex:motto \"hi\"@en }\n{ ex:c ex:revenue 5 {| ex:year 2023 |} . }\nex:g ex:source \"press\" .",
        &[
            "a seat rome [ex:a ex:seat ex:rome]",
            "b seat oslo [ex:b ex:seat ex:oslo]",
            "b motto \"hi\"@en [ex:motto \"hi\"@en]",
            "c revenue 5e-0USD @2023 [ex:c ex:revenue 5 {| ex:year 2023 |}]",
            "g source \"press\" [ex:g ex:source \"press\"]",
        ],
    );
    check(
        Syntax::NQuads,
        "<http://e/a> <http://e/seat> <http://e/rome> <http://e/g> .\r\n# note\n<http://e/a> <http://e/motto> \"h\\u0069\" .\n",
        &[
            "a seat rome [<http://e/a> <http://e/seat> <http://e/rome> <http://e/g> .]",
            "a motto \"hi\" [<http://e/a> <http://e/motto> \"h\\u0069\" .]",
        ],
    );
}

#[test]
fn rdf_xml_states_facts_by_elements_and_attributes() {
    for (body, expected) in [
        (
            "<rdf:Description rdf:about=\"a\"><ex:seat rdf:resource=\"rome\"/><ex:revenue>12.50</ex:revenue></rdf:Description>",
            &[
                "a seat rome [<ex:seat rdf:resource=\"rome\"/>]",
                "a revenue 1250e-2USD [<ex:revenue>12.50</ex:revenue>]",
            ][..],
        ),
        (
            "<ex:Company rdf:about=\"a\" ex:motto=\"one &amp; all\" xml:lang=\"en\"/>",
            &["a motto \"one & all\"@en [<ex:Company rdf:about=\"a\" ex:motto=\"one &amp; all\" xml:lang=\"en\"/>]"],
        ),
        (
            "<ex:Company rdf:about=\"a\"><ex:seat><ex:City rdf:about=\"rome\"/></ex:seat></ex:Company>",
            &["a seat rome [<ex:seat><ex:City rdf:about=\"rome\"/></ex:seat>]"],
        ),
        (
            "<ex:Company rdf:about=\"a\"><ex:motto><![CDATA[<3]]></ex:motto></ex:Company>",
            &["a motto \"<3\" [<ex:motto><![CDATA[<3]]></ex:motto>]"],
        ),
        // A statement that has a name, and what is said of it.
        (
            "<ex:Company rdf:about=\"a\"><ex:revenue rdf:ID=\"r\">5</ex:revenue></ex:Company><rdf:Description rdf:about=\"#r\"><ex:year>2023</ex:year></rdf:Description>",
            &[
                "a revenue 5e-0USD @2023 [<ex:revenue rdf:ID=\"r\">5</ex:revenue></ex:Company><rdf:Description rdf:about=\"#r\"><ex:year>2023</ex:year>]",
            ],
        ),
        (
            "<ex:Company rdf:about=\"a\"><ex:revenue rdf:annotation=\"r\">5</ex:revenue></ex:Company><rdf:Description rdf:about=\"r\"><ex:year>2023</ex:year></rdf:Description>",
            &[
                "a revenue 5e-0USD @2023 [<ex:revenue rdf:annotation=\"r\">5</ex:revenue></ex:Company><rdf:Description rdf:about=\"r\"><ex:year>2023</ex:year>]",
            ],
        ),
        // Said of, and not said.
        (
            "<rdf:Statement><rdf:subject rdf:resource=\"a\"/><rdf:predicate rdf:resource=\"seat\"/><rdf:object rdf:resource=\"rome\"/><ex:deniedBy rdf:resource=\"b\"/></rdf:Statement>",
            &[],
        ),
    ] {
        check(Syntax::RdfXml, &in_xml(body), expected);
    }
    let declared = format!(
        "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<!DOCTYPE rdf:RDF [<!ENTITY city \"http://e/\">]>\n{}",
        in_xml("<ex:Company rdf:about=\"a\"><ex:seat rdf:resource=\"&city;rome\"/></ex:Company>")
    );
    check(Syntax::RdfXml, &declared, &["a seat rome [<ex:seat rdf:resource=\"&city;rome\"/>]"]);
}

#[test]
fn json_ld_states_facts_by_members() {
    for (body, expected) in [
        (
            "\"id\": \"ex:a\", \"place\": \"ex:rome\", \"revenue\": 12.5, \"motto\": [\"eins\", \"zwei\"]}",
            &[
                "a seat rome [\"place\": \"ex:rome\"]",
                "a revenue 125e-1USD [\"revenue\": 12.5]",
                "a motto \"eins\" [\"motto\": [\"eins\"]",
                "a motto \"zwei\" [\"motto\": [\"eins\", \"zwei\"]",
            ][..],
        ),
        (
            "\"id\": \"ex:a\", \"seat\": {\"id\": \"ex:rome\", \"motto\": \"alt\"}}",
            &["a seat rome [\"seat\": {\"id\": \"ex:rome\"]", "rome motto \"alt\" [\"motto\": \"alt\"]"],
        ),
        (
            "\"@graph\": [{\"id\": \"ex:a\", \"motto\": \"same\"}, {\"id\": \"ex:b\", \"motto\": \"same\"}]}",
            &["a motto \"same\" [\"motto\": \"same\"]", "b motto \"same\" [\"motto\": \"same\"]"],
        ),
        ("\"id\": \"ex:a\", \"said\": {\"en\": \"yes\"}}", &["a motto \"yes\"@en [\"said\": {\"en\": \"yes\"]"]),
        ("\"id\": \"ex:rome\", \"seatOf\": \"ex:a\"}", &["a seat rome [\"id\": \"ex:rome\", \"seatOf\": \"ex:a\"]"]),
        (
            "\"id\": \"ex:a\", \"open\": true, \"revenue\": 5.0}",
            &["a open true [\"open\": true]", "a revenue 5e-0USD [\"revenue\": 5.0]"],
        ),
        ("\"motto\": \"of nobody\"}", &[]),
        ("\"id\": \"ex:a\", \"seat\": {\"motto\": \"of nobody\"}}", &[]),
    ] {
        check(Syntax::JsonLd, &format!("{JSON}{body}"), expected);
    }
    let nested = format!("{}1{}", "{\"http://e/p\": ".repeat(63), "}".repeat(63));
    check(Syntax::JsonLd, &nested, &[]);
}

/// A file that is refused: where, and words of the reason.
type Refused = (Syntax, String, (u64, u64), &'static str);

fn check_refused(cases: Vec<Refused>) {
    let wrong = |(syntax, text, place, reason): Refused| {
        let shown: String = text.chars().skip(text.chars().count().saturating_sub(120)).collect();
        match read(syntax, &text) {
            Ok(_) => Some(format!("{shown}: is read")),
            Err(Malformed { line, column, message }) => {
                let right = (line, column) == (place.0, Some(place.1)) && message.contains(reason);
                (!right).then(|| format!("{shown}: {line}:{column:?}: {message}; expected {place:?} {reason}"))
            }
        }
    };
    let wrong: Vec<String> = cases.into_iter().filter_map(wrong).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn faults_have_line_column_and_reason() {
    let xml = |body: &str, place, reason| (Syntax::RdfXml, in_xml(body), place, reason);
    let raw = |text: String, place, reason| (Syntax::RdfXml, text, place, reason);
    let json = |text: &str, place, reason| (Syntax::JsonLd, text.to_owned(), place, reason);
    let deep = "<ex:C><ex:p>".repeat(600);
    let lines = "<http://e/a> <http://e/b> <http://e/c> .\n";
    check_refused(vec![
        xml("<rdf:about/>", (3, 1), "rdf-syntax-ns#about"),
        xml(" <ex:C rdf:about=\"a\"><ex:p></ex:q></ex:C>", (3, 28), "ex:p"),
        xml(" <ex:C rdf:about=\"a\">", (3, 22), "ex:C"),
        xml("<ex:C rdf:about=\"a\" rdf:aboutEach=\"b\"/>", (3, 1), "aboutEach"),
        xml("<foo:C/>", (3, 1), "foo"),
        raw(format!("{XML}<ex:C rdf:about=\"a\"/>"), (1, 1), "not closed"),
        raw(format!("{}\n<a/>", in_xml("")), (4, 1), "second root"),
        raw(format!("{}\n x", in_xml("")), (4, 2), "outside of the root"),
        raw("hello".to_owned(), (1, 1), "outside of the root"),
        raw("<!-- nothing -->".to_owned(), (1, 1), "no element"),
        raw(format!("{XML}{deep}"), (3, 5_995), "1000 elements"),
        json("{\"@id\": \"http://e/a\",\n \"http://e/p\": [1, }", (2, 20), "curly bracket"),
        json("{\"@id\": \"http://e/a\"", (1, 21), "comma"),
        json(
            "{\"@context\": \"https://context.example/\",\n \"name\": \"x\"}",
            (1, 14),
            "https://context.example/: remote contexts are never fetched",
        ),
        json("{\n \"@context\": [{}, \"ctx.jsonld\"]}", (2, 19), "remote contexts are never fetched"),
        json("{\"@context\": {\"@import\": \"http://e/c\"}}", (1, 26), "http://e/c: remote contexts are never fetched"),
        json("{\"a\": 1,\n \"@id\": 5}", (2, 2), "@id"),
        json(&"[".repeat(100_000), (1, 66), "stack"),
        (Syntax::NQuads, format!("{lines}<http://e/a> <b> \"c\" .\n"), (2, 14), "IRI"),
        (Syntax::NTriples, "<http://e/a> <http://e/b> <http://e/c> <http://e/g> .\n".to_owned(), (1, 40), ""),
        (Syntax::TriG, "@prefix ex: <http://e/> .\nex:g { ex:a ex:b ex:c \n".to_owned(), (3, 1), ""),
        (Syntax::Turtle, "@prefix ex: <http://e/> .\nex:g { ex:a ex:b ex:c }\n".to_owned(), (2, 6), ""),
    ]);
}

#[test]
fn entities_do_not_grow_without_bound() {
    let mut laughs = "<!DOCTYPE rdf:RDF [<!ENTITY l0 \"laugh\">".to_owned();
    for level in 1..12 {
        let inner = format!("&l{};", level - 1).repeat(10);
        laughs += &format!("<!ENTITY l{level} \"{inner}\">");
    }
    laughs += "]>\n";
    // One level, often used; and what lies elsewhere, which is not read.
    let long = format!("<!DOCTYPE rdf:RDF [<!ENTITY l \"{}\">]>\n", "x".repeat(100_000));
    let outside = "<!DOCTYPE rdf:RDF [<!ENTITY l SYSTEM \"file:///etc/passwd\">]>\n";
    let motto = |words: &str| in_xml(&format!("<ex:C rdf:about=\"a\"><ex:motto>{words}</ex:motto></ex:C>"));
    check_refused(vec![
        (Syntax::RdfXml, format!("{laughs}{}", motto("&l11;")), (1, 1), "the entity l7 stands for more than"),
        (Syntax::RdfXml, format!("{long}{}", motto(&"&l;".repeat(1_000))), (4, 31), "entities stand for more than"),
        (Syntax::RdfXml, format!("{outside}{}", motto("&l;")), (1, 61), "ENTITY"),
    ]);
}
