//! The attention plan of one question: what it sees, what is emphasised, what may be answered, and why.

use super::{
    card::{Card, CardMaker},
    prompt,
};
use crate::{
    EngineError,
    decode::Trie,
    question::{
        Reading,
        path::{self, Path, Trail},
        read::Candidate,
    },
    tokens::Tokenizer,
};
use factmask_graph::{EntityId, Fact, FactId, Snapshot, Value};
use std::{
    collections::{BTreeMap, BTreeSet},
    mem::discriminant,
};

/// Paths that the plan keeps in view beside the best one, so that the model can speak against it.
pub const MOST_PATHS: usize = 4;
/// Cards in view; with more the question is about a hub and the graph's set answers.
pub const MOST_CARDS: usize = 6;
/// Values in the trie; beyond, the graph's set is the answer.
const MOST_ANSWERS: usize = 96;
/// The score of a wording that is the question itself, less what the encoder's rounding takes.
const WORD_FOR_WORD: f32 = 0.99;
/// A path that scores this much below the best is not worth a card.
const MARGIN: f32 = 0.25;
/// Nor is one that was learned to be less likely than this share of the best.
const LEAST_OF_BEST: f32 = 0.01;
/// Bias on the lines of the chosen path among few others. Of +1, +2 and +3 in the design's trials +2 helped most where the line was
/// right and harmed little where it was wrong.
const STRENGTH: f32 = 2.0;
/// Lines in view up to which that does.
const LINES: f32 = 16.0;

/// Bias on the lines of the chosen path among so many in view. Attention is shared out among all of them, so that a line's share stays
/// the same when the bias takes the logarithm of their number more.
pub fn emphasis(lines_in_view: usize) -> f32 {
    STRENGTH + (lines_in_view as f32 / LINES).max(1.0).ln()
}
/// How sharply path scores turn into probabilities.
const PATH_TEMPERATURE: f32 = 0.05;

/// A card in view.
#[derive(Clone, Debug)]
pub struct PlannedCard {
    /// The card.
    pub card: Card,
    /// Lines that must not be seen: their year contradicts the question.
    pub hidden: BTreeSet<usize>,
}

impl PlannedCard {
    /// Whether no line of it may be seen.
    pub fn is_hidden(&self) -> bool {
        (0..self.card.lines.len()).all(|line| self.hidden.contains(&line))
    }
}

/// What is made of one path in view once it is chosen: its lines are emphasised and the answer starts with its stem.
#[derive(Clone, Debug)]
pub struct Guide {
    /// Bias by fact, added to the attention logits of the keys of its lines; others stay as they are.
    pub emphasis: BTreeMap<FactId, f32>,
    /// What the answer is made to start with; empty for a path that ends in a subject.
    pub stem: Vec<u32>,
    /// The answers as tokens after the stem.
    pub after_stem: Trie,
}

/// A path's part in a plan, before it is made into tokens.
#[derive(Clone, Debug, Default)]
pub struct Guidance {
    /// Facts whose lines are emphasised.
    pub facts: BTreeSet<FactId>,
    /// How much.
    pub strength: f32,
    /// Its stem.
    pub stem: Vec<u32>,
    /// Whether the value follows the stem after a space.
    pub spaced: bool,
}

/// A leaf of the trie.
#[derive(Clone, Debug)]
pub struct PossibleAnswer {
    /// As cards say it.
    pub said: String,
    /// The value; `None` is the branch "not in the knowledge base".
    pub value: Option<Value>,
    /// The facts that hold it: a citation is looked up here and never generated.
    pub facts: Vec<FactId>,
}

/// See the module. Positions are given when it is run: prefix, then the cards in order, then question, stem and answer.
#[derive(Clone, Debug)]
pub struct AttentionPlan {
    /// Shared by all plans of a model and language.
    pub prefix: Vec<u32>,
    /// Cards in view, in order.
    pub cards: Vec<PlannedCard>,
    /// From the last card to the place where the answer starts.
    pub question: Vec<u32>,
    /// All values of a fitting kind on the visible cards; the last one is "not in the knowledge base".
    pub answers: Vec<PossibleAnswer>,
    /// The answers as tokens right after the question.
    pub after_question: Trie,
    /// One for each path in view, in the order of the paths; never empty.
    pub guides: Vec<Guide>,
}

/// Compiles plans.
pub struct Compiler<'a> {
    /// The facts.
    pub snapshot: &'a Snapshot,
    /// The model's tokenizer.
    pub tokenizer: &'a Tokenizer,
    /// Prompt of the question's language.
    pub prompt: &'a prompt::Prompt,
}

/// The candidates that a plan keeps in view: the one that is meant first, then others that score near it and yield something. A
/// question that is a wording of the schema, word for word, is near to nothing else.
pub fn in_view<'a>(reading: &'a Reading, best: &'a Candidate) -> Vec<&'a Candidate> {
    let least = if best.score >= WORD_FOR_WORD { WORD_FOR_WORD } else { best.score - MARGIN };
    let near = |other: &Candidate| match (best.learned, other.learned) {
        (Some(best), Some(other)) => other >= LEAST_OF_BEST * best,
        _ => other.score >= least,
    };
    let others = reading
        .candidates
        .iter()
        .filter(|other| other.path != best.path && near(other) && !other.found.trails.is_empty());
    std::iter::once(best).chain(others).take(MOST_PATHS).collect()
}

/// Probabilities of the paths in view: as they were learned, else from their scores.
pub fn path_probabilities(view: &[&Candidate]) -> Vec<f32> {
    let most = view.iter().map(|candidate| candidate.score).fold(f32::NEG_INFINITY, f32::max);
    let weigh = |candidate: &&Candidate| match candidate.learned {
        Some(probability) => probability,
        None => ((candidate.score - most) / PATH_TEMPERATURE).exp(),
    };
    let weights: Vec<f32> = view.iter().map(weigh).collect();
    let sum: f32 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

impl Compiler<'_> {
    /// The plan for the paths in view, best first; `None` when there is nothing to show or too much (a hub, which the graph's set answers).
    pub fn compile(
        &self,
        reading: &Reading,
        view: &[&Candidate],
        question: &str,
    ) -> Result<Option<AttentionPlan>, EngineError> {
        if view.is_empty() {
            return Ok(None);
        }
        let maker = CardMaker { snapshot: self.snapshot, tokenizer: self.tokenizer, lang: &reading.lang };
        let cards = self.cards(&maker, view, &reading.constraints.years)?;
        let Some(cards) = cards else { return Ok(None) };
        let kinds: Vec<Value> = view.iter().flat_map(|candidate| candidate.found.values()).collect();
        let answers = possible_answers(&maker, &cards, &kinds);
        if answers.len() > MOST_ANSWERS {
            return Ok(None);
        }
        let seen: usize = cards.iter().map(|card| card.card.lines.len() - card.hidden.len()).sum();
        let strength = emphasis(seen);
        let guidance = view.iter().map(|candidate| {
            let facts = candidate.found.trails.iter().flat_map(|trail| trail.facts.iter().copied()).collect();
            let (stem, spaced) = self.stem(&maker, &candidate.path, candidate.found.trails.first())?;
            Ok(Guidance { facts, strength, stem, spaced })
        });
        let guidance = guidance.collect::<Result<Vec<_>, EngineError>>()?;
        self.plan(cards, question, answers, &guidance, &reading.lang).map(Some)
    }

    /// Puts a plan together from its parts; the bench makes its own variants with it.
    pub fn plan(
        &self,
        cards: Vec<PlannedCard>,
        question: &str,
        mut answers: Vec<PossibleAnswer>,
        guidance: &[Guidance],
        lang: &str,
    ) -> Result<AttentionPlan, EngineError> {
        answers.push(PossibleAnswer { said: prompt::not_in_kb(lang).to_owned(), value: None, facts: Vec::new() });
        let end = self.tokenizer.end_tokens().first().copied().ok_or_else(|| {
            EngineError::Tokenizer(
                "the model file names no end token; use a model with tokenizer.ggml.eos_token_id".to_owned(),
            )
        })?;
        let trie = |space: &str| {
            let tokens = answers.iter().map(|answer| self.tokenizer.encode(&format!("{space}{}", answer.said)));
            Ok::<_, EngineError>(Trie::new(&tokens.collect::<Result<Vec<_>, _>>()?, end))
        };
        let (bare, spaced) = (trie("")?, trie(" ")?);
        let guide = |guidance: &Guidance| Guide {
            emphasis: guidance.facts.iter().map(|fact| (*fact, guidance.strength)).collect(),
            after_stem: if guidance.spaced && !guidance.stem.is_empty() { spaced.clone() } else { bare.clone() },
            stem: guidance.stem.clone(),
        };
        Ok(AttentionPlan {
            prefix: self.prompt.prefix.clone(),
            cards,
            question: self.prompt.tail(self.tokenizer, question)?,
            guides: guidance.iter().map(guide).collect(),
            after_question: bare,
            answers,
        })
    }

    /// The stem of a path: its first facts as sentences, the last one up to its value. A path that ends in a subject has none,
    /// since a sentence starts with its subject. Also whether the value follows after a space.
    pub fn stem(
        &self,
        maker: &CardMaker<'_>,
        path: &Path,
        trail: Option<&Trail>,
    ) -> Result<(Vec<u32>, bool), EngineError> {
        let facts: Vec<&Fact> = trail
            .map(|trail| trail.facts.iter().filter_map(|id| self.snapshot.fact(*id)).collect())
            .unwrap_or_default();
        let ends_in_object = path.steps.last().is_some_and(|step| {
            step.forward && facts.last().is_some_and(|fact| fact.statement.relation == step.relation)
        });
        let Some((last, before)) = facts.split_last().filter(|_| ends_in_object) else {
            return Ok((Vec::new(), false));
        };
        let stem = maker.stem(last);
        let mut text: String =
            before.iter().map(|fact| maker.sentence(fact) + if stem.spaced { " " } else { "" }).collect();
        text.push_str(&stem.before);
        Ok((self.tokenizer.encode(&text)?, stem.spaced))
    }

    /// The cards that hold the facts of the paths in view; `None` when they are too many.
    fn cards(
        &self,
        maker: &CardMaker<'_>,
        view: &[&Candidate],
        years: &[i32],
    ) -> Result<Option<Vec<PlannedCard>>, EngineError> {
        let mut wanted: Vec<(EntityId, BTreeSet<FactId>)> = Vec::new();
        for candidate in view {
            for trail in &candidate.found.trails {
                let mut at = Some(candidate.path.topic);
                for (step, id) in candidate.path.steps.iter().zip(&trail.facts) {
                    let (Some(here), Some(fact)) = (at, self.snapshot.fact(*id)) else { break };
                    match wanted.iter_mut().find(|(entity, _)| *entity == here) {
                        Some((_, facts)) => _ = facts.insert(*id),
                        None => wanted.push((here, BTreeSet::from([*id]))),
                    }
                    at = self.other_end(fact, here, step.forward);
                }
                if wanted.len() > MOST_CARDS {
                    return Ok(None);
                }
            }
        }
        let mut cards = Vec::new();
        for (entity, facts) in wanted {
            for card in maker.cards(entity)? {
                if card.lines.iter().any(|line| facts.contains(&line.fact)) {
                    let hidden =
                        (0..card.lines.len()).filter(|line| self.contradicts(card.lines[*line].fact, years)).collect();
                    cards.push(PlannedCard { card, hidden });
                }
            }
        }
        Ok((cards.len() <= MOST_CARDS).then_some(cards))
    }

    fn other_end(&self, fact: &Fact, here: EntityId, forward: bool) -> Option<EntityId> {
        let subject = self.snapshot.find(&fact.statement.subject);
        let object = path::entity_of(self.snapshot, &fact.statement.object);
        if subject == Some(here) && (forward || object != Some(here)) { object } else { subject }
    }

    fn contradicts(&self, fact: FactId, years: &[i32]) -> bool {
        !years.is_empty()
            && self.snapshot.fact(fact).is_some_and(|fact| {
                fact.statement
                    .qualifiers
                    .iter()
                    .any(|(_, value)| matches!(value, Value::Date(date) if !years.contains(&date.year)))
            })
    }
}

/// Every value on a visible line that is of the kind of one of `kinds`: not only what the paths yield, so that the model is free
/// to choose against them.
pub fn possible_answers(maker: &CardMaker<'_>, cards: &[PlannedCard], kinds: &[Value]) -> Vec<PossibleAnswer> {
    let fits = |value: &Value| kinds.iter().any(|kind| discriminant(kind) == discriminant(value));
    let mut answers: Vec<PossibleAnswer> = Vec::new();
    for planned in cards {
        let card_iri = &maker.snapshot.entity(planned.card.entity).iri;
        for (number, line) in planned.card.lines.iter().enumerate() {
            let Some(fact) = maker.snapshot.fact(line.fact).filter(|_| !planned.hidden.contains(&number)) else {
                continue;
            };
            let subject = &fact.statement.subject;
            let value =
                if subject == card_iri { fact.statement.object.clone() } else { Value::Entity(subject.clone()) };
            if !fits(&value) {
                continue;
            }
            let said = maker.said(&value);
            match answers.iter_mut().find(|answer| answer.said == said) {
                Some(known) => known.facts.push(line.fact),
                None => answers.push(PossibleAnswer { said, value: Some(value), facts: vec![line.fact] }),
            }
        }
    }
    answers
}
