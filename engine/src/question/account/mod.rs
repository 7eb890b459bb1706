//! How far a path accounts for a question's words, each for what it says, and the words for the path's steps.
//!
//! A path from a topic is told along the question: "the genre of the films directed by X" says the steps of X ← directed by ← film →
//! genre from the name outwards. So words and steps are aligned in order, as in word alignment of translations (Vogel, Ney, Tillmann:
//! HMM-Based Word Alignment in Statistical Translation, COLING 1996), each word standing for a relation, for a class on the way or for
//! nothing, as its embedding lies near to what the schema says of these. What stays unexplained on either side costs; so a question
//! about a relation that the schema lacks accounts for none of the paths well.
//!
//! For languages that part words by spaces. Reading order: [`way`] (the words in the order of the path) → [`lexicon`] (what each word
//! may stand for) → [`align`] (the cheapest alignment).

pub mod align;
pub mod lexicon;
pub mod way;

pub use align::{account, says_all};
pub use lexicon::Lexicon;
pub use way::Question;

#[cfg(test)]
mod tests;
