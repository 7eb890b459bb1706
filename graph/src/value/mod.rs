//! Typed values, each with the words as the source wrote them.

mod date;
mod number;
mod say;

pub use date::{Calendar, Date, Precision};
pub(crate) use number::MAX_SCALE;
pub use number::Number;

use factmask_schema::{Iri, Text, ValueKind};
use std::cmp::Ordering;

/// The object of a fact or the value of a qualifier.
///
/// Values are ordered so that lists of facts have one order; numbers and dates among themselves as one expects.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Another entity.
    Entity(Iri),
    /// Words; the language tag is in lower case.
    Text {
        /// The words.
        text: String,
        /// BCP 47 tag, where known.
        lang: Option<String>,
    },
    /// An exact decimal number.
    Number(Number),
    /// A date.
    Date(Date),
    /// A truth value.
    Boolean(bool),
}

impl Value {
    /// Words without a language.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into(), lang: None }
    }

    /// Words in a language; an empty tag is none.
    pub fn text_in(lang: &str, text: impl Into<String>) -> Self {
        let lang = (!lang.is_empty()).then(|| lang.to_lowercase());
        Self::Text { text: text.into(), lang }
    }

    /// The kind of literal it is; `None` for an entity.
    pub fn kind(&self) -> Option<ValueKind> {
        match self {
            Self::Entity(_) => None,
            Self::Text { .. } => Some(ValueKind::Text),
            Self::Number(_) => Some(ValueKind::Number),
            Self::Date(date) if date.precision() == Precision::Year => Some(ValueKind::Year),
            Self::Date(_) => Some(ValueKind::Date),
            Self::Boolean(_) => Some(ValueKind::Boolean),
        }
    }

    /// The entity, where it is one.
    pub fn as_entity(&self) -> Option<&Iri> {
        match self {
            Self::Entity(iri) => Some(iri),
            _ => None,
        }
    }

    /// The number, where it is one.
    pub fn as_number(&self) -> Option<&Number> {
        match self {
            Self::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The date, where it is one.
    pub fn as_date(&self) -> Option<&Date> {
        match self {
            Self::Date(date) => Some(date),
            _ => None,
        }
    }

    /// The words as the source wrote them, where they are kept.
    pub fn written(&self) -> Option<&str> {
        match self {
            Self::Number(number) => number.written.as_deref(),
            Self::Date(date) => date.written.as_deref(),
            _ => None,
        }
    }

    /// How the value is said in a sentence in `lang`: an entity by the name that `name_of` gives, a number and a date as the
    /// source wrote it where that is in a script of `lang`, else in words of `lang` ([`Number::said`], [`Date::said`]).
    pub fn said(&self, lang: &str, name_of: &dyn Fn(&Iri) -> String) -> String {
        match self {
            Self::Entity(iri) => name_of(iri),
            Self::Text { text, .. } => text.clone(),
            Self::Number(number) => number.said(lang),
            Self::Date(date) => date.said(lang),
            Self::Boolean(true) => if Text::same_language(lang, "zh") { "是" } else { "yes" }.to_owned(),
            Self::Boolean(false) => if Text::same_language(lang, "zh") { "否" } else { "no" }.to_owned(),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Entity(_) => 0,
            Self::Boolean(_) => 1,
            Self::Date(_) => 2,
            Self::Number(_) => 3,
            Self::Text { .. } => 4,
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Entity(one), Self::Entity(other)) => one.cmp(other),
            (Self::Boolean(one), Self::Boolean(other)) => one.cmp(other),
            (Self::Date(one), Self::Date(other)) => one.cmp(other),
            (Self::Number(one), Self::Number(other)) => one.cmp(other),
            (Self::Text { text: one, lang: own }, Self::Text { text: other, lang: its }) => {
                (one, own).cmp(&(other, its))
            }
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
