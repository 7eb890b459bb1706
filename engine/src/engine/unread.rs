//! The words of a question that the path meant does not answer to.

use super::Engine;
use crate::{
    EngineError,
    question::{
        Reader, Reading,
        path::Path,
        rank::Meant,
        unread::{self, Ground},
        walk, wordings,
    },
};
use factmask_graph::Value;
use factmask_schema::Iri;

/// How likely words that stand by themselves must be meant for the path, in nats: one fourth. Of words for a relation's own meaning on
/// family, football and film questions most have that ("nation" one third, "job" one third); of words for what no relation gives, seven
/// on the sample documents, the likeliest had one fifth ("stock price") but for one ("employee satisfaction", two thirds).
const NEAR: f32 = -2.0 * std::f32::consts::LN_2;

impl Engine {
    /// What of a question is in none of the words for the path, in no example, and narrows.
    pub(super) fn unread(
        &self,
        reader: &Reader,
        reading: &Reading,
        path: &Path,
        values: &[Value],
        tenant: &str,
    ) -> Result<Vec<String>, EngineError> {
        let (snapshot, lang) = (reader.snapshot(), reading.lang.as_str());
        let schema = snapshot.schema();
        let given = values.iter().filter_map(|value| snapshot.find(value.as_entity()?));
        let things = reading.mentions.iter().flat_map(|mention| mention.entities.iter().copied()).chain(given);
        let said = unread::said(snapshot, path, things, values, &reading.folded, lang);
        let learned = self.learned(tenant, lang);
        let heard = |word: &str| learned.as_ref().is_some_and(|model| model.heard(word) > 0);
        let lexicon = match self.meanings.get(lang).filter(|_| walk::aligned(lang)) {
            Some(meaning) => Some((meaning, reader.lexicon(lang, Meant { meaning, shelf: reader.shelf() })?)),
            None => None,
        };
        let near = |words: &str| {
            let Some((meaning, lexicon)) = &lexicon else { return false };
            let Ok(vectors) = meaning.of_words(&[words.to_owned()]) else { return false };
            let Some(vector) = vectors.first() else { return false };
            let meanings = lexicon.meanings(words, vector);
            let classes: &[Iri] = &snapshot.entity(path.topic).classes;
            let steps = &path.steps;
            let relations = steps.iter().filter_map(|step| lexicon.relation(step));
            let reached = steps.iter().filter_map(|step| lexicon.reached(schema, step));
            let own: Vec<usize> = relations.chain(reached).chain(lexicon.classes(classes)).collect();
            own.iter().filter_map(|unit| meanings.units.get(*unit)).any(|likely| *likely >= NEAR)
        };
        let mut names: Vec<_> = reading.mentions.iter().map(|mention| mention.span.clone()).collect();
        names.extend(reading.constraints.year_spans.iter().cloned());
        names.sort_by_key(|name| name.start);
        let mut ends = path.steps.iter().map(|step| wordings::names_end(schema, step, lang));
        let unnamed_end = path.steps.last().is_some_and(|step| !wordings::names_end(schema, step, lang));
        let ground = Ground {
            folded: &reading.folded,
            lang,
            names: &names,
            said: &said,
            unnamed: !ends.all(|named| named),
            unnamed_end,
            heard: &heard,
            near: &near,
            compared: self.meanings.contains_key(lang),
        };
        let mut words = unread::words(&ground);
        if learned.is_none() {
            let topics = reading.mentions.iter().filter(|mention| mention.entities.contains(&path.topic));
            let turned = topics.filter_map(|topic| unread::turned(schema, path, &reading.folded, &topic.span, lang));
            words.extend(turned.filter(|word| !words.contains(word)).collect::<Vec<_>>());
        }
        Ok(words)
    }
}
