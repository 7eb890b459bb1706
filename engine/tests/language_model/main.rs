//! The language model against other implementations of the same arithmetic, and against its own promises.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
#![allow(clippy::single_range_in_vec_init, reason = "a list of one hidden range is meant")]

mod batches;
mod blocks;
mod encoder;
mod families;
mod files;
mod oracle;
mod support;
mod tokens;
