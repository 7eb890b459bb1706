//! The hash that a block is found by.

use super::KvPrecision;
use crate::model::{ModelHash, Rope};
use sha2::{Digest, Sha256};
use std::fmt;

/// Everything that a block's keys and values depend on, and whose they are.
#[derive(Clone, Copy, Debug)]
pub struct BlockIdentity<'a> {
    /// Whose block it is. Tenants never share blocks, equal text or not.
    pub tenant: &'a str,
    /// The model's file.
    pub model: ModelHash,
    /// Version of the kernels' arithmetic, [`LanguageModel::numerics`](crate::model::LanguageModel::numerics).
    pub numerics: u32,
    /// Rounding of keys and values.
    pub precision: KvPrecision,
    /// Rotary parameters.
    pub rope: &'a Rope,
    /// Tokens that the block's tokens saw before them: the shared prefix.
    pub prefix: &'a [u32],
    /// Version of the domain lexicon that cut the text into tokens.
    pub lexicon: u32,
    /// The block's own tokens.
    pub tokens: &'a [u32],
}

/// SHA-256 over a [`BlockIdentity`]: equal keys mean equal keys and values, so a changed fact makes a new key.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockKey([u8; 32]);

impl BlockIdentity<'_> {
    /// The hash. Each field goes in with its length before it, so that no two identities read the same.
    #[must_use]
    pub fn key(&self) -> BlockKey {
        let mut hash = Sha256::new();
        let mut field = |bytes: &[u8]| {
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        field(b"factmask block 1");
        field(self.tenant.as_bytes());
        field(&self.model.0);
        field(&self.numerics.to_le_bytes());
        field(&[match self.precision {
            KvPrecision::F32 => 0,
            KvPrecision::F16 => 1,
            KvPrecision::Int8 => 2,
        }]);
        field(&self.rope.identity());
        field(&bytes(self.prefix));
        field(&self.lexicon.to_le_bytes());
        field(&bytes(self.tokens));
        BlockKey(hash.finalize().into())
    }
}

fn bytes(tokens: &[u32]) -> Vec<u8> {
    tokens.iter().flat_map(|token| token.to_le_bytes()).collect()
}

impl fmt::Display for BlockKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for BlockKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BlockKey({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Pairing;
    use std::collections::HashSet;

    #[test]
    fn every_field_makes_another_key() {
        let rope = Rope::new(1e5, 64, Pairing::Interleaved);
        let halves = Rope::new(1e5, 64, Pairing::Halves);
        let base = Rope::new(1e4, 64, Pairing::Interleaved);
        let identity = BlockIdentity {
            tenant: "a",
            model: ModelHash([1; 32]),
            numerics: 1,
            precision: KvPrecision::F16,
            rope: &rope,
            prefix: &[1, 2],
            lexicon: 0,
            tokens: &[3],
        };
        let keys: HashSet<_> = [
            identity,
            BlockIdentity { tenant: "b", ..identity },
            BlockIdentity { tenant: "", ..identity },
            BlockIdentity { model: ModelHash([2; 32]), ..identity },
            BlockIdentity { numerics: 2, ..identity },
            BlockIdentity { precision: KvPrecision::F32, ..identity },
            BlockIdentity { rope: &halves, ..identity },
            BlockIdentity { rope: &base, ..identity },
            BlockIdentity { prefix: &[1], tokens: &[2, 3], ..identity },
            BlockIdentity { prefix: &[], tokens: &[1, 2, 3], ..identity },
            BlockIdentity { lexicon: 1, ..identity },
            BlockIdentity { tokens: &[4], ..identity },
        ]
        .iter()
        .map(BlockIdentity::key)
        .collect();
        assert_eq!(keys.len(), 12);
        assert_eq!(identity.key(), identity.key());
    }
}
