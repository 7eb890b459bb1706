//! What a schema's relations and classes are called, as vectors, so that words can be told to stand for them.

use super::way::{PLACE, WHERE};
use crate::{
    EngineError,
    question::{path::Step, rank::Meant, words},
};
use factmask_schema::{Iri, Range, Relation, Schema, Text, normal};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Words of a wording's part at most; longer ones say more than the relation.
const LONGEST_PART: usize = 4;
/// How likely a word that is no nearer than this (cosine) to anything stands for nothing.
const NOTHING: f32 = 0.42;
/// Cosines are told apart in steps of this.
const TEMPERATURE: f32 = 0.07;
/// Stands for what is impossible.
pub(super) const NEVER: f32 = -50.0;

/// What words can stand for in one language.
pub struct Lexicon {
    relations: HashMap<Iri, usize>,
    classes: HashMap<Iri, usize>,
    units: Vec<Unit>,
    /// Classes that the schema asks for with "who".
    people: HashSet<Iri>,
    /// Every name, as content units.
    said: HashSet<BTreeSet<String>>,
}

/// A relation, with its inverse, or a class.
struct Unit {
    /// Of each of its names.
    vectors: Vec<Vec<f32>>,
    /// Whether a name of it holds "of", so that a piece that does may stand for it.
    of: bool,
    /// Whether it takes its share of a word's probability; a class that is called as a relation is shares in that one's.
    counts: bool,
}

/// Log-probabilities of what a piece stands for.
pub struct Meanings {
    /// By unit.
    pub units: Vec<f32>,
    /// Nothing.
    pub nothing: f32,
}

impl Lexicon {
    /// Reads a schema. A class without a name lies amid the names of its members' relations.
    ///
    /// # Errors
    /// A text that the encoder cannot take.
    pub fn new(schema: &Schema, lang: &str, meant: Meant<'_>) -> Result<Self, EngineError> {
        let mut lexicon = Self {
            relations: HashMap::new(),
            classes: HashMap::new(),
            units: Vec::new(),
            people: people(schema, lang),
            said: HashSet::new(),
        };
        let mut called: BTreeSet<String> = BTreeSet::new();
        let mut own: HashMap<&Iri, Vec<Vec<f32>>> = HashMap::new();
        for (iri, relation) in &schema.relations {
            let names = names(relation, lang);
            let vectors = read(meant, &names)?;
            if let (Some(domain), Some(first)) = (&relation.domain, vectors.first()) {
                own.entry(domain).or_default().push(first.clone());
            }
            let of = names.iter().any(|name| holds_of(name));
            lexicon.said.extend(names.iter().map(|name| words::units(name)));
            called.extend(names);
            let known = relation.inverse.as_ref().and_then(|inverse| lexicon.relations.get(inverse)).copied();
            let unit = known.unwrap_or_else(|| lexicon.add(Unit { vectors: Vec::new(), of: false, counts: true }));
            lexicon.units[unit].vectors.extend(vectors);
            lexicon.units[unit].of |= of;
            lexicon.relations.insert(iri.clone(), unit);
        }
        for (iri, class) in &schema.classes {
            let labels = class.labels.iter().chain(&class.aliases);
            let names: Vec<String> = labels
                .filter(|name| Text::same_language(&name.lang, lang))
                .map(|name| normal::fold(&name.text))
                .collect();
            let vectors = match names.is_empty() {
                true => own.get(iri).map(|vectors| vec![middle(vectors)]).unwrap_or_default(),
                false => read(meant, &names)?,
            };
            let of = names.iter().any(|name| holds_of(name));
            lexicon.said.extend(names.iter().map(|name| words::units(name)));
            let counts = !names.iter().any(|name| called.contains(name));
            let unit = lexicon.add(Unit { vectors, of, counts });
            lexicon.classes.insert(iri.clone(), unit);
        }
        Ok(lexicon)
    }

    fn add(&mut self, unit: Unit) -> usize {
        self.units.push(unit);
        self.units.len() - 1
    }

    /// Whether the schema calls something by these very words, in any form.
    pub fn says(&self, text: &str) -> bool {
        self.said.contains(&words::units(text))
    }

    /// The unit of a step's relation.
    pub fn relation(&self, step: &Step) -> Option<usize> {
        self.relations.get(&step.relation).copied()
    }

    /// The units of classes.
    pub fn classes<'a>(&'a self, classes: &'a [Iri]) -> impl Iterator<Item = usize> + 'a {
        classes.iter().filter_map(|class| self.classes.get(class)).copied()
    }

    /// The unit of the class that a step arrives at.
    pub fn reached(&self, schema: &Schema, step: &Step) -> Option<usize> {
        self.classes.get(step.class_reached(schema)?).copied()
    }

    /// Whether a step leads to what the schema does not ask for with "who", where it asks for other things so.
    pub fn leads_to_things(&self, schema: &Schema, step: &Step) -> bool {
        let class = step.class_reached(schema);
        let is_person =
            |class: &Iri| self.people.iter().any(|known| schema.is_a(class, known) || schema.is_a(known, class));
        !self.people.is_empty() && class.is_some_and(|class| !is_person(class))
    }

    /// What a piece of a question, with its vector, may stand for.
    pub fn meanings(&self, text: &str, vector: &[f32]) -> Meanings {
        let cosine = |other: &Vec<f32>| vector.iter().zip(other).map(|(a, b)| a * b).sum::<f32>();
        let nearest = |unit: &Unit| unit.vectors.iter().map(cosine).fold(NOTHING - 1.0, f32::max);
        let weights: Vec<f32> = self.units.iter().map(|unit| (nearest(unit) / TEMPERATURE).exp()).collect();
        let nothing = (NOTHING / TEMPERATURE).exp();
        let counted = weights.iter().zip(&self.units).filter(|(_, unit)| unit.counts);
        let all = nothing + counted.map(|(weight, _)| weight).sum::<f32>();
        let of = holds_of(text);
        let log = |(weight, unit): (&f32, &Unit)| {
            // "daughter of spouse" is near to both and says two things.
            if of && !unit.of { NEVER } else { (weight / all).ln().min(0.0) }
        };
        let units = weights.iter().zip(&self.units).map(log).collect();
        Meanings { units, nothing: if of { NEVER } else { (nothing / all).ln() } }
    }
}

/// Whether the schema asks for a relation with this word.
fn asked_with(relation: &Relation, lang: &str, word: &str) -> bool {
    let mut questions = relation.questions.iter().filter(|wording| Text::same_language(&wording.lang, lang));
    questions.any(|wording| {
        let first = wording.literals().next().unwrap_or_default().trim_start();
        normal::fold(first).split(|c: char| !c.is_alphanumeric()).next() == Some(word)
    })
}

fn people(schema: &Schema, lang: &str) -> HashSet<Iri> {
    let asked = schema.relations.values().filter(|relation| asked_with(relation, lang, "who"));
    let class = |relation: &Relation| match &relation.range {
        Range::Entity(class) => class.clone(),
        Range::Value(_) => None,
    };
    asked.filter_map(class).collect()
}

fn holds_of(text: &str) -> bool {
    text.split(' ').any(|word| word == "of")
}

/// What a relation is called: its labels and aliases, and what its wordings say without their slots.
fn names(relation: &Relation, lang: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut add = |text: &str| {
        let name = normal::fold(text);
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    };
    add(&relation.label(lang));
    let called = relation.labels.iter().chain(&relation.aliases);
    called.filter(|name| Text::same_language(&name.lang, lang)).for_each(|name| add(&name.text));
    if asked_with(relation, lang, WHERE) {
        add(PLACE);
    }
    let wordings = relation.questions.iter().chain(&relation.statements);
    for wording in wordings.filter(|wording| Text::same_language(&wording.lang, lang)) {
        for part in wording.literals() {
            let words: Vec<&str> = part.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
            let content = |word: &&str| !words::is_function_word(&normal::fold(word));
            if let (Some(first), Some(last)) = (words.iter().position(content), words.iter().rposition(content))
                && last - first < LONGEST_PART
            {
                add(&words[first..=last].join(" "));
            }
        }
    }
    names
}

fn read(meant: Meant<'_>, texts: &[String]) -> Result<Vec<Vec<f32>>, EngineError> {
    let kept = meant.meaning.read(meant.shelf, texts)?;
    Ok(kept.iter().map(|kept| kept.iter().map(|value| value.to_f32()).collect()).collect())
}

fn middle(vectors: &[Vec<f32>]) -> Vec<f32> {
    let mut sum = vec![0.0; vectors.first().map_or(0, Vec::len)];
    vectors.iter().for_each(|vector| sum.iter_mut().zip(vector).for_each(|(sum, value)| *sum += value));
    let length = sum.iter().map(|value| value * value).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
    sum.into_iter().map(|value| value / length).collect()
}
