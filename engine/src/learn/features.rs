//! What the path model sees of a question and of a path.

use crate::question::{
    language::is_cjk,
    path::{Path, Step},
    words,
};
use factmask_schema::{Iri, Schema, normal};
use std::{
    collections::{BTreeSet, HashMap},
    ops::Range,
};

/// The values of a unit vector are small: they count as if they were this much larger.
const MEANING: f32 = 4.0;
/// An account of this many nats counts as one.
pub const NATS: f32 = 4.0;
/// Content words from either end whose place is told.
const PLACES: usize = 3;
/// Stands for the topic among a question's words.
const TOPIC: &str = "<topic>";

/// What a question says, without the topic's name.
#[derive(Clone, Debug, Default)]
pub struct Clues {
    /// Its words and pairs of neighbouring words, function words too ("by" tells a director from a film); for Chinese its characters,
    /// pairs and triples.
    pub words: Vec<String>,
    /// Its vector from the sentence encoder; empty where the language has none.
    pub meaning: Vec<f32>,
}

impl Clues {
    /// Those of a folded question about the name at `topic`.
    pub fn new(folded: &str, topic: &Range<usize>, meaning: Vec<f32>) -> Self {
        let before = tokens(folded.get(..topic.start).unwrap_or_default());
        let after = tokens(folded.get(topic.end..).unwrap_or_default());
        let all: Vec<String> = before.iter().cloned().chain([TOPIC.to_owned()]).chain(after.iter().cloned()).collect();
        let mut found: BTreeSet<String> = all.iter().cloned().collect();
        found.extend(all.windows(2).map(|pair| pair.join(" ")));
        let chinese = |three: &&[String]| three.iter().all(|token| token.chars().all(is_cjk));
        found.extend(all.windows(3).filter(chinese).map(|three| three.join(" ")));
        // How the question begins and ends.
        found.extend(all.first().map(|first| format!("^ {first}")));
        found.extend(all.last().map(|last| format!("{last} $")));
        found.extend(in_order(&before, &after));
        let meaning = meaning.into_iter().map(|value| MEANING * value).collect();
        Self { words: found.into_iter().collect(), meaning }
    }
}

/// The content words of a question outside of some stretches.
pub fn content_words(folded: &str, without: &[Range<usize>]) -> Vec<String> {
    let mut rest = folded.to_owned();
    for stretch in without {
        if let Some(cut) = folded.get(stretch.clone()) {
            rest.replace_range(stretch.clone(), &" ".repeat(cut.len()));
        }
    }
    tokens(&rest).into_iter().filter(|word| !words::is_function_word(word)).collect()
}

/// The content words by their place on the way from the topic, which is the way that a path goes: first what stands behind the name
/// ("'s mother"), then what stands before it, from right to left ("the capital of the country of").
fn in_order(before: &[String], after: &[String]) -> Vec<String> {
    let way: Vec<&str> = after
        .iter()
        .chain(before.iter().rev())
        .map(String::as_str)
        .filter(|word| !words::is_function_word(word))
        .collect();
    let mut found: Vec<String> = way.windows(2).map(|pair| pair.join(" then ")).collect();
    for (at, word) in way.iter().enumerate().take(PLACES) {
        found.push(format!("{} from topic: {word}", at + 1));
    }
    for (at, word) in way.iter().rev().enumerate().take(PLACES) {
        found.push(format!("{} from end: {word}", at + 1));
    }
    found.push(format!("{} content words", way.len()));
    found
}

/// Words without their endings, digits as one kind, each CJK character by itself.
pub(super) fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    for run in text.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty()) {
        let mut rest = run;
        while let Some(first) = rest.chars().next() {
            let end = if is_cjk(first) { first.len_utf8() } else { rest.find(is_cjk).unwrap_or(rest.len()) };
            let (piece, tail) = rest.split_at(end);
            let number = piece.chars().all(|c| c.is_ascii_digit());
            tokens.push(if number { "0".to_owned() } else { words::stem(piece).to_owned() });
            rest = tail;
        }
    }
    tokens
}

/// Number of [`Shared`] features.
pub const SHARED: usize = 15;
/// The place of the account among them.
pub const ACCOUNT: usize = 13;
/// And that of the lag.
pub const LAG: usize = 14;

/// What is weighed alike for every path.
pub type Shared = [f32; SHARED];

/// What is known of a topic's mention.
#[derive(Clone, Copy, Debug)]
pub struct Topic {
    /// Share of the question's letters that the name takes.
    pub share: f32,
    /// How many things bear the name.
    pub homonyms: usize,
}

/// The labels of a schema's relations as content units, made at first use.
pub struct Labels<'a> {
    schema: &'a Schema,
    lang: &'a str,
    known: HashMap<Iri, (BTreeSet<String>, String)>,
}

impl<'a> Labels<'a> {
    /// Those in one language.
    pub fn new(schema: &'a Schema, lang: &'a str) -> Self {
        Self { schema, lang, known: HashMap::new() }
    }

    fn of(&mut self, relation: &Iri) -> &(BTreeSet<String>, String) {
        let (schema, lang) = (self.schema, self.lang);
        self.known.entry(relation.clone()).or_insert_with(|| {
            let label = schema.relation(relation).label(lang).to_string();
            (words::units(&label), normal::fold(&label))
        })
    }
}

/// A question without a topic, for the shared features.
pub struct Plain<'a> {
    /// The folded question.
    pub folded: &'a str,
    /// Its content units without the topic.
    pub units: &'a BTreeSet<String>,
}

/// What was found out about a path before it is weighed.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// How well its wordings fit the question, 0 to about 1.
    pub fit: f32,
    /// How much better the wordings of another single step fit, below zero; 0 for the best and for longer paths, whose sentences are not
    /// comparable.
    pub lag: f32,
    /// How far it accounts for the question's words, in nats, 0 at best; none in a language without an aligner.
    pub account: Option<f32>,
    /// Whether the question's possessives ask for more steps.
    pub beyond: bool,
}

/// The shared features of a path.
pub fn shared(labels: &mut Labels<'_>, asked: &Plain<'_>, topic: Topic, path: &Path, found: Found) -> Shared {
    let mut said: BTreeSet<String> = BTreeSet::new();
    let mut part = |step: Option<&Step>| -> (f32, f32) {
        let Some(step) = step else { return (0.0, 0.0) };
        let (units, label) = labels.of(&step.relation);
        let inside = units.intersection(asked.units).count() as f32 / units.len().max(1) as f32;
        said.extend(units.iter().cloned());
        (inside, f32::from(u8::from(!label.is_empty() && asked.folded.contains(label.as_str()))))
    };
    let (first, first_literal) = part(path.steps.first());
    let (last, last_literal) = part(path.steps.last());
    let middle = if path.steps.len() > 2 { part(path.steps.get(1)).0 } else { 0.0 };
    let covered = said.intersection(asked.units).count() as f32 / asked.units.len().max(1) as f32;
    let steps = path.steps.len();
    let is = |yes: bool| f32::from(u8::from(yes));
    [
        4.0 * found.fit,
        last,
        last_literal,
        if steps > 1 { first } else { 0.0 },
        if steps > 1 { first_literal } else { 0.0 },
        middle,
        2.0 * covered,
        is(steps == 2),
        is(steps == 3),
        4.0 * topic.share,
        (topic.homonyms as f32).ln(),
        is(path.steps.last().is_some_and(|step| !step.forward)),
        is(found.beyond),
        found.account.unwrap_or(0.0) / NATS,
        4.0 * found.lag,
    ]
}

/// The parts of a path that have weights of their own: each step by its place, and the number of steps. What was learned of a step
/// counts in every path that has it in that place; weights for pairs of steps or whole paths made held-out questions worse.
pub fn parts(path: &Path) -> Vec<String> {
    let step = |place: &str, step: &Step| format!("{place} {}", step.sign());
    let mut parts = Vec::with_capacity(4);
    if let ([first, ..], [.., last]) = (path.steps.as_slice(), path.steps.as_slice()) {
        parts.extend([step("first", first), step("last", last)]);
    }
    if let [_, middle, _] = path.steps.as_slice() {
        parts.push(step("middle", middle));
    }
    parts.push(format!("steps {}", path.steps.len()));
    parts
}

/// The same for people: the steps in their order, each by its relation's label.
pub fn said(parts: &[String], schema: &Schema, lang: &str) -> String {
    let places = if parts.iter().any(|part| part == "steps 1") { &["first"][..] } else { &["first", "middle", "last"] };
    let step = |place: &&str| {
        let mut own = parts.iter().filter_map(|part| part.strip_prefix(*place)?.strip_prefix(' '));
        let step = own.next()?;
        let (arrow, iri) = match step.strip_prefix('>') {
            Some(iri) => ("→", iri),
            None => ("←", step.strip_prefix('<')?),
        };
        let label = Iri::new(iri).ok().map(|iri| schema.relation(&iri).label(lang).into_owned());
        Some(format!("{arrow} {}", label.unwrap_or_else(|| iri.to_owned())))
    };
    places.iter().filter_map(step).collect::<Vec<_>>().join(" ")
}
