//! What the answers of a run add up to.

use super::ways::{Taken, Way};
use crate::bench::{
    rates::Speed,
    tally::{Outcomes, quantile},
};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Version of the JSON's shape.
pub const FORMAT: u32 = 1;

/// Everything that one run of the bench found.
#[derive(Serialize)]
pub struct Report {
    /// Version of this shape.
    pub format: u32,
    /// The name that the model gives itself.
    pub model: String,
    /// How often everything was taken.
    pub runs: usize,
    /// The seed of world and questions.
    pub seed: u64,
    /// Seconds that the bench took, loading included.
    pub seconds: f64,
    /// What was asked about.
    pub world: WorldFigures,
    /// Rates and times by the number of threads.
    pub by_threads: Vec<ByThreads>,
    /// Share of the cards that the stream found in its block store; none where it looked none up.
    pub hit_rate: Option<f64>,
    /// How right each way was; a question counts once, however often and with however many threads it was asked.
    pub accuracy: BTreeMap<Way, Accuracy>,
    /// What the model and its blocks take.
    pub memory: Memory,
    /// Most memory of the process, MiB: a model and two block stores for each number of threads, and what the bench itself keeps.
    pub peak_rss_mb: f64,
}

/// The made-up world.
#[derive(Serialize)]
pub struct WorldFigures {
    /// Entities that are asked about.
    pub entities: usize,
    /// Facts.
    pub facts: usize,
    /// Tokens of all cards.
    pub tokens: usize,
    /// Questions of the stream.
    pub stream: usize,
    /// Different ones among them.
    pub stream_distinct: usize,
    /// Median tokens of the passages that serial RAG pastes.
    pub pasted_tokens: usize,
    /// Share of the questions whose passages hold the fact that is asked for.
    pub retrieved: f64,
}

/// Bytes of weights and blocks.
#[derive(Serialize)]
pub struct Memory {
    /// The model's file.
    pub weights_file_bytes: u64,
    /// A token in a block.
    pub block_bytes_per_token: usize,
    /// All cards of the world, were they all encoded.
    pub world_block_bytes: usize,
    /// Room of the stream's block store.
    pub room_bytes: usize,
    /// Blocks that it held at the end.
    pub held_bytes: usize,
}

/// What one number of threads reached.
#[derive(Serialize)]
pub struct ByThreads {
    /// Threads, and tokens a second.
    #[serde(flatten)]
    pub speed: Speed,
    /// Times of answers.
    #[serde(flatten)]
    pub times: Times,
}

/// A figure by way and number of visible facts.
type ByWay = BTreeMap<Way, BTreeMap<usize, Quantiles>>;

/// Milliseconds of answers by way and number of visible facts.
#[derive(Serialize)]
pub struct Times {
    /// To the first token that may be released.
    pub ttft_ms: ByWay,
    /// To the whole answer.
    pub total_ms: ByWay,
    /// Of processors, all threads.
    pub cpu_ms: ByWay,
}

/// Quantiles of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Quantiles {
    /// The median.
    pub p50: f64,
    /// Nineteen in twenty stay at or below.
    pub p95: f64,
    /// Answers that were timed.
    pub count: usize,
}

/// How right one way was, over all questions and by the number of visible facts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Accuracy {
    /// All of them.
    #[serde(flatten)]
    pub all: Counts,
    /// Those with so many facts in view.
    pub by_facts: BTreeMap<usize, Counts>,
}

/// What came of questions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Different questions. All of them have an answer.
    pub questions: usize,
    /// Right answers.
    pub right: usize,
    /// Wrong answers.
    pub wrong: usize,
    /// Questions that got none.
    pub refused: usize,
}

impl Counts {
    fn add(&mut self, outcome: Outcomes) {
        self.questions += 1;
        match outcome {
            Outcomes::Right => self.right += 1,
            Outcomes::Wrong => self.wrong += 1,
            Outcomes::Refused => self.refused += 1,
        }
    }
}

/// Everything that was timed with one number of threads.
#[derive(Default)]
pub struct Timed(BTreeMap<Way, BTreeMap<usize, Vec<Taken>>>);

impl Timed {
    /// Adds an answer to a question with `facts` in view.
    pub fn add(&mut self, way: Way, facts: usize, taken: Taken) {
        self.0.entry(way).or_default().entry(facts).or_default().push(taken);
    }

    /// The quantiles.
    pub fn times(&self) -> Times {
        let by_way = |of: fn(&Taken) -> f64| -> ByWay {
            let by_facts = |all: &BTreeMap<usize, Vec<Taken>>| {
                all.iter().map(|(facts, taken)| (*facts, Quantiles::of(taken.iter().map(of)))).collect()
            };
            self.0.iter().map(|(way, all)| (*way, by_facts(all))).collect()
        };
        Times {
            ttft_ms: by_way(|taken| taken.ttft_ms),
            total_ms: by_way(|taken| taken.total_ms),
            cpu_ms: by_way(|taken| taken.cpu_ms),
        }
    }
}

impl Quantiles {
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        Self { p50: quantile(&values, 0.5), p95: quantile(&values, 0.95), count: values.len() }
    }
}

/// Counts outcomes, each question once for a way.
#[derive(Default)]
pub struct Scores {
    seen: BTreeSet<(Way, usize)>,
    by_way: BTreeMap<Way, Accuracy>,
}

impl Scores {
    /// Counts what came of the question with this number and so many facts in view, unless it has been counted.
    pub fn add(&mut self, way: Way, question: usize, facts: usize, outcome: Outcomes) {
        if self.seen.insert((way, question)) {
            let own = self.by_way.entry(way).or_default();
            own.all.add(outcome);
            own.by_facts.entry(facts).or_default().add(outcome);
        }
    }

    /// The counts.
    pub fn accuracy(self) -> BTreeMap<Way, Accuracy> {
        self.by_way
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

    use super::*;
    use crate::bench::rates::Spread;

    fn taken(ttft_ms: f64) -> Taken {
        Taken { ttft_ms, total_ms: ttft_ms + 1.0, cpu_ms: 2.0 * ttft_ms, outcome: Outcomes::Right }
    }

    #[test]
    fn keys_are_where_readers_of_the_json_look_for_them() {
        let mut timed = Timed::default();
        for ms in 1..=20 {
            timed.add(Way::FusedWarm, 10, taken(f64::from(ms)));
        }
        let spread = Spread { p25: 1.0, p50: 2.0, p75: 3.0, cpu_ms: 4.0 };
        let speed = Speed {
            threads: 2,
            prefill_tps: BTreeMap::from([(128, spread)]),
            decode_tps: BTreeMap::from([(0, spread)]),
            product_minima_gop_s: spread,
            product_centred_gop_s: spread,
            bytes_gop_s: spread,
            memory_gb_s: spread,
        };
        let json = serde_json::to_value(ByThreads { speed, times: timed.times() }).unwrap();
        for (pointer, expected) in [
            ("/threads", 2.0),
            ("/prefill_tps/128/p50", 2.0),
            ("/decode_tps/0/p75", 3.0),
            ("/ttft_ms/fused_warm/10/p50", 10.0),
            ("/ttft_ms/fused_warm/10/p95", 19.0),
            ("/ttft_ms/fused_warm/10/count", 20.0),
            ("/total_ms/fused_warm/10/p50", 11.0),
            ("/cpu_ms/fused_warm/10/p95", 38.0),
        ] {
            assert_eq!(json.pointer(pointer).and_then(serde_json::Value::as_f64), Some(expected), "{pointer}");
        }
    }

    #[test]
    fn a_question_counts_once_for_a_way() {
        let mut scores = Scores::default();
        for (way, question, facts, outcome) in [
            (Way::FusedWarm, 1, 10, Outcomes::Right),
            (Way::FusedWarm, 1, 10, Outcomes::Right),
            (Way::FusedWarm, 2, 100, Outcomes::Refused),
            (Way::SerialRag, 1, 10, Outcomes::Wrong),
        ] {
            scores.add(way, question, facts, outcome);
        }
        let accuracy = scores.accuracy();
        let json = serde_json::to_value(&accuracy).unwrap();
        let fused = serde_json::json!({
            "questions": 2, "right": 1, "wrong": 0, "refused": 1,
            "by_facts": {
                "10": {"questions": 1, "right": 1, "wrong": 0, "refused": 0},
                "100": {"questions": 1, "right": 0, "wrong": 0, "refused": 1},
            },
        });
        assert_eq!(json["fused_warm"], fused);
        assert_eq!(accuracy[&Way::SerialRag].all, Counts { questions: 1, right: 0, wrong: 1, refused: 0 });
    }
}
