//! Gives what was computed exactly.

use crate::{
    answer::{Answer, AskOptions, Status},
    decode,
    question::operation::{Operation, sparql},
    speak::Speaker,
};
use factmask_graph::Snapshot;

/// How sure a reading is in which every word is said as the schema or the language has it.
const LITERAL: f32 = 0.99;
/// What each guess takes off.
const GUESS: f32 = 0.02;

/// Gives an operation's outcome as the answer; whether there was one that is sure enough.
pub(super) fn give(snapshot: &Snapshot, operation: &Operation, options: &AskOptions, answer: &mut Answer) -> bool {
    let Ok(outcome) = &operation.outcome else { return false };
    let confidence = (LITERAL - GUESS * operation.cost as f32).max(0.0);
    // Whoever counts must know what, and among whom a thing is the greatest.
    let guessed = operation.needs_all() && operation.leaves_out();
    if guessed || confidence < options.bar.unwrap_or(decode::BAR) {
        return false;
    }
    answer.status = Status::Answered;
    answer.choices.clear();
    answer.values = outcome.values.clone();
    answer.computed = outcome.made;
    answer.confidence = confidence;
    let speaker = Speaker { snapshot, lang: &answer.lang };
    answer.doubt = operation.rests_on_all(snapshot.schema()).then(|| speaker.as_far_as_known());
    answer.facts = outcome.facts.iter().filter_map(|id| snapshot.fact(*id).cloned()).collect();
    if let Some(explanation) = &mut answer.explanation {
        explanation.sparql = Some(sparql::of_query(snapshot, &operation.query, &operation.years));
        explanation.proposed = outcome.values.iter().map(|value| snapshot.said(value, &answer.lang)).collect();
    }
    true
}
