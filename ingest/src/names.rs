//! Who is meant by a name.
//!
//! Names come from what was read of the document so far, and for running text from the tables and RDF that are stored. So what
//! a document says depends on no other of the batch and on no order; who is one with whom in other documents is decided over all
//! of them by the graph (`factmask_graph::Identity`). A name is looked up in folded form and by class: "Georgia" may be a country
//! and a state, and the relation's domain or range tells.

use crate::text::{Letters, is_cjk};
use factmask_graph::{Entity, is_minted};
use factmask_schema::normal::fold;
use factmask_schema::{Iri, Schema, Text};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The class of an entity of which nothing is known.
const ANYTHING: &str = "urn:factmask:schema#Thing";

/// Where classes live that are proposed and not yet given an IRI of their own.
const CLASSES: &str = "urn:factmask:class:";

/// An entity as far as its names are concerned.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) iri: Iri,
    pub(crate) classes: Vec<Iri>,
    pub(crate) labels: Vec<Text>,
}

/// All names that can be meant while one document is read.
pub(crate) struct Names<'s> {
    schema: &'s Schema,
    /// Known before, and shared by all who read.
    shared: Arc<NameIndex>,
    /// Learned from the document.
    own: NameIndex,
}

/// Entities by their names.
#[derive(Debug, Default)]
pub(crate) struct NameIndex {
    entities: HashMap<Iri, Arc<Known>>,
    by_key: HashMap<String, Bearers>,
    /// The letters of the longest name; what is longer cannot be one.
    longest: usize,
}

/// Who has a name.
#[derive(Debug)]
struct Bearers {
    iris: BTreeSet<Iri>,
    /// The name is only ever written in capitals ("WHO", "MET"), so that the small word in a text is another word.
    capitals: bool,
}

/// The outcome of looking a name up.
#[derive(Clone, Debug)]
pub(crate) struct Meant {
    pub(crate) entity: Arc<Known>,
    /// Other entities of a fitting class have the same name.
    pub(crate) homonyms: usize,
}

impl NameIndex {
    /// Learns an entity's names, or more of them. `before`: what was known of it elsewhere.
    pub(crate) fn learn(&mut self, entity: &Entity, before: Option<&Known>) {
        for name in entity.labels.iter().chain(&entity.aliases) {
            let letters = Letters::new(&name.text);
            if letters.len() == 0 {
                continue;
            }
            self.longest = self.longest.max(letters.len());
            let capitals = is_acronym(&name.text);
            let bearers =
                self.by_key.entry(letters.key(0..letters.len())).or_insert(Bearers { iris: BTreeSet::new(), capitals });
            bearers.capitals &= capitals;
            bearers.iris.insert(entity.iri.clone());
        }
        let before = self.entities.get(&entity.iri).map(Arc::as_ref).or(before);
        let mut known = Known {
            iri: entity.iri.clone(),
            classes: before.map(|known| known.classes.clone()).unwrap_or_default(),
            labels: before.map(|known| known.labels.clone()).unwrap_or_default(),
        };
        known
            .classes
            .extend(entity.classes.iter().filter(|class| !known.classes.contains(class)).cloned().collect::<Vec<_>>());
        known
            .labels
            .extend(entity.labels.iter().filter(|label| !known.labels.contains(label)).cloned().collect::<Vec<_>>());
        self.entities.insert(entity.iri.clone(), Arc::new(known));
    }
}

impl<'s> Names<'s> {
    #[cfg(test)]
    pub(crate) fn new(schema: &'s Schema) -> Self {
        Self::over(schema, Arc::default())
    }

    /// Names beside those that are known already.
    pub(crate) fn over(schema: &'s Schema, shared: Arc<NameIndex>) -> Self {
        Self { schema, shared, own: NameIndex::default() }
    }

    /// Learns an entity's names, or more of them.
    pub(crate) fn learn(&mut self, entity: &Entity) {
        self.own.learn(entity, self.shared.entities.get(&entity.iri).map(Arc::as_ref));
    }

    /// The entity of a class that fits `wanted` and has this name; the first by IRI when there are several.
    pub(crate) fn meant(&self, name: &str, wanted: Option<&Iri>) -> Option<Meant> {
        self.meant_by_key(&name_key(name), wanted)
    }

    /// As [`Names::meant`] for a name that is folded already.
    pub(crate) fn meant_by_key(&self, key: &str, wanted: Option<&Iri>) -> Option<Meant> {
        let iris: BTreeSet<&Iri> = self.bearers(key).flat_map(|bearers| &bearers.iris).collect();
        let fitting: Vec<&Arc<Known>> = iris
            .into_iter()
            .filter_map(|iri| self.entity(iri))
            .filter(|known| self.fits(&known.classes, wanted))
            .collect();
        // What is exactly or below the wanted class comes before what is above it and might be it.
        let below = |known: &&Arc<Known>| {
            wanted.is_none_or(|wanted| known.classes.iter().any(|class| self.schema.is_a(class, wanted)))
        };
        // What a source has given an IRI comes before what was made up from the name alone, before that source was read; and who
        // is called so comes before who is called so too.
        let called = |known: &&Arc<Known>| known.labels.iter().any(|label| name_key(&label.text) == key);
        let alone = fitting.len() < 2;
        let rank = |known: &&Arc<Known>| (below(known), !is_minted(&known.iri), alone || called(known));
        let best = fitting.iter().copied().min_by_key(|known| std::cmp::Reverse(rank(known)))?;
        let homonyms = fitting.iter().filter(|known| rank(known) == rank(&best)).count().saturating_sub(1);
        Some(Meant { entity: Arc::clone(best), homonyms })
    }

    /// Whether anything at all has this name (in folded form).
    pub(crate) fn is_name(&self, key: &str) -> bool {
        self.bearers(key).next().is_some()
    }

    /// The entity with this IRI.
    pub(crate) fn entity(&self, iri: &Iri) -> Option<&Arc<Known>> {
        self.own.entities.get(iri).or_else(|| self.shared.entities.get(iri))
    }

    /// The ends of names that begin at `at`, longest first.
    pub(crate) fn ends_from(&self, letters: &Letters<'_>, at: usize) -> Vec<usize> {
        let last = letters.len().min(at + self.longest());
        (at + 1..=last).rev().filter(|&end| letters.is_edge(end) && self.is_named(letters, at..end)).collect()
    }

    /// The starts of names that end at `end`, longest first.
    pub(crate) fn starts_to(&self, letters: &Letters<'_>, end: usize) -> Vec<usize> {
        let first = end.saturating_sub(self.longest());
        (first..end).filter(|&at| letters.is_edge(at) && self.is_named(letters, at..end)).collect()
    }

    /// Whether a range of running text is a name, an acronym in capitals.
    fn is_named(&self, letters: &Letters<'_>, range: std::ops::Range<usize>) -> bool {
        let key = letters.key(range.clone());
        let mut bearers = self.bearers(&key).peekable();
        bearers.peek().is_some()
            && (bearers.any(|bearers| !bearers.capitals)
                || range.clone().all(|at| !letters.at(at).is_alphabetic() || letters.is_upper(at)))
    }

    fn bearers(&self, key: &str) -> impl Iterator<Item = &Bearers> {
        self.own.by_key.get(key).into_iter().chain(self.shared.by_key.get(key))
    }

    fn longest(&self) -> usize {
        self.own.longest.max(self.shared.longest)
    }

    fn fits(&self, classes: &[Iri], wanted: Option<&Iri>) -> bool {
        let Some(wanted) = wanted else { return true };
        classes.is_empty()
            || classes.iter().any(|class| self.schema.is_a(class, wanted) || self.schema.is_a(wanted, class))
    }
}

fn is_acronym(name: &str) -> bool {
    name.chars().any(char::is_uppercase) && !name.chars().any(|char| char.is_lowercase() || is_cjk(char))
}

/// The IRI of an entity that no source has given one, from its class and first key.
pub(crate) fn mint(class: Option<&Iri>, key: &str) -> Iri {
    let anything = Iri::new_unchecked(ANYTHING);
    factmask_graph::mint(class.unwrap_or(&anything), key)
}

/// A name in the form that it is looked up by.
pub(crate) fn name_key(name: &str) -> String {
    let letters = Letters::new(name);
    letters.key(0..letters.len())
}

/// The IRI of a class that no schema has given one, from its name.
pub(crate) fn class_iri(name: &str) -> Iri {
    Iri::new_unchecked(format!("{CLASSES}{}", percent_encode(&fold(name).replace(' ', "_"))))
}

/// What is not an unreserved character of an IRI is `%XX`.
pub(crate) fn percent_encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}

/// A name as a text: the language told by the script, since a table does not say. Empty for scripts that many languages share.
pub(crate) fn name_text(name: &str) -> Text {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let lang = if name.chars().any(is_cjk) { "zh" } else { "" };
    Text::new(lang, name)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]
    use super::*;
    use factmask_schema::Class;

    fn iri(local: &str) -> Iri {
        Iri::new_unchecked(format!("http://example.com/{local}"))
    }

    fn schema() -> Schema {
        let class = |name: &str, parents: &[&str]| Class {
            parents: parents.iter().map(|parent| iri(parent)).collect(),
            ..Class::named(iri(name))
        };
        let classes =
            [class("Place", &[]), class("Country", &["Place"]), class("State", &["Place"]), class("Person", &[])];
        Schema { classes: classes.into_iter().map(|class| (class.iri.clone(), class)).collect(), ..Schema::default() }
    }

    #[test]
    fn homonyms_are_told_by_class() {
        let schema = schema();
        let mut names = Names::new(&schema);
        for (local, class) in
            [("georgia-country", "Country"), ("georgia-state", "State"), ("georgia-okeeffe", "Person")]
        {
            names.learn(&Entity {
                iri: iri(local),
                classes: vec![iri(class)],
                labels: vec![Text::new("en", "Georgia")],
                aliases: Vec::new(),
            });
        }
        for (name, class, expected, homonyms) in [
            ("georgia", Some("State"), Some("georgia-state"), 0),
            ("GEORGIA", Some("Country"), Some("georgia-country"), 0),
            ("Georgia", Some("Place"), Some("georgia-country"), 1),
            ("Georgia", Some("Person"), Some("georgia-okeeffe"), 0),
            ("Georgia", None, Some("georgia-country"), 2),
            ("Georg", None, None, 0),
        ] {
            let found = names.meant(name, class.map(iri).as_ref());
            assert_eq!(found.as_ref().map(|meant| meant.entity.iri.clone()), expected.map(iri), "{name} {class:?}");
            assert_eq!(found.map_or(0, |meant| meant.homonyms), homonyms, "{name} {class:?}");
        }
    }
}
