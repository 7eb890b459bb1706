//! The engine: one question from its words to an answer with facts.

use crate::{
    EngineError,
    answer::{
        Answer, AskOptions, CardView, EngineOptions, Explanation, MAX_QUESTION_CHARS, Mode, PathScore, ReadingView,
        Status, Timings,
    },
    decode::{self, Decision, Evidence, ModelEvidence, Verdict},
    embed::SentenceEncoder,
    fusion::{
        AttentionPlan, Fuser, Layout, Prompt, Readings,
        plan::{self, Compiler},
        run::{RunOptions, Source},
    },
    model::{LanguageModel, ModelOptions},
    question::{
        Reader, Reading,
        constraint::Expected,
        path::{self, Path, Yield},
        rank::Meaning,
        read::Candidate,
    },
};
use factmask_graph::{Fact, FactId, Snapshot, Value};
use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

/// Room for blocks when the options do not say.
const DEFAULT_BLOCK_BYTES: usize = 1 << 30;
/// Readers of snapshots kept: one for each tenant that asks, and the epoch before while its last questions run.
const MOST_READERS: usize = 8;
/// An empty path this little above one that yields something is not taken for what was meant.
const EMPTY_LEAD: f32 = 0.02;
/// Topics of the same name whose paths score this close cannot be told apart by words.
const HOMONYM_MARGIN: f32 = 0.02;

/// Answers questions. Shared between threads; owns the model, its block cache and the readers of recent snapshots.
pub struct Engine {
    fuser: Option<Fuser>,
    meaning: Option<Meaning>,
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
        let meaning = options.encoder.as_deref().map(SentenceEncoder::open).transpose()?.map(Meaning::new);
        Ok(Self { fuser, meaning, prompts: Mutex::default(), readers: Mutex::default() })
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

    /// The reader of a snapshot, kept for the next question.
    pub fn reader(&self, snapshot: &Arc<Snapshot>) -> Result<Arc<Reader>, EngineError> {
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(reader) = readers.iter().find(|reader| Arc::ptr_eq(reader.snapshot(), snapshot)) {
            return Ok(reader.clone());
        }
        let reader = Arc::new(Reader::new(snapshot.clone())?);
        readers.insert(0, reader.clone());
        readers.truncate(MOST_READERS);
        Ok(reader)
    }

    /// Reads a question: links, constraints, ranked paths, and which of them is meant.
    pub fn prepare(&self, reader: &Reader, question: &str, lang: Option<&str>) -> Result<Prepared, EngineError> {
        let reading = reader.read(question, lang, self.meaning.as_ref())?;
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
        let reader = self.reader(snapshot)?;
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
            if let Some(explanation) = &mut answer.explanation {
                explanation.proposed =
                    best.found.values().iter().map(|value| snapshot.said(value, &reading.lang)).collect();
            }
            let choices = speaker.choices(&reading, best);
            if choices.is_empty() {
                let decision = self.judge(snapshot, &reading, question, best, options, &mut answer)?;
                answer.confidence = decision.confidence;
                if decision.verdict == Verdict::Answer {
                    answer.status = Status::Answered;
                    answer.values = best.found.values();
                    answer.facts = facts_of(snapshot, &best.found);
                }
            } else {
                answer.status = Status::Ambiguous;
                answer.choices = choices;
            }
        }
        answer.text = speaker.text(&answer);
        answer.timings.total_ms = ms(started.elapsed());
        answer.timings.first_token_ms = answer.timings.total_ms;
        Ok(answer)
    }

    /// Compiles and runs the plan for the best path, and weighs what speaks for it.
    fn judge(
        &self,
        snapshot: &Snapshot,
        reading: &Reading,
        question: &str,
        best: &Candidate,
        options: &AskOptions,
        answer: &mut Answer,
    ) -> Result<Decision, EngineError> {
        let view = plan::in_view(reading, best);
        let scores: Vec<f32> = view.iter().map(|candidate| candidate.score).collect();
        let paths = plan::path_probabilities(&scores);
        let graph_only = |answer: &mut Answer| {
            let evidence = Evidence { fit: best.score, paths: &paths, model: None };
            note_witnesses(answer, &evidence);
            decode::decide(&evidence, &decode::GRAPH_ONLY)
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
        let Some(plan) = compiler.compile(reading, &view, question)? else {
            return Ok(graph_only(answer));
        };
        let compiled = planning.elapsed();
        let readings = fuser.run(&options.tenant, &plan, run)?;
        let cost = readings.cost;
        answer.timings.plan_ms = ms(compiled + cost.encode + cost.place);
        answer.timings.encode_ms = ms(cost.encode);
        answer.timings.prefill_ms = ms(cost.prefill);
        answer.timings.decode_ms = ms(cost.read);
        if let Some(explanation) = &mut answer.explanation {
            explain_plan(explanation, snapshot, &reading.lang, &plan, &readings);
        }
        let masses = masses(&plan, &view, &readings);
        let evidence = Evidence {
            fit: best.score,
            paths: &paths,
            model: Some(ModelEvidence { plain: &masses.plain, guided: masses.guided }),
        };
        note_witnesses(answer, &evidence);
        Ok(decode::decide(&evidence, &decode::WITH_MODEL))
    }
}

/// Probability mass of the readings on each path's answers.
pub struct Masses {
    /// Of the plain reading, by path in view.
    pub plain: Vec<f32>,
    /// Of the guided reading on the best path.
    pub guided: f32,
}

/// Sums what the readings give to the answers of each path in view.
pub fn masses(plan: &AttentionPlan, view: &[&Candidate], readings: &Readings) -> Masses {
    let mass = |probabilities: &[f32], candidate: &Candidate| {
        let values = candidate.found.values();
        let own = |value: &Option<Value>| value.as_ref().is_some_and(|value| values.contains(value));
        plan.answers.iter().zip(probabilities).filter(|(answer, _)| own(&answer.value)).map(|(_, p)| p).sum::<f32>()
    };
    Masses {
        plain: view.iter().map(|candidate| mass(&readings.plain.probabilities, candidate)).collect(),
        guided: view.first().map_or(0.0, |best| mass(&readings.guided.probabilities, best)),
    }
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

fn note_witnesses(answer: &mut Answer, evidence: &Evidence<'_>) {
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

/// Puts things into words for people.
struct Speaker<'a> {
    snapshot: &'a Snapshot,
    lang: &'a str,
}

impl Speaker<'_> {
    fn text(&self, answer: &Answer) -> String {
        let chinese = self.lang == "zh";
        match answer.status {
            Status::Answered => {
                let said: Vec<String> =
                    answer.values.iter().map(|value| self.snapshot.said(value, self.lang)).collect();
                said.join(if chinese { "、" } else { ", " })
            }
            Status::NotInKb if chinese => "知识库中没有答案。".to_owned(),
            Status::NotInKb => "Not in the knowledge base.".to_owned(),
            Status::Ambiguous if chinese => format!("请说明指的是：{}", answer.choices.join("；")),
            Status::Ambiguous => format!("Which is meant: {}?", answer.choices.join("; ")),
        }
    }

    /// What the question could mean when its words do not say: several years of one relation, or several bearers of one name.
    fn choices(&self, reading: &Reading, best: &Candidate) -> Vec<String> {
        let groups = path::by_qualifiers(self.snapshot, &best.found, self.lang);
        if groups.len() > 1 {
            let distinct: Vec<Vec<&Value>> =
                groups.values().map(|trails| trails.iter().map(|trail| &trail.value).collect()).collect();
            if distinct.windows(2).any(|pair| pair[0] != pair[1]) {
                let name = self.snapshot.name(best.path.topic, self.lang);
                return groups.into_keys().map(|qualifiers| format!("{name} ({qualifiers})")).collect();
            }
        }
        let mut bearers: BTreeMap<_, &Candidate> = BTreeMap::new();
        for other in &reading.candidates {
            let rival = other.score >= best.score - HOMONYM_MARGIN
                && other.path.steps == best.path.steps
                && !other.found.trails.is_empty()
                && reading.mentions.iter().any(|mention| {
                    mention.entities.contains(&other.path.topic) && mention.entities.contains(&best.path.topic)
                });
            if rival {
                bearers.insert(other.path.topic, other);
            }
        }
        if bearers.values().any(|other| other.found.values() != best.found.values()) {
            let about = |candidate: &Candidate| {
                let entity = self.snapshot.entity(candidate.path.topic);
                let class = crate::question::wordings::class_word(self.snapshot.schema(), &entity.classes, self.lang);
                format!("{} ({class}, {})", self.snapshot.name(candidate.path.topic, self.lang), entity.iri.as_str())
            };
            return bearers.into_values().map(about).collect();
        }
        Vec::new()
    }

    fn explain_reading(&self, reading: &Reading) -> Explanation {
        let links = reading.mentions.iter().map(|mention| {
            let names: Vec<&str> = mention.entities.iter().map(|id| self.snapshot.entity(*id).iri.as_str()).collect();
            format!("{} → {}", &reading.folded[mention.span.clone()], names.join(" | "))
        });
        let paths = reading
            .candidates
            .iter()
            .take(8)
            .map(|candidate| PathScore { path: self.path(&candidate.path), score: candidate.score });
        Explanation { links: links.collect(), paths: paths.collect(), ..Explanation::default() }
    }

    fn path(&self, path: &Path) -> String {
        let schema = self.snapshot.schema();
        let mut said = self.snapshot.name(path.topic, self.lang).to_owned();
        for step in &path.steps {
            let relation = schema.relation(&step.relation);
            let label = relation.label(self.lang);
            said += &if step.forward { format!(" → {label}") } else { format!(" ← {label}") };
        }
        said
    }
}

fn explain_plan(
    explanation: &mut Explanation,
    snapshot: &Snapshot,
    lang: &str,
    plan: &AttentionPlan,
    readings: &Readings,
) {
    explanation.cards = plan
        .cards
        .iter()
        .map(|planned| CardView {
            entity: snapshot.name(planned.card.entity, lang).to_owned(),
            lines: planned
                .card
                .lines
                .iter()
                .zip(&planned.emphasis.0)
                .enumerate()
                .filter(|(number, _)| !planned.hidden.contains(number))
                .map(|(_, (line, bias))| (line.text.trim().to_owned(), *bias))
                .collect(),
        })
        .collect();
    explanation.readings = plan
        .answers
        .iter()
        .enumerate()
        .map(|(leaf, answer)| ReadingView {
            value: if answer.value.is_some() { answer.said.clone() } else { "NOT_IN_KB".to_owned() },
            emphasised: readings.guided.probabilities.get(leaf).copied().unwrap_or(0.0),
            plain: readings.plain.probabilities.get(leaf).copied().unwrap_or(0.0),
        })
        .collect();
}
