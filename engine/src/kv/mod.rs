//! Keys and values that the model has computed, kept so that they need not be computed again.
//!
//! [`KeyValues`] are what a forward pass leaves behind for its tokens: keys *without* rotation, so that they can stand at any
//! position. [`Placed`] ones have been rotated to their positions and laid out for the attention kernel. A [`Context`] is the
//! list of placed parts that tokens may see, with what is hidden in them and how strongly the rest is weighed. The
//! [`BlockStore`] keeps blocks by the hash of everything that they depend on, so a stale one can never be found.

mod context;
mod key;
mod placed;
mod store;
mod values;

pub use context::{Context, Part, Run};
pub use key::{BlockIdentity, BlockKey};
pub use placed::Placed;
pub use store::{Block, BlockStore, StoreStats};
pub(crate) use values::Rounded;
pub use values::{KeyValues, KvPrecision};
