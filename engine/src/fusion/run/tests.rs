//! What must hold of a plan on a real model: hidden cards have no influence at all, whatever else is computed beside.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use super::*;
use crate::{
    fusion::{
        card::{Card, Line},
        plan::{Guide, PlannedCard, PossibleAnswer},
        prompt::Prompt,
    },
    testing,
};
use factmask_graph::{EntityId, FactId};
use proptest::prelude::*;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

static MODEL: LazyLock<Arc<LanguageModel>> = LazyLock::new(testing::smollm2);

fn card(lines: &[String], hidden: bool) -> PlannedCard {
    let lines: Vec<Line> = lines
        .iter()
        .enumerate()
        .map(|(number, words)| {
            let text = format!("- {words}.\n");
            Line { fact: FactId([number as u8; 16]), tokens: MODEL.tokenizer().encode(&text).unwrap(), text }
        })
        .collect();
    let all: BTreeSet<usize> = (0..lines.len()).collect();
    PlannedCard { hidden: if hidden { all } else { BTreeSet::new() }, card: Card { entity: EntityId(0), lines } }
}

fn plan(cards: Vec<PlannedCard>) -> AttentionPlan {
    let prompt = Prompt::new(&MODEL, "en").unwrap();
    let encode = |text: &str| MODEL.tokenizer().encode(text).unwrap();
    let said = ["Marxville", "1,234", "12,345", "not in the knowledge base"];
    let answers: Vec<Vec<u32>> = said.iter().map(|said| encode(said)).collect();
    let end = MODEL.tokenizer().end_tokens()[0];
    AttentionPlan {
        prefix: prompt.prefix.clone(),
        cards,
        question: prompt.tail(MODEL.tokenizer(), "What is the capital of Freedonia?").unwrap(),
        guides: vec![Guide {
            emphasis: (0..4).map(|line| (FactId([line; 16]), 1.5)).collect(),
            stem: encode("The capital of Freedonia is"),
            after_stem: Trie::new(&said.map(|said| encode(&format!(" {said}"))), end),
        }],
        after_question: Trie::new(&answers, end),
        answers: said
            .iter()
            .map(|said| PossibleAnswer { said: (*said).to_owned(), value: None, facts: Vec::new() })
            .collect(),
    }
}

/// All logits after the question, its state at a layer, and every reading, as bits.
fn bits(cards: Vec<PlannedCard>, layout: Layout) -> Vec<u32> {
    let fuser = Fuser::new(MODEL.clone(), 1 << 26);
    let plan = plan(cards);
    let mut cost = Cost::default();
    let options = RunOptions { layout, plain: true, capture: Some(18), ..RunOptions::default() };
    let prefilled = match layout {
        Layout::Blocks => fuser.prefill_blocks("t", &plan, options, &mut cost).unwrap(),
        Layout::Pasted => fuser.prefill_pasted(&plan, options, &mut cost).unwrap(),
    };
    let readings = fuser.run("t", &plan, options, |_| Ok(0)).unwrap();
    let plain = readings.plain.iter().flat_map(|plain| &plain.probabilities);
    let scores = plain.chain(&readings.guided.probabilities);
    let state = prefilled.state.iter().flatten();
    prefilled.logits.iter().flatten().chain(scores).chain(state).map(|value| value.to_bits()).collect()
}

fn lines() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("[A-Z][a-z]{1,8}( [a-z]{1,8}){2,6}", 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// Replaced, lengthened, deleted, moved: a hidden card changes no bit.
    #[test]
    fn a_hidden_card_has_no_influence(seen in lines(), hidden in lines(), other in lines(), first in any::<bool>()) {
        let shown = |extra: Option<&[String]>| {
            let mut cards = vec![card(&seen, false)];
            if let Some(extra) = extra {
                cards.insert(usize::from(!first), card(extra, true));
            }
            bits(cards, Layout::Blocks)
        };
        let longer: Vec<String> = hidden.iter().chain(&other).cloned().collect();
        let alone = shown(None);
        prop_assert_eq!(&shown(Some(&hidden)), &alone);
        prop_assert_eq!(&shown(Some(&other)), &alone);
        prop_assert_eq!(&shown(Some(&longer)), &alone);
    }

    /// What else is in the batch changes no bit either.
    #[test]
    fn a_batch_has_no_influence(seen in lines(), others in prop::collection::vec(lines(), 1..4)) {
        let context = Context::new();
        let tokens = |lines: &[String]| card(lines, false).card.tokens();
        let (wanted, others): (Vec<u32>, Vec<Vec<u32>>) = (tokens(&seen), others.iter().map(|o| tokens(o)).collect());
        let segment = |tokens| Segment { tokens, start: 0, context: &context, logits: Rows::All, capture: &[] };
        let alone = MODEL.forward(&[segment(&wanted)]).unwrap();
        let mut batch: Vec<Segment<'_>> = others.iter().map(|tokens| segment(tokens)).collect();
        let place = batch.len() / 2;
        batch.insert(place, segment(&wanted));
        let together = MODEL.forward(&batch).unwrap();
        let bits = |forward: &Forward| -> Vec<u32> { forward.logits.iter().flatten().map(|l| l.to_bits()).collect() };
        prop_assert_eq!(bits(&alone[0]), bits(&together[place]));
    }
}

#[test]
fn a_visible_card_has_influence() {
    let seen = |words: &str| bits(vec![card(&[words.to_owned()], false)], Layout::Blocks);
    assert_ne!(seen("The capital of Freedonia is Marxville"), seen("The capital of Freedonia is Duckburg"));
}

#[test]
fn the_right_value_is_read_from_the_card() {
    let fuser = Fuser::new(MODEL.clone(), 1 << 26);
    for (line, expected) in [
        ("The capital of Freedonia is Marxville", 0),
        ("The capital of Freedonia is 1,234", 1),
        ("The capital of Freedonia is 12,345", 2),
    ] {
        for layout in [Layout::Blocks, Layout::Pasted] {
            let plan = plan(vec![card(&["The currency of Freedonia is Rufus".to_owned(), line.to_owned()], false)]);
            let options = RunOptions { layout, ..RunOptions::default() };
            let guided = fuser.run("t", &plan, options, |_| Ok(0)).unwrap().guided;
            let most = (0..4).max_by(|a, b| guided.probabilities[*a].total_cmp(&guided.probabilities[*b])).unwrap();
            assert_eq!(most, expected, "{line}, {layout:?}: {guided:?}");
            assert!((guided.probabilities.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        }
    }
}

#[test]
fn without_a_stem_the_emphasis_still_counts() {
    let fuser = Fuser::new(MODEL.clone(), 1 << 26);
    let lines = ["The capital of Freedonia is Marxville".to_owned(), "The motto of Freedonia is 1,234".to_owned()];
    let mut shown = plan(vec![card(&lines, false)]);
    let after_question = shown.after_question.clone();
    let mut read = |emphasis: [f32; 2]| {
        let emphasis = (0..).zip(emphasis).map(|(line, bias)| (FactId([line; 16]), bias)).collect();
        shown.guides = vec![Guide { emphasis, stem: Vec::new(), after_stem: after_question.clone() }];
        fuser.run("t", &shown, RunOptions { plain: true, ..RunOptions::default() }, |_| Ok(0)).unwrap()
    };
    let none = read([0.0, 0.0]);
    for (plain, guided) in none.plain.as_ref().unwrap().probabilities.iter().zip(&none.guided.probabilities) {
        assert!((plain - guided).abs() < 1e-3, "no emphasis, no stem: both readings are one: {none:?}");
    }
    assert!(read([0.0, 3.0]).guided.probabilities[1] > none.guided.probabilities[1]);
}

#[test]
fn cold_cards_are_encoded_once() {
    let fuser = Fuser::new(MODEL.clone(), 1 << 26);
    let plan = plan(vec![card(&["The capital of Freedonia is Marxville".to_owned()], false)]);
    let cold = fuser.run("t", &plan, RunOptions::default(), |_| Ok(0)).unwrap();
    let warm = fuser.run("t", &plan, RunOptions::default(), |_| Ok(0)).unwrap();
    assert_eq!((cold.cost.cold_cards, cold.cost.warm_cards), (1, 0));
    assert_eq!((warm.cost.cold_cards, warm.cost.warm_cards), (0, 1));
    assert_eq!(cold.guided.probabilities, warm.guided.probabilities);
    let other_tenant = fuser.run("u", &plan, RunOptions::default(), |_| Ok(0)).unwrap();
    assert_eq!(other_tenant.cost.cold_cards, 1);
}

#[test]
fn attention_is_shared_out_among_what_is_seen_and_looking_on_changes_no_bit() {
    let fuser = Fuser::new(MODEL.clone(), 1 << 26);
    let said = ["The capital of Freedonia is Marxville", "The motto of Freedonia is 1,234", "The lake of it is 12,345"];
    let mut shown = card(&said.map(str::to_owned), false);
    shown.hidden.insert(2);
    // A line without tokens, which some tokenizers make of some signs.
    shown.card.lines[1].tokens.clear();
    let behind = card(&["The currency of Sylvania is the crown".to_owned()], true);
    let mut other = card(&["The anthem of Freedonia is old".to_owned()], false);
    other.card.lines[0].fact = FactId([9; 16]);
    let mut plan = plan(vec![behind, shown, other]);
    let mut read = |bias: f32, stem: bool, layout| {
        let guide = &mut plan.guides[0];
        guide.emphasis = BTreeMap::from([(FactId([0; 16]), bias)]);
        guide.stem.truncate(if stem { usize::MAX } else { 0 });
        let run = |observe| {
            let options = RunOptions { layout, observe, ..RunOptions::default() };
            fuser.run("t", &plan, options, |_| Ok(0)).unwrap()
        };
        let (blind, looked) = (run(false), run(true));
        let bits = |readings: &Readings| -> Vec<u32> {
            readings.guided.probabilities.iter().map(|value| value.to_bits()).collect()
        };
        assert_eq!(bits(&blind), bits(&looked), "{layout:?}");
        assert_eq!(blind.attention, None);
        looked.attention.unwrap()
    };
    for (layout, stem) in
        [(Layout::Blocks, true), (Layout::Pasted, true), (Layout::Blocks, false), (Layout::Pasted, false)]
    {
        let (even, raised) = (read(0.0, stem, layout), read(2.0, stem, layout));
        for attention in [&even, &raised] {
            // Three lines of the card that is shown and the one of the other; the hidden card has none.
            assert_eq!(attention.lines.len(), 4, "{layout:?} {attention:?}");
            assert_eq!(attention.lines[1..3], [0.0, 0.0], "{layout:?} {attention:?}");
            let all = attention.lines.iter().sum::<f32>() + attention.prefix + attention.question;
            assert!((all - 1.0).abs() < 1e-5, "{layout:?} {attention:?}");
            assert!(attention.lines[0] > 0.0 && attention.prefix > 0.0 && attention.question > 0.0, "{attention:?}");
        }
        assert!(raised.lines[0] > 1.5 * even.lines[0], "{layout:?} stem {stem}: {even:?} {raised:?}");
        assert!(raised.lines[3] < even.lines[3], "{layout:?} stem {stem}: {even:?} {raised:?}");
    }
}
