//! Values that several tasks write, each its own part.

#![allow(unsafe_code, reason = "parts are not slices: a task has some columns of some rows")]

use super::{groups::COLUMNS, tile::PANEL};
use std::marker::PhantomData;

/// Values that are borrowed for writing.
pub struct Target<'a> {
    values: *mut f32,
    borrowed: PhantomData<&'a mut [f32]>,
}

// SAFETY: tasks write disjoint ranges through `write` and nobody reads before all of them are done: the values stay borrowed.
unsafe impl Sync for Target<'_> {}
// SAFETY: as for Sync; the pointer is not tied to a thread.
unsafe impl Send for Target<'_> {}

impl<'a> Target<'a> {
    pub fn new(values: &'a mut [f32]) -> Self {
        Self { values: values.as_mut_ptr(), borrowed: PhantomData }
    }

    /// Whole panels go without a call.
    ///
    /// # Safety
    /// `offset..offset + values.len()` lies within the values and no other task writes there.
    #[inline]
    pub unsafe fn write(&self, offset: usize, values: &[f32]) {
        // SAFETY: passed on from the caller; `values` is a local of the task and cannot overlap them.
        unsafe {
            let into = self.values.add(offset);
            if let Ok(panel) = <[f32; COLUMNS]>::try_from(values) {
                into.cast::<[f32; COLUMNS]>().write_unaligned(panel);
            } else if let Ok(panel) = <[f32; PANEL]>::try_from(values) {
                into.cast::<[f32; PANEL]>().write_unaligned(panel);
            } else {
                std::ptr::copy_nonoverlapping(values.as_ptr(), into, values.len());
            }
        }
    }

    /// Asks for the cache line of a value that is written soon: outputs are written line by line in rows far apart, and each line would
    /// have to be fetched first.
    pub fn soon(&self, offset: usize) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: asking for a line reads and writes nothing, wherever it is.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_ET0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_ET0>(self.values.wrapping_add(offset).cast());
        }
    }
}
