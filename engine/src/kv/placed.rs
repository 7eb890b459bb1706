//! Keys and values at their positions, ready for attention.

use crate::backend::cpu::LayerPanels;

/// Keys rotated to the positions `start .. start + len`, with their values, in the layout of the attention kernel. Made by
/// [`LanguageModel::place`](crate::model::LanguageModel::place); shared between all contexts that show it.
#[derive(Debug)]
pub struct Placed {
    pub(crate) start: u32,
    pub(crate) len: u32,
    pub(crate) layers: Vec<LayerPanels>,
}

impl Placed {
    /// Position of the first token.
    #[must_use]
    pub fn start(&self) -> u32 {
        self.start
    }

    /// Number of tokens.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Whether there are no tokens.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Position after the last token: where what follows starts.
    #[must_use]
    pub fn end(&self) -> u32 {
        self.start.saturating_add(self.len)
    }

    /// Memory that it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.layers.iter().map(LayerPanels::bytes).sum()
    }
}
