//! The bounded way from tokio to threads of our own.

use super::Problem;
use crate::ServiceError;
use std::{
    collections::BTreeMap,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, SyncSender, TrySendError, sync_channel},
    },
    thread::{self, JoinHandle},
};
use tokio::sync::oneshot;

/// Puts work into the queue. Cheap to clone; when the last one is gone, the threads end.
#[derive(Clone)]
pub struct Queue {
    jobs: SyncSender<Job>,
}

/// The threads that work.
pub struct Workers {
    threads: Vec<JoinHandle<()>>,
}

/// Bytes of a thread's stack, reserved and not taken: parsers and evaluators of queries call themselves.
const STACK: usize = 64 << 20;

type Job = Box<dyn FnOnce() + Send>;

/// Starts `workers` threads, called `name`, that do the work of a queue with `places` places.
pub fn start(name: &str, workers: usize, places: usize) -> io::Result<(Queue, Workers)> {
    let (jobs, waiting) = sync_channel::<Job>(places);
    let waiting = Arc::new(Mutex::new(waiting));
    let threads = (0..workers.max(1)).map(|index| {
        let waiting = Arc::clone(&waiting);
        thread::Builder::new().name(format!("{name}-{index}")).stack_size(STACK).spawn(move || work(&waiting))
    });
    Ok((Queue { jobs }, Workers { threads: threads.collect::<Result<_, _>>()? }))
}

impl Queue {
    /// Has work done and waits for it. Dropping the future takes the work back, unless it has been started; what was started
    /// is done to its end. `what` is how the log calls work that panicked.
    pub async fn run<T: Send + 'static>(
        &self,
        what: String,
        work: impl FnOnce() -> Result<T, ServiceError> + Send + 'static,
    ) -> Result<T, Problem> {
        let (reply, receiver) = oneshot::channel();
        let job = move || {
            if reply.is_closed() {
                return;
            }
            // A defect in one request must not take the others' thread with it. Engine and stores hold no half-made state
            // across a panic that a later request could see: answers are computed from an immutable snapshot, and changes
            // are whole transactions.
            let reached = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
                tracing::error!("{what} panicked");
                Err(ServiceError::Defect)
            });
            // The client may have gone meanwhile.
            let _ = reply.send(reached);
        };
        self.jobs.try_send(Box::new(job)).map_err(|error| match error {
            TrySendError::Full(_) => Problem::queue_full(),
            TrySendError::Disconnected(_) => Problem::stopping(),
        })?;
        Ok(receiver.await.map_err(|_| Problem::stopping())??)
    }
}

impl Workers {
    /// Waits until every thread has ended; they do when all [`Queue`]s are gone and what waited is done or taken back.
    pub fn join(self) {
        for thread in self.threads {
            // A thread catches the panics of its work; one that died all the same has nothing to hand over.
            let _ = thread.join();
        }
    }
}

fn work(waiting: &Mutex<Receiver<Job>>) {
    loop {
        // The lock is held while waiting for a job, never while doing one.
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        job();
    }
}

/// A queue with one thread for each tenant whose knowledge is changed: a tenant's changes come one after another, and none
/// waits for another tenant's.
#[derive(Clone)]
pub struct Writers {
    places: usize,
    /// None once the service stops.
    open: Arc<Mutex<Option<ByTenant>>>,
}

type ByTenant = BTreeMap<String, (Queue, Workers)>;

impl Writers {
    /// Queues with `places` places each; they are made when they are first needed.
    pub fn new(places: usize) -> Self {
        Self { places, open: Arc::new(Mutex::new(Some(BTreeMap::new()))) }
    }

    /// The queue of a tenant. The caller has seen to it that there is such a tenant.
    pub fn of(&self, tenant: &str) -> Result<Queue, Problem> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let open = open.as_mut().ok_or_else(Problem::stopping)?;
        if let Some((queue, _)) = open.get(tenant) {
            return Ok(queue.clone());
        }
        let (queue, workers) = start("write", 1, self.places).map_err(|error| {
            tracing::error!("a thread for changes cannot be started: {error}");
            Problem::queue_full()
        })?;
        open.insert(tenant.to_owned(), (queue.clone(), workers));
        Ok(queue)
    }

    /// Takes no more changes and waits for those that were begun.
    pub fn stop(&self) {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner).take();
        for (queue, workers) in open.into_iter().flat_map(BTreeMap::into_values) {
            drop(queue);
            workers.join();
        }
    }
}
