//! What words mean to the models, as vectors: sentence embeddings and hidden states of the language model ([`hidden`]), compared
//! about their own centre ([`Space`]), and kept so that a text is read once ([`Shelf`]).

pub mod hidden;
mod shelf;
mod space;

/// The folder below a tenant's in which its vectors are kept.
pub const VECTORS: &str = "vectors";

pub use hidden::HiddenStates;
pub use shelf::{Kept, Origin, Shelf};
pub use space::{Space, cosine};
