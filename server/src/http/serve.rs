//! Listening, and stopping without dropping what was begun.

use super::{App, Facts, Limits, router};
use crate::{Ask, Service};
use anyhow::Context;
use std::{
    io,
    net::{SocketAddr, TcpListener},
    sync::Arc,
    time::Duration,
};
use tokio::signal::unix::{SignalKind, signal};

/// How long open requests may take after the first signal.
const DRAIN: Duration = Duration::from_secs(10);

/// An address that is ours. Taken before a model is loaded, so that a port in use is told at once.
pub struct Listener {
    socket: TcpListener,
    address: SocketAddr,
}

/// How the service works.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Questions that are answered at the same time.
    pub workers: usize,
    /// What a request may cost.
    pub limits: Limits,
}

impl Listener {
    /// Takes the address; port 0 takes any free port.
    pub fn bind(host: &str, port: u16) -> anyhow::Result<Self> {
        let socket = TcpListener::bind((host, port)).map_err(|error| {
            let remedy = match error.kind() {
                io::ErrorKind::AddrInUse => "stop the other service, or choose another port with --port",
                io::ErrorKind::PermissionDenied => "ports below 1024 are reserved; choose another with --port",
                _ => "choose an address of this machine with --host",
            };
            let fault = if error.kind() == io::ErrorKind::AddrInUse { "in use".to_owned() } else { error.to_string() };
            anyhow::anyhow!("address {host}:{port}: {fault} ({remedy})")
        })?;
        socket.set_nonblocking(true)?;
        let address = socket.local_addr()?;
        Ok(Self { socket, address })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

/// Serves until SIGINT or SIGTERM, then lets open requests end, ten seconds at most. Calls `ready` when requests are taken.
pub fn serve(
    listener: Listener,
    service: Arc<Service>,
    facts: Facts,
    options: Options,
    ready: impl FnOnce(SocketAddr),
) -> anyhow::Result<()> {
    let (answering, stopping) = (Arc::clone(&service), Arc::clone(&service));
    let ending = Arc::clone(&service);
    let answer = Arc::new(move |ask: &Ask| answering.ask(ask));
    let (app, threads) =
        App::start(service, answer, facts, options.limits, options.workers).context("threads cannot be started")?;
    // Input and output only; two threads are plenty beside the engine's.
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let address = listener.address;
    let router = router(app, address.ip().is_loopback());
    let drained = runtime.block_on(async move {
        let socket = tokio::net::TcpListener::from_std(listener.socket)?;
        let (stop, mut stopped) = tokio::sync::watch::channel(false);
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::spawn(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            stopping.stop_ahead();
            // Fails only when the server has ended by itself.
            let _ = stop.send(true);
        });
        let mut signalled = stopped.clone();
        let server = axum::serve(socket, router).with_graceful_shutdown(async move {
            // An error means that the sender is gone, which is a reason to stop as well.
            let _ = signalled.wait_for(|stop| *stop).await;
        });
        ready(address);
        tokio::select! {
            ended = async { server.await } => ended.map(|()| true),
            () = async { let _ = stopped.wait_for(|stop| *stop).await; tokio::time::sleep(DRAIN).await } => Ok(false),
        }
    });
    let drained = drained.context("the service ended")?;
    // What is open now has had its time; the store needs no goodbye.
    runtime.shutdown_background();
    if drained {
        threads.join();
        ending.join_ahead();
    } else {
        tracing::warn!("some requests did not end within {} s of the signal", DRAIN.as_secs());
    }
    Ok(())
}
