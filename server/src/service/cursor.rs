//! Where the next page begins.

use super::ServiceError;
use std::{fmt, str::FromStr};

/// The place behind the last item of a page: `<epoch>.<key in hexadecimal>`. Valid within its epoch, so that pages never
/// mix two states of the knowledge base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    epoch: u64,
    after: Vec<u8>,
}

impl Cursor {
    /// The place behind the item with this key in this epoch.
    pub fn new(epoch: u64, after: &[u8]) -> Self {
        Self { epoch, after: after.to_vec() }
    }

    /// One page out of `items`, which are sorted by `key`: those behind the cursor, `limit` at most, and the next cursor.
    pub fn page<'a, T>(
        cursor: Option<&Self>,
        epoch: u64,
        items: &'a [T],
        limit: usize,
        key: impl Fn(&T) -> &[u8],
    ) -> Result<(&'a [T], Option<Self>), ServiceError> {
        let start = match cursor {
            Some(Self { epoch: then, .. }) if *then != epoch => {
                return Err(ServiceError::StaleCursor { then: *then, now: epoch });
            }
            Some(Self { after, .. }) => items.partition_point(|item| key(item) <= after.as_slice()),
            None => 0,
        };
        let rest = items.get(start..).unwrap_or_default();
        let page = rest.get(..limit).unwrap_or(rest);
        let next = page.last().filter(|_| page.len() < rest.len()).map(|last| Self::new(epoch, key(last)));
        Ok((page, next))
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.", self.epoch)?;
        self.after.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}

impl FromStr for Cursor {
    type Err = ServiceError;

    fn from_str(text: &str) -> Result<Self, ServiceError> {
        let parsed = || {
            let (epoch, hex) = text.split_once('.')?;
            let digits = hex.as_bytes();
            let byte = |pair: &[u8]| {
                let plain = pair.len() == 2 && pair.iter().all(u8::is_ascii_hexdigit);
                plain.then(|| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).flatten()
            };
            Some(Self { epoch: epoch.parse().ok()?, after: digits.chunks(2).map(byte).collect::<Option<_>>()? })
        };
        let fault = || "is not one that a page gave as `next`; begin again without it".to_owned();
        parsed().ok_or_else(|| ServiceError::Parameter { name: "cursor", fault: fault() })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
    use super::*;

    #[test]
    fn pages_cover_everything_once() {
        let items: Vec<[u8; 2]> = (0..7).map(|number| [9, number]).collect();
        for limit in 1..9 {
            let mut seen = Vec::new();
            let mut cursor: Option<Cursor> = None;
            loop {
                let (page, next) = Cursor::page(cursor.as_ref(), 5, &items, limit, |item| item).unwrap();
                seen.extend_from_slice(page);
                let Some(next) = next else { break };
                cursor = Some(next.to_string().parse().unwrap());
            }
            assert_eq!(seen, items, "limit {limit}");
        }
        let stale = Cursor::page(Some(&Cursor::new(4, &[9])), 5, &items, 1, |item| item);
        assert!(matches!(stale, Err(ServiceError::StaleCursor { then: 4, now: 5 })));
    }

    #[test]
    fn what_is_no_cursor() {
        for text in ["", "5", "5.0", "5.zz", "x.00", "-1.00", "5.+1", "5.é0", "99999999999999999999.00"] {
            assert!(text.parse::<Cursor>().is_err(), "{text}");
        }
        assert_eq!("5.00ff".parse::<Cursor>().unwrap(), Cursor::new(5, &[0, 255]));
        assert_eq!("5.".parse::<Cursor>().unwrap(), Cursor::new(5, &[]));
    }
}
