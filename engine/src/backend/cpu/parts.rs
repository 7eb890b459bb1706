//! A matrix that several tasks write, each its own part.

#![allow(unsafe_code, reason = "parts are not slices: a task has some columns of some rows")]

use super::matrix::Matrix;
use std::marker::PhantomData;

/// The values of a matrix that is borrowed for writing.
pub struct Target<'a> {
    values: *mut f32,
    matrix: PhantomData<&'a mut Matrix>,
}

// SAFETY: tasks write disjoint ranges through `write` and nobody reads before all of them are done: the matrix stays borrowed.
unsafe impl Sync for Target<'_> {}
// SAFETY: as for Sync; the pointer is not tied to a thread.
unsafe impl Send for Target<'_> {}

impl<'a> Target<'a> {
    pub fn new(matrix: &'a mut Matrix) -> Self {
        Self { values: matrix.values.as_mut_ptr(), matrix: PhantomData }
    }

    /// # Safety
    /// `offset..offset + values.len()` lies in the matrix and no other task writes there.
    pub unsafe fn write(&self, offset: usize, values: &[f32]) {
        // SAFETY: passed on from the caller; `values` is a local of the task and cannot overlap the matrix.
        unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), self.values.add(offset), values.len()) }
    }

    /// [`write`](Self::write) of the first `width` of a panel's N values: a whole panel goes without a call.
    ///
    /// # Safety
    /// As there, of `width` values, at most N.
    pub unsafe fn write_panel<const N: usize>(&self, offset: usize, values: &[f32; N], width: usize) {
        // SAFETY: passed on from the caller.
        unsafe {
            if width == N {
                self.values.add(offset).cast::<[f32; N]>().write_unaligned(*values);
            } else {
                self.write(offset, &values[..width]);
            }
        }
    }
}
