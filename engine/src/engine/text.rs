//! The fallback to text: where the graph does not hold an answer, a literal span of a passage may.

use super::{Engine, Progress, ms};
use crate::{
    EngineError,
    answer::{Answer, AskOptions, FromText, Mode, Status, TextExplanation},
    decode,
    fusion::{
        Fuser, Layout, Prompt,
        passages::{Shown, Sight, TextPlan},
        prompt::Words,
        run::{RunOptions, Source},
    },
    passage::{
        Found, Index, Library, Passage, Retriever,
        evidence::{self, Question, Seen},
        kind::{self, Asked},
        retrieve,
    },
    question::{language, rank::Meant},
};
use factmask_graph::{DocumentId, Evidence, Snapshot, Value};
use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, PoisonError, Weak},
    time::Instant,
};

/// What evidence records say found a span.
const EXTRACTOR: &str = "span";
/// Passages that are retrieved, and the most of their bytes that are shown.
const RETRIEVED: usize = 5;
const SHOWN_BYTES: usize = 2_000;
/// Sentences of the shown passages that question and span see, those most like the question. A small model reads few lines well and
/// many badly: of 30 questions of a set SmolLM2 by itself chose right 4 with all sentences of two to three passages in view, 6 with three of them.
const VISIBLE: usize = 3;
/// Bias on the likest. Without any of 30 questions 2 were right, with it 4.
const STRENGTH: f32 = 1.5;

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
        let answer = self.answer(snapshot, question, options)?;
        // Whoever draws the line afterwards sees what the product would have given: text only where the graph is not sure enough.
        let given = answer.status != Status::NotInKb && answer.confidence >= decode::BAR;
        if given || options.text == FromText::Never || options.mode == Mode::GraphOnly {
            return Ok(answer);
        }
        let _asking = self.traffic.ask();
        let Some(fuser) = self.fuser.as_ref().filter(|_| self.model_reads(&answer.lang)) else { return Ok(answer) };
        let index = self.texts(&options.tenant, snapshot, library)?;
        let only = match &options.text {
            FromText::Only(documents) => Some(documents),
            FromText::Allowed | FromText::Never => None,
        };
        let found = self.passages(&options.tenant, snapshot, &index, question.trim(), &answer.lang, only)?;
        let mut answer = self.read_text(fuser, &index, &found, question.trim(), options, answer)?;
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

    fn read_text(
        &self,
        fuser: &Fuser,
        index: &Index,
        found: &[Found],
        question: &str,
        options: &AskOptions,
        mut answer: Answer,
    ) -> Result<Answer, EngineError> {
        let asked = Question::new(question, index);
        let seen = in_view(index, found);
        let passages: Vec<Seen<'_>> = seen.iter().map(|(_, seen)| *seen).collect();
        let prompt = self.prompt_of_passages(fuser, &answer.lang)?;
        let compile = |kind: Asked| {
            let shown = shown(&asked, kind, &passages);
            TextPlan::compile(&shown, question, &answer.lang, &prompt, fuser.model().tokenizer())
        };
        let planning = Instant::now();
        let mut plan = compile(asked.asked)?;
        if plan.is_empty() {
            // Nothing in view looks like what is asked for; the witnesses will say so.
            plan = compile(Asked::Anything)?;
        }
        if plan.is_empty() {
            return Ok(answer);
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
        let ranked = asked.rank(&passages, &reading);
        let witnesses = evidence::sufficiency(&ranked);
        let about = ranked
            .first()
            .and_then(|best| seen.get(best.passage))
            .is_some_and(|(document, _)| asked.is_about(index, document));
        let confidence = witnesses.as_ref().filter(|_| about).map_or(0.0, evidence::confidence);
        if let Some(explanation) = &mut answer.explanation {
            explanation.text = Some(TextExplanation {
                asked: asked.asked,
                passages: seen.iter().map(|(document, _)| document.as_str().to_owned()).collect(),
                retrieved: found
                    .iter()
                    .filter_map(|found| Some(index.passage(found.number)?.0.as_str().to_owned()))
                    .collect(),
                spans: ranked.clone(),
                refusal: reading.refusal,
                witnesses,
            });
        }
        let Some(best) = ranked.first() else { return Ok(answer) };
        let likelier = answer.status == Status::NotInKb || confidence > answer.confidence;
        if !likelier || confidence < options.bar.unwrap_or(evidence::BAR) {
            answer.confidence = answer.confidence.max(if likelier { confidence } else { 0.0 });
            return Ok(answer);
        }
        let Some((document, seen)) = seen.get(best.passage) else { return Ok(answer) };
        let Some(sentence) = seen.passage.sentences.get(best.sentence) else { return Ok(answer) };
        let bytes = sentence.source(best.bytes.clone());
        let evidence = Evidence {
            document: (*document).clone(),
            span: bytes.start as u64..bytes.end as u64,
            locator: None,
            extractor: EXTRACTOR.to_owned(),
            confidence,
        };
        answer.status = Status::FromText;
        // Lines are wrapped anywhere; the quote has the span as it stands.
        answer.text = best.text.split_whitespace().collect::<Vec<_>>().join(" ");
        answer.values = vec![Value::Text { text: answer.text.clone(), lang: None }];
        answer.confidence = confidence;
        answer.facts.clear();
        answer.choices.clear();
        answer.spans = vec![evidence];
        Ok(answer)
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

/// The best passages that there is room for, at least one.
fn in_view<'a>(index: &'a Index, found: &'a [Found]) -> Vec<(&'a DocumentId, Seen<'a>)> {
    let mut bytes = 0;
    let mut seen = Vec::new();
    for found in found {
        let Some((document, passage)) = index.passage(found.number) else { continue };
        bytes += passage.text().len();
        if bytes > SHOWN_BYTES && !seen.is_empty() {
            break;
        }
        seen.push((document, Seen { passage, found }));
    }
    seen
}

/// How the sentences are seen: only those most like the question, and the likest with emphasis.
fn shown<'a>(question: &Question, asked: Asked, seen: &[Seen<'a>]) -> Vec<Shown<'a>> {
    let units = question.units();
    let mut order: Vec<(f32, usize, usize)> = Vec::new();
    for (number, seen) in seen.iter().enumerate() {
        for sentence in 0..seen.passage.sentences.len() {
            let likeness = seen.found.likeness.get(sentence).copied().unwrap_or(0.0);
            order.push((question.around(seen.passage, sentence) + likeness, number, sentence));
        }
    }
    order.sort_by(|one, other| other.0.total_cmp(&one.0).then((one.1, one.2).cmp(&(other.1, other.2))));
    let rank = |number: usize, sentence: usize| order.iter().position(|(_, n, s)| (*n, *s) == (number, sentence));
    let sight = |passage: &Passage, number: usize, sentence: usize| {
        let rank = rank(number, sentence).unwrap_or(usize::MAX);
        let open = passage.sentences.get(sentence).filter(|_| rank < VISIBLE);
        Sight {
            hidden: open.is_none(),
            bias: if rank == 0 { STRENGTH } else { 0.0 },
            bounds: open.map(|sentence| kind::bounds(asked, sentence.as_str(), &units)).unwrap_or_default(),
        }
    };
    let passages = seen.iter().enumerate();
    let passages = passages.map(|(number, Seen { passage, .. })| Shown {
        passage,
        sentences: (0..passage.sentences.len()).map(|sentence| sight(passage, number, sentence)).collect(),
    });
    passages.collect()
}
