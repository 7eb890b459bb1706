//! What one document gives, while it is being read.

use crate::names::{Known, Meant, Names, mint, name_text};
use factmask_graph::{Entity, Locator, NewFact, Statement, Value};
use factmask_schema::{Functional, Iri, Schema, Text};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

/// Something in a document that was left out or is doubtful. It does not stop the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Row of a table or line of a text, from 1; where the warning is about one place.
    pub place: Option<Place>,
    /// What it is, and the remedy.
    pub message: String,
}

/// A place in a document as people count it, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Row of a table, its header included.
    Row(u32),
    /// Line of a text.
    Line(u32),
}

impl std::fmt::Display for Warning {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.place {
            Some(Place::Row(row)) => write!(out, "row {row}: {}", self.message),
            Some(Place::Line(line)) => write!(out, "line {line}: {}", self.message),
            None => out.write_str(&self.message),
        }
    }
}

/// Documents have no address of their own; relative IRIs in them are relative to their ids below this one.
const DOCUMENTS: &str = "factmask://documents/";

/// A document without an end of complaints is told once, not a million times.
const MOST_WARNINGS: usize = 100;

/// Entities, facts and warnings of one document, and the names that are known while it is read.
pub(crate) struct Draft<'n, 's> {
    pub(crate) schema: &'s Schema,
    pub(crate) names: &'n mut Names<'s>,
    /// What relative IRIs of the document are relative to, where it says nothing else.
    pub(crate) base: String,
    entities: BTreeMap<Iri, Entity>,
    facts: Vec<NewFact>,
    seen: HashSet<(Statement, Range<u64>)>,
    warnings: Vec<Warning>,
    unsaid: usize,
}

/// A finished draft.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(crate) entities: Vec<Entity>,
    pub(crate) facts: Vec<NewFact>,
    pub(crate) warnings: Vec<Warning>,
}

/// Where and how a fact was found.
pub(crate) struct Found {
    pub(crate) span: Range<usize>,
    pub(crate) locator: Option<Locator>,
    pub(crate) extractor: &'static str,
    pub(crate) confidence: f32,
}

impl<'n, 's> Draft<'n, 's> {
    pub(crate) fn new(schema: &'s Schema, names: &'n mut Names<'s>) -> Self {
        Self {
            schema,
            names,
            base: DOCUMENTS.to_owned(),
            entities: BTreeMap::new(),
            facts: Vec::new(),
            seen: HashSet::new(),
            warnings: Vec::new(),
            unsaid: 0,
        }
    }

    /// The same for the document of this id: `b.ttl#x` in `dir/a.ttl` is what `dir/b.ttl` calls `#x`.
    pub(crate) fn of_document(mut self, id: &str) -> Self {
        self.base = format!("{DOCUMENTS}{}", escaped_path(id));
        self
    }

    pub(crate) fn warn(&mut self, place: Option<Place>, message: impl Into<String>) {
        if self.warnings.len() < MOST_WARNINGS {
            self.warnings.push(Warning { place, message: message.into() });
        } else {
            self.unsaid += 1;
        }
    }

    /// The entity that `name` means among those that fit `class`, else a new one of that class, minted from the name.
    pub(crate) fn entity(&mut self, name: &str, class: Option<&Iri>, place: Option<Place>) -> Iri {
        match self.names.meant(name, class) {
            Some(meant) => self.mention_of_class(&meant, name, class, place),
            None => self.create(mint(class, name), class, name_text(name)),
        }
    }

    /// As [`Draft::mention`] where a thing of a class is meant. Of several that bear the name none is taken: the graph decides by
    /// what all documents say of them, and may leave it open.
    pub(crate) fn mention_of_class(
        &mut self,
        meant: &Meant,
        name: &str,
        class: Option<&Iri>,
        place: Option<Place>,
    ) -> Iri {
        if meant.homonyms == 0 {
            return self.mention(meant, name);
        }
        let message = format!(
            "\"{name}\" may be any of {} entities; who is meant is left to what the documents say of them (see `factmask identity list`)",
            meant.homonyms + 1
        );
        self.warn(place, message);
        self.create(mint(class, name), class, name_text(name))
    }

    /// Notes that the document names a known entity, so that it is described even when the document that introduced it goes.
    pub(crate) fn mention(&mut self, meant: &Meant, name: &str) -> Iri {
        let Known { iri, classes, labels } = meant.entity.as_ref();
        let written = name_text(name);
        let entity = self.described(iri);
        extend(&mut entity.classes, classes);
        extend(&mut entity.labels, labels);
        let called = entity
            .labels
            .iter()
            .chain(&entity.aliases)
            .any(|known| known.text.to_lowercase() == written.text.to_lowercase());
        if !called {
            entity.aliases.push(written);
        }
        iri.clone()
    }

    /// A new entity with its label.
    pub(crate) fn create(&mut self, iri: Iri, class: Option<&Iri>, label: Text) -> Iri {
        let entity = self.described(&iri);
        if let Some(class) = class {
            extend(&mut entity.classes, std::slice::from_ref(class));
        }
        extend(&mut entity.labels, &[label]);
        self.learn(&iri);
        iri
    }

    /// Adds to what is known of an entity.
    pub(crate) fn describe(&mut self, iri: &Iri, change: impl FnOnce(&mut Entity)) {
        change(self.described(iri));
        self.learn(iri);
    }

    fn described(&mut self, iri: &Iri) -> &mut Entity {
        self.entities.entry(iri.clone()).or_insert_with(|| Entity {
            iri: iri.clone(),
            classes: Vec::new(),
            labels: Vec::new(),
            aliases: Vec::new(),
        })
    }

    fn learn(&mut self, iri: &Iri) {
        if let Some(entity) = self.entities.get(iri) {
            self.names.learn(entity);
        }
    }

    /// Adds a fact; the same statement at the same place counts once. Qualifiers are sorted here.
    pub(crate) fn fact(&mut self, mut statement: Statement, found: Found) {
        statement.qualifiers.sort_by(|a, b| a.0.cmp(&b.0));
        statement.qualifiers.dedup();
        let span =
            u64::try_from(found.span.start).unwrap_or(u64::MAX)..u64::try_from(found.span.end).unwrap_or(u64::MAX);
        if self.seen.insert((statement.clone(), span.clone())) {
            let Found { locator, extractor, confidence, .. } = found;
            self.facts.push(NewFact { statement, span, locator, extractor: extractor.to_owned(), confidence });
        }
    }

    /// Closes the draft: facts in the order of their places, and a warning for each pair that the schema says cannot both hold.
    pub(crate) fn finish(mut self) -> Reading {
        self.facts.sort_by_key(|fact| (fact.span.start, fact.span.end));
        self.warn_of_conflicts();
        if self.unsaid > 0 {
            let message = format!("{} more warnings are not shown", self.unsaid);
            self.warnings.push(Warning { place: None, message });
        }
        Reading { entities: self.entities.into_values().collect(), facts: self.facts, warnings: self.warnings }
    }

    fn warn_of_conflicts(&mut self) {
        let mut first: HashMap<Scope, &NewFact> = HashMap::new();
        let mut conflicts = Vec::new();
        for fact in &self.facts {
            let Statement { subject, relation, object, qualifiers } = &fact.statement;
            let Some(Functional::Per(per)) = self.schema.relations.get(relation).map(|relation| &relation.functional)
            else {
                continue;
            };
            let scope = qualifiers.iter().filter(|(iri, _)| per.contains(iri)).cloned().collect();
            let known = first.entry((subject.clone(), relation.clone(), scope)).or_insert(fact);
            if known.statement.object != *object {
                conflicts.push((known.span.clone(), fact.span.clone(), subject.clone(), relation.clone(), place(fact)));
            }
        }
        for (one, other, subject, relation, place) in conflicts {
            self.warn(
                place,
                format!(
                    "{} of {subject} has two values, at bytes {}..{} and {}..{}; both are kept (correct the source, or qualify them)",
                    self.schema.relation(&relation).label("en"),
                    one.start,
                    one.end,
                    other.start,
                    other.end
                ),
            );
        }
    }
}

/// A path as it may stand in an IRI: what is no letter, digit or one of `-._~/` in ASCII is percent-encoded.
fn escaped_path(path: &str) -> String {
    path.chars().fold(String::with_capacity(path.len()), |mut escaped, char| {
        if char.is_alphanumeric() || matches!(char, '-' | '.' | '_' | '~' | '/') {
            escaped.push(char);
        } else {
            let mut bytes = [0; 4];
            escaped.extend(char.encode_utf8(&mut bytes).bytes().map(|byte| format!("%{byte:02X}")));
        }
        escaped
    })
}

/// Within what a functional relation may have one value: subject, relation, and the qualifiers that it is functional per.
type Scope = (Iri, Iri, Vec<(Iri, Value)>);

fn place(fact: &NewFact) -> Option<Place> {
    match fact.locator {
        Some(Locator::Row(row)) => Some(Place::Row(row)),
        _ => None,
    }
}

fn extend<T: Clone + PartialEq>(into: &mut Vec<T>, from: &[T]) {
    for item in from {
        if !into.contains(item) {
            into.push(item.clone());
        }
    }
}
