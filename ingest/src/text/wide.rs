//! Encodings of two and four bytes a character, with and without a byte order mark.

use std::borrow::Cow;

/// So many bytes tell.
const HEAD: usize = 4096;
/// Fewer say nothing.
const FEWEST: usize = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wide {
    Utf16Little,
    Utf16Big,
    Utf32Little,
    Utf32Big,
}

/// Whether text in one of these encodings is what these bytes seem to be.
pub(crate) fn is_wide(bytes: &[u8]) -> bool {
    Wide::of(bytes).is_some()
}

impl Wide {
    /// By the mark, else by where the zeros stand: most letters of most languages have one in the same place.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            // Before UTF-16, whose mark this one begins with.
            [0xff, 0xfe, 0, 0, ..] => return Some(Self::Utf32Little),
            [0, 0, 0xfe, 0xff, ..] => return Some(Self::Utf32Big),
            [0xff, 0xfe, ..] => return Some(Self::Utf16Little),
            [0xfe, 0xff, ..] => return Some(Self::Utf16Big),
            _ => {}
        }
        let head = bytes.get(..bytes.len().min(HEAD) / 4 * 4)?;
        if head.len() < FEWEST {
            return None;
        }
        let quarter = head.len() / 4;
        let zeros = |place: usize| head.iter().skip(place).step_by(4).filter(|byte| **byte == 0).count();
        let zeros = [zeros(0), zeros(1), zeros(2), zeros(3)];
        // Nearly all, and nearly none.
        let places = zeros.map(|count| match count {
            count if count * 10 >= quarter * 7 => Some(true),
            count if count * 10 <= quarter => Some(false),
            _ => None,
        });
        match places {
            [Some(false), Some(true), Some(false), Some(true)] => Some(Self::Utf16Little),
            [Some(true), Some(false), Some(true), Some(false)] => Some(Self::Utf16Big),
            [Some(false), _, Some(true), Some(true)] => Some(Self::Utf32Little),
            [Some(true), Some(true), _, Some(false)] => Some(Self::Utf32Big),
            _ => None,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Utf16Little => "UTF-16LE",
            Self::Utf16Big => "UTF-16BE",
            Self::Utf32Little => "UTF-32LE",
            Self::Utf32Big => "UTF-32BE",
        }
    }

    /// The text behind the mark; none where the bytes are no such text.
    pub(super) fn decode(self, bytes: &[u8]) -> Option<String> {
        let text = match self {
            Self::Utf16Little => whole(encoding_rs::UTF_16LE.decode_without_bom_handling(bytes)),
            Self::Utf16Big => whole(encoding_rs::UTF_16BE.decode_without_bom_handling(bytes)),
            Self::Utf32Little => four(bytes, u32::from_le_bytes),
            Self::Utf32Big => four(bytes, u32::from_be_bytes),
        }?;
        Some(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
    }
}

fn whole((text, broken): (Cow<'_, str>, bool)) -> Option<String> {
    (!broken).then(|| text.into_owned())
}

fn four(bytes: &[u8], number: fn([u8; 4]) -> u32) -> Option<String> {
    let (chunks, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return None;
    }
    chunks.iter().map(|chunk| char::from_u32(number(*chunk))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn told_by_mark_or_zeros() {
        let text = "Plain words, 1815 of them; and 中文 too.\n";
        let utf16 = |little: bool| -> Vec<u8> {
            text.encode_utf16().flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect()
        };
        let utf32 = |little: bool| -> Vec<u8> {
            text.chars()
                .flat_map(|char| if little { u32::from(char).to_le_bytes() } else { u32::from(char).to_be_bytes() })
                .collect()
        };
        for (bytes, wide, mark) in [
            (utf16(true), Wide::Utf16Little, vec![0xff, 0xfe]),
            (utf16(false), Wide::Utf16Big, vec![0xfe, 0xff]),
            (utf32(true), Wide::Utf32Little, vec![0xff, 0xfe, 0, 0]),
            (utf32(false), Wide::Utf32Big, vec![0, 0, 0xfe, 0xff]),
        ] {
            let marked: Vec<u8> = mark.into_iter().chain(bytes.iter().copied()).collect();
            for bytes in [bytes, marked] {
                assert_eq!(Wide::of(&bytes), Some(wide));
                assert_eq!(wide.decode(&bytes).as_deref(), Some(text), "{wide:?}");
            }
        }
        for other in
            [text.as_bytes(), b"a\0b".as_slice(), &[0; 64], &[1, 2, 3, 0, 1, 0, 7, 0, 9, 9, 9, 9, 0, 0, 0, 0, 1, 1]]
        {
            assert_eq!(Wide::of(other), None);
        }
    }
}
