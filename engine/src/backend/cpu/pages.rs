//! Memory for weights: in large pages where the system has them, each piece at the start of a cache line.
//!
//! Every weight is read once a token, so that each small page costs a walk through the page tables and a fresh start of the
//! processor's looking ahead: with large ones one row is multiplied about a tenth faster.

#![allow(unsafe_code, reason = "pieces of one mapping are written by their owners")]

use memmap2::{MmapMut, MmapRaw};
use std::{
    io,
    ops::{Deref, DerefMut},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Bytes of a mapping. Those that nobody takes are never backed by memory.
const MAPPING: usize = 64 << 20;
/// Bytes of a cache line.
const LINE: usize = 64;

/// Hands out pieces.
#[derive(Debug, Default)]
pub struct Arena(Mutex<Option<Arc<Mapping>>>);

#[derive(Debug)]
struct Mapping {
    map: MmapRaw,
    taken: AtomicUsize,
}

/// A piece, all zeros at first.
#[derive(Debug)]
pub struct Piece {
    mapping: Arc<Mapping>,
    start: usize,
    len: usize,
}

impl Arena {
    /// A piece of so many bytes.
    ///
    /// # Errors
    /// When the system has no room left.
    pub fn take(&self, len: usize) -> io::Result<Piece> {
        let mut current = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(piece) = current.as_ref().and_then(|mapping| Mapping::take(mapping, len)) {
            return Ok(piece);
        }
        let mapping = Arc::new(Mapping::new(len.max(MAPPING))?);
        let piece = Mapping::take(&mapping, len);
        *current = Some(mapping);
        piece.ok_or_else(|| io::Error::other("a new mapping has no room"))
    }
}

impl Mapping {
    fn new(len: usize) -> io::Result<Self> {
        let map = MmapMut::map_anon(len)?;
        // A system without large pages says so here, and is none the worse for it.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Self { map: map.into(), taken: AtomicUsize::new(0) })
    }

    fn take(this: &Arc<Self>, len: usize) -> Option<Piece> {
        let room = len.next_multiple_of(LINE);
        let take = |taken: usize| taken.checked_add(room).filter(|end| *end <= this.map.len().next_multiple_of(LINE));
        let start = this.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).ok()?;
        Some(Piece { mapping: Arc::clone(this), start, len })
    }
}

impl Deref for Piece {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: `start + len` is within the mapping, which lives as long as the piece; no other piece has these bytes, and they
        // are only written through `&mut self`.
        unsafe { std::slice::from_raw_parts(self.mapping.map.as_ptr().add(self.start), self.len) }
    }
}

impl DerefMut for Piece {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and `&mut self` is the only way to them.
        unsafe { std::slice::from_raw_parts_mut(self.mapping.map.as_mut_ptr().add(self.start), self.len) }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
    use super::*;

    #[test]
    fn pieces_are_apart_aligned_and_outlive_their_arena() {
        let arena = Arena::default();
        let mut pieces: Vec<Piece> = (0..200).map(|number| arena.take(number * 37).unwrap()).collect();
        pieces.push(arena.take(MAPPING + 1).unwrap());
        drop(arena);
        for (number, piece) in pieces.iter_mut().enumerate() {
            assert!(piece.iter().all(|byte| *byte == 0) && piece.as_ptr().addr().is_multiple_of(LINE));
            piece.fill(number as u8 | 1);
        }
        for (number, piece) in pieces.iter().enumerate() {
            assert!(piece.iter().all(|byte| *byte == number as u8 | 1));
        }
        assert_eq!(pieces[200].len(), MAPPING + 1);
    }
}
