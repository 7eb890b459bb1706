//! What a run adds up to.

use super::{
    curve::{AtRisk, Point},
    modes::EvalMode,
    score::Score,
    twins::tally::Refusals,
};
use crate::bench::tally::quantile;
use serde::Serialize;
use std::{collections::BTreeMap, path::Path};

/// Version of the figures' shape in JSON.
pub const FORMAT: u32 = 1;

/// What became of one question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Everything that was given is right.
    Right,
    /// Something that was given is wrong.
    Wrong,
    /// Nothing was given.
    Refused,
}

/// One question of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The question.
    pub id: String,
    /// Whether a right answer can be given.
    pub answerable: bool,
    /// What became of it.
    pub verdict: Verdict,
    /// How right it is; nothing for a refusal.
    pub score: Score,
    /// Milliseconds to the first token that may be released.
    pub first_token_ms: f64,
}

/// What the machine spent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spent {
    /// Seconds from the files to the snapshot.
    pub ingest_s: f64,
    /// Seconds in which the models read the schema, before the first question.
    pub read_ahead_s: f64,
    /// Facts in the graph.
    pub facts: usize,
    /// Processor seconds of all threads while the questions were asked.
    pub cpu_s: f64,
    /// Most memory of the process so far, MiB; 0 where the system does not say.
    pub peak_rss_mb: f64,
}

/// A run in figures. Shares are between 0 and 1; means over answerable questions count a refusal as 0.
#[derive(Clone, Debug, Serialize)]
pub struct Totals {
    /// Version of this shape.
    pub format: u32,
    /// The set.
    pub set: String,
    /// How it was asked.
    pub mode: EvalMode,
    /// Name of the language model; empty where none was used.
    pub model: String,
    /// Why nothing was asked, where nothing was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub none: Option<String>,
    /// Questions asked.
    pub questions: usize,
    /// Those with a right answer.
    pub answerable: usize,
    /// Questions that got an answer.
    pub answered: usize,
    /// Answers with nothing wrong in them.
    pub right: usize,
    /// Right answers that leave gold answers out.
    pub incomplete: usize,
    /// Answers with something wrong in them, those to unanswerable questions included.
    pub wrong: usize,
    /// Questions that got none.
    pub refused: usize,
    /// Wrong by answered.
    pub wrong_among_answered: f64,
    /// One-sided 95% upper bound of that share (Clopper and Pearson 1934).
    pub wrong_upper95: f64,
    /// Answerable questions that got an answer, by answerable.
    pub coverage: f64,
    /// Answerable questions whose first value is a gold answer.
    pub hits_at_1: f64,
    /// Answerable questions whose answer is exactly the gold one.
    pub exact_match: f64,
    /// Mean over answerable questions.
    pub f1: f64,
    /// Mean over answered answerable questions.
    pub precision: f64,
    /// Mean over answerable questions.
    pub recall: f64,
    /// Harmonic mean of `precision` over answered and `recall` over answerable questions.
    pub f1_strict: f64,
    /// Unanswerable questions that got none, by unanswerable; none where all are answerable.
    pub refused_unanswerable: Option<f64>,
    /// Mean share of a question's supporting documents among those of the five best passages, where text was looked at.
    pub support_recall_at_5: Option<f64>,
    /// Seconds from the files to the snapshot.
    pub ingest_s: f64,
    /// Seconds in which the models read the schema, before the first question.
    pub read_ahead_s: f64,
    /// Facts in the graph.
    pub facts: usize,
    /// Median milliseconds to the first token that may be released.
    pub ttft_ms_p50: f64,
    /// The same, 95th percentile.
    pub ttft_ms_p95: f64,
    /// Processor seconds of all threads while the questions were asked.
    pub cpu_s: f64,
    /// Most memory of the process so far, MiB.
    pub peak_rss_mb: f64,
    /// Risk and coverage from the surest answers to all that is proposed; empty for ways without a confidence.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub curve: Vec<Point>,
    /// The most that this curve allows at some risks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub at_risk: Vec<AtRisk>,
    /// What became of questions without an answer, by why they have none; only with `--remove-facts`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unanswerable: Vec<Refusals>,
    /// Verdict by question, for comparing runs.
    pub verdicts: BTreeMap<String, Verdict>,
}

impl Totals {
    /// Adds up.
    pub fn of(set: &str, mode: EvalMode, model: &str, outcomes: &[Outcome], spent: Spent) -> Self {
        let count = |keep: &dyn Fn(&&Outcome) -> bool| outcomes.iter().filter(keep).count();
        let verdict = |wanted: Verdict| count(&|outcome| outcome.verdict == wanted);
        let (right, wrong, refused) = (verdict(Verdict::Right), verdict(Verdict::Wrong), verdict(Verdict::Refused));
        let answered = right + wrong;
        let answerable = count(&|outcome| outcome.answerable);
        let answered_answerable = count(&|outcome| outcome.answerable && outcome.verdict != Verdict::Refused);
        let unanswerable = outcomes.len() - answerable;
        let refused_unanswerable = count(&|outcome| !outcome.answerable && outcome.verdict == Verdict::Refused);
        let mean = |of: &dyn Fn(&Score) -> f64, over: usize| {
            let given = outcomes.iter().filter(|outcome| outcome.answerable && outcome.verdict != Verdict::Refused);
            share(given.map(|outcome| of(&outcome.score)).sum(), over)
        };
        let one = |yes: bool| f64::from(u8::from(yes));
        let precision = mean(&|score| score.precision, answered_answerable);
        let recall = mean(&|score| score.recall, answerable);
        let mut times: Vec<f64> = outcomes.iter().map(|outcome| outcome.first_token_ms).collect();
        times.sort_by(f64::total_cmp);
        Self {
            format: FORMAT,
            set: set.to_owned(),
            mode,
            model: model.to_owned(),
            none: None,
            questions: outcomes.len(),
            answerable,
            answered,
            right,
            incomplete: count(&|outcome| outcome.verdict == Verdict::Right && !outcome.score.exact),
            wrong,
            refused,
            wrong_among_answered: share(wrong as f64, answered),
            wrong_upper95: upper_bound(wrong, answered),
            coverage: share(answered_answerable as f64, answerable),
            hits_at_1: mean(&|score| one(score.hit), answerable),
            exact_match: mean(&|score| one(score.exact), answerable),
            f1: mean(&|score| score.f1, answerable),
            precision,
            recall,
            f1_strict: share(2.0 * precision * recall, 1)
                / if precision + recall > 0.0 { precision + recall } else { 1.0 },
            refused_unanswerable: (unanswerable > 0).then(|| share(refused_unanswerable as f64, unanswerable)),
            support_recall_at_5: None,
            ingest_s: spent.ingest_s,
            read_ahead_s: spent.read_ahead_s,
            facts: spent.facts,
            ttft_ms_p50: quantile(&times, 0.5),
            ttft_ms_p95: quantile(&times, 0.95),
            cpu_s: spent.cpu_s,
            peak_rss_mb: spent.peak_rss_mb,
            curve: Vec::new(),
            at_risk: Vec::new(),
            unanswerable: Vec::new(),
            verdicts: outcomes.iter().map(|outcome| (outcome.id.clone(), outcome.verdict)).collect(),
        }
    }

    /// A run that cannot be: the mode needs what the set does not have.
    pub fn none(set: &str, mode: EvalMode, why: &str) -> Self {
        Self { none: Some(why.to_owned()), ..Self::of(set, mode, "", &[], Spent::default()) }
    }
}

/// A part of a whole; 0 of nothing.
pub fn share(part: f64, whole: usize) -> f64 {
    // An empty sum is -0.0.
    if whole == 0 { 0.0 } else { (part / whole as f64).abs() }
}

/// The largest share of wrong answers that `wrong` of `n` does not speak against at the one-sided 95% level; 1 for no answers.
pub fn upper_bound(wrong: usize, n: usize) -> f64 {
    if wrong >= n {
        return 1.0;
    }
    let (mut low, mut high) = (wrong as f64 / n as f64, 1.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if at_most(wrong, n, middle) > 0.05 { low = middle } else { high = middle }
    }
    high
}

/// Probability of at most `k` of `n` events of probability `p`, 0 < p < 1.
fn at_most(k: usize, n: usize, p: f64) -> f64 {
    let mut log_term = n as f64 * (1.0 - p).ln();
    let mut sum = log_term.exp();
    for i in 1..=k {
        log_term += ((n - i + 1) as f64 / i as f64).ln() + (p / (1.0 - p)).ln();
        sum += log_term.exp();
    }
    sum
}

/// Processor seconds of this process so far, all threads, and its largest memory in MiB; zeros where the system does not say.
pub fn process() -> (f64, f64) {
    (cpu_s(), kernel_mib("self/status", "VmHWM").unwrap_or(0.0))
}

/// Memory of this process that is resident now, MiB; 0 where the system does not say.
pub fn resident_mb() -> f64 {
    kernel_mib("self/status", "VmRSS").unwrap_or(0.0)
}

/// Memory that can still be taken without swapping, MiB, where the system says so.
pub fn available_mb() -> Option<f64> {
    kernel_mib("meminfo", "MemAvailable")
}

/// What a file below `/proc` says in KiB, as MiB.
fn kernel_mib(file: &str, key: &str) -> Option<f64> {
    let said = std::fs::read_to_string(Path::new("/proc").join(file)).ok()?;
    let rest = said.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
    let kib: f64 = rest.split_whitespace().next()?.parse().ok()?;
    Some(kib / 1024.0)
}

/// `/proc` counts in hundredths of a second, which is longer than many an answer takes; this clock counts nanoseconds.
#[allow(unsafe_code, reason = "std reads no clock of the processor's time")]
fn cpu_s() -> f64 {
    let mut used = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a timespec of our own, which the call fills and does not keep.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut used) };
    if failed == 0 { used.tv_sec as f64 + used.tv_nsec as f64 / 1e9 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds() {
        // Of textbooks: none of 300 gives about 3 / 300 ("rule of three"); 1 of 20 gives 0.2161.
        let table = [(0, 300, 0.009_936), (1, 20, 0.2161), (5, 5, 1.0), (0, 0, 1.0)];
        for (wrong, n, expected) in table {
            assert!((upper_bound(wrong, n) - expected).abs() < 1e-4, "{wrong} of {n}: {}", upper_bound(wrong, n));
        }
    }

    #[test]
    fn sums() {
        let outcome = |id: &str, answerable, verdict, precision: f64, recall: f64| Outcome {
            id: id.to_owned(),
            answerable,
            verdict,
            score: Score {
                right: verdict == Verdict::Right,
                hit: precision > 0.0,
                exact: precision * recall >= 1.0,
                precision,
                recall,
                f1: if precision + recall > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 },
            },
            first_token_ms: 1.0,
        };
        let outcomes = [
            outcome("a", true, Verdict::Right, 1.0, 1.0),
            outcome("b", true, Verdict::Right, 1.0, 0.5),
            outcome("c", true, Verdict::Wrong, 0.5, 1.0),
            outcome("d", true, Verdict::Refused, 0.0, 0.0),
            outcome("e", false, Verdict::Refused, 0.0, 0.0),
            outcome("f", false, Verdict::Wrong, 0.0, 0.0),
        ];
        let totals = Totals::of("s", EvalMode::Fused, "m", &outcomes, Spent::default());
        assert_eq!((totals.questions, totals.answerable, totals.answered), (6, 4, 4));
        assert_eq!((totals.right, totals.incomplete, totals.wrong, totals.refused), (2, 1, 2, 2));
        assert_eq!((totals.coverage, totals.hits_at_1, totals.exact_match), (0.75, 0.75, 0.25));
        assert_eq!((totals.wrong_among_answered, totals.refused_unanswerable), (0.5, Some(0.5)));
        assert!((totals.precision - 2.5 / 3.0).abs() < 1e-12 && (totals.recall - 2.5 / 4.0).abs() < 1e-12);
    }

    #[test]
    fn the_process_has_run_and_has_memory() {
        let (cpu_s, mib) = process();
        assert!(cpu_s > 0.0 && mib > 1.0);
    }
}
