//! Fits the weights of the decision: logistic regression by gradient descent on what a bench has seen.

use factmask_engine::{
    answer::PathView,
    decode::{self, Features},
};

/// Passes over the data; the problem is convex and small.
const STEPS: usize = 20_000;
const RATE: f64 = 0.05;
/// Pull towards zero, so that witnesses that never err do not grow without bound.
const RIDGE: f64 = 1e-3;

/// Bias first, then the weights of the features in their order.
pub(crate) fn fit(data: &[(Features, bool)], columns: &[usize]) -> [f64; 7] {
    let mut weights = [0.0f64; 7];
    let n = data.len().max(1) as f64;
    for _ in 0..STEPS {
        let mut gradient = [0.0f64; 7];
        for (features, right) in data {
            let error = probability(&weights, features) - f64::from(u8::from(*right));
            gradient[0] += error / n;
            for c in columns {
                gradient[c + 1] += error * f64::from(features[*c]) / n;
            }
        }
        for (weight, gradient) in weights.iter_mut().zip(gradient) {
            *weight -= RATE * (gradient + RIDGE * *weight);
        }
    }
    weights
}

/// What the weights make of the features.
pub(crate) fn probability(weights: &[f64; 7], features: &Features) -> f64 {
    1.0 / (1.0 + (-linear(weights, features)).exp())
}

fn linear(weights: &[f64; 7], features: &Features) -> f64 {
    weights[0] + features.iter().zip(&weights[1..]).map(|(f, w)| w * f64::from(*f)).sum::<f64>()
}

fn loss(data: &[(Features, bool)], weights: &[f64; 7]) -> f64 {
    let each = data.iter().map(|(features, right)| {
        let z = linear(weights, features);
        let signed = if *right { z } else { -z };
        (1.0 + (-signed).exp()).ln()
    });
    each.sum::<f64>() / data.len().max(1) as f64
}

/// Prints the weights with and without the model's witnesses, each also fitted on the first half and judged on the second.
pub fn print(data: &[(Features, bool)]) {
    // Cut in the middle: what came of one question stays on one side.
    let (earlier, later) = data.split_at(data.len() / 2);
    let right = data.iter().filter(|(_, right)| *right).count();
    println!(
        "\nfitted weights on {} decisions, {right} of them right: bias, fit, path, reading, likeness, learned, account",
        data.len()
    );
    let with: [(&str, &[usize]); 8] = [
        ("alignment", &[4, 5]),
        ("with reading", &[2, 4, 5]),
        ("fit and path", &[0, 1]),
        ("account", &[0, 4, 5]),
        ("words", &[0, 1, 4, 5]),
        ("reading", &[0, 1, 2, 4, 5]),
        ("likeness", &[0, 1, 3, 4, 5]),
        ("everything", &[0, 1, 2, 3, 4, 5]),
    ];
    for (name, columns) in with {
        let held_out = loss(later, &fit(earlier, columns));
        println!(
            "{name:<14} {:?}, held-out log loss {held_out:.4}",
            fit(data, columns).map(|w| (w * 100.0).round() / 100.0)
        );
    }
}

/// Prints how often the path that is chosen yields what was asked for, by the weight of the likeness. Each view comes with the right
/// value as it is said.
pub fn print_choices(views: &[(Vec<PathView>, String)]) {
    const WEIGHTS: [f32; 9] = [0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 16.0, 24.0];
    let yields = |path: &PathView, said: &String| path.proposed == [said.clone()];
    let reachable = views.iter().filter(|(view, said)| view.iter().any(|path| yields(path, said))).count();
    println!("\npath chosen right of {}, {reachable} of them in view; by the weight of the likeness", views.len());
    for weight in WEIGHTS {
        let right = views.iter().filter(|(view, said)| {
            let words: Vec<f32> = view.iter().map(|path| path.words).collect();
            let likeness: Vec<f32> = view.iter().filter_map(|path| path.likeness).collect();
            let chosen = decode::likeliest(&decode::weigh_paths_with(&words, &likeness, weight));
            view.get(chosen).is_some_and(|path| yields(path, said))
        });
        println!("{weight:>6} {:>6}", right.count());
    }
}

#[cfg(test)]
mod tests {
    use super::fit;

    #[test]
    fn finds_the_column_that_matters() {
        let data: Vec<_> = (0..200)
            .map(|i| {
                let x = (i % 20) as f32 / 10.0 - 1.0;
                ([x, 0.0, if i % 3 == 0 { 1.0 } else { -1.0 }, 0.0, 0.0, 0.0], x > 0.0)
            })
            .collect();
        let weights = fit(&data, &[0, 1, 2, 3]);
        assert!(weights[1] > 3.0 && weights[3].abs() < 0.5, "{weights:?}");
    }
}
