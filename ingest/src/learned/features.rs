//! Features as numbers: the hash of what they say.

use std::collections::HashMap;

/// A feature.
pub(super) type Feature = u64;

/// FNV-1a over the parts, with an end after each: the same in every process and version, unlike the standard library's.
pub(super) fn feature(parts: &[&str]) -> Feature {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for part in parts {
        for byte in part.as_bytes().iter().chain(&[0xff]) {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}

/// Features with small numbers, in the order in which they came.
#[derive(Default)]
pub(super) struct Dictionary {
    numbers: HashMap<Feature, usize>,
}

impl Dictionary {
    /// Those that several instances have: one that came once says no more than that instance.
    pub(super) fn of_frequent<'f>(instances: impl Iterator<Item = &'f Vec<Feature>>, least: usize) -> Self {
        let mut counts: HashMap<Feature, usize> = HashMap::new();
        let mut order = Vec::new();
        for feature in instances.flatten() {
            let count = counts.entry(*feature).or_default();
            *count += 1;
            if *count == least {
                order.push(*feature);
            }
        }
        Self { numbers: order.into_iter().zip(0..).collect() }
    }

    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The numbers of the features that are known.
    pub(super) fn numbers<'a>(&'a self, features: &'a [Feature]) -> impl Iterator<Item = usize> + 'a {
        features.iter().filter_map(|feature| self.numbers.get(feature).copied())
    }
}

/// A fixed order that looks like none, the same on every machine (splitmix64).
pub(super) struct Shuffle(pub(super) u64);

impl Shuffle {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let bound = u64::try_from(last + 1).unwrap_or(u64::MAX);
            let other = usize::try_from(self.next() % bound).unwrap_or(0);
            items.swap(last, other);
        }
    }
}
