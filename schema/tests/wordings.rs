//! Sentences with slots, filled and cut.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use factmask_schema::{Functional, Iri, Piece, Relation, Schema, Text, Wording, escape};

const EXPENSE: &str = "{s}'s research and development expense[ in fiscal year {fiscalYear}] was {o}.";

fn year(name: &str) -> Option<String> {
    (name == "fiscalYear").then(|| "2023".to_owned())
}

fn none(_: &str) -> Option<String> {
    None
}

#[test]
fn statements_and_stems() {
    for (text, statement, before, spaced, after) in [
        (
            EXPENSE,
            "Apple's research and development expense in fiscal year 2023 was 9.",
            "Apple's research and development expense in fiscal year 2023 was",
            true,
            ".",
        ),
        ("The capital of {s} is {o}.", "The capital of Apple is 9.", "The capital of Apple is", true, "."),
        ("{s}的首都是{o}。", "Apple的首都是9。", "Apple的首都是", false, "。"),
        ("{s} {o}[ ({fiscalYear}, {role})]", "Apple 9", "Apple", true, ""),
        ("{s} in {role} has {o}", "Apple in has 9", "Apple in has", true, ""),
        ("{o} is made by {s}", "9 is made by Apple", "", false, " is made by Apple"),
        ("{{{s}}} [[{o}]]", "{Apple} [9]", "{Apple} [", false, "]"),
    ] {
        let wording = Wording::parse("en", text).unwrap();
        assert_eq!(wording.statement("Apple", "9", &year), statement);
        let stem = wording.stem("Apple", &year);
        assert_eq!((stem.before.as_str(), stem.spaced, stem.after.as_str()), (before, spaced, after));
        assert_eq!(wording.source, text);
    }
    let wording = Wording::parse("en", EXPENSE).unwrap();
    assert_eq!(wording.statement("Apple", "9", &none), "Apple's research and development expense was 9.");
}

#[test]
fn questions() {
    let wording = Wording::parse("EN-us", "What did {s} spend[ in {fiscalYear}]?").unwrap();
    assert_eq!(wording.lang, "en-us");
    assert_eq!(wording.question("Apple", &year), "What did Apple spend in 2023?");
    assert_eq!(wording.question("Apple", &none), "What did Apple spend?");
}

#[test]
fn parts_are_visible() {
    let wording = Wording::parse("en", EXPENSE).unwrap();
    assert_eq!(
        wording.literals().collect::<Vec<_>>(),
        ["'s research and development expense", " in fiscal year ", " was ", "."]
    );
    assert_eq!(
        wording.pieces(),
        [
            Piece::Subject,
            Piece::Literal("'s research and development expense"),
            Piece::Optional(vec![Piece::Literal(" in fiscal year "), Piece::Qualifier("fiscalYear")]),
            Piece::Literal(" was "),
            Piece::Object,
            Piece::Literal("."),
        ]
    );
}

#[test]
fn relations_without_wordings() {
    let iri = Iri::new("http://example.com/r#researchExpense").unwrap();
    let fiscal = Iri::new("http://example.com/r#fiscalYear").unwrap();
    let bare = Relation::undeclared(iri.clone());
    for (lang, expected) in [("en", "The research expense of Apple is 9."), ("zh", "Apple的research expense是9。")] {
        assert_eq!(bare.statement_for(lang).statement("Apple", "9", &none), expected);
    }
    let labelled = Relation {
        labels: vec![Text::new("en", "R&D [net] {x}"), Text::new("zh", "研发投入")],
        functional: Functional::Per(vec![fiscal.clone()]),
        ..bare
    };
    assert_eq!(
        labelled.statement_for("en").statement("Apple", "9", &year),
        "The R&D [net] {x} of Apple (fiscal year 2023) is 9."
    );
    assert_eq!(labelled.statement_for("zh").statement("苹果", "9", &none), "苹果的研发投入是9。");

    let schema = Schema::default();
    let wording = schema.statement_for(&iri, "en", [&fiscal]);
    assert_eq!(wording.statement("Apple", "9", &year), "The research expense of Apple (fiscal year 2023) is 9.");
    assert_eq!(Wording::parse("en", &wording.source).unwrap(), wording);
}

#[test]
fn own_wordings_come_first_and_cover_all_qualifiers() {
    let iri = Iri::new("http://example.com/expense").unwrap();
    let [fiscal, role] = ["fiscalYear", "role"].map(|name| Iri::new(format!("http://example.com/{name}")).unwrap());
    let wordings =
        ["{o} was spent by {s}.", EXPENSE, "{s} spent {o}."].map(|text| Wording::parse("en-GB", text).unwrap());
    let mut schema = Schema::default();
    schema
        .relations
        .insert(iri.clone(), Relation { statements: wordings.to_vec(), ..Relation::undeclared(iri.clone()) });
    // The first is passed over: it names the object before the subject.
    assert_eq!(schema.relation(&iri).statement_for("en").source, EXPENSE);
    assert_eq!(schema.statement_for(&iri, "en", [&fiscal]).source, EXPENSE);
    let qualifier = |name: &str| if name == "role" { Some("lead".to_owned()) } else { year(name) };
    assert_eq!(
        schema.statement_for(&iri, "en", [&fiscal, &role]).statement("Apple", "9", &qualifier),
        "Apple (role lead)'s research and development expense in fiscal year 2023 was 9."
    );
    assert_eq!(schema.relation(&iri).statement_for("zh").source, "{s}的expense是{o}。");
}

#[test]
fn escaped_words_stand_as_they_are() {
    for words in ["", "{s}", "a ]] b", "[[[", "}{"] {
        let wording = Wording::parse("", &format!("{}{{s}}", escape(words))).unwrap();
        assert_eq!(wording.question("", &none), words);
    }
}
