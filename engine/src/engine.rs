//! The engine: one question from its words to an answer with facts.

use crate::{
    EngineError,
    answer::{Answer, AskOptions, EngineOptions, MAX_QUESTION_CHARS, Mode, Status, Timings},
    decode::{self, Decision, Evidence, LeafScores, ModelEvidence, Verdict},
    embed::SentenceEncoder,
    fusion::{
        AttentionPlan, Fuser, Layout, Prompt,
        plan::{self, Compiler},
        run::{RunOptions, Source},
    },
    model::{LanguageModel, ModelOptions},
    question::{
        Reader, Reading,
        constraint::Expected,
        language,
        path::Yield,
        rank::Meaning,
        read::{Candidate, Meanings},
    },
    represent::Shelf,
    speak::{Speaker, explain_plan},
};
use factmask_graph::{Fact, FactId, Snapshot, TenantId, Value};
use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

/// Room for blocks when the options do not say.
const DEFAULT_BLOCK_BYTES: usize = 1 << 30;
/// Readers of snapshots kept: one for each tenant that asks, and the epoch before while its last questions run.
const MOST_READERS: usize = 8;
/// An empty path this little above one that yields something is not taken for what was meant.
const EMPTY_LEAD: f32 = 0.02;

/// Answers questions. Shared between threads; owns the model, its block cache and the readers of recent snapshots.
pub struct Engine {
    fuser: Option<Fuser>,
    meanings: Meanings,
    tenants: Option<PathBuf>,
    shelves: Mutex<HashMap<String, Arc<Shelf>>>,
    prompts: Mutex<HashMap<String, Arc<Prompt>>>,
    readers: Mutex<Vec<Arc<Reader>>>,
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
                let model =
                    LanguageModel::open(path, &ModelOptions { threads: options.threads, ..ModelOptions::default() })?;
                Some(Fuser::new(Arc::new(model), bytes))
            }
            None => None,
        };
        let encoders = options.encoders.iter();
        let meanings = encoders.map(|(lang, path)| Ok((lang.clone(), Meaning::new(SentenceEncoder::open(path)?))));
        Ok(Self {
            fuser,
            meanings: meanings.collect::<Result<_, EngineError>>()?,
            tenants: options.tenants.clone(),
            shelves: Mutex::default(),
            prompts: Mutex::default(),
            readers: Mutex::default(),
        })
    }

    /// The model's runner, where a model is loaded.
    pub fn fuser(&self) -> Option<&Fuser> {
        self.fuser.as_ref()
    }

    /// Whether the loaded model was trained on a language. Told by its tokenizer: one that spends over a token on each
    /// character of plain Chinese has hardly seen any.
    pub fn model_reads(&self, lang: &str) -> bool {
        const PLAIN: &str = "这家公司今年的收入是多少";
        self.fuser.as_ref().is_some_and(|fuser| {
            lang != "zh"
                || fuser.model().tokenizer().encode(PLAIN).is_ok_and(|tokens| tokens.len() <= PLAIN.chars().count())
        })
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
            Arc::new(Shelf::new(folder.filter(|folder| folder.is_dir()).map(|folder| folder.join("vectors"))))
        });
        shelf.clone()
    }

    /// Reads a question: links, constraints, ranked paths, and which of them is meant.
    pub fn prepare(&self, reader: &Reader, question: &str, lang: Option<&str>) -> Result<Prepared, EngineError> {
        let reading = reader.read(question, lang, &self.meanings)?;
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
        let reader = self.reader(&options.tenant, snapshot)?;
        let Prepared { reading, best } = self.prepare(&reader, question, options.lang.as_deref())?;
        let mut answer = Answer {
            status: Status::NotInKb,
            text: String::new(),
            values: Vec::new(),
            confidence: 0.0,
            facts: Vec::new(),
            choices: Vec::new(),
            lang: reading.lang.clone(),
            timings: Timings { link_ms: ms(started.elapsed()), ..Timings::default() },
            explanation: None,
        };
        let speaker = Speaker { snapshot, lang: &reading.lang };
        if options.explain {
            answer.explanation = Some(speaker.explain_reading(&reading));
        }
        if let Some(best) = best.and_then(|best| reading.candidates.get(best)) {
            let view = plan::in_view(&reading, best);
            let (chosen, decision) = self.judge(snapshot, &reading, &view, question, options, &mut answer)?;
            answer.confidence = decision.confidence;
            if let (Some(explanation), Some(chosen)) = (&mut answer.explanation, view.get(chosen)) {
                let values = chosen.found.values();
                explanation.proposed = values.iter().map(|value| snapshot.said(value, &reading.lang)).collect();
            }
            // What the question adds and the path does not honour makes every value of it wrong.
            let honoured = |chosen: &&&Candidate| {
                chosen.unused_names == 0
                    && !reading.asks_beyond(snapshot.schema(), &chosen.path)
                    && !reading.restricted_beyond(snapshot.schema(), &chosen.path)
            };
            if let Some(chosen) = view.get(chosen).filter(|_| decision.verdict == Verdict::Answer).filter(honoured) {
                answer.choices = speaker.choices(&reading, chosen);
                if answer.choices.is_empty() {
                    answer.status = Status::Answered;
                    answer.values = chosen.found.values();
                    answer.facts = facts_of(snapshot, &chosen.found);
                } else {
                    answer.status = Status::Ambiguous;
                }
            }
        }
        answer.text = speaker.text(&answer);
        answer.timings.total_ms = ms(started.elapsed());
        answer.timings.first_token_ms = answer.timings.total_ms;
        Ok(answer)
    }

    /// Compiles and runs the plan for the paths in view, chooses one of them, and weighs what speaks for its answers.
    fn judge(
        &self,
        snapshot: &Snapshot,
        reading: &Reading,
        view: &[&Candidate],
        question: &str,
        options: &AskOptions,
        answer: &mut Answer,
    ) -> Result<(usize, Decision), EngineError> {
        let scores: Vec<f32> = view.iter().map(|candidate| candidate.score).collect();
        let words = plan::path_probabilities(&scores);
        let first = |values: &[f32], at: usize| values.get(at).copied().unwrap_or(0.0);
        if let Some(explanation) = &mut answer.explanation {
            explanation.view = Speaker { snapshot, lang: &reading.lang }.view(view, &words);
        }
        let bar = options.bar.unwrap_or(decode::BAR);
        let graph_only = |answer: &mut Answer| {
            let evidence = Evidence { fit: first(&scores, 0), path: first(&words, 0), model: None };
            note_witnesses(answer, &evidence);
            (0, decode::decide(&evidence, &weights(reading, decode::GRAPH_ONLY), bar))
        };
        let run = match options.mode {
            Mode::GraphOnly => return Ok(graph_only(answer)),
            Mode::Fused => RunOptions::default(),
            Mode::ExactPrompt => RunOptions { layout: Layout::Pasted, ..RunOptions::default() },
            Mode::Uniform => RunOptions { source: Source::Uniform, ..RunOptions::default() },
        };
        let Some(fuser) = self.fuser.as_ref().filter(|_| self.model_reads(&reading.lang)) else {
            return Ok(graph_only(answer));
        };
        let planning = Instant::now();
        let prompt = self.prompt(fuser, &reading.lang)?;
        let compiler = Compiler { snapshot, tokenizer: fuser.model().tokenizer(), prompt: &prompt };
        let Some(plan) = compiler.compile(reading, view, question)? else {
            return Ok(graph_only(answer));
        };
        let compiled = planning.elapsed();
        let choose = |plain: &LeafScores| decode::likeliest(&decode::weigh_paths(&words, &masses(&plan, view, plain)));
        let readings = fuser.run(&options.tenant, &plan, run, choose)?;
        let cost = readings.cost;
        answer.timings.plan_ms = ms(compiled + cost.encode + cost.place);
        answer.timings.encode_ms = ms(cost.encode);
        answer.timings.prefill_ms = ms(cost.prefill);
        answer.timings.decode_ms = ms(cost.read);
        let (plain, guided) = (masses(&plan, view, &readings.plain), masses(&plan, view, &readings.guided));
        if let Some(explanation) = &mut answer.explanation {
            explain_plan(explanation, snapshot, &reading.lang, &plan, &readings);
            for (path, mass) in explanation.view.iter_mut().zip(&plain) {
                path.plain = Some(*mass);
            }
        }
        let chosen = readings.chosen;
        let model = ModelEvidence { plain: first(&plain, chosen), guided: first(&guided, chosen) };
        let path = first(&decode::weigh_paths(&words, &plain), chosen);
        let evidence = Evidence { fit: first(&scores, chosen), path, model: Some(model) };
        note_witnesses(answer, &evidence);
        Ok((chosen, decode::decide(&evidence, &weights(reading, decode::WITH_MODEL), bar)))
    }
}

/// The weights for the scale of a reading's scores; `english` where the encoder for English made them.
fn weights(reading: &Reading, english: decode::Weights) -> decode::Weights {
    match (reading.by_meaning, reading.lang.as_str()) {
        (false, _) => decode::WORDS_ALONE,
        (true, "zh") => decode::CHINESE,
        (true, _) => english,
    }
}

/// A reading's probability mass on the answers of each path in view.
fn masses(plan: &AttentionPlan, view: &[&Candidate], scores: &LeafScores) -> Vec<f32> {
    let mass = |candidate: &&Candidate| {
        let values = candidate.found.values();
        let own = |value: &Option<Value>| value.as_ref().is_some_and(|value| values.contains(value));
        let leaves = plan.answers.iter().zip(&scores.probabilities);
        leaves.filter(|(answer, _)| own(&answer.value)).map(|(_, probability)| probability).sum()
    };
    view.iter().map(mass).collect()
}

/// The candidate that is meant: the best one, unless it yields nothing and one that does is as good. A count of entities is not
/// among the things that can be answered yet, so a quantity is never answered with names.
fn meant(reading: &Reading) -> Option<usize> {
    let first = reading.candidates.first()?;
    let meant = reading
        .candidates
        .iter()
        .take_while(|candidate| candidate.score >= first.score - EMPTY_LEAD)
        .position(|candidate| !candidate.found.trails.is_empty())?;
    let names = reading.candidates[meant].found.trails.iter().any(|trail| matches!(trail.value, Value::Entity(_)));
    (reading.constraints.expected != Expected::Quantity || !names).then_some(meant)
}

fn note_witnesses(answer: &mut Answer, evidence: &Evidence) {
    if let Some(explanation) = &mut answer.explanation {
        explanation.witnesses = Some(decode::features(evidence));
    }
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
