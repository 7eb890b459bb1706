//! Which of several matches is meant.

use super::{
    find::{Manner, Match},
    index::Index,
};
use factmask_graph::Snapshot;
use factmask_schema::normal;
use std::{cmp::Reverse, collections::BTreeMap};

/// Names that are asked back at most; where there are more the question says too little.
const MOST_ASKED: usize = 5;

/// What becomes of the matches of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// Nothing comes near.
    None,
    /// One name is nearer than all others.
    One(Match),
    /// Several are as near.
    Several(Vec<Match>),
}

/// Takes the surest manner, and in it what covers most; names that are written alike are one.
pub(super) fn choose(snapshot: &Snapshot, index: &Index, mut found: Vec<Match>) -> Choice {
    found.sort_by_key(|one| (one.real, one.manner, Reverse(one.size), one.span.start));
    let Some(first) = found.first().cloned() else { return Choice::None };
    let rival = |other: &&Match| {
        let overlap = other.span.start < first.span.end && first.span.start < other.span.end;
        overlap && other.manner == first.manner && other.size == first.size && other.real == first.real
    };
    // A part of what is meant for one name as a whole is no rival, and of two wholes the one with fewer slips is meant.
    let rivals: BTreeMap<String, Match> = found
        .iter()
        .filter(rival)
        .map(|other| (normal::fold(&index.text(snapshot, other.name).text), other.clone()))
        .collect();
    let entities: Vec<_> = rivals.values().map(|other| index.name(other.name).entity).collect();
    let one = entities.windows(2).all(|pair| pair[0] == pair[1]);
    match rivals.len() {
        _ if one => Choice::One(first),
        ..=MOST_ASKED => Choice::Several(rivals.into_values().collect()),
        _ => Choice::None,
    }
}

impl Manner {
    /// Whether a name so written may be asked back where it is not sure: a question that asks of something else must not be met with
    /// names that have nothing to do with it.
    pub(super) fn may_be_asked(self) -> bool {
        !matches!(self, Self::Slips(2))
    }
}
