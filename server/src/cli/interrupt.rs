//! Ctrl-C for commands that have something to put away.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

/// A flag that Ctrl-C sets. A second Ctrl-C ends the process at once.
pub(super) fn flag() -> std::io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let shared = Arc::clone(&stop);
    // Registered here, so that no signal between this and the thread's first poll is lost.
    let mut signals =
        runtime.block_on(async { tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt()) })?;
    thread::Builder::new().name("interrupt".to_owned()).spawn(move || {
        runtime.block_on(async {
            while signals.recv().await.is_some() {
                if shared.swap(true, Ordering::Relaxed) {
                    std::process::exit(i32::from(super::output::INTERRUPTED));
                }
            }
        });
    })?;
    Ok(stop)
}
