//! What the classes and relations of a schema are called in a question: nouns, verbs and dimensions, one table for a snapshot.

use super::{
    lemma::{lemma, phrase, words},
    lexicon::{self, DIMENSIONS, Dimension, NEUTRAL, SYNONYMS},
    ties::Ties,
};
use crate::question::{language::is_cjk, path::Step, words::is_function_word};
use factmask_schema::{Iri, Piece, Range, Relation, Schema, normal};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A relation under one of its names; the less it costs, the more literally it is named.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// The relation.
    pub relation: Iri,
    /// 0 where the schema says it so, more where the language does.
    pub cost: u32,
}

/// A verb for a relation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Verb {
    /// The hop from whoever does it to whom it is done to.
    pub step: Step,
    /// As with [`Name`].
    pub cost: u32,
}

/// The names of a schema's classes and relations, by phrase of lemmas.
#[derive(Debug, Default)]
pub struct Called {
    /// Classes.
    pub classes: HashMap<String, BTreeSet<Iri>>,
    /// Relations as nouns: "capital", "date of birth".
    pub nouns: HashMap<String, BTreeSet<Name>>,
    /// Relations as verbs, without auxiliaries and particles.
    pub verbs: HashMap<String, BTreeSet<Verb>>,
    /// The names of the dimensions that a relation measures.
    pub dimensions: HashMap<Iri, BTreeSet<&'static str>>,
    /// Adjectives that the schema gives to a relation: "how long".
    pub adjectives: HashMap<Iri, BTreeSet<String>>,
    /// Relations that say where something is or what it belongs to.
    pub places: BTreeSet<Iri>,
}

impl Called {
    /// Reads the schema's names.
    pub fn new(schema: &Schema, ties: &Ties) -> Self {
        let mut called = Self::default();
        for class in schema.classes.values() {
            for name in class.labels.iter().chain(&class.aliases) {
                called.classes.entry(phrase(&normal::fold(&name.text))).or_default().insert(class.iri.clone());
            }
        }
        for relation in schema.relations.values() {
            called.read(schema, ties, relation);
        }
        called.say_otherwise();
        called
    }

    /// The class whose members a question counts: "how many big cities".
    pub fn counted(&self, folded: &str) -> Option<String> {
        const CUES: &[&str] = &["how many ", "多少", "几"];
        /// Words between the cue and the class at most.
        const BETWEEN: usize = 2;
        let behind = CUES.iter().find_map(|cue| folded.split_once(cue).map(|(_, rest)| rest))?;
        if let Some(first) = behind.chars().next().filter(|first| is_cjk(*first)) {
            let rest = behind.strip_prefix(lexicon::chinese::MEASURE_WORDS).unwrap_or(behind);
            let named =
                self.classes.keys().filter(|class| rest.starts_with(class.as_str()) && class.starts_with(is_cjk));
            return named.max_by_key(|class| class.len()).cloned().filter(|_| is_cjk(first));
        }
        let words: Vec<String> = words(behind).take(BETWEEN + 1).map(lemma).collect();
        words.into_iter().find(|word| self.classes.contains_key(word))
    }

    fn read(&mut self, schema: &Schema, ties: &Ties, relation: &Relation) {
        let names: Vec<String> =
            relation.labels.iter().chain(&relation.aliases).map(|name| normal::fold(&name.text)).collect();
        let ends: BTreeSet<String> =
            ends(schema, ties, relation).iter().flat_map(|class| names_of(schema, class)).collect();
        for name in &names {
            self.noun(&phrase(name), relation, 0);
            // A country's name stands for the country.
            if let Some(what) = name.strip_suffix(" name").filter(|_| matches!(relation.range, Range::Entity(_))) {
                self.noun(&phrase(what), relation, 0);
            }
            // "Capital city": the noun with what it is.
            for end in &ends {
                self.noun(&format!("{} {end}", phrase(name)), relation, 0);
            }
            let unit = relation_unit(relation);
            let plain = words(name).filter(|word| !NEUTRAL.contains(word) && Some(*word) != unit.as_deref());
            let plain = phrase(&plain.collect::<Vec<_>>().join(" "));
            for dimension in
                DIMENSIONS.iter().filter(|dimension| has(dimension, &plain) || has(dimension, &phrase(name)))
            {
                self.dimensions.entry(relation.iri.clone()).or_default().insert(dimension.name);
            }
            self.adjectives.entry(relation.iri.clone()).or_default().insert(name.clone());
            self.verb(name, relation, &ends);
        }
        for wording in &relation.statements {
            let pieces = wording.pieces();
            let between = pieces
                .iter()
                .skip_while(|piece| **piece != Piece::Subject)
                .take_while(|piece| **piece != Piece::Object);
            let between: String =
                between.filter_map(|piece| if let Piece::Literal(text) = piece { Some(*text) } else { None }).collect();
            let between = normal::fold(&between);
            if !between.is_empty()
                && !between.starts_with(['\'', '’'])
                && wording.leads_to_object()
                && pieces.first() == Some(&Piece::Subject)
            {
                self.verb(&between, relation, &ends);
            }
        }
        if places(relation) {
            self.places.insert(relation.iri.clone());
        }
    }

    fn noun(&mut self, phrase: &str, relation: &Relation, cost: u32) {
        if !phrase.is_empty() {
            let names = self.nouns.entry(phrase.to_owned()).or_default();
            if !names.iter().any(|name| name.relation == relation.iri && name.cost <= cost) {
                names.insert(Name { relation: relation.iri.clone(), cost });
            }
        }
    }

    /// The one word of a name or a sentence that says what is done, without what it is done to.
    fn verb(&mut self, said: &str, relation: &Relation, ends: &BTreeSet<String>) {
        if said.chars().any(is_cjk) {
            let said: String = said.chars().filter(|c| !c.is_whitespace()).collect();
            self.verbs.entry(said).or_default().insert(verb(relation, true, 0));
            return;
        }
        let content: Vec<&str> =
            words(said).filter(|word| !is_function_word(word) && !ends.contains(&lemma(word))).collect();
        let passive = said.ends_with(" by");
        if let [only] = content.as_slice() {
            self.verbs.entry(lemma(only)).or_default().insert(verb(relation, !passive, 0));
            // A director directs.
            let agent =
                only.strip_suffix("er").or_else(|| only.strip_suffix("or")).filter(|stem| stem.chars().count() >= 4);
            if let Some(stem) = agent.filter(|_| !passive && matches!(relation.range, Range::Entity(_))) {
                self.verbs.entry(lemma(stem)).or_default().insert(verb(relation, false, 1));
            }
        }
    }

    /// What the language has other words for.
    fn say_otherwise(&mut self) {
        let dimensions: Vec<(Iri, &Dimension)> = self
            .dimensions
            .iter()
            .flat_map(|(iri, names)| {
                DIMENSIONS.iter().filter(|one| names.contains(one.name)).map(|one| (iri.clone(), one))
            })
            .collect();
        for (relation, dimension) in dimensions {
            for noun in dimension.nouns {
                let names = self.nouns.entry(phrase(noun)).or_default();
                if !names.iter().any(|name| name.relation == relation) {
                    names.insert(Name { relation: relation.clone(), cost: 1 });
                }
            }
        }
        let mut more: BTreeMap<String, BTreeSet<Verb>> = BTreeMap::new();
        for group in SYNONYMS.iter().chain(lexicon::chinese::SYNONYMS) {
            let said = group.iter().filter_map(|verb| self.verbs.get(&phrase(verb)));
            let meant: BTreeSet<Verb> =
                said.flatten().map(|verb| Verb { cost: verb.cost + 1, ..verb.clone() }).collect();
            for verb in *group {
                more.entry(phrase(verb)).or_default().extend(meant.iter().cloned());
            }
        }
        for (said, verbs) in more {
            let known = self.verbs.entry(said).or_default();
            for verb in verbs {
                if !known.iter().any(|own| own.step == verb.step) {
                    known.insert(verb);
                }
            }
        }
        self.verbs.retain(|_, verbs| !verbs.is_empty());
    }
}

fn verb(relation: &Relation, forward: bool, cost: u32) -> Verb {
    Verb { step: Step { relation: relation.iri.clone(), forward }, cost }
}

fn has(dimension: &Dimension, plain: &str) -> bool {
    dimension.nouns.iter().any(|noun| phrase(noun) == plain)
}

fn names_of(schema: &Schema, class: &Iri) -> Vec<String> {
    let class = schema.classes.get(class);
    let names = class.into_iter().flat_map(|class| class.labels.iter().chain(&class.aliases));
    names.map(|name| phrase(&normal::fold(&name.text))).collect()
}

/// The classes at both ends of a relation, as the schema says and the data shows.
fn ends(schema: &Schema, ties: &Ties, relation: &Relation) -> BTreeSet<Iri> {
    let range = match &relation.range {
        Range::Entity(class) => class.clone(),
        Range::Value(_) => None,
    };
    let takers = [true, false].map(|forward| Step { relation: relation.iri.clone(), forward });
    let shown = takers.iter().flat_map(|step| ties.takers(step)).map(|(class, _)| class.clone());
    relation
        .domain
        .iter()
        .cloned()
        .chain(range)
        .chain(shown)
        .filter(|class| schema.classes.contains_key(class))
        .collect()
}

fn relation_unit(relation: &Relation) -> Option<String> {
    match &relation.range {
        Range::Value(value) => value.unit.as_deref().map(normal::fold),
        Range::Entity(_) => None,
    }
}

/// Whether a relation's own words say that its subjects lie in its objects.
fn places(relation: &Relation) -> bool {
    let names = relation.labels.iter().chain(&relation.aliases).map(|name| normal::fold(&name.text));
    let said = relation.statements.iter().map(|wording| normal::fold(&wording.literals().collect::<String>()));
    names.chain(said).any(|text| {
        words(&text).any(|word| lexicon::PLACES.contains(&word))
            || ["位于", "属于", "所在", "隶属"].iter().any(|word| text.contains(word))
    })
}
