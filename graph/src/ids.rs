//! Identifiers as types.

use crate::{GraphError, Statement, canonical};
use factmask_schema::normal::fold;
use factmask_schema::{Iri, local_name, percent_decode};
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;

/// A tenant: 1 to 64 of `a-z`, `0-9`, `-` and `_`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TenantId(pub(crate) String);

/// A document's identity within its tenant: a relative path or a name given by the caller; not empty, under 1,024 bytes, no
/// control characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DocumentId(pub(crate) String);

/// SHA-256 of a document's bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentHash(pub [u8; 32]);

/// First 16 bytes of the SHA-256 of a statement's canonical form.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FactId(pub [u8; 16]);

/// An entity's number within one [`Snapshot`](crate::Snapshot).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntityId(pub u32);

impl TenantId {
    /// Checks a tenant's name, which becomes a folder's name.
    pub fn new(name: impl Into<String>) -> Result<Self, GraphError> {
        let name = name.into();
        let plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_');
        match (1..=64).contains(&name.len()) && name.bytes().all(plain) {
            true => Ok(Self(name)),
            false => Err(GraphError::InvalidTenant { name: shown(&name) }),
        }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl DocumentId {
    /// Checks a document's name.
    pub fn new(name: impl Into<String>) -> Result<Self, GraphError> {
        let name = name.into();
        match (1..1024).contains(&name.len()) && !name.contains(char::is_control) {
            true => Ok(Self(name)),
            false => Err(GraphError::InvalidDocumentId { name: shown(&name) }),
        }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The named graph that holds what this document states.
    pub fn graph_iri(&self, tenant: &TenantId) -> Iri {
        Iri::new_unchecked(format!("urn:factmask:document:{tenant}:{}", percent_encode(&self.0)))
    }
}

impl ContentHash {
    /// The hash of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }
}

impl FactId {
    /// The id of a statement: equal statements have equal ids, whoever made them, and whatever words they were written in.
    pub fn of(statement: &Statement) -> Self {
        let digest: [u8; 32] = Sha256::digest(canonical::bytes(statement)).into();
        let mut id = [0; 16];
        id.iter_mut().zip(digest).for_each(|(to, from)| *to = from);
        Self(id)
    }
}

impl EntityId {
    /// Its position in [`Snapshot::entities`](crate::Snapshot::entities).
    pub fn index(self) -> usize {
        // A u32 fits into usize on every platform that this runs on.
        self.0 as usize
    }
}

/// What minted IRIs begin with.
const MINTED: &str = "urn:factmask:entity:";

/// The IRI of an entity that documents name and do not identify: `urn:factmask:entity:<class>:<key>`, from the class's local
/// name and the key in its normal form. The same class and key give the same IRI in every document.
pub fn mint(class: &Iri, key: &str) -> Iri {
    let class = percent_encode(local_name(class.as_str()));
    Iri::new_unchecked(format!("{MINTED}{class}:{}", percent_encode(&fold(key))))
}

/// Whether an entity's IRI was made by [`mint`], so that its name or key is all that tells it from others.
pub fn is_minted(iri: &Iri) -> bool {
    iri.as_str().starts_with(MINTED)
}

/// The name or key, in its normal form, that [`mint`] made an IRI from.
pub(crate) fn minted_key(iri: &Iri) -> Option<String> {
    let (_, key) = iri.as_str().strip_prefix(MINTED)?.split_once(':')?;
    Some(percent_decode(key))
}

/// Everything but unreserved ASCII (RFC 3986) and `/` becomes `%XX`; `:` too, so that parts of an IRI stay apart.
fn percent_encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/') {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// A name from outside in an error message: short, and without what a terminal would act on.
fn shown(name: &str) -> String {
    let start: String = name.chars().take(40).flat_map(char::escape_debug).collect();
    if name.chars().nth(40).is_some() { format!("{start}…") } else { start }
}

impl fmt::Display for TenantId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl fmt::Display for DocumentId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// Hexadecimal, in and out, for a fixed number of bytes.
macro_rules! hex {
    ($name:ident) => {
        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, out)
            }
        }

        impl FromStr for $name {
            type Err = GraphError;

            fn from_str(text: &str) -> Result<Self, GraphError> {
                from_hex(text).map(Self).ok_or_else(|| GraphError::InvalidHash { text: shown(text) })
            }
        }
    };
}

hex!(ContentHash);
hex!(FactId);

fn from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = text.as_bytes();
    if digits.len() != N * 2 || !digits.iter().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')) {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
mod tests {
    use super::*;

    #[test]
    fn tenants() {
        for (name, valid) in [("a", true), ("acme-2_x", true), (&"a".repeat(64), true), ("", false), ("Acme", false)] {
            assert_eq!(TenantId::new(name).is_ok(), valid, "{name}");
        }
        for name in ["..", "a/b", "a b", "\u{0}", "ä", &"a".repeat(65)] {
            assert!(TenantId::new(name).is_err(), "{name}");
        }
    }

    #[test]
    fn documents() {
        let tenant = TenantId::new("t").unwrap();
        for (name, expected) in [
            ("reports/apple 2023.csv", "urn:factmask:document:t:reports/apple%202023.csv"),
            ("研发", "urn:factmask:document:t:%E7%A0%94%E5%8F%91"),
            ("a:b<c>", "urn:factmask:document:t:a%3Ab%3Cc%3E"),
        ] {
            let iri = DocumentId::new(name).unwrap().graph_iri(&tenant);
            assert_eq!(iri.as_str(), expected);
            assert!(Iri::new(iri.as_str()).is_ok(), "{iri}");
        }
        for name in ["", "a\nb", &"a".repeat(1024)] {
            assert!(DocumentId::new(name).is_err(), "{name}");
        }
    }

    #[test]
    fn minted() {
        let class = Iri::new("http://example.com/schema#Company").unwrap();
        for key in ["Apple Inc.", "  apple   INC. ", "ＡＰＰＬＥ Inc."] {
            assert_eq!(mint(&class, key).as_str(), "urn:factmask:entity:Company:apple%20inc.", "{key}");
        }
        assert!(Iri::new(mint(&class, "苹果\u{0}<>\"").as_str()).is_ok());
    }

    #[test]
    fn hex_round_trips() {
        let hash = ContentHash::of(b"abc");
        assert_eq!(hash.to_string(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(hash.to_string().parse::<ContentHash>().unwrap(), hash);
        for wrong in ["", "ba", &"g".repeat(64), &"é".repeat(32)] {
            assert!(wrong.parse::<ContentHash>().is_err(), "{wrong}");
        }
    }
}
