//! Blocks in memory, the longest unused one given up first.

use super::{BlockKey, KeyValues};
use std::{
    collections::{BTreeMap, HashMap},
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

/// The keys and values of a card.
#[derive(Debug)]
pub struct Block {
    /// What it is found by.
    pub key: BlockKey,
    /// Its tokens.
    pub tokens: Vec<u32>,
    /// The tokens of each line, in order.
    pub lines: Vec<Range<u32>>,
    /// Keys and values of all tokens.
    pub kv: KeyValues,
}

impl Block {
    /// Memory that the block takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.kv.bytes() + size_of_val(&*self.tokens) + size_of_val(&*self.lines)
    }
}

/// What a store has done so far and holds now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoreStats {
    /// Blocks asked for and found.
    pub hits: u64,
    /// Blocks asked for and not found.
    pub misses: u64,
    /// Blocks given up to make room.
    pub evictions: u64,
    /// Blocks held.
    pub blocks: usize,
    /// Memory that they take.
    pub bytes: usize,
}

/// Holds blocks up to a number of bytes. Shared between threads; a block in use outlives its eviction.
#[derive(Debug)]
pub struct BlockStore {
    budget: usize,
    shelves: Mutex<Shelves>,
}

#[derive(Debug, Default)]
struct Shelves {
    blocks: HashMap<BlockKey, (Arc<Block>, u64)>,
    /// Time of last use to key; times are unique.
    by_use: BTreeMap<u64, BlockKey>,
    clock: u64,
    stats: StoreStats,
}

impl BlockStore {
    /// An empty store that holds up to `budget` bytes.
    #[must_use]
    pub fn new(budget: usize) -> Self {
        Self { budget, shelves: Mutex::default() }
    }

    /// The block with this key, and marks it used.
    #[must_use]
    pub fn get(&self, key: &BlockKey) -> Option<Arc<Block>> {
        let mut shelves = self.lock();
        let found = shelves.touch(key);
        match &found {
            Some(_) => shelves.stats.hits += 1,
            None => shelves.stats.misses += 1,
        }
        found
    }

    /// Keeps a block and gives up others until all fit. A block larger than the whole budget is returned but not kept. When the
    /// key is already there, what is there stays and is returned: equal keys mean equal blocks.
    pub fn insert(&self, block: Block) -> Arc<Block> {
        let mut shelves = self.lock();
        if let Some(there) = shelves.touch(&block.key) {
            return there;
        }
        let (bytes, key, block) = (block.bytes(), block.key, Arc::new(block));
        if bytes > self.budget {
            return block;
        }
        while shelves.stats.bytes + bytes > self.budget {
            let Some((_, oldest)) = shelves.by_use.pop_first() else { break };
            if let Some((old, _)) = shelves.blocks.remove(&oldest) {
                shelves.stats.bytes -= old.bytes();
                shelves.stats.evictions += 1;
            }
        }
        shelves.clock += 1;
        let now = shelves.clock;
        shelves.by_use.insert(now, key);
        shelves.blocks.insert(key, (Arc::clone(&block), now));
        shelves.stats.bytes += bytes;
        block
    }

    /// What it has done and holds.
    #[must_use]
    pub fn stats(&self) -> StoreStats {
        let shelves = self.lock();
        StoreStats { blocks: shelves.blocks.len(), ..shelves.stats }
    }

    /// A thread that panicked while holding the lock left at worst a block that is found but never evicted.
    fn lock(&self) -> std::sync::MutexGuard<'_, Shelves> {
        self.shelves.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shelves {
    fn touch(&mut self, key: &BlockKey) -> Option<Arc<Block>> {
        let (block, used) = self.blocks.get_mut(key)?;
        self.clock += 1;
        self.by_use.remove(used);
        self.by_use.insert(self.clock, *key);
        *used = self.clock;
        Some(Arc::clone(block))
    }
}

#[cfg(test)]
mod tests {
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
        let values = Rounded::new(&[name as f32; 800], 8, KvPrecision::F32);
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
        let expected = StoreStats { hits: 4, misses: 1, evictions: 1, blocks: 3, bytes: 3 * 6_800 };
        assert_eq!(store.stats(), expected);
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
}
