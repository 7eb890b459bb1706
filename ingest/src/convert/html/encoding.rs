//! The encoding of a page: by its byte order mark, by what it says of itself, else by its bytes.

use crate::convert::Unreadable;
use crate::text::{Controls, decode as by_bytes, is_wide};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// How far into a page it is looked for what it says of its encoding.
const HEAD: usize = 2048;

pub(super) fn decode(bytes: Vec<u8>) -> Result<String, Unreadable> {
    let declared = if Encoding::for_bom(&bytes).is_some() || is_wide(&bytes) { None } else { declared(&bytes) };
    if let Some(encoding) = declared {
        let (text, broken) = encoding.decode_without_bom_handling(&bytes);
        // A page that is wrong about itself is read by its bytes.
        if !broken {
            return Ok(text.into_owned());
        }
    }
    match by_bytes(bytes, Controls::Judged) {
        Ok(decoded) => Ok(decoded.text.get(decoded.start..).unwrap_or_default().to_owned()),
        Err(fault) => Err(Unreadable::new(fault.to_string())),
    }
}

/// `<meta charset=...>` or the older `<meta http-equiv ... charset=...>`. A page that can be read this far is not in UTF-16,
/// whatever it says (the rule of the HTML standard).
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..HEAD.min(bytes.len()))?;
    let lower = head.to_ascii_lowercase();
    let at = lower.windows(8).position(|window| window == b"charset=")?;
    let behind = lower.get(at + 8..)?;
    let label: Vec<u8> = behind
        .iter()
        .copied()
        .skip_while(|byte| matches!(byte, b'"' | b'\'' | b' '))
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':'))
        .collect();
    let encoding = Encoding::for_label(&label)?;
    Some(if encoding == UTF_16LE || encoding == UTF_16BE { UTF_8 } else { encoding })
}
