//! Answers as JSON: what `POST /v1/answers` sends and `factmask ask --json` prints.

use factmask_engine::{Answer, Status, answer::Timings};
use factmask_graph::{Calendar, Evidence, Fact, GraphError, Locator, Snapshot, Store, Value};
use factmask_schema::{Iri, local_name, split_words};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, ops::Range};
use utoipa::ToSchema;

/// Longest quote in bytes. Evidence is a sentence, a row or a triple; a longer range is quoted from its start.
const QUOTE_BYTES: usize = 2_000;

/// A question.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AskBody {
    /// The question, 1 to 4,000 characters.
    #[schema(example = "What was Apple's research and development expense in fiscal year 2023?")]
    pub question: String,
    /// Language of names and sentences (`en`, `zh`); detected from the question when absent.
    pub lang: Option<String>,
    /// Send the plan with the answer.
    #[serde(default)]
    pub explain: bool,
    /// Whose facts answer.
    #[serde(default = "default_tenant")]
    #[schema(default = "default")]
    pub tenant: String,
}

fn default_tenant() -> String {
    "default".to_owned()
}

/// An answer. Values, facts and quotes are looked up in the knowledge base, none is generated.
#[derive(Debug, Serialize, ToSchema)]
pub struct AnswerBody {
    /// What came of the question.
    pub status: StatusBody,
    /// For people: the value or values, or a sentence that says there is none.
    pub text: String,
    /// Language that the question was read in.
    pub lang: String,
    /// The values, typed.
    pub values: Vec<ValueBody>,
    /// Calibrated probability that the answer is right, 0 to 1.
    pub confidence: f32,
    /// The facts that the answer stands on, path order.
    pub facts: Vec<FactBody>,
    /// What an ambiguous question could mean.
    pub choices: Vec<String>,
    /// State of the knowledge base that was asked; grows with each change.
    pub epoch: u64,
    /// Time by stage.
    pub timings: TimingsBody,
    /// How the answer came about, where asked for: links, paths, visible cards with emphasis, readings. Its shape may grow.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub explanation: Option<serde_json::Value>,
}

/// What came of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StatusBody {
    /// `values` holds the answer.
    Answered,
    /// The knowledge base does not hold it, or not safely enough.
    NotInKb,
    /// The question fits several things; `choices` names them.
    Ambiguous,
}

/// A typed value.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ValueBody {
    /// An entity.
    Entity {
        /// Its IRI.
        iri: String,
        /// Its name in the answer's language.
        name: String,
    },
    /// Words.
    Text {
        /// The words.
        text: String,
        /// BCP 47 tag, where known.
        lang: Option<String>,
    },
    /// A number.
    Number {
        /// The exact decimal, in base units, as a string: JSON numbers lose digits.
        #[schema(example = "29915000000")]
        value: String,
        /// `USD`, `km²`, `%`.
        unit: Option<String>,
        /// As the source wrote it.
        written: Option<String>,
    },
    /// A date.
    Date {
        /// `2023`, `2023-09` or `2023-09-30`, as exactly as it is known.
        #[schema(example = "2023-09-30")]
        value: String,
        /// `gregorian`, or `fiscal` for a company's fiscal year.
        calendar: &'static str,
        /// As the source wrote it.
        written: Option<String>,
    },
    /// A truth value.
    Boolean {
        /// Whether it is so.
        value: bool,
    },
}

/// An entity, relation or qualifier by IRI and name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Named {
    /// Its IRI.
    pub iri: String,
    /// Its name in the answer's language.
    pub name: String,
}

/// A fact with everything that states it.
#[derive(Debug, Serialize, ToSchema)]
pub struct FactBody {
    /// Whom it is about.
    pub subject: Named,
    /// Which relation.
    pub relation: Named,
    /// The value.
    pub object: ValueBody,
    /// Fiscal year, role and so on.
    pub qualifiers: Vec<QualifierBody>,
    /// Where it was found; never empty.
    pub evidence: Vec<EvidenceBody>,
}

/// What a fact is qualified with.
#[derive(Debug, Serialize, ToSchema)]
pub struct QualifierBody {
    /// The qualifier.
    pub qualifier: Named,
    /// Its value.
    pub value: ValueBody,
}

/// Where a fact was found.
#[derive(Debug, Serialize, ToSchema)]
pub struct EvidenceBody {
    /// The document.
    pub document: String,
    /// First byte in the document as it was ingested.
    pub start: u64,
    /// The byte after the last.
    pub end: u64,
    /// The bytes from start to end as text; a range of more than 2,000 bytes is quoted from its start.
    pub quote: String,
    /// Page, from 1, where the format has pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// Row or line, from 1, where the format has rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<u32>,
    /// What found it.
    pub extractor: String,
    /// How sure the extractor was, 0 to 1.
    pub confidence: f32,
}

/// Milliseconds by stage.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TimingsBody {
    /// Linking, constraints and path ranking.
    pub link_ms: f64,
    /// Compiling the plan, cold cards included.
    pub plan_ms: f64,
    /// Encoding cold cards, part of `plan_ms`.
    pub encode_ms: f64,
    /// Prefill of the question.
    pub prefill_ms: f64,
    /// Both readings.
    pub decode_ms: f64,
    /// From the question's arrival to the first token that may be released.
    pub first_token_ms: f64,
    /// Everything.
    pub total_ms: f64,
}

/// Writes answers of one epoch in one language. Reads each cited document once.
pub struct Writer<'a> {
    snapshot: &'a Snapshot,
    store: &'a Store,
    lang: &'a str,
    sources: BTreeMap<String, Vec<u8>>,
}

impl<'a> Writer<'a> {
    /// For answers over `snapshot`, whose documents are in `store`.
    pub fn new(snapshot: &'a Snapshot, store: &'a Store, lang: &'a str) -> Self {
        Self { snapshot, store, lang, sources: BTreeMap::new() }
    }

    /// The whole answer. Fails when a cited document cannot be read: a citation that does not resolve is no citation.
    pub fn answer(mut self, answer: &Answer) -> Result<AnswerBody, GraphError> {
        let facts = answer.facts.iter().map(|fact| self.fact(fact)).collect::<Result<_, _>>()?;
        Ok(AnswerBody {
            status: match answer.status {
                Status::Answered => StatusBody::Answered,
                Status::NotInKb => StatusBody::NotInKb,
                Status::Ambiguous => StatusBody::Ambiguous,
            },
            text: answer.text.clone(),
            lang: answer.lang.clone(),
            values: answer.values.iter().map(|value| self.value(value)).collect(),
            confidence: answer.confidence,
            facts,
            choices: answer.choices.clone(),
            epoch: self.snapshot.epoch(),
            timings: TimingsBody::from(&answer.timings),
            explanation: answer.explanation.as_ref().and_then(|explanation| serde_json::to_value(explanation).ok()),
        })
    }

    /// A fact with its quotes.
    pub fn fact(&mut self, fact: &Fact) -> Result<FactBody, GraphError> {
        let schema = self.snapshot.schema();
        let statement = &fact.statement;
        let qualifiers = statement.qualifiers.iter().map(|(iri, value)| QualifierBody {
            qualifier: match schema.qualifiers.get(iri) {
                Some(qualifier) => named(iri, &qualifier.label(self.lang)),
                None => named(iri, &split_words(local_name(iri.as_str()))),
            },
            value: self.value(value),
        });
        Ok(FactBody {
            subject: named(&statement.subject, &self.entity_name(&statement.subject)),
            relation: named(&statement.relation, &schema.relation(&statement.relation).label(self.lang)),
            object: self.value(&statement.object),
            qualifiers: qualifiers.collect(),
            evidence: fact.evidence.iter().map(|evidence| self.evidence(evidence)).collect::<Result<_, _>>()?,
        })
    }

    fn evidence(&mut self, evidence: &Evidence) -> Result<EvidenceBody, GraphError> {
        let document = evidence.document.as_str().to_owned();
        if !self.sources.contains_key(&document) {
            self.sources.insert(document.clone(), self.store.source(&evidence.document)?);
        }
        let source = self.sources.get(&document).map(Vec::as_slice).unwrap_or_default();
        let (page, row) = match evidence.locator {
            Some(Locator::Page(page)) => (Some(page), None),
            Some(Locator::Row(row)) => (None, Some(row)),
            None => (None, None),
        };
        Ok(EvidenceBody {
            quote: quote(source, &evidence.span),
            document,
            start: evidence.span.start,
            end: evidence.span.end,
            page,
            row,
            extractor: evidence.extractor.clone(),
            confidence: evidence.confidence,
        })
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

    fn entity_name(&self, iri: &Iri) -> String {
        match self.snapshot.find(iri) {
            Some(id) => self.snapshot.name(id, self.lang).to_owned(),
            None => iri.as_str().to_owned(),
        }
    }
}

fn named(iri: &Iri, name: &str) -> Named {
    Named { iri: iri.as_str().to_owned(), name: name.to_owned() }
}

impl From<&Timings> for TimingsBody {
    fn from(timings: &Timings) -> Self {
        Self {
            link_ms: timings.link_ms,
            plan_ms: timings.plan_ms,
            encode_ms: timings.encode_ms,
            prefill_ms: timings.prefill_ms,
            decode_ms: timings.decode_ms,
            first_token_ms: timings.first_token_ms,
            total_ms: timings.total_ms,
        }
    }
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
