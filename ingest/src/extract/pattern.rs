//! Wordings to patterns.

use super::literal::Literal;
use crate::text::Letters;
use aho_corasick::AhoCorasick;
use factmask_schema::normal::fold;
use factmask_schema::{Functional, Iri, Piece, Range, Relation, Schema, Text, ValueType, Wording};
use std::collections::{BTreeSet, HashMap, HashSet};

/// One way to say a relation, with its optional parts decided.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Pattern {
    pub(crate) relation: Iri,
    pub(crate) elements: Vec<Element>,
    /// Letters that its words fix.
    pub(crate) weight: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Element {
    Literal(Literal),
    Subject,
    Object,
    /// A qualifier, by its IRI.
    Qualifier(Iri),
}

/// What a pattern's slots take.
pub(crate) struct Slots<'s> {
    pub(crate) domain: Option<&'s Iri>,
    pub(crate) objects: Objects<'s>,
    /// Several objects may be listed.
    pub(crate) many: bool,
}

pub(crate) enum Objects<'s> {
    Entity(Option<&'s Iri>),
    Value(&'s ValueType),
}

/// All patterns of a schema, and an automaton that tells which may match a sentence.
pub(crate) struct Patterns {
    patterns: Vec<Pattern>,
    anchors: Option<AhoCorasick>,
    by_anchor: Vec<Vec<usize>>,
}

/// A wording with more optional parts is read without the further ones.
const MOST_OPTIONALS: usize = 4;

impl Patterns {
    /// Compiles the statement wordings of all relations, each also with the relation's other names in place of the one it uses.
    pub(crate) fn compile(schema: &Schema) -> Self {
        let mut seen = HashSet::new();
        let mut patterns = Vec::new();
        for relation in schema.relations.values() {
            for wording in &relation.statements {
                for pattern in variants(schema, relation, wording) {
                    if seen.insert(pattern.clone()) {
                        patterns.push(pattern);
                    }
                }
            }
        }
        let mut by_text: HashMap<String, usize> = HashMap::new();
        let mut by_anchor: Vec<Vec<usize>> = Vec::new();
        let mut texts = Vec::new();
        for (index, pattern) in patterns.iter().enumerate() {
            let anchor = anchor(pattern);
            let place = *by_text.entry(anchor.clone()).or_insert_with(|| {
                texts.push(anchor);
                by_anchor.push(Vec::new());
                by_anchor.len() - 1
            });
            if let Some(list) = by_anchor.get_mut(place) {
                list.push(index);
            }
        }
        // The automaton's only limit is its size; without it every pattern is tried.
        let anchors = AhoCorasick::new(&texts).ok();
        Self { patterns, anchors, by_anchor }
    }

    /// The patterns that have their longest words in the sentence, in order.
    pub(crate) fn candidates(&self, letters: &Letters<'_>) -> Vec<usize> {
        let Some(anchors) = &self.anchors else { return (0..self.patterns.len()).collect() };
        let text = letters.key(0..letters.len());
        let hits: BTreeSet<usize> = anchors.find_overlapping_iter(&text).map(|hit| hit.pattern().as_usize()).collect();
        let found: BTreeSet<usize> =
            hits.into_iter().filter_map(|hit| self.by_anchor.get(hit)).flatten().copied().collect();
        found.into_iter().collect()
    }

    pub(crate) fn pattern(&self, index: usize) -> Option<&Pattern> {
        self.patterns.get(index)
    }
}

/// What the slots of `relation` take.
pub(crate) fn slots<'s>(schema: &'s Schema, relation: &Iri) -> Option<Slots<'s>> {
    let relation = schema.relations.get(relation)?;
    let objects = match &relation.range {
        Range::Entity(class) => Objects::Entity(class.as_ref()),
        Range::Value(wanted) => Objects::Value(wanted),
    };
    Some(Slots { domain: relation.domain.as_ref(), objects, many: relation.functional == Functional::No })
}

fn anchor(pattern: &Pattern) -> String {
    let literals = pattern.elements.iter().filter_map(|element| match element {
        Element::Literal(literal) => Some(literal.anchor()),
        _ => None,
    });
    literals.max_by_key(String::len).unwrap_or_default()
}

#[derive(Clone)]
enum Raw {
    Words(String),
    Slot(Element),
}

fn variants(schema: &Schema, relation: &Relation, wording: &Wording) -> Vec<Pattern> {
    let mut flat: Vec<Vec<Raw>> = vec![Vec::new()];
    let mut optionals = 0;
    for piece in wording.pieces() {
        let choices: Vec<Vec<Raw>> = match &piece {
            Piece::Optional(inner) => {
                optionals += 1;
                let filled = inner.iter().filter_map(|piece| raw(schema, piece)).collect();
                if optionals > MOST_OPTIONALS { vec![Vec::new()] } else { vec![filled, Vec::new()] }
            }
            other => vec![raw(schema, other).into_iter().collect()],
        };
        flat = flat
            .iter()
            .flat_map(|done| choices.iter().map(move |choice| done.iter().chain(choice).cloned().collect()))
            .collect();
    }
    let mut found = Vec::new();
    for parts in flat {
        for parts in renamed(relation, &wording.lang, parts) {
            found.extend(pattern(relation, parts));
        }
    }
    found
}

fn raw(schema: &Schema, piece: &Piece<'_>) -> Option<Raw> {
    match piece {
        Piece::Literal(words) => Some(Raw::Words((*words).to_owned())),
        Piece::Subject => Some(Raw::Slot(Element::Subject)),
        Piece::Object => Some(Raw::Slot(Element::Object)),
        Piece::Qualifier(name) => {
            schema.qualifier_by_slot(name).map(|qualifier| Raw::Slot(Element::Qualifier(qualifier.iri.clone())))
        }
        Piece::Optional(_) => None,
    }
}

/// The wording, and the wording with each other name of the relation in place of the one that stands in it.
fn renamed(relation: &Relation, lang: &str, parts: Vec<Raw>) -> Vec<Vec<Raw>> {
    let names: Vec<String> = relation
        .labels
        .iter()
        .chain(&relation.aliases)
        .filter(|name| Text::same_language(&name.lang, lang))
        .map(|name| fold(&name.text))
        .collect();
    let mut place: Option<(usize, String, &String)> = None;
    for (index, part) in parts.iter().enumerate() {
        let Raw::Words(words) = part else { continue };
        let folded = spaced_fold(words);
        for name in &names {
            if stands_in(&folded, name) && place.as_ref().is_none_or(|(_, _, other)| other.len() < name.len()) {
                place = Some((index, folded.clone(), name));
            }
        }
    }
    let mut found = vec![parts.clone()];
    if let Some((index, folded, name)) = place {
        for other in names.iter().filter(|other| *other != name) {
            let mut variant = parts.clone();
            if let Some(part) = variant.get_mut(index) {
                *part = Raw::Words(folded.replacen(name.as_str(), other, 1));
            }
            found.push(variant);
        }
    }
    found
}

/// Folds and keeps the white space at the ends, which tells where words may touch.
fn spaced_fold(words: &str) -> String {
    let lead = if words.starts_with(char::is_whitespace) { " " } else { "" };
    let tail = if words.ends_with(char::is_whitespace) && !words.trim().is_empty() { " " } else { "" };
    format!("{lead}{}{tail}", fold(words))
}

fn stands_in(words: &str, name: &str) -> bool {
    words.find(name).is_some_and(|at| {
        let letter = |char: Option<char>| char.is_some_and(|char| char.is_ascii_alphanumeric());
        let before = words.get(..at).and_then(|words| words.chars().next_back());
        let behind = words.get(at + name.len()..).and_then(|words| words.chars().next());
        let (first, last) = (name.chars().next(), name.chars().next_back());
        let glued = (letter(before) && letter(first)) || (letter(behind) && letter(last));
        !glued
    })
}

fn pattern(relation: &Relation, parts: Vec<Raw>) -> Option<Pattern> {
    let mut merged: Vec<Raw> = Vec::new();
    for part in parts {
        match (merged.last_mut(), part) {
            (Some(Raw::Words(before)), Raw::Words(words)) => before.push_str(&words),
            (_, part) => merged.push(part),
        }
    }
    if let Some(Raw::Words(words)) = merged.last_mut() {
        // The full stop is the sentence's; what follows the object is looked at otherwise.
        *words = words.trim_end().trim_end_matches(['.', '。', '!', '！', ';', '；']).to_owned();
    }
    let elements: Vec<Element> = merged
        .iter()
        .enumerate()
        .map(|(index, part)| match part {
            Raw::Slot(element) => element.clone(),
            Raw::Words(words) => {
                Element::Literal(Literal::new(words, matches!(merged.get(index + 1), Some(Raw::Slot(Element::Object)))))
            }
        })
        .filter(|element| !matches!(element, Element::Literal(literal) if literal.is_empty()))
        .collect();
    let weight =
        elements.iter().map(|element| if let Element::Literal(literal) = element { literal.weight() } else { 0 }).sum();
    let pattern = Pattern { relation: relation.iri.clone(), elements, weight };
    let slots = |wanted: &Element| pattern.elements.iter().filter(|element| *element == wanted).count();
    // Without any words of its own a wording would match every sentence.
    let usable = slots(&Element::Subject) == 1 && slots(&Element::Object) == 1 && !anchor(&pattern).is_empty();
    usable.then_some(pattern)
}
