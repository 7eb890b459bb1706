//! Cards: one entity's facts as full sentences, a line each, encoded together since one block for each triple loses accuracy.

use crate::{EngineError, tokens::Tokenizer};
use factmask_graph::{EntityId, Fact, FactId, Snapshot, Value};
use factmask_schema::{Iri, Stem, Wording};

/// A longer card is split between lines, so that a plan can leave out what a question does not touch.
pub const MOST_TOKENS: usize = 200;
/// Facts that point to an entity are told on its card up to this many; beyond, the entity is a hub and the graph's set answers.
pub const MOST_INCOMING: usize = 48;

/// A fact said in one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The fact.
    pub fact: FactId,
    /// "- The capital of Freedonia is Marxville.\n"
    pub text: String,
    /// Its tokens.
    pub tokens: Vec<u32>,
}

/// Lines about one entity, at most about [`MOST_TOKENS`] tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// Whom it is about.
    pub entity: EntityId,
    /// Its lines in the order of the graph.
    pub lines: Vec<Line>,
}

impl Card {
    /// All tokens.
    pub fn tokens(&self) -> Vec<u32> {
        self.lines.iter().flat_map(|line| line.tokens.iter().copied()).collect()
    }
}

/// Says facts in one language.
pub struct CardMaker<'a> {
    /// The facts.
    pub snapshot: &'a Snapshot,
    /// The model's tokenizer.
    pub tokenizer: &'a Tokenizer,
    /// `en` or `zh`.
    pub lang: &'a str,
}

impl CardMaker<'_> {
    /// The cards of an entity: facts of it first, then facts that point to it, split by size.
    pub fn cards(&self, entity: EntityId) -> Result<Vec<Card>, EngineError> {
        let own = self.snapshot.facts_of(entity);
        let incoming = self.snapshot.facts_to(entity).take(MOST_INCOMING);
        let mut cards = Vec::new();
        for mut facts in [own.collect::<Vec<_>>(), incoming.collect::<Vec<_>>()] {
            facts.dedup_by_key(|fact| fact.id);
            let mut lines: Vec<Line> = Vec::new();
            let mut size = 0;
            for fact in facts {
                let line = self.line(fact)?;
                if size + line.tokens.len() > MOST_TOKENS && !lines.is_empty() {
                    cards.push(Card { entity, lines: std::mem::take(&mut lines) });
                    size = 0;
                }
                size += line.tokens.len();
                lines.push(line);
            }
            if !lines.is_empty() {
                cards.push(Card { entity, lines });
            }
        }
        Ok(cards)
    }

    /// What the cards of an entity say, sentence by sentence.
    pub fn sentences(&self, entity: EntityId) -> Vec<String> {
        let incoming = self.snapshot.facts_to(entity).take(MOST_INCOMING);
        self.snapshot.facts_of(entity).chain(incoming).map(|fact| self.sentence(fact)).collect()
    }

    fn line(&self, fact: &Fact) -> Result<Line, EngineError> {
        let text = format!("- {}\n", self.sentence(fact));
        Ok(Line { fact: fact.id, tokens: self.tokenizer.encode(&text)?, text })
    }

    /// A fact as one sentence.
    pub fn sentence(&self, fact: &Fact) -> String {
        let statement = &fact.statement;
        let wording = self.wording(fact);
        wording.statement(&self.name(&statement.subject), &self.said(&statement.object), &|slot| {
            self.qualifier(fact, slot)
        })
    }

    /// What stands before the value when a fact is said.
    pub fn stem(&self, fact: &Fact) -> Stem {
        let statement = &fact.statement;
        let wording = self.wording(fact);
        wording.stem(&self.name(&statement.subject), &|slot| self.qualifier(fact, slot))
    }

    /// A value as cards say it.
    pub fn said(&self, value: &Value) -> String {
        self.snapshot.said(value, self.lang)
    }

    fn wording(&self, fact: &Fact) -> Wording {
        let qualifiers = fact.statement.qualifiers.iter().map(|(iri, _)| iri);
        self.snapshot.schema().statement_for(&fact.statement.relation, self.lang, qualifiers)
    }

    fn qualifier(&self, fact: &Fact, slot: &str) -> Option<String> {
        let (_, value) =
            fact.statement.qualifiers.iter().find(|(iri, _)| factmask_schema::local_name(iri.as_str()) == slot)?;
        Some(self.said(value))
    }

    fn name(&self, iri: &Iri) -> String {
        match self.snapshot.find(iri) {
            Some(id) => self.snapshot.name(id, self.lang).to_owned(),
            None => factmask_schema::local_name(iri.as_str()).to_owned(),
        }
    }
}
