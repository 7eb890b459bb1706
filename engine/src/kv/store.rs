//! Blocks in memory: what nobody has asked for is given up first, then the longest unused.

use super::{BlockKey, KeyValues};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

/// The part of its room that a store fills with blocks that nobody has asked for yet, as numerator and denominator. Three quarters:
/// the cards of questions that were not foreseen find a quarter free, which with SmolLM2 and the default room is some 250 cards.
const AHEAD: (usize, usize) = (3, 4);

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
    /// Those of them that were encoded ahead and that nobody has asked for yet.
    pub ahead: usize,
    /// Memory that they take.
    pub bytes: usize,
}

/// Holds blocks up to a number of bytes. Shared between threads; a block in use outlives its eviction.
///
/// Blocks are [asked for](Self::get) by questions or encoded [ahead](Self::insert_ahead) of them. Those encoded ahead evict none, and are
/// the first to be given up, so that a block that a question has used stays as long as if nothing were encoded ahead.
#[derive(Debug)]
pub struct BlockStore {
    budget: usize,
    shelves: Mutex<Shelves>,
}

#[derive(Debug, Default)]
struct Shelves {
    blocks: HashMap<BlockKey, (Arc<Block>, Claim)>,
    /// In the order in which they are given up; claims are unique.
    by_claim: BTreeMap<Claim, BlockKey>,
    clock: u64,
    stats: StoreStats,
}

/// A block's claim to its room; the least is given up first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Claim {
    /// Encoded ahead at this time and not asked for yet. What is expected most is encoded first, so the latest goes first.
    Ahead(Reverse<u64>),
    /// Asked for at this time, and not since.
    Asked(u64),
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
        let (bytes, block) = (block.bytes(), Arc::new(block));
        if bytes > self.budget {
            return block;
        }
        while shelves.stats.bytes + bytes > self.budget && shelves.give_up_first() {}
        let claim = Claim::Asked(shelves.tick());
        shelves.put(Arc::clone(&block), claim);
        block
    }

    /// Keeps a block that nobody has asked for, where there is room for it without giving up any other. Whether it is there now.
    pub fn insert_ahead(&self, block: Block) -> bool {
        let mut shelves = self.lock();
        if shelves.blocks.contains_key(&block.key) {
            return true;
        }
        if shelves.stats.bytes + block.bytes() > self.room_ahead() {
            return false;
        }
        let claim = Claim::Ahead(Reverse(shelves.tick()));
        shelves.put(Arc::new(block), claim);
        true
    }

    /// The block with this key, without asking for it: neither counted nor marked used.
    #[must_use]
    pub fn peek(&self, key: &BlockKey) -> Option<Arc<Block>> {
        self.lock().blocks.get(key).map(|(block, _)| Arc::clone(block))
    }

    /// Gives up those of these blocks that were encoded ahead and that nobody has asked for: nobody is expected to any more.
    pub fn discard_ahead(&self, keys: impl IntoIterator<Item = BlockKey>) {
        let mut shelves = self.lock();
        for key in keys {
            if let Some((_, claim @ Claim::Ahead(_))) = shelves.blocks.get(&key) {
                let claim = *claim;
                shelves.give_up(claim);
            }
        }
    }

    /// Bytes up to which blocks are encoded ahead, those counted that questions have asked for.
    #[must_use]
    pub fn room_ahead(&self) -> usize {
        let (part, of) = AHEAD;
        self.budget / of * part
    }

    /// Bytes that it holds at most.
    #[must_use]
    pub fn room(&self) -> usize {
        self.budget
    }

    /// What it has done and holds.
    #[must_use]
    pub fn stats(&self) -> StoreStats {
        let shelves = self.lock();
        let ahead = shelves.by_claim.range(..Claim::Asked(0)).count();
        StoreStats { blocks: shelves.blocks.len(), ahead, ..shelves.stats }
    }

    /// A thread that panicked while holding the lock left at worst a block that is found but never evicted.
    fn lock(&self) -> std::sync::MutexGuard<'_, Shelves> {
        self.shelves.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shelves {
    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    fn touch(&mut self, key: &BlockKey) -> Option<Arc<Block>> {
        let now = Claim::Asked(self.tick());
        let (block, claim) = self.blocks.get_mut(key)?;
        self.by_claim.remove(claim);
        self.by_claim.insert(now, *key);
        *claim = now;
        Some(Arc::clone(block))
    }

    fn put(&mut self, block: Arc<Block>, claim: Claim) {
        self.stats.bytes += block.bytes();
        self.by_claim.insert(claim, block.key);
        self.blocks.insert(block.key, (block, claim));
    }

    /// Whether there was one to give up.
    fn give_up_first(&mut self) -> bool {
        let Some(first) = self.by_claim.first_key_value().map(|(claim, _)| *claim) else { return false };
        self.give_up(first);
        self.stats.evictions += 1;
        true
    }

    fn give_up(&mut self, claim: Claim) {
        if let Some((block, _)) = self.by_claim.remove(&claim).and_then(|key| self.blocks.remove(&key)) {
            self.stats.bytes -= block.bytes();
        }
    }
}

#[cfg(test)]
mod tests;
