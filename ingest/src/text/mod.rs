//! Bytes to characters to sentences, with the way back kept.

mod encoding;
mod letters;
mod sentences;

pub(crate) use encoding::{Decoded, decode};
pub(crate) use letters::{Letters, is_cjk, is_ideograph};
pub(crate) use sentences::sentences;

/// The line (from 1) in which byte `at` of `text` stands.
pub(crate) fn line_of(text: &str, at: usize) -> u32 {
    let newlines = text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count();
    u32::try_from(newlines).unwrap_or(u32::MAX).saturating_add(1)
}
