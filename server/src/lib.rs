//! The service and the one binary `factmask`.
//!
//! Everything that knows HTTP, JSON shapes, the command line or the model catalogue is here; what answers questions is
//! [`factmask_engine`], what holds facts is [`factmask_graph`], what reads documents is [`factmask_ingest`].
//!
//! A question takes one way, whoever asks: [`Service::ask`] finds the tenant's store, takes one epoch of it, lets the engine
//! answer and turns the answer into an [`AnswerBody`](wire::AnswerBody) with its quotes. The command line calls it directly;
//! the HTTP service calls it from threads of its own behind a bounded [`Queue`](http::Queue), so that tokio does input and
//! output only.

pub mod bench;
pub mod cli;
pub mod eval;
pub mod http;
pub mod models;
pub mod service;
mod settings;
pub mod wire;

pub use service::{Ask, Service, ServiceError, Tenants};
pub use settings::{Flags, Settings};
