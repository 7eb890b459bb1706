//! Models: which ones there are, where they lie on this machine, and how they get there.
//!
//! A model is a few files in `<cache>/<name>/`. Each file of the catalogue has several sources, tried in order, and one
//! SHA-256 that decides: whatever a source hands over is placed only when the hash is right, and then in one step, so that a
//! reader never sees half a file.

mod cache;
mod catalogue;
mod error;
mod pip;
mod progress;
mod pull;
mod wheel;

pub use cache::{Cache, Selected};
pub use catalogue::{CATALOGUE, Kind, Model, ModelFile, Part, Source, find};
pub use error::ModelError;
pub use pip::Pip;
pub use progress::{Bars, Plain, Progress, for_terminal};
pub use pull::{Pulled, pull};
