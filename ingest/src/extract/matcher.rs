//! Patterns against one sentence.
//!
//! A pattern is anchored at its first literal: what stands before it is read backwards from there, the rest forwards. Each slot
//! offers its candidates, the best first, and the first way through wins.

use super::guard::{is_clause_mark, takes_back};
use super::literal::Literal;
use super::pattern::{Element, Objects, Pattern, Slots, slots};
use super::phrases::{can_be_name, phrase_from, phrase_to, run_from, run_to, skip_chinese_openers};
use crate::names::{Meant, Names};
use crate::table::class_called;
use crate::text::{Letters, is_ideograph};
use crate::values::{Mention, QualifierWords};
use factmask_graph::Value;
use factmask_schema::{Iri, Schema};
use std::ops::Range;

/// A name in a slot.
#[derive(Clone, Debug)]
pub(super) enum Slot {
    /// An entity that is known by this name.
    Known(Meant, Range<usize>),
    /// A name that is met for the first time.
    New(Range<usize>),
}

impl Slot {
    pub(super) fn range(&self) -> Range<usize> {
        match self {
            Self::Known(_, range) | Self::New(range) => range.clone(),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) enum Object {
    Entity(Slot),
    Value(Value, Range<usize>),
}

impl Object {
    pub(super) fn range(&self) -> Range<usize> {
        match self {
            Self::Entity(slot) => slot.range(),
            Self::Value(_, range) => range.clone(),
        }
    }
}

/// A relation that a sentence states.
#[derive(Clone, Debug)]
pub(super) struct Match {
    pub(super) relation: Iri,
    pub(super) domain: Option<Iri>,
    pub(super) range: Option<Iri>,
    pub(super) subject: Slot,
    pub(super) objects: Vec<Object>,
    pub(super) qualifiers: Vec<(Iri, Mention)>,
    pub(super) span: Range<usize>,
    weight: usize,
}

/// One sentence with all that is known.
pub(super) struct Matcher<'a> {
    pub(super) schema: &'a Schema,
    pub(super) names: &'a Names<'a>,
    pub(super) qualifiers: &'a [QualifierWords],
    pub(super) letters: &'a Letters<'a>,
}

#[derive(Clone, Default)]
struct Binding {
    subject: Option<Slot>,
    objects: Vec<Object>,
    qualifiers: Vec<(Iri, Mention)>,
}

impl Matcher<'_> {
    /// The best matches: where two share an object, the one with the known subject and more words of the schema's stands.
    pub(super) fn best<'p>(&self, patterns: impl Iterator<Item = &'p Pattern>) -> Vec<Match> {
        let mut found: Vec<Match> = patterns.flat_map(|pattern| self.all(pattern)).collect();
        found.sort_by_key(|found| {
            let known = matches!(found.subject, Slot::Known(..));
            std::cmp::Reverse((known, found.qualifiers.len(), found.weight, found.objects.len()))
        });
        let mut best: Vec<Match> = Vec::new();
        for one in found {
            // One value is said of one thing by one relation; the second reading of it is the weaker one.
            let same = |other: &Object| one.objects.iter().any(|object| overlap(&object.range(), &other.range()));
            if !best.iter().any(|better| better.objects.iter().any(same)) {
                best.push(one);
            }
        }
        best.sort_by_key(|found| found.span.start);
        best
    }

    fn all(&self, pattern: &Pattern) -> Vec<Match> {
        let Some(slots) = slots(self.schema, &pattern.relation) else { return Vec::new() };
        let place = pattern.elements.iter().position(|element| matches!(element, Element::Literal(_)));
        let Some((before, rest)) = place.and_then(|place| pattern.elements.split_at_checked(place)) else {
            return Vec::new();
        };
        let Some((Element::Literal(literal), rest)) = rest.split_first() else { return Vec::new() };
        (0..self.letters.len()).filter_map(|at| self.matched(pattern, &slots, before, literal, rest, at)).collect()
    }

    fn matched(
        &self,
        pattern: &Pattern,
        slots: &Slots<'_>,
        before: &[Element],
        literal: &Literal,
        rest: &[Element],
        at: usize,
    ) -> Option<Match> {
        let behind = literal.ends_at(self.letters, at)?;
        let (binding, start) = self.backward(slots, before, at, Binding::default())?;
        if before.is_empty() && !self.may_begin(at) {
            return None;
        }
        let (mut binding, end) = self.forward(slots, rest, behind, binding)?;
        if takes_back(self.letters, start) {
            return None;
        }
        if before.first() == Some(&Element::Subject) && self.is_of_another(start) {
            return None;
        }
        if slots.many && matches!(rest.last(), Some(Element::Object)) {
            self.listed(slots, end, &mut binding.objects);
        }
        let subject = binding.subject?;
        let overlapping = binding.objects.iter().any(|object| overlap(&object.range(), &subject.range()));
        let unknown = matches!(subject, Slot::New(_))
            && binding.objects.iter().any(|object| matches!(object, Object::Entity(Slot::New(_))));
        // With nothing known on either side the wording's own words must be many.
        if binding.objects.is_empty() || overlapping || (unknown && pattern.weight < 8) {
            return None;
        }
        let range = match slots.objects {
            Objects::Entity(class) => class.cloned(),
            Objects::Value(_) => None,
        };
        let end = binding.objects.iter().map(|object| object.range().end).max().unwrap_or(end).max(end);
        Some(Match {
            relation: pattern.relation.clone(),
            domain: slots.domain.cloned(),
            range,
            subject,
            objects: binding.objects,
            qualifiers: binding.qualifiers,
            span: start..end,
            weight: pattern.weight,
        })
    }

    /// Whether a name that begins at `start` only says whose something is that the sentence is about: "the brother of X leads Y" says
    /// nothing of X, but "the city of X" is X.
    fn is_of_another(&self, start: usize) -> bool {
        let before = self.letters.key(0..start);
        let words = before.trim_end().strip_suffix(" the").unwrap_or(before.trim_end());
        let Some(noun) = words.strip_suffix(" of") else { return words == "of" };
        let noun = noun.rsplit(' ').next().unwrap_or_default();
        class_called(self.schema, noun).is_none()
    }

    fn forward(
        &self,
        slots: &Slots<'_>,
        elements: &[Element],
        at: usize,
        binding: Binding,
    ) -> Option<(Binding, usize)> {
        let Some((first, rest)) = elements.split_first() else { return Some((binding, at)) };
        match first {
            Element::Literal(literal) => self.forward(slots, rest, literal.ends_at(self.letters, at)?, binding),
            Element::Subject => self.names_from(at, slots.domain, rest).into_iter().find_map(|slot| {
                let end = slot.range().end;
                self.forward(slots, rest, end, Binding { subject: Some(slot), ..binding.clone() })
            }),
            Element::Object => self.objects_from(at, slots, rest).into_iter().find_map(|object| {
                let end = self.behind(&object);
                self.forward(slots, rest, end, Binding { objects: vec![object], ..binding.clone() })
            }),
            Element::Qualifier(iri) => self.mentions(iri, at).into_iter().find_map(|mention| {
                let end = mention.end;
                self.forward(slots, rest, end, with(&binding, iri, mention))
            }),
        }
    }

    fn backward(
        &self,
        slots: &Slots<'_>,
        elements: &[Element],
        end: usize,
        binding: Binding,
    ) -> Option<(Binding, usize)> {
        let Some((last, rest)) = elements.split_last() else { return Some((binding, end)) };
        match last {
            Element::Literal(_) => None,
            Element::Subject => self.names_to(end, slots.domain).into_iter().find_map(|slot| {
                let start = slot.range().start;
                self.backward(slots, rest, start, Binding { subject: Some(slot), ..binding.clone() })
            }),
            Element::Object => self.objects_to(end, slots).into_iter().find_map(|object| {
                let start = object.range().start;
                self.backward(slots, rest, start, Binding { objects: vec![object], ..binding.clone() })
            }),
            Element::Qualifier(iri) => {
                let first = end.saturating_sub(24);
                (first..end).flat_map(|at| self.mentions(iri, at)).filter(|mention| mention.end == end).find_map(
                    |mention| {
                        let start = mention.start;
                        self.backward(slots, rest, start, with(&binding, iri, mention))
                    },
                )
            }
        }
    }

    fn mentions(&self, iri: &Iri, at: usize) -> Vec<Mention> {
        let words = self.qualifiers.iter().find(|words| words.iri == *iri);
        words.map(|words| words.mentions_at(self.letters, at)).unwrap_or_default()
    }

    /// Names of `wanted` that begin at `at` and end where `rest` can go on.
    pub(super) fn names_from(&self, at: usize, wanted: Option<&Iri>, rest: &[Element]) -> Vec<Slot> {
        let letters = self.letters;
        let at = ["the ", "a ", "an "]
            .iter()
            .find(|article| letters.key(at..at + article.len()) == **article)
            .map_or(at, |article| at + article.len());
        let next = match rest.first() {
            Some(Element::Literal(literal)) => Some(literal),
            _ => None,
        };
        let goes_on = |end: usize| next.is_none_or(|literal| literal.ends_at(letters, end).is_some());
        let known = letters_ends(self.names, letters, at);
        let mut found: Vec<Slot> = known
            .iter()
            .filter(|end| goes_on(**end) && (next.is_some() || !rest.is_empty() || self.is_whole(at, **end)))
            .filter_map(|end| Some(Slot::Known(self.names.meant_by_key(&letters.key(at..*end), wanted)?, at..*end)))
            .collect();
        // A name that is known for something of another class is not a new one of this class.
        let fresh = |range: &Range<usize>, plain: bool| {
            can_be_name(letters, range, plain)
                && !self.names.is_name(&letters.key(range.clone()))
                && !self.begins_known(range)
        };
        let last = letters.len().min(at + 60);
        let ends: Vec<usize> = match next {
            Some(_) => (at + 1..=last).filter(|end| goes_on(*end)).collect(),
            None if is_ideograph(letters.at(at)) => vec![run_from(letters, at)],
            None => phrase_from(letters, at).into_iter().collect(),
        };
        found.extend(ends.into_iter().map(|end| at..end).filter(|range| fresh(range, next.is_some())).map(Slot::New));
        if next.is_none() && rest.is_empty() && found.is_empty() {
            // "targeted by osimertinib.": small letters, and nothing else up to the mark.
            let end = run_from(letters, at);
            found.extend(Some(at..end).filter(|range| range.len() > 2 && fresh(range, true)).map(Slot::New));
        }
        found
    }

    /// Names of `wanted` that end at `end`.
    pub(super) fn names_to(&self, end: usize, wanted: Option<&Iri>) -> Vec<Slot> {
        let letters = self.letters;
        let mut found = Vec::new();
        for start in self.names.starts_to(letters, end) {
            if self.begins_well(start, end)
                && let Some(meant) = self.names.meant_by_key(&letters.key(start..end), wanted)
            {
                found.push(Slot::Known(meant, start..end));
            }
        }
        let start = if is_ideograph(letters.before(end)) {
            let run = run_to(letters, end);
            Some(skip_chinese_openers(letters, run, end))
        } else {
            phrase_to(letters, end)
        };
        if let Some(start) = start {
            let range = start..end;
            let known =
                self.names.is_name(&letters.key(range.clone())) || self.begins_known(&range) || self.ends_known(&range);
            if !known && can_be_name(letters, &range, false) {
                found.push(Slot::New(range));
            }
        }
        found
    }

    /// Whether nothing before a known name makes it part of a longer one ("Big Apple").
    fn begins_well(&self, start: usize, end: usize) -> bool {
        let letters = self.letters;
        if is_ideograph(letters.at(start)) || is_ideograph(letters.before(start)) {
            let run = run_to(letters, start);
            let open = skip_chinese_openers(letters, run, start);
            // What is left before it must be nothing, or a known name itself ("美国苹果公司"), or words in another script.
            return open >= start
                || !self.names.starts_to(letters, start).is_empty()
                || !is_ideograph(letters.before(start));
        }
        match phrase_to(letters, end) {
            Some(phrase) if phrase < start => {
                // Titles and roles are capitalised and no part of the name; so are names that stand in apposition.
                let lead = start.saturating_sub(1);
                letters.before(start) == ' '
                    && (is_title(letters, phrase, lead) || self.names.starts_to(letters, lead).contains(&phrase))
            }
            _ => true,
        }
    }

    /// Whether nothing behind a known name makes it part of a longer one ("Paris Region").
    fn is_whole(&self, at: usize, end: usize) -> bool {
        let letters = self.letters;
        if is_ideograph(letters.before(end)) || is_ideograph(letters.at(end)) {
            return end >= letters.len()
                || is_clause_mark(letters, end)
                || !is_ideograph(letters.at(end))
                || is_joint(letters, end);
        }
        // A possessive makes it a part: "is Paris's suburb".
        let possessive = letters.at(end) == '\'';
        !possessive && phrase_from(letters, at).is_none_or(|phrase| phrase <= end)
    }

    /// Whether an unknown range begins with a known name, so that it is more likely a known name with words behind it.
    fn begins_known(&self, range: &Range<usize>) -> bool {
        let chinese = is_ideograph(self.letters.at(range.start));
        chinese
            && letters_ends(self.names, self.letters, range.start)
                .iter()
                .any(|end| *end < range.end && *end - range.start >= 2)
    }

    fn ends_known(&self, range: &Range<usize>) -> bool {
        let chinese = is_ideograph(self.letters.before(range.end));
        chinese
            && self
                .names
                .starts_to(self.letters, range.end)
                .iter()
                .any(|start| *start > range.start && range.end - *start >= 2)
    }

    /// Whether a wording that begins with its own words may begin here: "income of" must not be found in "operating income of".
    fn may_begin(&self, at: usize) -> bool {
        let letters = self.letters;
        let at = if letters.before(at) == ' ' { at - 1 } else { at };
        if at == 0 || is_clause_mark(letters, at - 1) || letters.before(at).is_numeric() {
            return true;
        }
        if is_ideograph(letters.before(at)) {
            return skip_chinese_openers(letters, run_to(letters, at), at) >= at;
        }
        const BEFORE: &[&str] = &[
            "and", "but", "that", "while", "whereas", "since", "as", "where", "when", "although", "though", "because",
            "the", "a", "an", "then", "so", "-", "said", "says", "reports", "reported", "states", "notes", "shows",
            "means",
        ];
        BEFORE.iter().any(|word| {
            at.checked_sub(word.len()).is_some_and(|start| letters.key(start..at) == *word && letters.is_edge(start))
        })
    }
}

fn with(binding: &Binding, iri: &Iri, mention: Mention) -> Binding {
    let mut binding = binding.clone();
    // In a slot of the wording it cannot be anything else.
    binding.qualifiers.push((iri.clone(), Mention { named: true, ..mention }));
    binding
}

fn letters_ends(names: &Names<'_>, letters: &Letters<'_>, at: usize) -> Vec<usize> {
    if letters.is_edge(at) { names.ends_from(letters, at) } else { Vec::new() }
}

pub(super) fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// A place where a list or a sentence goes on behind a Chinese name.
fn is_joint(letters: &Letters<'_>, at: usize) -> bool {
    ["和", "与", "及", "以及", "、", "或", "等", "，", "且", "并"]
        .iter()
        .any(|word| letters.words_at(at, word).is_some())
}

fn is_title(letters: &Letters<'_>, from: usize, to: usize) -> bool {
    const TITLES: &[&str] = &[
        "president",
        "ceo",
        "chief",
        "executive",
        "officer",
        "chairman",
        "chairwoman",
        "chair",
        "prime",
        "minister",
        "chancellor",
        "director",
        "general",
        "secretary",
        "director-general",
        "secretary-general",
        "dr",
        "dr.",
        "mr",
        "mr.",
        "mrs",
        "mrs.",
        "ms",
        "ms.",
        "sir",
        "professor",
        "king",
        "queen",
        "senator",
        "governor",
        "mayor",
        "founder",
        "co-founder",
    ];
    letters.key(from..to).split(' ').all(|word| TITLES.contains(&word))
}
