//! The bounded way from tokio to the engine's threads.

use crate::{Ask, ServiceError, wire::AnswerBody};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, SyncSender, TrySendError, sync_channel},
    },
    thread::{self, JoinHandle},
};
use tokio::sync::oneshot;

/// Puts questions into the queue. Cheap to clone; when the last one is gone, the threads end.
#[derive(Clone)]
pub struct Queue {
    jobs: SyncSender<Job>,
}

/// All places are taken, or the threads are gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// Try again later.
    Busy,
    /// The service is stopping.
    Stopping,
}

/// The threads that answer.
pub struct Workers {
    threads: Vec<JoinHandle<()>>,
}

/// What comes of a question.
pub type Reply = Result<AnswerBody, ServiceError>;

struct Job {
    ask: Ask,
    reply: oneshot::Sender<Reply>,
}

/// Starts `workers` threads that answer the questions of a queue with `places` places by calling `answer`.
pub fn start(
    answer: impl Fn(&Ask) -> Reply + Send + Sync + 'static,
    workers: usize,
    places: usize,
) -> std::io::Result<(Queue, Workers)> {
    let (jobs, waiting) = sync_channel(places);
    let shared = Arc::new((answer, Mutex::new(waiting)));
    let threads = (0..workers.max(1)).map(|index| {
        let shared = Arc::clone(&shared);
        thread::Builder::new().name(format!("answer-{index}")).spawn(move || work(&shared.0, &shared.1))
    });
    Ok((Queue { jobs }, Workers { threads: threads.collect::<Result<_, _>>()? }))
}

impl Queue {
    /// Puts a question in and returns at once. Dropping the receiver takes the question back, unless it has been started.
    pub fn put(&self, ask: Ask) -> Result<oneshot::Receiver<Reply>, Full> {
        let (reply, receiver) = oneshot::channel();
        match self.jobs.try_send(Job { ask, reply }) {
            Ok(()) => Ok(receiver),
            Err(TrySendError::Full(_)) => Err(Full::Busy),
            Err(TrySendError::Disconnected(_)) => Err(Full::Stopping),
        }
    }
}

impl Workers {
    /// Waits until every thread has ended; they do when all [`Queue`]s are gone and what waited is answered or taken back.
    pub fn join(self) {
        for thread in self.threads {
            // A thread catches the panics of its questions; one that died all the same has nothing to hand over.
            let _ = thread.join();
        }
    }
}

fn work(answer: &impl Fn(&Ask) -> Reply, waiting: &Mutex<Receiver<Job>>) {
    loop {
        // The lock is held while waiting for a question, never while answering one.
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Job { ask, reply }) = next else { return };
        if reply.is_closed() {
            continue;
        }
        // A defect in one question must not take the others' thread with it. Engine and stores hold no half-made state
        // across a panic that a later question could see: answers are computed from an immutable snapshot.
        let reached = catch_unwind(AssertUnwindSafe(|| answer(&ask))).unwrap_or_else(|_| {
            tracing::error!(
                "a question of tenant {} of {} characters panicked",
                ask.options.tenant,
                ask.question.chars().count()
            );
            Err(ServiceError::Defect)
        });
        // The client may have gone meanwhile.
        let _ = reply.send(reached);
    }
}
