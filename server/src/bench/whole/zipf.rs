//! Draws by popularity: few things are asked for often, most of them seldom.

use crate::bench::random::Random;

/// Zipf's law with exponent 1 over ranks from 0 on: rank `r` is drawn with a probability in proportion to `1 / (r + 1)`.
pub struct Zipf {
    /// Sum of the weights up to and with each rank.
    sums: Vec<f64>,
}

impl Zipf {
    /// The law over `ranks` ranks.
    pub fn new(ranks: usize) -> Self {
        let weights = (1..=ranks).map(|rank| 1.0 / rank as f64);
        let sums = weights.scan(0.0, |sum, weight| {
            *sum += weight;
            Some(*sum)
        });
        Self { sums: sums.collect() }
    }

    /// A rank; 0 where there is none.
    pub fn draw(&self, random: &mut Random) -> usize {
        let at = random.share() * self.sums.last().copied().unwrap_or(0.0);
        self.sums.partition_point(|sum| *sum <= at).min(self.sums.len().saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::Zipf;
    use crate::bench::random::Random;

    #[test]
    fn ranks_are_drawn_in_proportion_to_their_weight() {
        const DRAWS: usize = 200_000;
        let (zipf, mut random) = (Zipf::new(400), Random::new(7));
        let mut drawn = [0_usize; 400];
        for _ in 0..DRAWS {
            drawn[zipf.draw(&mut random)] += 1;
        }
        let all: f64 = (1..=400).map(|rank| 1.0 / f64::from(rank)).sum();
        for rank in [0, 1, 2, 9, 49] {
            let expected = DRAWS as f64 / all / (rank + 1) as f64;
            // Six standard deviations of a count.
            assert!(
                (drawn[rank] as f64 - expected).abs() < 6.0 * expected.sqrt(),
                "{rank}: {} {expected}",
                drawn[rank]
            );
        }
        assert!(drawn[200..].iter().sum::<usize>() > 0, "the seldom ones are drawn too");
    }

    #[test]
    fn few_ranks_and_the_same_seed() {
        let draws = |ranks, seed| {
            let (zipf, mut random) = (Zipf::new(ranks), Random::new(seed));
            (0..50).map(|_| zipf.draw(&mut random)).collect::<Vec<_>>()
        };
        assert!(draws(0, 1).iter().chain(&draws(1, 1)).all(|rank| *rank == 0));
        assert_eq!(draws(100, 3), draws(100, 3));
        assert_ne!(draws(100, 3), draws(100, 4));
    }
}
