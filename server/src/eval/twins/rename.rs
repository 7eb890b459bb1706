//! Questions about what the graph does not know: the name or the year in a question changed for one that has no answer.

use super::gold::{Finder, Gold, Named, taken};
use crate::{
    bench::random::Random,
    eval::{folds::hash, set::Question},
};
use factmask_engine::question::constraint;
use factmask_graph::{EntityId, Snapshot, Value};
use factmask_schema::{Iri, Text, normal};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// Names drawn before none is taken to fit.
const TRIES: usize = 64;

/// Draws other names of one snapshot.
pub struct Renamer<'a> {
    snapshot: &'a Snapshot,
    /// Things of one class set.
    alike: BTreeMap<&'a [Iri], Vec<EntityId>>,
    /// Years that any fact speaks of.
    years: BTreeSet<i32>,
}

impl<'a> Renamer<'a> {
    /// Looks through a snapshot.
    pub fn new(snapshot: &'a Snapshot) -> Self {
        let mut alike: BTreeMap<&[Iri], Vec<EntityId>> = BTreeMap::new();
        for (entity, number) in snapshot.entities().iter().zip(0..) {
            alike.entry(entity.classes.as_slice()).or_default().push(EntityId(number));
        }
        let values = snapshot.facts().iter().flat_map(|fact| {
            let qualifiers = fact.statement.qualifiers.iter().map(|(_, value)| value);
            std::iter::once(&fact.statement.object).chain(qualifiers)
        });
        let years = values.filter_map(|value| match value {
            Value::Date(date) => Some(date.year),
            _ => None,
        });
        Self { snapshot, alike, years: years.collect() }
    }

    /// The question about a name that nothing bears, put together from parts of names of the same kind of thing.
    pub fn made_up(&self, finder: &Finder<'_>, question: &Question, gold: &Gold) -> Option<String> {
        let (name, random) = (topic(finder, question, gold)?, &mut Random::new(hash(&question.question)));
        let typed = question.question.get(name.span.clone())?;
        let alike = self.alike_to(&name)?;
        let words = typed.split(' ').count();
        let drawn = |random: &mut Random| {
            let label = self.label(*pick(random, alike)?);
            Some(label.split(' ').map(str::to_owned).collect::<Vec<_>>()).filter(|parts| parts.len() == words)
        };
        (0..TRIES).find_map(|_| {
            let (one, other) = (drawn(random)?, drawn(random)?);
            let new = match (one.as_slice(), other.as_slice()) {
                ([one], [other]) => spliced(one, other),
                ([first @ .., _], [.., last]) => [first, std::slice::from_ref(last)].concat().join(" "),
                _ => return None,
            };
            let new = if typed == typed.to_lowercase() { new.to_lowercase() } else { new };
            (finder.bearers(&new) == 0).then(|| with(&question.question, &name.span, &new))
        })
    }

    /// The question about something else that the graph knows and that has no fact to begin its way with: of the same classes, or
    /// of none of them.
    pub fn other(&self, finder: &Finder<'_>, question: &Question, gold: &Gold, same_class: bool) -> Option<String> {
        let (name, random) = (topic(finder, question, gold)?, &mut Random::new(hash(&question.question)));
        let classes = &self.snapshot.entity(*name.entities.first()?).classes;
        let shares = |others: &[Iri]| others.iter().any(|class| classes.contains(class));
        let kinds: Vec<&Vec<EntityId>> = match same_class {
            true => vec![self.alike_to(&name)?],
            false if classes.is_empty() => return None,
            false => {
                let others = self.alike.iter().filter(|(others, _)| !others.is_empty() && !shares(others));
                others.map(|(_, alike)| alike).collect()
            }
        };
        let folded = normal::fold(&question.question);
        (0..TRIES).find_map(|_| {
            let alike = *pick(random, &kinds)?;
            let other = *pick(random, alike)?;
            let label = self.label(other);
            let begins = |step| taken(self.snapshot, other, step).next().is_some();
            let fits =
                finder.bearers(label) == 1 && !folded.contains(&normal::fold(label)) && !gold.first.iter().any(begins);
            fits.then(|| with(&question.question, &name.span, label))
        })
    }

    /// The question about the next year that no fact speaks of.
    pub fn other_year(&self, finder: &Finder<'_>, question: &Question) -> Option<String> {
        let folded = normal::Folded::new(&question.question);
        let constraints = constraint::read(&folded.text, &finder.mentions(&question.question));
        let (year, span) = constraints.years.first().zip(constraints.year_spans.first())?;
        let span = folded.source_range(span.clone());
        let typed = question.question.get(span.clone())?;
        let other = (year + 1..).find(|year| !self.years.contains(year))?;
        let renamed = typed.replace(&year.to_string(), &other.to_string());
        (renamed != typed).then(|| with(&question.question, &span, &renamed))
    }

    fn alike_to(&self, name: &Named) -> Option<&Vec<EntityId>> {
        self.alike.get(self.snapshot.entity(*name.entities.first()?).classes.as_slice())
    }

    fn label(&self, entity: EntityId) -> &'a str {
        Text::pick(&self.snapshot.entity(entity).labels, "").map_or("", |label| label.text.as_str())
    }
}

/// The name that the question starts from.
fn topic(finder: &Finder<'_>, question: &Question, gold: &Gold) -> Option<Named> {
    let mut names = finder.names(&question.question).into_iter();
    names.find(|name| name.entities.iter().any(|entity| gold.topics.contains(entity)))
}

fn pick<'a, T>(random: &mut Random, from: &'a [T]) -> Option<&'a T> {
    from.get(random.below(from.len()))
}

/// The first half of one word and the second of another.
fn spliced(one: &str, other: &str) -> String {
    let (head, tail) = (one.chars().count().div_ceil(2), other.chars().count() / 2);
    one.chars().take(head).chain(other.chars().skip(tail)).collect()
}

fn with(question: &str, span: &Range<usize>, new: &str) -> String {
    let (before, after) = (question.get(..span.start), question.get(span.end..));
    [before.unwrap_or_default(), new, after.unwrap_or_default()].concat()
}
