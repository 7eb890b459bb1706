//! Rules as shapes.

use super::super::write::{Writer, texts};
use crate::vocabulary::*;
use crate::{Class, Iri, Rule};
use oxrdf::{Literal, Term};
use std::collections::BTreeMap;

/// One subject: its types, and its properties with their values, in order.
type Block<'a> = (&'a Iri, Vec<String>, Vec<(&'a str, Vec<String>)>);

/// The shapes of a class that are not called as it is, and the property shapes that have names; what is said of the class itself is added
/// to `own`.
pub(crate) fn block<'a>(
    writer: &Writer<'_>,
    class: &'a Class,
    own: &mut Vec<(&'a str, Vec<String>)>,
) -> Vec<Block<'a>> {
    let mut shapes: BTreeMap<Option<&Iri>, Vec<&Rule>> = BTreeMap::new();
    for rule in &class.rules {
        shapes.entry(rule.shape.as_ref()).or_default().push(rule);
    }
    if class.closed && shapes.len() > 1 {
        // One shape alone can say what all of its properties are.
        shapes = [(None, class.rules.iter().collect())].into();
    }
    if shapes.is_empty() {
        shapes.insert(None, Vec::new());
    }
    let mut blocks: Vec<Block<'a>> = Vec::new();
    for (shape, rules) in shapes {
        let mut said: Vec<(&str, Vec<String>)> = Vec::new();
        if shape.is_some() {
            said.push((SH_TARGET_CLASS, vec![writer.iri(&class.iri)]));
        }
        if class.closed {
            said.push((SH_CLOSED, vec!["true".to_owned()]));
            said.push((SH_IGNORED_PROPERTIES, vec![format!("( {} )", writer.term(RDF_TYPE))]));
        }
        let node = |rule: &&Rule| rule.iri.as_ref().map_or_else(|| blank(writer, rule), |iri| writer.iri(iri));
        said.push((SH_PROPERTY, rules.iter().map(node).collect()));
        match shape {
            None => own.append(&mut said),
            Some(iri) => blocks.push((iri, vec![writer.term(SH_NODE_SHAPE)], said)),
        }
        let named = rules.into_iter().filter_map(|rule| Some((rule.iri.as_ref()?, rule)));
        blocks.extend(named.map(|(iri, rule)| (iri, Vec::new(), properties(writer, rule))));
    }
    blocks
}

/// A rule that has no name, in brackets, a property a line.
fn blank(writer: &Writer<'_>, rule: &Rule) -> String {
    let lines: Vec<String> = properties(writer, rule)
        .into_iter()
        .filter(|(_, values)| !values.is_empty())
        .map(|(property, values)| format!("\n            {} {}", writer.term(property), values.join(", ")))
        .collect();
    format!("[{}\n        ]", lines.join(" ;"))
}

fn properties<'a>(writer: &Writer<'_>, rule: &'a Rule) -> Vec<(&'a str, Vec<String>)> {
    let relation = writer.iri(&rule.relation);
    let path = if rule.inverse { format!("[ {} {relation} ]", writer.term(SH_INVERSE_PATH)) } else { relation };
    let iri = |iri: &Option<Iri>| iri.iter().map(|iri| writer.iri(iri)).collect::<Vec<_>>();
    let number = |count: Option<u64>| count.map(|count| count.to_string()).into_iter().collect::<Vec<_>>();
    let words = |words: &Option<String>| words.iter().map(|words| Literal::from(words.as_str()).to_string()).collect();
    let bound = |literal: &Option<Literal>| literal.iter().map(|literal| writer.literal(literal)).collect::<Vec<_>>();
    let list =
        |members: Vec<String>| if members.is_empty() { Vec::new() } else { vec![format!("( {} )", members.join(" "))] };
    let named = |local: Option<&str>| local.map(|local| writer.term(&format!("{SH}{local}"))).into_iter().collect();
    let terms = |terms: &[Term]| terms.iter().map(|term| writer.value(term)).collect::<Vec<_>>();
    let tags = rule.language_in.iter().map(|tag| Literal::from(tag.as_str()).to_string()).collect();
    let mut said = vec![
        (SH_PATH, vec![path]),
        (SH_MIN_COUNT, number(rule.min_count)),
        (SH_MAX_COUNT, number(rule.max_count)),
        (SH_CLASS, iri(&rule.class)),
        (SH_DATATYPE, iri(&rule.datatype)),
        (SH_NODE_KIND, named(rule.node_kind.map(|kind| kind.local_name()))),
        (SH_PATTERN, words(&rule.pattern)),
        (SH_FLAGS, words(&rule.flags)),
        (SH_MIN_LENGTH, number(rule.min_length)),
        (SH_MAX_LENGTH, number(rule.max_length)),
        (SH_MIN_INCLUSIVE, bound(&rule.min_inclusive)),
        (SH_MAX_INCLUSIVE, bound(&rule.max_inclusive)),
        (SH_MIN_EXCLUSIVE, bound(&rule.min_exclusive)),
        (SH_MAX_EXCLUSIVE, bound(&rule.max_exclusive)),
        (SH_IN, list(terms(&rule.one_of))),
        (SH_HAS_VALUE, terms(&rule.has_value)),
        (SH_LANGUAGE_IN, list(tags)),
        (SH_UNIQUE_LANG, if rule.unique_lang { vec!["true".to_owned()] } else { Vec::new() }),
        (SH_SEVERITY, named(rule.severity.map(|severity| severity.local_name()))),
        (SH_MESSAGE, texts(&rule.message)),
    ];
    // A name may be said in several languages; each note stands for itself.
    said.extend(rule.notes.iter().map(|(property, value)| (property.as_str(), vec![writer.value(value)])));
    said
}
