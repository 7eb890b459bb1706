//! What is said of a noun beside its class: conditions, and what is picked from those that meet them.

use super::query::{End, Measure, Set, Test};

/// One thing said of the members of a set.
#[derive(Clone, Debug, PartialEq)]
pub enum Behind {
    /// They are in this set.
    In(Set),
    /// They are not.
    Out(Set),
    /// Their measure passes.
    Where(Measure, Test),
    /// They are at one end of the rest.
    Extreme(Measure, End),
}

impl Behind {
    /// The members of which all of it holds: first what narrows, then what picks among the rest.
    pub fn all(base: Set, said: &[Self]) -> Set {
        let narrowed = said.iter().fold(base, |set, one| match one {
            Self::In(within) => set.and(within.clone()),
            Self::Out(without) => set.without(without.clone()),
            Self::Where(measure, test) => set.tested(measure.clone(), test.clone()),
            Self::Extreme(..) => set,
        });
        said.iter().fold(narrowed, |set, one| match one {
            Self::Extreme(measure, end) => set.extreme(measure.clone(), *end),
            _ => set,
        })
    }

    /// The opposite, where there is one.
    pub fn denied(self) -> Option<Self> {
        match self {
            Self::In(set) => Some(Self::Out(set)),
            Self::Out(set) => Some(Self::In(set)),
            Self::Where(..) | Self::Extreme(..) => None,
        }
    }
}
