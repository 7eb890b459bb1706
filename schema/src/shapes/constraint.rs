//! What a rule can ask, by name.

use crate::vocabulary::SH;

/// One thing that a rule asks; a constraint component of SHACL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Constraint {
    /// Enough values.
    MinCount,
    /// Not too many.
    MaxCount,
    /// Values of a class.
    Class,
    /// Literals of a datatype.
    Datatype,
    /// A kind of node.
    NodeKind,
    /// A regular expression.
    Pattern,
    /// Not too short.
    MinLength,
    /// Not too long.
    MaxLength,
    /// At least this.
    MinInclusive,
    /// At most this.
    MaxInclusive,
    /// More than this.
    MinExclusive,
    /// Less than this.
    MaxExclusive,
    /// One of these.
    In,
    /// This among them.
    HasValue,
    /// A language of these.
    LanguageIn,
    /// Each language once.
    UniqueLang,
    /// Nothing that no rule names.
    Closed,
}

impl Constraint {
    const ALL: [(Self, &'static str, &'static str, &'static str); 17] = [
        (Self::MinCount, "min_count", "MinCount", "least number of values"),
        (Self::MaxCount, "max_count", "MaxCount", "greatest number of values"),
        (Self::Class, "class", "Class", "class"),
        (Self::Datatype, "datatype", "Datatype", "datatype"),
        (Self::NodeKind, "node_kind", "NodeKind", "kind of node"),
        (Self::Pattern, "pattern", "Pattern", "pattern"),
        (Self::MinLength, "min_length", "MinLength", "shortest length"),
        (Self::MaxLength, "max_length", "MaxLength", "greatest length"),
        (Self::MinInclusive, "min_inclusive", "MinInclusive", "at least"),
        (Self::MaxInclusive, "max_inclusive", "MaxInclusive", "at most"),
        (Self::MinExclusive, "min_exclusive", "MinExclusive", "more than"),
        (Self::MaxExclusive, "max_exclusive", "MaxExclusive", "less than"),
        (Self::In, "one_of", "In", "one of"),
        (Self::HasValue, "has_value", "HasValue", "among its values"),
        (Self::LanguageIn, "language_in", "LanguageIn", "languages"),
        (Self::UniqueLang, "unique_lang", "UniqueLang", "values in one language"),
        (Self::Closed, "closed", "Closed", "closed"),
    ];

    /// Each of them.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().map(|(constraint, ..)| constraint)
    }

    fn names(self) -> (&'static str, &'static str, &'static str) {
        let found = Self::ALL.into_iter().find(|(constraint, ..)| *constraint == self);
        found.map_or(("", "", ""), |(_, name, component, words)| (name, component, words))
    }

    /// Its name as a field of a rule: `min_count`.
    pub fn name(self) -> &'static str {
        self.names().0
    }

    /// Its name in sentences.
    pub(crate) fn words(self) -> &'static str {
        self.names().2
    }

    /// The IRI of SHACL's constraint component.
    pub fn component(self) -> String {
        format!("{SH}{}ConstraintComponent", self.names().1)
    }
}
