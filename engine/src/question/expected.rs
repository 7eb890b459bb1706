//! The kind of answer that a question's words call for: somebody, a time, a place, yes or no, a thing of a class.

use factmask_graph::{Entity, Snapshot, Value};
use factmask_schema::{Iri, Schema, Text, normal};

/// The kind of value that a question word calls for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Nothing in the question says.
    Anything,
    /// "When", "which year".
    Time,
    /// "How many", "how much".
    Quantity,
    /// "Who".
    Someone,
}

impl Expected {
    /// Whether values can be what is asked for: a date is nobody, and a thing whose name has no digit is no time.
    pub fn admits(self, values: &[Value]) -> bool {
        let can = |value: &Value| match (self, value) {
            (Self::Anything, _) => true,
            (Self::Quantity, value) => !matches!(value, Value::Date(_) | Value::Boolean(_)),
            (Self::Someone, value) => matches!(value, Value::Entity(_) | Value::Text { .. }),
            (Self::Time, Value::Entity(iri)) => Entity::name_in(iri).contains(|c: char| c.is_numeric()),
            (Self::Time, value) => !matches!(value, Value::Boolean(_)),
        };
        values.iter().all(can)
    }
}

/// What a folded question calls for.
pub fn of(folded: &str) -> Expected {
    const CUES: &[(Expected, &[&str])] = &[
        (Expected::Time, &["when ", "which year", "what year", "what date", "哪年", "哪一年", "何时", "什么时候"]),
        (
            Expected::Quantity,
            &[
                "how many",
                "how much",
                "how large",
                "how big",
                "how old",
                "how tall",
                "how long",
                "how high",
                "how deep",
                "how far",
                "多少",
                "几个",
                "多大",
                "多高",
                "多长",
                "多深",
                "几岁",
            ],
        ),
        (Expected::Someone, &["who ", "who's", "whom", "谁"]),
    ];
    CUES.iter()
        .find(|(_, cues)| cues.iter().any(|cue| folded.contains(cue)))
        .map_or(Expected::Anything, |(expected, _)| *expected)
}

/// Whether values can be where something is; a figure, a date and a truth value cannot.
pub fn admits_where(folded: &str, values: &[Value]) -> bool {
    const CUES: &[&str] = &["哪里", "哪儿", "什么地方", "何处", "何地", "在哪"];
    // "在哪一年" asks for no place.
    const OTHERS: &[&str] = &["在哪一", "在哪年", "在哪天", "在哪个月"];
    let asked = folded.split(|c: char| !c.is_alphanumeric()).any(|word| word == "where")
        || (CUES.iter().any(|cue| folded.contains(cue)) && !OTHERS.iter().any(|other| folded.contains(other)));
    !asked || values.iter().all(|value| matches!(value, Value::Entity(_) | Value::Text { .. }))
}

/// Whether a folded question asks for a yes or no.
pub fn asks_whether(folded: &str) -> bool {
    const BEGINNINGS: &[&str] = &[
        "is", "are", "was", "were", "am", "do", "does", "did", "has", "have", "had", "will", "would", "can", "could",
        "should", "must", "isn", "aren", "wasn", "weren", "doesn", "don", "didn", "hasn", "haven",
    ];
    // What is asked of whoever answers is no such question: "can you tell me", "do you know".
    const POLITE: &[&str] = &["you", "i", "we", "anyone", "anybody", "someone", "there"];
    let mut words = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let begins = words.next().is_some_and(|word| BEGINNINGS.contains(&word));
    let polite = words.next().is_some_and(|word| POLITE.contains(&word));
    // "A man or a woman?"
    let choice = folded.split(|c: char| !c.is_alphanumeric()).any(|word| word == "or");
    let end = folded.trim_end_matches(|c: char| !c.is_alphanumeric());
    let chinese = ["吗", "么"].iter().any(|end_word| end.ends_with(end_word) && !end.ends_with("什么"))
        && !["知道", "告诉", "请问"].iter().any(|word| folded.contains(word));
    let whether = ["是不是", "是否", "有没有", "对不对"].iter().any(|word| folded.contains(word));
    (begins && !polite && !choice) || chinese || whether
}

/// Whether values can be of the class that a folded question asks for by name; what has no class can be of any.
pub fn admits_class(folded: &str, snapshot: &Snapshot, values: &[Value], lang: &str) -> bool {
    let schema = snapshot.schema();
    let Some(asked) = asked_class(folded, schema, lang) else { return true };
    let of_it = |iri: &Iri| {
        let classes = snapshot.find(iri).map_or(&[][..], |id| &snapshot.entity(id).classes);
        classes.is_empty() || classes.iter().any(|class| schema.is_a(class, &asked) || schema.is_a(&asked, class))
    };
    values.iter().filter_map(Value::as_entity).all(of_it)
}

/// The class that a folded question asks for by name ("which country", "哪个省"): the one whose name is the longest, since "state or
/// province" says more than "state". One word may stand between ("which US state").
pub fn asked_class(folded: &str, schema: &Schema, lang: &str) -> Option<Iri> {
    const CUES: &[&str] = &[
        "which ",
        "what ",
        "name the ",
        "name all ",
        "list the ",
        "list all ",
        "哪个",
        "哪座",
        "哪家",
        "哪种",
        "哪类",
        "哪一个",
        "哪些",
        "什么",
    ];
    let after_cue = |name: &str| {
        CUES.iter().any(|cue| {
            folded.match_indices(cue).any(|(at, _)| {
                let rest = &folded[at + cue.len()..];
                let skipped = rest.split_once(' ').map_or("", |(_, rest)| rest);
                starts_with_word(rest, name) || (cue.ends_with(' ') && starts_with_word(skipped, name))
            })
        })
    };
    schema
        .classes
        .values()
        .flat_map(|class| class.labels.iter().chain(&class.aliases).map(move |name| (class, name)))
        .filter(|(_, name)| Text::same_language(&name.lang, lang))
        .map(|(class, name)| (class, normal::fold(&name.text)))
        .filter(|(_, name)| !name.is_empty() && after_cue(name))
        .max_by_key(|(_, name)| name.len())
        .map(|(class, _)| class.iri.clone())
}

/// Whether a text starts with a name, in the singular or plural, that is not the beginning of a longer word.
fn starts_with_word(text: &str, name: &str) -> bool {
    let ends = |rest: &str| rest.chars().next().is_none_or(|next| !next.is_ascii_alphanumeric());
    let agencies = name.strip_suffix('y').and_then(|stem| text.strip_prefix(stem)?.strip_prefix("ies"));
    let plain = text.strip_prefix(name).map(|rest| rest.strip_prefix('s').unwrap_or(rest));
    plain.is_some_and(ends) || agencies.is_some_and(ends)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
    use super::{Expected, Iri, Value};
    use factmask_graph::Date;

    #[test]
    fn a_date_is_nobody_and_a_name_no_time() {
        let entity = |iri: &str| Value::Entity(Iri::new(iri).unwrap());
        let date = || Value::Date(Date::from_year(1948));
        let table = [
            (Expected::Someone, vec![date()], false),
            (Expected::Someone, vec![entity("urn:x:anna")], true),
            (Expected::Someone, vec![Value::text("Anna"), Value::Boolean(true)], false),
            (Expected::Time, vec![date()], true),
            (Expected::Time, vec![entity("urn:x:marxville")], false),
            (Expected::Time, vec![entity("urn:x:year%201948")], true),
            (Expected::Time, vec![Value::text("in spring")], true),
            (Expected::Anything, vec![date(), entity("urn:x:anna")], true),
            (Expected::Quantity, vec![], true),
            (Expected::Quantity, vec![date()], false),
        ];
        for (expected, values, admitted) in table {
            assert_eq!(expected.admits(&values), admitted, "{expected:?} {values:?}");
        }
    }

    #[test]
    fn what_asks_for_a_place_or_for_yes_and_no() {
        let date = [Value::Date(Date::from_year(1975))];
        assert!(!super::admits_where("where was it founded?", &date) && !super::admits_where("它在哪里成立?", &date));
        assert!(
            super::admits_where("它是在哪一年成立的?", &date) && super::admits_where("when was it founded?", &date)
        );
        assert!(super::admits_where("where is it?", &[Value::text("here")]));
        let whether = ["is it in ohio?", "does it have a seat in ohio", "它在北京吗?", "它是不是在北京?"];
        let plain = [
            "can you tell me where it is?",
            "who is it?",
            "请问你知道它在哪里吗?",
            "它是什么?",
            "is it a man or a woman?",
        ];
        assert!(whether.iter().all(|question| super::asks_whether(question)));
        plain.iter().for_each(|question| assert!(!super::asks_whether(question), "{question}"));
    }

    #[test]
    fn classes_asked_for() {
        let turtle = r#"@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix ex: <urn:x:> .
            ex:Country a rdfs:Class ; rdfs:label "country"@en , "国家"@zh .
            ex:State a rdfs:Class ; rdfs:label "state"@en , "省"@zh .
            ex:City a rdfs:Class ; rdfs:label "city"@en ."#;
        let schema = factmask_schema::Schema::parse(turtle, "test").unwrap();
        let table = [
            ("in which country is it?", "en", Some("urn:x:Country")),
            ("in which us state is it?", "en", Some("urn:x:State")),
            ("which states are there?", "en", Some("urn:x:State")),
            ("name the countries", "en", Some("urn:x:Country")),
            ("what cityscape is it?", "en", None),
            ("the country which has it", "en", None),
            ("它属于哪个省?", "zh", Some("urn:x:State")),
            ("", "en", None),
        ];
        for (question, lang, expected) in table {
            let found = super::asked_class(question, &schema, lang);
            assert_eq!(found.as_ref().map(|iri| iri.as_str()), expected, "{question}");
        }
    }
}
