//! Facts in sentences that no wording of the schema foresees, learned from texts with the facts that they state.
//!
//! Two models, both small and trained in seconds: what in a text is mentioned ([`tagger`], a structured averaged perceptron over
//! tokens; Collins, EMNLP 2002), and which relation, if any, a text states between two mentions ([`classifier`], a log-linear
//! model over the words between and around them). Nothing is known of any language but what a word, a number and a date look
//! like, so English and Chinese are learned in the same way. How sure a fact must be is told by texts that were held out: see [`Bars`].
//!
//! Reading order: [`tokens`] → [`locate`] (where a text says a fact's ends) → [`tagger`] → [`pairs`] → [`classifier`] →
//! [`train`] → [`apply`].

mod apply;
mod classifier;
mod features;
mod locate;
mod pairs;
mod tagger;
#[cfg(test)]
mod tests;
mod tokens;
mod train;

pub(crate) use apply::learned_facts;

use classifier::Classifier;
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;
use tagger::Tagger;
use tokens::Text;

/// A text, and facts that it states: subject, relation (by a name of the schema's) and object, as the text or a table writes them.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct TextExample {
    /// The text.
    pub text: String,
    /// Its facts.
    pub triples: Vec<[String; 3]>,
}

/// How sure a fact must be to be taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aim {
    /// So sure that this share of the facts is right, by texts that were held out.
    Precision(f32),
    /// So that precision and recall have the best harmonic mean.
    Balance,
}

/// Example texts, with what was learned from them once it is asked for.
pub struct Lessons {
    examples: Vec<TextExample>,
    aim: Aim,
    learned: OnceLock<(Extractor, Bars)>,
}

impl std::fmt::Debug for Lessons {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Lessons({} examples, {:?})", self.examples.len(), self.aim)
    }
}

impl Lessons {
    /// Learns nothing yet.
    pub fn new(examples: Vec<TextExample>, aim: Aim) -> Self {
        Self { examples, aim, learned: OnceLock::new() }
    }

    /// How well the held-out texts are read; learns where that has not been done.
    pub fn bars(&self) -> &Bars {
        &self.learned().1
    }

    fn learned(&self) -> &(Extractor, Bars) {
        self.learned.get_or_init(|| match self.aim {
            // What one sentence says stands by itself; across sentences a guess about "it" goes along.
            Aim::Precision(_) => train::train(&train::by_sentence(&self.examples)),
            Aim::Balance => train::train(&self.examples),
        })
    }

    /// Facts below this are not taken.
    fn bar(&self) -> f32 {
        self.bars().bar(self.aim)
    }

    /// What the facts depend on.
    pub(crate) fn fingerprint(&self) -> Vec<u8> {
        let mut bytes = format!("{:?}", self.aim).into_bytes();
        for example in &self.examples {
            for part in std::iter::once(&example.text).chain(example.triples.iter().flatten()) {
                bytes.extend(part.len().to_be_bytes());
                bytes.extend(part.as_bytes());
            }
        }
        bytes
    }
}

/// Both models.
struct Extractor {
    tagger: Tagger,
    /// How much likelier a mention is taken for one than the tagger says: what is none is told from what is by its pairs.
    lean: f32,
    classifier: Classifier,
    /// Names of the relations, as the examples write them.
    relations: Vec<String>,
}

/// How right the facts of held-out texts are, from the surest on.
#[derive(Clone, Debug, Default)]
pub struct Bars {
    /// Probability and whether the fact was right, the surest first.
    facts: Vec<(f32, bool)>,
    /// How many there were to be found.
    gold: usize,
}

/// What the held-out texts say of one bar.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Held {
    /// Facts at least this sure are taken.
    pub bar: f32,
    /// Facts taken.
    pub found: usize,
    /// Of these the right ones.
    pub right: usize,
    /// All that the texts state.
    pub gold: usize,
}

impl Held {
    /// Right by found.
    pub fn precision(&self) -> f32 {
        share(self.right, self.found)
    }

    /// Right by gold.
    pub fn recall(&self) -> f32 {
        share(self.right, self.gold)
    }

    /// The precision that is kept four times in five, from so few facts as these (Wilson's bound). Of many bars that are tried one
    /// would look good by chance.
    fn surely(&self) -> f32 {
        const DEVIATIONS: f32 = 0.84;
        let (share, count) = (self.precision(), self.found.max(1));
        #[expect(clippy::cast_precision_loss, reason = "counts of facts")]
        let count = count as f32;
        let square = DEVIATIONS * DEVIATIONS;
        let middle = share + square / (2.0 * count);
        let spread = DEVIATIONS * (share * (1.0 - share) / count + square / (4.0 * count * count)).sqrt();
        (middle - spread) / (1.0 + square / count)
    }

    fn f1(&self) -> f32 {
        let (precision, recall) = (self.precision(), self.recall());
        if precision + recall > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 }
    }
}

/// A bar that nothing reaches.
const NEVER: f32 = 2.0;
/// Fewer facts above a bar say nothing of its precision.
const FEWEST: usize = 20;
/// However right the held-out examples are below it: they may all be alike.
const LEAST_SURE: f32 = 0.5;
/// Mentions in one text beyond which it is a list or no text; pairs of them grow with the square.
const MOST_MENTIONS: usize = 80;

impl Bars {
    /// The lowest bar that keeps an aim; none does where nothing is said below [`NEVER`].
    pub fn held(&self, aim: Aim) -> Held {
        let mut best = Held { bar: NEVER, gold: self.gold, ..Held::default() };
        let mut right = 0;
        for (number, (bar, is_right)) in self.facts.iter().enumerate() {
            right += usize::from(*is_right);
            let here = Held { bar: *bar, found: number + 1, right, gold: self.gold };
            // Facts that are equally sure are taken together.
            if self.facts.get(number + 1).is_some_and(|(next, _)| next == bar) {
                continue;
            }
            let better = match aim {
                Aim::Precision(least) => here.bar >= LEAST_SURE && here.found >= FEWEST && here.surely() >= least,
                Aim::Balance => here.f1() > best.f1(),
            };
            if better {
                best = here;
            }
        }
        best
    }

    fn bar(&self, aim: Aim) -> f32 {
        self.held(aim).bar
    }
}

fn share(part: usize, whole: usize) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "counts of facts")]
    let share = if whole == 0 { 0.0 } else { part as f32 / whole as f32 };
    share
}

/// A fact in a text, by the numbers of its tokens.
#[derive(Clone, Debug, PartialEq)]
struct Fact {
    subject: std::ops::Range<usize>,
    relation: usize,
    object: std::ops::Range<usize>,
    probability: f32,
}

impl Extractor {
    /// All facts that are likelier than `least`, each pair of mentions with each relation once.
    fn facts(&self, text: &Text<'_>, least: f32) -> Vec<Fact> {
        let mentions = self.tagger.mentions(text, self.lean);
        let mut facts = Vec::new();
        if mentions.len() > MOST_MENTIONS {
            return facts;
        }
        for (subject, object) in pairs::pairs(text, &mentions) {
            let features = pairs::features(text, subject, object, &mentions);
            for (relation, probability) in self.classifier.probabilities(&features).into_iter().enumerate() {
                // The first class is that there is no relation.
                if let Some(relation) = relation.checked_sub(1)
                    && probability >= least
                {
                    facts.push(Fact { subject: subject.clone(), relation, object: object.clone(), probability });
                }
            }
        }
        facts
    }
}
