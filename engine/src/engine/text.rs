//! The fallback to text: where the graph does not hold an answer, a literal span of a passage may.

use super::{Engine, Progress, ms};
use crate::{
    EngineError,
    answer::{Answer, AskOptions, FromText, Mode, Status, TextExplanation},
    decode,
    fusion::{
        Fuser, Layout, Prompt,
        passages::TextPlan,
        prompt::Words,
        run::{RunOptions, Source},
    },
    passage::{
        Found, Index, Library, Retriever,
        evidence::{self, Judge},
        retrieve, view,
        witness::{Candidate, Question, Seen},
    },
    question::{language, rank::Meant, words},
};
use factmask_graph::{DocumentId, Evidence, Snapshot, Value};
use factmask_schema::normal;
use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, PoisonError, Weak},
    time::Instant,
};

/// What evidence records say found a span.
const EXTRACTOR: &str = "span";
/// Passages that are retrieved.
const RETRIEVED: usize = 5;
/// Spans that an explanation shows.
const EXPLAINED: usize = 24;

/// Sentences that are embedded ahead of questions, and how many between two looks at whether a question waits.
const MOST_AHEAD: usize = 50_000;
const STRIDE: usize = 16;

/// The passages of tenants' epochs, by tenant.
pub(super) type Texts = HashMap<String, (Weak<Snapshot>, Arc<Index>)>;

impl Engine {
    /// As [`answer`](Self::answer); where the graph does not hold an answer, the passages of the tenant's documents are looked at, in
    /// the ways that ask a language model. Such an answer is told apart by its status and cites the span.
    ///
    /// # Errors
    /// As there, and a document that cannot be read.
    pub fn answer_with_text(
        &self,
        snapshot: &Arc<Snapshot>,
        library: &dyn Library,
        question: &str,
        options: &AskOptions,
    ) -> Result<Answer, EngineError> {
        let started = Instant::now();
        let mut answer = self.answer(snapshot, question, options)?;
        // Whoever draws the line afterwards sees what the product would have given: text only where the graph is not sure enough.
        let given = answer.status != Status::NotInKb && answer.confidence >= decode::BAR;
        let only = match &options.text {
            FromText::Never => return Ok(answer),
            FromText::Allowed if given => return Ok(answer),
            FromText::Only(_) if given => return Ok(answer),
            FromText::Only(documents) => Some(documents),
            FromText::Allowed | FromText::Beside => None,
        };
        let _asking = self.traffic.ask();
        let reads = options.mode != Mode::GraphOnly && self.model_reads(&answer.lang);
        let Some(fuser) = self.fuser.as_ref().filter(|_| reads) else { return Ok(answer) };
        let index = self.texts(&options.tenant, snapshot, library)?;
        // "It" is in no document.
        let question = answer.understood_as.clone().unwrap_or_else(|| question.trim().to_owned());
        let found = self.passages(&options.tenant, snapshot, &index, &question, &answer.lang, only)?;
        let span = self.read_text(fuser, &index, &found, &question, options, &mut answer)?;
        match span {
            Some(span) if given => span.dispute(snapshot, &mut answer),
            Some(span) => span.give(options.bar.unwrap_or(decode::BAR), &mut answer),
            None => {}
        }
        answer.timings.total_ms = ms(started.elapsed());
        answer.timings.first_token_ms = answer.timings.total_ms;
        Ok(answer)
    }

    /// The passages that a question is answered from, best first.
    ///
    /// # Errors
    /// A text that the encoder cannot take.
    pub fn passages(
        &self,
        tenant: &str,
        snapshot: &Arc<Snapshot>,
        index: &Index,
        question: &str,
        lang: &str,
        only: Option<&BTreeSet<DocumentId>>,
    ) -> Result<Vec<Found>, EngineError> {
        let reader = self.reader(tenant, snapshot)?;
        let meant = self.meanings.get(lang).map(|meaning| Meant { meaning, shelf: reader.shelf() });
        Retriever { index, meant }.best(question, only, RETRIEVED)
    }

    /// The passages of a tenant's epoch, read at the first question that needs them; what an epoch before had read of documents that
    /// are unchanged is taken over.
    ///
    /// # Errors
    /// A document that cannot be read.
    pub fn texts(
        &self,
        tenant: &str,
        snapshot: &Arc<Snapshot>,
        library: &dyn Library,
    ) -> Result<Arc<Index>, EngineError> {
        let known = self.texts.lock().unwrap_or_else(PoisonError::into_inner).get(tenant).cloned();
        let before = match known {
            Some((own, index)) if own.upgrade().is_some_and(|own| Arc::ptr_eq(&own, snapshot)) => return Ok(index),
            known => known.map(|(_, index)| index),
        };
        let index = Arc::new(Index::build(library, before.as_deref())?);
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        texts.insert(tenant.to_owned(), (Arc::downgrade(snapshot), Arc::clone(&index)));
        Ok(index)
    }

    /// Lets the encoders read the sentences of the tenant's documents, each in its own language, so that the first questions need not
    /// wait for it; what is on the tenant's shelf is not read again. It gives way to questions. `progress` hears how many sentences of
    /// how many are done.
    ///
    /// # Errors
    /// A document that cannot be read, a text that the encoder cannot take, and whatever `progress` fails with.
    pub fn read_texts_ahead(
        &self,
        tenant: &str,
        snapshot: &Arc<Snapshot>,
        library: &dyn Library,
        progress: &mut Progress<'_>,
    ) -> Result<(), EngineError> {
        if self.fuser.is_none() {
            return Ok(());
        }
        let index = self.texts(tenant, snapshot, library)?;
        let reader = self.reader(tenant, snapshot)?;
        let passages = (0..index.len()).filter_map(|number| index.passage(number));
        let mut sentences: Vec<String> = passages.flat_map(|(_, passage)| retrieve::in_context(passage)).collect();
        sentences.truncate(MOST_AHEAD);
        for (number, some) in sentences.chunks(STRIDE).enumerate() {
            self.traffic.give_way();
            progress(number * STRIDE, sentences.len())?;
            for (lang, meaning) in self.meanings.iter() {
                let own: Vec<String> =
                    some.iter().filter(|sentence| language::detect(sentence) == lang).cloned().collect();
                meaning.read(reader.shelf(), &own)?;
            }
        }
        progress(sentences.len(), sentences.len())
    }

    /// The best span of the passages; notes what it cost, and how it was found where that is asked for.
    fn read_text(
        &self,
        fuser: &Fuser,
        index: &Index,
        found: &[Found],
        question: &str,
        options: &AskOptions,
        answer: &mut Answer,
    ) -> Result<Option<BestSpan>, EngineError> {
        let judge = Judge::of(fuser.model().config().hidden, &answer.lang);
        let asked = Question::new(question, index);
        let seen = view::seen(index, found);
        let prompt = self.prompt_of_passages(fuser, &answer.lang)?;
        let planning = Instant::now();
        let open = view::open(&asked, &seen);
        let shown = view::shown(&seen, open.get(..judge.in_view.min(open.len())).unwrap_or_default());
        let plan = TextPlan::compile(&shown, question, &answer.lang, &prompt, fuser.model().tokenizer())?;
        if plan.is_empty() {
            return Ok(None);
        }
        let compiled = planning.elapsed();
        let layout = if options.mode == Mode::ExactPrompt { Layout::Pasted } else { self.layout() };
        let source = if options.mode == Mode::Uniform { Source::Uniform } else { Source::Model };
        let reading =
            fuser.read_spans(&options.tenant, &plan, RunOptions { layout, source, ..RunOptions::default() })?;
        let (cost, timings) = (reading.cost, &mut answer.timings);
        timings.plan_ms += ms(compiled + cost.encode + cost.place);
        timings.encode_ms += ms(cost.encode);
        timings.prefill_ms += ms(cost.prefill);
        timings.decode_ms += ms(cost.read);
        let ranked = judge.rank(asked.candidates(index, &seen, &open, &reading));
        let witnesses = evidence::sufficiency(&ranked, reading.refusal);
        let best = ranked.first().zip(witnesses);
        let best = best.and_then(|(best, witnesses)| BestSpan::new(&seen, best, judge.confidence(&witnesses)));
        if let Some(explanation) = &mut answer.explanation {
            let names = |found: &Found| Some(index.passage(found.number)?.0.as_str().to_owned());
            explanation.text = Some(TextExplanation {
                asked: asked.asked,
                passages: seen.iter().map(|seen| seen.document.as_str().to_owned()).collect(),
                retrieved: found.iter().filter_map(names).collect(),
                spans: ranked.into_iter().take(EXPLAINED).collect(),
                refusal: reading.refusal,
                witnesses,
            });
        }
        Ok(best)
    }

    /// The prompt around passages.
    fn prompt_of_passages(&self, fuser: &Fuser, lang: &str) -> Result<Arc<Prompt>, EngineError> {
        let mut prompts = self.prompts_of_passages.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(prompt) = prompts.get(lang) {
            return Ok(prompt.clone());
        }
        let prompt = Arc::new(Prompt::of(fuser.model(), &Words::of_passages(lang))?);
        prompts.insert(lang.to_owned(), prompt.clone());
        Ok(prompt)
    }
}

/// The span that is likeliest to be the answer.
struct BestSpan {
    text: String,
    evidence: Evidence,
}

impl BestSpan {
    fn new(seen: &[Seen<'_>], best: &Candidate, confidence: f32) -> Option<Self> {
        let seen = seen.get(best.passage)?;
        let bytes = seen.passage.sentences.get(best.sentence)?.source(best.bytes.clone());
        let evidence = Evidence {
            document: seen.document.clone(),
            span: bytes.start as u64..bytes.end as u64,
            locator: None,
            extractor: EXTRACTOR.to_owned(),
            confidence,
        };
        // Lines are wrapped anywhere; the quote has the span as it stands.
        Some(Self { text: best.text.split_whitespace().collect::<Vec<_>>().join(" "), evidence })
    }

    /// Gives it as the answer, where it is sure enough and surer than what the graph says.
    fn give(self, bar: f32, answer: &mut Answer) {
        let confidence = self.evidence.confidence;
        let likelier = answer.status == Status::NotInKb || confidence > answer.confidence;
        if !likelier || confidence < bar {
            answer.confidence = answer.confidence.max(if likelier { confidence } else { 0.0 });
            return;
        }
        answer.status = Status::FromText;
        answer.doubt = None;
        answer.values = vec![Value::Text { text: self.text.clone(), lang: None }];
        answer.text = self.text;
        answer.confidence = confidence;
        answer.facts.clear();
        answer.choices.clear();
        answer.spans = vec![self.evidence];
    }

    /// Notes it beside the graph's answer, where it is sure and says none of the values.
    fn dispute(self, snapshot: &Snapshot, answer: &mut Answer) {
        let agrees = |value: &Value| says(&self.text, value, &snapshot.said(value, &answer.lang));
        if self.evidence.confidence >= decode::BAR && !answer.values.iter().any(agrees) {
            answer.conflicts.push(self.evidence);
        }
    }
}

/// Whether a span says a value: its name or part of it, the same digits, a date of the same year. In doubt it does, since a conflict is
/// told to people.
fn says(span: &str, value: &Value, said: &str) -> bool {
    let (span, said) = (normal::fold(span), normal::fold(said));
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    match value {
        Value::Number(number) => [digits(&number.plain()), digits(&said)].contains(&digits(&span)),
        Value::Date(date) => span.contains(&date.year.to_string()),
        Value::Boolean(_) => true,
        Value::Entity(_) | Value::Text { .. } => {
            let (span, said) = (words::units(&span), words::units(&said));
            span.is_subset(&said) || said.is_subset(&span)
        }
    }
}
