//! Which of several classes an instance is of: a log-linear model over features that are there or not.

use super::features::{Dictionary, Feature, Shuffle};

/// Times that the instances are gone through, and the step.
const ROUNDS: usize = 25;
const STEP: f32 = 0.3;
/// How much the instances count against the pull of the weights towards zero.
const TRUST: f32 = 3.0;

pub(super) struct Classifier {
    dictionary: Dictionary,
    classes: usize,
    /// A row of classes for each feature, and one for what every instance has.
    weights: Vec<f32>,
}

/// An instance: its features and its class.
pub(super) type Instance = (Vec<Feature>, usize);

impl Classifier {
    /// By stochastic gradient, each weight with a step of its own (Duchi, Hazan, Singer: Adaptive Subgradient Methods, JMLR 2011).
    pub(super) fn train(instances: &[&Instance], classes: usize) -> Self {
        let dictionary = Dictionary::of_frequent(instances.iter().map(|(features, _)| features), 2);
        let rows: Vec<(Vec<usize>, usize)> = instances
            .iter()
            .map(|(features, class)| {
                let mut numbers: Vec<usize> = dictionary.numbers(features).collect();
                numbers.push(dictionary.len());
                (numbers, *class)
            })
            .collect();
        // The pull is one for all instances together, so a feature that few have is pulled more by each.
        let mut pulls = vec![0.0_f32; dictionary.len() + 1];
        rows.iter().flat_map(|(numbers, _)| numbers).for_each(|number| {
            if let Some(pull) = pulls.get_mut(*number) {
                *pull += TRUST;
            }
        });
        pulls.iter_mut().for_each(|pull| *pull = pull.max(1.0).recip());
        let size = (dictionary.len() + 1) * classes;
        let mut model = Self { dictionary, classes, weights: vec![0.0; size] };
        let mut squares = vec![1e-6_f32; size];
        let mut order: Vec<usize> = (0..rows.len()).collect();
        let mut shuffle = Shuffle(2);
        for _ in 0..ROUNDS {
            shuffle.shuffle(&mut order);
            for (numbers, class) in order.iter().filter_map(|row| rows.get(*row)) {
                let mut slopes = model.shares(numbers);
                if let Some(own) = slopes.get_mut(*class) {
                    *own -= 1.0;
                }
                for number in numbers {
                    let row = number * classes..(number + 1) * classes;
                    let (Some(weights), Some(squares)) = (model.weights.get_mut(row.clone()), squares.get_mut(row))
                    else {
                        continue;
                    };
                    let pull = pulls.get(*number).copied().unwrap_or(0.0);
                    for ((weight, square), slope) in weights.iter_mut().zip(squares).zip(&slopes) {
                        let slope = slope + pull * *weight;
                        // What hardly moves is left: most classes are out of the question.
                        if slope.abs() > 1e-4 {
                            *square += slope * slope;
                            *weight -= STEP * slope / square.sqrt();
                        }
                    }
                }
            }
        }
        model
    }

    /// The probability of each class.
    pub(super) fn probabilities(&self, features: &[Feature]) -> Vec<f32> {
        let mut numbers: Vec<usize> = self.dictionary.numbers(features).collect();
        numbers.push(self.dictionary.len());
        self.shares(&numbers)
    }

    fn shares(&self, numbers: &[usize]) -> Vec<f32> {
        let mut scores = vec![0.0_f32; self.classes];
        for number in numbers {
            if let Some(row) = self.weights.get(number * self.classes..(number + 1) * self.classes) {
                scores.iter_mut().zip(row).for_each(|(score, weight)| *score += weight);
            }
        }
        let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let mut sum = 0.0;
        for score in &mut scores {
            *score = (*score - most).exp();
            sum += *score;
        }
        scores.iter_mut().for_each(|score| *score /= sum);
        scores
    }
}
