//! Questions over a counterfactual world, in the relations' own words and in other words.

use super::{
    counterfactual::{Askable, World},
    random::Random,
};
use factmask_engine::question::wordings;
use factmask_schema::{Iri, Schema, Text};
use serde::Serialize;
use std::collections::BTreeMap;

/// In whose words a question is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    /// The relation's label: "What is the capital of Freedonia?"
    OwnWords,
    /// A wording that the ranker has never seen.
    OtherWords,
}

/// One question.
#[derive(Clone, Debug)]
pub struct Case {
    /// The fact that it asks for.
    pub gold: Askable,
    /// The question.
    pub question: String,
    /// In whose words.
    pub style: Style,
}

/// Draws questions: relations in turn, both styles in turn, facts and wordings at random.
pub fn draw(world: &World, other_words: &Schema, lang: &str, count: usize, random: &mut Random) -> Vec<Case> {
    let mut by_relation: BTreeMap<Iri, Vec<Askable>> = BTreeMap::new();
    for askable in world.askable(other_words, lang) {
        by_relation.entry(askable.statement.relation.clone()).or_default().push(askable);
    }
    for facts in by_relation.values_mut() {
        random.shuffle(facts);
    }
    let mut cases = Vec::new();
    let mut round = 0;
    while cases.len() < count && by_relation.values().any(|facts| round < facts.len()) {
        for (relation, facts) in &by_relation {
            let Some(gold) = facts.get(round).filter(|_| cases.len() < count) else { continue };
            let style = if cases.len() % 2 == 0 { Style::OwnWords } else { Style::OtherWords };
            if let Some(question) = question(world, other_words, relation, gold, style, lang, random) {
                cases.push(Case { gold: gold.clone(), question, style });
            }
        }
        round += 1;
    }
    cases
}

fn question(
    world: &World,
    other_words: &Schema,
    relation: &Iri,
    gold: &Askable,
    style: Style,
    lang: &str,
    random: &mut Random,
) -> Option<String> {
    let entity = world.entities.iter().find(|entity| entity.iri == gold.statement.subject)?;
    let subject = &Text::pick(&entity.labels, lang)?.text;
    let qualifier = |slot: &str| {
        let (_, value) =
            gold.statement.qualifiers.iter().find(|(iri, _)| factmask_schema::local_name(iri.as_str()) == slot)?;
        Some(value.said(lang, &|iri| iri.as_str().to_owned()))
    };
    if style == Style::OtherWords {
        let questions = &other_words.relations.get(relation)?.questions;
        let own: Vec<_> = questions.iter().filter(|wording| Text::same_language(&wording.lang, lang)).collect();
        return Some(own.get(random.below(own.len()))?.question(subject, &qualifier));
    }
    // The label asks in the plainest way; qualifiers are added as the schema calls them.
    let relation = world.schema.relation(relation);
    let mut asked = wordings::label_of(&relation.label(lang), subject, lang);
    for (iri, value) in &gold.statement.qualifiers {
        let name = world.schema.qualifiers.get(iri)?.label(lang).into_owned();
        let value = value.said(lang, &|iri| iri.as_str().to_owned());
        asked += &if lang == "zh" { format!("（{name}{value}）") } else { format!(" in {name} {value}") };
    }
    Some(if lang == "zh" { format!("{asked}是什么？") } else { format!("What is the {asked}?") })
}
