//! Cards and a question made up, each card of exactly as many tokens as are asked for.

use crate::bench::{
    TENANT,
    whole::world::{GOODS, MOST, name},
};
use anyhow::Result;
use factmask_engine::{
    fusion::{
        AttentionPlan, Card, Guidance, PlannedCard, Prompt,
        card::Line,
        plan::{Compiler, PossibleAnswer, emphasis},
    },
    model::LanguageModel,
    tokens::Tokenizer,
};
use factmask_graph::{EntityId, FactId, Store, TenantId};
use std::collections::BTreeSet;

const LANG: &str = "en";
/// What the sentences of a card say in turn, after a first one of its own.
const VERBS: [&str; 3] = ["sells", "once sold", "will sell"];
/// How far the numbers of names lie apart, so that they have few letters in common; shares no factor with [`MOST`].
const STRIDE: usize = 397;

/// What is said of one town, a sentence a line. The last line is cut so that the card has `tokens` tokens.
///
/// # Errors
/// A tokenizer that fails.
pub fn card(tokenizer: &Tokenizer, town: u32, tokens: usize) -> Result<Card> {
    let (mut lines, mut left) = (Vec::new(), tokens);
    while left > 0 {
        let (fact, text) = (fact(town, lines.len()), sentence(town, lines.len()));
        let mut tokens = tokenizer.encode(&text)?;
        tokens.truncate(left);
        left -= tokens.len();
        lines.push(Line { fact, text, tokens });
    }
    Ok(Card { entity: EntityId(town), lines })
}

/// The plan of a question about the first of the towns in view, compiled by the product from what the reader would have found.
///
/// # Errors
/// A model without a chat template or an end token.
pub fn plan(model: &LanguageModel, visible: u32, tokens: usize) -> Result<AttentionPlan> {
    let tokenizer = model.tokenizer();
    let (mut cards, mut answers) = (Vec::new(), Vec::<PossibleAnswer>::new());
    for town in 0..visible {
        let card = card(tokenizer, town, tokens)?;
        for (number, line) in card.lines.iter().enumerate() {
            let said = good(town, number);
            match answers.iter_mut().find(|answer| answer.said == said) {
                Some(known) => known.facts.push(line.fact),
                None => answers.push(PossibleAnswer { said: said.to_owned(), value: None, facts: vec![line.fact] }),
            }
        }
        cards.push(PlannedCard { card, hidden: BTreeSet::new() });
    }
    let town = town_name(0);
    let stem = tokenizer.encode(&format!("{town} mainly sells"))?;
    let strength = emphasis(cards.iter().map(|planned| planned.card.lines.len()).sum());
    let guidance = Guidance { facts: BTreeSet::from([fact(0, 0)]), strength, stem, spaced: true };
    // A plan that is put together from its parts looks nothing up.
    let nothing = Store::in_memory(&TenantId::new(TENANT)?)?.snapshot()?;
    let compiler = Compiler { snapshot: &nothing, tokenizer, prompt: &Prompt::new(model, LANG)? };
    Ok(compiler.plan(cards, &format!("What does {town} mainly sell?"), answers, &[guidance], LANG)?)
}

fn sentence(town: u32, number: usize) -> String {
    let said = match number {
        0 => "mainly sells",
        _ => VERBS[number % VERBS.len()],
    };
    format!("- {} {said} {}.\n", town_name(town), good(town, number))
}

fn town_name(town: u32) -> String {
    name(town as usize * STRIDE % MOST)
}

fn good(town: u32, number: usize) -> &'static str {
    GOODS[(town as usize + number) % GOODS.len()]
}

fn fact(town: u32, number: usize) -> FactId {
    FactId((u128::from(town) << 64 | number as u128).to_le_bytes())
}
