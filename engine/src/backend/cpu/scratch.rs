//! Buffers that are used again. A pass needs the same sizes layer after layer; memory fresh from the system costs more in page faults
//! than what is computed in it.

use half::f16;
use std::{
    cell::RefCell,
    ops::{Deref, DerefMut},
};

/// Buffers that a thread keeps; a pass holds about as many at once.
const KEPT: usize = 12;

/// Values in a buffer that the thread gets back when they are dropped.
#[derive(Debug, Default)]
pub struct Scratch<T: Reused> {
    /// May be longer: what is cut off and filled up again would be written twice.
    buffer: Vec<T>,
    len: usize,
}

/// Values whose buffers are kept.
pub trait Reused: Copy + Default + 'static {
    /// The thread's spare buffers; none while the thread ends.
    fn spare<R>(with: impl FnOnce(&mut Vec<Vec<Self>>) -> R) -> Option<R>;
}

macro_rules! reused {
    ($($type:ty),*) => {$(
        impl Reused for $type {
            fn spare<R>(with: impl FnOnce(&mut Vec<Vec<Self>>) -> R) -> Option<R> {
                thread_local!(static SPARE: RefCell<Vec<Vec<$type>>> = const { RefCell::new(Vec::new()) });
                SPARE.try_with(|spare| with(&mut spare.borrow_mut())).ok()
            }
        }
    )*};
}
reused!(f32, f16, u32);

impl<T: Reused> Scratch<T> {
    /// So many values, all of which are still to be written: they are whatever stood there before.
    pub fn to_write(len: usize) -> Self {
        let fitting = T::spare(|spare| {
            let fits = spare.iter().enumerate().filter(|(_, buffer)| buffer.len() >= len);
            let (best, _) = fits.min_by_key(|(_, buffer)| buffer.len())?;
            Some(spare.swap_remove(best))
        });
        Self { buffer: fitting.flatten().unwrap_or_else(|| vec![T::default(); len]), len }
    }
}

impl<T: Reused> Drop for Scratch<T> {
    fn drop(&mut self) {
        let buffer = std::mem::take(&mut self.buffer);
        if buffer.is_empty() {
            return;
        }
        T::spare(|spare| {
            spare.push(buffer);
            if spare.len() > KEPT {
                // The one that has waited longest: sizes follow what is asked for now.
                spare.remove(0);
            }
        });
    }
}

impl<T: Reused> From<Vec<T>> for Scratch<T> {
    fn from(buffer: Vec<T>) -> Self {
        Self { len: buffer.len(), buffer }
    }
}

impl<T: Reused> Clone for Scratch<T> {
    fn clone(&self) -> Self {
        let mut copy = Self::to_write(self.len);
        copy.copy_from_slice(self);
        copy
    }
}

impl<T: Reused + PartialEq> PartialEq for Scratch<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Reused> Deref for Scratch<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.buffer[..self.len]
    }
}

impl<T: Reused> DerefMut for Scratch<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.buffer[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_comes_back_and_the_smallest_that_fits_is_taken() {
        let [large, small] = [5_000, 3_000].map(Scratch::<f32>::to_write);
        let places = [large.as_ptr(), small.as_ptr()];
        drop((large, small));
        let again = Scratch::<f32>::to_write(2_000);
        assert_eq!((again.as_ptr(), again.len()), (places[1], 2_000));
        assert_eq!(Scratch::<f32>::to_write(4_000).as_ptr(), places[0]);
        for _ in 0..2 * KEPT {
            drop(Scratch::<u32>::from(vec![1; 10]));
        }
        assert_eq!(u32::spare(|spare| spare.len()), Some(KEPT));
    }
}
