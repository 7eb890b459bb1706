//! The engine: one question from its words to an answer with facts.

mod ahead;
mod compute;
mod expect;
mod follow;
mod judge;
mod learned;
mod text;
mod traffic;
mod understand;
mod unread;
mod warm;

pub use ahead::Progress;
pub use learned::learn;
pub use warm::Warmed;

use crate::{
    EngineError,
    answer::{Answer, AskOptions, EngineOptions, MAX_QUESTION_CHARS, Status, Timings},
    decode::{self, Verdict},
    embed::SentenceEncoder,
    fusion::{Fuser, Layout, Prompt, plan},
    gate::Calibration,
    kv::BlockKey,
    model::{LanguageModel, ModelOptions},
    question::{
        Reader, Reading,
        expected::{self, Expected},
        language,
        operation::{Operation, sparql},
        path::Yield,
        rank::Meaning,
        read::{Candidate, Meanings},
    },
    represent::{Shelf, VECTORS},
    speak::Speaker,
};
use expect::Lately;
use factmask_graph::{EntityId, Fact, FactId, Snapshot, TenantId, Value};
use learned::Learned;
use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use text::Texts;
use traffic::Traffic;

/// Room for blocks when the options do not say.
const DEFAULT_BLOCK_BYTES: usize = 1 << 30;
/// Readers of snapshots kept: one for each tenant that asks, and the epoch before while its last questions run.
const MOST_READERS: usize = 8;
/// An empty path this little above one that yields something is not taken for what was meant.
const EMPTY_LEAD: f32 = 0.02;
/// Nor one that was learned to be no more than this much likelier.
const EMPTY_SHARE: f32 = 0.5;

/// Answers questions. Shared between threads; owns the model, its block cache and the readers of recent snapshots.
pub struct Engine {
    fuser: Option<Fuser>,
    /// How well the model reads blocks.
    calibration: Option<Calibration>,
    meanings: Arc<Meanings>,
    tenants: Option<PathBuf>,
    shelves: Mutex<HashMap<String, Arc<Shelf>>>,
    prompts: Mutex<HashMap<String, Arc<Prompt>>>,
    prompts_of_passages: Mutex<HashMap<String, Arc<Prompt>>>,
    texts: Mutex<Texts>,
    readers: Mutex<Vec<Arc<Reader>>>,
    /// The path models of tenants, by language.
    learned: Mutex<Learned>,
    traffic: Traffic,
    /// What each tenant's questions were about.
    lately: Mutex<HashMap<String, Lately>>,
    /// The blocks that were encoded ahead for each tenant last, or were there.
    wanted: Mutex<HashMap<String, HashSet<BlockKey>>>,
}

/// A question after reading, before any model has run; the bench looks inside.
pub struct Prepared {
    /// What was read.
    pub reading: Reading,
    /// The candidate that is meant, by its place in `reading.candidates`; `None` when nothing fits.
    pub best: Option<usize>,
}

impl Engine {
    /// Loads what the options name.
    pub fn open(options: &EngineOptions) -> Result<Self, EngineError> {
        let bytes = if options.block_bytes == 0 { DEFAULT_BLOCK_BYTES } else { options.block_bytes };
        let fuser = match &options.model {
            Some(path) => {
                let model = LanguageModel::open(
                    path,
                    &ModelOptions { threads: options.threads, precision: options.precision, ..ModelOptions::default() },
                )?;
                Some(Fuser::new(Arc::new(model), bytes))
            }
            None => None,
        };
        let kept = options.calibrations.as_deref();
        let calibrate = |fuser: &Fuser| Calibration::of(fuser, |lang| reads(fuser.model(), lang), kept);
        let calibration = fuser.as_ref().map(calibrate).transpose()?;
        let encoders = options.encoders.iter();
        let meanings = encoders.map(|(lang, path)| Ok((lang.clone(), Meaning::new(SentenceEncoder::open(path)?))));
        let engine = Self {
            fuser,
            calibration,
            meanings: Arc::new(meanings.collect::<Result<_, EngineError>>()?),
            tenants: options.tenants.clone(),
            shelves: Mutex::default(),
            prompts: Mutex::default(),
            prompts_of_passages: Mutex::default(),
            texts: Mutex::default(),
            readers: Mutex::default(),
            learned: Mutex::default(),
            traffic: Traffic::default(),
            lately: Mutex::default(),
            wanted: Mutex::default(),
        };
        engine.tell_layout();
        Ok(engine)
    }

    /// The same models over a block store of their own with room for `block_bytes`, so that what one is asked does not push out what
    /// the other keeps. What has been read of the schemas so far is shared.
    pub fn with_own_blocks(&self, block_bytes: usize) -> Self {
        let shelves = self.shelves.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Self {
            fuser: self.fuser.as_ref().map(|fuser| Fuser::new(fuser.shared_model(), block_bytes)),
            calibration: self.calibration,
            meanings: self.meanings.clone(),
            tenants: self.tenants.clone(),
            shelves: Mutex::new(shelves),
            prompts: Mutex::default(),
            prompts_of_passages: Mutex::default(),
            texts: Mutex::default(),
            readers: Mutex::default(),
            learned: Mutex::default(),
            traffic: Traffic::default(),
            lately: Mutex::default(),
            wanted: Mutex::default(),
        }
    }

    /// The model's runner, where a model is loaded.
    pub fn fuser(&self) -> Option<&Fuser> {
        self.fuser.as_ref()
    }

    /// How well the loaded model reads blocks; `None` without a model.
    pub fn calibration(&self) -> Option<Calibration> {
        self.calibration
    }

    /// How the cards of a question reach the model.
    pub fn layout(&self) -> Layout {
        self.calibration.map(|calibration| calibration.layout()).unwrap_or_default()
    }

    fn tell_layout(&self) {
        let (Some(fuser), Some(Calibration { asked, agreed, divergence })) = (&self.fuser, self.calibration) else {
            return;
        };
        let (name, measured) =
            (fuser.model().name(), format!("{agreed} of {asked} agree, divergence {divergence:.3} nats"));
        match self.layout() {
            Layout::Blocks => tracing::info!("{name}: questions are answered over precomputed blocks ({measured})"),
            Layout::Pasted => tracing::warn!(
                "{name}: does not read precomputed blocks well enough ({measured}); every question recomputes its facts, which is slower"
            ),
        }
    }

    /// Whether the loaded model was trained on a language.
    pub fn model_reads(&self, lang: &str) -> bool {
        self.fuser.as_ref().is_some_and(|fuser| reads(fuser.model(), lang))
    }

    /// The reader of a tenant's snapshot, kept for the next question.
    pub fn reader(&self, tenant: &str, snapshot: &Arc<Snapshot>) -> Result<Arc<Reader>, EngineError> {
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(reader) = readers.iter().find(|reader| Arc::ptr_eq(reader.snapshot(), snapshot)) {
            return Ok(reader.clone());
        }
        let reader = Arc::new(Reader::new(snapshot.clone(), self.shelf(tenant))?);
        readers.insert(0, reader.clone());
        readers.truncate(MOST_READERS);
        Ok(reader)
    }

    /// The vectors of a tenant. They are kept on disk only for one whose folder is there.
    fn shelf(&self, tenant: &str) -> Arc<Shelf> {
        let mut shelves = self.shelves.lock().unwrap_or_else(PoisonError::into_inner);
        let shelf = shelves.entry(tenant.to_owned()).or_insert_with(|| {
            let id = TenantId::new(tenant).ok();
            let folder = self.tenants.as_ref().zip(id).map(|(tenants, id)| tenants.join(id.as_str()));
            Arc::new(Shelf::new(folder.filter(|folder| folder.is_dir()).map(|folder| folder.join(VECTORS))))
        });
        shelf.clone()
    }

    /// The tenant's entities in the order in which questions about them are expected.
    fn expected(&self, tenant: &str, snapshot: &Snapshot) -> Vec<EntityId> {
        let lately = self.lately.lock().unwrap_or_else(PoisonError::into_inner);
        lately.get(tenant).unwrap_or(&Lately::default()).expected(snapshot)
    }

    /// Reads a question: links, constraints, ranked paths, and which of them is meant.
    ///
    /// # Errors
    /// A question that the encoder cannot take.
    pub fn prepare(
        &self,
        tenant: &str,
        reader: &Reader,
        question: &str,
        lang: Option<&str>,
    ) -> Result<Prepared, EngineError> {
        let learned = self.learned(tenant, lang.unwrap_or_else(|| language::detect(question)));
        let reading = reader.read(question, lang, &self.meanings, learned.as_deref())?;
        let best = meant(&reading);
        Ok(Prepared { reading, best })
    }

    /// The prompt of a language.
    pub fn prompt(&self, fuser: &Fuser, lang: &str) -> Result<Arc<Prompt>, EngineError> {
        let mut prompts = self.prompts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(prompt) = prompts.get(lang) {
            return Ok(prompt.clone());
        }
        let prompt = Arc::new(Prompt::new(fuser.model(), lang)?);
        prompts.insert(lang.to_owned(), prompt.clone());
        Ok(prompt)
    }

    /// Answers one question over one epoch.
    pub fn answer(
        &self,
        snapshot: &Arc<Snapshot>,
        question: &str,
        options: &AskOptions,
    ) -> Result<Answer, EngineError> {
        let started = Instant::now();
        let question = question.trim();
        match question.chars().count() {
            0 => return Err(EngineError::Question { fault: "is empty".to_owned() }),
            count if count > MAX_QUESTION_CHARS => {
                return Err(EngineError::Question { fault: format!("has {count} characters") });
            }
            _ => {}
        }
        if let Some(lang) = options.lang.as_deref().filter(|lang| !language::READ.contains(lang)) {
            return Err(EngineError::Language { lang: lang.to_owned() });
        }
        let _asking = self.traffic.ask();
        let reader = self.reader(&options.tenant, snapshot)?;
        let understood = self.understand(&reader, question, options)?;
        let mut answer = self.answer_as_written(&reader, &understood.question, &understood.lang, options)?;
        understood.tell(snapshot, question, options, &mut answer);
        answer.timings.total_ms = ms(started.elapsed());
        answer.timings.first_token_ms = answer.timings.total_ms;
        Ok(answer)
    }

    /// Answers a question that stands by itself and writes its names as the graph does.
    fn answer_as_written(
        &self,
        reader: &Reader,
        question: &str,
        lang: &str,
        options: &AskOptions,
    ) -> Result<Answer, EngineError> {
        let started = Instant::now();
        let snapshot: &Snapshot = reader.snapshot();
        let Prepared { reading, best } = self.prepare(&options.tenant, reader, question, Some(lang))?;
        let mut answer = Answer {
            status: Status::NotInKb,
            text: String::new(),
            values: Vec::new(),
            confidence: 0.0,
            facts: Vec::new(),
            computed: false,
            choices: Vec::new(),
            read_as: Vec::new(),
            understood_as: None,
            spans: Vec::new(),
            conflicts: Vec::new(),
            doubt: None,
            lang: reading.lang.clone(),
            timings: Timings { link_ms: ms(started.elapsed()), ..Timings::default() },
            explanation: None,
        };
        let speaker = Speaker { snapshot, lang: &reading.lang };
        if options.explain {
            answer.explanation = Some(speaker.explain_reading(&reading));
        }
        let operation = reader.operation(question, &reading.lang);
        let computes = operation.as_ref().is_some_and(Operation::computes);
        let give = |answer: &mut Answer| {
            operation.as_ref().is_some_and(|operation| compute::give(snapshot, operation, options, answer))
        };
        // What must be computed is asked of no path; what is a path is asked of the model first, and read exactly where that is not sure.
        if !(computes && give(&mut answer)) {
            let sure = match best {
                Some(best) => self.by_path(reader, &reading, best, question, options, &mut answer)?,
                None => false,
            };
            let path = operation.as_ref().and_then(Operation::path);
            if let Some((path, values)) = path.filter(|_| !sure)
                && self.unread(reader, &reading, &path, values, &options.tenant)?.is_empty()
            {
                give(&mut answer);
            }
        }
        answer.text = speaker.text(&answer);
        Ok(answer)
    }

    /// Answers by the path that is meant, if what speaks for it is enough; whether it would be by the engine's own bar.
    fn by_path(
        &self,
        reader: &Reader,
        reading: &Reading,
        best: usize,
        question: &str,
        options: &AskOptions,
        answer: &mut Answer,
    ) -> Result<bool, EngineError> {
        let snapshot: &Snapshot = reader.snapshot();
        let speaker = Speaker { snapshot, lang: &reading.lang };
        let Some(best) = reading.candidates.get(best) else { return Ok(false) };
        let mut lately = self.lately.lock().unwrap_or_else(PoisonError::into_inner);
        lately.entry(options.tenant.clone()).or_default().note(&snapshot.entity(best.path.topic).iri);
        drop(lately);
        let view = plan::in_view(reading, best);
        let (chosen, mut decision) = self.judge(reader, reading, &view, question, options, answer)?;
        answer.confidence = decision.confidence;
        let Some(chosen) = view.get(chosen) else { return Ok(false) };
        let doubt =
            reader.shares_name(chosen.path.topic).map(|told_by| speaker.shared_name(chosen.path.topic, told_by));
        // An answer is no surer than the facts that it rests on are to stand in their documents.
        let facts = facts_of(snapshot, &chosen.found);
        let surest = |fact: &Fact| fact.evidence.iter().map(|evidence| evidence.confidence).fold(0.0, f32::max);
        let least = facts.iter().map(surest).fold(1.0, f32::min);
        if least < 1.0 {
            decision = decision.at_most(least, options.bar.unwrap_or(decode::BAR));
            answer.confidence = decision.confidence;
        }
        if doubt.is_some() {
            decision = decision.at_most(decode::SHARED_NAME, options.bar.unwrap_or(decode::BAR));
            answer.confidence = decision.confidence;
        }
        if let Some(explanation) = &mut answer.explanation {
            let values = chosen.found.values();
            explanation.sparql = Some(sparql::of_path(snapshot, &chosen.path, &reading.constraints.years));
            explanation.proposed = values.iter().map(|value| snapshot.said(value, &reading.lang)).collect();
        }
        // What the question adds and the path does not honour makes every value of it wrong.
        let honoured = chosen.unused_names == 0
            && reading.constraints.expected.admits(&chosen.found.values())
            && expected::admits_where(&reading.folded, &chosen.found.values())
            && !reading.names_strangers(snapshot.schema(), &chosen.path)
            // Examples show how many steps their possessives meant.
            && (reading.calibration.is_some() || !reading.asks_beyond(snapshot.schema(), &chosen.path))
            && !reader.counts_beside(reading, &chosen.path)
            // Restricting words that many examples had were weighed.
            && (!reading.unpractised || !reading.restricted_beyond(snapshot.schema(), &chosen.path));
        // No example has shown that people leave this step unsaid, or are content with a value where they ask whether.
        let honoured = honoured
            && (reading.calibration.is_some()
                || (!expected::asks_whether(&reading.folded)
                    && !names_the_middle(snapshot, reading, chosen)
                    && expected::admits_class(&reading.folded, snapshot, &chosen.found.values(), &reading.lang)
                    && (chosen.path.steps.len() < 2 || reader.says_all(reading, &chosen.path, &self.meanings)?)));
        let unread = match honoured {
            true => self.unread(reader, reading, &chosen.path, &chosen.found.values(), &options.tenant)?,
            false => Vec::new(),
        };
        if !honoured || !unread.is_empty() {
            // Not sure at all, however well the rest fits.
            decision = decision.at_most(decode::PASSED_OVER, options.bar.unwrap_or(decode::BAR));
            answer.confidence = decision.confidence;
        }
        if !unread.is_empty() {
            answer.doubt = Some(speaker.unread(&unread, &chosen.path));
        }
        let honoured = honoured && unread.is_empty();
        if honoured && decision.verdict == Verdict::Answer {
            answer.choices = speaker.choices(reading, chosen);
            if answer.choices.is_empty() {
                answer.status = Status::Answered;
                answer.values = chosen.found.values();
                answer.doubt = doubt.or_else(|| speaker.said_apart(chosen.path.topic, &facts));
                answer.facts = facts;
            } else {
                answer.status = Status::Ambiguous;
            }
        }
        Ok(honoured && decision.confidence >= decode::BAR)
    }
}

/// Whether a model was trained on a language. Told by its tokenizer: one that spends over a token on each character of plain Chinese
/// has hardly seen any.
fn reads(model: &LanguageModel, lang: &str) -> bool {
    const PLAIN: &str = "这家公司今年的收入是多少";
    lang != "zh" || model.tokenizer().encode(PLAIN).is_ok_and(|tokens| tokens.len() <= PLAIN.chars().count())
}

/// The candidate that is meant: the best one, unless it yields nothing and one that does is as good. A count of entities is not
/// among the things that can be answered yet, so a quantity is never answered with names.
fn meant(reading: &Reading) -> Option<usize> {
    let first = reading.candidates.first()?;
    let as_good = |candidate: &&Candidate| match (first.learned, candidate.learned) {
        (Some(first), Some(learned)) => learned >= EMPTY_SHARE * first,
        _ => candidate.score >= first.score - EMPTY_LEAD,
    };
    let meant =
        reading.candidates.iter().take_while(as_good).position(|candidate| !candidate.found.trails.is_empty())?;
    let names = reading.candidates[meant].found.trails.iter().any(|trail| matches!(trail.value, Value::Entity(_)));
    (reading.constraints.expected != Expected::Quantity || !names).then_some(meant)
}

/// Whether the question names what a path of several steps only passes: "since when has A been the head of B?" asks nothing of B.
fn names_the_middle(snapshot: &Snapshot, reading: &Reading, chosen: &Candidate) -> bool {
    let values = chosen.found.values();
    let facts = chosen.found.trails.iter().flat_map(|trail| &trail.facts).filter_map(|id| snapshot.fact(*id));
    let ends = facts.flat_map(|fact| [Some(&fact.statement.subject), fact.statement.object.as_entity()]).flatten();
    let middle: Vec<EntityId> = ends
        .filter(|iri| !values.contains(&Value::Entity((*iri).clone())))
        .filter_map(|iri| snapshot.find(iri).filter(|id| *id != chosen.path.topic))
        .collect();
    reading.mentions.iter().any(|mention| mention.entities.iter().any(|id| middle.contains(id)))
}

fn facts_of(snapshot: &Snapshot, found: &Yield) -> Vec<Fact> {
    let mut ids: Vec<FactId> = Vec::new();
    for id in found.trails.iter().flat_map(|trail| &trail.facts) {
        if !ids.contains(id) {
            ids.push(*id);
        }
    }
    ids.into_iter().filter_map(|id| snapshot.fact(id).cloned()).collect()
}

fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests;
