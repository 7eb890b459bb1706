//! Who goes first: questions, then what is done ahead of them.

use std::{
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// How long no question must have been under way before work goes on. Who asks one question after the other leaves shorter gaps,
/// and a step that is begun in one of them makes the next question wait.
const QUIET: Duration = Duration::from_millis(200);

/// Knows how many questions are being answered.
#[derive(Debug, Default)]
pub(super) struct Traffic {
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Debug, Default)]
struct State {
    asking: usize,
    last: Option<Instant>,
}

/// A question is being answered as long as this lives.
pub(super) struct Asking<'a>(&'a Traffic);

impl Traffic {
    /// A question comes.
    pub fn ask(&self) -> Asking<'_> {
        self.lock().asking += 1;
        Asking(self)
    }

    /// Waits until no question is being answered and none has been for a moment. Returns at once where none ever was.
    pub fn give_way(&self) {
        let mut state = self.lock();
        loop {
            let rest = match state.last {
                _ if state.asking > 0 => QUIET,
                Some(last) => QUIET.saturating_sub(last.elapsed()),
                None => Duration::ZERO,
            };
            if rest.is_zero() {
                return;
            }
            state = self.ended.wait_timeout(state, rest).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// No thread panics between two changes that belong together.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.asking -= 1;
        state.last = Some(Instant::now());
        drop(state);
        self.0.ended.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_waits_for_every_question_and_a_moment_longer() {
        let traffic = Traffic::default();
        traffic.give_way();
        let (first, second) = (traffic.ask(), traffic.ask());
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| {
                traffic.give_way();
                Instant::now()
            });
            drop(first);
            std::thread::sleep(2 * QUIET);
            assert!(!waiting.is_finished());
            let ended = Instant::now();
            drop(second);
            let went_on = waiting.join().unwrap_or(ended);
            assert!(went_on - ended >= QUIET, "{:?}", went_on - ended);
        });
    }
}
