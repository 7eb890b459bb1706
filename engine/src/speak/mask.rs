//! The mask for people: what the model was shown, where it looked, and what it could have been shown.

use crate::{
    EngineError,
    answer::{AttentionElsewhere, CardView, Explanation, Hidden, HiddenCards, Named, ReadingView},
    fusion::{AttentionPlan, CardMaker, PlannedCard, Readings, card::MOST_INCOMING, plan::PossibleAnswer},
    question::{Reader, Reading},
};
use factmask_graph::{EntityId, Snapshot};
use std::collections::{BTreeMap, HashSet};

/// Entities with hidden cards that an explanation names.
const MOST_NAMED: usize = 50;

/// A plan and what came of it.
pub(crate) struct Shown<'a> {
    pub reader: &'a Reader,
    pub reading: &'a Reading,
    pub plan: &'a AttentionPlan,
    pub readings: &'a Readings,
}

impl Shown<'_> {
    /// What was shown to the model, what it read, and which cards of what was near were hidden from it.
    ///
    /// # Errors
    /// A fact that cannot be made into tokens.
    pub fn explain(&self, maker: &CardMaker<'_>, explanation: &mut Explanation) -> Result<(), EngineError> {
        explanation.cards = self.cards();
        explanation.attention_elsewhere = self
            .readings
            .attention
            .as_ref()
            .map(|attention| AttentionElsewhere { prefix: attention.prefix, question: attention.question });
        explanation.hidden = Some(self.hidden(maker)?);
        let probability = |leaf| self.readings.guided.probabilities.get(leaf).copied().unwrap_or(0.0);
        let reading = |(leaf, answer): (usize, &PossibleAnswer)| ReadingView {
            value: if answer.value.is_some() { answer.said.clone() } else { "NOT_IN_KB".to_owned() },
            probability: probability(leaf),
        };
        explanation.readings = self.plan.answers.iter().enumerate().map(reading).collect();
        Ok(())
    }

    fn snapshot(&self) -> &Snapshot {
        self.reader.snapshot()
    }

    fn visible(&self) -> impl Iterator<Item = &PlannedCard> {
        self.plan.cards.iter().filter(|planned| !planned.is_hidden())
    }

    /// The visible cards with their visible lines.
    fn cards(&self) -> Vec<CardView> {
        let guide = self.plan.guides.get(self.readings.chosen);
        let bias = |fact| guide.and_then(|guide| guide.emphasis.get(&fact)).copied().unwrap_or(0.0);
        let mut shares = self.readings.attention.iter().flat_map(|attention| attention.lines.iter().copied());
        let view = |planned: &PlannedCard| {
            let lines = planned.card.lines.iter().enumerate();
            // Hidden lines have a share too, of nothing.
            let lines = lines.map(|(number, line)| (number, line, shares.next()));
            let lines = lines.filter(|(number, ..)| !planned.hidden.contains(number));
            CardView {
                entity: self.snapshot().name(planned.card.entity, &self.reading.lang).to_owned(),
                lines: lines
                    .map(|(_, line, attention)| (line.text.trim().to_owned(), bias(line.fact), attention))
                    .collect(),
            }
        };
        self.visible().map(view).collect()
    }

    /// The entities that were thinkable here and have cards that the plan hides: the visible ones with their other cards, whoever the names
    /// in the question can stand for, whoever is called like what is visible, and whom its cards name.
    fn hidden(&self, maker: &CardMaker<'_>) -> Result<Hidden, EngineError> {
        let mut shown: BTreeMap<EntityId, usize> = BTreeMap::new();
        self.visible().for_each(|planned| *shown.entry(planned.card.entity).or_default() += 1);
        let planned = self.plan.cards.iter().map(|planned| planned.card.entity);
        let linked = self.reading.mentions.iter().flat_map(|mention| mention.entities.iter().copied());
        let homonyms = shown.keys().flat_map(|id| {
            let entity = self.snapshot().entity(*id);
            let names = entity.labels.iter().chain(&entity.aliases);
            names.flat_map(|name| self.reader.bearers(&name.text).iter().copied())
        });
        let near = shown.keys().flat_map(|id| self.on_cards_of(*id));
        let (mut seen, mut hidden) = (HashSet::new(), Hidden::default());
        for id in planned.chain(linked).chain(homonyms).chain(near) {
            if !seen.insert(id) {
                continue;
            }
            let cards = maker.cards(id)?.len().saturating_sub(shown.get(&id).copied().unwrap_or(0));
            hidden.total += cards;
            if cards > 0 && hidden.first.len() < MOST_NAMED {
                let iri = self.snapshot().entity(id).iri.as_str().to_owned();
                let name = self.snapshot().name(id, &self.reading.lang).to_owned();
                hidden.first.push(HiddenCards { entity: Named { iri, name }, cards });
            }
        }
        Ok(hidden)
    }

    /// Whom an entity's cards name beside itself.
    fn on_cards_of(&self, id: EntityId) -> impl Iterator<Item = EntityId> {
        let objects = self.snapshot().facts_of(id).filter_map(|fact| fact.statement.object.as_entity());
        let subjects = self.snapshot().facts_to(id).take(MOST_INCOMING).map(|fact| &fact.statement.subject);
        objects.chain(subjects).filter_map(|iri| self.snapshot().find(iri))
    }
}
