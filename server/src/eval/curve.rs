//! The risk-coverage curve: what share of the answers is wrong when only the surest are given.

use super::totals::{share, upper_bound};
use serde::Serialize;

/// Shares of wrong answers for which the table says how much can be answered.
pub const RISKS: [f64; 3] = [0.003, 0.01, 0.03];

/// A question that something was proposed for.
#[derive(Clone, Copy, Debug)]
pub struct Proposal {
    /// How sure it was, 0 to 1.
    pub confidence: f32,
    /// Whether nothing in it is wrong.
    pub right: bool,
    /// Whether the question has an answer.
    pub answerable: bool,
}

/// What comes of giving all that is at least this sure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Point {
    /// Least confidence that is given.
    pub confidence: f32,
    /// Answers given.
    pub answered: usize,
    /// Those with something wrong in them.
    pub wrong: usize,
    /// Answerable questions that get an answer, by answerable.
    pub coverage: f64,
    /// Wrong by answered.
    pub wrong_share: f64,
    /// One-sided 95% upper bound of that share.
    pub wrong_upper95: f64,
}

/// The most that can be answered at a risk, on the questions that the line is drawn on: no line drawn elsewhere does better.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AtRisk {
    /// Largest share of wrong answers.
    pub risk: f64,
    /// Where the line would lie; none where even the surest answers are wrong too often.
    pub point: Option<Point>,
}

/// One point for each confidence, from the surest to all; equal confidences stand or fall together.
pub fn curve(proposals: &[Proposal], answerable: usize) -> Vec<Point> {
    let mut sure = proposals.to_vec();
    sure.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    let (mut points, mut wrong, mut covered) = (Vec::new(), 0, 0);
    for (at, proposal) in sure.iter().enumerate() {
        wrong += usize::from(!proposal.right);
        covered += usize::from(proposal.answerable);
        if sure.get(at + 1).is_none_or(|next| next.confidence < proposal.confidence) {
            points.push(Point {
                confidence: proposal.confidence,
                answered: at + 1,
                wrong,
                coverage: share(covered as f64, answerable),
                wrong_share: share(wrong as f64, at + 1),
                wrong_upper95: upper_bound(wrong, at + 1),
            });
        }
    }
    points
}

/// For each of [`RISKS`] the last point that keeps it.
pub fn at_risks(points: &[Point]) -> Vec<AtRisk> {
    let last = |risk: f64| points.iter().rfind(|point| point.wrong_share <= risk).copied();
    RISKS.map(|risk| AtRisk { risk, point: last(risk) }).to_vec()
}

/// A table for the terminal: one line a run, for each risk coverage, wrong of answered and the bound.
pub fn table<'a>(runs: impl Iterator<Item = (&'a str, &'a str, &'a [AtRisk])>) -> String {
    let mut text = String::new();
    for (set, mode, at) in runs.filter(|(.., at)| !at.is_empty()) {
        text.push_str(&format!("{set:<16} {mode:<12}"));
        for AtRisk { point, .. } in at {
            match point {
                Some(Point { answered, wrong, coverage, wrong_upper95, .. }) => text
                    .push_str(&format!(" {coverage:>8.3} {:>9} {wrong_upper95:>8.4}", format!("{wrong}/{answered}"))),
                None => text.push_str(&format!(" {:>8} {:>9} {:>8}", 0, "0/0", 1)),
            }
        }
        text.push('\n');
    }
    if text.is_empty() {
        return text;
    }
    let mut head = format!("\n{:<16} {:<12}", "line seen after", "mode");
    for risk in RISKS {
        head.push_str(&format!(" {:>8} {:>9} {:>8}", format!("≤{}%", risk * 100.0), "wrong", "upper95"));
    }
    head + "\n" + &text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proposal(confidence: f32, right: bool, answerable: bool) -> Proposal {
        Proposal { confidence, right, answerable }
    }

    #[test]
    fn the_surest_first_and_equals_together() {
        let proposals = [
            proposal(0.5, true, true),
            proposal(0.9, true, true),
            proposal(0.5, false, true),
            proposal(0.8, false, false),
            proposal(0.1, true, true),
        ];
        let points = curve(&proposals, 5);
        let found: Vec<_> =
            points.iter().map(|point| (point.confidence, point.answered, point.wrong, point.coverage)).collect();
        assert_eq!(found, [(0.9, 1, 0, 0.2), (0.8, 2, 1, 0.2), (0.5, 4, 2, 0.6), (0.1, 5, 2, 0.8)]);
        assert_eq!(curve(&[], 5), []);
    }

    #[test]
    fn as_much_as_a_risk_allows() {
        // 99 right, then a wrong one, then 100 right: one in 200 is half a percent.
        let mut proposals: Vec<Proposal> = (0..99).map(|_| proposal(0.9, true, true)).collect();
        proposals.push(proposal(0.8, false, true));
        proposals.extend((0..100).map(|_| proposal(0.7, true, true)));
        let at = at_risks(&curve(&proposals, 200));
        let found: Vec<_> = at.iter().map(|at| at.point.map(|point| (point.wrong, point.answered))).collect();
        assert_eq!(found, [Some((0, 99)), Some((1, 200)), Some((1, 200))]);
        let never = at_risks(&curve(&[proposal(0.9, false, true)], 1));
        assert!(never.iter().all(|at| at.point.is_none()));
        let text = table([("s", "fused", at.as_slice()), ("s", "uniform", never.as_slice())].into_iter());
        assert_eq!(text.lines().count(), 4, "{text}");
        assert!(text.contains("≤0.3%") && text.contains("1/200"), "{text}");
    }
}
