//! Facts, entities and where each was found.

use crate::{DocumentId, FactId, Value};
use factmask_schema::{Iri, Text, local_name, percent_decode};
use std::cmp::Ordering;
use std::ops::Range;

/// What is claimed, without where it was found. Qualifiers are sorted by IRI.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Statement {
    /// Whom it is about.
    pub subject: Iri,
    /// Which relation.
    pub relation: Iri,
    /// The value.
    pub object: Value,
    /// Fiscal year, role and so on; part of what the statement claims.
    pub qualifiers: Vec<(Iri, Value)>,
}

/// Where in a document a statement was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// The document.
    pub document: DocumentId,
    /// Byte range in the document's source bytes as they were ingested.
    pub span: Range<u64>,
    /// Page or row, where the format has them.
    pub locator: Option<Locator>,
    /// Which extractor found it ("csv", "turtle", "wording").
    pub extractor: String,
    /// 0 to 1.
    pub confidence: f32,
}

/// A place that people can look up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Locator {
    /// Page, from 1.
    Page(u32),
    /// Row or line, from 1.
    Row(u32),
}

/// A statement with all its evidence. One statement found in three documents is one fact with three pieces of evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// From the statement's content alone.
    pub id: FactId,
    /// What is claimed.
    pub statement: Statement,
    /// Where it was found; never empty; sorted by document and span.
    pub evidence: Vec<Evidence>,
}

/// A fact as an extractor hands it over; the document is added by the store. Equal to [`Evidence`] less its document.
#[derive(Clone, Debug, PartialEq)]
pub struct NewFact {
    /// What is claimed.
    pub statement: Statement,
    /// Byte range in the source bytes.
    pub span: Range<u64>,
    /// Page or row.
    pub locator: Option<Locator>,
    /// Which extractor found it.
    pub extractor: String,
    /// 0 to 1.
    pub confidence: f32,
}

/// A thing that facts are about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entity {
    /// Minted from class and first key, or given by RDF; never changes.
    pub iri: Iri,
    /// Its classes.
    pub classes: Vec<Iri>,
    /// Names by language; the first of a language is used in cards.
    pub labels: Vec<Text>,
    /// Other names.
    pub aliases: Vec<Text>,
}

impl Statement {
    /// A statement with its qualifiers in order.
    pub fn new(subject: Iri, relation: Iri, object: Value, qualifiers: Vec<(Iri, Value)>) -> Self {
        let mut statement = Self { subject, relation, object, qualifiers };
        statement.normalise();
        statement
    }

    /// Brings it into the one form in which equal claims are equal values: qualifiers sorted and each once, language tags in
    /// lower case, no empty tags and units. The store does this to all that it is given.
    pub fn normalise(&mut self) {
        normalise(&mut self.object);
        self.qualifiers.iter_mut().for_each(|(_, value)| normalise(value));
        self.qualifiers.sort();
        self.qualifiers.dedup();
    }

    /// Its id.
    pub fn id(&self) -> FactId {
        FactId::of(self)
    }

    /// Every entity in it: the subject, then those among object and qualifiers.
    pub fn entities(&self) -> impl Iterator<Item = &Iri> {
        let qualifiers = self.qualifiers.iter().filter_map(|(_, value)| value.as_entity());
        std::iter::once(&self.subject).chain(self.object.as_entity()).chain(qualifiers)
    }

    /// The first value of a qualifier.
    pub fn qualifier(&self, iri: &Iri) -> Option<&Value> {
        self.qualifiers.iter().find(|(own, _)| own == iri).map(|(_, value)| value)
    }
}

fn normalise(value: &mut Value) {
    match value {
        Value::Text { lang, .. } => *lang = lang.take().map(|tag| tag.to_lowercase()).filter(|tag| !tag.is_empty()),
        Value::Number(number) => number.unit = number.unit.take().filter(|unit| !unit.is_empty()),
        Value::Entity(_) | Value::Date(_) | Value::Boolean(_) => {}
    }
}

impl NewFact {
    /// The statement as a fact of its own, found in `document`.
    pub fn into_fact(self, document: DocumentId) -> Fact {
        let Self { mut statement, span, locator, extractor, confidence } = self;
        statement.normalise();
        let evidence = Evidence { document, span, locator, extractor, confidence };
        Fact { id: statement.id(), statement, evidence: vec![evidence] }
    }
}

impl Evidence {
    /// Document and span first, then the rest, so that a set of evidence has one order.
    pub fn order(&self, other: &Self) -> Ordering {
        let key = |one: &Self| (one.span.start, one.span.end);
        self.document
            .cmp(&other.document)
            .then_with(|| key(self).cmp(&key(other)))
            .then_with(|| self.locator.cmp(&other.locator))
            .then_with(|| self.extractor.cmp(&other.extractor))
            .then_with(|| self.confidence.total_cmp(&other.confidence))
    }
}

impl Entity {
    /// An entity of which nothing but its IRI is known, called by what the IRI says.
    pub fn unnamed(iri: Iri) -> Self {
        let label = Text::new("", Self::name_in(&iri));
        Self { iri, classes: Vec::new(), labels: vec![label], aliases: Vec::new() }
    }

    /// A name out of an IRI: the local name without percent-encoding, underscores as spaces.
    pub fn name_in(iri: &Iri) -> String {
        let name = percent_decode(local_name(iri.as_str())).replace('_', " ");
        // What is written to logs and prompts must stay one line.
        let name: String = name.chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
        match name.trim() {
            "" => iri.as_str().to_owned(),
            trimmed => trimmed.to_owned(),
        }
    }
}
