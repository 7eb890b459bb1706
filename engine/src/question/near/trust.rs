//! How far each manner of writing names otherwise is believed over one graph, measured on its own names.
//!
//! A name that the graph does not know must not be taken for one that it does. How likely that is depends on the graph: among the
//! forty thousand names of a film graph there are a Tom Moore and a Tomm Moore, and every tenth surname has exactly one other bearer.
//! So names of the graph are taken out of it one by one, and it is counted how often each manner would take what is gone for another.

use super::{
    choice::{Choice, choose},
    find::{Finder, Manner, Match},
    index::Index,
    typed::Sentence,
};
use factmask_graph::Snapshot;
use factmask_schema::normal;
use std::collections::HashMap;

/// Names that are taken out.
const SAMPLE: usize = 1_500;
/// The least that are counted of a kind, however few a graph has: a handful of names says little against a manner, or for it.
const FEWEST: f32 = 60.0;
/// Mistakes that are reckoned with before any is seen.
const PRIOR: f32 = 0.1;
/// Of things that the graph does not know, the share that may be taken for another.
const MOST_MISTAKEN: f32 = 0.01;
/// Letters by which lengths of misspelt names are told apart.
const BAND: usize = 4;
const LAST_BAND: usize = 5;

/// What a manner is measured on: slips by the length of the name.
type Kind = (Manner, usize);

/// How often each manner mistakes one thing for another.
pub(super) struct Trust(HashMap<Kind, f32>);

impl Trust {
    /// Measures on names from all over the graph.
    pub fn measure(snapshot: &Snapshot, index: &Index, knows: &dyn Fn(&str) -> bool) -> Self {
        let step = (index.len() / SAMPLE).max(1);
        let (mut asked, mut mistaken): (HashMap<Kind, f32>, HashMap<Kind, f32>) = Default::default();
        for name in (0..index.len()).step_by(step) {
            let name = name as u32;
            let words: Vec<&str> = index.words(name).collect();
            let finder = Finder { snapshot, index, without: Some(index.name(name).entity) };
            let mut count = |kinds: &[Manner], found: Vec<Match>| {
                let letters = letters(&words);
                kinds.iter().for_each(|manner| *asked.entry(kind(*manner, letters)).or_default() += 1.0);
                if let Choice::One(found) = choose(snapshot, index, found)
                    && !found.real
                    && kinds.contains(&found.manner)
                {
                    *mistaken.entry(kind(found.manner, letters)).or_default() += 1.0;
                }
            };
            if !words.is_empty() {
                let sentence = Sentence::of_name(&words, knows);
                count(&[Manner::Slips(1), Manner::Slips(2)], finder.by_words(&sentence));
            }
            if let [first, .., last] = words.as_slice() {
                count(&[Manner::Part], finder.by_words(&Sentence::of_name(&[last], knows)));
                let initial: String = first.chars().take(1).collect();
                count(&[Manner::Initials], finder.by_words(&Sentence::of_name(&[&initial, last], knows)));
            }
            let folded = normal::fold(&index.text(snapshot, name).text);
            if index.beginning(&folded).next().is_some() {
                count(&[Manner::Beginning], finder.by_beginning(&folded, &[], &str::is_empty));
            }
        }
        let rate = |(kind, asked): (Kind, f32)| {
            let mistaken = mistaken.get(&kind).copied().unwrap_or_default();
            (kind, (mistaken + PRIOR) / asked.max(FEWEST))
        };
        Self(asked.into_iter().map(rate).collect())
    }

    /// The share of unknown things that a match of this kind takes for another, where that is little enough to believe it.
    pub fn of(&self, index: &Index, found: &Match) -> Option<f32> {
        if found.manner <= Manner::Bracket {
            return Some(0.0);
        }
        let words: Vec<&str> = index.words(found.name).collect();
        let rate = self.0.get(&kind(found.manner, letters(&words))).copied().unwrap_or(PRIOR / FEWEST);
        (rate <= MOST_MISTAKEN).then_some(rate)
    }
}

fn letters(words: &[&str]) -> usize {
    words.iter().map(|word| word.chars().count()).sum()
}

fn kind(manner: Manner, letters: usize) -> Kind {
    (manner, if matches!(manner, Manner::Slips(_)) { (letters / BAND).min(LAST_BAND) } else { 0 })
}
