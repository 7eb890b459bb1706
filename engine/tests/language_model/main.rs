//! The language model against other implementations of the same arithmetic, and against its own promises.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod batches;
mod blocks;
mod encoder;
mod families;
mod files;
mod oracle;
mod support;
mod tokens;
