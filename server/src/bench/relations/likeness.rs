//! Likeness of every question to every sentence of the schema, and which relation is nearest.

use super::asked::{Asked, Own};
use factmask_engine::{
    question::words,
    represent::{Space, cosine},
};

/// A row for each question, a column for each own sentence.
pub type Likeness = Vec<Vec<f32>>;

/// How many of the questions find their relation first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Right {
    /// Among all relations.
    pub of_all: usize,
    /// Among those that the subject can have.
    pub of_fitting: usize,
}

/// Share of words in common.
pub fn by_words(asked: &[Asked], own: &[Own]) -> Likeness {
    asked.iter().map(|asked| own.iter().map(|own| words::overlap(&asked.units, &own.units)).collect()).collect()
}

/// Cosine of vectors about the centre of the schema's own sentences, so that what all sentences share does not count.
pub fn by_vectors(asked: &[&[f32]], own: &[&[f32]]) -> Likeness {
    let space = Space::about(own.iter().copied());
    let from = |vectors: &[&[f32]]| vectors.iter().map(|vector| space.direction(vector)).collect::<Vec<_>>();
    let (asked, own) = (from(asked), from(own));
    by_directions(&asked, &own, 0.0)
}

/// Cosine of unit vectors, stretched so that texts that are `unlike` have 0.
pub fn by_directions(asked: &[Vec<f32>], own: &[Vec<f32>], unlike: f32) -> Likeness {
    let likeness = |asked: &[f32], own: &[f32]| (cosine(asked, own) - unlike) / (1.0 - unlike);
    asked.iter().map(|asked| own.iter().map(|own| likeness(asked, own)).collect()).collect()
}

/// The weighted sum of likenesses.
pub fn sum(parts: &[(f32, &Likeness)]) -> Likeness {
    let Some((_, first)) = parts.first() else { return Vec::new() };
    let cell = |row: usize, column: usize| {
        parts.iter().filter_map(|(weight, part)| Some(weight * part.get(row)?.get(column)?)).sum()
    };
    first.iter().enumerate().map(|(row, cells)| (0..cells.len()).map(|column| cell(row, column)).collect()).collect()
}

/// A relation is as near as its nearest sentence. One that shares the first place is not right.
pub fn right(likeness: &Likeness, asked: &[Asked], own: &[Own], fitting: &[Vec<bool>]) -> Right {
    let mut right = Right::default();
    for ((row, asked), fitting) in likeness.iter().zip(asked).zip(fitting) {
        let mut nearest = vec![f32::NEG_INFINITY; fitting.len()];
        for (number, (own, likeness)) in own.iter().zip(row).enumerate() {
            if asked.left_out != Some(number)
                && let Some(nearest) = nearest.get_mut(own.relation)
            {
                *nearest = nearest.max(*likeness);
            }
        }
        let meant = nearest.get(asked.relation).copied().unwrap_or(f32::NEG_INFINITY);
        let first = |among: &dyn Fn(usize) -> bool| {
            (0..nearest.len())
                .filter(|other| *other != asked.relation && among(*other))
                .all(|other| nearest[other] < meant)
        };
        right.of_all += usize::from(first(&|_| true));
        right.of_fitting += usize::from(first(&|other| fitting[other]));
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use factmask_graph::EntityId;

    #[test]
    fn the_nearest_sentence_counts_and_the_left_out_one_does_not() {
        let own: Vec<Own> =
            [0, 0, 1].map(|relation| Own { relation, text: String::new(), units: Default::default() }).into();
        let asked = |relation, left_out| Asked {
            relation,
            entity: EntityId(0),
            named: String::new(),
            general: String::new(),
            units: Default::default(),
            left_out,
        };
        let table: &[(Asked, [f32; 3], bool, bool)] = &[
            (asked(0, None), [0.9, 0.1, 0.5], true, true),
            (asked(0, Some(0)), [0.9, 0.1, 0.5], false, true),
            (asked(0, None), [0.5, 0.1, 0.5], false, true),
            (asked(1, None), [0.2, 0.1, 0.5], true, true),
        ];
        for (asked, row, of_all, of_fitting) in table {
            let asked = std::slice::from_ref(asked);
            let found = right(&vec![row.to_vec()], asked, &own, &[vec![true, false]]);
            let expected = Right { of_all: (*of_all).into(), of_fitting: (*of_fitting).into() };
            // The second relation does not fit the entity; as the one that is meant it stays in.
            assert_eq!(found, expected, "{row:?}");
        }
    }
}
