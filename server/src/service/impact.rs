//! What another schema does to facts, cards and answers.
//!
//! It is told from the epoch that would come of it, which the store makes by the very transaction that publishes.

use super::{Service, ServiceError, StoredTexts, broken, error::again, schema};
use crate::wire::{
    FactSample, ImpactBody, MigratedBody, MisfitBody, NameSample, QuestionChangeBody, Quoting, VerdictBody, Writer,
};
use factmask_engine::AskOptions;
use factmask_graph::{Entity, Fact, GraphError, Misfit, Published, SchemaChange, Snapshot, Store, misfit};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// Facts and names that are shown of a larger number.
pub(super) const SAMPLE: usize = 100;

/// Questions of the kept feedback that are asked of both schemas.
const MOST_QUESTIONS: usize = 50;

/// A schema that is to come.
pub(super) struct Impact<'a> {
    pub(super) service: &'a Service,
    pub(super) tenant: &'a str,
    pub(super) store: &'a Store,
    /// The epoch that would come of it.
    pub(super) after: Arc<Snapshot>,
    /// What is called otherwise.
    pub(super) change: &'a SchemaChange,
}

impl Impact<'_> {
    /// Everything that it does.
    pub(super) fn body(self, published: Published, lang: &str) -> Result<ImpactBody, ServiceError> {
        let Self { service, tenant, store, after, change } = self;
        again(|| {
            let before = store.snapshot()?;
            let changes = schema::told(before.schema(), after.schema(), &change.renames, &change.splits);
            let changed = published.version.is_some();
            let reads_otherwise = changed && before.schema().without_rules() != after.schema().without_rules();
            let (asked, questions) =
                if changed { answers(service, tenant, store, &before, &after)? } else { (0, Vec::new()) };
            let mut writer = Writer::new(&after, store, lang, Quoting::Ranges);
            let new: Vec<&Fact> = after.facts().iter().filter(|fact| before.fact(fact.id).is_none()).collect();
            let facts_changed = sample(&mut writer, &new)?;
            let retyped: Vec<&Entity> = after.entities().iter().filter(|entity| is_retyped(&before, entity)).collect();
            Ok(ImpactBody {
                version: None,
                etag: schema::etag(after.schema()),
                changed,
                changes,
                unfit: unfit(&before, &after, store, lang)?,
                broken_rules: broken::new(&before, &after, &change.renames, &writer, lang),
                migrated: MigratedBody { facts: published.facts, entities: published.entities },
                facts_changed,
                retyped: NameSample {
                    count: retyped.len(),
                    first: retyped.iter().take(SAMPLE).map(|entity| writer.entity(&entity.iri)).collect(),
                },
                // What is read from a document depends on the whole schema but for its rules, so all of them or none.
                documents_to_read_again: if reads_otherwise { store.documents()?.len() } else { 0 },
                cards_encoded_again: service.engine().cards_that_differ(&before, &after),
                questions,
                questions_asked: asked,
                epoch: before.epoch(),
            })
        })
    }
}

/// Whether an entity was of other classes before.
fn is_retyped(before: &Snapshot, entity: &Entity) -> bool {
    before.find(&entity.iri).is_some_and(|id| before.entity(id).classes != entity.classes)
}

/// Facts that `after` holds and its schema does not foresee, by what does not fit; those that were as unforeseen before are left out.
fn unfit(before: &Snapshot, after: &Snapshot, store: &Store, lang: &str) -> Result<Vec<MisfitBody>, GraphError> {
    let mut found: BTreeMap<Misfit, Vec<&Fact>> = BTreeMap::new();
    for fact in after.facts() {
        let Some(why) = misfit(after, after.schema(), fact) else { continue };
        let was_unfit = before.fact(fact.id).is_some_and(|fact| misfit(before, before.schema(), fact).is_some());
        if !was_unfit {
            found.entry(why).or_default().push(fact);
        }
    }
    let mut writer = Writer::new(after, store, lang, Quoting::Ranges);
    let bodies = found.into_iter().map(|(why, facts)| {
        let part = match why {
            Misfit::Relation => "relation",
            Misfit::Domain => "domain",
            Misfit::Range => "range",
            Misfit::Qualifier => "qualifier",
            Misfit::Functional => "functional",
        };
        Ok(MisfitBody { part, facts: sample(&mut writer, &facts)? })
    });
    bodies.collect()
}

/// Asks the questions of the kept feedback under both schemas, the latest first: how many, and those that are answered otherwise.
fn answers(
    service: &Service,
    tenant: &str,
    store: &Store,
    before: &Arc<Snapshot>,
    after: &Arc<Snapshot>,
) -> Result<(usize, Vec<QuestionChangeBody>), ServiceError> {
    let mut seen = BTreeSet::new();
    let kept = service.feedback(tenant)?.into_iter();
    let kept = kept.filter(|item| item.feedback.verdict != VerdictBody::Wrong).map(|item| item.feedback);
    let questions: Vec<_> = kept.filter(|item| seen.insert(item.question.clone())).take(MOST_QUESTIONS).collect();
    let mut changed = Vec::new();
    for item in &questions {
        let answer = |snapshot: &Arc<Snapshot>| -> Result<String, ServiceError> {
            let texts = StoredTexts { store, snapshot };
            let options = AskOptions { tenant: tenant.to_owned(), lang: item.lang.clone(), ..AskOptions::default() };
            let answer = service.engine().answer_with_text(snapshot, &texts, &item.question, &options)?;
            Ok(answer.text)
        };
        let (before, after) = (answer(before)?, answer(after)?);
        if before != after {
            changed.push(QuestionChangeBody { question: item.question.clone(), before, after });
        }
    }
    Ok((questions.len(), changed))
}

/// The first of the facts, and how many there are.
pub(super) fn sample(writer: &mut Writer<'_>, facts: &[&Fact]) -> Result<FactSample, GraphError> {
    let first = facts.iter().take(SAMPLE).map(|fact| writer.fact(fact)).collect::<Result<_, _>>()?;
    Ok(FactSample { count: facts.len(), first })
}
