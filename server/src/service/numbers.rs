//! How questions went since the service started.

use super::ServiceError;
use crate::wire::{AnswerBody, AnswerCounts, BucketBody, MinuteBody, StageTimes, StatusBody, TimingsBody};
use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// Answers whose times are kept.
const MOST: usize = 10_000;

/// How long they are kept.
const KEPT: Duration = Duration::from_secs(3_600);

/// Upper bounds of the buckets, in milliseconds.
const BOUNDS: [f64; 12] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1_000.0, 2_000.0, 5_000.0];

/// The way to a stage's milliseconds.
type StageTime = fn(&TimingsBody) -> f64;

/// The stages with the way to their times.
const STAGES: [(&str, StageTime); 7] = [
    ("link", |timings| timings.link_ms),
    ("plan", |timings| timings.plan_ms),
    ("encode", |timings| timings.encode_ms),
    ("prefill", |timings| timings.prefill_ms),
    ("decode", |timings| timings.decode_ms),
    ("first_token", |timings| timings.first_token_ms),
    ("total", |timings| timings.total_ms),
];

/// Counts what came of questions, and keeps the times of the latest. In memory only.
pub(super) struct Numbers {
    since: u64,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    counts: AnswerCounts,
    /// The earliest first.
    latest: VecDeque<Sample>,
}

struct Sample {
    /// Seconds since 1970.
    at: u64,
    refused: bool,
    timings: TimingsBody,
}

/// What the counters say.
pub struct Counted {
    /// When they started, in seconds since 1970.
    pub since: u64,
    /// What came of the questions.
    pub answers: AnswerCounts,
    /// Time by stage.
    pub stages: Vec<StageTimes>,
    /// Minute by minute.
    pub minutes: Vec<MinuteBody>,
}

impl Default for Numbers {
    fn default() -> Self {
        Self { since: now(), state: Mutex::default() }
    }
}

impl Numbers {
    /// Notes what came of a question.
    pub(super) fn note(&self, reached: &Result<AnswerBody, ServiceError>) {
        let mut state = self.lock();
        let State { counts, latest } = &mut *state;
        counts.total += 1;
        let Ok(answer) = reached else {
            counts.failed += 1;
            return;
        };
        let count = match answer.status {
            StatusBody::Answered => &mut counts.answered,
            StatusBody::FromText => &mut counts.from_text,
            StatusBody::NotInKb => &mut counts.not_in_kb,
            StatusBody::Ambiguous => &mut counts.ambiguous,
        };
        *count += 1;
        let refused = matches!(answer.status, StatusBody::NotInKb | StatusBody::Ambiguous);
        if latest.len() == MOST {
            latest.pop_front();
        }
        latest.push_back(Sample { at: now(), refused, timings: answer.timings.clone() });
    }

    /// What was counted so far.
    pub(super) fn counted(&self) -> Counted {
        let mut state = self.lock();
        let oldest = now().saturating_sub(KEPT.as_secs());
        while state.latest.front().is_some_and(|sample| sample.at < oldest) {
            state.latest.pop_front();
        }
        let stages = STAGES.map(|(stage, time)| stage_times(stage, state.latest.iter().map(|one| time(&one.timings))));
        let mut minutes: BTreeMap<u64, Vec<&Sample>> = BTreeMap::new();
        for sample in &state.latest {
            minutes.entry(sample.at / 60 * 60).or_default().push(sample);
        }
        let minute = |(at, samples): (u64, Vec<&Sample>)| {
            let times = sorted(samples.iter().map(|sample| sample.timings.total_ms));
            MinuteBody {
                at,
                asked: samples.len(),
                refused: samples.iter().filter(|sample| sample.refused).count(),
                p50_ms: quantile(&times, 0.5),
                p95_ms: quantile(&times, 0.95),
            }
        };
        Counted {
            since: self.since,
            answers: state.counts,
            stages: stages.into(),
            minutes: minutes.into_iter().map(minute).collect(),
        }
    }

    /// Whoever panicked while holding the lock left whole entries.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn stage_times(stage: &'static str, times: impl Iterator<Item = f64>) -> StageTimes {
    let times = sorted(times);
    let mut below = 0;
    let mut bucket = |le_ms: Option<f64>| {
        let upto = le_ms.map_or(times.len(), |bound| times.partition_point(|time| *time <= bound));
        let count = upto - below;
        below = upto;
        BucketBody { le_ms, count }
    };
    let buckets = BOUNDS.map(Some).into_iter().chain([None]).map(&mut bucket).collect();
    StageTimes {
        stage,
        count: times.len(),
        p50_ms: quantile(&times, 0.5),
        p95_ms: quantile(&times, 0.95),
        max_ms: times.last().copied().unwrap_or_default(),
        buckets,
    }
}

fn sorted(times: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut times: Vec<f64> = times.collect();
    times.sort_by(f64::total_cmp);
    times
}

/// The smallest time that `share` of the sorted times do not exceed; 0 of none.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = (sorted.len() as f64 * share).ceil() as usize;
    sorted.get(place.saturating_sub(1)).copied().unwrap_or_default()
}

/// Seconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_time_is_in_one_bucket_and_quantiles_are_times_that_occurred() {
        let times = stage_times("total", [0.5, 1.0, 1.5, 30.0, 9_000.0].into_iter());
        assert_eq!(times.buckets.iter().map(|bucket| bucket.count).sum::<usize>(), 5);
        assert_eq!((times.buckets[0].count, times.buckets[1].count), (2, 1));
        assert_eq!(times.buckets.last().map(|bucket| (bucket.le_ms, bucket.count)), Some((None, 1)));
        assert_eq!((times.p50_ms, times.p95_ms, times.max_ms), (1.5, 9_000.0, 9_000.0));
        assert_eq!(quantile(&[], 0.5), 0.0);
    }
}
