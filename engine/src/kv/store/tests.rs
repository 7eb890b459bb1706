//! What the store keeps, and what it gives up first.

use super::*;
use crate::{
    kv::{BlockIdentity, KvPrecision, Rounded},
    model::{ModelHash, Pairing, Rope},
};

/// A block of 100 tokens: 100 · (2 · 8 · 4 + 4) = 6,800 bytes.
fn block(name: u32) -> Block {
    let rope = Rope::new(1e4, 8, Pairing::Halves);
    let tokens = vec![name; 100];
    let identity = BlockIdentity {
        tenant: "t",
        model: ModelHash([0; 32]),
        numerics: 0,
        precision: KvPrecision::F32,
        rope: &rope,
        prefix: &[],
        lexicon: 0,
        tokens: &tokens,
    };
    let mut kv = KeyValues::empty(1, 8, KvPrecision::F32);
    let values = Rounded::round(&mut [name as f32; 800], 8, KvPrecision::F32);
    kv.set_layer(0, values.clone(), values);
    Block { key: identity.key(), tokens, lines: vec![], kv }
}

#[test]
fn the_longest_unused_goes_first() {
    let store = BlockStore::new(3 * 6_800);
    let keys: Vec<_> = (0..3).map(|name| store.insert(block(name)).key).collect();
    assert!(store.get(&keys[0]).is_some());
    let fourth = store.insert(block(3)).key;
    let there: Vec<_> = [keys[0], keys[1], keys[2], fourth].iter().map(|key| store.get(key).is_some()).collect();
    assert_eq!(there, [true, false, true, true]);
    let expected = StoreStats { hits: 4, misses: 1, evictions: 1, blocks: 3, ahead: 0, bytes: 3 * 6_800 };
    assert_eq!(store.stats(), expected);
}

/// Whatever was encoded ahead and whenever, a block that a question has used is there exactly as long as without it.
#[test]
fn what_is_encoded_ahead_evicts_nothing_that_a_question_used() {
    const ROOM: usize = 8;
    let (plain, warmed) = (BlockStore::new(ROOM * 6_800), BlockStore::new(ROOM * 6_800));
    let mut seed = 7_u64;
    let mut below = |most: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((seed >> 33) % most) as u32
    };
    let mut used = std::collections::HashSet::new();
    for _ in 0..2_000 {
        let name = below(16);
        match below(3) {
            0 => _ = warmed.insert_ahead(block(name)),
            1 => warmed.discard_ahead([block(name).key]),
            _ => {
                for store in [&plain, &warmed] {
                    if store.get(&block(name).key).is_none() {
                        store.insert(block(name));
                    }
                }
                used.insert(name);
            }
        }
        for name in &used {
            let key = block(*name).key;
            assert!(plain.peek(&key).is_none() || warmed.peek(&key).is_some(), "{name}");
        }
        assert!(warmed.stats().bytes <= ROOM * 6_800);
    }
    assert!(plain.stats().evictions > 100 && warmed.stats().ahead <= ROOM * 3 / 4);
}

#[test]
fn ahead_is_only_a_share_and_the_least_expected_goes_first() {
    let store = BlockStore::new(4 * 6_800);
    let kept: Vec<bool> = (0..4).map(|name| store.insert_ahead(block(name))).collect();
    assert_eq!(kept, [true, true, true, false]);
    assert!(store.get(&block(0).key).is_some());
    store.insert(block(4));
    store.insert(block(5));
    let there: Vec<bool> = (0..6).map(|name| store.peek(&block(name).key).is_some()).collect();
    assert_eq!(there, [true, true, false, false, true, true]);
    store.discard_ahead([block(0).key, block(1).key]);
    assert!(store.peek(&block(0).key).is_some(), "a question has used it");
    assert!(store.peek(&block(1).key).is_none());
    assert_eq!(store.stats().ahead, 0);
}

#[test]
fn a_block_that_never_fits_is_only_returned() {
    let store = BlockStore::new(6_799);
    let block = store.insert(block(0));
    assert_eq!(block.kv.len(), 100);
    assert!(store.get(&block.key).is_none());
    assert_eq!(store.stats(), StoreStats { misses: 1, ..StoreStats::default() });
}

#[test]
fn the_same_block_twice_is_one() {
    let store = BlockStore::new(1 << 20);
    let first = store.insert(block(7));
    assert!(Arc::ptr_eq(&first, &store.insert(block(7))));
    assert_eq!(store.stats().bytes, 6_800);
}

#[test]
fn threads_share_it() {
    let store = BlockStore::new(4 * 6_800);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let store = &store;
            scope.spawn(move || {
                for round in 0..200 {
                    let made = block((thread + round) % 8);
                    let key = made.key;
                    let kept = store.insert(made);
                    assert_eq!(kept.key, key);
                    if let Some(found) = store.get(&key) {
                        assert_eq!(found.kv, kept.kv);
                    }
                }
            });
        }
    });
    let stats = store.stats();
    assert!(stats.blocks <= 4 && stats.bytes == stats.blocks * 6_800, "{stats:?}");
}
