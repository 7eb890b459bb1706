//! Folds, and the line below which an answer is not given, drawn outside the fold that it is used on.

use super::{modes::Reply, score::Score, set::Question};
use crate::bench::fit;
use factmask_engine::{
    decode::{BAR, Features},
    passage::evidence,
};
use std::collections::{BTreeMap, BTreeSet};

/// Folds of a cross-validation.
pub const FOLDS: usize = 5;

/// A bar that no confidence reaches; finite, since JSON has no infinity.
pub const NEVER: f32 = 2.0;

/// Where the line comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Calibration {
    /// The product's own weights and bar.
    Product,
    /// Weights fitted on the other folds; the product's bar.
    CrossValidated,
}

/// What a question looks like when its names are taken out: questions of one template or path have one group and stand in one
/// fold, so that nothing is scored which was learned from its twin.
pub fn group(question: &Question) -> String {
    if let Some(kind) = &question.qtype {
        return kind.clone();
    }
    if !question.gold_triples.is_empty() {
        // As a set: a question with several answers repeats its path, and constraints stand in any order.
        let relations: BTreeSet<&str> =
            question.gold_triples.iter().map(|[_, relation, _]| relation.as_str()).collect();
        return relations.into_iter().collect::<Vec<_>>().join(" / ");
    }
    if let Some(query) = question.sql.as_ref().or(question.sparql.as_ref()) {
        return without_names(query);
    }
    // The set does not say; each question is its own group.
    question.id.clone()
}

/// A query without what stands in quotes, and without digits.
fn without_names(query: &str) -> String {
    let mut inside = None;
    query
        .chars()
        .filter(|char| match (inside, char) {
            (None, '"' | '\'') => {
                inside = Some(*char);
                false
            }
            (Some(open), close) if open == *close => {
                inside = None;
                false
            }
            (Some(_), _) => false,
            (None, char) => !char.is_ascii_digit(),
        })
        .collect()
}

/// The fold of each question: groups by size, the largest first, each into the fold that has the fewest questions.
pub fn folds(questions: &[Question]) -> Vec<usize> {
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, question) in questions.iter().enumerate() {
        groups.entry(group(question)).or_default().push(number);
    }
    let mut groups: Vec<Vec<usize>> = groups.into_values().collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    let (mut sizes, mut folds) = ([0usize; FOLDS], vec![0; questions.len()]);
    for group in groups {
        let smallest = (0..FOLDS).min_by_key(|fold| sizes[*fold]).unwrap_or(0);
        sizes[smallest] += group.len();
        for question in group {
            if let Some(fold) = folds.get_mut(question) {
                *fold = smallest;
            }
        }
    }
    folds
}

/// The fold of each question by its text, so that one that stands twice is in one fold and nothing depends on the order.
pub fn by_text(questions: &[Question]) -> Vec<usize> {
    let fold = |question: &Question| (hash(&question.question.trim().to_lowercase()) >> 32) as usize % FOLDS;
    questions.iter().map(fold).collect()
}

/// A number for a text, the same on every machine (FNV-1a).
pub fn hash(text: &str) -> u64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    text.bytes().fold(0xCBF2_9CE4_8422_2325, mix)
}

/// Examples that are not among the scored questions, so that nothing is scored which was learned from itself.
pub fn unseen(examples: Vec<Question>, scored: &[Question]) -> Vec<Question> {
    let plain = |question: &Question| question.question.trim().to_lowercase();
    let scored: BTreeSet<String> = scored.iter().map(plain).collect();
    examples.into_iter().filter(|example| !scored.contains(&plain(example))).collect()
}

/// What an example or a question contributes to drawing the line.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// Inputs of the decision.
    pub witnesses: Option<Features>,
    /// The product's own confidence.
    pub confidence: f32,
    /// Whether the proposal was right.
    pub right: bool,
}

impl Trial {
    /// From a reply and its score; none where nothing was proposed.
    pub fn of(reply: &Reply, score: &Score) -> Option<Self> {
        let proposed = !reply.given.values.is_empty();
        proposed.then_some(Self { witnesses: reply.witnesses, confidence: reply.confidence, right: score.right })
    }
}

/// Confidence and line for questions that no trial came from.
pub struct Line {
    weights: Option<[f64; 7]>,
    /// Least confidence of an answer that is given.
    pub bar: f32,
    /// The same for an answer from text.
    pub bar_of_text: f32,
}

impl Line {
    /// Draws the line from trials: fits the weights where asked to, and with `max_risk` takes the lowest bar at which at most that
    /// share of the trials' answers is wrong (one that refuses everything when there is none).
    pub fn draw(trials: &[Trial], calibration: Calibration, max_risk: Option<f64>) -> Self {
        let data: Vec<(Features, bool)> =
            trials.iter().filter_map(|trial| Some((trial.witnesses?, trial.right))).collect();
        let weights = (calibration == Calibration::CrossValidated && !data.is_empty())
            .then(|| fit::fit(&data, &[0, 1, 2, 3, 4, 5]));
        let mut line = Self { weights, bar: BAR, bar_of_text: evidence::BAR };
        if let Some(risk) = max_risk {
            line.bar = line.bar_for(trials, risk);
            line.bar_of_text = line.bar;
        }
        line
    }

    /// How sure an answer is.
    pub fn confidence(&self, witnesses: Option<Features>, own: f32) -> f32 {
        match (&self.weights, witnesses) {
            (Some(weights), Some(witnesses)) => fit::probability(weights, &witnesses) as f32,
            _ => own,
        }
    }

    fn bar_for(&self, trials: &[Trial], risk: f64) -> f32 {
        let mut sure: Vec<(f32, bool)> =
            trials.iter().map(|trial| (self.confidence(trial.witnesses, trial.confidence), trial.right)).collect();
        sure.sort_by(|a, b| b.0.total_cmp(&a.0));
        let (mut bar, mut wrong) = (NEVER, 0usize);
        for (at, (confidence, right)) in sure.iter().enumerate() {
            wrong += usize::from(!right);
            // Equal confidences stand or fall together.
            let last_of_equals = sure.get(at + 1).is_none_or(|(next, _)| next < confidence);
            if last_of_equals && wrong as f64 <= risk * (at + 1) as f64 {
                bar = *confidence;
            }
        }
        bar
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_template_stands_in_one_fold() {
        let question = |id: usize, kind: &str| Question {
            id: id.to_string(),
            qtype: Some(kind.to_owned()),
            ..Question::default()
        };
        let questions: Vec<_> = (0..40).map(|id| question(id, ["a", "b", "c", "d", "e", "f", "g"][id % 7])).collect();
        let folds = folds(&questions);
        for (one, fold) in questions.iter().zip(&folds) {
            for (other, its) in questions.iter().zip(&folds) {
                assert!(one.qtype != other.qtype || fold == its);
            }
        }
        assert_eq!(folds.iter().collect::<BTreeSet<_>>().len(), FOLDS);
    }

    #[test]
    fn names_do_not_make_templates() {
        let sql = |text: &str| group(&Question { sql: Some(text.to_owned()), ..Question::default() });
        assert_eq!(sql("SELECT a WHERE b = \"texas\" AND c > 10"), sql("SELECT a WHERE b = \"utah\" AND c > 7"));
        assert_ne!(sql("SELECT a WHERE b = \"texas\""), sql("SELECT c WHERE b = \"texas\""));
    }

    #[test]
    fn a_path_is_one_group_whatever_the_query_names() {
        let group = |sparql: &str, relations: &[&str]| {
            let triple = |relation: &&str| ["s".to_owned(), (*relation).to_owned(), "o".to_owned()];
            let gold_triples = relations.iter().map(triple).collect();
            group(&Question { sparql: Some(sparql.to_owned()), gold_triples, ..Question::default() })
        };
        let one = group("{ <Marxville> <mayor> ?x }", &["mayor", "party"]);
        assert_eq!(one, group("{ <Sylvania> <mayor> ?x }", &["party", "mayor", "party", "mayor"]));
        assert_ne!(one, group("{ <Marxville> <mayor> ?x }", &["mayor"]));
    }

    #[test]
    fn no_example_is_scored() {
        let question = |text: &str| Question { question: text.to_owned(), ..Question::default() };
        let left = unseen(vec![question("Who? "), question("Where?")], &[question("Who?"), question("When?")]);
        assert_eq!(left.iter().map(|example| example.question.as_str()).collect::<Vec<_>>(), ["Where?"]);
    }

    #[test]
    fn the_lowest_bar_that_keeps_the_risk() {
        let trials: Vec<Trial> = [(0.9, true), (0.8, true), (0.7, false), (0.6, true), (0.6, false), (0.1, false)]
            .map(|(confidence, right)| Trial { witnesses: None, confidence, right })
            .to_vec();
        let table = [(0.0, 0.8), (0.34, 0.7), (0.4, 0.6), (1.0, 0.1)];
        for (risk, bar) in table {
            assert_eq!(Line::draw(&trials, Calibration::Product, Some(risk)).bar, bar, "{risk}");
        }
        let never = [Trial { witnesses: None, confidence: 0.9, right: false }];
        assert_eq!(Line::draw(&never, Calibration::Product, Some(0.0)).bar, NEVER);
        assert_eq!(Line::draw(&trials, Calibration::Product, None).bar, BAR);
    }
}
