//! What is made of the paths in view: the plan is compiled and run, one path is chosen, and what speaks for it is weighed.

use super::Engine;
use crate::{
    EngineError,
    answer::{Answer, AskOptions, Mode},
    decode::{self, Decision, Evidence, LeafScores, ModelEvidence},
    fusion::{
        Aligner, AttentionPlan, CardMaker, Layout, align,
        plan::{self, Compiler},
        run::{RunOptions, Source},
    },
    question::{Reader, Reading, read::Candidate},
    speak::{Shown, Speaker},
};
use factmask_graph::{Snapshot, Value};
use std::time::Instant;

impl Engine {
    /// Compiles and runs the plan for the paths in view, chooses one of them, and weighs what speaks for its answers.
    pub(super) fn judge(
        &self,
        reader: &Reader,
        reading: &Reading,
        view: &[&Candidate],
        question: &str,
        options: &AskOptions,
        answer: &mut Answer,
    ) -> Result<(usize, Decision), EngineError> {
        let snapshot: &Snapshot = reader.snapshot();
        let scores: Vec<f32> = view.iter().map(|candidate| fit(candidate)).collect();
        let words = plan::path_probabilities(view);
        let first = |values: &[f32], at: usize| values.get(at).copied().unwrap_or(0.0);
        if let Some(explanation) = &mut answer.explanation {
            explanation.view = Speaker { snapshot, lang: &reading.lang }.view(view, &words);
        }
        let bar = options.bar.unwrap_or(decode::BAR);
        // What examples taught says nothing of words that none of them had: then the wordings must agree.
        let decide = |evidence: &Evidence, with_model: bool| {
            let decision = decode::decide(evidence, &weights(reading, with_model), bar);
            if reading.calibration.is_none() || reading.unheard == 0 {
                return decision;
            }
            let by_wordings = decode::decide(evidence, &by_encoder(reading, with_model), bar);
            if by_wordings.confidence < decision.confidence { by_wordings } else { decision }
        };
        let graph_only = |answer: &mut Answer| {
            let learned = view.first().and_then(|candidate| candidate.learned);
            let account = view.first().and_then(|candidate| candidate.account).unwrap_or(0.0);
            let evidence = Evidence { fit: first(&scores, 0), path: first(&words, 0), model: None, learned, account };
            note_witnesses(answer, &evidence);
            (0, decide(&evidence, false))
        };
        let run = match options.mode {
            Mode::GraphOnly => return Ok(graph_only(answer)),
            Mode::Fused => RunOptions { layout: self.layout(), ..RunOptions::default() },
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
        let aligner = Aligner { reader, model: fuser.model(), prompt: &prompt, lang: &reading.lang };
        // What was learned from examples has heard the words already.
        let weigh = |likeness: &[f32]| match reading.calibration {
            Some(_) => words.clone(),
            None if view.iter().any(|candidate| candidate.account.is_some()) => {
                decode::weigh_paths_with(&words, likeness, decode::LIKENESS_BESIDE_ALIGNMENT)
            }
            None => decode::weigh_paths(&words, likeness),
        };
        let mut likeness = Vec::new();
        let choose = |state: Option<&[f32]>| {
            if let Some(state) = state {
                likeness = aligner.likeness(state, view.iter().map(|candidate| &candidate.path))?;
            }
            Ok(decode::likeliest(&weigh(&likeness)))
        };
        let run = RunOptions {
            capture: Some(align::layer(fuser.model().config())),
            observe: answer.explanation.is_some(),
            ..run
        };
        let readings = fuser.run(&options.tenant, &plan, run, choose)?;
        let cost = readings.cost;
        answer.timings.plan_ms = super::ms(compiled + cost.encode + cost.place);
        answer.timings.encode_ms = super::ms(cost.encode);
        answer.timings.prefill_ms = super::ms(cost.prefill);
        answer.timings.decode_ms = super::ms(cost.read);
        if let Some(explanation) = &mut answer.explanation {
            explanation.layout = (run.source == Source::Model).then_some(run.layout);
            let maker = CardMaker { snapshot, tokenizer: fuser.model().tokenizer(), lang: &reading.lang };
            Shown { reader, reading, plan: &plan, readings: &readings }.explain(&maker, explanation)?;
            for (at, path) in explanation.view.iter_mut().enumerate() {
                path.likeness = likeness.get(at).copied();
            }
        }
        let chosen = readings.chosen;
        let Some(candidate) = view.get(chosen) else { return Ok(graph_only(answer)) };
        let model = ModelEvidence {
            reading: mass(&plan, candidate, &readings.guided),
            likeness: likeness.get(chosen).copied(),
        };
        let path = first(&weigh(&likeness), chosen);
        let evidence = Evidence {
            fit: first(&scores, chosen),
            path,
            model: Some(model),
            learned: candidate.learned,
            account: candidate.account.unwrap_or(0.0),
        };
        note_witnesses(answer, &evidence);
        // Uniform logits come with no state: then the model has no say.
        Ok((chosen, decide(&evidence, !likeness.is_empty())))
    }
}

/// How well a path's wordings fit. The sentences of longer paths fit less well than those of single steps, right or wrong: where words
/// are aligned all of them count as middling.
fn fit(candidate: &Candidate) -> f32 {
    const MIDDLING: f32 = 0.65;
    if candidate.account.is_some() && candidate.path.steps.len() > 1 { MIDDLING } else { candidate.score }
}

/// The weights for the scale of a reading's scores: those of the path model that ranked them, else by the encoder that made them, and whether a model's state stands beside them.
fn weights(reading: &Reading, with_model: bool) -> decode::Weights {
    reading.calibration.map_or_else(|| by_encoder(reading, with_model), decode::Weights::learned)
}

fn by_encoder(reading: &Reading, with_model: bool) -> decode::Weights {
    match (reading.by_meaning, reading.lang.as_str(), with_model) {
        (false, _, _) => decode::WORDS_ALONE,
        (true, "zh", false) => decode::CHINESE,
        (true, "zh", true) => decode::CHINESE_WITH_MODEL,
        (true, _, false) => decode::GRAPH_ONLY,
        (true, _, true) => decode::WITH_MODEL,
    }
}

/// The model's reading's probability mass on the answers of a path.
fn mass(plan: &AttentionPlan, candidate: &Candidate, scores: &LeafScores) -> f32 {
    let values = candidate.found.values();
    let own = |value: &Option<Value>| value.as_ref().is_some_and(|value| values.contains(value));
    let leaves = plan.answers.iter().zip(&scores.probabilities);
    leaves.filter(|(answer, _)| own(&answer.value)).map(|(_, probability)| probability).sum()
}

fn note_witnesses(answer: &mut Answer, evidence: &Evidence) {
    if let Some(explanation) = &mut answer.explanation {
        explanation.witnesses = Some(decode::features(evidence));
    }
}
