//! Names that are words in the question at hand: in "who wrote the film Emma" the film is no tag of that name.
//!
//! A graph names a great many things, and what people say of them bears names too: there are films called "Together", tags called
//! "director". A name in small letters beside one in capitals is such a word where the schema says it, and may be one where its
//! meaning is near to what the schema says or the graph writes it with a capital.

use super::{account::Lexicon, link::Mention};
use std::sync::Arc;

/// Leaves out the mentions that are words, and marks those that may be. `vectors` are what each mention's text means to the encoder,
/// which `knows` the words of the language: a name of other words is a name, though "osimertinib" means something near to "drug".
pub fn sort_out(
    mentions: &mut Vec<Mention>,
    folded: &str,
    lexicon: &Lexicon,
    vectors: &[Arc<[f32]>],
    knows: impl Fn(&str) -> bool,
) {
    let said: Vec<bool> = mentions.iter().map(|mention| lexicon.says(&folded[mention.span.clone()])).collect();
    let capitals = mentions.iter().any(|mention| !mention.letters.small);
    // Where nothing is in capitals, only what the schema says is told from names.
    let sure = mentions.iter().zip(&said).any(|(mention, said)| !mention.letters.small || !said);
    if !sure {
        return;
    }
    let verdicts = mentions.iter().zip(said).zip(vectors).map(|((mention, said), vector)| {
        let word = mention.letters.small && said;
        let text = &folded[mention.span.clone()];
        let near = || text.split(' ').all(&knows) && lexicon.meanings(text, vector).nothing < EVEN;
        (word, capitals && mention.letters.small && (mention.letters.named_in_capitals || near()))
    });
    let verdicts: Vec<(bool, bool)> = verdicts.collect();
    let mut verdicts = verdicts.into_iter();
    mentions.retain_mut(|mention| {
        let (word, doubtful) = verdicts.next().unwrap_or_default();
        mention.doubtful = doubtful;
        !word
    });
}

/// The logarithm of one half.
const EVEN: f32 = -std::f32::consts::LN_2;
