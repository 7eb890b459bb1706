//! On the real model, with few cards.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::{Flags, Settings, models::Cache};

#[test]
fn a_filled_store_holds_every_card_gives_up_none_and_answers_alike() {
    let settings = Settings::load(None, &Flags::default()).unwrap();
    let path = Cache::new(&settings.models).language_model("smollm2-135m-instruct").unwrap().path;
    // More than are different, so that there are copies.
    let (cards, tokens, visible, runs) = (70, 11, 2, 2);
    let (precision, threads) = (KvPrecision::Int8, Some(1));
    let args = CardsArgs { model: None, cards, tokens, visible, precision, runs, threads, json: None };
    let Report { alone, beside, memory, .. } = measure(&args, &path).unwrap();
    assert_eq!((alone.blocks, beside.blocks), (3, 73));
    assert_eq!((alone.evictions, beside.evictions), (0, 0));
    // In each of 30 layers keys and values: 192 bytes a token and 6 scales of 2. Then 11 tokens of 4 bytes, and lines of 8.
    let of_values = 30 * 2 * 11 * (192 + 6 * 2);
    let added = beside.block_bytes - alone.block_bytes;
    assert!((70 * (of_values + 44 + 8)..70 * (of_values + 44 + 24)).contains(&added), "{added}");
    assert_eq!(memory.block_bytes, alone.block_bytes + beside.block_bytes);
    let file = std::fs::metadata(&path).unwrap().len() as f64;
    let share = memory.weight_bytes as f64 / file;
    assert!((0.8..1.3).contains(&share), "weights take {share} of their file");
}

#[test]
fn a_precision_has_the_words_of_the_settings() {
    let words: Vec<_> = ["f32", "f16", "int8"].iter().map(|word| precision(word).unwrap()).collect();
    assert_eq!(words, [KvPrecision::F32, KvPrecision::F16, KvPrecision::Int8]);
    assert!(precision("int4").is_err_and(|fault| fault.to_string().contains("int8")));
}
