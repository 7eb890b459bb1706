//! An operation as data: which things, measured how, and what is asked of them.

use crate::question::path::Step;
use factmask_graph::{Date, EntityId, Number};
use factmask_schema::Iri;
use std::cmp::Ordering;

/// Things or values, described by how they are found.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Set {
    /// One thing that the question names.
    Named(EntityId),
    /// All things of a class, its subclasses included.
    Class(Iri),
    /// What one hop leads to from the members of another set.
    Image {
        /// Where the hop starts.
        of: Box<Set>,
        /// The hop.
        step: Step,
    },
    /// What is in both.
    Both(Box<Set>, Box<Set>),
    /// What is in one of them.
    Either(Box<Set>, Box<Set>),
    /// What is in the first and not in the second.
    Without(Box<Set>, Box<Set>),
    /// The members whose measure passes a test.
    Where {
        /// Which members.
        of: Box<Set>,
        /// What is measured.
        measure: Measure,
        /// What it must be.
        test: Test,
    },
    /// The members whose measure is the greatest or the least; all of them where several are alike.
    Extreme {
        /// Among whom.
        of: Box<Set>,
        /// What is measured.
        measure: Measure,
        /// Which end.
        end: End,
    },
}

/// What is compared of a thing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Measure {
    /// The number or date that a relation gives it.
    Value(Iri),
    /// How many members of a set a hop leads to.
    Count {
        /// The hop.
        step: Step,
        /// What is counted.
        among: Box<Set>,
    },
}

/// One end of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// The greatest number, the latest date.
    Most,
    /// The least number, the earliest date.
    Least,
}

/// How a measure must stand to something.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Test {
    /// The order that is asked for.
    pub order: Order,
    /// What it is compared with.
    pub than: Than,
}

/// Orders that can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// Greater, later.
    More,
    /// Less, earlier.
    Less,
    /// Not less.
    AtLeast,
    /// Not more.
    AtMost,
    /// The same.
    Equal,
}

/// What a measure is compared with.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Than {
    /// An amount; one without a unit is in that of the facts.
    Amount(Number),
    /// A time.
    Time(Date),
    /// The same measure of the one thing in a set.
    Of(Box<Set>),
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Query {
    /// Which they are.
    List(Set),
    /// How many there are.
    Count(Set),
    /// A figure made from one relation's numbers over a set.
    Figure {
        /// Over whom.
        of: Set,
        /// The relation.
        relation: Iri,
        /// Sum or mean.
        figure: Figure,
    },
    /// Whether something is so.
    Truth(Box<Truth>),
}

/// Whether things are in a set.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Truth {
    /// The things.
    pub of: Set,
    /// The set.
    pub within: Set,
    /// What is known in that respect: "no" is said only where something is.
    pub known: Set,
}

/// What is made of several numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Figure {
    /// All together.
    Sum,
    /// Their mean.
    Mean,
}

impl Measure {
    fn named(&self) -> Vec<EntityId> {
        match self {
            Self::Value(_) => Vec::new(),
            Self::Count { among, .. } => among.named(),
        }
    }
}

impl End {
    /// The other end.
    pub fn opposite(self) -> Self {
        match self {
            Self::Most => Self::Least,
            Self::Least => Self::Most,
        }
    }
}

impl Order {
    /// The same the other way round.
    pub fn opposite(self) -> Self {
        match self {
            Self::More => Self::Less,
            Self::Less => Self::More,
            Self::AtLeast => Self::AtMost,
            Self::AtMost => Self::AtLeast,
            Self::Equal => Self::Equal,
        }
    }

    /// Whether a measure that stands so to its fellow passes.
    pub fn holds(self, found: Ordering) -> bool {
        match self {
            Self::More => found.is_gt(),
            Self::Less => found.is_lt(),
            Self::AtLeast => found.is_ge(),
            Self::AtMost => found.is_le(),
            Self::Equal => found.is_eq(),
        }
    }

    /// How it is written between two terms.
    pub fn sign(self) -> &'static str {
        match self {
            Self::More => ">",
            Self::Less => "<",
            Self::AtLeast => ">=",
            Self::AtMost => "<=",
            Self::Equal => "=",
        }
    }
}

impl Set {
    /// What one hop leads to from here.
    pub fn image(self, step: Step) -> Self {
        Self::Image { of: Box::new(self), step }
    }

    /// What is in both.
    pub fn and(self, other: Self) -> Self {
        Self::Both(Box::new(self), Box::new(other))
    }

    /// What is not in the other one.
    pub fn without(self, other: Self) -> Self {
        Self::Without(Box::new(self), Box::new(other))
    }

    /// The things that it names.
    pub fn named(&self) -> Vec<EntityId> {
        match self {
            Self::Named(id) => vec![*id],
            Self::Class(_) => Vec::new(),
            Self::Image { of, .. } => of.named(),
            Self::Both(one, other) | Self::Either(one, other) | Self::Without(one, other) => {
                let mut named = one.named();
                named.extend(other.named());
                named
            }
            Self::Where { of, measure, test } => {
                let than = match &test.than {
                    Than::Of(set) => set.named(),
                    Than::Amount(_) | Than::Time(_) => Vec::new(),
                };
                of.named().into_iter().chain(measure.named()).chain(than).collect()
            }
            Self::Extreme { of, measure, .. } => of.named().into_iter().chain(measure.named()).collect(),
        }
    }

    /// Whether members are taken from one end of an order, or left out.
    pub fn picks(&self) -> bool {
        match self {
            Self::Named(_) | Self::Class(_) => false,
            Self::Image { of, .. } | Self::Where { of, .. } => of.picks(),
            Self::Both(one, other) | Self::Either(one, other) => one.picks() || other.picks(),
            Self::Without(..) | Self::Extreme { .. } => true,
        }
    }

    /// The members at one end.
    pub fn extreme(self, measure: Measure, end: End) -> Self {
        Self::Extreme { of: Box::new(self), measure, end }
    }

    /// The members that pass a test.
    pub fn tested(self, measure: Measure, test: Test) -> Self {
        Self::Where { of: Box::new(self), measure, test }
    }
}
