//! What a piece of work takes.

use crate::eval::totals::process;
use anyhow::Result;
use std::time::{Duration, Instant};

/// Time that passed and time that processors worked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spent {
    /// From the start to the end.
    pub wall: Duration,
    /// Seconds of processors, all threads of this process.
    pub cpu_s: f64,
}

/// Does the work and says what it took.
///
/// # Errors
/// What the work fails with.
pub fn timed<T>(work: impl FnOnce() -> Result<T>) -> Result<(T, Spent)> {
    let ((before, _), started) = (process(), Instant::now());
    let done = work()?;
    let wall = started.elapsed();
    Ok((done, Spent { wall, cpu_s: process().0 - before }))
}
