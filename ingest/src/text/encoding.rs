//! Bytes to text.
//!
//! A citation is a byte range that people and programs read as UTF-8. So a UTF-8 file (with or without byte order mark) is
//! stored as it is and its ranges are ranges of the file; a file in any other encoding is stored *as UTF-8*, its ranges are
//! ranges of that text, and its media type says so (`text/plain;transcoded-from=gbk`).

use super::line_of;
use super::wide::Wide;
use encoding_rs::Encoding;
use std::cell::OnceCell;

/// Text with the bytes it stands for.
pub(crate) struct Decoded {
    /// The whole source as UTF-8, byte order mark included: what is stored, and what spans are ranges of.
    pub(crate) text: String,
    /// Where the content begins: behind the byte order mark.
    pub(crate) start: usize,
    /// The encoding of the file, when it was not UTF-8.
    pub(crate) from: Option<&'static str>,
    /// Where its lines begin, told when first asked for.
    lines: OnceCell<Vec<usize>>,
}

impl Decoded {
    pub(crate) fn new(text: String, start: usize, from: Option<&'static str>) -> Self {
        Self { text, start, from, lines: OnceCell::new() }
    }

    /// The line, from 1, in which byte `at` stands.
    pub(crate) fn line(&self, at: usize) -> u32 {
        let starts = self.lines.get_or_init(|| {
            let behind = self.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
            std::iter::once(0).chain(behind).collect()
        });
        u32::try_from(starts.partition_point(|start| *start <= at)).unwrap_or(u32::MAX)
    }
}

/// Why bytes are no text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum DecodeFault {
    /// NUL bytes or many control characters.
    #[error("binary data (byte {at} is no text character); give a text file, or export it as text, CSV or Turtle")]
    Binary { at: usize },
    /// UTF-8 that breaks off.
    #[error("line {line}: byte {at} is not valid UTF-8; save the file as UTF-8")]
    BrokenUtf8 { line: u32, at: usize },
    /// No encoding fits.
    #[error("the encoding is not known (it reads badly as {guess}); save the file as UTF-8")]
    Unknown { guess: &'static str },
}

/// What control characters say of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Controls {
    /// NUL or many others: it is no text.
    Doubtful,
    /// Nothing, in valid UTF-8: the format's own grammar says where they may stand.
    Judged,
}

/// Decodes a whole file.
pub(crate) fn decode(bytes: Vec<u8>, controls: Controls) -> Result<Decoded, DecodeFault> {
    if let Some(wide) = Wide::of(&bytes) {
        let text = wide.decode(&bytes).ok_or(DecodeFault::Unknown { guess: wide.name() })?;
        return checked(Decoded::new(text, 0, Some(wide.name())));
    }
    match String::from_utf8(bytes) {
        Ok(text) => {
            let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
            let decoded = Decoded::new(text, start, None);
            if controls == Controls::Judged { Ok(decoded) } else { checked(decoded) }
        }
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let bytes = error.into_bytes();
            if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
                return Err(DecodeFault::Binary { at });
            }
            if mostly_utf8(&bytes) {
                let valid = bytes.get(..at).map(String::from_utf8_lossy).unwrap_or_default();
                return Err(DecodeFault::BrokenUtf8 { line: line_of(&valid, at), at });
            }
            let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
            detector.feed(&bytes, true);
            transcode(&bytes, detector.guess(None, chardetng::Utf8Detection::Deny)).and_then(checked)
        }
    }
}

fn transcode(bytes: &[u8], encoding: &'static Encoding) -> Result<Decoded, DecodeFault> {
    let (text, broken) = encoding.decode_without_bom_handling(bytes);
    if broken {
        return Err(DecodeFault::Unknown { guess: encoding.name() });
    }
    Ok(Decoded::new(text.into_owned(), 0, Some(encoding.name())))
}

/// Refuses what decodes and yet is no text: every byte is some character in the one-byte encodings.
fn checked(decoded: Decoded) -> Result<Decoded, DecodeFault> {
    let control = |char: char| char.is_control() && !matches!(char, '\t' | '\n' | '\r' | '\u{c}' | '\u{85}');
    let odd = decoded.text.chars().filter(|char| control(*char)).count();
    let binary = decoded.text.contains('\0') || odd * 100 > decoded.text.len();
    match decoded.text.char_indices().find(|(_, char)| control(*char)) {
        Some((at, _)) if binary => Err(DecodeFault::Binary { at }),
        _ => Ok(decoded),
    }
}

/// Whether the multi-byte sequences that are right outnumber the wrong ones by far: a damaged UTF-8 file must not be read as
/// some other encoding, which would turn its words into others.
fn mostly_utf8(bytes: &[u8]) -> bool {
    let (mut good, mut bad) = (0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().chars().filter(|char| !char.is_ascii()).count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    good > 4 * bad
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
    use super::*;

    fn utf16(text: &str, little: bool) -> Vec<u8> {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        units.flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect()
    }

    #[test]
    fn texts() {
        let chinese = "苹果公司的总部位于库比蒂诺。公司由史蒂夫创立，研发费用为二百亿美元。";
        let gbk = encoding_rs::GBK.encode(chinese).0.into_owned();
        for (bytes, text, start, from) in [
            ("plain ü".as_bytes().to_vec(), "plain ü", 0, None),
            ("\u{feff}bom".as_bytes().to_vec(), "\u{feff}bom", 3, None),
            (utf16("a,b", true), "a,b", 0, Some("UTF-16LE")),
            (utf16("收入", false), "收入", 0, Some("UTF-16BE")),
            (gbk, chinese, 0, Some("GBK")),
            (
                b"Z\xfcrich is a city in Switzerland.".to_vec(),
                "Zürich is a city in Switzerland.",
                0,
                Some("windows-1252"),
            ),
        ] {
            let decoded = decode(bytes, Controls::Doubtful).unwrap_or_else(|fault| panic!("{text}: {fault}"));
            assert_eq!((decoded.text.as_str(), decoded.start, decoded.from), (text, start, from));
        }
    }

    #[test]
    fn refusals() {
        let mut damaged = "Größe\nmäßig schön: ä ö ü".as_bytes().to_vec();
        damaged.push(0xff);
        for (bytes, expected) in [
            (b"PK\x03\x04\0\0".to_vec(), "binary"),
            (b"\x7fELF\xff\0".to_vec(), "binary"),
            ((1..=31).collect(), "binary"),
            (damaged, "line 2: byte 32 is not valid UTF-8"),
        ] {
            let fault = decode(bytes, Controls::Doubtful).err().map(|fault| fault.to_string()).unwrap_or_default();
            assert!(fault.contains(expected), "{fault}");
        }
    }
}
