//! "The capital of Rome": Rome has none, it is one. A question that says what its topic *has* is no question for what has the topic.

use crate::question::path::Path;
use factmask_schema::{Schema, Text, normal};
use std::ops::Range;

/// What belongs to a name and stands behind it, in English.
const OWNS: &[&str] = &["'s ", "' ", " 's "];

/// The name of the relation that a question says its topic has, where the path leads from the topic against that relation.
pub fn turned(schema: &Schema, path: &Path, folded: &str, topic: &Range<usize>, lang: &str) -> Option<String> {
    let first = path.steps.first()?;
    let own = schema.relation(&first.relation);
    let against = match (first.forward, &own.inverse) {
        _ if own.symmetric => return None,
        (false, _) => &first.relation,
        (true, Some(inverse)) => inverse,
        (true, None) => return None,
    };
    let relation = schema.relation(against);
    let names = |labels: &[Text], aliases: &[Text]| -> Vec<String> {
        let spoken = labels.iter().chain(aliases).filter(|name| Text::same_language(&name.lang, lang));
        spoken.map(|name| normal::fold(&name.text)).filter(|name| !name.is_empty()).collect()
    };
    let said = if first.forward { names(&own.labels, &own.aliases) } else { Vec::new() };
    let (before, behind) = (folded.get(..topic.start)?, folded.get(topic.end..)?);
    let owned = |name: &String| match lang {
        "zh" => behind.strip_prefix('的').is_some_and(|rest| rest.starts_with(name.as_str())),
        _ => {
            let of = before.trim_end().trim_end_matches(" the").trim_end();
            let of = of.strip_suffix(" of").unwrap_or_default();
            let behind = OWNS.iter().find_map(|owns| behind.strip_prefix(owns)).unwrap_or_default();
            ends_with_word(of, name) || starts_with_word(behind, name)
        }
    };
    names(&relation.labels, &relation.aliases).into_iter().filter(|name| !said.contains(name)).find(owned)
}

/// Whether a text ends with a name, in the singular or plural.
fn ends_with_word(text: &str, name: &str) -> bool {
    let ends = |text: &str| text.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with(' '));
    ends(text) || text.strip_suffix('s').is_some_and(ends)
}

fn starts_with_word(text: &str, name: &str) -> bool {
    let rest = text.strip_prefix(name);
    let rest = rest.map(|rest| rest.strip_prefix('s').unwrap_or(rest));
    rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
    use super::*;
    use crate::question::path::Step;
    use factmask_graph::EntityId;
    use factmask_schema::Iri;

    const SCHEMA: &str = r#"
@prefix ex: <http://e/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
ex:capital a rdf:Property ; rdfs:range rdfs:Resource ; rdfs:label "capital"@en , "首府"@zh ; skos:altLabel "首都"@zh .
ex:capitalOf a rdf:Property ; rdfs:range rdfs:Resource ; rdfs:label "capital of"@en ; owl:inverseOf ex:capital .
ex:spouse a rdf:Property , owl:SymmetricProperty ; rdfs:range rdfs:Resource ; rdfs:label "spouse"@en .
"#;

    #[test]
    fn who_has_what() {
        let schema = Schema::parse(SCHEMA, "test.ttl").unwrap();
        for (question, name, relation, forward, expected) in [
            ("What is the capital of Rome?", "rome", "capital", false, Some("capital")),
            ("What is the capital of Rome?", "rome", "capitalOf", true, Some("capital")),
            ("What is Rome's capital?", "rome", "capital", false, Some("capital")),
            ("What are the capitals of the Rome?", "rome", "capital", false, Some("capital")),
            ("What is the capital of Italy?", "italy", "capital", true, None),
            ("Rome is the capital of what?", "rome", "capital", false, None),
            ("Who is the spouse of Ann?", "ann", "spouse", false, None),
            ("What is Rome's capitalization?", "rome", "capital", false, None),
            ("罗马的首都是哪里？", "罗马", "capital", false, Some("首都")),
            ("罗马是哪里的首都？", "罗马", "capital", false, None),
        ] {
            let folded = normal::fold(question);
            let start = folded.find(name).unwrap();
            let step = Step { relation: Iri::new(format!("http://e/{relation}")).unwrap(), forward };
            let path = Path { topic: EntityId(0), steps: vec![step] };
            let lang = crate::question::language::detect(question);
            let found = turned(&schema, &path, &folded, &(start..start + name.len()), lang);
            assert_eq!(found.as_deref(), expected, "{question} {relation} {forward}");
        }
    }
}
