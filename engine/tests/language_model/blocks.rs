//! Text cut into blocks gives what uncut text gives.

use crate::support::{Noise, TINY_VOCAB, Tiny, alone, bits, difference, exact, options, smollm, smollm_file};
use factmask_engine::{
    kv::{Context, KeyValues, KvPrecision, Part},
    model::{LanguageModel, Rows, Segment},
};
use proptest::prelude::*;

/// Computes tokens block by block, each in sight of the earlier ones, and returns the logits of the last token. Each block is
/// encoded `shift` positions further on than it is then placed.
fn in_blocks(model: &LanguageModel, tokens: &[u32], cuts: &[usize], shift: u32) -> Vec<Vec<f32>> {
    let mut starts: Vec<usize> = cuts.iter().map(|cut| cut % tokens.len()).chain([0]).collect();
    starts.sort_unstable();
    starts.dedup();
    let (mut encoding, mut context) = (Context::new(), Context::new());
    for (index, start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(tokens.len());
        let start = *start as u32;
        let tokens = &tokens[start as usize..end];
        let segment = |start, context| Segment { tokens, start, context, logits: Rows::Last, capture: &[] };
        if index + 1 == starts.len() {
            return alone(model, segment(start, &context)).logits;
        }
        let kv = alone(model, segment(start + shift, &encoding)).kv;
        encoding.push(Part::new(model.place(&kv, start + shift).unwrap()));
        context.push(Part::new(model.place(&kv, start).unwrap()));
    }
    unreachable!("there is always a last block")
}

fn tiny(precision: KvPrecision) -> LanguageModel {
    let folder = tempfile::tempdir().unwrap();
    LanguageModel::open(&Tiny::llama().write(folder.path(), 9), &options(1, precision)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// At the same positions a cut changes no bit, rounded or not.
    #[test]
    fn cuts_change_nothing(seed: u64, len in 2_usize..120, cuts in prop::collection::vec(any::<usize>(), 0..6)) {
        for precision in [KvPrecision::F32, KvPrecision::F16, KvPrecision::Int8] {
            let model = tiny(precision);
            let tokens = Noise(seed).tokens(len, TINY_VOCAB);
            let whole = in_blocks(&model, &tokens, &[], 0);
            prop_assert_eq!(bits(&in_blocks(&model, &tokens, &cuts, 0)), bits(&whole));
        }
    }

    /// Slices put together again are what they were cut from.
    #[test]
    fn slices_and_concatenation_undo_each_other(cuts in prop::collection::vec(0_usize..41, 0..5)) {
        for precision in [KvPrecision::F32, KvPrecision::F16, KvPrecision::Int8] {
            let model = tiny(precision);
            let tokens = Noise(1).tokens(40, TINY_VOCAB);
            let none = Context::new();
            let segment = Segment { tokens: &tokens, start: 0, context: &none, logits: Rows::None, capture: &[] };
            let kv = alone(&model, segment).kv;
            let mut ends = cuts.clone();
            ends.extend([0, 40]);
            ends.sort_unstable();
            let parts: Vec<KeyValues> = ends.windows(2).map(|pair| kv.slice(pair[0]..pair[1])).collect();
            prop_assert_eq!(parts.iter().map(KeyValues::bytes).sum::<usize>(), kv.bytes());
            let joined = KeyValues::concat(&parts.iter().collect::<Vec<_>>()).unwrap();
            prop_assert!(joined == kv);
        }
    }
}

const TEXT: &str = "<|im_start|>user\nFacts:\n- The capital of Freedonia is Marxville.\n- The currency code of Freedonia is \
FRD.\n- The population of Freedonia is 1,204,000.\n\nWhat is the capital of Freedonia?<|im_end|>\n<|im_start|>assistant\n";

#[test]
fn cutting_and_moving_smollm_stays_within_tolerance() {
    let [exact, rounded] =
        [KvPrecision::F32, KvPrecision::F16].map(|p| LanguageModel::open(&smollm_file(), &exact(0, p)).unwrap());
    let exact = &exact;
    let tokens = exact.tokenizer().encode_markup(TEXT).unwrap();
    let whole = in_blocks(exact, &tokens, &[], 0);
    let whole_rounded = in_blocks(&rounded, &tokens, &[], 0);
    let integer = in_blocks(smollm(), &tokens, &[], 0);
    let mut noise = Noise(17);
    for round in 0..4 {
        let cuts: Vec<usize> = (0..=round).map(|_| noise.below(tokens.len())).collect();
        let shift = noise.below(3_000) as u32;
        assert_eq!(bits(&in_blocks(exact, &tokens, &cuts, 0)), bits(&whole), "{cuts:?}");
        assert_eq!(bits(&in_blocks(smollm(), &tokens, &cuts, 0)), bits(&integer), "{cuts:?}");
        assert_eq!(bits(&in_blocks(&rounded, &tokens, &cuts, 0)), bits(&whole_rounded), "{cuts:?}");
        let moved = difference(&in_blocks(exact, &tokens, &cuts, shift), &whole);
        let moved_rounded = difference(&in_blocks(&rounded, &tokens, &cuts, shift), &whole_rounded);
        println!("cuts {cuts:?}, moved by {shift}: {moved:e} in f32, {moved_rounded:e} in f16");
        assert!(moved < 2e-3, "cuts {cuts:?}, moved by {shift}: {moved:e} apart in f32");
        assert!(moved_rounded < 0.1, "cuts {cuts:?}, moved by {shift}: {moved_rounded:e} apart in f16");
    }
    let eight = LanguageModel::open(&smollm_file(), &options(0, KvPrecision::Int8)).unwrap();
    let eight = difference(&in_blocks(&eight, &tokens, &[], 0), &integer);
    println!("int8 against f32, both with integer arithmetic: {eight:e}");
    assert!(eight < 2.0, "int8 is {eight:e} from f32");
    let apart = difference(&whole, &whole_rounded);
    println!("f16 against f32: {apart:e}");
    assert!(apart < 0.1, "f16 is {apart:e} from f32");
}

/// A hidden card has no influence: replaced, lengthened or left out, no bit changes. Nor has a hidden line's content.
#[test]
fn what_is_hidden_leaves_no_trace() {
    let model = tiny(KvPrecision::F16);
    let none = Context::new();
    let encode = |tokens: &[u32]| {
        alone(&model, Segment { tokens, start: 0, context: &none, logits: Rows::None, capture: &[] }).kv
    };
    let mut noise = Noise(23);
    let [seen, other, longer, question] = [40, 40, 77, 9].map(|count| noise.tokens(count, TINY_VOCAB));
    let seen = encode(&seen);
    let logits = |parts: Vec<Part>| {
        let mut context = Context::new();
        parts.into_iter().for_each(|part| context.push(part));
        let segment = Segment { tokens: &question, start: 200, context: &context, logits: Rows::All, capture: &[] };
        bits(&alone(&model, segment).logits)
    };
    let place = |kv: &KeyValues, start| Part::new(model.place(kv, start).unwrap());
    let with_hidden = |card: &[u32]| {
        let mut hidden = place(&encode(card), 50);
        hidden.hidden = vec![0..u32::MAX];
        logits(vec![hidden.clone(), place(&seen, 0), hidden])
    };
    let expected = logits(vec![place(&seen, 0)]);
    assert_eq!(with_hidden(&other), expected, "a hidden card");
    assert_eq!(with_hidden(&longer), expected, "a longer hidden card");

    // Tokens 7..19 of the visible card, hidden in place, against the card with these tokens cut out or replaced.
    let mut masked = place(&seen, 0);
    masked.hidden = vec![7..19];
    let masked = logits(vec![masked]);
    let cut_out = logits(vec![place(&seen.slice(0..7), 0), place(&seen.slice(19..40), 19)]);
    assert_eq!(masked, cut_out, "a hidden line cut out");
    let changed = KeyValues::concat(&[&seen.slice(0..7), &encode(&other).slice(7..19), &seen.slice(19..40)]).unwrap();
    let mut changed = place(&changed, 0);
    assert_ne!(logits(vec![changed.clone()]), expected, "the replacement can be seen when it is not hidden");
    changed.hidden = vec![7..19];
    assert_eq!(logits(vec![changed]), masked, "a hidden line replaced");
}
