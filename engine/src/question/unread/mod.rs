//! Words of a question that the chosen path does not answer to: "financial" where the path gives the chief executive officer.
//!
//! Without examples nobody has shown what people mean by a word, so every content word must be accounted for: by the path's own wordings,
//! by a name or a year, as talk that narrows nothing ("currently", "the number of"), or, where a noun stands by itself, by being near to
//! what the schema calls the path. A word beside one that is accounted for narrows it ("iPhone revenue", "population density") and is
//! not let off for being near: such words are near to each other and mean other things. So do verbs ("founded", "dissolved"): what
//! somebody does must be said by the schema or by a word that the language has for the same.

mod chinese;
mod english;
mod talk;
mod turned;

pub use turned::turned;

use super::{
    operation::{lemma::lemma, lexicon},
    path::Path,
    wordings, words as matching,
};
use factmask_graph::{EntityId, Snapshot, Value};
use factmask_schema::{Text, unit};
use std::{collections::BTreeSet, ops::Range};

/// What is known when a question's words are gone through.
pub struct Ground<'a> {
    /// The folded question.
    pub folded: &'a str,
    /// `en` or `zh`.
    pub lang: &'a str,
    /// Names and years, in order.
    pub names: &'a [Range<usize>],
    /// All that is said of the path and of the units of its values.
    pub said: &'a Said,
    /// Whether the path passes or reaches things that the schema has no class name for in the language.
    pub unnamed: bool,
    /// Whether it ends at such things.
    pub unnamed_end: bool,
    /// Whether an example had a word.
    pub heard: &'a dyn Fn(&str) -> bool,
    /// Whether words that stand by themselves mean what the path is called.
    pub near: &'a dyn Fn(&str) -> bool,
    /// Whether an encoder of the language has compared the question with what the schema says.
    pub compared: bool,
}

/// What is said of a path, as words.
pub struct Said {
    /// Content units.
    units: BTreeSet<String>,
    /// Their lemmas.
    lemmas: BTreeSet<String>,
}

impl Said {
    /// Of content units.
    pub fn new(units: BTreeSet<String>) -> Self {
        let lemmas = units.iter().map(|unit| lemma(unit)).collect();
        Self { units, lemmas }
    }
}

/// The words that the path does not answer to, in the order of the question.
pub fn words(ground: &Ground<'_>) -> Vec<String> {
    match ground.lang {
        "zh" => chinese::words(ground),
        _ => english::words(ground),
    }
}

/// Whether a word is said, in any form.
fn is_said(ground: &Ground<'_>, word: &str) -> bool {
    let units = matching::units(word);
    !units.is_empty() && (units.is_subset(&ground.said.units) || ground.said.lemmas.contains(&lemma(word)))
}

/// Whether another word for the same is said.
fn said_otherwise(ground: &Ground<'_>, word: &str) -> bool {
    let said = |word: &str| is_said(ground, word);
    lexicon::synonyms(word, ground.folded).any(said) || lexicon::measured_as(word).any(said)
}

/// Everything that is said of a path, of the classes of the things named and given, and of the units of its values as far as a question has
/// them.
pub fn said(
    snapshot: &Snapshot,
    path: &Path,
    things: impl Iterator<Item = EntityId>,
    values: &[Value],
    folded: &str,
    lang: &str,
) -> Said {
    let schema = snapshot.schema();
    let mut said = wordings::vocabulary(schema, path, lang);
    let classes = things.flat_map(|thing| &snapshot.entity(thing).classes);
    let classes = classes.flat_map(|class| schema.with_ancestors(class));
    let classes = classes.filter_map(|class| schema.classes.get(class));
    let called = classes.flat_map(|class| class.labels.iter().chain(&class.aliases));
    for name in called.filter(|name| Text::same_language(&name.lang, lang)) {
        said.extend(matching::units(&name.text));
    }
    let measured = values.iter().filter_map(|value| value.as_number()?.unit.as_deref());
    let measured = measured.filter_map(unit::named).flat_map(|unit| unit.words);
    // "US dollars" says nothing of "US revenue".
    for word in measured.filter(|word| folded.contains(**word)) {
        said.extend(matching::units(word));
    }
    Said::new(said)
}

#[cfg(test)]
mod tests;
