//! The calibration set: countries that nobody has heard of, questions about them, and the plans that become of these in the same way
//! as of anybody's.

use crate::{
    EngineError,
    fusion::{
        AttentionPlan, Prompt,
        plan::{self, Compiler},
    },
    model::LanguageModel,
    question::{Reader, read::Meanings},
    represent::Shelf,
};
use factmask_graph::{Entity, Fact, FactId, Number, Snapshot, Statement, Value};
use factmask_schema::{Iri, Schema, Text};
use std::sync::Arc;

const SCHEMA: &str = include_str!("calibration.ttl");

/// Class, name in English, which is also the end of the IRI, and name in Chinese.
const ENTITIES: [(&str, &str, &str); 17] = [
    ("Country", "Freedonia", "弗里多尼亚"),
    ("Country", "Zembria", "泽姆布里亚"),
    ("Country", "Ostrava Minor", "小奥斯特"),
    ("Person", "Ada Linden", "林阿达"),
    ("Person", "Boris Hale", "赫博里"),
    ("Person", "Carla Voss", "沃卡拉"),
    ("Person", "Dora Quill", "奎朵拉"),
    ("Person", "Emil Thorn", "索恩米"),
    ("Person", "Fay Osgood", "欧菲"),
    ("City", "Marxville", "马克斯维尔"),
    ("City", "Tealport", "蓝港"),
    ("City", "Greenhaven", "绿湾"),
    ("City", "Onhava", "昂哈瓦"),
    ("City", "Silverton", "银城"),
    ("City", "Duckburg", "鸭堡"),
    ("City", "Port Ivory", "象牙港"),
    ("City", "Redmoor", "红泽"),
];

/// Subject, relation, object: an entity's name or a number.
const FACTS: [(&str, &str, &str); 24] = [
    ("Freedonia", "capital", "Marxville"),
    ("Freedonia", "largestPort", "Tealport"),
    ("Freedonia", "president", "Ada Linden"),
    ("Freedonia", "population", "4210000"),
    ("Freedonia", "area", "31800"),
    ("Zembria", "capital", "Greenhaven"),
    ("Zembria", "largestPort", "Port Ivory"),
    ("Zembria", "president", "Boris Hale"),
    ("Zembria", "population", "731000"),
    ("Zembria", "area", "9450"),
    ("Ostrava Minor", "capital", "Onhava"),
    ("Ostrava Minor", "largestPort", "Silverton"),
    ("Ostrava Minor", "president", "Carla Voss"),
    ("Ostrava Minor", "population", "12900000"),
    ("Ostrava Minor", "area", "207000"),
    ("Ada Linden", "birthplace", "Greenhaven"),
    ("Ada Linden", "home", "Duckburg"),
    ("Boris Hale", "birthplace", "Silverton"),
    ("Boris Hale", "home", "Redmoor"),
    ("Carla Voss", "birthplace", "Marxville"),
    ("Carla Voss", "home", "Port Ivory"),
    ("Marxville", "mayor", "Dora Quill"),
    ("Greenhaven", "mayor", "Emil Thorn"),
    ("Onhava", "mayor", "Fay Osgood"),
];

/// Language and question. All but one are of two steps and so have two cards in view: a single card is read alike both ways, to the last
/// bit, and the question about one only shows that this is so.
const QUESTIONS: [(&str, &str); 14] = [
    ("en", "What is the capital of Freedonia?"),
    ("en", "What is the birthplace of the president of Freedonia?"),
    ("en", "What is the birthplace of the president of Zembria?"),
    ("en", "What is the birthplace of the president of Ostrava Minor?"),
    ("en", "Where is the home of the president of Freedonia?"),
    ("en", "Where is the home of the president of Zembria?"),
    ("en", "Where is the home of the president of Ostrava Minor?"),
    ("en", "Who is the mayor of the capital of Freedonia?"),
    ("en", "Who is the mayor of the capital of Zembria?"),
    ("en", "Who is the mayor of the capital of Ostrava Minor?"),
    ("zh", "弗里多尼亚的总统的出生地是哪里？"),
    ("zh", "泽姆布里亚的总统的出生地是哪里？"),
    ("zh", "小奥斯特的总统的住所在哪里？"),
    ("zh", "泽姆布里亚的首都的市长是谁？"),
];

/// The plans of the questions in the languages that `reads` says the model reads.
///
/// # Errors
/// What the tokenizer refuses.
pub(super) fn plans(model: &LanguageModel, reads: impl Fn(&str) -> bool) -> Result<Vec<AttentionPlan>, EngineError> {
    let snapshot = Arc::new(snapshot());
    let reader = Reader::new(snapshot.clone(), Arc::new(Shelf::new(None)))?;
    let mut plans = Vec::new();
    for (lang, question) in QUESTIONS.into_iter().filter(|(lang, _)| reads(lang)) {
        let prompt = Prompt::new(model, lang)?;
        let compiler = Compiler { snapshot: &snapshot, tokenizer: model.tokenizer(), prompt: &prompt };
        let reading = reader.read(question, Some(lang), &Meanings::new(), None)?;
        let best = reading.candidates.iter().find(|candidate| !candidate.found.trails.is_empty());
        let Some(best) = best else { continue };
        plans.extend(compiler.compile(&reading, &plan::in_view(&reading, best), question)?);
    }
    Ok(plans)
}

/// A schema of ours that had a fault would leave nothing to ask; a test sees to it that it has none.
fn snapshot() -> Snapshot {
    let schema = Schema::parse(SCHEMA, "calibration.ttl").unwrap_or_default();
    let entity = |(class, name, chinese): (&str, &str, &str)| Entity {
        iri: iri(name),
        classes: vec![iri(class)],
        labels: vec![Text::new("en", name), Text::new("zh", chinese)],
        aliases: Vec::new(),
    };
    let fact = |(subject, relation, object): (&str, &str, &str)| {
        let object = Number::parse_plain(object).map_or_else(|| Value::Entity(iri(object)), Value::Number);
        let statement = Statement::new(iri(subject), iri(relation), object, Vec::new());
        Fact { id: FactId::of(&statement), statement, evidence: Vec::new() }
    };
    Snapshot::build(1, schema, ENTITIES.map(entity).to_vec(), FACTS.map(fact).to_vec())
}

fn iri(name: &str) -> Iri {
    Iri::new_unchecked(format!("urn:factmask:calibration#{}", name.replace(' ', "_")))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
    use super::*;
    use crate::testing;

    #[test]
    fn every_question_becomes_a_plan_about_what_it_asks_for() {
        Schema::parse(SCHEMA, "calibration.ttl").unwrap();
        let model = testing::smollm2();
        let plans = plans(&model, |_| true).unwrap();
        assert_eq!(plans.len(), QUESTIONS.len());
        let several = plans.iter().filter(|plan| plan.cards.len() > 1).count();
        assert!(several >= 13, "{several} have several cards in view");
        assert!(plans.iter().all(|plan| plan.answers.len() > 2));
    }
}
