//! Looking into a tenant's knowledge base.

use super::{Cursor, Service, ServiceError, error::again};
use crate::wire::{DocumentBody, DocumentPage, EntityBody, FactPage, Quoting, TextBody, Writer};
use factmask_graph::{Entity, EntityId, Fact, Number, Snapshot, Store, Value};
use factmask_schema::{Iri, Text, normal::fold};
use std::{cmp::Ordering, collections::HashSet};

/// Which facts are wanted: those that meet every condition that is given.
#[derive(Clone, Debug, Default)]
pub struct FactFilter {
    /// Their subject.
    pub subject: Option<Iri>,
    /// Their relation.
    pub relation: Option<Iri>,
    /// Their object: an entity's IRI, a plain decimal, an ISO date, `true` or `false`, or the very words.
    pub object: Option<String>,
    /// A document that states them.
    pub document: Option<String>,
    /// A class of their subject, or one above it.
    pub class: Option<Iri>,
    /// Words in a name of their subject, relation or object, or in their value; case and width do not count.
    pub text: Option<String>,
}

/// Which part of a list, and in which language.
#[derive(Clone, Debug)]
pub struct Page {
    /// Items, at most.
    pub limit: usize,
    /// Behind which item it begins.
    pub cursor: Option<Cursor>,
    /// Language of names.
    pub lang: String,
}

impl Service {
    /// Facts of the tenant, sorted by id.
    pub fn facts(&self, tenant: &str, filter: &FactFilter, page: &Page) -> Result<FactPage, ServiceError> {
        let store = self.tenants.store(tenant)?;
        again(|| {
            let snapshot = store.snapshot()?;
            facts(&snapshot, &store, filter, page)
        })
    }

    /// An entity with the first facts of it and to it.
    pub fn entity(&self, tenant: &str, iri: &Iri, page: &Page) -> Result<EntityBody, ServiceError> {
        let store = self.tenants.store(tenant)?;
        again(|| {
            let snapshot = store.snapshot()?;
            let id = snapshot.find(iri).ok_or_else(|| ServiceError::NoEntity(iri.as_str().to_owned()))?;
            let found = snapshot.entity(id);
            let writer = Writer::new(&snapshot, &store, &page.lang, Quoting::Ranges);
            let of = FactFilter { subject: Some(iri.clone()), ..FactFilter::default() };
            let to = FactFilter { object: Some(iri.as_str().to_owned()), ..FactFilter::default() };
            Ok(EntityBody {
                iri: iri.as_str().to_owned(),
                name: snapshot.name(id, &page.lang).to_owned(),
                labels: texts(&found.labels),
                aliases: texts(&found.aliases),
                classes: found.classes.iter().map(|class| writer.class(class)).collect(),
                facts_of: facts(&snapshot, &store, &of, page)?,
                facts_to: facts(&snapshot, &store, &to, page)?,
            })
        })
    }

    /// The tenant's documents, sorted by id.
    pub fn documents(&self, tenant: &str, page: &Page) -> Result<DocumentPage, ServiceError> {
        let store = self.tenants.store(tenant)?;
        let epoch = store.epoch();
        let documents = store.documents()?;
        let (shown, next) =
            Cursor::page(page.cursor.as_ref(), epoch, &documents, page.limit, |info| info.id.as_str().as_bytes())?;
        let shown = shown.iter().map(|info| DocumentBody {
            id: info.id.as_str().to_owned(),
            title: info.title.clone(),
            media_type: info.media_type.clone(),
            bytes: info.bytes,
            facts: info.facts,
            sha256: info.hash.to_string(),
        });
        Ok(DocumentPage {
            documents: shown.collect(),
            total: documents.len(),
            next: next.map(|next| next.to_string()),
            epoch,
        })
    }
}

fn facts(snapshot: &Snapshot, store: &Store, filter: &FactFilter, page: &Page) -> Result<FactPage, ServiceError> {
    let words = filter.text.as_deref().map(|text| Words::new(snapshot, text));
    let mut found: Vec<&Fact> =
        near(snapshot, filter).filter(|fact| meets(snapshot, filter, words.as_ref(), fact)).collect();
    found.sort_unstable_by_key(|fact| fact.id);
    let (shown, next) =
        Cursor::page(page.cursor.as_ref(), snapshot.epoch(), &found, page.limit, |fact| fact.id.0.as_slice())?;
    let mut writer = Writer::new(snapshot, store, &page.lang, Quoting::Ranges);
    Ok(FactPage {
        facts: shown.iter().map(|fact| writer.fact(fact)).collect::<Result<_, _>>()?,
        total: found.len(),
        next: next.map(|next| next.to_string()),
        epoch: snapshot.epoch(),
    })
}

/// The facts among which those wanted are, by the index where there is one.
fn near<'a>(snapshot: &'a Snapshot, filter: &FactFilter) -> Box<dyn Iterator<Item = &'a Fact> + 'a> {
    let entity = |iri: &str| Iri::new(iri).ok().and_then(|iri| snapshot.find(&iri));
    match (&filter.subject, filter.object.as_deref().and_then(entity)) {
        (Some(subject), _) => match snapshot.find(subject) {
            Some(subject) => Box::new(snapshot.facts_of(subject)),
            None => Box::new(std::iter::empty()),
        },
        (None, Some(object)) => Box::new(snapshot.facts_to(object)),
        (None, None) => Box::new(snapshot.facts().iter()),
    }
}

fn meets(snapshot: &Snapshot, filter: &FactFilter, words: Option<&Words>, fact: &Fact) -> bool {
    let statement = &fact.statement;
    let is = |wanted: &Option<Iri>, found: &Iri| wanted.as_ref().is_none_or(|wanted| wanted == found);
    let in_document =
        |wanted: &String| fact.evidence.iter().any(|evidence| evidence.document.as_str() == wanted.as_str());
    let of_class = |class: &Iri| {
        let classes = snapshot.find(&statement.subject).map(|id| snapshot.entity(id).classes.as_slice());
        classes.unwrap_or_default().iter().any(|own| snapshot.schema().is_a(own, class))
    };
    is(&filter.subject, &statement.subject)
        && is(&filter.relation, &statement.relation)
        && filter.object.as_ref().is_none_or(|wanted| is_value(&statement.object, wanted))
        && filter.document.as_ref().is_none_or(in_document)
        && filter.class.as_ref().is_none_or(of_class)
        && words.is_none_or(|words| words.are_in(snapshot, fact))
}

fn is_value(value: &Value, wanted: &str) -> bool {
    match value {
        Value::Entity(iri) => iri.as_str() == wanted,
        Value::Text { text, .. } => text == wanted,
        Value::Number(number) => {
            Number::parse_plain(wanted).is_some_and(|wanted| number.cmp_value(&wanted) == Ordering::Equal)
        }
        Value::Date(date) => date.iso() == wanted,
        Value::Boolean(truth) => truth.to_string() == wanted,
    }
}

/// Words to look for, with the things that have them in a name.
struct Words {
    folded: String,
    entities: HashSet<EntityId>,
    relations: HashSet<Iri>,
}

impl Words {
    fn new(snapshot: &Snapshot, text: &str) -> Self {
        let folded = fold(text);
        let within = |texts: &[Text]| texts.iter().any(|text| fold(&text.text).contains(&folded));
        let named = |entity: &Entity| within(&entity.labels) || within(&entity.aliases);
        let entities = snapshot.entities().iter().filter(|entity| named(entity));
        let entities = entities.filter_map(|entity| snapshot.find(&entity.iri)).collect();
        let relations = snapshot.schema().relations.values();
        let relations = relations.filter(|relation| within(&relation.labels) || within(&relation.aliases));
        let relations = relations.map(|relation| relation.iri.clone()).collect();
        Self { entities, relations, folded }
    }

    fn are_in(&self, snapshot: &Snapshot, fact: &Fact) -> bool {
        let named = |iri: &Iri| snapshot.find(iri).is_some_and(|id| self.entities.contains(&id));
        let statement = &fact.statement;
        named(&statement.subject)
            || self.relations.contains(&statement.relation)
            || match &statement.object {
                Value::Entity(iri) => named(iri),
                value => {
                    let said = |lang| fold(&snapshot.said(value, lang)).contains(&self.folded);
                    said("en") || said("zh") || value.written().is_some_and(|words| fold(words).contains(&self.folded))
                }
            }
    }
}

fn texts(texts: &[Text]) -> Vec<TextBody> {
    texts.iter().map(|text| TextBody { lang: text.lang.clone(), text: text.text.clone() }).collect()
}
