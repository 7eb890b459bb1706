//! Training: the likelihood of the right answers by stochastic gradients, each weight with a step of its own (Duchi, Hazan, Singer:
//! Adaptive Subgradient Methods, JMLR 2011). The same examples give the same model.

use super::{
    features::{self, Clues, SHARED, Shared},
    model::{MOST_MEANT, PathModel, Row, probabilities},
};
use factmask_schema::Schema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

const EPOCHS: usize = 30;
const RATE: f32 = 0.02;
/// Pull towards zero at each step, as a share of the weight.
const DECAY: f32 = 1e-4;
/// Parts of the examples that are left out in turn to see how well the rest does on them.
const FOLDS: usize = 5;

/// A path that an example can mean.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Parts with weights of their own.
    pub parts: Vec<String>,
    /// Its steps' signs.
    pub steps: Vec<String>,
    /// Whether the graph has no such path from the topic.
    pub absent: bool,
    /// Shared features.
    pub shared: Shared,
    /// Which of the example's clues it goes with: one for each topic.
    pub topic: usize,
    /// What it yields: paths with the same number yield the same, those without one nothing.
    pub yields: Option<u64>,
    /// Whether it yields the example's answers.
    pub right: bool,
}

/// An example made ready.
#[derive(Clone, Debug, Default)]
pub struct Instance {
    /// The question, folded: one that stands twice is held out at once.
    pub text: String,
    /// What the question says, by topic.
    pub clues: Vec<Clues>,
    /// The paths.
    pub choices: Vec<Choice>,
}

impl Instance {
    /// By its text (FNV-1a), so that neither order nor repetition shows.
    fn fold(&self) -> usize {
        let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        (self.text.bytes().fold(0xCBF2_9CE4_8422_2325, mix) >> 32) as usize % FOLDS
    }

    /// Whether any path yields its answers.
    pub fn reached(&self) -> bool {
        self.choices.iter().any(|choice| choice.right)
    }
}

/// How well a model does on examples that it was not trained on.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Held {
    /// Examples.
    pub examples: usize,
    /// Those whose answers some path yields.
    pub reached: usize,
    /// Those whose likeliest path yields them.
    pub right: usize,
    /// Mean distance between confidence and truth (Brier score).
    pub brier: f64,
    /// Paths that were taken for one another, by their parts: meant, taken, how often; the most frequent first.
    pub confused: Vec<(Vec<String>, Vec<String>, usize)>,
}

impl Held {
    /// What was taken for one another, for people: meant, taken, how often; the most frequent first.
    pub fn confusions(&self, schema: &Schema, lang: &str) -> Vec<(String, String, usize)> {
        let said = |parts: &[String]| features::said(parts, schema, lang);
        self.confused.iter().map(|(meant, taken, count)| (said(meant), said(taken), *count)).collect()
    }
}

/// Trains on the examples; what is reported comes from models that have not seen the example in question.
pub fn train(instances: &[&Instance]) -> (PathModel, Held) {
    let mut trials: Vec<(f32, bool)> = Vec::new();
    let mut held = Held { examples: instances.len(), ..Held::default() };
    let mut confused: BTreeMap<(Vec<String>, Vec<String>), usize> = BTreeMap::new();
    for fold in 0..FOLDS {
        let rest: Vec<&Instance> = instances.iter().filter(|instance| instance.fold() != fold).copied().collect();
        let model = fit(&rest);
        for instance in instances.iter().filter(|instance| instance.fold() == fold) {
            // What is left without its answers must not be given: it tells where sureness ends.
            let left = likeliest(&model, instance, true).filter(|_| instance.reached());
            trials.extend(left.map(|(_, odds)| (odds, false)));
            let Some((top, odds)) = likeliest(&model, instance, false) else {
                continue;
            };
            let right = instance.choices[top].right;
            trials.push((odds, right));
            held.reached += usize::from(instance.reached());
            held.right += usize::from(right);
            if let Some(meant) = instance.choices.iter().find(|choice| choice.right).filter(|_| !right) {
                let pair = (meant.parts.clone(), instance.choices[top].parts.clone());
                *confused.entry(pair).or_default() += 1;
            }
        }
    }
    let mut model = fit(instances);
    model.calibration = platt(&trials);
    let sure = |odds: f32| 1.0 / (1.0 + f64::from(-(model.calibration[0] + model.calibration[1] * odds)).exp());
    let error = trials.iter().map(|(odds, right)| (sure(*odds) - f64::from(u8::from(*right))).powi(2));
    held.brier = error.sum::<f64>() / trials.len().max(1) as f64;
    let mut confused: Vec<_> = confused.into_iter().map(|((meant, taken), count)| (meant, taken, count)).collect();
    confused.sort_by_key(|(.., count)| std::cmp::Reverse(*count));
    held.confused = confused;
    (model, held)
}

/// The likeliest path, with all that yield the same, and the log-odds of that; `robbed` of the right ones' facts, so that these compete
/// and cannot be given.
fn likeliest(model: &PathModel, instance: &Instance, robbed: bool) -> Option<(usize, f32)> {
    let missing = |choice: &Choice| choice.absent || (robbed && choice.right);
    let asked: Vec<_> = instance.clues.iter().map(|clues| model.ask(clues)).collect();
    let score = |choice: &Choice| asked[choice.topic].score(&choice.parts, &choice.shared);
    let mut all = probabilities(&instance.choices.iter().map(score).collect::<Vec<_>>());
    let mut first: BTreeMap<u64, usize> = BTreeMap::new();
    for (at, choice) in instance.choices.iter().enumerate() {
        let yields = choice.yields.filter(|_| !missing(choice));
        let known = yields.map_or(at, |yields| *first.entry(yields).or_insert(at));
        if known != at {
            all[known] += std::mem::take(&mut all[at]);
        }
    }
    let there = (0..all.len()).rev().filter(|at| !missing(&instance.choices[*at]));
    let top = there.max_by(|a, b| all[*a].total_cmp(&all[*b]))?;
    Some((top, log_odds(all[top])))
}

/// Log-odds, held within ±12.
pub fn log_odds(probability: f32) -> f32 {
    let p = f64::from(probability).clamp(1e-9, 1.0 - 1e-9);
    ((p / (1.0 - p)).ln() as f32).clamp(-12.0, 12.0)
}

/// Numbers for what has weights of its own: only parts of paths that were right somewhere, and words of the examples.
struct Numbers {
    words: BTreeMap<String, u32>,
    parts: BTreeMap<String, u32>,
}

/// An instance in numbers.
struct Numbered {
    clues: Vec<(Vec<usize>, Vec<f32>)>,
    choices: Vec<(usize, Vec<usize>, Shared, bool)>,
}

fn fit(instances: &[&Instance]) -> PathModel {
    let numbers = Numbers::of(instances);
    let width = instances.iter().flat_map(|instance| &instance.clues).map(|clues| clues.meaning.len()).max();
    let (words, width) = (numbers.words.len(), width.unwrap_or(0));
    let row = || Row { bias: 0.0, words: vec![0.0; words], meaning: vec![0.0; width] };
    let mut rows: Vec<Row> = numbers.parts.iter().map(|_| row()).collect();
    let mut seen: Vec<Row> = rows.clone();
    let (mut shared, mut shared_seen) = ([0.0; SHARED], [0.0; SHARED]);
    // What speaks for a path before anything is learned.
    shared.copy_from_slice(&PathModel::untaught().shared);
    let numbered: Vec<Numbered> =
        instances.iter().filter(|instance| instance.reached()).map(|instance| numbers.put(instance)).collect();
    let mut order: Vec<usize> = (0..numbered.len()).collect();
    let mut state = 1_u64;
    for _ in 0..EPOCHS {
        for at in (1..order.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            order.swap(at, (state >> 33) as usize % (at + 1));
        }
        for at in &order {
            let instance = &numbered[*at];
            let errors = errors(instance, &rows, &shared);
            let mut of_rows: BTreeMap<(usize, usize), f32> = BTreeMap::new();
            let mut of_shared = [0.0; SHARED];
            for ((topic, parts, features, _), error) in instance.choices.iter().zip(&errors) {
                for part in parts {
                    *of_rows.entry((*part, *topic)).or_default() += error;
                }
                of_shared.iter_mut().zip(features).for_each(|(sum, feature)| *sum += error * feature);
            }
            for ((part, topic), error) in of_rows {
                if error.abs() > 1e-5 {
                    let (words, meaning) = &instance.clues[topic];
                    let (row, seen) = (&mut rows[part], &mut seen[part]);
                    step(&mut row.bias, &mut seen.bias, error);
                    words.iter().for_each(|word| step(&mut row.words[*word], &mut seen.words[*word], error));
                    let meanings = row.meaning.iter_mut().zip(&mut seen.meaning).zip(meaning);
                    meanings.for_each(|((weight, seen), value)| step(weight, seen, error * value));
                }
            }
            let shared = shared.iter_mut().zip(&mut shared_seen).zip(of_shared);
            shared.for_each(|((weight, seen), gradient)| step(weight, seen, gradient));
        }
    }
    let right = instances.iter().flat_map(|instance| &instance.choices).filter(|choice| choice.right);
    let most_steps = right.map(|choice| choice.steps.len()).max().unwrap_or(0);
    let meant = meant(instances.iter().copied());
    let mut heard = vec![0; numbers.words.len()];
    for instance in instances.iter().filter(|instance| instance.reached()) {
        let words: BTreeSet<&String> = instance.clues.iter().flat_map(|clues| &clues.words).collect();
        words.into_iter().filter_map(|word| numbers.words.get(word)).for_each(|number| heard[*number as usize] += 1);
    }
    let parts = numbers.parts.into_keys().zip(rows).collect();
    PathModel {
        shared: shared.to_vec(),
        words: numbers.words,
        heard,
        parts,
        meant,
        most_steps,
        ..PathModel::untaught()
    }
}

/// The paths that yield the answers of examples, the most frequent first. Of several that yield the same answers each counts its share.
pub fn meant<'a>(instances: impl Iterator<Item = &'a Instance>) -> Vec<Vec<String>> {
    let mut counts: BTreeMap<&Vec<String>, f32> = BTreeMap::new();
    for instance in instances {
        let right: Vec<&Choice> = instance.choices.iter().filter(|choice| choice.right).collect();
        for choice in &right {
            *counts.entry(&choice.steps).or_default() += 1.0 / right.len() as f32;
        }
    }
    let mut all: Vec<_> = counts.into_iter().collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    all.into_iter().take(MOST_MEANT).map(|(steps, _)| steps.clone()).collect()
}

/// Probability of each path, less its probability when only the right ones are left.
fn errors(instance: &Numbered, rows: &[Row], shared: &Shared) -> Vec<f32> {
    let mut said: BTreeMap<(usize, usize), f32> = BTreeMap::new();
    let scores: Vec<f32> = instance
        .choices
        .iter()
        .map(|(topic, parts, features, _)| {
            let (words, meaning) = &instance.clues[*topic];
            let own: f32 = parts
                .iter()
                .map(|part| *said.entry((*part, *topic)).or_insert_with(|| rows[*part].say(words, meaning)))
                .sum();
            own + shared.iter().zip(features).map(|(weight, feature)| weight * feature).sum::<f32>()
        })
        .collect();
    let all = probabilities(&scores);
    let right: f32 = instance.choices.iter().zip(&all).filter(|((.., right), _)| *right).map(|(_, p)| p).sum();
    let of_right = |is_right: bool, p: f32| if is_right && right > 0.0 { p / right } else { 0.0 };
    instance.choices.iter().zip(&all).map(|((.., is_right), p)| p - of_right(*is_right, *p)).collect()
}

fn step(weight: &mut f32, seen: &mut f32, gradient: f32) {
    *seen += gradient * gradient;
    *weight -= RATE * gradient / (seen.sqrt() + 1e-6) + DECAY * *weight;
}

impl Numbers {
    fn of(instances: &[&Instance]) -> Self {
        let number = |all: BTreeSet<&String>| all.into_iter().cloned().zip(0..).collect();
        let reached = || instances.iter().filter(|instance| instance.reached());
        let words = reached().flat_map(|instance| &instance.clues).flat_map(|clues| &clues.words).collect();
        let right = reached().flat_map(|instance| &instance.choices).filter(|choice| choice.right);
        Self { words: number(words), parts: number(right.flat_map(|choice| &choice.parts).collect()) }
    }

    fn put(&self, instance: &Instance) -> Numbered {
        let numbers = |known: &BTreeMap<String, u32>, all: &[String]| -> Vec<usize> {
            all.iter().filter_map(|one| known.get(one)).map(|number| *number as usize).collect()
        };
        let choice = |choice: &Choice| (choice.topic, numbers(&self.parts, &choice.parts), choice.shared, choice.right);
        let clues = |clues: &Clues| (numbers(&self.words, &clues.words), clues.meaning.clone());
        Numbered {
            clues: instance.clues.iter().map(clues).collect(),
            choices: instance.choices.iter().map(choice).collect(),
        }
    }
}

/// A logistic curve through trials (Platt: Probabilistic Outputs for Support Vector Machines, 1999), with his targets, so that what was
/// always right is not taken for certain.
fn platt(trials: &[(f32, bool)]) -> [f32; 2] {
    let right = trials.iter().filter(|(_, right)| *right).count() as f64;
    let wrong = trials.len() as f64 - right;
    let (high, low) = ((right + 1.0) / (right + 2.0), 1.0 / (wrong + 2.0));
    let (mut constant, mut factor) = (0.0_f64, 1.0_f64);
    for _ in 0..2_000 {
        let (mut a, mut b) = (0.0, 0.0);
        for (odds, right) in trials {
            let odds = f64::from(*odds);
            let error = 1.0 / (1.0 + (-(constant + factor * odds)).exp()) - if *right { high } else { low };
            a += error;
            b += error * odds;
        }
        let n = trials.len().max(1) as f64;
        constant -= 0.3 * a / n;
        // Never the less sure the likelier.
        factor = (factor - 0.03 * b / n).max(0.0);
    }
    [constant as f32, factor as f32]
}
