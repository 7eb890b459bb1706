//! Facts and answers of one epoch to bodies, with their quotes.

use super::{AnswerBody, EvidenceBody, FactBody, Named, QualifierBody, ReadAsBody, StatusBody, TimingsBody, ValueBody};
use factmask_engine::{Answer, Status, question::near::ReadAs};
use factmask_graph::{Calendar, DocumentId, Evidence, Fact, GraphError, Locator, Snapshot, Store, Value};
use factmask_ingest::page_in;
use factmask_schema::{Iri, local_name, split_words};
use std::{collections::BTreeMap, ops::Range};

/// Longest quote in bytes. Evidence is a sentence, a row or a triple; a longer range is quoted from its start.
const QUOTE_BYTES: usize = 2_000;

/// Writes facts of one epoch in one language, each quote out of the revision that the epoch's evidence points into. Fails with
/// [`GraphError::Superseded`] when that revision has gone meanwhile: take a newer snapshot.
pub struct Writer<'a> {
    snapshot: &'a Snapshot,
    store: &'a Store,
    lang: &'a str,
    quoting: Quoting,
    sources: BTreeMap<DocumentId, Vec<u8>>,
}

/// How quotes are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quoting {
    /// Each cited document once and whole, checked against its hash: for an answer, which cites few.
    Checked,
    /// The quoted bytes alone: for lists, which may cite hundreds of large documents.
    Ranges,
}

impl<'a> Writer<'a> {
    /// For answers over `snapshot`, whose documents are in `store`.
    pub fn new(snapshot: &'a Snapshot, store: &'a Store, lang: &'a str, quoting: Quoting) -> Self {
        Self { snapshot, store, lang, quoting, sources: BTreeMap::new() }
    }

    /// The whole answer. Fails when a cited document cannot be read: a citation that does not resolve is no citation.
    pub fn answer(mut self, answer: &Answer) -> Result<AnswerBody, GraphError> {
        let facts = answer.facts.iter().map(|fact| self.fact(fact)).collect::<Result<_, _>>()?;
        let spans = answer.spans.iter().map(|span| self.evidence(span)).collect::<Result<_, _>>()?;
        let conflicts = answer.conflicts.iter().map(|span| self.evidence(span)).collect::<Result<_, _>>()?;
        Ok(AnswerBody {
            status: match answer.status {
                Status::Answered => StatusBody::Answered,
                Status::FromText => StatusBody::FromText,
                Status::NotInKb => StatusBody::NotInKb,
                Status::Ambiguous => StatusBody::Ambiguous,
            },
            text: answer.text.clone(),
            lang: answer.lang.clone(),
            values: answer.values.iter().map(|value| self.value(value)).collect(),
            confidence: answer.confidence,
            facts,
            computed: answer.computed,
            spans,
            conflicts,
            doubt: answer.doubt.clone(),
            understood_as: answer.understood_as.clone(),
            read_as: answer.read_as.iter().map(read_as).collect(),
            sentence: None,
            choices: answer.choices.clone(),
            epoch: self.snapshot.epoch(),
            timings: TimingsBody::from(&answer.timings),
            explanation: answer.explanation.as_ref().and_then(|explanation| serde_json::to_value(explanation).ok()),
        })
    }

    /// A fact with its quotes.
    pub fn fact(&mut self, fact: &Fact) -> Result<FactBody, GraphError> {
        let evidence = fact.evidence.iter().map(|evidence| self.evidence(evidence)).collect::<Result<_, _>>()?;
        Ok(FactBody { evidence, ..self.statement(fact) })
    }

    /// A fact without its evidence, for what is not stored.
    pub fn statement(&self, fact: &Fact) -> FactBody {
        let schema = self.snapshot.schema();
        let statement = &fact.statement;
        let qualifiers = statement.qualifiers.iter().map(|(iri, value)| QualifierBody {
            qualifier: match schema.qualifiers.get(iri) {
                Some(qualifier) => named(iri, &qualifier.label(self.lang)),
                None => named(iri, &split_words(local_name(iri.as_str()))),
            },
            value: self.value(value),
        });
        FactBody {
            subject: self.entity(&statement.subject),
            relation: named(&statement.relation, &schema.relation(&statement.relation).label(self.lang)),
            object: self.value(&statement.object),
            qualifiers: qualifiers.collect(),
            evidence: Vec::new(),
        }
    }

    /// A place with its quote.
    pub fn evidence(&mut self, evidence: &Evidence) -> Result<EvidenceBody, GraphError> {
        let quote = self.quote(evidence)?;
        let (page, row) = match evidence.locator {
            Some(Locator::Page(page)) => (Some(page), None),
            Some(Locator::Row(row)) => (None, Some(row)),
            None => (self.page(evidence)?, None),
        };
        Ok(EvidenceBody {
            document: evidence.document.as_str().to_owned(),
            quote,
            start: evidence.span.start,
            end: evidence.span.end,
            page,
            row,
            extractor: evidence.extractor.clone(),
            confidence: evidence.confidence,
        })
    }

    /// The page of a passage that answers, out of a document that has pages.
    fn page(&self, evidence: &Evidence) -> Result<Option<u32>, GraphError> {
        let Some(source) = self.sources.get(&evidence.document) else { return Ok(None) };
        let info = self.store.document(&evidence.document)?;
        Ok(info.and_then(|info| page_in(&info.media_type, source, evidence.span.start)))
    }

    fn quote(&mut self, evidence: &Evidence) -> Result<String, GraphError> {
        let (document, span) = (&evidence.document, &evidence.span);
        let gone = || GraphError::Superseded { document: document.clone() };
        let revision = self.snapshot.revision(document).ok_or_else(gone)?;
        if self.quoting == Quoting::Ranges {
            let end = span.end.min(span.start.saturating_add(QUOTE_BYTES as u64));
            let bytes = self.store.source_of(document, revision, Some(span.start..end))?;
            return Ok(String::from_utf8_lossy(&bytes).into_owned());
        }
        if !self.sources.contains_key(document) {
            self.sources.insert(document.clone(), self.store.source_of(document, revision, None)?);
        }
        Ok(quote(self.sources.get(document).map(Vec::as_slice).unwrap_or_default(), span))
    }

    fn value(&self, value: &Value) -> ValueBody {
        match value {
            Value::Entity(iri) => ValueBody::Entity { iri: iri.as_str().to_owned(), name: self.entity_name(iri) },
            Value::Text { text, lang } => ValueBody::Text { text: text.clone(), lang: lang.clone() },
            Value::Number(number) => {
                ValueBody::Number { value: number.plain(), unit: number.unit.clone(), written: number.written.clone() }
            }
            Value::Date(found) => ValueBody::Date {
                value: found.iso(),
                calendar: match found.calendar {
                    Calendar::Gregorian => "gregorian",
                    Calendar::Fiscal => "fiscal",
                },
                written: found.written.clone(),
            },
            Value::Boolean(value) => ValueBody::Boolean { value: *value },
        }
    }

    /// An entity with its name.
    pub fn entity(&self, iri: &Iri) -> Named {
        named(iri, &self.entity_name(iri))
    }

    /// A class with its name.
    pub fn class(&self, iri: &Iri) -> Named {
        match self.snapshot.schema().classes.get(iri) {
            Some(class) => named(iri, &class.label(self.lang)),
            None => named(iri, &split_words(local_name(iri.as_str()))),
        }
    }

    fn entity_name(&self, iri: &Iri) -> String {
        match self.snapshot.find(iri) {
            Some(id) => self.snapshot.name(id, self.lang).to_owned(),
            None => iri.as_str().to_owned(),
        }
    }
}

fn read_as(found: &ReadAs) -> ReadAsBody {
    ReadAsBody { written: found.written.clone(), meant: found.meant.clone() }
}

fn named(iri: &Iri, name: &str) -> Named {
    Named { iri: iri.as_str().to_owned(), name: name.to_owned() }
}

/// The bytes of `span` as text. A range that ends outside the source or inside a character still gives what is there.
fn quote(source: &[u8], span: &Range<u64>) -> String {
    let clamp = |position: u64| usize::try_from(position).unwrap_or(usize::MAX).min(source.len());
    let (start, end) = (clamp(span.start), clamp(span.end));
    let bytes = source.get(start..end).unwrap_or_default();
    let shown = bytes.get(..QUOTE_BYTES).unwrap_or(bytes);
    String::from_utf8_lossy(shown).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_never_leave_the_source() {
        let source = "研发投入".as_bytes();
        let cases = [
            (0..6, "研发"),
            (0..4, "研\u{fffd}"),
            (1..3, "\u{fffd}\u{fffd}"),
            (9..99, "入"),
            (50..99, ""),
            (Range { start: 6, end: 3 }, ""),
            (u64::MAX..u64::MAX, ""),
        ];
        for (span, expected) in cases {
            assert_eq!(quote(source, &span), expected, "{span:?}");
        }
        assert_eq!(quote(&[b'a'; 5_000], &(0..5_000)).len(), QUOTE_BYTES);
    }
}
