//! Bytes to characters to sentences, with the way back kept.

mod encoding;
mod letters;
mod sentences;
mod wide;

pub(crate) use encoding::{Controls, Decoded, decode};
pub(crate) use letters::{Letters, is_cjk, is_ideograph};
pub(crate) use sentences::sentences;
pub(crate) use wide::is_wide;

/// The line (from 1) in which byte `at` of `text` stands.
pub(crate) fn line_of(text: &str, at: usize) -> u32 {
    let newlines = text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count();
    u32::try_from(newlines).unwrap_or(u32::MAX).saturating_add(1)
}

/// Line and column, in characters and both from 1, of byte `at`.
pub(crate) fn line_and_column(text: &str, at: usize) -> (u64, u64) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or_default();
    (
        u64::from(line_of(before, before.len())),
        u64::try_from(line.chars().count()).unwrap_or(u64::MAX).saturating_add(1),
    )
}
