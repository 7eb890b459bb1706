//! Several documents at the same time, one after another to whoever takes them.

use crate::error::IngestError;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Items that are worked on before the first of them must have been taken, for each worker. A slow one does not hold the others
/// up at once, and what lies in memory stays bounded.
const AHEAD: usize = 4;

/// Does `work` on each item, on so many threads, and hands item and result to `take` in the order of the items.
///
/// # Errors
/// The first error of `take`; nothing is begun after it.
pub(super) fn in_order<T: Sync, R: Send>(
    workers: usize,
    items: Vec<T>,
    work: impl Fn(&T) -> R + Sync,
    mut take: impl FnMut(T, R) -> Result<(), IngestError>,
) -> Result<(), IngestError> {
    let mut items = items.into_iter();
    loop {
        let window: Vec<T> = items.by_ref().take(if workers > 1 { workers * AHEAD } else { 1 }).collect();
        if window.is_empty() {
            return Ok(());
        }
        let results = at_once(workers, &window, &work);
        for (item, result) in window.into_iter().zip(results) {
            take(item, result)?;
        }
    }
}

fn at_once<T: Sync, R: Send>(workers: usize, items: &[T], work: &(impl Fn(&T) -> R + Sync)) -> Vec<R> {
    if items.len() < 2 {
        return items.iter().map(work).collect();
    }
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(items.len())));
    std::thread::scope(|scope| {
        for _ in 0..workers.min(items.len()) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { return };
                    let result = work(item);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((at, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
    use super::*;

    #[test]
    fn in_one_order_however_many_work() {
        for workers in [1, 2, 4, 7] {
            let mut taken = Vec::new();
            let work = |item: &u64| {
                std::thread::sleep(std::time::Duration::from_micros(item * 37 % 101));
                item * 2
            };
            in_order(workers, (0..50).collect(), work, |item, result| {
                taken.push((item, result));
                Ok(())
            })
            .unwrap();
            assert_eq!(taken, (0..50).map(|item| (item, item * 2)).collect::<Vec<_>>(), "{workers}");
        }
    }
}
