//! What speaks for a span: the language model's readings and generic witnesses beside them.
//!
//! None of them knows a subject or a relation. A small model reads badly alone, so beside its probabilities stand the question's words
//! around the span, its own edges, and whether the kind of answer fits the kind of question.

use super::{
    Found, Index, Passage,
    kind::{self, Asked, Bound, CLAUSE, Looks},
};
use crate::{
    fusion::passages::TextReading,
    question::{language::is_cjk, words},
};
use factmask_graph::DocumentId;
use factmask_schema::normal;
use serde::Serialize;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ops::Range,
};

/// What is asked, as far as spans are judged by it.
#[derive(Clone, Debug)]
pub struct Question {
    /// The kind of answer.
    pub asked: Asked,
    /// Its content units with how rare each is among the passages.
    units: BTreeMap<String, f32>,
    /// The units of what it writes with capitals or digits.
    names: BTreeSet<String>,
    /// How rare the rarest unit can be.
    rarest: f32,
}

/// A passage that was shown, with how it was found; the place in the list is its rank.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The document that it stands in.
    pub document: &'a DocumentId,
    /// The passage.
    pub passage: &'a Passage,
    /// How it was found.
    pub found: &'a Found,
}

/// A sentence that spans may come from.
#[derive(Clone, Debug)]
pub struct Open {
    /// Its passage, by its rank.
    pub passage: usize,
    /// Its place in the passage.
    pub sentence: usize,
    /// Its words.
    pub bounds: Vec<Bound>,
}

/// Witnesses of one span: its log-probability and whether the model followed it to its end, its beginning's lift by the question; the
/// share of the question's words, by their worth, in sentence and headings, and near the span; how near the next of them is before and
/// behind it; whether the kind of answer fits; where the question does not say a kind, whether it is a name, and whether a number; the
/// share of its words that the question has itself; its length in fours of words; whether phrases part before and behind it; how rare its
/// words are; its sentence's likeness to the question, and how far that is below the likest; the reciprocal rank of its passage, the
/// passage's share of the question's words, and the share of its names that the document never has; whether the question does not say a
/// kind; whether it begins the sentence; the logarithm of how many passages it stands in.
pub type Witnesses = [f32; WITNESSES];
/// How many there are.
pub const WITNESSES: usize = 23;

/// A span with what speaks for it.
#[derive(Clone, Debug, Serialize)]
pub struct Candidate {
    /// As the sentence writes it.
    pub text: String,
    /// Its passage, by its rank.
    pub passage: usize,
    /// Its sentence in the passage.
    pub sentence: usize,
    /// Its bytes in the sentence.
    pub bytes: Range<usize>,
    /// What it looks like.
    pub looks: Looks,
    /// What speaks for it.
    pub witnesses: Witnesses,
    /// What that amounts to, in log-odds.
    pub score: f32,
}

/// Below this a log-probability says no more.
const LEAST: f32 = -12.0;
/// Beyond this a lift says no more.
const MOST_LIFT: f32 = 6.0;
/// Words on each side of a span that are near it.
const NEAR: usize = 8;

impl Question {
    /// Reads a question against what its words are worth in an index.
    pub fn new(question: &str, index: &Index) -> Self {
        let names: Vec<&str> = kind::word_ranges(question)
            .into_iter()
            .filter_map(|range| question.get(range))
            // Single characters of Chinese tell no name.
            .filter(|word| kind::looks(word) != Looks::Plain && !word.chars().all(is_cjk))
            .collect();
        let units = words::units(question);
        Self {
            asked: kind::asked(question),
            units: units.into_iter().map(|unit| (unit.clone(), index.rarity(&unit))).collect(),
            names: words::units(&names.join(" ")),
            rarest: index.rarity(""),
        }
    }

    /// The content units.
    pub fn units(&self) -> BTreeSet<String> {
        self.units.keys().cloned().collect()
    }

    /// The share of its words, by their worth, that a sentence and the headings above it have.
    pub fn around(&self, passage: &Passage, sentence: usize) -> f32 {
        self.share(&words::units(&passage.in_context(sentence)))
    }

    /// Every span of the sentences in view with what speaks for it, whether the model followed it or not.
    pub fn candidates(&self, index: &Index, seen: &[Seen<'_>], open: &[Open], reading: &TextReading) -> Vec<Candidate> {
        let said = Said::new(reading);
        let mut candidates = Vec::new();
        for open in open {
            let Some(sentence) = Sentence::new(self, index, seen, (open.passage, open.sentence)) else { continue };
            let spans = kind::spans(&open.bounds);
            candidates.extend(spans.filter_map(|bytes| sentence.candidate(self, index, bytes, &said)));
        }
        self.note_repetition(&mut candidates);
        candidates
    }

    /// Whether the same stands in another passage too.
    fn note_repetition(&self, candidates: &mut [Candidate]) {
        let mut passages: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        for candidate in candidates.iter() {
            passages.entry(normal::fold(&candidate.text)).or_default().insert(candidate.passage);
        }
        for candidate in candidates.iter_mut() {
            let own = passages.get(&normal::fold(&candidate.text)).map_or(0, BTreeSet::len);
            if let Some(last) = candidate.witnesses.last_mut() {
                *last = (own.max(1) as f32).ln();
            }
        }
    }

    /// The share of its units, by their worth, that others are; 1 where it has none.
    fn share(&self, units: &BTreeSet<String>) -> f32 {
        let all: f32 = self.units.values().sum();
        let held: f32 = self.units.iter().filter(|(unit, _)| units.contains(*unit)).map(|(_, worth)| worth).sum();
        if all > 0.0 { held / all } else { 1.0 }
    }
}

/// What the model says, by place.
struct Said {
    /// By passage, sentence, beginning and end.
    whole: HashMap<(usize, usize, usize, usize), f32>,
    /// By passage, sentence and beginning.
    lifts: HashMap<(usize, usize, usize), f32>,
}

impl Said {
    fn new(reading: &TextReading) -> Self {
        let places =
            reading.spans.iter().flat_map(|span| span.places.iter().map(|place| (place, span.log_probability)));
        let whole = places.map(|(place, said)| {
            ((place.passage, place.sentence, place.bytes.start, place.bytes.end), said.max(LEAST))
        });
        let lifts = reading.lifts.iter().map(|(place, lift)| {
            ((place.passage, place.sentence, place.bytes.start), lift.clamp(-MOST_LIFT, MOST_LIFT))
        });
        Self { whole: whole.collect(), lifts: lifts.collect() }
    }
}

/// A sentence in view, read once for all of its spans.
struct Sentence<'a> {
    place: (usize, usize),
    text: &'a str,
    /// Its words.
    words: Vec<Range<usize>>,
    /// Of each word, the unit of the question that it says.
    says: Vec<Option<String>>,
    around: f32,
    likeness: f32,
    likest: f32,
    passage: f32,
    missing: f32,
}

impl<'a> Sentence<'a> {
    fn new(question: &Question, index: &Index, seen: &[Seen<'a>], place: (usize, usize)) -> Option<Self> {
        let Seen { document, passage, found } = *seen.get(place.0)?;
        let text = passage.sentences.get(place.1)?.as_str();
        let words = kind::word_ranges(text);
        let missing = question.names.iter().filter(|name| !index.says(document, name)).count();
        let all = seen.iter().flat_map(|seen| seen.found.likeness.iter().copied());
        Some(Self {
            place,
            says: says(question, text, &words),
            around: question.around(passage, place.1),
            likeness: found.likeness.get(place.1).copied().unwrap_or_default(),
            likest: all.fold(0.0, f32::max),
            passage: question.share(&words::units(&passage.text())),
            missing: missing as f32 / question.names.len().max(1) as f32,
            text,
            words,
        })
    }

    fn candidate(&self, question: &Question, index: &Index, bytes: Range<usize>, said: &Said) -> Option<Candidate> {
        let text = self.text.get(bytes.clone())?;
        let (passage, sentence) = self.place;
        let whole = said.whole.get(&(passage, sentence, bytes.start, bytes.end)).copied();
        let first = self.words.partition_point(|word| word.end <= bytes.start);
        let behind = self.words.partition_point(|word| word.start < bytes.end);
        let own: Vec<&str> =
            self.words.get(first..behind)?.iter().filter_map(|word| self.text.get(word.clone())).collect();
        let looks = kind::run_looks(own.iter().copied());
        let units = words::units(text);
        let repeated = units.iter().filter(|unit| question.units.contains_key(*unit)).count();
        let rarity: f32 = units.iter().map(|unit| index.rarity(unit)).sum();
        let near = self.says.get(first.saturating_sub(NEAR)..(behind + NEAR).min(self.says.len()))?;
        let near: BTreeSet<String> = near.iter().flatten().cloned().collect();
        let asked = |side: Option<usize>| side.map_or(0.0, |distance| 1.0 / (1.0 + distance as f32));
        let before = self.says.get(..first)?.iter().rev().position(Option::is_some);
        let after = self.says.get(behind..)?.iter().position(Option::is_some);
        let anything = question.asked == Asked::Anything;
        let yes = |fact: bool| f32::from(u8::from(fact));
        let fits = if kind::fits(question.asked, looks) { 1.0 } else { -1.0 };
        let edges = [self.begins(first), self.ends(behind)];
        Some(Candidate {
            text: text.to_owned(),
            passage: self.place.0,
            sentence: self.place.1,
            bytes: bytes.clone(),
            looks,
            witnesses: [
                whole.unwrap_or(LEAST),
                yes(whole.is_some()),
                said.lifts.get(&(passage, sentence, bytes.start)).copied().unwrap_or_default(),
                self.around,
                question.share(&near),
                asked(before),
                asked(after),
                if anything { 0.0 } else { fits },
                yes(anything && looks == Looks::Name),
                yes(anything && matches!(looks, Looks::Number | Looks::Time)),
                repeated as f32 / units.len().max(1) as f32,
                (own.len() as f32 / 4.0).min(3.0),
                edges[0],
                edges[1],
                rarity / units.len().max(1) as f32 / question.rarest,
                self.likeness,
                self.likeness - self.likest,
                1.0 / (1.0 + self.place.0 as f32),
                self.passage,
                self.missing,
                yes(anything),
                yes(bytes.start == self.words.first().map_or(0, |word| word.start)),
                0.0,
            ],
            score: 0.0,
        })
    }

    /// Whether what stands before a word is no part of the same phrase.
    fn begins(&self, word: usize) -> f32 {
        let Some(before) = word.checked_sub(1) else { return 1.0 };
        self.parted(before, before)
    }

    /// Whether what stands from a word on is no part of the phrase before it.
    fn ends(&self, behind: usize) -> f32 {
        if behind >= self.words.len() {
            return 1.0;
        }
        behind.checked_sub(1).map_or(1.0, |last| self.parted(last, behind))
    }

    /// 1 where punctuation stands behind `left`, or `word` is one that no phrase of things has.
    fn parted(&self, left: usize, word: usize) -> f32 {
        let said = |at: usize| self.words.get(at).and_then(|word| self.text.get(word.clone())).unwrap_or_default();
        let gap = self.words.get(left).zip(self.words.get(left + 1)).and_then(|(a, b)| self.text.get(a.end..b.start));
        let mark = gap.is_some_and(|gap| gap.chars().any(|char| !char.is_whitespace() && char != '\'' && char != '-'));
        let small = said(word).to_lowercase();
        let apart = words::is_function_word(&small) || CLAUSE.contains(&small.as_str());
        f32::from(u8::from(mark || apart))
    }
}

/// Of each word of a text, the unit of the question that it says; characters of Chinese say units two by two.
fn says(question: &Question, text: &str, words: &[Range<usize>]) -> Vec<Option<String>> {
    let known = |range: Range<usize>| {
        let units = words::units(text.get(range)?);
        units.into_iter().find(|unit| question.units.contains_key(unit))
    };
    let mut says: Vec<Option<String>> = words.iter().map(|word| known(word.clone())).collect();
    for (at, pair) in words.windows(2).enumerate() {
        let [one, other] = pair else { continue };
        let cjk = one.end == other.start && text.get(one.start..other.end).is_some_and(|pair| pair.chars().all(is_cjk));
        if let Some(unit) = cjk.then(|| known(one.start..other.end)).flatten() {
            says.iter_mut().skip(at).take(2).for_each(|says| *says = Some(unit.clone()));
        }
    }
    says
}
