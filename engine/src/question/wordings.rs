//! How a path would be asked for: sentences made from the schema's wordings, with the topic's class in its place.
//!
//! The same is done to the question ("How much did company spend on research?"), so that question and wordings are compared
//! without the names in them, and the wordings can be embedded once for all topics of a class.

use super::{
    path::{Path, Step},
    words,
};
use factmask_graph::Snapshot;
use factmask_schema::{Iri, Range, Relation, Schema, Text};
use std::collections::BTreeSet;

/// No qualifier is said: optional parts of a wording fall away.
fn none(_: &str) -> Option<String> {
    None
}

/// The word that stands for an entity: the label of its first class, else "it" in the language.
pub fn class_word(schema: &Schema, classes: &[Iri], lang: &str) -> String {
    class_name(schema, classes, lang).unwrap_or(if lang == "zh" { "它" } else { "it" }).to_owned()
}

/// The label of the first class that has one.
fn class_name<'a>(schema: &'a Schema, classes: &[Iri], lang: &str) -> Option<&'a str> {
    let classes = classes.iter().filter_map(|class| schema.classes.get(class));
    classes.filter_map(|class| Text::pick(&class.labels, lang)).map(|label| label.text.as_str()).next()
}

/// How the subjects of a relation are asked for: "which company", and "what" where their class has no name.
fn asked_subject(schema: &Schema, relation: &Relation, lang: &str) -> String {
    match (class_name(schema, relation.domain.as_slice(), lang), lang) {
        (Some(who), "zh") => format!("哪个{who}"),
        (Some(who), _) => format!("which {who}"),
        (None, "zh") => "什么".to_owned(),
        (None, _) => "what".to_owned(),
    }
}

/// The sentences that would ask for a path, best first, in one language; for a path of three steps one for each step.
pub fn of_path(snapshot: &Snapshot, path: &Path, lang: &str) -> Vec<String> {
    let schema = snapshot.schema();
    let topic = class_word(schema, &snapshot.entity(path.topic).classes, lang);
    match path.steps.as_slice() {
        [only] => of_step(schema, only, &topic, lang, usize::MAX),
        [first, second] => of_step(schema, second, &noun_phrase(schema, first, &topic, lang), lang, 3),
        // There are too many longer paths to read a sentence for each: one for each step is read once for all.
        steps => steps.iter().flat_map(|step| of_step(schema, step, &topic, lang, 1)).collect(),
    }
}

/// The sentences that ask for one step of any relation, either way, with the class that the relation names in the topic's place.
pub fn of_schema(schema: &Schema, lang: &str) -> Vec<String> {
    let mut sentences = Vec::new();
    for (iri, relation) in &schema.relations {
        let ends = match &relation.range {
            Range::Entity(class) => vec![(true, relation.domain.as_ref()), (false, class.as_ref())],
            Range::Value(_) => vec![(true, relation.domain.as_ref())],
        };
        for (forward, class) in ends {
            let topic = class_word(schema, class.map_or(&[], std::slice::from_ref), lang);
            sentences.extend(of_step(schema, &Step { relation: iri.clone(), forward }, &topic, lang, usize::MAX));
        }
    }
    sentences
}

/// What the schema calls a step: the names of its relation, of the inverse, and of the class that it leads to.
pub fn names(schema: &Schema, step: &Step, lang: &str) -> Vec<String> {
    let relation = schema.relation(&step.relation);
    let inverse = relation.inverse.as_ref().map(|inverse| schema.relation(inverse));
    let class = step.class_reached(schema).and_then(|class| schema.classes.get(class));
    let mut said = vec![relation.label(lang).into_owned()];
    let own = relation.labels.iter().chain(&relation.aliases);
    let inverse = inverse.iter().flat_map(|inverse| inverse.labels.iter().chain(&inverse.aliases));
    let class = class.into_iter().flat_map(|class| class.labels.iter().chain(&class.aliases));
    let names = own.chain(inverse).chain(class).filter(|name| Text::same_language(&name.lang, lang));
    said.extend(names.map(|name| name.text.clone()));
    said
}

/// Everything that is ever said of a path's relations and the classes they connect, as content units.
pub fn vocabulary(schema: &Schema, path: &Path, lang: &str) -> BTreeSet<String> {
    let mut said: Vec<String> = Vec::new();
    let inverse = |step: &Step| schema.relations.get(&step.relation).and_then(|relation| relation.inverse.clone());
    let inverses = path.steps.iter().filter_map(inverse);
    for relation in path.steps.iter().map(|step| step.relation.clone()).chain(inverses) {
        let relation = schema.relation(&relation);
        let range = match &relation.range {
            Range::Entity(class) => class.as_ref(),
            Range::Value(_) => None,
        };
        let names = relation.labels.iter().chain(&relation.aliases);
        let classes = relation.domain.iter().chain(range).filter_map(|class| schema.classes.get(class));
        let names = names.chain(classes.flat_map(|class| class.labels.iter().chain(&class.aliases)));
        said.extend(names.filter(|name| Text::same_language(&name.lang, lang)).map(|name| name.text.clone()));
        said.push(relation.label(lang).into_owned());
        let wordings = relation.questions.iter().chain(&relation.statements);
        let wordings = wordings.filter(|wording| Text::same_language(&wording.lang, lang));
        said.extend(wordings.flat_map(|wording| wording.literals().map(str::to_owned)));
        // Also what is only said of the qualifiers: "fiscal year".
        said.extend(schema.qualifiers.values().map(|qualifier| qualifier.label(lang).into_owned()));
    }
    said.iter().flat_map(|words| words::units(words)).collect()
}

/// Whether the schema has a name in a language for the class of what a step leads to; a value needs none.
pub fn names_end(schema: &Schema, step: &Step, lang: &str) -> bool {
    let value = step.forward && matches!(schema.relation(&step.relation).range, Range::Value(_));
    let class = step.class_reached(schema).and_then(|class| schema.classes.get(class));
    value || class.is_some_and(|class| class.labels.iter().any(|label| Text::same_language(&label.lang, lang)))
}

/// The sentences that would ask for one step from a subject, in one language.
pub fn of_step(schema: &Schema, step: &Step, subject: &str, lang: &str, at_most: usize) -> Vec<String> {
    let relation = schema.relation(&step.relation);
    let mut sentences = Vec::new();
    if step.forward {
        sentences.extend(
            relation
                .questions
                .iter()
                .filter(|wording| Text::same_language(&wording.lang, lang))
                .map(|wording| wording.question(subject, &none)),
        );
        sentences.push(label_of(&relation.label(lang), subject, lang));
        sentences.extend(
            relation
                .aliases
                .iter()
                .filter(|alias| Text::same_language(&alias.lang, lang))
                .map(|alias| label_of(&alias.text, subject, lang)),
        );
    } else {
        let asked = asked_subject(schema, &relation, lang);
        sentences.extend(
            relation
                .statements
                .iter()
                .filter(|wording| Text::same_language(&wording.lang, lang))
                .map(|wording| wording.statement(&asked, subject, &none)),
        );
        if sentences.is_empty() {
            sentences.push(relation.statement_for(lang).statement(&asked, subject, &none));
        }
    }
    sentences.truncate(at_most);
    sentences
}

/// "capital of Freedonia": the plainest way to ask for a relation; of "parent of" it is "what Ann is parent of".
pub fn label_of(label: &str, subject: &str, lang: &str) -> String {
    if lang == "zh" {
        format!("{subject}的{label}")
    } else if label.ends_with(" of") {
        format!("what {subject} is {label}")
    } else {
        format!("{label} of {subject}")
    }
}

/// "the headquarters of company"; backwards "the drug that targets gene".
fn noun_phrase(schema: &Schema, step: &Step, topic: &str, lang: &str) -> String {
    let relation = schema.relation(&step.relation);
    if step.forward {
        let what = match &relation.range {
            Range::Entity(Some(class)) => class_word(schema, std::slice::from_ref(class), lang),
            _ => relation.label(lang).to_string(),
        };
        let label = relation.label(lang).to_string();
        return if lang == "zh" {
            format!("{topic}的{label}")
        } else if label.ends_with(" of") {
            label_of(&label, topic, lang)
        } else if label.contains(&what) {
            format!("the {label} of {topic}")
        } else {
            format!("the {what} that is {label} of {topic}")
        };
    }
    let name = class_name(schema, relation.domain.as_slice(), lang);
    let who = name.unwrap_or("东西");
    let subject = match (name, lang) {
        (_, "zh") => who.to_owned(),
        (Some(who), _) => format!("the {who} that"),
        (None, _) => "what".to_owned(),
    };
    let said = relation.statement_for(lang).statement(&subject, topic, &none);
    let said = said.trim_end_matches(['.', '。', ' ']);
    if lang == "zh" { format!("{said}的{who}") } else { said.to_owned() }
}
