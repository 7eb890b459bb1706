//! Puts answers, choices and explanations into words for people.

mod apart;
mod mask;
mod sentence;

pub(crate) use mask::Shown;

use crate::{
    answer::{Answer, Explanation, PathScore, PathView, Status},
    question::{
        Reading,
        path::{self, Path},
        read::Candidate,
        words,
    },
};
use factmask_graph::{EntityId, Snapshot, Value};
use factmask_schema::Functional;
use std::collections::{BTreeMap, BTreeSet};

/// Puts things into words for people.
pub(crate) struct Speaker<'a> {
    /// The facts.
    pub snapshot: &'a Snapshot,
    /// `en` or `zh`.
    pub lang: &'a str,
}

impl Speaker<'_> {
    pub fn text(&self, answer: &Answer) -> String {
        let chinese = self.lang == "zh";
        match answer.status {
            Status::Answered => {
                let said: Vec<String> =
                    answer.values.iter().map(|value| self.snapshot.said(value, self.lang)).collect();
                said.join(if chinese { "、" } else { ", " })
            }
            Status::FromText => answer.text.clone(),
            Status::NotInKb if chinese => "知识库中没有答案。".to_owned(),
            Status::NotInKb => "Not in the knowledge base.".to_owned(),
            Status::Ambiguous if answer.choices.len() == 1 => {
                let only = answer.choices.concat();
                if chinese { format!("您是指{only}吗？") } else { format!("Did you mean {only}?") }
            }
            Status::Ambiguous if chinese => format!("请说明指的是：{}", answer.choices.join("；")),
            Status::Ambiguous => format!("Which is meant: {}?", answer.choices.join("; ")),
        }
    }

    /// What the question could mean when its words do not say: several years of one relation, or several bearers of one name.
    pub fn choices(&self, reading: &Reading, best: &Candidate) -> Vec<String> {
        let groups = path::by_qualifiers(self.snapshot, &best.found, self.lang);
        if groups.len() > 1 {
            let distinct: Vec<Vec<&Value>> =
                groups.values().map(|trails| trails.iter().map(|trail| &trail.value).collect()).collect();
            if distinct.windows(2).any(|pair| pair[0] != pair[1]) {
                let name = self.snapshot.name(best.path.topic, self.lang);
                let choice = |qualifiers: String| {
                    if qualifiers.is_empty() { name.to_owned() } else { format!("{name} ({qualifiers})") }
                };
                return groups.into_keys().map(choice).collect();
            }
        }
        if let Some(conflict) = self.conflict(best) {
            return conflict;
        }
        let mut bearers: BTreeMap<_, &Candidate> = BTreeMap::new();
        for other in &reading.candidates {
            // Likeness of words says nothing of who is meant: the question must name the class, or something else that is tied to one.
            let told = self.names_class_of(reading, best.path.topic) && !self.names_class_of(reading, other.path.topic);
            let rival = !told
                && other.unused_names <= best.unused_names
                && other.path.steps == best.path.steps
                && !other.found.trails.is_empty()
                && reading.mentions.iter().any(|mention| {
                    mention.entities.contains(&other.path.topic) && mention.entities.contains(&best.path.topic)
                });
            if rival {
                bearers.insert(other.path.topic, other);
            }
        }
        if bearers.values().any(|other| other.found.values() != best.found.values()) {
            return self.told_apart(&bearers.into_keys().collect::<Vec<_>>());
        }
        Vec::new()
    }

    /// Whether the question has the name of an entity's class.
    fn names_class_of(&self, reading: &Reading, entity: EntityId) -> bool {
        let schema = self.snapshot.schema();
        let classes = self.snapshot.entity(entity).classes.iter().flat_map(|class| schema.with_ancestors(class));
        let classes = classes.filter_map(|class| schema.classes.get(class));
        let mut names = classes.flat_map(|class| class.labels.iter().chain(&class.aliases));
        let said = words::units(&reading.folded);
        names.any(|name| words::units(&name.text).is_subset(&said))
    }

    pub fn explain_reading(&self, reading: &Reading) -> Explanation {
        let links = reading.mentions.iter().map(|mention| {
            let names: Vec<&str> = mention.entities.iter().map(|id| self.snapshot.entity(*id).iri.as_str()).collect();
            format!("{} → {}", &reading.folded[mention.span.clone()], names.join(" | "))
        });
        let paths = reading
            .candidates
            .iter()
            .take(8)
            .map(|candidate| PathScore { path: self.path(&candidate.path), score: candidate.score });
        Explanation { links: links.collect(), paths: paths.collect(), ..Explanation::default() }
    }

    /// The values of a relation that has one value only, each with the documents that state it, when they disagree.
    fn conflict(&self, best: &Candidate) -> Option<Vec<String>> {
        let (step, values) = (best.path.steps.last()?, best.found.values());
        let relation = self.snapshot.schema().relations.get(&step.relation)?;
        if !step.forward || best.path.steps.len() > 1 || relation.functional == Functional::No || values.len() < 2 {
            return None;
        }
        let stated = |value: &Value| {
            let trails = best.found.trails.iter().filter(|trail| trail.value == *value);
            let facts = trails.flat_map(|trail| &trail.facts).filter_map(|id| self.snapshot.fact(*id));
            let documents: BTreeSet<&str> =
                facts.flat_map(|fact| &fact.evidence).map(|evidence| evidence.document.as_str()).collect();
            let documents: Vec<&str> = documents.into_iter().collect();
            format!("{} ({})", self.snapshot.said(value, self.lang), documents.join(", "))
        };
        Some(values.iter().map(stated).collect())
    }

    /// The paths in view with the probability that their words give them.
    pub fn view(&self, view: &[&Candidate], words: &[f32]) -> Vec<PathView> {
        let pairs = view.iter().zip(words).map(|(candidate, words)| PathView {
            path: self.path(&candidate.path),
            proposed: candidate.found.values().iter().map(|value| self.snapshot.said(value, self.lang)).collect(),
            fit: candidate.score,
            account: candidate.account,
            words: *words,
            likeness: None,
        });
        pairs.collect()
    }

    fn path(&self, path: &Path) -> String {
        let schema = self.snapshot.schema();
        let mut said = self.snapshot.name(path.topic, self.lang).to_owned();
        for step in &path.steps {
            let relation = schema.relation(&step.relation);
            let label = relation.label(self.lang);
            said += &if step.forward { format!(" → {label}") } else { format!(" ← {label}") };
        }
        said
    }
}
