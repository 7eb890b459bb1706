//! Answer or refuse: where graph, path and both readings agree the answer is safe; where they part, the score falls.

/// What speaks for each path in view, best path first.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// How well the best path's wordings fit the question, 0 to about 1.
    pub fit: f32,
    /// Probability of each path in view from its words; sums to one.
    pub paths: &'a [f32],
    /// What the model read, where one did.
    pub model: Option<ModelEvidence<'a>>,
}

/// The model's part.
#[derive(Clone, Copy, Debug)]
pub struct ModelEvidence<'a> {
    /// The plain reading's probability mass on the answers of each path in view.
    pub plain: &'a [f32],
    /// The guided reading's mass on the answers of the best path.
    pub guided: f32,
}

/// How much each witness counts: the weights of a logistic model of "the answer is right".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// Constant.
    pub bias: f32,
    /// For the fit of the words.
    pub fit: f32,
    /// For the log-odds of the best path among the paths in view.
    pub path: f32,
    /// For the log-odds of the plain reading on the best path's answers.
    pub plain: f32,
    /// For the log-odds of the guided reading on them.
    pub guided: f32,
}

/// Fitted on counterfactual facts with `factmask bench mask --fit` (questions in other words than the schema's, and questions
/// whose fact is absent), never on an evaluation set.
pub const GRAPH_ONLY: Weights = Weights { bias: -6.0, fit: 12.0, path: 0.5, plain: 0.0, guided: 0.0 };
/// The same with a model that reads the question's language.
pub const WITH_MODEL: Weights = Weights { bias: -6.0, fit: 12.0, path: 0.4, plain: 0.5, guided: 0.3 };
/// Below this an answer is not given.
pub const BAR: f32 = 0.5;

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// Probability that the best path's answers are right.
    pub confidence: f32,
    /// Whether that is enough.
    pub verdict: Verdict,
}

/// Enough or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Give the answer.
    Answer,
    /// Say that the knowledge base does not hold it.
    Refuse,
}

/// Weighs the witnesses for the best path's answers.
pub fn decide(evidence: &Evidence<'_>, weights: &Weights) -> Decision {
    let [fit, path, plain, guided] = features(evidence);
    let z = weights.bias + weights.fit * fit + weights.path * path + weights.plain * plain + weights.guided * guided;
    let confidence = 1.0 / (1.0 + (-z).exp());
    Decision { confidence, verdict: if confidence >= BAR { Verdict::Answer } else { Verdict::Refuse } }
}

/// The inputs of the logistic model, in the order of [`Weights`]' fields; zero for what no model has read.
pub fn features(evidence: &Evidence<'_>) -> [f32; 4] {
    let first = |values: &[f32]| values.first().copied().unwrap_or(0.0);
    let (plain, guided) =
        evidence.model.map_or((0.0, 0.0), |model| (log_odds(first(model.plain)), log_odds(model.guided)));
    [evidence.fit, log_odds(first(evidence.paths)), plain, guided]
}

/// Log-odds of a probability, held within ±5 so that no single witness can decide alone.
fn log_odds(probability: f32) -> f32 {
    let p = probability.clamp(1e-6, 1.0 - 1e-6);
    (p / (1.0 - p)).ln().clamp(-5.0, 5.0)
}

#[cfg(test)]
mod tests {
    use super::{Evidence, ModelEvidence, WITH_MODEL, decide};

    #[test]
    fn each_witness_can_only_help_when_it_agrees() {
        let at = |fit, path, plain: f32, guided| {
            let evidence = Evidence {
                fit,
                paths: &[path, 1.0 - path],
                model: Some(ModelEvidence { plain: &[plain, 0.0], guided }),
            };
            decide(&evidence, &WITH_MODEL).confidence
        };
        let middle = at(0.5, 0.5, 0.5, 0.5);
        assert!(at(0.7, 0.5, 0.5, 0.5) > middle);
        assert!(at(0.5, 0.9, 0.5, 0.5) > middle);
        assert!(at(0.5, 0.5, 0.9, 0.5) > middle);
        assert!(at(0.5, 0.5, 0.5, 0.9) > middle);
        assert!(at(0.5, 0.5, 0.0, 0.0) < middle);
    }
}
