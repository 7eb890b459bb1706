//! Fits the weights of the decision: logistic regression by gradient descent on what a bench has seen.

/// Passes over the data; the problem is convex and small.
const STEPS: usize = 20_000;
const RATE: f64 = 0.05;
/// Pull towards zero, so that witnesses that never err do not grow without bound.
const RIDGE: f64 = 1e-3;

/// Bias first, then the weights of fit, path, plain and guided.
pub(crate) fn fit(data: &[([f32; 4], bool)], columns: &[usize]) -> [f64; 5] {
    let mut weights = [0.0f64; 5];
    let n = data.len().max(1) as f64;
    for _ in 0..STEPS {
        let mut gradient = [0.0f64; 5];
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
pub(crate) fn probability(weights: &[f64; 5], features: &[f32; 4]) -> f64 {
    1.0 / (1.0 + (-linear(weights, features)).exp())
}

fn linear(weights: &[f64; 5], features: &[f32; 4]) -> f64 {
    weights[0] + features.iter().zip(&weights[1..]).map(|(f, w)| w * f64::from(*f)).sum::<f64>()
}

fn loss(data: &[([f32; 4], bool)], weights: &[f64; 5]) -> f64 {
    let each = data.iter().map(|(features, right)| {
        let z = linear(weights, features);
        let signed = if *right { z } else { -z };
        (1.0 + (-signed).exp()).ln()
    });
    each.sum::<f64>() / data.len().max(1) as f64
}

/// Prints the weights with and without the model's witnesses, each also fitted on the first half and judged on the second.
pub fn print(data: &[([f32; 4], bool)]) {
    // Cut in the middle: what came of one question stays on one side.
    let (earlier, later) = data.split_at(data.len() / 2);
    let right = data.iter().filter(|(_, right)| *right).count();
    println!("\nfitted weights on {} decisions, {right} of them right: bias, fit, path, plain, guided", data.len());
    for (name, columns) in [("words", &[0usize, 1][..]), ("plain reading", &[0, 1, 2]), ("with model", &[0, 1, 2, 3])] {
        let held_out = loss(later, &fit(earlier, columns));
        println!(
            "{name:<14} {:?}, held-out log loss {held_out:.4}",
            fit(data, columns).map(|w| (w * 100.0).round() / 100.0)
        );
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
                ([x, 0.0, if i % 3 == 0 { 1.0 } else { -1.0 }, 0.0], x > 0.0)
            })
            .collect();
        let weights = fit(&data, &[0, 1, 2, 3]);
        assert!(weights[1] > 3.0 && weights[3].abs() < 0.5, "{weights:?}");
    }
}
