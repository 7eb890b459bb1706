//! Where the model looked, for people.

use serde::Serialize;

/// How the model shared out its attention in the one row that predicts the answer's first token, on average over all heads and layers.
/// That row is the last token of the emphasised reading: of the chosen path's stem, or, where a path has none, the question's last token
/// as it is read again under the emphasis. All shares together are 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Attention {
    /// What the tokens of each line got: the lines of the plan's cards in order, those of wholly hidden cards left out. A hidden line, or
    /// one without tokens, got 0.
    pub lines: Vec<f32>,
    /// What the prefix got that all questions share, where models put what they have no use for.
    pub prefix: f32,
    /// What the question and the stem got, the row itself included.
    pub question: f32,
}
